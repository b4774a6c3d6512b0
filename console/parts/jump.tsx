import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CatalogTable, ServedCatalog, ServedEndpoint } from '../../client/index.ts';
import { catalogOf, farm } from '../farm.ts';
import { linkTo } from '../route.ts';
import { Prose, useAnswer } from './answer.tsx';

interface JumpProps {
  /** The domain and endpoint that are shown; empty elsewhere. */
  readonly db: string;
  readonly endpoint: string;
}

const REFRESH_MS = 2000;

/** The farm's index, refreshed while the farm grows. */
export function useFarmIndex() {
  return useAnswer(
    'index',
    () => farm().index(),
    ({ growth }) => (growth ? REFRESH_MS : null),
  );
}

/** What keys do outside of fields. */
export function useShortcuts(
  actions: Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const action = actions[event.key];
      const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test((event.target as Element).tagName);
      if (action === undefined || event.ctrlKey || event.metaKey || isTyping) return;
      action(event);
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, inputs);
}

const PAUSE_MS = 150;
const MOST_FOUND = 12;

/** The farm's domains and their endpoints: a tree to open, and a search over all of them, which `/` focuses. */
export function Jump({ db, endpoint }: JumpProps) {
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState('');
  const index = useFarmIndex();
  useEffect(() => {
    const timer = window.setTimeout(() => setWords(typed.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const focusSearch = (event: KeyboardEvent) => {
    event.preventDefault();
    document.getElementById('jump')?.focus();
  };
  useShortcuts({ '/': focusSearch }, []);
  const { value: found = [] } = useAnswer(`jump ${words}`, async () =>
    words === '' ? [] : farm().findEndpoints(words, MOST_FOUND),
  );
  const hasSearch = index.value?.links.tasks !== undefined;
  const wanted = typed.toLowerCase().trim();
  const domains = (index.value?.domains ?? []).filter(({ title, db: name }) =>
    `${title} ${name}`.toLowerCase().includes(wanted),
  );
  return (
    <search
      class="jump"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setTyped('');
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event);
      }}
    >
      <label for="jump" class="hidden">
        Jump to a domain or an endpoint
      </label>
      <input
        id="jump"
        type="search"
        placeholder="Jump to …   /"
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {wanted !== '' && hasSearch && (
        <nav aria-label="Endpoints found">
          <p class="group">Endpoints</p>
          {found.map((each) => (
            <a href={linkTo(['endpoint', each.db, each.name])} title={each.summary}>
              <Prose text={each.summary} />
              <span class="note"> {each.db}</span>
            </a>
          ))}
          {found.length === 0 && <p class="note">None.</p>}
        </nav>
      )}
      <nav aria-label="Domains">
        <p class="group">
          Domains <span class="count">{domains.length}</span>
        </p>
        {domains.map((domain) => (
          <>
            <a
              href={linkTo(['domain', domain.db])}
              aria-current={domain.db === db ? (endpoint === '' ? 'page' : 'true') : undefined}
            >
              <span class="one-line">{domain.title}</span>
              <span class="count">{domain.endpoints}</span>
            </a>
            {domain.db === db && wanted === '' && <DomainTree key={db} db={db} endpoint={endpoint} />}
          </>
        ))}
        {domains.length === 0 && index.value && <p class="note">No domain is called that.</p>}
      </nav>
    </search>
  );
}

/** The arrow keys move through the links, starting at the search field. */
function moveFocus(event: KeyboardEvent): void {
  const frame = event.currentTarget as HTMLElement;
  const stops = [...frame.querySelectorAll<HTMLElement>('#jump, a, summary')].filter(
    (each) => each.offsetParent !== null,
  );
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

function DomainTree({ db, endpoint }: JumpProps) {
  const { value: catalog } = useAnswer(`catalog ${db}`, () => catalogOf(db));
  const groups = useMemo(() => (catalog ? [...byTable(catalog)] : []), [catalog]);
  if (!catalog) return null;
  return (
    <div class="branch">
      {groups.map(([table, members]) => (
        <Group
          key={table}
          db={db}
          table={table}
          members={members}
          endpoint={members.some(({ name }) => name === endpoint) ? endpoint : ''}
        />
      ))}
    </div>
  );
}

interface GroupProps extends JumpProps {
  readonly table: string;
  readonly members: readonly ServedEndpoint[];
}

function Group({ db, table, members, endpoint }: GroupProps) {
  const [isOpen, setOpen] = useState(endpoint !== '');
  useEffect(() => {
    if (endpoint !== '') setOpen(true);
  }, [endpoint]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="one-line">{table}</span>
        <span class="count">{members.length}</span>
      </summary>
      {isOpen &&
        members.map(({ name, summary }) => (
          <a
            href={linkTo(['endpoint', db, name])}
            title={summary}
            aria-current={name === endpoint ? 'page' : undefined}
          >
            <Prose text={summary} />
          </a>
        ))}
    </details>
  );
}

/** The tables that an endpoint reads according to its description, in the order of its summary. */
export function tablesOf(
  { description, summary }: ServedEndpoint,
  tables: readonly CatalogTable[],
): string[] {
  const source = /Source: ([\s\S]*)$/.exec(description)?.[1] ?? '';
  const names = new Set(source.replace(/\.\s*$/, '').split(', '));
  const text = summary.toLowerCase();
  const place = (name: string) => {
    const stem = name
      .toLowerCase()
      .replaceAll('_', ' ')
      .replace(/(e?s|y|e)$/, '');
    const at = text.indexOf(stem);
    return at < 0 ? text.length : at;
  };
  return tables
    .map(({ name }) => name)
    .filter((name) => names.has(name))
    .sort((a, b) => place(a) - place(b));
}

/** Endpoints by the table that they are about. */
function byTable({ tables, endpoints }: ServedCatalog): ReadonlyMap<string, readonly ServedEndpoint[]> {
  const groups = new Map(tables.map(({ name }) => [name, [] as ServedEndpoint[]]));
  const others: ServedEndpoint[] = [];
  for (const endpoint of endpoints)
    (groups.get(tablesOf(endpoint, tables)[0] ?? '') ?? others).push(endpoint);
  return new Map([...groups, ['others', others] as const].filter(([, members]) => members.length > 0));
}
