import { useEffect, useState } from 'preact/hooks';
import { farm } from '../farm.ts';
import { go, linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';
import { Problem } from './answer.tsx';

/** How long nobody has typed before the farm is searched. */
const PAUSE_MS = 200;
const MOST = 20;

/** A search over the endpoints of all domains: the search of tools that agents have. The words are in the address. */
export function EndpointSearch({ words }: { readonly words: string }) {
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  useEffect(() => {
    if (typed === words) return undefined;
    const timer = window.setTimeout(() => go(linkTo([], { q: typed }), { replace: true }), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, words]);
  const { value: found = [], error } = useAnswer(`search ${words}`, async () =>
    words.trim() === '' ? [] : farm().findEndpoints(words, MOST),
  );
  return (
    <search class="search">
      <label for="endpoint-search">Search all endpoints</label>
      <input
        id="endpoint-search"
        type="search"
        placeholder="in plain words, such as: how many visits in a year"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {error && <Problem error={error} />}
      <p class="note" role="status">
        {words.trim() !== '' && !error && `The ${found.length} that fit best:`}
      </p>
      <ul class="found">
        {found.map(({ db, name, summary }) => (
          <li>
            <a href={linkTo(['endpoint', db, name])}>{summary}</a> <code>{db}</code>
          </li>
        ))}
      </ul>
    </search>
  );
}
