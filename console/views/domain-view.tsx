import { useMemo, useState } from 'preact/hooks';
import type { ServedCatalog } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { Answer } from '../parts/answer.tsx';
import { SchemaDiagram } from '../parts/schema-diagram.tsx';
import { TablePanel } from '../parts/table-panel.tsx';
import { useTitle } from '../parts/use-title.ts';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import { linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

interface DomainViewProps {
  readonly db: string;
  /** The table whose columns and rows are shown; null: the first. */
  readonly table: string | null;
}

/** A domain: its schema as a diagram, its tables with their rows, and its endpoints. */
export function DomainView({ db, table }: DomainViewProps) {
  useTitle(db);
  const catalog = useAnswer(`catalog ${db}`, () => farm().catalog(db));
  return (
    <Answer title={db} asked={catalog}>
      {(known) => <Domain catalog={known} table={table} />}
    </Answer>
  );
}

function Domain({ catalog, table }: { readonly catalog: ServedCatalog; readonly table: string | null }) {
  const { split, db, title, data_licence, reference_time, tables, endpoints } = catalog;
  const shown = tables.find(({ name }) => name === table) ?? tables[0];
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">
        <code>
          {split}/{db}
        </code>{' '}
        · data licence: {data_licence ?? 'not stated'} · “now” is {reference_time} ·{' '}
        <a href={`/docs/${encodeURIComponent(db)}`}>API reference</a> ·{' '}
        <a href={linkTo(['tasks'], { db })}>tasks</a>
      </p>
      <h2>Schema</h2>
      <SchemaDiagram tables={tables} />
      <h2>Tables</h2>
      <nav class="tabs" aria-label="Tables">
        {tables.map(({ name }) => (
          <a
            href={linkTo(['domain', db], { table: name })}
            aria-current={name === shown?.name ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {shown && <TablePanel key={shown.name} split={split} db={db} table={shown} />}
      <Endpoints db={db} endpoints={endpoints} />
    </>
  );
}

function Endpoints({ db, endpoints }: Pick<ServedCatalog, 'db' | 'endpoints'>) {
  const [words, setWords] = useState('');
  const texts = useMemo(
    () => endpoints.map(({ name, summary }) => `${name} ${summary}`.toLowerCase()),
    [endpoints],
  );
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = endpoints.filter((_, i) => wanted.every((word) => texts[i]?.includes(word)));
  return (
    <>
      <h2>Endpoints</h2>
      <label for="endpoint-filter">Only those that say</label>
      <input
        id="endpoint-filter"
        type="search"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <p class="note" role="status">
        {found.length} of {endpoints.length}
      </p>
      <VirtualRows
        label="Endpoints"
        width={2}
        items={found}
        head={
          <tr>
            <th scope="col">What it answers</th>
            <th scope="col">Name</th>
          </tr>
        }
        row={({ name, summary }) => (
          <>
            <td class="wide" title={summary}>
              <a href={linkTo(['endpoint', db, name])}>{summary}</a>
            </td>
            <td>
              <code>{name}</code>
            </td>
          </>
        )}
      />
    </>
  );
}
