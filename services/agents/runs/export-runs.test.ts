import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prediction, predictionHeader } from '../../../contracts/prediction.ts';
import { begin, fails, farm, PEOPLE, post, send, useSmallFarm, view } from '../../testing/runs.ts';
import { predictionsOf } from './export-runs.ts';
import type { RunRecord } from './run-store.ts';
import { SqliteRuns } from './sqlite-runs.ts';

useSmallFarm();

describe('predictions', () => {
  test('have real names, the answer, the tools offered, and what was measured', async () => {
    const run = await begin('1/rest', {
      agent: 'p',
      obfuscate: true,
      tools: '25%',
      seed: 3,
      budget: { calls: 9 },
    });
    const { body: list } = await send('GET', `${run.base}/tools`);
    const people = list.tools.find((tool: { description: string }) =>
      tool.description.startsWith('people by'),
    );
    await post(`${run.base}/call/${people.name}`, { ARG_0: 30 });
    await post(`${run.base}/call/FUNC_99`, { ARG_0: 30 });
    await post(`${run.base}/answer`, { answer: [[1]], input_tokens: 7, output_tokens: 8 });
    expect((await send('GET', `${run.base}/predictions`)).text).toContain(PEOPLE);
    const store = SqliteRuns.read(join(farm.folder, 'runs.sqlite'));
    const text = await predictionsOf(store, [store.run(run.run_id) as RunRecord]);
    const [header, line] = text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    store.close();
    expect(predictionHeader.parse(header)).toMatchObject({
      model: 'p',
      farm_hash: 'f'.repeat(64),
      settings: { obfuscate: true, tools: '25%', seed: 3, budget: { calls: 9 }, faults: 'none' },
    });
    expect(prediction.parse(line)).toMatchObject({
      sample_id: 'test/small/1/rest',
      calls: [
        { name: PEOPLE, arguments: { min_age: 30 } },
        { name: 'FUNC_99', arguments: { ARG_0: 30 } },
      ],
      answer: [[1]],
      input_tokens: 7,
      tools_checksum: list.checksum,
    });
    expect(line.tools).toHaveLength(5);
    expect(line.tools).toContain(PEOPLE);
    const trajectory = (await view(run.base)).trajectory;
    expect(trajectory[0]).toMatchObject({ tool: people.name, arguments: { ARG_0: 30 } });
  });

  test('of obfuscated runs have full handles', async () => {
    const run = await begin('1/slot', { obfuscate: true });
    const { body: list } = await send('GET', `${run.base}/tools`);
    const toolOf = (start: string) =>
      list.tools.find((tool: { description: string }) => tool.description.startsWith(start));
    const call = async (start: string, ...args: unknown[]) => {
      const { name, parameters } = toolOf(start);
      const keys = Object.keys(parameters.properties);
      const body = Object.fromEntries(args.map((value, i) => [keys[i], value]));
      return (await post(`${run.base}/call/${name}`, body)).body;
    };
    const [{ handle }] = run.task.start_tables;
    const first = await call('Keeps the rows', handle, 'person_age', 30, 'equal_to');
    const most = await call('Computes one value from a column', `$${first.handle}$`, 'person_age', 'max');
    await call('Keeps the rows', first.handle, 'person_age', `$${most.handle}$`, 'equal_to');
    await post(`${run.base}/answer`, { answer: 1 });
    const store = SqliteRuns.read(join(farm.folder, 'runs.sqlite'));
    const [, line] = (await predictionsOf(store, [store.run(run.run_id) as RunRecord])).split('\n');
    store.close();
    const { calls } = JSON.parse(line ?? '');
    const [filtered, max] = [`filtered_${first.handle.slice(2)}`, `max_${most.handle.slice(2)}`];
    expect(calls).toMatchObject([
      { name: 'filter_data', handle: filtered, arguments: { data_source: handle } },
      { name: 'aggregate_data', handle: max, arguments: { data_source: `$${filtered}$` } },
      { name: 'filter_data', arguments: { data_source: filtered, value: `$${max}$` } },
    ]);
  });

  test('of a run with a spent budget are marked so: its calls are no answer', async () => {
    const run = await begin('1/rest', { budget: { calls: 1 } });
    for (const status of [200, 409]) {
      expect((await post(`${run.base}/call/${PEOPLE}`, { min_age: 30 })).status).toBe(status);
    }
    const lines = (await send('GET', `${run.base}/predictions`)).text.trim().split('\n');
    const line = JSON.parse(lines[1] ?? '');
    expect(line).toMatchObject({ out_of_budget: true, recorded: true, calls: [{ name: PEOPLE }] });
    expect(line).not.toHaveProperty('answer');
    expect(line).not.toHaveProperty('error');
    const within = await begin('1/rest', { budget: { calls: 1 } });
    await post(`${within.base}/call/${PEOPLE}`, { min_age: 30 });
    await post(`${within.base}/answer`, { answer: [['Ann', 30]] });
    expect((await send('GET', `${within.base}/predictions`)).text).not.toContain('out_of_budget');
  });

  test('of withheld gold are marked so', async () => {
    const run = await begin('1/rest', { withhold: 'gold' });
    expect(await fails(post(`${run.base}/call/${PEOPLE}`, { min_age: 1 }))).toBe('UNKNOWN_TOOL');
    await post(`${run.base}/answer`, { answer: null });
    const [, line] = (await send('GET', `${run.base}/predictions`)).text.trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ withheld: true });
    expect(JSON.parse(line ?? '').tools).not.toContain(PEOPLE);
  });
});
