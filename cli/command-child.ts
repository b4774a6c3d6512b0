import { dieWithParent } from '../services/base/sqlite/child-pool.ts';
import { runCommand } from './program.ts';

/** Started by `supervise.ts`: runs one command, and exits when its parent does. */
dieWithParent();
await runCommand(process.argv.slice(2));
