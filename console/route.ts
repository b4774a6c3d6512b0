import { useEffect, useState } from 'preact/hooks';

/** A view's route, encoded after the `#`: `#/endpoint/<db>/<name>?id=1`. */
export interface Route {
  /** Decoded segments. The first is the view's name; empty: the farm. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/** Parses a URL's hash. Text that cannot be decoded is kept. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#\/?/, ''), '?');
  const segments = path.split('/').filter((segment) => segment !== '');
  return { segments: segments.map(decode), query: new URLSearchParams(query) };
}

/** A link to a view. Undefined and empty values are omitted. */
export function linkTo(
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const text = new URLSearchParams(given).toString();
  return `#/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseRoute(hash);
}

/** Navigates to a view; `replace` adds no history entry, e.g. while a filter is typed. */
export function go(link: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = link;
    return;
  }
  history.replaceState(null, '', link);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
