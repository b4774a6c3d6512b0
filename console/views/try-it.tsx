import { useState } from 'preact/hooks';
import type { CatalogTable, Cell, ServedEndpoint, ToolAnswer } from '../../client/index.ts';
import { callTool, farm, parseToShow } from '../farm.ts';
import { Problem } from '../parts/answer.tsx';
import { RowsTable, Scrolled } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';

/** Argument names in the console's own URLs, where parameter names cannot collide with others. */
export type GivenArguments = Pick<URLSearchParams, 'getAll'>;

/** The URL of a call with these arguments; a path with placeholders for missing ones. */
export function pathOfCall({ path, parameters }: ServedEndpoint, given: GivenArguments): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const values = given.getAll(name);
    if (place === 'path') {
      const [value] = values;
      if (value !== undefined) filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    } else for (const value of values) query.append(name, value);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Arguments in the form of a tool call: numbers as numbers, lists as lists. Integers beyond 2^53 stay text. */
export function argumentsOf({ parameters }: ServedEndpoint, given: GivenArguments): Record<string, unknown> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type, array }) => {
      const values = given.getAll(name).map((text) => typed(text, type));
      if (values.length === 0) return [];
      return [[name, array ? values : values[0]]];
    }),
  );
}

function typed(text: string, type: ServedEndpoint['parameters'][number]['type']): string | number {
  if (type === 'string' || text.trim() === '') return text;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : text;
}

interface ColumnWanted {
  readonly split: string;
  readonly db: string;
  readonly table: CatalogTable;
  readonly column: string;
}

/** Maximum number of values that a browser can list well. */
const MOST_VALUES = 200;

/** Distinct values of a column via the general tools; empty if unavailable. Never rejects. */
export async function columnValues({ split, db, table, column }: ColumnWanted): Promise<readonly Cell[]> {
  const base = `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}/slot`;
  try {
    const start = await callTool<Extract<ToolAnswer, { kind: 'table' }>>(
      `${base}/initialize_active_data?preview=0`,
      {
        condition_sequence: [],
        alias_to_table_dict: {
          T1: { original_table_name: table.name, modified_table_name: table.name },
        },
      },
    );
    // Start tables rename columns but keep their order.
    const key = start.columns[table.columns.findIndex(({ name }) => name === column)];
    const answer = await callTool<ToolAnswer>(`${base}/retrieve_data?limit=${MOST_VALUES}`, {
      data_source: start.handle,
      key_name: key,
      distinct: true,
      limit: MOST_VALUES,
    });
    return answer.kind === 'column' ? answer.values.filter((value) => value !== null) : [];
  } catch {
    return [];
  }
}

interface TryItProps {
  readonly endpoint: ServedEndpoint;
  readonly given: URLSearchParams;
  /** By parameter: suggested values; others can be typed. */
  readonly pickers: ReadonlyMap<string, readonly string[]>;
  /** Loads more values when a field gets the focus. */
  readonly valuesOf: (parameter: string) => Promise<readonly string[]>;
}

interface Got {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** A form to call an endpoint, with its response as a table and raw. The arguments are kept in the URL. */
export function TryIt({ endpoint, given, pickers, valuesOf }: TryItProps) {
  const [got, setGot] = useState<Got | Error | null>(null);
  const { path, name, parameters } = endpoint;
  const [, , db = ''] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const call = async (form: HTMLFormElement) => {
    const values = readForm(form, parameters);
    const query = values.toString();
    go(`${linkTo(['endpoint', db, name])}${query === '' ? '' : `?${query}`}`, { replace: true });
    const began = performance.now();
    try {
      const answer = await farm().send(pathOfCall(endpoint, values));
      const text = await answer.text();
      setGot({ status: answer.status, ms: performance.now() - began, text });
    } catch (cause) {
      setGot(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
  return (
    <>
      <h2>Try it</h2>
      <form
        class="try"
        onSubmit={(event) => {
          event.preventDefault();
          void call(event.currentTarget);
        }}
      >
        {parameters.map((parameter) => (
          <Field
            parameter={parameter}
            values={given.getAll(parameter.name)}
            examples={pickers.get(parameter.name) ?? []}
            valuesOf={valuesOf}
          />
        ))}
        <button type="submit">Call</button>
      </form>
      <div aria-live="polite">
        {got instanceof Error && <Problem error={got} />}
        {got !== null && !(got instanceof Error) && <Shown got={got} endpoint={endpoint} />}
      </div>
    </>
  );
}

interface FieldProps {
  readonly parameter: ServedEndpoint['parameters'][number];
  readonly values: readonly string[];
  readonly examples: readonly string[];
  readonly valuesOf: TryItProps['valuesOf'];
}

function Field({ parameter, values, examples, valuesOf }: FieldProps) {
  const { name, type, array, description } = parameter;
  const [known, setKnown] = useState<readonly string[] | null>(null);
  const choices = known ?? examples;
  const look = () => {
    if (known === null) void valuesOf(name).then((all) => all.length > 0 && setKnown(all));
  };
  const id = `parameter-${name}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>{' '}
        <span class="note">
          {type}
          {array && ', one on each line'}
        </span>
      </label>
      {array ? (
        <textarea
          id={id}
          name={name}
          rows={3}
          defaultValue={values.join('\n')}
          aria-describedby={`${id}-about`}
        />
      ) : (
        <input
          id={id}
          name={name}
          list={`${id}-values`}
          inputMode={type === 'string' ? 'text' : 'decimal'}
          defaultValue={values[0] ?? ''}
          onFocus={look}
          autocomplete="off"
          aria-describedby={`${id}-about`}
        />
      )}
      {!array && (
        <datalist id={`${id}-values`}>
          {choices.map((value) => (
            <option value={value} />
          ))}
        </datalist>
      )}
      <p class="note" id={`${id}-about`}>
        {description}
        {examples.length > 0 && ` For example ${examples.slice(0, 3).join(', ')}.`}
      </p>
    </div>
  );
}

/** The arguments typed; a list has one per line. */
function readForm(form: HTMLFormElement, parameters: ServedEndpoint['parameters']): URLSearchParams {
  const values = new URLSearchParams();
  const typed = new FormData(form);
  for (const { name, array } of parameters) {
    const text = String(typed.get(name) ?? '');
    // Browsers end the lines of a text area with CRLF.
    const given = array ? text.split(/\r?\n/).filter((line) => line !== '') : [text];
    for (const value of given) values.append(name, value);
  }
  return values;
}

function Shown({ got: { status, ms, text }, endpoint }: { got: Got; endpoint: ServedEndpoint }) {
  const body = parseToShow(text);
  const rows = rowsOf(body);
  return (
    <>
      <p class={status === 200 ? 'note' : 'problem'}>
        {status} in {ms.toFixed(0)} ms
        {rows && `, ${rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`}`}
        {rows && rows.length > MOST_SHOWN && `, the first ${MOST_SHOWN} of them shown`}
      </p>
      {rows && (
        <RowsTable
          label="Answer"
          columns={endpoint.columns.map((column) => column.name)}
          rows={rows.slice(0, MOST_SHOWN)}
        />
      )}
      <details open={!rows}>
        <summary>JSON</summary>
        <Scrolled label="JSON">
          <pre>{text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : text}</pre>
        </Scrolled>
      </details>
    </>
  );
}

/** Number of rows that a page renders without delay. */
const MOST_SHOWN = 500;
const MOST_TEXT = 20_000;

function rowsOf(body: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const { data } = (body ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) ? data : undefined;
}
