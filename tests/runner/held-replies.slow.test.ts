import { Ajv, type ValidateFunction } from 'ajv';
import { afterEach, describe, expect, test } from 'vitest';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { callsSchema } from '../../runner/agents/reply-schema.ts';
import type { RunConfigInput } from '../../runner/files/run-config.ts';
import { starterFarm } from '../support/farms.ts';
import { Grammar } from '../support/gbnf.ts';
import { type Asked, type ModelServer, startModelServer } from '../support/model-server/model-server.ts';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm({ make: starterFarm });
let server: ModelServer | undefined;
afterEach(() => server?.stop());

const WAYS = [
  ['schema', 'vllm', 'chat'],
  ['schema', 'vllm', 'completions'],
  ['schema', 'llamacpp', 'completions'],
  ['grammar', 'vllm', 'chat'],
  ['grammar', 'vllm', 'completions'],
  ['grammar', 'llamacpp', 'chat'],
] as const;
const FORMULATIONS = ['rest', 'slot', 'sel', 'query'] as const;

/** Runs `direct` with a model that says this, at a server that holds it to what a request asks for. */
async function run(input: Omit<RunConfigInput, 'agent'>, say: (asked: Asked) => string, provider = 'vllm') {
  server = await startModelServer((asked) => [{ kind: 'text', text: heldReply(asked, say(asked)) }]);
  const config = { agent: 'direct', model: `${provider}/small`, base_url: server.address, ...input };
  return served.run({ ...config, select: { all: true } });
}

describe('a model that would answer by a sentence', () => {
  const say = () => 'I would look it up.';

  test.each(FORMULATIONS)('%s: is unparseable', async (formulation) => {
    const { report } = await run({ formulation }, say);
    expect(report.ledger).toMatchObject({ unparseable: report.ledger.total });
  });

  test.each(WAYS.map((way, i) => [...way, FORMULATIONS[i % 4] as Formulation] as const))(
    'held to a %s by %s (%s), %s: calls a tool of the task',
    async (response_format, provider, transport, formulation) => {
      const input = { formulation, transport, decoding: { response_format } };
      const { report, records } = await run(input, say, provider);
      expect(records.flatMap(({ error }) => error?.message ?? [])).toEqual([]);
      expect(report.ledger).toMatchObject({ unparseable: 0 });
      for (const { sample_id, raw_output } of records) {
        const { tools } = await served.farm.client.tools(sample_id, 'plain');
        const calls = JSON.parse(raw_output ?? '') as { name: string }[];
        expect(calls.length).toBeGreaterThan(0);
        for (const { name } of calls) expect(tools.map((tool) => tool.name)).toContain(name);
      }
    },
  );
});

describe('a model that makes no mistake', () => {
  test.each(WAYS.map((way, i) => [...way, FORMULATIONS[(i + 2) % 4] as Formulation] as const))(
    'held to a %s by %s (%s), %s: says what it would say',
    async (response_format, provider, transport, formulation) => {
      const replies = new Map<string, string>();
      for (const sample of served.farm.samples ?? []) {
        if (sample.formulation === formulation) replies.set(sample.input, await goldReply(sample));
      }
      const say = ({ prompt }: Asked) => {
        const text = JSON.stringify(prompt);
        return (
          [...replies].find(([question]) => text.includes(JSON.stringify(question).slice(1, -1)))?.[1] ?? ''
        );
      };
      const input = { formulation, transport, decoding: { response_format } };
      const { report } = await run(input, say, provider);
      expect(report.ledger).toMatchObject({ pass: replies.size, total: replies.size });
    },
  );
});

/** The gold calls as the schema has them: what is not given is null. */
async function goldReply({ sample_id, output, formulation }: Sample): Promise<string> {
  const { tools } = await served.farm.client.tools(sample_id, 'plain');
  const calls = output.map(({ name, arguments: args, label }) => {
    const schema = callsSchema(
      tools.filter((tool) => tool.name === name),
      formulation === 'slot' || formulation === 'sel',
    );
    return filled({ tool_calls: [{ name, arguments: args, label }] }, schema);
  });
  return JSON.stringify({
    tool_calls: calls.flatMap((each) => (each as { tool_calls: unknown[] }).tool_calls),
  });
}

type Schema = Readonly<Record<string, unknown>>;

function filled(value: unknown, schema: unknown): unknown {
  const { anyOf, properties, items }: Schema = Object(schema);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => filled(item, items));
  if (typeof value !== 'object' || value === null) return value ?? null;
  const fields =
    properties ?? (anyOf as Schema[] | undefined)?.find((branch) => branch.properties)?.properties;
  return Object.fromEntries(
    Object.entries(Object(fields)).map(([name, inner]) => [name, filled(Object(value)[name], inner)]),
  );
}

test.each<[string, RunConfigInput, string]>([
  [
    'of another provider',
    { agent: 'direct', model: 'openai/small', formulation: 'rest' },
    'openai/small takes no grammar',
  ],
  [
    'where another provider continues a text',
    { agent: 'direct', model: 'openai-completions/small', formulation: 'rest' },
    'takes no grammar where it continues a text',
  ],
  [
    'of tools in a field',
    { agent: 'direct', model: 'vllm/small', formulation: 'rest', settings: { tools_in: 'field' } },
    'with tools in its prompt',
  ],
  [
    'of nested calls',
    { agent: 'direct', model: 'vllm/small', formulation: 'sel', settings: { reply: 'nested' } },
    'leave out --reply nested',
  ],
  ['of an agent that talks', { agent: 'react', model: 'vllm/small', formulation: 'rest' }, 'direct'],
])('a grammar %s is refused', async (_, input, fault) => {
  const key = process.env.OPENAI_API_KEY;
  process.env.OPENAI_API_KEY = 'key-1';
  const held = served.run({ ...input, decoding: { response_format: 'grammar' } });
  await expect(held).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message: expect.stringContaining(fault),
  });
  if (key === undefined) delete process.env.OPENAI_API_KEY;
});

/**
 * The reply of a server that holds a model to the schema or the grammar of a request: what the model would say if that
 * fits, else something that does.
 */
function heldReply({ body }: Pick<Asked, 'body'>, said: string): string {
  const { response_format, structured_outputs, grammar, json_schema } = body as Partial<
    Record<string, Schema>
  >;
  const { json = json_schema ?? schemaIn(response_format), grammar: text = grammar } =
    structured_outputs ?? {};
  if (text !== undefined) {
    const rules = new Grammar(String(text));
    // The first alternative of each choice, and each repetition once more than needed.
    return rules.fits(said) ? said : rules.sentence((below) => Math.min(1, below - 1));
  }
  if (json === undefined) return said;
  return validatorOf(JSON.stringify(json))(parsed(said)) ? said : JSON.stringify(instanceOf(json));
}

/** Compiled once: there are schemas of a hundred tools. */
const VALIDATORS = new Map<string, ValidateFunction>();

function validatorOf(schema: string): ValidateFunction {
  const known = VALIDATORS.get(schema) ?? new Ajv({ allowUnionTypes: true }).compile(JSON.parse(schema));
  VALIDATORS.set(schema, known);
  return known;
}

function schemaIn(format: Schema | undefined): unknown {
  return (format?.json_schema as Schema | undefined)?.schema;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some value that the schema allows, with one item in each list. */
function instanceOf(schema: unknown): unknown {
  const { anyOf, enum: listed, properties, items, type, minItems = 1 }: Schema = Object(schema);
  if (Array.isArray(anyOf)) return instanceOf(anyOf[0]);
  if (Array.isArray(listed)) return listed[0];
  if (type === 'array') return Array.from({ length: Number(minItems) }, () => instanceOf(items));
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(Object(properties)).map(([name, value]) => [name, instanceOf(value)]),
    );
  return { integer: 1, number: 1, boolean: true, null: null }[String(type)] ?? 'text';
}
