import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../../cli/score/farm-scorer.ts';
import { Rookery } from '../../client/index.ts';
import { announcedFaultKind } from '../../contracts/faults.ts';
import { queryAnswer } from '../../contracts/formulations.ts';
import {
  collectionTools,
  QUERY_TEXT,
  QUERY_TOOL,
  RATIONALE,
  writeQueryText,
} from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const folder = scratchFolder();
let server: RunningServer;
let rookery: Rookery;
let sample: Sample;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  const found = readFarm(farm).samples.find(({ formulation }) => formulation === 'query');
  if (!found) throw new Error('the farm has no task of the tool');
  sample = found;
  const harnessKey = 'the-key-of-the-harness';
  const agents = { harnessKey, runs: { place: join(folder, 'runs.sqlite') }, ...farmScorer(farm) };
  server = await startServer(farm, { port: 0, logger: false, agents });
  rookery = new Rookery(server.address, { harnessKey });
}, 600_000);

afterAll(() => server?.stop());

describe('an announced fault', () => {
  test.each(announcedFaultKind.options)(
    '%s meets a call of the tool, and is in the record',
    async (fault) => {
      const rules = [{ fault, rate: 1, ms: 1, retry_after_s: 1 }];
      const run = await rookery.run({ sample_id: sample.sample_id, faults: { rules } });
      const [call] = sample.output;
      const answer = await run.call(QUERY_TOOL, call?.arguments ?? {});
      const isWhole = answer.ok && queryAnswer.safeParse(answer.body).success;
      expect(isWhole).toBe(fault === 'latency');
      expect(answer.fault).toBe(fault);
      expect((await run.view()).trajectory.map((made) => made.fault)).toEqual([fault]);
    },
  );
});

type Properties = Readonly<Record<string, { readonly enum?: readonly string[] }>>;
const propertiesOf = (tool: { readonly parameters: object } | undefined) =>
  (tool?.parameters as { readonly properties?: Properties } | undefined)?.properties ?? {};

describe('a variant', () => {
  const goldArguments = () => sample.output[0]?.arguments ?? {};
  const goldRows = () => sample.output_after_executing_api;

  test('with a rationale asks for it first, takes it and answers the same', async () => {
    const run = await rookery.run({ sample_id: sample.sample_id, variant: 'rationale' });
    const [tool] = (await run.tools('plain')).tools;
    expect(Object.keys(propertiesOf(tool))[0]).toBe(RATIONALE);
    expect(tool?.parameters.required).toContain(RATIONALE);
    const { body } = await run.call(QUERY_TOOL, { [RATIONALE]: 'It is asked for.', ...goldArguments() });
    expect(body).toEqual(goldRows());
    expect((await run.view()).trajectory[0]?.arguments).toMatchObject({ [RATIONALE]: 'It is asked for.' });
  });

  test('with a tool a collection has the collection in its name, and answers the same', async () => {
    const run = await rookery.run({ sample_id: sample.sample_id, variant: 'per-collection' });
    const { tools } = await run.tools('plain');
    const { collection_name, ...others } = goldArguments();
    const base = await rookery.tools(sample.sample_id, 'plain');
    const collections = propertiesOf(base.tools[0]).collection_name?.enum ?? [];
    expect(tools).toHaveLength(collections.length);
    for (const { parameters } of tools) expect(parameters.properties).not.toHaveProperty('collection_name');
    const [name] = [...collectionTools(collections)].find(([, of]) => of === collection_name) ?? [];
    const { body } = await run.call(String(name), others);
    expect(body).toEqual(goldRows());
    const refused = await run.call(String(name), { collection_name, ...others });
    expect(refused.status).toBe(400);
  });

  test('with a query text takes nothing else, answers the same, and says where a text is wrong', async () => {
    const run = await rookery.run({ sample_id: sample.sample_id, variant: 'dsl' });
    const [tool] = (await run.tools('plain')).tools;
    expect(Object.keys(propertiesOf(tool))).toEqual([QUERY_TEXT]);
    expect(tool?.description.length).toBeLessThanOrEqual(1024);
    const text = writeQueryText(goldArguments());
    const { body } = await run.call(QUERY_TOOL, { [QUERY_TEXT]: text });
    expect(body).toEqual(goldRows());
    const wrong = await run.call(QUERY_TOOL, { [QUERY_TEXT]: `${text} SORT` });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({
      code: 'INVALID_PARAMETERS',
      errors: [
        { field: QUERY_TEXT, message: expect.stringContaining(`character ${text.length + 2}: found SORT`) },
      ],
    });
    const twice = await run.call(QUERY_TOOL, { [QUERY_TEXT]: text, ...goldArguments() });
    expect(twice.status).toBe(400);
    const unknown = await run.call(QUERY_TOOL, { [QUERY_TEXT]: 'no_such_table' });
    expect(unknown.body).toMatchObject({ errors: [{ field: 'collection_name' }] });
  });

  test('is none of REST, has no shortlists of collections, and no language without its description', async () => {
    const rest = sample.sample_id.replace(/query$/, 'rest');
    await expect(rookery.tools(rest, 'plain', { variant: 'rationale' })).rejects.toThrow(
      'INVALID_PARAMETERS',
    );
    for (const wanted of [
      { variant: 'per-collection', tools: '50%' },
      { variant: 'dsl', descriptions: 'drop' },
    ] as const)
      await expect(rookery.tools(sample.sample_id, 'plain', wanted)).rejects.toThrow('INVALID_PARAMETERS');
  });
});

test('full descriptions say what properties are, and leave the description of the tool within 1,024 characters', async () => {
  const [full] = (await rookery.tools(sample.sample_id, 'plain', { descriptions: 'full' })).tools;
  const [plain] = (await rookery.tools(sample.sample_id, 'plain')).tools;
  expect(JSON.stringify(full).length).toBeGreaterThan(JSON.stringify(plain).length);
  for (const tool of [full, plain]) expect(tool?.description.length).toBeLessThanOrEqual(1024);
});
