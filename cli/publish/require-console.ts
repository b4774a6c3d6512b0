import { UserError } from '../../contracts/errors.ts';
import { builtConsole } from '../../services/base/pages/console-files.ts';

/** The folder of the console. Throws CONSOLE_NOT_BUILT. */
export function requireConsole(): string {
  const folder = builtConsole();
  if (folder !== undefined) return folder;
  throw new UserError('CONSOLE_NOT_BUILT', 'dist/console', 'is not there; run `npm run build` first');
}
