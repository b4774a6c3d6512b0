#!/usr/bin/env node
import { createProgram, parsedArguments } from './program.ts';
import { reportError } from './run.ts';

// SQLite's `localtime` is the process's: one answer on every machine.
process.env.TZ = 'UTC';

// `npm run` goes to the package's folder; files are named from where it was called.
const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
if (script === 'rookery' && calledIn !== undefined) process.chdir(calledIn);

// `rookery coverage my-farm | head`: a reader that stops early wants no more, which is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  const args = process.argv.slice(2);
  const program = await createProgram(args);
  await program.parseAsync(parsedArguments(args), { from: 'user' });
} catch (error) {
  const { exitCode, message } = reportError(error);
  if (message) process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
