#!/usr/bin/env node
import { runCommand } from './program.ts';
import { SUPERVISED, supervise } from './supervise.ts';

// SQLite's `localtime` is the process's: make it the same on every machine.
process.env.TZ = 'UTC';

// `npm run` changes to the package's folder; resolve paths where it was called.
const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
if (script === 'rookery' && calledIn !== undefined) process.chdir(calledIn);

const args = process.argv.slice(2);
if (SUPERVISED.includes(args[0] ?? '')) process.exitCode = await supervise(args);
else await runCommand(args);
