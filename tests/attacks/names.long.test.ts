import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, Rookery } from '../../client/index.ts';
import type { Formulation } from '../../contracts/sample.ts';
import { SMALL_DOMAINS } from '../../databases/domains.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { MCP_ERAS, type McpEra, mcpClient } from '../../services/testing/runs.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { type Attacker, attackerAt } from './attacker.ts';
import { servedExam } from './served-exam.ts';

const harnessKey = 'the-key-of-whoever-gives-the-exam';
const folder = scratchFolder();
const SPLIT = 'bundled';
const DB = 'vet_clinics';
/** The split, the database, its title, and the ids that these are parts of, however they are written. */
const NAMES = new RegExp(
  [SPLIT, ...SMALL_DOMAINS].map((name) => `\\b${name.replaceAll('_', '[\\s_-]?')}\\b`).join('|'),
  'i',
);
let server: RunningServer;
let harness: Rookery;
let attacker: Attacker;
let sampleOf: (formulation: Formulation) => string;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  const runs = { place: `${folder}/runs.sqlite` };
  server = await startServer(farm, { port: 0, logger: false, agents: { runs, harnessKey, exam: true } });
  harness = new Rookery(server.address, { harnessKey });
  attacker = attackerAt(server.address);
  const { samples } = readFarm(farm);
  sampleOf = (formulation) =>
    samples.find((each) => each.dataset_name === DB && each.formulation === formulation)?.sample_id ?? '';
}, 600_000);
afterAll(() => server?.stop());

/** Every text that the agent of a run can have of it, by the address that answered. */
async function everything(base: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const ask = async (...request: Parameters<Attacker['send']>) => {
    const { text, headers } = await attacker.send(...request);
    texts.set(
      `${request[0]} ${request[1]} ${JSON.stringify(request[2] ?? {})}`,
      `${JSON.stringify(headers)}\n${text}`,
    );
    return text;
  };
  const formats = [
    ...['plain', 'openai', 'openai-responses', 'anthropic', 'mcp', 'openapi'],
    ...['openai-responses-search', 'anthropic-search'],
  ];
  for (const format of formats) await ask('GET', `${base}/tools?format=${format}`);
  const [task] = JSON.parse(await ask('GET', `${base}/tasks`)).tasks;
  for (const link of Object.values<string>(task.links)) await ask('GET', link);
  const { paths } = JSON.parse(await ask('GET', `${base}/openapi.json`));
  const [path = '', operations = {}] = Object.entries<object>(paths)[0] ?? [];
  const method = 'get' in operations ? 'GET' : 'POST';
  for (const wrong of ['', '?nonsense=1', '?limit=x']) {
    await ask(method, `${base}${path}${wrong}`, method === 'GET' ? undefined : { nonsense: 1 });
  }
  const search = { query: 'how many clinics are there in each group', limit: 20 };
  const found = JSON.parse(await ask('POST', `${base}/call/search_tools`, search)).tools ?? [];
  const [first = { name: 'x' }] = found as readonly { readonly name: string }[];
  await ask('POST', `${base}/call/call_tool`, { name: first.name, arguments: { nonsense: 1 } });
  const domain = path.startsWith('/v1/') ? path.split('/').slice(0, 3).join('/') : '/v1/none';
  // No guess at a name is among them: an answer may repeat what it was asked.
  for (const wrong of ['/v1/a/b/x', `${domain}/x`, `${domain}/slot/x`, '/call/x', '/tasks/x', '/v1/x']) {
    await ask('GET', `${base}${wrong}`);
    await ask('POST', `${base}${wrong}`, {});
  }
  const [listed] = JSON.parse(await ask('GET', `${base}/tools`)).tools;
  for (const era of MCP_ERAS) {
    for (const [i, text] of (
      await everythingOverMcp(`${server.address}${base}/mcp`, era, listed.name)
    ).entries()) {
      texts.set(`MCP ${era} ${i}`, text);
    }
  }
  await ask('GET', base);
  await ask('POST', `${base}/answer`, { answer: [['x']] });
  await ask('GET', base);
  await ask('GET', `${base}/score`);
  return texts;
}

/** Every text that an MCP server of one of the protocol's eras sends. */
async function everythingOverMcp(address: string, era: McpEra, tool: string): Promise<string[]> {
  const texts: string[] = [];
  const client = mcpClient(era);
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      // The stream that a GET opens ends with the session.
      if (init?.method === 'POST') {
        texts.push(`${JSON.stringify(Object.fromEntries(answer.headers))}\n${await answer.clone().text()}`);
      }
      return answer;
    },
  });
  await client.connect(transport);
  texts.push(JSON.stringify([client.getServerVersion(), client.getInstructions()]));
  await client.listTools();
  await client.listPrompts();
  await client.getPrompt({ name: 'task' });
  await client.getPrompt({ name: 'x' }).catch(() => {});
  for (const name of [tool, 'x']) await client.callTool({ name, arguments: { nonsense: 1 } }).catch(() => {});
  await client.close();
  expect(texts.length).toBeGreaterThan(6);
  return texts;
}

describe('in an exam', () => {
  test.each([
    ['rest', {}],
    ['slot', {}],
    ['sel', {}],
    ['query', {}],
    ['query', { obfuscate: true }],
    ['query', { via: 'search', descriptions: 'full' }],
    ['rest', { via: 'search' }],
    ['rest', { scope: 'farm', descriptions: 'full' }],
    ['rest', { obfuscate: true }],
    ['sel', { obfuscate: true, via: 'search' }],
    ['slot', { obfuscate: true, tools: '50%' }],
    ['sel', { obfuscate: true, descriptions: 'drop' }],
    ['rest', { descriptions: 'full' }],
    ['slot', { descriptions: 'full' }],
    ['rest', { scope: 'farm', via: 'search' }],
    ['rest', { scope: 'farm', obfuscate: true }],
  ] as const)('nothing below the address of a %s run (%j) names the split', async (formulation, options) => {
    const run = await harness.run({ sample_id: sampleOf(formulation), ...options, answer_tool: true });
    const texts = await everything(run.base);
    expect(texts.size).toBeGreaterThan(30);
    for (const [address, text] of texts) {
      const shown = NAMES.exec(text);
      expect(shown && text.slice(Math.max(0, shown.index - 80), shown.index + 80), address).toBeNull();
    }
    // The ids of questions are places in the benchmark.
    const { question_id, sample_id, difficulty } = JSON.parse(
      (await attacker.send('GET', `${run.base}/tasks`)).text,
    ).tasks[0];
    expect([question_id, sample_id]).toEqual([
      expect.stringMatching(/^q[0-9a-f]{12}$/),
      expect.stringMatching(/^t[0-9a-f]{12}$/),
    ]);
    expect(difficulty).toBeNull();
  });

  test('the address of a domain is its alias and no other, so a guess at its name is not confirmed', async () => {
    const run = await harness.run({ sample_id: sampleOf('rest') });
    const { paths } = JSON.parse((await attacker.send('GET', `${run.base}/openapi.json`)).text);
    const [path = ''] = Object.keys(paths);
    expect(path).toMatch(/^\/v1\/d[0-9a-f]{12}\/\w+$/);
    expect((await attacker.send('GET', `${run.base}${path}`)).status).not.toBe(404);
    const endpoint = path.split('/').at(-1);
    const guesses = [
      `/v1/${SPLIT}/${DB}/${endpoint}`,
      `/v1/${SPLIT}/elsewhere/${endpoint}`,
      `/v1/${DB}/${endpoint}`,
    ];
    for (const guess of guesses) {
      const answer = await attacker.send('GET', `${run.base}${guess}`);
      expect(JSON.parse(answer.text)).toMatchObject({ status: 404, code: 'UNKNOWN_DOMAIN' });
    }
  });

  test('an agent works by the names that it is given, and the record has the real ones', async () => {
    const { samples } = readFarm(await farmOf('bundled'));
    const sample = samples.find(({ sample_id }) => sample_id === sampleOf('rest'));
    const [gold] = sample?.output ?? [];
    const run = await harness.run({ sample_id: sampleOf('rest') });
    const agent = AgentRun.at(run.address);
    expect(await agent.call(gold?.name ?? '', gold?.arguments)).toMatchObject({ ok: true });
    await agent.answer(sample?.gold_answer);
    expect(await run.view()).toMatchObject({ sample_id: sampleOf('rest'), status: 'answered' });
    expect(run.task).toMatchObject({ sample_id: sampleOf('rest'), split: SPLIT, db: DB });
    const predictions = await (await harness.send(`${run.base}/predictions`)).text();
    expect(predictions).toContain(`"sample_id":"${sampleOf('rest')}"`);
    expect(predictions).toContain(`"name":"${gold?.name}"`);
  });

  test('aliases follow from the harness key: the same for the same key, others for another', async () => {
    const farm = await farmOf('bundled');
    const aliasWith = async (key: string) => {
      const options = { port: 0, logger: false, only: [DB] } as const;
      const file = `${folder}/${key}.sqlite`;
      const other = await startServer(farm, {
        ...options,
        agents: { runs: { place: file }, harnessKey: key, exam: true },
      });
      const at = new Rookery(other.address, { harnessKey: key });
      const run = await at.run({ sample_id: sampleOf('rest') });
      const { db } = await AgentRun.at(run.address).tools('plain');
      await other.stop();
      return db;
    };
    const mine = (
      await AgentRun.at((await harness.run({ sample_id: sampleOf('rest') })).address).tools('plain')
    ).db;
    expect(await aliasWith(harnessKey)).toBe(mine);
    expect(await aliasWith('another-key-of-the-exam')).not.toBe(mine);
  });
});

describe('tools of a farm whose names carry the split', () => {
  const served = servedExam();

  test('are called by the endpoint in an exam, and by their own names in the record', async () => {
    const real = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
    const run = await served.harness.run({ sample_id: 'test/small/1/rest' });
    const agent = served.agentOf(run);
    const { tools } = await agent.tools('plain');
    expect(tools.map(({ name }) => name)).toContain('people_by_min_age');
    expect(tools.filter(({ name }) => name.includes('test_small'))).toEqual([]);
    expect(await agent.call(real, { min_age: 40 })).toMatchObject({ ok: false, status: 404 });
    expect(await agent.call('people_by_min_age', { min_age: 40 })).toMatchObject({ ok: true });
    await agent.answer([['Cid', 41]]);
    expect((await run.view()).trajectory.map(({ tool, real_tool }) => [tool, real_tool])).toEqual([
      [real, undefined],
      ['people_by_min_age', real],
    ]);
    expect(JSON.stringify((await agent.read()).trajectory)).not.toContain('real_tool');
    const predictions = await (await served.harness.send(`${run.base}/predictions`)).text();
    expect(predictions).toContain(`"name":"${real}"`);
    const listed = await served.harness.tools('test/small/1/rest', 'plain');
    expect(listed.real_names?.[listed.tools.findIndex(({ name }) => name === 'people_by_min_age')]).toBe(
      real,
    );
  });
});
