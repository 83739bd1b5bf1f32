import type { HomeRef } from '@tapefold/store';
import { Command as Commander, Option } from 'commander';
import { context } from './command/context.js';
import { doctor } from './command/doctor.js';
import { facts } from './command/facts.js';
import { index, rebuild } from './command/index.js';
import { list } from './command/list.js';
import { plan } from './command/plan.js';
import { preview } from './command/preview.js';
import { search, turnStatuses } from './command/search.js';
import { serve } from './command/serve.js';
import { follow } from './command/follow.js';
import type { Command, Session } from './command/session.js';
import { show } from './command/show.js';
import { transcript } from './command/transcript.js';
import { userMessages } from './command/user-messages.js';
import { status } from './command/status.js';
import { verify } from './command/verify.js';
import { why } from './command/why.js';
import { EXIT, type ExitCode } from './exit.js';
import { agents, defaultPlaces, homeForms, parseHome } from './homes.js';
import { version } from './version.js';

/** What parsing a command line comes to: homes that were named, and the command that was run. */
export interface Program {
  readonly parse: (args: readonly string[]) => Promise<ExitCode>;
}

/** What the command line is built over; nothing is opened before a command runs. */
export interface ProgramHooks {
  readonly cwd: string;
  /** Opens a session over the homes that were named. */
  readonly open: (homes: readonly HomeRef[], options: { readonly hasIndex: boolean }) => Session;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

const epilogue = `
Ids may be shortened to a unique beginning; "last" is the newest thread of the list.
Homes: --home, else all that exist of ${defaultPlaces.join(', ')}; with no session there, the samples that come with Tapefold.
Nothing is ever written to an agent's files.

Exit codes: 0 done · 1 something about the data (not found, unreadable) · 2 wrong use · 3 a bug of Tapefold · 130 interrupted
Environment: NO_COLOR, FORCE_COLOR, CODEX_HOME, CLAUDE_CONFIG_DIR, KIMI_CODE_HOME, KIMI_SHARE_DIR, TAPEFOLD_HOME (files of Tapefold's own); TAPEFOLD_DEBUG=1 prints the stack of a bug`;

/** Builds the command line. Errors of parsing are `CommanderError`s, and already said. */
export function createProgram(hooks: ProgramHooks): Program {
  const homes: HomeRef[] = [];
  let exitCode: ExitCode = EXIT.ok;
  const homeOption = (): Option => new Option('--home <AGENT=DIR>', `read this home, ${homeForms} (may be repeated)`).argParser((value: string) => void homes.push(parseHome(value, hooks.cwd)));
  const run = async <Options>(command: Command<Options>, options: Options): Promise<void> => {
    // `--no-index`, where a command takes it.
    const hasIndex = !(typeof options === 'object' && options !== null && 'index' in options && options.index === false);
    exitCode = await command(hooks.open(homes, { hasIndex }), options);
  };
  const root = new Commander('tapefold');
  root.description('Reads the session files of coding agents, and shows what they say.')
    .version(version(), '-V, --version', 'print the version').helpOption('-h, --help', 'print help').helpCommand('help [command]', 'print help for a command')
    .addOption(homeOption()).addHelpText('after', epilogue).showSuggestionAfterError().exitOverride().enablePositionalOptions()
    .configureOutput({
      writeOut: hooks.writeOut, writeErr: hooks.writeErr,
      outputError: (text, write) => write(`tapefold: ${text.replace(/^error: /, '').trim().replace(/\n/g, ' ')}: see tapefold --help.\n`),
    });
  addCommands(root, { homeOption, run });
  addIndexCommands(root, { homeOption, run });
  return {
    parse: async (args) => {
      await root.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
      return exitCode;
    },
  };
}

interface Wiring {
  readonly homeOption: () => Option;
  readonly run: <Options>(command: Command<Options>, options: Options) => Promise<void>;
}

const asOfOption = ['--as-of <ORDINAL>', 'as it was right behind this fact (the position that facts prints)'] as const;

/** Collects the values of an option that may be repeated. */
const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const noIndex = (): Option => new Option('--no-index', 'read the session files alone');

/** The index: what makes it, what says how it stands, what proves it, what looks through it. */
function addIndexCommands(root: Commander, { homeOption, run }: Wiring): void {
  root.command('index').description('make or update the index, which makes everything else quick').addOption(homeOption())
    .option('--watch', 'go on, and take up what changes').action((options: Parameters<typeof index>[1]) => run(index, options));
  root.command('rebuild').description('drop the index and make it anew').addOption(homeOption()).action((options: object) => run(rebuild, options));
  root.command('status').description('how the index stands').option('--json', 'as JSON').action((options: Parameters<typeof status>[1]) => run(status, options));
  root.command('search <QUERY...>').description('words and "phrases" in what was said and done in all sessions').addOption(homeOption())
    .addOption(new Option('--agent <NAME>', 'only sessions of this agent').choices(agents)).option('--cwd <DIR>', 'only sessions of this folder').option('--session <ID>', 'only this session')
    .option('--since <WHEN>', 'only what was said since (2026-03-04, 2026-03-04T09:30, 12h, 3d, 2w)').option('--until <WHEN>', 'only what was said before')
    .addOption(new Option('--status <NAME>', 'only sessions whose last turn stands so').choices(turnStatuses)).option('--tool-output', 'what tools put out, too').option('--superseded', 'what was taken back, too, marked')
    .option('--limit <N>', 'at most so many, 500 at most (default: 10)').option('--no-update', 'search what is indexed, without a look at the session files first').option('--json', 'hits with snippets and places, as JSON')
    .action((words: readonly string[], options: Omit<Parameters<typeof search>[1], 'words'>) => run(search, { ...options, words }));
  root.command('verify [ID]').description('compare the index with the session files, folded afresh').addOption(homeOption()).option('--all', 'every session')
    .action((id: string | undefined, options: object) => run(verify, { ...options, id }));
}

/** One entry for each file in `command/`. */
function addCommands(root: Commander, { homeOption, run }: Wiring): void {
  root.command('list').description('sessions, newest first').addOption(homeOption()).addOption(noIndex())
    .option('--cwd <DIR>', 'only sessions of this folder').addOption(new Option('--agent <NAME>', 'only sessions of this agent').choices(agents))
    .option('--since <WHEN>', 'only what changed since (2026-03-04, 2026-03-04T09:30, 12h, 3d, 2w)').option('--archived', 'archived sessions too, marked').option('--all', 'sub-agents too, below the session that started them')
    .option('--limit <N>', 'at most so many, 0 for all (default: 25 on a terminal, else all)').option('--preview', 'the newest lines of each, below it').option('--json', 'an array of Thread objects')
    .action((options: Parameters<typeof list>[1]) => run(list, options));
  root.command('show <ID>').description('a session as a transcript to read').addOption(homeOption()).addOption(noIndex())
    .option('--full', 'cut nothing, show raw reasoning too').option('--turn <N|ID>', 'only this turn (1 is the first, -1 the last), or those with this id').option('--json', 'the Thread object with all turns and items')
    .option(...asOfOption).option('--all-branches', 'turns and items too that were rolled back, undone or left for another branch, marked')
    .action((id: string, options: object) => run(show, { ...options, id }));
  root.command('follow <ID>').description('a running session as text that flows: its newest turn, and what its agent writes from now on').addOption(homeOption())
    .option('--agent <ID>', 'of this agent (default: that of the session named)').option('--once', 'end where the session ends now').action((id: string, options: object) => run(follow, { ...options, id }));
  root.command('preview <ID>').description('the newest lines that were said, six at most').addOption(homeOption()).addOption(noIndex())
    .option('--json', 'the lines, or why there are none, as JSON').action((id: string, options: object) => run(preview, { ...options, id }));
  root.command('facts <ID>').description('what the files say, one fact a line, as JSON').addOption(homeOption())
    .action((id: string) => run(facts, { id }));
  root.command('context <ID>').description('what the model reads next, or what became of each item on its way there').addOption(homeOption())
    .option(...asOfOption).addOption(new Option('--provider <WIRE>', 'the wire of the request (default: that of the agent)').choices(['responses', 'anthropic', 'chat']))
    .option('--fates', 'of each item: sent, summarised, rolled back, hidden or never sent, and why').option('--json', 'the request, or the fates, as JSON')
    .action((id: string, options: object) => run(context, { ...options, id }));
  root.command('transcript <ID>').description('a page of turns with steps and frames, as the transcript server of Kimi Code answers, as JSON').addOption(homeOption())
    .option('--agent <ID>', 'of this agent (default: that of the session named)').option('--before-turn <ID>', 'the turns before this one (t12)').option('--after-turn <ID>', 'the turns after this one')
    .option('--page-size <N>', 'at most so many turns, 1 to 100 (default: 20)').option(...asOfOption).option('--json', 'on one line').action((id: string, options: object) => run(transcript, { ...options, id }));
  root.command('user-messages <ID>').description('what a person said to each agent of a session, by turn, as JSON').addOption(homeOption())
    .option('--agent <ID>', 'to this agent alone').option('--json', 'on one line').action((id: string, options: object) => run(userMessages, { ...options, id }));
  root.command('plan <ID>').description('plans that were put before a person, as JSON').addOption(homeOption())
    .option('--agent <ID>', 'of this agent (default: that of the session named)').option('--tool-call <ID>', 'of this call alone').option('--json', 'on one line')
    .action((id: string, options: object) => run(plan, { ...options, id }));
  root.command('doctor [ID|FILE]').description('what became of every line of a session file, or of all').addOption(homeOption())
    .option('--json', 'an array with a ledger for each file').action((idOrPath: string | undefined, options: object) => run(doctor, { ...options, idOrPath }));
  root.command('why <PATH|ID>').description('why something is, or is not, in the list').addOption(homeOption())
    .action((idOrPath: string) => run(why, { idOrPath }));
  root.command('serve').description('answer programs that read histories, as Codex\'s app-server does (JSON-RPC)').addOption(homeOption()).addOption(noIndex())
    .option('--listen <URL>', 'where to listen (may be repeated): stdio:// is standard input and output (the default), ws://ADDRESS:PORT and unix://PATH are the same over WebSocket, http://ADDRESS:PORT is REST', repeated)
    .option('--token-file <PATH>', 'the token that TCP clients show (made where it is missing; default: server.token in TAPEFOLD_HOME or ~/.tapefold)')
    .option('--no-auth', 'ask for no token, on loopback only: every user of this machine can read along then')
    .option('--allow-host <NAME>', 'a host name under which this server is reached, behind a proxy say (may be repeated)', repeated)
    .action((options: Parameters<typeof serve>[1]) => run(serve, options));
}
