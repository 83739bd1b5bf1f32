import type { ContentPart, Origin, Visibility } from '@tapefold/facts';
import { put, remove } from '../id-table.js';
import { present, stringAt } from '../shape.js';
import { callOf } from './calls.js';
import { compactContext } from './compaction.js';
import { messageItem, partOf } from './content.js';
import { appendEntry } from './context.js';
import { type Block, textOf } from './line.js';
import { type Play, noteItem, refs, say } from './play.js';
import { takePrompts } from './queue.js';
import { stopRejected, tellResults } from './results.js';
import { type TurnState, textPart } from './state.js';
import { endTask } from './tasks.js';
import { interruptTurn, needTurn, openTurn } from './turns.js';
import { type UserClass, commandText, isInjected, ownWords, spokenText, tagged } from './user-class.js';

/** Classes that open a turn (claude-history §5.1). */
export const opening: ReadonlySet<UserClass> = new Set<UserClass>(['prompt', 'command', 'shell', 'notification']);

/** What of a line a person put in: without blocks that an editor or the program added. */
function shownParts(blocks: readonly Block[]): ContentPart[] {
  const own = blocks.filter(({ type, raw }) => type !== 'text' || !isInjected(stringAt(raw, 'text') ?? ''));
  return (own.length ? own : blocks).map(partOf);
}

function appendLine(play: Play, visibility: Visibility, shows?: string): string {
  return appendEntry(play, { as: 'other', item: messageItem({ role: 'user', visibility, blocks: play.line.blocks }), shows });
}

interface Opening {
  readonly origin: Origin;
  readonly content: readonly ContentPart[];
  readonly visibility: Visibility;
  readonly title: string;
  readonly isPrompt?: boolean;
  readonly settlesAs?: TurnState['status'];
}

/** A line that opens a turn: the turn, the model's copy, the input and its place. */
function tellOpening(play: Play, of: Opening): void {
  const { node } = play;
  if (!play.replaces) openTurn(play, of);
  const context = appendLine(play, of.visibility);
  const promptIds = takePrompts(play);
  const input = say(play, present({
    type: 'input.received' as const, ...refs(play, -1), id: node.uuid, content: [...of.content], visibility: of.visibility, origin: of.origin, promptIds: promptIds.length ? promptIds : undefined, isAdded: false, context,
  }));
  const { replacedInput } = play.replaces ?? {};
  say(play, present({ type: 'input.placed' as const, ...refs(play, -1), input, as: of.origin.kind === 'task' ? ('notifies' as const) : ('opens' as const), after: replacedInput }));
}

function tellPrompt(play: Play): void {
  const { raw, blocks } = play.line;
  const title = ownWords(textOf(blocks));
  const hasImage = blocks.some(({ type }) => type === 'image');
  play.node.sign = 'open';
  const source = stringAt(raw, 'promptSource');
  tellOpening(play, { origin: present({ kind: 'user' as const, payload: source === undefined ? undefined : { promptSource: source } }), content: shownParts(blocks), visibility: 'shown', title: title === '' && hasImage ? '[Image]' : title, isPrompt: true });
}

/** A slash command. Nothing ends it, and one that asks the model nothing is over when it is done. */
function tellCommand(play: Play): void {
  const text = spokenText(play.line);
  const shown = commandText(text);
  play.node.sign = 'done';
  tellOpening(play, { origin: { kind: 'command', payload: { command: shown } }, content: [textPart(shown)], visibility: 'shown', title: shown, settlesAs: 'completed' });
}

/** A shell command that a person typed: the command itself is the item, as Codex shows its own. */
function tellShell(play: Play): void {
  const { node, line } = play;
  const command = tagged(spokenText(line), 'bash-input') ?? '';
  node.sign = 'open';
  if (!play.replaces) openTurn(play, { origin: { kind: 'shell' }, title: `!${command}` });
  const context = appendLine(play, 'shown');
  const itemId = `${node.uuid}.0`;
  const body = present({ kind: 'command' as const, command, cwd: stringAt(line.raw, 'cwd'), source: 'userShell' as const, status: 'running' as const, actions: [] });
  const item = noteItem(play, say(play, { type: 'item.started', ...refs(play, -1), id: itemId, visibility: 'shown', isAdded: false, context, body }));
  const written = play.pen.facts.at(-1);
  if (written?.type === 'item.started') put(play.state.calls, itemId, present({ node: play.at, item, itemId, name: '', body: written.body, tool: { name: '' }, large: written.large }));
}

function tellShellOutput(play: Play, text: string): void {
  const above = play.state.nodes[play.node.parent];
  const shell = above && callOf(play, `${above.uuid}.0`);
  const output = `${tagged(text, 'bash-stdout') ?? ''}${tagged(text, 'bash-stderr') ?? ''}`;
  play.node.sign = 'done';
  appendLine(play, 'control');
  if (shell?.body.kind !== 'command') return;
  remove(play.state.calls, shell.itemId);
  say(play, {
    type: 'item.completed', ...refs(play, -1), id: shell.itemId, visibility: 'shown', isAdded: false, body: { ...shell.body, status: 'completed', output }, ...(shell.large ? { large: shell.large } : {}),
  });
}

/** What a slash command printed. It reached the model with the next prompt, if at all. */
export function tellCommandOutput(play: Play, text: string, context: string): void {
  const output = (tagged(text, 'local-command-stdout') ?? tagged(text, 'local-command-stderr') ?? '').trim();
  const name = play.state.turns[play.node.turn]?.title ?? '';
  play.node.sign = 'done';
  if (output === '' || play.node.turn < 0) return;
  noteItem(play, say(play, { type: 'item.completed', ...refs(play, -1), id: `${play.node.uuid}.0`, body: { kind: 'callOutput', name, output }, visibility: 'shown', isAdded: false, context }));
}

/** Output of a command or a shell, caveats and reminders. */
function tellAttached(play: Play): void {
  const text = spokenText(play.line);
  if (text.startsWith('<bash-')) return tellShellOutput(play, text);
  const context = appendLine(play, 'control');
  if (text.startsWith('<local-command-std')) tellCommandOutput(play, text, context);
}

function tellNotification(play: Play): void {
  const text = spokenText(play.line);
  play.node.sign = 'open';
  const taskId = tagged(text, 'task-id')?.trim();
  tellOpening(play, { origin: present({ kind: 'task' as const, taskId }), content: play.line.blocks.map(partOf), visibility: 'injected', title: '' });
  endTask(play, text);
}

/** A prompt of the program's: an expanded command, a skill, "go on". A command above it asks the model after all. */
function tellMeta(play: Play): void {
  const above = play.state.turns[play.node.turn];
  const isExpansion = above?.status === 'completed' && above.end === null && play.state.nodes[play.node.parent]?.sign === 'done' && spokenText(play.line) !== 'Continue from where you left off.';
  if (isExpansion) play.node.sign = 'open';
  appendLine(play, 'injected');
}

function tellInterrupt(play: Play): void {
  appendLine(play, 'control');
  if (/for tool use\]/.test(spokenText(play.line))) stopRejected(play);
  if (play.node.turn >= 0) say(play, { type: 'notice.posted', ...refs(play, -1), level: 'info', code: 'interruption', text: textOf(play.line.blocks), visibility: 'control' });
  interruptTurn(play);
}

/** A user line by its class. */
export function tellUser(play: Play, as: UserClass): void {
  switch (as) {
    case 'result': play.node.sign = 'open'; needTurn(play); return tellResults(play);
    case 'summary': return compactContext(play);
    case 'command': return tellCommand(play);
    case 'shell': return tellShell(play);
    case 'notification': return tellNotification(play);
    case 'attached': return tellAttached(play);
    case 'meta': return tellMeta(play);
    case 'interrupt': return tellInterrupt(play);
    case 'prompt': return tellPrompt(play);
    default: return undefined;
  }
}
