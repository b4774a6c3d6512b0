import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { CatalogTable, Cell, RookeryError, ServedEndpoint, ToolAnswer } from '../../client/index.ts';
import { callTool, farm, indented, openTable, parseToShow, readKeys } from '../farm.ts';
import { Button, Empty, Problem, Prose } from '../parts/answer.tsx';
import { Suggestions } from '../parts/choice.tsx';
import { RowsTable, Scrolled } from '../parts/tables.tsx';
import { rowsText } from '../wording.ts';

/** What a form calls: an endpoint of a catalog, or an operation of an OpenAPI document. */
export interface Callable {
  /** Absent: GET. */
  readonly method?: string;
  readonly path: string;
  readonly parameters: readonly CallableParameter[];
  /** JSON to begin with, of a call that sends some. */
  readonly body?: string | undefined;
  /** Of the rows that come back, if they are known. */
  readonly columns?: readonly { readonly name: string }[];
}

export interface CallableParameter {
  readonly name: string;
  readonly type: string;
  readonly array: boolean;
  readonly description: string;
  /** Absent: in the query string. */
  readonly in?: 'path' | 'query' | 'header' | undefined;
  readonly required: boolean;
}

/** Argument names in the console's own URLs, where parameter names cannot collide with others. */
export type GivenArguments = Pick<URLSearchParams, 'getAll'>;

export interface TypedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly given: URLSearchParams;
}

/** The call with these arguments; its path has placeholders for missing ones. */
function callOf(
  { method = 'GET', path, parameters }: Callable,
  given: URLSearchParams,
  body?: string,
): TypedCall {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let filled = path;
  for (const { name, in: place } of parameters) {
    const values = given.getAll(name);
    const [value] = values;
    if (place === 'path') {
      if (value) filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    } else if (place === 'header') {
      if (value) headers[name] = value;
    } else for (const value of values) query.append(name, value);
  }
  return { method, path: query.size > 0 ? `${filled}?${query}` : filled, headers, body, given };
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

/** Arguments for a form to begin with. */
export interface Filled {
  readonly given: URLSearchParams;
  readonly body?: string | undefined;
}

interface TryItProps {
  readonly target: Callable;
  readonly first: Filled;
  /** Whether it is called before anything is typed, if every parameter has an example; for calls that only read. */
  readonly atOnce?: boolean;
  /** By parameter: suggested values; others can be typed. */
  readonly pickers?: ReadonlyMap<string, readonly string[]>;
  /** Loads more values when a field gets the focus. */
  readonly valuesOf?: (parameter: string) => Promise<readonly string[]>;
  /** For the harness: the arguments of a gold call; undefined if no gold calls it. */
  readonly goldCall?: (() => Promise<Filled | undefined>) | undefined;
  readonly onCall?: (given: URLSearchParams) => void;
  /** The call in programs, for the arguments as typed. */
  readonly program: (typed: TypedCall) => ComponentChildren;
  /** Below the answer. */
  readonly children: ComponentChildren;
}

interface Got {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** A form to call something, its response beside it as a table and raw. */
export function TryIt({
  target,
  first,
  atOnce = false,
  pickers = new Map(),
  valuesOf = async () => [],
  goldCall,
  onCall,
  program,
  children,
}: TryItProps) {
  const { method = 'GET', path, parameters } = target;
  const [start, setStart] = useState(first);
  const [typed, setTyped] = useState(() => callOf(target, start.given, start.body));
  const [got, setGot] = useState<Got | Error | null>(null);
  const call = async ({ method, path, headers, body }: TypedCall) => {
    const began = performance.now();
    try {
      const init = body === undefined ? { method, headers } : { method, headers, body };
      const answer = await farm().send(path, init);
      const text = await answer.text();
      setGot({ status: answer.status, ms: performance.now() - began, text });
    } catch (cause) {
      setGot(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };
  useEffect(() => {
    if (atOnce && parameters.every(({ name }) => start.given.has(name))) void call(typed);
  }, []);
  const fill = async () => {
    try {
      const gold = await goldCall?.();
      if (!gold) throw new Error('There is no gold call to fill in.');
      const filled = { ...gold, body: target.body && gold.body };
      setStart(filled);
      setTyped(callOf(target, filled.given, filled.body));
    } catch (cause) {
      setGot(cause as Error);
    }
  };
  const faults = faultsOf(got);
  return (
    <div class="split">
      <div>
        <h2>Call</h2>
        <p>
          <code>
            {method} {path}
          </code>
        </p>
        <form
          onInput={({ currentTarget }) => setTyped(readForm(currentTarget, target))}
          onSubmit={(event) => {
            event.preventDefault();
            const made = readForm(event.currentTarget, target);
            onCall?.(made.given);
            void call(made);
          }}
        >
          {start.body !== undefined && <BodyField key={start.body} text={start.body} />}
          {parameters.map((parameter) => (
            <Field
              key={`${parameter.name} ${start.given}`}
              parameter={parameter}
              values={start.given.getAll(parameter.name)}
              examples={pickers.get(parameter.name) ?? []}
              valuesOf={valuesOf}
              fault={faults.get(parameter.name)}
            />
          ))}
          {parameters.length === 0 && start.body === undefined && <p class="note">No parameters.</p>}
          <div class="actions">
            <button type="submit" class="main">
              Call
            </button>
            {goldCall && readKeys().harnessKey !== '' && <Button onClick={fill}>Fill in a gold call</Button>}
          </div>
        </form>
        <h2>From a program</h2>
        {program(typed)}
      </div>
      <div class="stuck" aria-live="polite">
        <h2>Answer</h2>
        {got === null && <Empty>Fill in the parameters and send the call. The response appears here.</Empty>}
        {got instanceof Error && <Problem error={got} />}
        {got !== null && !(got instanceof Error) && <Shown got={got} columns={target.columns} />}
        {children}
      </div>
    </div>
  );
}

/** The name of the field for the body, which is no name of a parameter. */
const BODY = ' body';

function BodyField({ text }: { readonly text: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        Body <span class="note">JSON</span>
      </label>
      <textarea id={id} name={BODY} rows={Math.min(16, text.split('\n').length + 1)} defaultValue={text} />
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
  readonly parameter: CallableParameter;
  readonly values: readonly string[];
  readonly examples: readonly string[];
  readonly valuesOf: NonNullable<TryItProps['valuesOf']>;
  /** What the server found wrong with it. */
  readonly fault: string | undefined;
}

function Field({ parameter, values, examples, valuesOf, fault }: FieldProps) {
  const { name, type, array, description, required } = parameter;
  const [known, setKnown] = useState<readonly string[] | null>(null);
  const choices = known ?? examples;
  const look = () => {
    if (known === null) void valuesOf(name).then((all) => all.length > 0 && setKnown(all));
  };
  const id = useId();
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
          {!required && ', optional'}
        </span>
      </label>
      {array ? (
        <textarea {...shared} rows={3} defaultValue={values.join('\n')} />
      ) : (
        <>
          <input
            {...shared}
            list={`${id}-values`}
            inputMode={/^(integer|number)$/.test(type) ? 'decimal' : 'text'}
            defaultValue={values[0] ?? ''}
            onFocus={look}
            autocomplete="off"
          />
          <Suggestions id={`${id}-values`} values={choices} />
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

/** The call as typed: a list has one value per line, and an optional parameter without text is omitted. */
function readForm(form: HTMLFormElement, target: Callable): TypedCall {
  const values = new URLSearchParams();
  const typed = new FormData(form);
  for (const { name, array, required } of target.parameters) {
    const text = String(typed.get(name) ?? '');
    // Browsers end the lines of a text area with CRLF.
    const given = array ? text.split(/\r?\n/).filter((line) => line !== '') : [text];
    for (const value of given) if (required || value !== '') values.append(name, value);
  }
  return callOf(target, values, typed.has(BODY) ? String(typed.get(BODY)) : undefined);
}

interface ShownProps {
  readonly got: Got;
  readonly columns: Callable['columns'];
}

function Shown({ got: { status, ms, text }, columns }: ShownProps) {
  const body = parseToShow(text);
  const rows = rowsOf(body);
  const { detail } = (body ?? {}) as Partial<ApiProblem>;
  return (
    <>
      <p class={status < 300 ? 'note' : 'problem'}>
        {status} in {ms.toFixed(0)} ms
        {rows && `, ${rowsText(rows.length)}`}
        {rows && rows.length > MOST_SHOWN && `, the first ${MOST_SHOWN} of them shown`}
        {!rows && detail !== undefined && `: ${detail}`}
      </p>
      {rows && (
        <RowsTable
          label="Answer"
          columns={columns?.map(({ name }) => name) ?? Object.keys(rows[0] ?? {})}
          rows={rows.slice(0, MOST_SHOWN)}
        />
      )}
      <details open={!rows || text.length < SHORT_TEXT}>
        <summary>JSON</summary>
        <Scrolled label="JSON">
          <pre>{text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : indented(text)}</pre>
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
