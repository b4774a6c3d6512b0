import { useState } from 'preact/hooks';
import type { Cell, ServedCatalog } from '../../client/index.ts';
import { catalogOf, exactJson, farm } from '../farm.ts';
import { Answer, Button, Header, Problem, useAnswer, useTitle } from '../parts/answer.tsx';
import { TableTabs } from '../parts/choice.tsx';
import { Scrolled } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';

type Values = Readonly<Record<string, Cell>>;

/** A table whose rows are records, as its API describes it. */
interface Resource {
  readonly name: string;
  /** The columns that name a record. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Columns of numbers. */
  readonly numbers: ReadonlySet<string>;
}

interface Described {
  readonly catalog: ServedCatalog;
  readonly resources: readonly Resource[];
}

interface RecordsDocument {
  readonly tags: readonly { readonly name: string; readonly 'x-key': readonly string[] }[];
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties: Readonly<Record<string, { readonly type: readonly string[] }>> }>
    >;
  };
}

interface RecordsViewProps {
  readonly run: string;
  readonly db: string;
  /** null: the first. */
  readonly table: string | null;
}

/** The records of a domain as a run sees them, to be created, changed and deleted. */
export function RecordsView({ run, db, table }: RecordsViewProps) {
  useTitle(`Records of ${db}`);
  const described = useAnswer(`records ${db}`, async (): Promise<Described> => {
    const catalog = await catalogOf(db);
    const { tags, components } = await farm().get<RecordsDocument>(
      `/openapi/${encodeURIComponent(db)}.records.json`,
    );
    const resources = tags.map(({ name, 'x-key': key }): Resource => {
      const columns = Object.entries(components.schemas[`${name}_record`]?.properties ?? {});
      const numbers = columns.filter(([, { type }]) => type.includes('integer') || type.includes('number'));
      return {
        name,
        key,
        columns: columns.map(([column]) => column),
        numbers: new Set(numbers.map(([column]) => column)),
      };
    });
    return { catalog, resources };
  });
  return (
    <Answer title="Records" asked={described}>
      {({ catalog: { split, title }, resources }) => {
        const shown = resources.find(({ name }) => name === table) ?? resources[0];
        return (
          <>
            <Header
              title={`Records of ${title}`}
              path={[[title, linkTo(['domain', db])]]}
              about="They change within this run only."
              actions={
                <a class="button" href={linkTo(['runs', run])}>
                  What it has changed so far
                </a>
              }
            />
            <TableTabs
              tables={resources}
              shown={shown}
              linkTo={(table) => linkTo(['records', run], { db, table })}
            />
            {shown && (
              <Records
                key={shown.name}
                base={`/runs/${[run, 'v1', split, db, 'records', shown.name].map(encodeURIComponent).join('/')}`}
                resource={shown}
              />
            )}
          </>
        );
      }}
    </Answer>
  );
}

interface Page {
  readonly data: readonly Values[];
  readonly next_cursor: string | null;
}

interface RecordsProps {
  readonly base: string;
  readonly resource: Resource;
}

function Records({ base, resource }: RecordsProps) {
  const [version, setVersion] = useState(0);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [edited, setEdited] = useState<Values | 'new' | null>(null);
  const { name: title, columns } = resource;
  const cursor = cursors.at(-1);
  const page = useAnswer(`${base} ${cursor} ${version}`, () =>
    exactJson<Page>(`${base}?limit=20${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`),
  );
  return (
    <>
      <p>
        <Button onClick={() => setEdited('new')}>New record</Button>
      </p>
      {edited !== null && (
        <RecordForm
          key={edited === 'new' ? 'new' : keyText(resource, edited)}
          base={base}
          resource={resource}
          record={edited === 'new' ? null : edited}
          onDone={() => {
            setEdited(null);
            setVersion(version + 1);
          }}
          onCancel={() => setEdited(null)}
        />
      )}
      <Answer asked={page}>
        {({ data, next_cursor }) => (
          <>
            <Scrolled label={`Records of ${title}`}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">
                      <span class="hidden">Edit</span>
                    </th>
                    {columns.map((name) => (
                      <th scope="col">{name}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {data.map((row) => (
                    <tr>
                      <td>
                        <Button aria-label={`Edit ${keyText(resource, row)}`} onClick={() => setEdited(row)}>
                          Edit
                        </Button>
                      </td>
                      {columns.map((name) => (
                        <td class={row[name] === null ? 'null' : undefined}>{String(row[name] ?? null)}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrolled>
            <div class="pages">
              <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                Back
              </Button>
              <Button
                disabled={next_cursor === null}
                onClick={() => setCursors([...cursors, next_cursor ?? ''])}
              >
                Next
              </Button>
            </div>
          </>
        )}
      </Answer>
    </>
  );
}

/** A record's key as in its address. */
function keyText({ key }: Resource, row: Values): string {
  const values = key.map((name) => String(row[name] ?? null));
  return values.length === 1
    ? values.join()
    : values.map((value) => value.replace(/[%,]/g, encodeURIComponent)).join(',');
}

interface RecordFormProps extends RecordsProps {
  /** null: a new one. */
  readonly record: Values | null;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** A field for each column; an empty one is NULL, or left to the server in a new record. */
function RecordForm({ base, resource, record, onDone, onCancel }: RecordFormProps) {
  const [error, setError] = useState<Error>();
  const address = record === null ? base : `${base}/${encodeURIComponent(keyText(resource, record))}`;
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', values?: Values) => {
    try {
      const answer = await farm().send(address, {
        method,
        ...(values ? { body: JSON.stringify(values) } : {}),
      });
      if (!answer.ok) throw await problemOf(answer);
      onDone();
    } catch (cause) {
      setError(cause as Error);
    }
  };
  const save = (form: FormData) => {
    const values: Record<string, Cell> = {};
    for (const name of resource.columns) {
      const text = String(form.get(name) ?? '');
      if (text === textOf(record?.[name])) continue;
      values[name] = text === '' ? null : typed(text, resource.numbers.has(name));
    }
    void send(record === null ? 'POST' : 'PATCH', values);
  };
  return (
    <form
      class="filters"
      aria-label={record === null ? 'New record' : `Record ${keyText(resource, record)}`}
      onSubmit={(event) => {
        event.preventDefault();
        save(new FormData(event.currentTarget));
      }}
    >
      {resource.columns.map((name) => (
        <label>
          {name}
          <input name={name} defaultValue={textOf(record?.[name])} autocomplete="off" />
        </label>
      ))}
      <button type="submit">Save</button>
      {record !== null && <Button onClick={() => void send('DELETE')}>Delete</Button>}
      <Button onClick={onCancel}>Cancel</Button>
      {error && <Problem error={error} />}
    </form>
  );
}

async function problemOf(answer: Response): Promise<Error> {
  const text = await answer.text();
  try {
    return new Error((JSON.parse(text) as { readonly detail: string }).detail);
  } catch {
    return new Error(text || String(answer.status));
  }
}

function textOf(value: Cell | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

function typed(text: string, isNumber: boolean): Cell {
  const number = Number(text);
  return !isNumber || text.trim() === '' || !Number.isFinite(number) ? text : number;
}
