import { useMemo, useState } from 'preact/hooks';
import type {
  CatalogTable,
  ServedCatalog,
  ServedEndpoint,
  TaskPage,
  ToolFormats,
} from '../../client/index.ts';
import { catalogOf, farm, isGoldElsewhere, readKeys } from '../farm.ts';
import { Answer, Button, Empty, Header, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { tablesOf } from '../parts/jump.tsx';
import { RowsTable, Scrolled } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { goldCallOf } from './gold-call.ts';
import { Gold } from './task-view.tsx';
import { argumentsOf, columnValues, TryIt, type TypedCall } from './try-it.tsx';

interface EndpointViewProps {
  readonly db: string;
  readonly name: string;
  /** Arguments from the URL. */
  readonly given: URLSearchParams;
}

/** An endpoint: a call on the left, with examples filled in, and its answer on the right. */
export function EndpointView({ db, name, given }: EndpointViewProps) {
  useTitle(name);
  const catalog = useAnswer(`catalog ${db}`, () => catalogOf(db));
  return (
    <Answer title={name} asked={catalog}>
      {(known) => <Endpoint catalog={known} name={name} given={given} />}
    </Answer>
  );
}

function Endpoint({
  catalog,
  name,
  given,
}: Omit<EndpointViewProps, 'db'> & { readonly catalog: ServedCatalog }) {
  const { split, db, title, tables, endpoints } = catalog;
  const endpoint = endpoints.find((each) => each.name === name);
  const pickers = useMemo(() => (endpoint ? pickersOf(endpoint, tables) : new Map()), [endpoint]);
  const path = [
    ['Home', linkTo([])],
    [title, linkTo(['domain', db])],
  ] as const;
  if (!endpoint)
    return (
      <>
        <Header title={name} path={path} />
        <Empty next={['All of its endpoints', linkTo(['domain', db])]}>
          {title} has no endpoint <code>{name}</code>.
        </Empty>
      </>
    );
  return (
    <>
      <Header
        title={endpoint.summary}
        path={path}
        about={<Prose text={endpoint.description} />}
        actions={
          <a class="button" href={linkTo(['reference', db, 'rest'], { op: endpoint.operation_id })}>
            API reference
          </a>
        }
      />
      <TryIt
        key={endpoint.name}
        target={endpoint}
        first={{ given: given.size > 0 ? new URLSearchParams(given) : examplesOf(endpoint, pickers) }}
        atOnce
        pickers={pickers}
        valuesOf={async (name) => {
          const column = endpoint.parameters.find((parameter) => parameter.name === name)?.column;
          const table = tables.find((each) => each.name === column?.table);
          if (!column || !table) return [];
          return (await columnValues({ split, db, table, column: column.column })).map(String);
        }}
        goldCall={() => goldCallOf(db, 'rest', endpoint.operation_id)}
        onCall={(typed) =>
          go(`${linkTo(['endpoint', db, name])}${typed.size > 0 ? `?${typed}` : ''}`, { replace: true })
        }
        program={(typed) => <Snippets call={typed} more={toolSnippets(db, endpoint, typed)} />}
      >
        <h2>Columns of the answer</h2>
        <RowsTable
          label="Columns of the answer"
          columns={['name', 'type', 'nullable', 'description']}
          rows={endpoint.columns.map((column) => ({ ...column, nullable: column.nullable ? 'yes' : 'no' }))}
        />
        <p class="note">
          It reads{' '}
          {tablesOf(endpoint, tables).map((table, i) => (
            <>
              {i > 0 && ', '}
              <a href={linkTo(['domain', db], { table })}>{table}</a>
            </>
          ))}
          .
        </p>
        {readKeys().harnessKey !== '' && <Questions db={db} tool={endpoint.operation_id} />}
      </TryIt>
    </>
  );
}

/** For the harness: the questions whose gold calls the endpoint. */
function Questions({ db, tool }: { readonly db: string; readonly tool: string }) {
  const wanted = new URLSearchParams({ db, tool, formulation: 'rest', all: 'true' });
  const asked = useAnswer(`questions ${wanted}`, () => farm().get<TaskPage>(`/tasks?${wanted}`));
  if (isGoldElsewhere(asked.error) || asked.value?.total === 0) return null;
  return (
    <>
      <h2>Questions behind it</h2>
      <Answer asked={asked}>
        {({ tasks }) =>
          tasks.map(({ sample_id, question }) => (
            <>
              <p>
                <a href={linkTo(['task', ...sample_id.split('/')])}>{question}</a>
              </p>
              <Gold key={sample_id} sampleId={sample_id} />
            </>
          ))
        }
      </Answer>
    </>
  );
}

/**
 * By parameter: an example, and the values of its column if it has few texts. A parameter that is compared with an
 * expression takes its values from the column of its name.
 */
export function pickersOf(
  endpoint: ServedEndpoint,
  tables: readonly CatalogTable[],
): ReadonlyMap<string, readonly string[]> {
  const reads = tablesOf(endpoint, tables);
  return new Map(
    endpoint.parameters.map(({ name, column, example, description }) => {
      const among = tables.filter((each) =>
        column ? each.name === column.table : reads.includes(each.name),
      );
      const known = among
        .flatMap(({ columns }) => columns)
        .find((each) => each.name === (column?.column ?? name));
      const { min, max } = known?.statistics ?? { min: null, max: null };
      const ends = [example, min, max].filter((value) => value !== null && value !== undefined);
      const values = known?.values ?? [...new Set(ends.map(String))];
      return [name, /lower.case/i.test(description) ? values.map((value) => value.toLowerCase()) : values];
    }),
  );
}

/** The first value that is suggested for each parameter. */
export function examplesOf(
  { parameters }: ServedEndpoint,
  pickers: ReadonlyMap<string, readonly string[]>,
): URLSearchParams {
  return new URLSearchParams(
    parameters.flatMap(({ name }) => (pickers.get(name) ?? []).slice(0, 1).map((value) => [name, value])),
  );
}

type MadeSnippet = () => string | Promise<string>;

interface SnippetsProps {
  readonly call: TypedCall;
  /** Others than programs, by name. */
  readonly more?: Readonly<Record<string, MadeSnippet>>;
}

/** Code that makes the call as typed. */
export function Snippets({ call, more = {} }: SnippetsProps) {
  const kinds = [...Object.keys(SNIPPETS), ...Object.keys(more)];
  const [kind, setKind] = useState(kinds[0] ?? '');
  const [copied, setCopied] = useState(false);
  const text = useAnswer(`${kind} ${JSON.stringify(call)} ${call.given}`, async () =>
    more[kind] ? more[kind]() : (SNIPPETS[kind]?.(call, `${location.origin}${call.path}`) ?? ''),
  );
  return (
    <>
      <fieldset class="tabs">
        <legend class="hidden">Kind of program</legend>
        {kinds.map((each) => (
          <Button
            aria-pressed={each === kind}
            onClick={() => {
              setKind(each);
              setCopied(false);
            }}
          >
            {each}
          </Button>
        ))}
      </fieldset>
      <Answer asked={text}>
        {(shown) => (
          <>
            <Scrolled label="Snippet">
              <pre>{shown}</pre>
            </Scrolled>
            <Button
              onClick={async () => {
                await navigator.clipboard.writeText(shown);
                setCopied(true);
              }}
            >
              Copy
            </Button>{' '}
            <span class="note" role="status">
              {copied && 'Copied.'}
            </span>
          </>
        )}
      </Answer>
    </>
  );
}

async function toolsOf(db: string, format: keyof ToolFormats): Promise<readonly unknown[]> {
  const path = `/tools/${encodeURIComponent(db)}/rest?format=${format}`;
  return (await farm().get<{ readonly tools: readonly unknown[] }>(path)).tools;
}

const SNIPPETS: Readonly<Record<string, (call: TypedCall, address: string) => string>> = {
  curl: (call, address) =>
    [
      `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${shellQuoted(address)}`,
      ...Object.entries(headersOf(call)).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
      ...(call.body === undefined ? [] : [`-d ${shellQuoted(call.body)}`]),
    ].join(' \\\n  '),
  TypeScript: (call, address) => {
    const { method, body } = call;
    const init = method === 'GET' ? '' : `, ${json({ method, headers: headersOf(call), body })}`;
    return `const response = await fetch(${JSON.stringify(address)}${init});
if (!response.ok) throw new Error(await response.text());
const answer = await response.json();`;
  },
  Python: (call, address) => {
    const { method, body } = call;
    const options = [
      JSON.stringify(address),
      ...(method === 'GET' ? [] : [`method="${method}"`, `headers=${JSON.stringify(headersOf(call))}`]),
      ...(body === undefined ? [] : [`data=${JSON.stringify(body)}.encode()`]),
    ];
    return `import json, urllib.request

request = urllib.request.Request(${options.join(', ')})
with urllib.request.urlopen(request) as response:
    answer = json.load(response)`;
  },
};

/** Snippets of an endpoint as models are offered it. */
function toolSnippets(
  db: string,
  endpoint: ServedEndpoint,
  { given }: TypedCall,
): Readonly<Record<string, MadeSnippet>> {
  const listed = (format: keyof ToolFormats) => async () =>
    toolNamed(await toolsOf(db, format), endpoint.operation_id);
  return {
    MCP: () =>
      json({
        mcpServers: { [db]: { type: 'http', url: `${location.origin}/mcp/${encodeURIComponent(db)}/rest` } },
      }) +
      '\n\n' +
      json({
        method: 'tools/call',
        params: { name: endpoint.operation_id, arguments: argumentsOf(endpoint, given) },
      }),
    OpenAI: listed('openai'),
    Anthropic: listed('anthropic'),
  };
}

/** The description of one tool in a list of any format. */
function toolNamed(tools: readonly unknown[], name: string): string {
  const found = tools.find((tool) => {
    const { name: own, function: inner } = tool as { name?: string; function?: { name?: string } };
    return (own ?? inner?.name) === name;
  });
  return json(found ?? null);
}

function headersOf({ headers, body }: TypedCall): Readonly<Record<string, string>> {
  return body === undefined ? headers : { 'content-type': 'application/json', ...headers };
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
