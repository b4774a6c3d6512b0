import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CatalogTable, Cell, RookeryError, ServedEndpoint, ToolAnswer } from '../../client/index.ts';
import { callTool, farm, openTable, parseToShow } from '../farm.ts';
import { Empty, Problem, Prose } from '../parts/answer.tsx';
import { RowsTable, Scrolled } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { rowsText } from '../wording.ts';

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
  try {
    const { base, handle, columns } = await openTable(split, db, table.name);
    // Start tables rename columns but keep their order.
    const key = columns[table.columns.findIndex(({ name }) => name === column)];
    const answer = await callTool<ToolAnswer>(`${base}/retrieve_data?limit=${MOST_VALUES}`, {
      data_source: handle,
      key_name: key,
      distinct: true,
      limit: MOST_VALUES,
    });
    return answer.kind === 'column' ? answer.values.filter((value) => value !== null) : [];
  } catch {
    return [];
  }
}

type ApiProblem = NonNullable<RookeryError['problem']>;

interface TryItProps {
  readonly endpoint: ServedEndpoint;
  readonly given: URLSearchParams;
  /** By parameter: suggested values; others can be typed. */
  readonly pickers: ReadonlyMap<string, readonly string[]>;
  /** Loads more values when a field gets the focus. */
  readonly valuesOf: (parameter: string) => Promise<readonly string[]>;
  /** The call in programs, for the arguments as typed. */
  readonly program: (typed: URLSearchParams) => ComponentChildren;
  /** Below the answer. */
  readonly children: ComponentChildren;
}

interface Got {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** The arguments in the URL, else an example for each parameter. */
function argumentsAtFirst(
  { parameters }: ServedEndpoint,
  given: URLSearchParams,
  pickers: TryItProps['pickers'],
): URLSearchParams {
  if (given.size > 0) return new URLSearchParams([...given]);
  return new URLSearchParams(
    parameters.flatMap(({ name }) => (pickers.get(name) ?? []).slice(0, 1).map((value) => [name, value])),
  );
}

/** A form to call an endpoint, its response beside it as a table and raw. The arguments are kept in the URL. */
export function TryIt({ endpoint, given, pickers, valuesOf, program, children }: TryItProps) {
  const first = useMemo(() => argumentsAtFirst(endpoint, given, pickers), [endpoint]);
  const [typed, setTyped] = useState(first);
  const [got, setGot] = useState<Got | Error | null>(null);
  const { path, name, parameters } = endpoint;
  const [, , db = ''] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const call = async (values: URLSearchParams) => {
    const began = performance.now();
    try {
      const answer = await farm().send(pathOfCall(endpoint, values));
      const text = await answer.text();
      setGot({ status: answer.status, ms: performance.now() - began, text });
    } catch (cause) {
      setGot(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
  // Reading is safe, so that an endpoint shows what it answers before anything is typed.
  useEffect(() => {
    if (parameters.every((parameter) => first.has(parameter.name))) void call(first);
  }, [first]);
  const faults = faultsOf(got);
  return (
    <div class="split">
      <div>
        <h2>Call</h2>
        <p>
          <code>GET {path}</code>
        </p>
        <form
          onInput={({ currentTarget }) => setTyped(readForm(currentTarget, parameters))}
          onSubmit={(event) => {
            event.preventDefault();
            const values = readForm(event.currentTarget, parameters);
            const query = values.toString();
            go(`${linkTo(['endpoint', db, name])}${query === '' ? '' : `?${query}`}`, { replace: true });
            void call(values);
          }}
        >
          {parameters.map((parameter) => (
            <Field
              parameter={parameter}
              values={first.getAll(parameter.name)}
              examples={pickers.get(parameter.name) ?? []}
              valuesOf={valuesOf}
              fault={faults.get(parameter.name)}
            />
          ))}
          {parameters.length === 0 && <p class="note">It has no parameters.</p>}
          <button type="submit" class="main">
            Call
          </button>
        </form>
        <h2>From a program</h2>
        {program(typed)}
      </div>
      <div class="stuck" aria-live="polite">
        <h2>Answer</h2>
        {got === null && <Empty>Fill in the parameters and call it: the rows come here.</Empty>}
        {got instanceof Error && <Problem error={got} />}
        {got !== null && !(got instanceof Error) && <Shown got={got} endpoint={endpoint} />}
        {children}
      </div>
    </div>
  );
}

/** What is wrong with each field, by the problem that came back. */
function faultsOf(got: Got | Error | null): ReadonlyMap<string, string> {
  if (got === null || got instanceof Error || got.status < 400) return new Map();
  const { errors } = (parseToShow(got.text) ?? {}) as Partial<ApiProblem>;
  return new Map(
    (errors ?? []).map(({ field, message, suggestions = [] }) => [
      field.split('/').at(-1) ?? '',
      `${message}${suggestions.length > 0 ? `; perhaps ${suggestions.join(' or ')}` : ''}`,
    ]),
  );
}

interface FieldProps {
  readonly parameter: ServedEndpoint['parameters'][number];
  readonly values: readonly string[];
  readonly examples: readonly string[];
  readonly valuesOf: TryItProps['valuesOf'];
  /** What the server found wrong with it. */
  readonly fault: string | undefined;
}

function Field({ parameter, values, examples, valuesOf, fault }: FieldProps) {
  const { name, type, array, description } = parameter;
  const [known, setKnown] = useState<readonly string[] | null>(null);
  const choices = known ?? examples;
  const look = () => {
    if (known === null) void valuesOf(name).then((all) => all.length > 0 && setKnown(all));
  };
  const id = `parameter-${name}`;
  const shared = {
    id,
    name,
    'aria-describedby': `${id}-about`,
    'aria-invalid': fault !== undefined,
  };
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
        <textarea {...shared} rows={3} defaultValue={values.join('\n')} />
      ) : (
        <>
          <input
            {...shared}
            list={`${id}-values`}
            inputMode={type === 'string' ? 'text' : 'decimal'}
            defaultValue={values[0] ?? ''}
            onFocus={look}
            autocomplete="off"
          />
          <datalist id={`${id}-values`}>
            {choices.map((value) => (
              <option value={value} />
            ))}
          </datalist>
        </>
      )}
      <div id={`${id}-about`}>
        {fault !== undefined && <p class="problem">{fault}</p>}
        <p class="note">
          <Prose text={description} />
          {examples.length > 1 && ` For example ${examples.slice(0, 3).join(', ')}.`}
        </p>
      </div>
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
  const { detail } = (body ?? {}) as Partial<ApiProblem>;
  return (
    <>
      <p class={status === 200 ? 'note' : 'problem'}>
        {status} in {ms.toFixed(0)} ms
        {rows && `, ${rowsText(rows.length)}`}
        {rows && rows.length > MOST_SHOWN && `, the first ${MOST_SHOWN} of them shown`}
        {!rows && detail !== undefined && `: ${detail}`}
      </p>
      {rows && (
        <RowsTable
          label="Answer"
          columns={endpoint.columns.map((column) => column.name)}
          rows={rows.slice(0, MOST_SHOWN)}
        />
      )}
      <details open={!rows || text.length < SHORT_TEXT}>
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
/** A text that is shown without being asked for. */
const SHORT_TEXT = 2_000;

function rowsOf(body: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const { data } = (body ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) ? data : undefined;
}
