import type { CatalogTable, ServedCatalog } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { Answer, Problem } from '../parts/answer.tsx';
import { columnValues } from '../parts/column-values.ts';
import { RowsTable } from '../parts/rows-table.tsx';
import { Snippets } from '../parts/snippets.tsx';
import { TryIt } from '../parts/try-it.tsx';
import { useTitle } from '../parts/use-title.ts';
import { linkTo } from '../route.ts';
import { useAnswer } from '../use-answer.ts';

interface EndpointViewProps {
  readonly db: string;
  readonly name: string;
  /** Arguments, as the address has them. */
  readonly given: URLSearchParams;
}

/** An endpoint: what it says, its parameters, and a form to ask it. */
export function EndpointView({ db, name, given }: EndpointViewProps) {
  useTitle(name);
  const catalog = useAnswer(`catalog ${db}`, () => farm().catalog(db));
  return (
    <Answer title={name} asked={catalog}>
      {(known) => <Endpoint catalog={known} name={name} given={given} />}
    </Answer>
  );
}

function Endpoint({
  catalog: { split, db, title, tables, endpoints },
  name,
  given,
}: Omit<EndpointViewProps, 'db'> & { readonly catalog: ServedCatalog }) {
  const endpoint = endpoints.find((each) => each.name === name);
  if (!endpoint)
    return (
      <>
        <h1>{name}</h1>
        <Problem error={new Error(`${db} has no endpoint ${name}`)} />
      </>
    );
  return (
    <>
      <p class="note">
        <a href={linkTo(['domain', db])}>{title}</a>
      </p>
      <h1>{endpoint.summary}</h1>
      <p class="lead">{endpoint.description}</p>
      <p>
        <code class="address">GET {endpoint.path}</code>
      </p>
      <TryIt
        endpoint={endpoint}
        given={given}
        pickers={pickersOf(endpoint, tables)}
        valuesOf={async (name) => {
          const column = endpoint.parameters.find((parameter) => parameter.name === name)?.column;
          const table = tables.find((each) => each.name === column?.table);
          if (!column || !table) return [];
          return (await columnValues({ split, db, table, column: column.column })).map(String);
        }}
      />
      <h2>Columns of the answer</h2>
      <RowsTable
        label="Columns of the answer"
        columns={['name', 'type', 'nullable', 'description']}
        rows={endpoint.columns.map((column) => ({ ...column, nullable: column.nullable ? 'yes' : 'no' }))}
      />
      <h2>From a program</h2>
      <Snippets db={db} endpoint={endpoint} given={given} />
    </>
  );
}

/** By parameter: what its column holds, where that is few texts, else an example. */
function pickersOf(
  { parameters }: ServedCatalog['endpoints'][number],
  tables: readonly CatalogTable[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    parameters.map(({ name, column, example }) => {
      const table = tables.find((each) => each.name === column?.table);
      const known = table?.columns.find((each) => each.name === column?.column);
      const { min, max } = known?.statistics ?? { min: null, max: null };
      const ends = [example, min, max].filter((value) => value !== null && value !== undefined);
      return [name, known?.values ?? [...new Set(ends.map(String))]] as const;
    }),
  );
}
