import { afterTest } from '@tapefold/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { environment, folder, main } from './built.suite.js';

/** `tapefold serve` as a process, ended after the test. */
export class Served {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stderr = '';
  stdout = '';

  constructor(args: readonly string[], home = folder()) {
    this.child = spawn(process.execPath, [main, 'serve', ...args], { env: environment({ TAPEFOLD_HOME: home }), stdio: 'pipe' });
    afterTest(() => { this.child.kill('SIGKILL'); });
    this.child.stderr?.on('data', (data: Buffer) => { this.stderr += data.toString('utf8'); });
    this.child.stdout?.on('data', (data: Buffer) => { this.stdout += data.toString('utf8'); });
    this.ended = new Promise((resolve) => { this.child.once('close', resolve); });
  }

  /** What standard error says, once it matches. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.stderr);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended with ${this.child.exitCode} and never said ${pattern.source}: ${this.stderr}`);
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
  }
}
