import { useState } from 'preact/hooks';
import type {
  CatalogTable,
  ServedCatalog,
  ServedEndpoint,
  TaskPage,
  ToolFormats,
} from '../../client/index.ts';
import { catalogOf, farm, isGoldElsewhere, readKeys } from '../farm.ts';
import { Answer, Empty, Header, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { tablesOf } from '../parts/jump.tsx';
import { RowsTable, Scrolled } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';
import { Gold } from './task-view.tsx';
import { argumentsOf, columnValues, type GivenArguments, pathOfCall, TryIt } from './try-it.tsx';

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
  const path = [
    ['Home', linkTo([])],
    [title, linkTo(['domain', db])],
  ] as const;
  if (!endpoint)
    return (
      <>
        <Header title={name} path={path} />
        <Empty>
          <p>
            {title} has no endpoint <code>{name}</code>.
          </p>
          <a class="button" href={linkTo(['domain', db])}>
            All of its endpoints
          </a>
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
          <a class="button" href={`/docs/${encodeURIComponent(db)}#${name}`}>
            OpenAPI
          </a>
        }
      />
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
        program={(typed) => <Snippets db={db} endpoint={endpoint} given={typed} />}
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
function pickersOf(
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

interface SnippetsProps {
  readonly db: string;
  readonly endpoint: ServedEndpoint;
  readonly given: URLSearchParams;
}

/** Code snippets that call the endpoint with the form's arguments. */
function Snippets({ db, endpoint, given }: SnippetsProps) {
  const kinds = [...Object.keys(SNIPPETS), ...Object.keys(TOOL_FORMATS)];
  const [kind, setKind] = useState(kinds[0] ?? '');
  const [copied, setCopied] = useState(false);
  const text = useAnswer(`${kind} ${endpoint.path} ${given}`, async () => {
    const snippet = SNIPPETS[kind];
    if (snippet) return snippet({ origin: location.origin, db, endpoint, given });
    const format = TOOL_FORMATS[kind as keyof typeof TOOL_FORMATS];
    return toolNamed(await toolsOf(db, format), endpoint.operation_id);
  });
  return (
    <>
      <fieldset class="tabs">
        <legend class="hidden">Kind of program</legend>
        {kinds.map((each) => (
          <button
            type="button"
            aria-pressed={each === kind}
            onClick={() => {
              setKind(each);
              setCopied(false);
            }}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <Answer asked={text}>
        {(shown) => (
          <>
            <Scrolled label="Snippet">
              <pre>{shown}</pre>
            </Scrolled>
            <button
              type="button"
              onClick={async () => {
                await navigator.clipboard.writeText(shown);
                setCopied(true);
              }}
            >
              Copy
            </button>{' '}
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

interface SnippetSubject {
  /** `http://127.0.0.1:8321` */
  readonly origin: string;
  readonly db: string;
  readonly endpoint: ServedEndpoint;
  readonly given: GivenArguments;
}

const SNIPPETS: Readonly<Record<string, (subject: SnippetSubject) => string>> = {
  curl: (subject) => `curl ${shellQuoted(addressOf(subject))}`,
  TypeScript: (subject) => `const answer = await fetch(${JSON.stringify(addressOf(subject))});
if (!answer.ok) throw new Error(await answer.text());
const { data } = await answer.json();`,
  Python: (subject) => `import json, urllib.request

with urllib.request.urlopen(${JSON.stringify(addressOf(subject))}) as answer:
    data = json.load(answer)["data"]`,
  MCP: ({ origin, db, endpoint, given }) =>
    json({
      mcpServers: { [db]: { type: 'http', url: `${origin}/mcp/${encodeURIComponent(db)}/rest` } },
    }) +
    '\n\n' +
    json({
      method: 'tools/call',
      params: { name: endpoint.operation_id, arguments: argumentsOf(endpoint, given) },
    }),
};

/** Formats in which the farm describes its tools to models. */
const TOOL_FORMATS = { OpenAI: 'openai', Anthropic: 'anthropic' } as const;

/** The description of one tool in a list of any format. */
function toolNamed(tools: readonly unknown[], name: string): string {
  const found = tools.find((tool) => {
    const { name: own, function: inner } = tool as { name?: string; function?: { name?: string } };
    return (own ?? inner?.name) === name;
  });
  return json(found ?? null);
}

function addressOf({ origin, endpoint, given }: SnippetSubject): string {
  return `${origin}${pathOfCall(endpoint, given)}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
