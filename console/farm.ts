import { Rookery, RookeryError, type ServedGold } from '../client/index.ts';

/**
 * JSON as a value to show: integers beyond 2^53 are kept as the text that they were written as, where the browser tells
 * it. undefined for text that is no JSON.
 */
export function parseToShow(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (context?.source ?? value)
        : value,
    );
  } catch {
    return undefined;
  }
}

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
    apiKey: apiKey || undefined,
    harnessKey: harnessKey || undefined,
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

/** The gold of a task, with all digits of its numbers. Throws RookeryError. */
export function goldOf(sampleId: string): Promise<ServedGold> {
  return exactJson(`/tasks/${sampleId.split('/').map(encodeURIComponent).join('/')}/gold`);
}

/** What a SLOT or SEL tool answers, with all digits of its numbers. Throws RookeryError. */
export async function callTool<T>(path: string, args: unknown): Promise<T> {
  const answer = await farm().send(path, { method: 'POST', body: JSON.stringify(args) });
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as T;
}
