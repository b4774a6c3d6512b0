import { Rookery } from '../client/index.ts';

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
