import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { farmScorer } from '../../../cli/score/farm-scorer.ts';
import { Rookery } from '../../../client/index.ts';
import { mapReferences } from '../../../contracts/answer-rows.ts';
import type { Reward } from '../../../contracts/judgement.ts';
import type { Sample } from '../../../contracts/sample.ts';
import { readFarm } from '../../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../../services/index.ts';
import { farmOf } from '../../support/farms.ts';
import { ask, type Door, nemoGym, openenvHttp, openenvSocket, ors, type Player } from './players.ts';

const harnessKey = 'the-key-of-the-trainer';
const folder = mkdtempSync(join(tmpdir(), 'rookery-doors-'));
let server: RunningServer;
let samples: readonly Sample[];
let doors: Readonly<Record<string, Door>>;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  server = await startServer(farm, {
    port: 0,
    logger: false,
    agents: { runs: { place: join(folder, 'runs.sqlite') }, harnessKey, ...farmScorer(farm) },
    door: [
      { name: 'ors', port: 0 },
      { name: 'nemo-gym', port: 0 },
      { name: 'openenv', port: 0 },
    ],
  });
  const { ors: orsAt = '', 'nemo-gym': gymAt = '', openenv: openenvAt = '' } = server.doorAddresses;
  samples = chosen(readFarm(farm).samples);
  const rows = new Map<string, unknown>();
  for (const { dataset_name, formulation } of samples) {
    const { text } = await ask(`${gymAt}/rows?db=${dataset_name}&formulation=${formulation}&all=true`);
    for (const line of text.trim().split('\n')) {
      const row = z.looseObject({ sample_id: z.string() }).parse(JSON.parse(line));
      rows.set(row.sample_id, row);
    }
  }
  doors = {
    // Below a path too, with the key of the harness in the header that the standard has.
    'ors by path': ors(`${server.address}/doors/ors`, { 'x-api-key': harnessKey }),
    ors: ors(orsAt),
    'nemo-gym': nemoGym(gymAt, rows),
    'openenv over HTTP': openenvHttp(openenvAt),
    'openenv over a WebSocket': openenvSocket(openenvAt),
  };
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** The first tasks of each formulation whose gold has several calls, where it can. */
function chosen(all: readonly Sample[]): Sample[] {
  return ['rest', 'slot', 'sel', 'query'].flatMap((formulation) => {
    const own = all.filter((sample) => sample.formulation === formulation);
    return [...own].sort((a, b) => b.output.length - a.output.length).slice(0, 2);
  });
}

/** Plays the gold calls, one of them twice and one that is refused; answers all that was answered. */
async function play(player: Player, sample: Sample, isRight: boolean) {
  const { output, initialization_step } = sample;
  const labels = initialization_step ? [initialization_step.label ?? 'starting_table_var'] : [];
  const more = (initialization_step?.arguments.additional_tables ?? []) as { label: string }[];
  const handles = new Map(
    [...labels, ...more.map(({ label }) => label)].map((l, i) => [l, player.startTables[i]]),
  );
  const answers: unknown[] = [await player.call('no_such_tool', {})];
  const played: { handle?: string }[] = [];
  for (const [at, call] of output.entries()) {
    const args = mapReferences(call.arguments, (label) => {
      const handle = handles.get(label);
      return handle === undefined ? undefined : `$${handle}$`;
    });
    const answer = (await player.call(call.name, args)) as { handle?: string };
    if (at === 0) answers.push(await player.call(call.name, args));
    played.push(answer);
    if (call.label !== undefined) handles.set(call.label, answer.handle);
  }
  const reward = await player.finish(isRight ? sample.gold_answer : [['no']]);
  player.close();
  return { answers: [...answers, ...played], reward };
}

/** The same over plain HTTP: a run, its calls, its answer, and its reward with all components. */
function plain(rewards: Reward[]): Door {
  const farm = new Rookery(server.address, { harnessKey });
  return async (sample_id) => {
    const run = await farm.run({ sample_id });
    return {
      startTables: run.task.start_tables.map(({ handle }) => handle),
      call: async (name, args) => (await run.call(name, args)).body,
      async finish(answer) {
        await run.answer(answer);
        const reward = await run.verify();
        rewards.push(reward);
        return reward.reward;
      },
      close() {},
    };
  };
}

test('the same episode gives the same rows, handles and reward through every door', async () => {
  for (const sample of samples) {
    for (const isRight of [true, false]) {
      const rewards: Reward[] = [];
      const expected = await play(await plain(rewards)(sample.sample_id), sample, isRight);
      expect(expected.reward, sample.sample_id).toBe(isRight ? 1 : 0);
      expect(rewards[0]?.penalties.redundant_calls).toBe(1);
      for (const [name, door] of Object.entries(doors)) {
        const seen = await play(await door(sample.sample_id), sample, isRight);
        expect(seen, `${sample.sample_id} by ${name}`).toEqual(expected);
      }
    }
  }
});
