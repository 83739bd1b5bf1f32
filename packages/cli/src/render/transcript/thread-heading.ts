import type { Thread } from '@tapefold/threads';
import type { Line } from '../../text/line.js';
import { shortPath } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { titleOf } from '../list-view.js';
import { summaryLine } from './cut.js';
import type { TranscriptView } from './view.js';

const LABEL_CHARS = 9;

function relation({ forkedFromId, parentThreadId, agentNickname, agentRole }: Thread): [string, string | undefined][] {
  const agent = [agentNickname, agentRole].filter((word) => word !== null).join(', ');
  return [['fork of', forkedFromId ?? undefined], ['parent', parentThreadId ?? undefined], ['role', agent || undefined]];
}

function modelText({ model, modelProvider, reasoningEffort }: Thread): string {
  if (model === null) return `not recorded (provider ${modelProvider})`;
  return [model, reasoningEffort === null ? '' : `(${reasoningEffort})`, `by ${modelProvider}`].filter((word) => word !== '').join(' ');
}

function agentText({ cliVersion }: Thread, { program }: TranscriptView): string {
  return cliVersion === '' ? program : `${program} ${cliVersion}`;
}

function gitText({ gitInfo }: Thread): string | undefined {
  return gitInfo ? [gitInfo.branch, gitInfo.sha?.slice(0, 10)].filter((word) => word !== null && word !== undefined).join(' ') || undefined : undefined;
}

/** Title, id, times, folder, model: what stands above the turns. Pure. */
export function threadHeading(thread: Thread, turnCount: number, view: TranscriptView): Line[] {
  const { times, homeDir } = view;
  const pairs: [string, string | undefined][] = [
    ['id', thread.id], ['agent', agentText(thread, view)], ['model', modelText(thread)], ['cwd', shortPath(thread.cwd, homeDir) || undefined], ['git', gitText(thread)], ...relation(thread),
    ['started', times.minute(thread.createdAt * 1000)], ['changed', times.minute(thread.updatedAt * 1000)], ['file', thread.path === null ? undefined : shortPath(thread.path, homeDir)],
    ['turns', turnCount.toLocaleString('en-US')],
  ];
  return [
    [{ text: `# ${summaryLine(titleOf(thread), view)}`, tone: 'title' }], [],
    ...pairs.flatMap(([label, value]): Line[] => (value === undefined ? [] : [['- ', { text: label.padEnd(LABEL_CHARS), tone: 'dim' }, safeLine(value)]])),
  ];
}
