import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, Rookery } from '../../client/index.ts';
import { printListAddress } from '../../services/agents/tool-lists/list-address.ts';
import { HARNESS_KEY, openSmallFarm, type SmallFarm } from '../../services/testing/small-farm.ts';
import { type Attacker, attackerAt } from './attacker.ts';

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const TASK = 'test/small/1/rest';
const GUESSED_KEYS = ['', 'undefined', 'null', 'harness', HARNESS_KEY.slice(0, -1), `${HARNESS_KEY}x`];

describe.each([
  ['open mode', false],
  ['exam mode', true],
])('an agent in %s', (_mode, exam) => {
  let small: SmallFarm;
  let harness: Rookery;
  let attacker: Attacker;

  beforeAll(async () => {
    const scorer = async () => ({ ledger: { pass: 1 } });
    small = await openSmallFarm({ exam, scorer });
    const address = await small.app.listen({ port: 0 });
    harness = new Rookery(address, { harnessKey: HARNESS_KEY });
    attacker = attackerAt(address);
  });
  afterAll(() => small.close());

  test.each([
    '/tasks/test/small/1/rest/tools?tools=0',
    '/tasks/test/small/1/rest/tools?tools=10%25&seed=3',
    '/tasks/test/small/1/rest/tools?withhold=gold',
    '/tasks/test/small/1/rest/tools?withhold=gold&format=openapi',
    '/mcp/tasks/test/small/1/rest?tools=0',
    '/mcp/tasks/test/small/1/rest?withhold=gold',
  ])('is not told by %s which tools are gold', async (path) => {
    expect(await attacker.code('GET', path)).toBe('HARNESS_ONLY');
    expect(await attacker.code('POST', path.replace('/tasks', '/mcp/tasks'))).not.toBe('');
  });

  test('cannot make the address of such a list itself', async () => {
    for (const options of [{ tools: '0' }, { tools: '10%', seed: 4 }, { withhold: 'gold' as const }]) {
      const address = printListAddress({
        subject: { task: TASK },
        options: {
          tools: '100%',
          withhold: 'none',
          obfuscate: false,
          descriptions: 'keep',
          seed: 0,
          ...options,
        },
      });
      for (const below of ['', '/tools', '/openapi.json', '/tasks', `/call/${PEOPLE}?min_age=1`, '/mcp']) {
        expect(await attacker.code('GET', `/lists/${address}${below}`), below).toBe('HARNESS_ONLY');
      }
    }
  });

  test('cannot begin a run whose tools or faults it chooses', async () => {
    for (const wanted of [
      { tools: '0' },
      { withhold: 'gold' },
      { tools: '5%', seed: 2 },
      { faults: 'none' },
    ]) {
      expect(await attacker.code('POST', '/runs', { sample_id: TASK, ...wanted })).toBe('HARNESS_ONLY');
    }
  });

  test('has no oracle: answers are not scored, and nothing is exported, whatever key it makes up', async () => {
    const run = await harness.run({ sample_id: TASK });
    await attacker.send('POST', `${run.base}/answer`, { answer: [['Ann', 30]] });
    for (const place of ['score', 'predictions']) {
      expect(await attacker.code('GET', `${run.base}/${place}`)).toBe('HARNESS_ONLY');
      for (const key of GUESSED_KEYS) {
        const carried: Record<string, string>[] = [
          { 'x-harness-key': key },
          { authorization: `Bearer ${key}` },
        ];
        for (const headers of carried) {
          expect(await attacker.code('GET', `${run.base}/${place}`, undefined, headers)).toBe('HARNESS_ONLY');
        }
      }
    }
    expect(await run.score()).toEqual({ ledger: { pass: 1 } });
  });

  test('reads no batch, not even that of its run', async () => {
    const batch = await harness.batch({ select: { formulation: 'rest' } });
    for (const below of ['', '/score', '/predictions']) {
      expect(await attacker.code('GET', `/runs/${batch.id}${below}`)).toBe('HARNESS_ONLY');
    }
    const own = await attacker.send('GET', batch.runs[0]?.base ?? '');
    expect(own.text).not.toContain(batch.id);
  });

  test('is not shown how its run was made, nor what was made to go wrong', async () => {
    const rules = [{ fault: 'unavailable' as const, rate: 1, retry_after_s: 1 }];
    const run = await harness.run({
      sample_id: TASK,
      tools: '25%',
      seed: 11,
      settings: { note: 'told-to-nobody' },
      agent: 'the-examined',
      faults: { name: 'told-to-nobody', seed: 1, rules },
    });
    const agent = AgentRun.at(harness.address(run.base));
    const [tool] = (await agent.tools('plain')).tools;
    const call = await attacker.send('POST', `${run.base}/call/${tool?.name}`, {});
    expect(call.status).toBe(503);
    expect(JSON.stringify(call.headers)).not.toMatch(/fault|unavailable/);
    const texts = [call.text];
    for (const below of [
      '',
      '/tools',
      '/tools?format=openai',
      '/tools?format=openapi',
      '/openapi.json',
      '/tasks',
    ]) {
      texts.push((await attacker.send('GET', `${run.base}${below}`)).text);
    }
    const done = await attacker.send('POST', `${run.base}/answer`, { answer: 1 });
    const all = [...texts, done.text].join('\n');
    expect(all).not.toMatch(/told-to-nobody|the-examined|withhold|toolset_size|"seed"|"options"|"fault/);
    expect(await run.view()).toMatchObject({ faults: { name: 'told-to-nobody' }, options: { tools: '25%' } });
  });

  test('learns nothing from metrics', async () => {
    expect(await attacker.code('GET', '/metrics')).toBe('HARNESS_ONLY');
  });

  test('has all that it needs below the address of its run', async () => {
    const run = AgentRun.at(harness.address((await harness.run({ sample_id: TASK })).base));
    expect(await run.read()).toMatchObject({
      question: 'Who is thirty or older, and how old?',
      status: 'open',
    });
    const { tools } = await run.tools('plain');
    expect(tools.length).toBe(20);
    const named = tools.find(({ name }) => name.includes('people_by_min_age'))?.name ?? '';
    expect(await run.call(named, { min_age: 40 })).toMatchObject({ ok: true, fault: null });
    expect(await run.answer([['Cid', 41]])).toMatchObject({ status: 'answered', calls: 1 });
  });
});

describe('in exam mode', () => {
  let small: SmallFarm;
  let harness: Rookery;
  let attacker: Attacker;

  beforeAll(async () => {
    small = await openSmallFarm({ exam: true });
    const address = await small.app.listen({ port: 0 });
    harness = new Rookery(address, { harnessKey: HARNESS_KEY });
    attacker = attackerAt(address);
  });
  afterAll(() => small.close());

  test.each([
    '/',
    '/tasks',
    `/tasks/${TASK}`,
    `/tasks/${TASK}/tools`,
    '/tools/small/rest',
    '/mcp/small/rest',
    `/mcp/tasks/${TASK}`,
    '/openapi/small.rest.json',
    '/openapi/rookery.json',
    '/docs/small',
    '/metrics',
    '/v1/test/small/people_by_min_age?min_age=1',
    '/v1/test/small/slot/toolset',
    '/v1/test/small/slot/start_tables',
  ])('%s is closed to agents and open to the harness', async (path) => {
    expect(await attacker.code('GET', path)).toBe('HARNESS_ONLY');
    const answer = await small.inject(path);
    expect(answer.body).not.toContain('HARNESS_ONLY');
  });

  test('a run that has spent its budget cannot go on outside of it', async () => {
    const run = await harness.run({ sample_id: TASK, budget: { calls: 1 } });
    const name = (await AgentRun.at(harness.address(run.base)).tools('plain')).tools[0]?.name ?? '';
    await attacker.send('POST', `${run.base}/call/${name}`, {});
    expect(await attacker.code('POST', `${run.base}/call/${name}`, {})).toBe('RUN_OVER');
    expect(await attacker.code('GET', '/v1/test/small/people_by_min_age?min_age=30')).toBe('HARNESS_ONLY');
    expect(await attacker.code('POST', '/v1/test/small/slot/filter_data', {})).toBe('HARNESS_ONLY');
    expect(await attacker.code('POST', '/runs', { sample_id: TASK })).toBe('HARNESS_ONLY');
    const list = printListAddress({
      subject: { db: 'small', formulation: 'rest', start_tables: [] },
      options: {
        tools: '100%',
        withhold: 'none',
        obfuscate: false,
        descriptions: 'keep',
        seed: 0,
      },
    });
    expect(await attacker.code('POST', `/lists/${list}/call/${name}`, {})).toBe('HARNESS_ONLY');
  });

  test('probes find the process well', async () => {
    expect((await attacker.send('GET', '/health/live')).status).toBe(200);
    expect((await attacker.send('GET', '/health/ready')).status).toBe(200);
  });
});
