import { Rookery, RookeryError } from '../client/index.ts';
import { parseToShow } from './exact-json.ts';

/** What opens more of a farm than everybody sees. Kept until the tab is closed, and nowhere else. */
export interface Keys {
  readonly apiKey: string;
  readonly harnessKey: string;
}

const KEPT = 'rookery-keys';

/** The keys given in this tab; empty texts when there are none. */
export function readKeys(): Keys {
  const none = { apiKey: '', harnessKey: '' };
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
    return { ...none, ...(kept as Partial<Keys>) };
  } catch {
    return none;
  }
}

/** Uses these keys from now on. */
export function keepKeys(keys: Keys): void {
  sessionStorage.setItem(KEPT, JSON.stringify(keys));
}

/** The farm that this page comes from. */
export function farm(): Rookery {
  const { apiKey, harnessKey } = readKeys();
  return new Rookery(location.origin, {
    ...(apiKey === '' ? {} : { apiKey }),
    ...(harnessKey === '' ? {} : { harnessKey }),
  });
}

/** What the farm answers to a path, with all digits of its numbers. Throws RookeryError. */
export async function exactJson<T>(path: string): Promise<T> {
  const answer = await farm().send(path);
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as T;
}

/** Whether what depends on gold is refused: the server has none, or the key is not given. */
export function isGoldElsewhere(error: Error | undefined): boolean {
  const code = error instanceof RookeryError ? error.problem?.code : undefined;
  return code === 'SCORING_OFF' || code === 'HARNESS_ONLY';
}
