// @ts-check
// The most memory that this process had in RAM. As a preload (`--import`), writes it to the file that `TAPEFOLD_PEAK_FILE` names when the process ends.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The kernel's high-water mark where there is one (Linux), else what Node says. */
export function peakBytes() {
  const status = '/proc/self/status';
  const kib = existsSync(status) ? /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return 1024 * (kib === undefined ? process.resourceUsage().maxRSS : Number(kib));
}

const file = process.env['TAPEFOLD_PEAK_FILE'];
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(peakBytes())));
