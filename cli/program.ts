import { Command } from 'commander';
import { packageVersion } from '../contracts/package-root.ts';
import { register as compare } from './commands/compare.ts';
import { register as compose } from './commands/compose.ts';
import { register as connect } from './commands/connect.ts';
import { register as coverage } from './commands/coverage.ts';
import { register as exportTasks } from './commands/export.ts';
import { register as fetch } from './commands/fetch.ts';
import { register as gateway } from './commands/gateway.ts';
import { register as generate } from './commands/generate.ts';
import { register as importResults } from './commands/import.ts';
import { register as mcp } from './commands/mcp.ts';
import { register as runs } from './commands/runs.ts';
import { register as score } from './commands/score.ts';
import { register as serve } from './commands/serve.ts';
import { register as start } from './commands/start.ts';

/** Every command, in the order that `--help` shows them. */
const COMMANDS = [
  start,
  fetch,
  generate,
  serve,
  gateway,
  compose,
  coverage,
  score,
  compare,
  exportTasks,
  importResults,
  mcp,
  connect,
  runs,
];

/** The `rookery` command line. */
export function createProgram(): Command {
  const program = new Command('rookery')
    .description('Hosts live APIs for testing LLM tool calling, generated from NL2SQL splits.')
    .version(packageVersion)
    .exitOverride()
    .showHelpAfterError('(--help shows the options)');
  for (const register of COMMANDS) register(program);
  return program;
}
