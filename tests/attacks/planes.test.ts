import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../contracts/package-root.ts';
import { DEFAULT_LIST } from '../../contracts/toolset-options.ts';
import { printListAddress } from '../../services/agents/toolsets/list-address.ts';
import { HARNESS_KEY } from '../../services/testing/small-farm.ts';
import { servedExam } from './served-exam.ts';

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const TASK = 'test/small/1/rest';
const GUESSED_KEYS = ['', 'undefined', 'null', 'harness', HARNESS_KEY.slice(0, -1), `${HARNESS_KEY}x`];

describe.each([
  ['open mode', false],
  ['exam mode', true],
])('an agent in %s', (_mode, exam) => {
  const served = servedExam({ exam, scorer: async () => ({ ledger: { pass: 1 } }) });

  test.each([
    '/tasks/test/small/1/rest/tools?tools=0',
    '/tasks/test/small/1/rest/tools?tools=10%25&seed=3',
    '/tasks/test/small/1/rest/tools?tools=fit:openai',
    '/tasks/test/small/1/rest/tools?tools=5&via=search',
    '/tasks/test/small/1/rest/tools?distractors=farm',
    '/tasks/test/small/1/rest/tools?withhold=gold',
    '/tasks/test/small/1/rest/tools?withhold=gold&format=openapi',
    '/mcp/tasks/test/small/1/rest?tools=0',
    '/mcp/tasks/test/small/1/rest?withhold=gold',
  ])('is not told by %s which tools are gold', async (path) => {
    expect(await served.attacker.code('GET', path)).toBe('HARNESS_ONLY');
    expect(await served.attacker.code('POST', path.replace('/tasks', '/mcp/tasks'))).not.toBe('');
  });

  test('cannot make the address of such a list itself', async () => {
    for (const options of [
      { tools: '0' },
      { tools: '10%', seed: 4 },
      { distractors: 'farm' as const },
      { withhold: 'gold' as const },
    ]) {
      const address = printListAddress({
        subject: { task: TASK },
        options: {
          ...DEFAULT_LIST,
          ...options,
        },
      });
      for (const below of ['', '/tools', '/openapi.json', '/tasks', `/call/${PEOPLE}?min_age=1`, '/mcp']) {
        expect(await served.attacker.code('GET', `/lists/${address}${below}`), below).toBe('HARNESS_ONLY');
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
      expect(await served.attacker.code('POST', '/runs', { sample_id: TASK, ...wanted })).toBe(
        'HARNESS_ONLY',
      );
    }
  });

  test('cannot say that its run broke, which would count for no failure', async () => {
    const run = await served.harness.run({ sample_id: TASK });
    const broken = { answer: null, error: 'rate limit' };
    expect(await served.attacker.code('POST', `${run.base}/answer`, broken)).toBe('HARNESS_ONLY');
    expect(await run.answer(null, { error: 'rate limit' })).toMatchObject({ status: 'answered' });
  });

  test('has no oracle: answers are not scored, and nothing is exported, whatever key it makes up', async () => {
    const run = await served.harness.run({ sample_id: TASK });
    await served.attacker.send('POST', `${run.base}/answer`, { answer: [['Ann', 30]] });
    expect(await served.attacker.code('GET', `/tasks/${TASK}/gold`)).toBe('HARNESS_ONLY');
    for (const place of ['score', 'review', 'predictions']) {
      expect(await served.attacker.code('GET', `${run.base}/${place}`)).toBe('HARNESS_ONLY');
      for (const key of GUESSED_KEYS) {
        const carried: Record<string, string>[] = [
          { 'x-harness-key': key },
          { authorization: `Bearer ${key}` },
        ];
        for (const headers of carried) {
          expect(await served.attacker.code('GET', `${run.base}/${place}`, undefined, headers)).toBe(
            'HARNESS_ONLY',
          );
        }
      }
    }
    expect(await run.score()).toEqual({ ledger: { pass: 1 } });
  });

  test('reads no batch, not even that of its run', async () => {
    const batch = await served.harness.batch({ select: { formulation: 'rest' } });
    for (const below of ['', '/score', '/review', '/predictions']) {
      expect(await served.attacker.code('GET', `/runs/${batch.id}${below}`)).toBe('HARNESS_ONLY');
    }
    const own = await served.attacker.send('GET', batch.runs[0]?.base ?? '');
    expect(own.text).not.toContain(batch.id);
  });

  test('is not shown how its run was made, nor what was made to go wrong', async () => {
    const rules = [{ fault: 'unavailable' as const, rate: 1, retry_after_s: 1 }];
    const run = await served.harness.run({
      sample_id: TASK,
      tools: '25%',
      seed: 11,
      settings: { note: 'told-to-nobody' },
      agent: 'the-examined',
      faults: { name: 'told-to-nobody', seed: 1, rules },
    });
    const agent = served.agentOf(run);
    const [tool] = (await agent.tools('plain')).tools;
    const call = await served.attacker.send('POST', `${run.base}/call/${tool?.name}`, {});
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
      texts.push((await served.attacker.send('GET', `${run.base}${below}`)).text);
    }
    const done = await served.attacker.send('POST', `${run.base}/answer`, { answer: 1 });
    const all = [...texts, done.text].join('\n');
    expect(all).not.toMatch(/told-to-nobody|the-examined|withhold|toolset_size|"seed"|"options"|"fault/);
    expect(await run.view()).toMatchObject({ faults: { name: 'told-to-nobody' }, options: { tools: '25%' } });
  });

  test('learns from metrics nothing of what was made to go wrong', async () => {
    const hidden = 'rookery_injected_faults_total';
    const { status, text } = await served.attacker.send('GET', '/metrics');
    expect([status, text.includes('rookery_runs_open'), text.includes(hidden)]).toEqual(
      exam ? [403, false, false] : [200, true, false],
    );
    expect((await served.small.inject('/metrics')).body).toContain(hidden);
  });

  test('has all that it needs below the address of its run', async () => {
    const run = served.agentOf(await served.harness.run({ sample_id: TASK }));
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
  const served = servedExam({ exam: true, console: packageRoot });

  test.each([
    '/',
    '/tasks',
    `/tasks/${TASK}`,
    `/tasks/${TASK}/tools`,
    `/tasks/${TASK}/gold`,
    '/tools/small/rest',
    '/mcp/small/rest',
    `/mcp/tasks/${TASK}`,
    '/catalog/small',
    '/board/board.json',
    '/farm',
    '/tools?query=people',
    '/console/console.js',
    '/openapi/small.rest.json',
    '/openapi/rookery.json',
    '/docs/small',
    '/metrics',
    '/v1/test/small/people_by_min_age?min_age=1',
    '/v1/test/small/slot/toolset',
    '/v1/test/small/slot/start_tables',
  ])('%s is closed to agents and open to the harness', async (path) => {
    expect(await served.attacker.code('GET', path)).toBe('HARNESS_ONLY');
    const answer = await served.small.inject(path);
    expect(answer.body).not.toContain('HARNESS_ONLY');
  });

  test('a run that has spent its budget cannot go on outside of it', async () => {
    const run = await served.harness.run({ sample_id: TASK, budget: { calls: 1 } });
    const name = (await served.agentOf(run).tools('plain')).tools[0]?.name ?? '';
    await served.attacker.send('POST', `${run.base}/call/${name}`, {});
    expect(await served.attacker.code('POST', `${run.base}/call/${name}`, {})).toBe('RUN_OVER');
    expect(await served.attacker.code('GET', '/v1/test/small/people_by_min_age?min_age=30')).toBe(
      'HARNESS_ONLY',
    );
    expect(await served.attacker.code('POST', '/v1/test/small/slot/filter_data', {})).toBe('HARNESS_ONLY');
    expect(await served.attacker.code('POST', '/runs', { sample_id: TASK })).toBe('HARNESS_ONLY');
    const list = printListAddress({
      subject: { db: 'small', formulation: 'rest', start_tables: [] },
      options: DEFAULT_LIST,
    });
    expect(await served.attacker.code('POST', `/lists/${list}/call/${name}`, {})).toBe('HARNESS_ONLY');
  });

  test('probes find the process well', async () => {
    expect((await served.attacker.send('GET', '/health/live')).status).toBe(200);
    expect((await served.attacker.send('GET', '/health/ready')).status).toBe(200);
  });
});
