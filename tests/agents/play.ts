import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv, type ValidateFunction } from 'ajv';
import type { ClientTask, Rookery, Run, ToolListOf } from '../../client/index.ts';
import { assembleAnswer, mapReferences, sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import { queryAnswer } from '../../contracts/formulations.ts';
import type { Sample } from '../../contracts/sample.ts';
import { restAnswer } from '../../contracts/service.ts';
import { type ToolAnswer, toolAnswer } from '../../contracts/tools.ts';

/** How a player reaches the tools of a run. */
export type Way = 'http' | 'mcp' | 'obfuscated';

/** Plays gold calls against a served farm; what it knows of lists and endpoints it asks for once. */
export class Player {
  readonly #farm: Rookery;
  readonly #columns = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();
  readonly #promises = new Map<string, Promise<ReadonlyMap<string, () => ValidateFunction>>>();
  readonly #names = new Map<string, Promise<ReadonlyMap<string, ObfuscatedNames>>>();

  constructor(farm: Rookery) {
    this.#farm = farm;
  }

  /** A run at the sample in one of the ways, answered. Gives whether the rows are the gold ones. */
  async play(sample: Sample, way: Way): Promise<boolean> {
    const { sample_id } = sample;
    const run = await this.#farm.run({
      sample_id,
      agent: `gold by ${way}`,
      obfuscate: way === 'obfuscated',
      seed: 11,
    });
    return this.attempt(run, sample, way);
  }

  /** The same in a run that has been begun already. */
  async attempt(run: Run, sample: Sample, way: Way): Promise<boolean> {
    const columns = await this.#columnsOf(sample);
    const rows = await (way === 'mcp'
      ? this.#byMcp(sample, run, columns)
      : this.#byHttp(sample, run, columns, way));
    await run.answer(rows);
    return sameRows(sample.gold_answer, rows, sample.order_groups);
  }

  async #byHttp(sample: Sample, run: Run, columns: readonly string[], way: Way): Promise<Row[]> {
    const names = way === 'obfuscated' ? await this.#namesOf(sample) : null;
    const send: SendCall = async (name, args, offset) => {
      const shown = names?.get(name);
      const call = names
        ? { name: shown?.name ?? '?', args: disguise(args, shown?.args ?? new Map()) }
        : { name, args };
      const { ok, body, text } = await run.call(call.name, call.args, offset === undefined ? {} : { offset });
      if (!ok) throw new Error(`${sample.sample_id}: ${call.name} ${JSON.stringify(call.args)}: ${text}`);
      return body;
    };
    return playGold(sample, run.task, columns, send);
  }

  async #byMcp(sample: Sample, run: Run, columns: readonly string[]): Promise<Row[]> {
    const client = new Client({ name: 'gold', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(run.mcp)));
    try {
      return await playGold(sample, run.task, columns, async (name, args, offset) => {
        const meta = offset === undefined ? {} : { _meta: { 'rookery/offset': offset } };
        const { isError, structuredContent, content } = await client.callTool({
          name,
          arguments: args,
          ...meta,
        });
        if (isError) throw new Error(`${sample.sample_id}: ${name}: ${JSON.stringify(content)}`);
        await this.#requirePromised(sample, name, structuredContent);
        return structuredContent;
      });
    } finally {
      await client.close();
    }
  }

  /** Holds an answer against the schema that the tool's entry has for it, as clients do. */
  async #requirePromised(
    { sample_id, dataset_name, formulation, initialization_step }: Sample,
    name: string,
    answer: unknown,
  ): Promise<void> {
    const key = JSON.stringify([dataset_name, formulation, initialization_step?.arguments]);
    const known = this.#promises.get(key) ?? this.#farm.tools(sample_id, 'mcp').then(schemasByName);
    this.#promises.set(key, known);
    const validate = (await known).get(name)?.();
    if (!validate?.(answer)) {
      throw new Error(
        `${sample_id}: ${name} answers what it has not promised: ${ajv.errorsText(validate?.errors)}`,
      );
    }
  }

  /** The result columns of a REST sample's endpoint, from the tools' OpenAPI document. */
  async #columnsOf({ sample_id, dataset_name, formulation, output }: Sample): Promise<readonly string[]> {
    if (formulation !== 'rest') return [];
    const path = `/tasks/${sample_id}/tools?format=openapi`;
    const known =
      this.#columns.get(dataset_name) ?? this.#farm.get<OpenapiDocument>(path).then(columnsByName);
    this.#columns.set(dataset_name, known);
    return (await known).get(output.at(-1)?.name ?? '') ?? [];
  }

  #namesOf({
    sample_id,
    formulation,
    dataset_name,
    initialization_step,
  }: Sample): Promise<ReadonlyMap<string, ObfuscatedNames>> {
    const key = JSON.stringify([dataset_name, formulation, initialization_step?.arguments]);
    const known = this.#names.get(key) ?? this.#deobfuscate(sample_id);
    this.#names.set(key, known);
    return known;
  }

  async #deobfuscate(sampleId: string): Promise<ReadonlyMap<string, ObfuscatedNames>> {
    const hidden = { obfuscate: true, seed: 11 };
    const [plain, obfuscated] = await Promise.all([
      this.#farm.tools(sampleId, 'plain'),
      this.#farm.tools(sampleId, 'plain', hidden),
    ]);
    const path = `/tasks/${sampleId}/tools?format=openapi`;
    const [one, other] = await Promise.all([
      this.#farm.get<OpenapiDocument>(path).then(columnsByName),
      this.#farm.get<OpenapiDocument>(`${path}&obfuscate=true&seed=11`).then(columnsByName),
    ]);
    return deobfuscate(plain.tools, obfuscated.tools, {
      plain: (name) => one.get(name)?.join() ?? '',
      obfuscated: (name) => other.get(name)?.join() ?? '',
    });
  }
}

const ajv = new Ajv({ strict: false });

/** Compiled when first needed: of a hundred tools a sample calls a few. */
function schemasByName({ tools }: ToolListOf<'mcp'>): ReadonlyMap<string, () => ValidateFunction> {
  return new Map(
    tools.map(({ name, outputSchema }) => {
      let compiled: ValidateFunction | undefined;
      return [name, () => (compiled ??= ajv.compile(outputSchema))];
    }),
  );
}

interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: {
    readonly '200': {
      readonly content: {
        readonly 'application/json': {
          readonly schema: {
            readonly properties?: { readonly data: { readonly items: { readonly required: string[] } } };
          };
        };
      };
    };
  };
}

function columnsByName({ paths }: OpenapiDocument): ReadonlyMap<string, readonly string[]> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.map(({ operationId, responses }) => {
      const { schema } = responses['200'].content['application/json'];
      return [operationId, schema.properties?.data.items.required ?? []];
    }),
  );
}

/** Whatever carries out a call for the agent; `offset` pages through a long column. Throws when the call fails. */
type SendCall = (name: string, args: Record<string, unknown>, offset?: number) => Promise<unknown>;

/**
 * An agent that knows the gold calls of the eval file and nothing else about the farm: it makes them as any agent
 * would, with the handles it was answered for labels, and gives the rows of the results that no other call uses.
 */
async function playGold(
  sample: Sample,
  task: ClientTask,
  columns: readonly string[],
  send: SendCall,
): Promise<Row[]> {
  if (sample.formulation === 'rest') return playRest(sample, columns, send);
  if (sample.formulation === 'query' || sample.formulation === 'hybrid') return playQuery(sample, send);
  const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
  const answers: ToolAnswer[] = [];
  for (const call of sample.output) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    }) as Record<string, unknown>;
    const answer = await whole(await send(call.name, args).then((body) => toolAnswer.parse(body)), (offset) =>
      send(call.name, args, offset),
    );
    answers.push(answer);
    if (call.label !== undefined) handles.set(call.label, answer.handle);
  }
  const rows = assembleAnswer(sample.output, answers);
  if (!rows) throw new Error(`${sample.sample_id}: the results do not make rows`);
  return rows;
}

async function playRest({ output }: Sample, columns: readonly string[], send: SendCall): Promise<Row[]> {
  let rows: Row[] = [];
  for (const { name, arguments: args } of output) {
    const { data } = restAnswer.parse(await send(name, args));
    // By name: an object's own order puts keys that look like numbers first.
    rows = data.map((row) => columns.map((column) => row[column] ?? null));
  }
  return rows;
}

async function playQuery({ output }: Sample, send: SendCall): Promise<Row[]> {
  let rows: Row[] = [];
  for (const { name, arguments: args } of output) {
    const { columns, data } = queryAnswer.parse(await send(name, args));
    rows = data.map((row) => columns.map((column) => row[column] ?? null));
  }
  return rows;
}

async function whole(first: ToolAnswer, page: (offset: number) => Promise<unknown>): Promise<ToolAnswer> {
  if (first.kind !== 'column') return first;
  const values = [...first.values];
  for (let at = first.next_offset; at !== null; ) {
    const next = toolAnswer.parse(await page(at));
    if (next.kind !== 'column') throw new Error('a column went on as something else');
    values.push(...next.values);
    at = next.next_offset;
  }
  return { ...first, values };
}

/** A tool as a list shows it. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
}
type Schema = { readonly [keyword: string]: unknown };

/** What a tool and its arguments are called in an obfuscated list. */
interface ObfuscatedNames {
  readonly name: string;
  readonly args: ReadonlyMap<string, string>;
}

/**
 * Matches obfuscated tools to the originals as a person with both lists could: by what the descriptions
 * and schemas say besides names, and by what they answer. Throws when two tools cannot be distinguished.
 */
function deobfuscate(
  plain: readonly Tool[],
  obfuscated: readonly Tool[],
  answers: { plain: (name: string) => string; obfuscated: (name: string) => string },
): ReadonlyMap<string, ObfuscatedNames> {
  const names = new Set(
    plain.flatMap((tool) => [tool.name, ...pairs(tool.parameters, tool.parameters).keys()]),
  );
  const blank = (value: unknown) =>
    JSON.stringify(value).replace(/[A-Za-z0-9_]+/g, (word) =>
      names.has(word) || /^(?:FUNC|ARG)_\d+$/.test(word) ? '_' : word,
    );
  const keyOf = (tool: Tool, more: string) =>
    [blank(tool.description), blank(inOrder(tool.parameters)), more].join('\n');
  const byKey = new Map<string, Tool>();
  for (const tool of obfuscated) {
    const key = keyOf(tool, answers.obfuscated(tool.name));
    const alike = byKey.get(key);
    if (alike) throw new Error(`nothing tells ${alike.name} and ${tool.name} apart: ${tool.description}`);
    byKey.set(key, tool);
  }
  return new Map(
    plain.map((tool) => {
      const shown = byKey.get(keyOf(tool, answers.plain(tool.name)));
      if (!shown) throw new Error(`${tool.name} is not among the obfuscated tools`);
      return [tool.name, { name: shown.name, args: pairs(tool.parameters, shown.parameters) }];
    }),
  );
}

/** The arguments of a call under the names of an obfuscated list. */
function disguise(value: unknown, args: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => disguise(item, args));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [args.get(key) ?? key, disguise(inner, args)]),
  );
}

/** Names of properties that stand at the same place in two schemas. */
function pairs(one: Schema, other: Schema, found = new Map<string, string>()): Map<string, string> {
  const [mine, theirs] = [one.properties, other.properties] as [Schema?, Schema?];
  const names = Object.keys(theirs ?? {});
  Object.entries(mine ?? {}).forEach(([name, inner], i) => {
    found.set(name, names[i] as string);
    pairs(inner as Schema, theirs?.[names[i] as string] as Schema, found);
  });
  if (one.items) pairs(one.items as Schema, other.items as Schema, found);
  ((one.anyOf ?? []) as Schema[]).forEach((inner, i) => {
    pairs(inner, ((other.anyOf ?? []) as Schema[])[i] as Schema, found);
  });
  return found;
}

/** A schema without its properties' names, which stand in the same order in both lists. */
function inOrder({ properties, required, items, anyOf, ...rest }: Schema): unknown {
  return [
    Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)),
    Object.values((properties ?? {}) as Record<string, Schema>).map(inOrder),
    ((required ?? []) as string[]).length,
    items ? inOrder(items as Schema) : null,
    ((anyOf ?? []) as Schema[]).map(inOrder),
  ];
}
