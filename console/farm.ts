import { Rookery, RookeryError, type ServedCatalog, type ServedGold } from '../client/index.ts';

/** Parses JSON for display; integers beyond 2^53 keep their source text if possible. undefined for invalid JSON. */
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

/** Keys for more access to a farm. Stored until the tab is closed, and nowhere else. */
export interface Keys {
  readonly apiKey: string;
  readonly harnessKey: string;
}

const KEPT = 'rookery-keys';

export function readKeys(): Keys {
  const none = { apiKey: '', harnessKey: '' };
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
    return { ...none, ...(kept as Partial<Keys>) };
  } catch {
    return none;
  }
}

export function keepKeys(keys: Keys): void {
  sessionStorage.setItem(KEPT, JSON.stringify(keys));
}

export function farm(): Rookery {
  const { apiKey, harnessKey } = readKeys();
  return new Rookery(location.origin, {
    apiKey: apiKey || undefined,
    harnessKey: harnessKey || undefined,
  });
}

/** The farm's response to a request, with exact numbers. Throws RookeryError. */
export async function exactJson<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await farm().send(path, init);
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as T;
}

const catalogs = new Map<string, Promise<ServedCatalog>>();

/** The catalog of a domain, read once. Throws RookeryError. */
export function catalogOf(db: string): Promise<ServedCatalog> {
  const known = catalogs.get(db);
  if (known) return known;
  const asked = farm().catalog(db);
  catalogs.set(db, asked);
  asked.catch(() => catalogs.delete(db));
  return asked;
}

/** Whether access to gold is refused: the server has none, or the key is missing. */
export function isGoldElsewhere(error: Error | undefined): boolean {
  const code = error instanceof RookeryError ? error.problem?.code : undefined;
  return code === 'SCORING_OFF' || code === 'HARNESS_ONLY';
}

/** The gold of a task, with exact numbers. Throws RookeryError. */
export function goldOf(sampleId: string): Promise<ServedGold> {
  return exactJson(`/tasks/${sampleId.split('/').map(encodeURIComponent).join('/')}/gold`);
}

/** The response of a SLOT or SEL tool, with exact numbers. Throws RookeryError. */
export function callTool<T>(path: string, args: unknown): Promise<T> {
  return exactJson(path, { method: 'POST', body: JSON.stringify(args) });
}
