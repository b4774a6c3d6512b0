import { UserError } from '../../../contracts/errors.ts';
import { examEnvironment } from '../../base/access/exam-environment.ts';
import { makeHarnessKey } from './harness-key.ts';

/** What opens a server's planes, and to whom. */
export interface Roles {
  readonly harnessKey: string;
  readonly exam: boolean;
}

export interface GivenRoles {
  readonly harnessKey?: string | undefined;
  readonly exam?: boolean | undefined;
}

/** A key that agents could guess is none. */
const SHORTEST_KEY = 16;

/**
 * The harness key and the mode of a server: as given, else by `ROOKERY_HARNESS_KEY` and `ROOKERY_EXAM` (`1` or `true`),
 * else a key made anew and told by `say`, and open mode. Throws OPTION_INVALID.
 */
export function readRoles(given: GivenRoles, env: NodeJS.ProcessEnv, say: (line: string) => void): Roles {
  const exam = given.exam ?? examEnvironment(env);
  const key = given.harnessKey ?? (env.ROOKERY_HARNESS_KEY || undefined);
  if (key !== undefined) return { harnessKey: checkKey(key), exam };
  const harnessKey = makeHarnessKey();
  say(`Harness key, made for this process: ${harnessKey}`);
  return { harnessKey, exam };
}

function checkKey(key: string): string {
  if (key.length >= SHORTEST_KEY && /^[\x21-\x7e]+$/.test(key)) return key;
  const wanted = `must have ${SHORTEST_KEY} characters or more, of ASCII and without spaces`;
  throw new UserError('OPTION_INVALID', '--harness-key', wanted);
}
