import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { z } from 'zod';
import type { Problem } from '../../contracts/api.ts';
import type { Row } from '../../contracts/catalog.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import type { Endpoint, Service } from '../../contracts/service.ts';
import type { StartTableDefinition, ToolAnswer } from '../../contracts/tools.ts';
import { readCatalog } from '../../generator/read/catalog.ts';
import type { AgentOptions } from '../agents/agent-context.ts';
import { agentPlugin } from '../agents/agent-routes.ts';
import { emitTask } from '../agents/describe-task.ts';
import { givenTasks } from '../agents/task-book.ts';
import { type AppOptions, buildApp } from '../domain/app.ts';
import { startPlan } from '../domain/tools/table-tools.ts';
import { toolsetPath } from '../domain/tools/toolset-for.ts';
import { smallDatabase } from './tool-bench.ts';
import { parameter, temporaryFolder, endpoint as zooEndpoint } from './zoo.ts';

/**
 * Validates every JSON response of an app against its route's schema, which the server skips for speed. An invalid
 * response becomes a 500 with the reason.
 */
export function checkAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const schema = answerSchema(request.routeOptions.schema?.response, reply.statusCode);
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!schema || isPage || typeof payload !== 'string') return payload;
    const checked = schema.safeParse(JSON.parse(payload));
    if (checked.success) return payload;
    reply.code(500);
    return `${request.method} ${request.url} does not answer as it is described: ${checked.error.message}`;
  });
}

function answerSchema(declared: unknown, status: number): z.ZodType | undefined {
  if (typeof declared !== 'object' || declared === null) return undefined;
  const byStatus = new Map(Object.entries(declared));
  const found: unknown = byStatus.get(String(status)) ?? byStatus.get(`${String(status)[0]}xx`);
  if (found instanceof z.ZodType) return found;
  const content = z.object({ content: z.record(z.string(), z.object({ schema: z.custom<z.ZodType>() })) });
  const [type, described] = Object.entries(content.safeParse(found).data?.content ?? {})[0] ?? [];
  return type?.includes('json') && !type.includes('jsonl') ? described?.schema : undefined;
}

const table = (name: string) => ({ original_table_name: name, modified_table_name: name });

export const PERSON: StartTableDefinition = {
  condition_sequence: [],
  alias_to_table_dict: { person: table('person') },
};

export const PERSON_CITY: StartTableDefinition = {
  condition_sequence: [['T1.city_id', 'T2.id', 'LEFT']],
  alias_to_table_dict: { T1: table('person'), T2: table('city') },
};

/** Writes the small database to a file and returns its service, with the two start tables above. */
export function makeSmallDomain(file: string): Service {
  const db = smallDatabase();
  writeFileSync(file, db.serialize());
  const catalog = {
    ...readCatalog('small', db),
    glossary: '# Glossary of small\n\n## Adult\n\nOf 18 or more.\n',
  };
  db.close();
  return {
    format_version: 1,
    split: 'test',
    db: 'small',
    title: 'Small',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [PERSON, PERSON_CITY].map((definition) => ({
      ...definition,
      handle: startPlan(definition, { catalog }).handle,
    })),
    catalog,
  };
}

/** Posts a call; `path` is for example `slot/filter_data?preview=0`. */
export async function post(app: FastifyInstance, path: string, body: unknown) {
  const answer = await app.inject({ method: 'POST', url: `/v1/test/small/${path}`, payload: body as object });
  return { status: answer.statusCode, text: answer.body, json: () => answer.json() as ToolAnswer & Problem };
}

export const HARNESS_KEY = 'the-key-of-whoever-gives-the-exam';
export const HARNESS_HEADERS = { 'x-harness-key': HARNESS_KEY };

/** A farm of one small domain with tasks in all formulations, served with the agents' routes. */
export interface SmallFarm {
  readonly app: FastifyInstance;
  readonly service: Service;
  readonly samples: readonly Sample[];
  readonly folder: string;
  /** Sends a request to the app as the harness. */
  inject(request: string | InjectOptions): Promise<LightMyRequestResponse>;
  sample(id: string): Sample;
  close(): Promise<void>;
}

export async function openSmallFarm({
  console,
  cache,
  handles,
  logger = false,
  access,
  ...options
}: Partial<AgentOptions> &
  Pick<AppOptions, 'console' | 'cache' | 'handles' | 'logger' | 'access'> = {}): Promise<SmallFarm> {
  const folder = temporaryFolder();
  const database = join(folder.path, 'small.sqlite');
  const service = { ...makeSmallDomain(database), endpoints: ENDPOINTS };
  const samples = makeSamples(service);
  const plugin = agentPlugin({
    tasks: givenTasks(samples.map((sample) => emitTask(sample, service))),
    farmHash: 'f'.repeat(64),
    runs: { place: join(folder.path, 'runs.sqlite') },
    harnessKey: HARNESS_KEY,
    allowCode: true,
    ...options,
  });
  const app = await buildApp({
    domains: [{ service, database }],
    logger,
    plugins: [checkAnswers, plugin],
    console,
    cache,
    handles,
    access,
  });
  return {
    app,
    service,
    samples,
    folder: folder.path,
    inject(request) {
      const options = typeof request === 'string' ? { url: request } : request;
      return app.inject({ ...options, headers: { ...HARNESS_HEADERS, ...options.headers } });
    },
    sample(id) {
      const found = samples.find(({ sample_id }) => sample_id === `test/small/${id}`);
      if (!found) throw new Error(`no sample ${id}`);
      return found;
    },
    async close() {
      await app.close();
      folder.remove();
    },
  };
}

const endpoint = (name: string, sql: string, columns: string[], more: Partial<Endpoint> = {}): Endpoint =>
  zooEndpoint(name, sql, columns, {
    operation_id: `get_${name}_v1_test_small_${name}_get`,
    path: `/v1/test/small/${name}`,
    summary: `${name.replaceAll('_', ' ')}.`,
    description: `Answers ${name.replaceAll('_', ' ')} of the small database.`,
    ...more,
  });

const ENDPOINTS: Endpoint[] = [
  endpoint(
    'people_by_min_age',
    'SELECT name, age FROM person WHERE age >= :min_age ORDER BY id',
    ['name', 'age'],
    {
      parameters: [parameter('min_age', 'integer', { description: 'the least age' })],
    },
  ),
  endpoint('cities_by_name', 'SELECT id, size FROM city WHERE name = :name ORDER BY id', ['id', 'size'], {
    parameters: [parameter('name', 'string', { description: 'what the city is called' })],
  }),
  endpoint(
    'visits_by_years',
    'SELECT person_id, year FROM visit WHERE year IN (SELECT value FROM json_each(:years)) ORDER BY 2, 1',
    ['person_id', 'year'],
    { parameters: [parameter('years', 'integer', { array: true })] },
  ),
  ...Array.from({ length: 17 }, (_, i) =>
    endpoint(`city_names_${i}`, `SELECT name FROM city WHERE size > :size LIMIT ${i + 1}`, ['name'], {
      parameters: [parameter('size', 'number')],
    }),
  ),
];

function makeSamples(service: Service): Sample[] {
  const sample = (
    id: number,
    formulation: Formulation,
    question: string,
    gold: { columns: readonly string[]; rows: readonly Row[] },
    output: readonly Call[],
    more: Partial<Sample> = {},
  ): Sample => ({
    sample_id: `test/small/${id}/${formulation}`,
    dataset_name: 'small',
    question_id: id,
    formulation,
    input: question,
    evidence: `evidence of ${id}`,
    difficulty: id % 2 === 0 ? 'simple' : 'challenging',
    query: 'SELECT 1',
    gold_answer: gold.rows.map((row) => [...row]),
    gold_columns: [...gold.columns],
    ordered: true,
    order_groups: gold.rows.map((_, i) => i),
    initialization_step: null,
    output: [...output],
    output_after_executing_api: null,
    toolset: { path: '/openapi/small.rest.json', size: service.endpoints.length },
    flags: [],
    ...more,
  });
  const start = (definition: StartTableDefinition, formulation: 'slot' | 'sel'): Partial<Sample> => ({
    initialization_step: {
      name: 'initialize_active_data',
      arguments: { ...definition },
      label: 'starting_table_var',
    },
    toolset: {
      path: toolsetPath(service, formulation, [{ handle: startPlan(definition, service).handle }]),
      size: 13,
    },
  });
  const rest = (name: string, args: Record<string, unknown>): Call => {
    const found = ENDPOINTS.find((each) => each.name === name) as Endpoint;
    return { name: found.operation_id, arguments: args, path: found.path };
  };
  const older = {
    columns: ['name', 'age'],
    rows: [
      ['Ann', 30],
      [null, 30],
      ['Cid', 41],
      ['Dee', 30],
    ] satisfies Row[],
  };
  const names = { columns: ['name'], rows: older.rows.map(([name]) => [name ?? null]) };
  const source = '$starting_table_var$';
  return [
    sample(1, 'rest', 'Who is thirty or older, and how old?', older, [
      rest('people_by_min_age', { min_age: 30 }),
    ]),
    sample(
      1,
      'slot',
      'Who is thirty or older?',
      names,
      [
        {
          name: 'filter_data',
          arguments: {
            data_source: source,
            key_name: 'person_age',
            value: 30,
            condition: 'greater_than_equal_to',
          },
          label: 'FILTERED_DF_0',
        },
        {
          name: 'retrieve_data',
          arguments: { data_source: '$FILTERED_DF_0$', key_name: 'person_name', distinct: false, limit: -1 },
          label: 'SELECT_COL_0',
        },
      ],
      start(PERSON, 'slot'),
    ),
    sample(
      1,
      'sel',
      'Who is thirty or older?',
      names,
      [
        {
          name: 'select_data_greater_than_equal_to',
          arguments: { data_source: source, key_name: 'person_age', value: 30 },
          label: 'FILTERED_DF_0',
        },
        { name: 'get_person_names', arguments: { data_source: '$FILTERED_DF_0$' }, label: 'SELECT_COL_0' },
      ],
      start(PERSON, 'sel'),
    ),
    sample(
      2,
      'rest',
      'Which ids and sizes has Oslo?',
      { columns: ['id', 'size'], rows: [[4, 50]] },
      [rest('cities_by_name', { name: 'Oslo' })],
      { flags: ['slow'] },
    ),
    sample(
      3,
      'rest',
      'Who made visits in the years 2019 and 2022?',
      {
        columns: ['person_id', 'year'],
        rows: [
          [2, 2019],
          [8, 2022],
        ],
      },
      [rest('visits_by_years', { years: [2019, 2022] })],
    ),
  ];
}
