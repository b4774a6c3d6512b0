import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samplePath } from '../../contracts/paths.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { agentOptions, agentPlugin, buildApp, loadFarm, measureSearch } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const headers = { 'x-harness-key': 'the-key-of-this-test' };
let app: FastifyInstance;
let samples: readonly Sample[];
let endpoints: number;
const runs = scratchFolder();

beforeAll(async () => {
  const folder = await farmOf('bundled');
  samples = readFarm(folder).samples.filter(({ formulation }) => formulation === 'rest');
  const farm = await loadFarm(folder);
  endpoints = farm.domains.reduce((sum, { service }) => sum + service.endpoints.length, 0);
  const options = { harnessKey: headers['x-harness-key'], runs: { place: join(runs, 'runs.sqlite') } };
  app = await buildApp({ ...farm, logger: false, plugins: [agentPlugin(agentOptions(farm, options))] });
});
afterAll(() => app?.close());

const get = async (url: string, as: Record<string, string> = headers) => {
  const answer = await app.inject({ url, headers: as });
  return { status: answer.statusCode, body: answer.json() };
};
const post = async (url: string, payload: object) => {
  const answer = await app.inject({ method: 'POST', url, payload, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const toolsOf = ({ sample_id }: Pick<Sample, 'sample_id'>, query: string) =>
  get(`/tasks/${samplePath(sample_id)}/tools?${query}`);
const toolNamed = (list: { tools: { name: string; parameters: { properties: object } }[] }, name: string) =>
  list.tools.find((tool) => tool.name === name) as (typeof list.tools)[number];
const names = (list: { tools: { name: string }[] }) => list.tools.map(({ name }) => name);

describe('a toolset of the whole farm', () => {
  test('has every endpoint once, in the same order for every task', async () => {
    const [first, last] = [samples[0], samples.at(-1)] as [Sample, Sample];
    const list = (await toolsOf(first, 'scope=farm')).body;
    expect(first.dataset_name).not.toBe(last.dataset_name);
    expect(list).toMatchObject({ size: endpoints, toolset_size: endpoints });
    expect(new Set(names(list)).size).toBe(endpoints);
    for (const name of names(list)) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect((await toolsOf(last, 'scope=farm')).body.checksum).toBe(list.checksum);
  });

  test('is callable: gold calls answer as they do in their own domain', async () => {
    for (const sample of samples.filter((_, i) => i % 9 === 0)) {
      const call = sample.output[0] as Sample['output'][number];
      const own = (await toolsOf(sample, '')).body;
      const expected = await post(own.call.replace('{name}', call.name), call.arguments);
      expect(expected.status).toBe(200);
      const wide = (await toolsOf(sample, 'scope=farm')).body;
      expect(await post(wide.call.replace('{name}', call.name), call.arguments)).toEqual(expected);
      const hidden = (await toolsOf(sample, 'scope=farm&obfuscate=true&seed=5')).body;
      const shown = hidden.tools[hidden.real_names.indexOf(call.name)];
      // Arguments keep their order.
      const order = Object.keys(toolNamed(own, call.name).parameters.properties);
      const args = Object.keys(shown.parameters.properties).map((key, i) => [
        key,
        call.arguments[order[i] ?? ''],
      ]);
      const answer = await post(hidden.call.replace('{name}', shown.name), Object.fromEntries(args));
      expect(answer).toEqual(expected);
    }
  });

  test('is of endpoints only', async () => {
    const slot = samples[0]?.sample_id.replace(/rest$/, 'slot') as string;
    expect((await toolsOf({ sample_id: slot }, 'scope=farm')).body.code).toBe('INVALID_PARAMETERS');
  });

  test('has a shortlist of the domain, and of other domains once that has no more', async () => {
    const sample = samples[0] as Sample;
    const domain = names((await toolsOf(sample, '')).body);
    const first = (await toolsOf(sample, `scope=farm&tools=${domain.length}&seed=1`)).body;
    expect(names(first).sort()).toEqual([...domain].sort());
    const more = (await toolsOf(sample, `scope=farm&tools=${domain.length + 7}&seed=1`)).body;
    expect(more.size).toBe(domain.length + 7);
    expect(names(more)).toEqual(expect.arrayContaining(domain));
    const mixed = (await toolsOf(sample, `scope=farm&tools=${domain.length}&distractors=farm&seed=1`)).body;
    expect(names(mixed).filter((name) => !domain.includes(name)).length).toBeGreaterThan(0);
  });

  test('lends a shortlist its distractors, which tells of gold', async () => {
    const sample = samples[0] as Sample;
    const list = (await toolsOf(sample, 'tools=10&distractors=farm&seed=1')).body;
    expect(list.size).toBe(10);
    expect(names(list)).toContain(sample.output[0]?.name);
    const own = new Set(names((await toolsOf(sample, '')).body));
    expect(names(list).filter((name) => !own.has(name)).length).toBeGreaterThan(0);
    const refused = await get(`/tasks/${samplePath(sample.sample_id)}/tools?distractors=farm`, {});
    expect(refused.body.code).toBe('HARNESS_ONLY');
  });
});

describe('a toolset offered as a search', () => {
  test('is two tools of at most 1,500 tokens, with what is found in them', async () => {
    for (const scope of ['domain', 'farm']) {
      const list = (await toolsOf(samples[0] as Sample, `via=search&scope=${scope}`)).body;
      expect(names(list)).toEqual(['search_tools', 'call_tool']);
      expect(list.searchable).toBeGreaterThan(2);
      const found = await post(list.call.replace('{name}', 'search_tools'), { query: samples[0]?.input });
      expect(found.body.tools).toHaveLength(5);
      expect(list.tokens + JSON.stringify(found.body).length / 4).toBeLessThan(1500);
    }
  });

  test('finds what it calls: an agent that takes the first that is right answers the question', async () => {
    const sample = samples[0] as Sample;
    const gold = sample.output[0];
    const list = (await toolsOf(sample, 'via=search&scope=farm')).body;
    const call = (name: string, args: object) => post(list.call.replace('{name}', name), args);
    const found = await call('search_tools', { query: gold?.name, limit: 1 });
    expect(names(found.body)).toEqual([gold?.name]);
    const answer = await call('call_tool', { name: gold?.name, arguments: gold?.arguments });
    expect(answer.body.data.map(Object.values)).toEqual(sample.gold_answer);
    // Under its own name too: providers that search by themselves call it so.
    expect((await call(gold?.name as string, gold?.arguments ?? {})).body).toEqual(answer.body);
  });

  test('says what is wrong with a call', async () => {
    const { call } = (await toolsOf(samples[0] as Sample, 'via=search')).body;
    const refused = async (name: string, args: object) =>
      (await post(call.replace('{name}', name), args)).body;
    expect(await refused('search_tools', {})).toMatchObject({
      code: 'INVALID_PARAMETERS',
      errors: [{ field: 'query' }],
    });
    expect(await refused('search_tools', { query: 'x', limit: 99 })).toMatchObject({
      errors: [{ field: 'limit' }],
    });
    expect(await refused('call_tool', { name: 'no_such_tool', arguments: {} })).toMatchObject({
      code: 'UNKNOWN_TOOL',
    });
    expect(await refused('call_tool', { arguments: {} })).toMatchObject({ errors: [{ field: 'name' }] });
  });

  test('finds nothing that is withheld, and hides the names that the list hides', async () => {
    const sample = samples[0] as Sample;
    const gold = sample.output[0]?.name;
    const withheld = (await toolsOf(sample, 'via=search&withhold=gold')).body;
    const found = await post(withheld.call.replace('{name}', 'search_tools'), { query: gold, limit: 20 });
    expect(names(found.body)).not.toContain(gold);
    const hidden = (await toolsOf(sample, 'via=search&obfuscate=true')).body;
    const shown = await post(hidden.call.replace('{name}', 'search_tools'), { query: sample.input });
    for (const name of names(shown.body)) expect(name).toMatch(/^FUNC_\d+$/);
  });
});

describe('a run that searches', () => {
  test('records its searches, and predicts the calls of tools by their real names', async () => {
    const sample = samples[0] as Sample;
    const gold = sample.output[0] as Sample['output'][number];
    const request = { sample_id: sample.sample_id, via: 'search', scope: 'farm', obfuscate: true, seed: 4 };
    const { base } = (await post('/runs', request)).body;
    const call = (name: string, args: object) => post(`${base}/call/${name}`, args);
    const found = await call('search_tools', { query: `${sample.input} ${sample.evidence}`, limit: 20 });
    const wanted = (await toolsOf(sample, 'scope=farm&obfuscate=true&seed=4')).body;
    const name = names(wanted)[wanted.real_names.indexOf(gold.name)] as string;
    const shown = found.body.tools.find((tool: { name: string }) => tool.name === name);
    expect(shown, 'the right tool is among those found').toBeDefined();
    const order = Object.keys(toolNamed((await toolsOf(sample, '')).body, gold.name).parameters.properties);
    const args = Object.keys(shown.parameters.properties).map((key, i) => [
      key,
      gold.arguments[order[i] ?? ''],
    ]);
    const answer = await call('call_tool', { name, arguments: Object.fromEntries(args) });
    expect(answer.body.data.map(Object.values)).toEqual(sample.gold_answer);
    await call('call_tool', { name: 'FUNC_99999', arguments: { x: 1 } });
    await post(`${base}/answer`, { answer: sample.gold_answer });
    const { trajectory } = (await get(base)).body;
    expect(trajectory.map(({ tool, status }: { tool: string; status: number }) => [tool, status])).toEqual([
      ['search_tools', 200],
      ['call_tool', 200],
      ['call_tool', 404],
    ]);
    const predicted = (await app.inject({ url: `${base}/predictions`, headers })).body.trim().split('\n');
    expect(JSON.parse(predicted[1] ?? '').calls).toMatchObject([
      { name: gold.name, arguments: gold.arguments },
      { name: 'FUNC_99999', arguments: { x: 1 } },
    ]);
  });

  test('cannot be begun over the whole farm with tools of one domain', async () => {
    const slot = samples[0]?.sample_id.replace(/rest$/, 'slot');
    expect((await post('/runs', { sample_id: slot, scope: 'farm' })).body.code).toBe('INVALID_PARAMETERS');
  });

  test('has its two tools over MCP', async () => {
    const { base } = (await post('/runs', { sample_id: samples[0]?.sample_id, via: 'search' })).body;
    const address = await app.listen({ port: 0 });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`, address)));
    try {
      expect(names(await client.listTools())).toEqual(['search_tools', 'call_tool']);
      const found = await client.callTool({ name: 'search_tools', arguments: { query: samples[0]?.input } });
      expect((found.structuredContent as { tools: object[] }).tools).toHaveLength(5);
      const gold = samples[0]?.output[0];
      const answer = await client.callTool({
        name: 'call_tool',
        arguments: { name: gold?.name, arguments: gold?.arguments },
      });
      expect(answer.structuredContent).toHaveProperty('row_count');
    } finally {
      await client.close();
    }
  });
});

describe('the search of a provider', () => {
  test('gets every tool deferred, so that a model reads little at first', async () => {
    for (const format of ['anthropic-search', 'openai-responses-search']) {
      const list = (await toolsOf(samples[0] as Sample, `scope=farm&format=${format}`)).body;
      const plain = (await toolsOf(samples[0] as Sample, 'scope=farm')).body;
      const [search, ...rest] = list.tools;
      expect(search).not.toHaveProperty('defer_loading');
      const deferred = rest.flatMap((tool: { tools?: object[] }) => tool.tools ?? [tool]);
      expect(names({ tools: deferred }).sort()).toEqual(names(plain).sort());
      for (const tool of deferred) expect(tool).toHaveProperty('defer_loading', true);
      expect(list.checksum).toBe(plain.checksum);
      expect(list.tokens).toBeLessThan(1500);
    }
  });
});

describe('full descriptions', () => {
  const siblingIn = (description: string) => {
    const [, long, short] = /Not for(?:: .+; that is (\w+)| what (\w+) answers)/.exec(description) ?? [];
    return long ?? short ?? '';
  };
  const full = async (query: string) =>
    (await toolsOf(samples[0] as Sample, `descriptions=full&${query}`)).body;

  test('say what a tool is for, what it is not for, how much it answers and what its arguments may be', async () => {
    const list = await full('scope=farm');
    const known = new Set(names(list));
    for (const { name, description, parameters } of list.tools) {
      expect(description.length, name).toBeLessThanOrEqual(1024);
      expect(description, name).toMatch(/^\S.{10,}/);
      expect(description, name).toContain('`truncated`');
      const sibling = siblingIn(description);
      expect(known.has(sibling) && sibling !== name, `${name}: ${description}`).toBe(true);
      for (const { description: text } of Object.values<{ description: string }>(parameters.properties)) {
        expect(text, name).toMatch(/\w/);
      }
    }
    const told = list.tools.filter(({ description }: { description: string }) => /takes/.test(description));
    expect(told.length / list.size).toBeGreaterThan(0.5);
  });

  test('give no example that is the value of a question', async () => {
    const folder = await farmOf('bundled');
    const { domains } = await loadFarm(folder);
    let examples = 0;
    for (const { service } of domains) {
      const columnOf = (tool: string | undefined, name: string) => {
        const endpoint = service.endpoints.find(({ operation_id }) => operation_id === tool);
        return JSON.stringify(endpoint?.parameters.find((each) => each.name === name)?.column);
      };
      const used = new Set(
        samples
          .filter(({ dataset_name }) => dataset_name === service.db)
          .flatMap(({ output: [call] }) =>
            Object.entries(call?.arguments ?? {}).flatMap(([name, value]) =>
              [value].flat().map((each) => `${columnOf(call?.name, name)} ${each}`),
            ),
          ),
      );
      for (const { operation_id, parameters } of service.endpoints) {
        for (const { name, example } of parameters) {
          if (example === undefined) continue;
          examples++;
          expect(used).not.toContain(`${columnOf(operation_id, name)} ${example}`);
        }
      }
    }
    expect(examples).toBeGreaterThan(20);
  });

  test('name no tool that the list leaves out', async () => {
    const sample = samples[0] as Sample;
    const gold = sample.output[0]?.name as string;
    for (const query of ['withhold=gold', 'tools=5&seed=2', 'tools=5&obfuscate=true&seed=3']) {
      const list = await full(query);
      const offered = new Set(names(list));
      for (const { description } of list.tools) {
        const sibling = siblingIn(description);
        if (sibling !== '') expect(offered).toContain(sibling);
      }
      if (query.startsWith('withhold')) expect(JSON.stringify(list.tools)).not.toContain(`"${gold}"`);
    }
  });

  test('cost more than concise ones, and each list tells how much', async () => {
    const [concise, keep, all] = await Promise.all(
      ['concise', 'keep', 'full'].map(
        async (level) => (await toolsOf(samples[0] as Sample, `descriptions=${level}`)).body.tokens,
      ),
    );
    expect(concise).toBeLessThan(keep);
    expect(keep).toBeLessThan(all);
  });
});

describe('the search of tools', () => {
  test('finds what the questions of a farm need, among all its tools', async () => {
    const folder = await farmOf('bundled');
    const { domains, ...farm } = await loadFarm(folder);
    const { tasks } = agentOptions({ ...farm, domains }, {});
    const measured = measureSearch(
      domains.map(({ service }) => service),
      tasks.dbs.flatMap((db) => tasks.open(db).readAll()),
    );
    expect(measured).toMatchObject({ tools: endpoints, question: { questions: samples.length } });
    const [first = 0, , among20 = 0] = measured.question.found;
    expect(first / samples.length).toBeGreaterThan(0.6);
    expect(among20 / samples.length).toBeGreaterThan(0.95);
  });
});
