import { Command } from 'commander';
import { packageVersion } from '../contracts/package-root.ts';

type CommandFile = () => Promise<{ register(program: Command): void }>;

/** Where each command is, in the order that `--help` shows them. */
const COMMANDS: Readonly<Record<string, CommandFile>> = {
  start: () => import('./commands/start.ts'),
  init: () => import('./commands/init.ts'),
  example: () => import('./commands/example.ts'),
  fetch: () => import('./commands/fetch.ts'),
  synthesize: () => import('./commands/synthesize.ts'),
  augment: () => import('./commands/augment.ts'),
  generate: () => import('./commands/generate.ts'),
  serve: () => import('./commands/serve.ts'),
  gateway: () => import('./commands/gateway.ts'),
  agents: () => import('./commands/agents.ts'),
  compose: () => import('./commands/compose.ts'),
  run: () => import('./commands/run.ts'),
  table: () => import('./commands/table.ts'),
  publish: () => import('./commands/publish.ts'),
  doctor: () => import('./commands/doctor.ts'),
  audit: () => import('./commands/audit.ts'),
  coverage: () => import('./commands/coverage.ts'),
  stats: () => import('./commands/stats.ts'),
  query: () => import('./commands/query.ts'),
  score: () => import('./commands/score.ts'),
  compare: () => import('./commands/compare.ts'),
  rank: () => import('./commands/rank.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  mcp: () => import('./commands/mcp.ts'),
  connect: () => import('./commands/connect.ts'),
  runs: () => import('./commands/runs.ts'),
};

/**
 * The `rookery` command line, ready for these arguments: the command they begin with is the only one loaded, since
 * a server would carry the generator and the scorer along. `--version` needs none; `--help` needs all.
 */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('rookery')
    .description('Hosts live APIs for testing LLM tool calling, generated from NL2SQL splits.')
    .version(packageVersion)
    .exitOverride()
    // A command's options follow its name; a subcommand may have options of its parent's names.
    .enablePositionalOptions()
    .showHelpAfterError('(--help shows the options)');
  const [name = ''] = args;
  if (name === '--version' || name === '-V') return program;
  const wanted = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name] as CommandFile] : Object.values(COMMANDS);
  for (const load of wanted) (await load()).register(program);
  return program;
}
