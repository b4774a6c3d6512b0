import { Command, Help } from 'commander';
import { calledHere, packageVersion, ROOKERY } from '../contracts/package-root.ts';
import { printOnlyPrintable, reportError } from './terminal.ts';

type CommandFile = () => Promise<{
  register(program: Command, args: readonly string[]): void | Promise<void>;
}>;

/** The modules of all commands, in the order and under the headings of `--help`. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, CommandFile>>>> = {
  'Make a farm': {
    start: () => import('./commands/start.ts'),
    prepare: () => import('./commands/prepare.ts'),
    init: () => import('./commands/init.ts'),
    fetch: () => import('./commands/fetch.ts'),
    synthesize: () => import('./commands/synthesize.ts'),
    augment: () => import('./commands/augment.ts'),
    vocabulary: () => import('./commands/vocabulary.ts'),
    generate: () => import('./commands/generate.ts'),
    embed: () => import('./commands/embed.ts'),
    join: () => import('./commands/join.ts'),
  },
  'Serve it': {
    serve: () => import('./commands/serve.ts'),
    gateway: () => import('./commands/gateway.ts'),
    agents: () => import('./commands/agents.ts'),
    compose: () => import('./commands/compose.ts'),
    mcp: () => import('./commands/mcp.ts'),
    sdk: () => import('./commands/sdk.ts'),
    connect: () => import('./commands/connect.ts'),
  },
  'Run agents': {
    plan: () => import('./commands/plan.ts'),
    run: () => import('./commands/run.ts'),
    runs: () => import('./commands/runs.ts'),
    example: () => import('./commands/example.ts'),
    doctor: () => import('./commands/doctor.ts'),
  },
  'Score and publish': {
    score: () => import('./commands/score.ts'),
    table: () => import('./commands/table.ts'),
    compare: () => import('./commands/compare.ts'),
    rank: () => import('./commands/rank.ts'),
    publish: () => import('./commands/publish.ts'),
    export: () => import('./commands/export.ts'),
    import: () => import('./commands/import.ts'),
  },
  'Look into a farm': {
    coverage: () => import('./commands/coverage.ts'),
    audit: () => import('./commands/audit.ts'),
    stats: () => import('./commands/stats.ts'),
    query: () => import('./commands/query.ts'),
    view: () => import('./commands/view.ts'),
  },
};

/** Also shows a command's rarely used options. */
const HELP_ALL = '--help=all';

const EVERY_OPTION: Partial<Help> = {
  visibleOptions: (command) => [...command.options, command.createOption('-h, --help', 'show this')],
};

const plain = new Help();

/** Rewrites commands in descriptions so that they can be run as printed. */
const CALLED_HERE: Partial<Help> = {
  commandDescription: (command) => calledHere(plain.commandDescription(command)),
  subcommandDescription: (command) => calledHere(plain.subcommandDescription(command)),
  argumentDescription: (argument) => calledHere(plain.argumentDescription(argument)),
  optionDescription: (option) => calledHere(plain.optionDescription(option)),
};

/**
 * The `rookery` command line for these arguments. Only the command they begin with is loaded, so that a
 * server does not load the generator and the scorer. `--version` needs none; `--help` needs all.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command(ROOKERY)
    .description('Hosts live APIs for testing LLM tool calling, generated from NL2SQL splits.')
    .version(packageVersion)
    .exitOverride()
    // A command's options follow its name; a subcommand may have options with its parent's names.
    .enablePositionalOptions()
    .showHelpAfterError('(--help shows the options)')
    .configureHelp({ ...CALLED_HERE, ...(args.includes(HELP_ALL) ? EVERY_OPTION : {}) });
  const [name = ''] = args;
  if (name === '--version' || name === '-V') return program;
  const known = Object.values(COMMANDS).find((group) => Object.hasOwn(group, name));
  const wanted = known ? { '': { [name]: known[name] as CommandFile } } : COMMANDS;
  for (const [heading, group] of Object.entries(wanted)) {
    if (heading !== '') program.commandsGroup(`${heading}:`);
    for (const load of Object.values(group)) await (await load()).register(program, args);
  }
  return program;
}

/** Runs a command line; errors are printed, and set the exit code. */
export async function runCommand(args: readonly string[]): Promise<void> {
  printOnlyPrintable();
  // `rookery coverage my-farm | head`: a reader that stops early is not an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  try {
    const program = await createProgram(args);
    // Commander knows only --help.
    const known = args.map((arg) => (arg === HELP_ALL ? '--help' : arg));
    await program.parseAsync(known, { from: 'user' });
  } catch (error) {
    const { exitCode, message } = reportError(error);
    if (message) process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}
