import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { Rookery } from '../../client/index.ts';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Sample } from '../../contracts/sample.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { builtCommand } from '../support/built-package.ts';
import { starterFarm } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { type StartedCommand, startCommand } from '../support/start-command.ts';

const root = scratchFolder();

const KEY = 'the-harness-of-this-test';
const folder = join(root, 'farm');
let served: StartedCommand;

beforeAll(async () => {
  // Worlds are written beside it.
  cpSync(await starterFarm(), folder, { recursive: true });
  served = await serve('--score');
}, 600_000);
afterAll(() => served?.stop());

/** `rookery serve farm --world 'four green boats'` */
const serve = async (...more: string[]) =>
  startCommand(
    await builtCommand(),
    ['serve', folder, '--world', 'four green boats', '--port', '0', '--harness-key', KEY, ...more],
    root,
  );

function worldFolder(): string {
  const [name, ...others] = readdirSync(root).filter((each) => /^farm-world-[0-9a-f]{12}$/.test(each));
  expect(others).toEqual([]);
  return join(root, name ?? '');
}

/** A stored rollout of a batch, as `rookery score` reads it. */
async function predictionsOf(batch: string): Promise<string> {
  const headers = { 'x-harness-key': KEY };
  return (await fetch(`${served.address}/runs/${batch}/predictions`, { headers })).text();
}

/** The ids of samples that an agent passes which gives these answers. */
async function passes(answers: readonly Sample[]): Promise<string[]> {
  const farm = new Rookery(served.address, { harnessKey: KEY });
  const batch = await farm.batch({ select: { all: true }, agent: 'by heart' });
  const byId = new Map(answers.map((sample) => [sample.sample_id, sample.gold_answer]));
  for (const run of batch.runs) await run.answer(byId.get(run.task.sample_id) ?? null);
  const { samples } = await batch.score<{ samples: { sample_id: string; outcome: string }[] }>();
  return samples.filter(({ outcome }) => outcome === 'pass').map(({ sample_id }) => sample_id);
}

test('the served world has gold of its own, that passes, and the gold of the farm does not', async () => {
  const origin = readFarm(folder);
  const world = readFarm(worldFolder());
  const own = await passes(world.samples);
  expect(own).toEqual(world.samples.map(({ sample_id }) => sample_id));

  const byHeart = await passes(origin.samples);
  const before = new Map(origin.samples.map((sample) => [sample.sample_id, sample.gold_answer]));
  const same = world.samples.filter(({ sample_id, gold_answer, order_groups }) =>
    sameRows(gold_answer, before.get(sample_id) ?? [], order_groups),
  );
  expect(byHeart).toEqual(same.map(({ sample_id }) => sample_id));
  expect(byHeart.length).toBeLessThan(world.samples.length / 2);
});

test('rewards tell what is right in the farm too, and stored rollouts are judged the same', async () => {
  const harness = new Rookery(served.address, { harnessKey: KEY });
  const world = readFarm(worldFolder());
  const batch = await harness.batch({
    select: { formulation: 'rest', sample: 6, all: true },
    agent: 'caller',
  });
  for (const [i, run] of batch.runs.entries()) {
    const sample = world.byId.get(run.task.sample_id) as Sample;
    // Every other one has the answer from elsewhere.
    if (i % 2 === 0) for (const { name, arguments: args } of sample.output) await run.call(name, args);
    await run.answer(sample.gold_answer);
  }
  const { rewards } = await batch.verify();
  expect(rewards.map(({ reward, components, worlds }) => [reward, components.robust, worlds])).toEqual(
    batch.runs.map((_, i) => [1, i % 2 === 0 ? 1 : 0, { kept: 1, right: i % 2 === 0 ? 1 : 0 }]),
  );

  const [predictions, out] = ['predictions.jsonl', 'rewards.jsonl'].map((name) => join(root, name));
  writeFileSync(predictions as string, await predictionsOf(batch.id));
  const given = ['score', worldFolder(), predictions, '--rewards', out, '--resamples', '0'] as string[];
  const program = await createProgram([...given, '--robust-in', folder]);
  await program.parseAsync([...given, '--robust-in', folder], { from: 'user' });
  const lines = readFileSync(out as string, 'utf8')
    .trim()
    .split('\n');
  const again = new Map(lines.map((line) => [JSON.parse(line).sample_id, JSON.parse(line)]));
  expect(rewards.map(({ run_id: _, ...each }) => each)).toEqual(
    rewards.map(({ sample_id }) => again.get(sample_id)),
  );
});

test.each([
  [['--robust-in', 'farm', '--score'], 'is the farm itself, or given twice'],
  [['--robust-in', 'split', '--score'], 'holds no farm'],
  [['--robust-in', 'farm'], 'give --score'],
])('serve %s says what is wrong with it', async (words, fault) => {
  const given = [
    'serve',
    folder,
    '--port',
    '0',
    ...words.map((word) => (/^-/.test(word) ? word : join(root, word))),
  ];
  const program = await createProgram(given);
  await expect(program.parseAsync(given, { from: 'user' })).rejects.toThrow(fault);
});

test('a world that has been made is served again without being made again', async () => {
  const file = join(worldFolder(), 'farm.json');
  const [made, text] = [statSync(file).mtimeMs, readFileSync(file, 'utf8')];
  const again = await serve('--no-runs');
  await again.stop();
  expect([statSync(file).mtimeMs, readFileSync(file, 'utf8')]).toEqual([made, text]);
});
