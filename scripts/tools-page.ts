import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { mapReferences } from '../contracts/answer-rows.ts';
import type { Call } from '../contracts/sample.ts';
import type { Service } from '../contracts/service.ts';
import type { StartTableDefinition } from '../contracts/tools.ts';
import { readCatalog } from '../generator/read/catalog.ts';
import { buildApp } from '../services/domain/app.ts';
import type { ToolDefinition } from '../services/domain/tools/arguments.ts';
import { AGGREGATIONS, CONDITIONS } from '../services/domain/tools/conditions.ts';
import { OPERATIONS, type Operation, ROW_OPERATIONS } from '../services/domain/tools/operations.ts';
import { initializeActiveData, startPlan } from '../services/domain/tools/table-tools.ts';
import type { JsonSchema } from '../services/domain/tools/tool-spec.ts';
import { SEL_TOOLS, SLOT_TOOLS } from '../services/domain/tools/toolboxes.ts';
import { ANY_RESULT, argumentsSchema } from '../services/domain/tools/toolset-for.ts';

const SCHEMA = `
  CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
  INSERT INTO owner VALUES (1, 'Ada', 'Lund'), (2, 'Bo', 'Visby'), (3, 'Cleo', NULL);
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owner, name TEXT, kind TEXT, born TEXT, weight REAL);
  INSERT INTO pet VALUES
    (1, 1, 'Rex', 'dog', '2019-05-02', 31.5), (2, 1, 'Tom', 'cat', '2021-11-30', 4.2),
    (3, 2, 'Ivy', 'cat', '2020-01-15', NULL), (4, 2, 'Max', 'dog', '2017-08-08', 12.0),
    (5, NULL, 'Kim', 'bird', NULL, 0.3);
`;

const table = (name: string) => ({ original_table_name: name, modified_table_name: name });
const alone = (name: string): StartTableDefinition => ({
  condition_sequence: [],
  alias_to_table_dict: { [name]: table(name) },
});

/** The start tables of the examples, by label. */
export const STARTS: Readonly<Record<string, StartTableDefinition>> = {
  pets: alone('pet'),
  owners: alone('owner'),
  owned: {
    condition_sequence: [['T1.owner_id', 'T2.id', 'INNER']],
    alias_to_table_dict: { T1: table('pet'), T2: table('owner') },
  },
};

/** A small database for the examples: its bytes, its service, and its tables as Markdown. */
export function exampleShop(): { bytes: Buffer; service: Service; tables: string } {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  const catalog = readCatalog('vet', db);
  const tables = ['pet', 'owner'].map((name) => {
    const statement = db.prepare(`SELECT * FROM ${name}`).raw();
    const columns = statement.columns().map((column) => column.name);
    const rows = (statement.all() as unknown[][]).map(
      (row) => `| ${row.map((cell) => cell ?? '*NULL*').join(' | ')} |`,
    );
    return `**${name}**\n\n| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n${rows.join('\n')}\n`;
  });
  const service: Service = {
    format_version: 1,
    split: 'example',
    db: 'vet',
    title: 'Vet',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: Object.values(STARTS).map((each) => ({
      ...each,
      handle: startPlan(each, { catalog }).handle,
    })),
    catalog,
  };
  const bytes = db.serialize();
  db.close();
  return { bytes, service, tables: tables.join('\n') };
}

type Step = [name: string, args: Record<string, unknown>];

/** Labels calls 1, 2, …; the example is about the last one. */
const steps = (...calls: Step[]): Call[] =>
  calls.map(([name, args], i) => ({ name, arguments: args, label: String(i + 1) }));

const cats: Step = [
  'filter_data',
  { data_source: '$pets$', key_name: 'pet_kind', condition: 'equal_to', value: 'cat' },
];
const heavy: Step = [
  'filter_data',
  { data_source: '$pets$', key_name: 'pet_weight', condition: 'greater_than', value: 10 },
];
const kinds: Step = ['group_data_by', { data_source: '$pets$', key_name: 'pet_kind' }];
const heaviest: Step = [
  'aggregate_data',
  { data_source: '$pets$', key_name: 'pet_weight', aggregation_type: 'max' },
];

/** One example per SLOT tool, on the tables of the example database. */
export const EXAMPLES: Readonly<Record<string, readonly Call[]>> = {
  initialize_active_data: steps(['initialize_active_data', { ...STARTS.owned }]),
  filter_data: steps(cats),
  sort_data: steps(['sort_data', { data_source: '$pets$', key_name: 'pet_weight', ascending: false }]),
  group_data_by: steps(kinds),
  aggregate_data: steps(kinds, [
    'aggregate_data',
    { data_source: '$1$', key_name: 'pet_weight', aggregation_type: 'mean' },
  ]),
  transform_data: steps([
    'transform_data',
    {
      data_source: '$pets$',
      key_name: 'pet_born',
      operation_type: 'datetime_part',
      operation_args: { datetime_pattern: '%Y' },
      new_key_name: 'pet_birth_year',
    },
  ]),
  select_unique_values: steps(
    ['retrieve_data', { data_source: '$pets$', key_name: 'pet_kind' }],
    ['select_unique_values', { unique_array: '$1$' }],
  ),
  retrieve_data: steps(cats, [
    'retrieve_data',
    { data_source: '$1$', key_name: 'pet_name', distinct: false, limit: -1 },
  ]),
  truncate: steps(['truncate', { truncate_array: '$pets$', n: 2 }]),
  select_columns: steps(['select_columns', { data_source: '$pets$', key_name: ['pet_kind', 'pet_name'] }]),
  combine_rows: steps(cats, heavy, [
    'combine_rows',
    { data_source: '$1$', other_data_source: '$2$', combination: 'or' },
  ]),
  combine_results: steps(
    ['retrieve_data', { data_source: '$pets$', key_name: 'pet_name' }],
    ['retrieve_data', { data_source: '$owners$', key_name: 'owner_name' }],
    ['combine_results', { data_source: '$1$', other_data_source: '$2$', combination: 'union' }],
  ),
  join_data: steps(
    kinds,
    ['aggregate_data', { data_source: '$1$', key_name: 'pet_weight', aggregation_type: 'max' }],
    [
      'join_data',
      {
        data_source: '$pets$',
        other_data_source: '$2$',
        key_name: ['pet_kind', 'pet_weight'],
        other_key_name: ['pet_kind', 'max_pet_weight'],
        join_type: 'semi',
      },
    ],
  ),
  describe_columns: steps(['describe_columns', { data_source: '$pets$', search: 'pet o' }]),
  calculate: steps(heaviest, [
    'calculate',
    { input: '$1$', operation_type: 'divide', operation_args: { operand: 2 } },
  ]),
};

/** A question answered in both formulations. */
export const BOTH: Readonly<Record<'slot' | 'sel', readonly Call[]>> = {
  slot: steps(
    ['filter_data', { data_source: '$owned$', key_name: 'owner_town', condition: 'equal_to', value: 'Lund' }],
    ['sort_data', { data_source: '$1$', key_name: 'pet_weight', ascending: false }],
    ['retrieve_data', { data_source: '$2$', key_name: 'pet_name', distinct: false, limit: 1 }],
  ),
  sel: steps(
    ['select_data_equal_to', { data_source: '$owned$', key_name: 'owner_town', value: 'Lund' }],
    ['sort_data_descending', { data_source: '$1$', key_name: 'pet_weight' }],
    ['get_pet_names', { data_source: '$2$' }],
    ['truncate', { truncate_array: '$3$', n: 1 }],
  ),
};

export interface Played {
  readonly path: string;
  readonly arguments: unknown;
  readonly answer: unknown;
}

/** Makes the calls of an example in order. Throws if one is refused. */
export async function playExample(
  app: FastifyInstance,
  formulation: string,
  calls: readonly Call[],
): Promise<Played[]> {
  const handles = new Map<string, string>();
  const send = async (name: string, args: unknown): Promise<Played> => {
    const path = `/v1/example/vet/${formulation}/${name}`;
    const response = await app.inject({ method: 'POST', url: path, payload: args as object });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`);
    return { path, arguments: args, answer: response.json() };
  };
  for (const [label, definition] of Object.entries(STARTS)) {
    handles.set(label, handleOf(await send(initializeActiveData.name, definition)));
  }
  const played: Played[] = [];
  for (const { name, arguments: given, label } of calls) {
    const args = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [
        key,
        withHandles(value, handles, NAMES_A_TABLE.test(key)),
      ]),
    );
    const done = await send(name, args);
    if (label !== undefined) handles.set(label, handleOf(done));
    played.push(done);
  }
  return played;
}

/** Arguments that always take a handle; in others, `$` marks distinguish handles from text. */
const NAMES_A_TABLE = /(^|_)data_source$|^(unique|truncate)_array$/;

function withHandles(value: unknown, handles: ReadonlyMap<string, string>, bare: boolean): unknown {
  return mapReferences(value, (label) => {
    const handle = handles.get(label);
    return handle === undefined || bare ? handle : `$${handle}$`;
  });
}

function handleOf({ answer }: Played): string {
  return (answer as { handle: string }).handle;
}

/** A tool's call, and what its optional arguments mean: examples have the others. */
function describeArguments(tool: ToolDefinition): string {
  const { properties, required } = argumentsSchema(tool, {
    startTables: [],
    columns: [],
    nameColumns: false,
    describeColumns: false,
  });
  const isOptional = (name: string) => !required.includes(name);
  const names = Object.entries(properties).map(([name, schema]) =>
    isOptional(name) ? `${name}${defaultOf(schema)}` : name,
  );
  // The introduction has once, for all tables, what `ANY_RESULT` adds.
  const items = Object.entries(properties)
    .filter(([name]) => isOptional(name) && name !== 'operation_args')
    .map(([name, { description = '' }]) => `- \`${name}\`: ${description.replace(ANY_RESULT, '')}\n`);
  const call = `\`${tool.name}(${names.join(', ')})\`\n`;
  return items.length === 0 ? call : `${call}\n${items.join('')}`;
}

function defaultOf({ default: usual }: JsonSchema): string {
  const hasNone = usual === undefined || usual === '' || typeof usual === 'object';
  return hasNone ? '?' : ` = ${JSON.stringify(usual)}`;
}

/** docs/tools.md: every tool from its definition, with an executed example. */
export async function toolsPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-tools-page-'));
  const { bytes, service, tables } = exampleShop();
  const database = join(folder, 'vet.sqlite');
  writeFileSync(database, bytes);
  const app = await buildApp({ domains: [{ service, database, version: 'example' }], logger: false });
  try {
    const tools = [...Object.values(SLOT_TOOLS), initializeActiveData];
    const sections: string[] = [];
    for (const tool of tools) sections.push(await describeTool(tool, app));
    const [{ answer } = {}] = await playExample(app, 'slot', steps(cats));
    return `${INTRODUCTION}${tables}\n${await compareFormulations(app)}\n${answers(answer)}\n${sections.join('\n')}\n${CONDITIONS_PART}\n${AGGREGATIONS_PART}\n${OPERATIONS_PART}`;
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const INTRODUCTION = `# Tools

A SLOT or SEL task begins from *start tables*, joins of the domain's tables, and is answered by a sequence of calls:
\`POST /v1/<split>/<db>/slot/<tool>\` (or \`/sel/<tool>\`) with arguments as JSON. The examples use these tables and their join:

`;

const answers = (example: unknown) => `## Answers

\`\`\`json
${emitJson(example)}
\`\`\`

| \`kind\` | what it shows |
|---|---|
| \`table\` | columns, number of rows, and the first three (\`?preview=0\` to \`100\`) |
| \`column\` | the first 100 values of one column; more by the argument \`offset\`, or in pages (\`?offset=\` and \`?limit=\`). Later calls and scoring take all |
| \`value\` | a single value |

Each answer has a *handle*, the name of the result in later calls: as a \`data_source\`, or as \`$handle$\` in place of a value (the first of a
column) or of a list. A value such as \`$word$\` always means a result. The same call always gives the same handle. After \`UNKNOWN_HANDLE\`
(unknown or expired), repeat the calls that made it.

Rows keep the order of their tables until they are sorted. Values compare, convert and sort as in SQLite: NULL is neither equal nor unequal
to anything, and sorts first. Columns are called \`<table>_<column>\`.

## Lists of tools

\`GET /v1/<split>/<db>/slot/start_tables\` lists the start tables, and
\`…/slot/toolset?start_table=<handle>,…&format=openapi|openai|anthropic|anthropic-strict|gemini|mcp\` gives the tools of some. A list has
at most some 8,500 tokens in SLOT and 40,000 in SEL: the more columns, the less it says of each; \`describe_columns\` shows the rest. A
start table of more than 100 columns has no getters in SEL; \`get_computed_column\` reads any column.

# SLOT

Arguments with \`?\` or a default may be left out. A table is named by the handle of a start table or of an earlier result. \`condition\` is one
of the [conditions](#conditions), \`aggregation_type\` one of the [aggregations](#aggregations), and \`operation_type\` with its
\`operation_args\` one of the [operations](#operations).
`;

async function describeTool(tool: ToolDefinition, app: FastifyInstance): Promise<string> {
  const example = EXAMPLES[tool.name];
  if (!example) throw new Error(`${tool.name} has no example`);
  const played = await playExample(app, 'slot', example);
  const calls = played.map((one, i) => emitCall(one, i === played.length - 1));
  return `## ${tool.name}\n\n${tool.description}\n\n${describeArguments(tool)}\n\`\`\`http\n${calls.join('\n')}\n\`\`\`\n`;
}

/** A request, and its result: the handle; of the last one also what it shows. */
function emitCall(played: Played, isLast: boolean): string {
  const shown = isLast ? emitResult(played.answer as Answer) : '';
  return `POST ${played.path}  ${JSON.stringify(played.arguments)}\n→ ${handleOf(played)}${shown}`;
}

/** What the page shows of an answer. */
interface Answer {
  readonly columns?: readonly string[];
  readonly row_count?: number | null;
  readonly preview?: readonly unknown[];
  readonly values?: unknown;
  readonly value?: unknown;
}

function emitResult({ columns, row_count, preview, values, value }: Answer): string {
  if (preview === undefined) return `  ${JSON.stringify(values ?? value)}`;
  if (preview.length === 0) return `  ${JSON.stringify(columns)}`;
  return [`  ${row_count} rows`, ...preview.map((row) => `    ${JSON.stringify(row)}`)].join('\n');
}

/** One line per field, and per row of a preview. */
function emitJson(answer: unknown): string {
  const fields = Object.entries(answer as Record<string, unknown>).map(([name, value]) => {
    const rows = name === 'preview' && Array.isArray(value) && value.length > 0;
    const text = rows
      ? `[\n${value.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`
      : JSON.stringify(value);
    return `  "${name}": ${text}`;
  });
  return `{\n${fields.join(',\n')}\n}`;
}

const CONDITIONS_PART = `## Conditions

A row is kept if the condition is true, and not if it is unknown, as comparisons with NULL are. The column's value …

${describe(CONDITIONS)}
`;

const WHOLE_ONLY = Object.entries(AGGREGATIONS).flatMap(([name, { perGroup }]) =>
  perGroup ? [] : [`\`${name}\``],
);

const AGGREGATIONS_PART = `## Aggregations

Aggregations ignore NULL. All but ${WHOLE_ONLY.join(' and ')} work on groups too.

${describe(AGGREGATIONS)}
`;

function describe(entries: Readonly<Record<string, { readonly description: string }>>): string {
  return Object.entries(entries)
    .map(([name, { description }]) => `- \`${name}\`: ${description}`)
    .join('\n');
}

const WINDOW_OPERATIONS = Object.fromEntries(
  Object.entries(OPERATIONS).filter(([name]) => !(name in ROW_OPERATIONS)),
);

const OPERATIONS_PART = `## Operations

\`transform_data\` and \`calculate\` take these, with their \`operation_args\` in brackets:
${listOperations(ROW_OPERATIONS)}.

Those that look at other rows are for \`transform_data\` only, and also take \`partition_by?\` and \`order_by?\`:
${listOperations(WINDOW_OPERATIONS, ['partition_by', 'order_by'])}.

The OpenAPI document of a domain, \`/openapi/<db>.slot.json\`, explains each.
`;

function listOperations(
  operations: Readonly<Record<string, Operation>>,
  common: readonly string[] = [],
): string {
  return Object.entries(operations)
    .map(([name, { args }]) => {
      const given = Object.entries(args)
        .filter(([argument]) => !common.includes(argument))
        .map(([argument, { optional }]) => `${argument}${optional ? '?' : ''}`);
      return `\`${name}${given.length > 0 ? `(${given.join(', ')})` : ''}\``;
    })
    .join(', ');
}

/** SEL tools that there is one of for each condition, aggregation or operation. */
const FAMILIES = [
  ['select_data_', 'condition'],
  ['compute_data_', 'aggregation'],
  ['transform_data_to_', 'operation'],
  ['calculate_', 'operation'],
] as const;

function familyOf(tool: string): string {
  const [prefix, kind] = FAMILIES.find(([start]) => tool.startsWith(start)) ?? [];
  return prefix === undefined ? tool : `${prefix}<${kind}>`;
}

async function compareFormulations(app: FastifyInstance): Promise<string> {
  const [slot, sel] = [await playExample(app, 'slot', BOTH.slot), await playExample(app, 'sel', BOTH.sel)];
  const name = (played: Played) =>
    `\`${played.path.split('/').pop()}\` \`${JSON.stringify(played.arguments)}\``;
  const rows = slot.map(
    (played, i) =>
      `| ${name(played)} | ${(i < 2 ? sel.slice(i, i + 1) : sel.slice(i)).map(name).join('<br>')} |`,
  );
  return `The heaviest pet in Lund, in both formulations:

| SLOT | SEL |
|---|---|
${rows.join('\n')}

SEL has a tool for each choice of a SLOT argument, and a getter for each column of the start table, \`get_<table>_<columns>\`. A SEL
call has the handle of the SLOT call that it stands for. Besides getters there are ${Object.keys(SEL_TOOLS).length} tools:

${[...new Set(Object.keys(SEL_TOOLS).map(familyOf))].map((tool) => `\`${tool}\``).join(', ')}.
`;
}
