import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Rookery, Run, ToolListOf } from '../../client/index.ts';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import type { Sample } from '../../contracts/sample.ts';
import { deobfuscate, disguise, type ObfuscatedNames } from './deobfuscate.ts';
import { playGold, type SendCall } from './gold-agent.ts';

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
