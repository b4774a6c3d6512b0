import { describe, expect, test } from 'vitest';
import type { Run } from '../../client/index.ts';
import { servedExam } from './served-exam.ts';

const TASK = 'test/small/1/slot';
const OLDER = { key_name: 'person_age', condition: 'greater_than_equal_to', value: 30 };

describe('handles in an exam', () => {
  const served = servedExam();

  const start = () => served.small.service.start_tables[0]?.handle ?? '';
  const begin = () => served.harness.run({ sample_id: TASK });
  const call = (run: Run, name: string, args: object) => served.agentOf(run).call(name, args);
  const handleOf = async (run: Run) => {
    const { body } = await call(run, 'filter_data', { data_source: start(), ...OLDER });
    return (body as { handle: string }).handle;
  };

  test('of another run are unknown, in whatever place and form', async () => {
    const theirs = await handleOf(await begin());
    const run = await begin();
    const bare = `t_${theirs.slice(-12)}`;
    const column = { key_name: 'person_age', condition: 'equal_to' };
    for (const args of [
      { data_source: theirs, ...OLDER },
      { data_source: `$${theirs}$`, ...OLDER },
      { data_source: bare, ...OLDER },
      { data_source: `other_${theirs.slice(-12)}`, ...OLDER },
      { data_source: start(), ...column, value: `$${theirs}$` },
      { data_source: start(), ...column, value: bare },
      { data_source: start(), ...column, condition: 'in', value: [1, theirs] },
    ]) {
      const answer = await call(run, 'filter_data', args);
      expect([answer.status, (answer.body as { code: string }).code], JSON.stringify(args)).toEqual([
        404,
        'UNKNOWN_HANDLE',
      ]);
    }
    expect((await run.view()).trajectory).toHaveLength(7);
  });

  test('of another run are told in the words for those that nobody has', async () => {
    const theirs = await handleOf(await begin());
    const run = await begin();
    const told = async (data_source: string) =>
      (await call(run, 'filter_data', { data_source, ...OLDER })).text.replaceAll(data_source, 'H');
    expect(await told(theirs)).toBe(await told('filtered_0123456789ab'));
  });

  test('of a run itself and of its start tables are its own, once its calls have been answered with them', async () => {
    const theirs = await handleOf(await begin());
    const run = await begin();
    const before = await call(run, 'retrieve_data', { data_source: theirs, key_name: 'person_name' });
    expect(before.status).toBe(404);
    // Handles are made of what they stand for: the same call, the same handle.
    expect(await handleOf(run)).toBe(theirs);
    const after = await call(run, 'retrieve_data', { data_source: theirs, key_name: 'person_name' });
    expect(after).toMatchObject({ ok: true, body: { values: ['Ann', null, 'Cid', 'Dee'] } });
  });

  test('start tables of other tasks are not of the run', async () => {
    const other = served.small.service.start_tables.find(({ handle }) => handle !== start());
    expect(other).toBeDefined();
    const answer = await call(await begin(), 'filter_data', { data_source: other?.handle, ...OLDER });
    expect(answer.status).toBe(404);
    const made = await call(await begin(), 'initialize_active_data', {
      condition_sequence: [],
      alias_to_table_dict: {},
    });
    expect(made.body).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  test('keep apart in obfuscated runs too, in the names of their lists', async () => {
    const theirs = await handleOf(await begin());
    const run = await served.harness.run({ sample_id: TASK, obfuscate: true, seed: 5 });
    const { tools } = await served.agentOf(run).tools('plain');
    const filter = tools.find(({ parameters }) => Object.keys(parameters.properties ?? {}).length === 4);
    const args = Object.keys(filter?.parameters.properties ?? {});
    const shape = { [args[0] ?? '']: `t_${theirs.slice(-12)}`, [args[1] ?? '']: 'person_age' };
    const answer = await call(run, filter?.name ?? '', shape);
    expect(answer.body).toMatchObject({ code: 'UNKNOWN_HANDLE' });
    expect(answer.text).not.toMatch(/data_source|filter_data|filtered_/);
  });
});

describe('handles in open mode', () => {
  const served = servedExam({ exam: false });

  test('are the same for everybody', async () => {
    const start = served.small.service.start_tables[0]?.handle ?? '';
    const [one, other] = [
      await served.harness.run({ sample_id: TASK }),
      await served.harness.run({ sample_id: TASK }),
    ];
    const { body } = await one.call('filter_data', { data_source: start, ...OLDER });
    const data_source = (body as { handle: string }).handle;
    expect(await other.call('retrieve_data', { data_source, key_name: 'person_name' })).toMatchObject({
      ok: true,
    });
  });
});
