import { dieWithParent } from '../services/base/sqlite/child-pool.ts';
import { runCommand } from './program.ts';

/** The process that `supervise.ts` starts: runs one command, and ends with the process that started it. */
dieWithParent();
await runCommand(process.argv.slice(2));
