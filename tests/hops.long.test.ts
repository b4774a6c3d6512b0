import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importBfcl } from '../adapters/bfcl/export.ts';
import { exportDialogues } from '../adapters/bfcl/export-dialogues.ts';
import { emitPredictions } from '../adapters/imports.ts';
import { writeTo } from '../adapters/testing/exported.ts';
import { openLiveScorer } from '../cli/score/live-scorer.ts';
import type { Sample } from '../contracts/sample.ts';
import { dialogueFarm } from './support/farms.ts';
import { servedFarm } from './support/served-farm.ts';

const DOMAINS = ['city_permits', 'football_league', 'insurer_claims'] as const;

/** A farm of the bundled dialogues that go from one of these domains into another. */
const hopFarm = () =>
  dialogueFarm('farm-hops', DOMAINS, (all) =>
    all.filter(({ dialogue }) => dialogue.turns.some(({ db_id }) => db_id !== undefined)),
  );

const served = servedFarm({ make: hopFarm });
const rest = { formulation: 'rest' as const, category: 'dialogue' as const };

function dialogues(): Sample[] {
  return (served.farm.samples ?? []).filter(({ turns }) => turns !== undefined);
}

function goldOf(id: string): Sample {
  const sample = served.farm.samples?.find(({ sample_id }) => sample_id === id);
  if (sample === undefined) throw new Error(`no sample ${id}`);
  return sample;
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await served.farm.client.send(path, init)).json()) as T;
}

test('each dialogue is a task in REST, whose turns are those of two domains', () => {
  expect(dialogues().length).toBeGreaterThan(3);
  for (const { formulation, dataset_name, turns = [] } of dialogues()) {
    expect(formulation).toBe('rest');
    const asked = new Set(turns.map(({ sample_id }) => goldOf(sample_id).dataset_name));
    expect(asked.size).toBe(2);
    expect([...asked][0]).toBe(dataset_name);
  }
});

test('the oracle and a model that plays gold pass, and an agent without memory passes first turns only', async () => {
  for (const agent of [{ agent: 'oracle' }, { agent: 'tools', model: 'mock/gold' }]) {
    const { report } = await served.run({ ...rest, ...agent });
    expect(report.dialogues?.dialogues.n).toBe(dialogues().length);
    expect(report.dialogues?.dialogues.passed, JSON.stringify(report.samples)).toBe(dialogues().length);
    expect(report.metrics.completion.value).toBe(1);
  }
  const { report } = await served.run({ ...rest, agent: 'memoryless' });
  const [first, ...others] = report.dialogues?.turns ?? [];
  expect(first?.passed).toBe(first?.n);
  expect(others.map(({ passed }) => passed)).toEqual(others.map(() => 0));
});

test.each(['multi_turn', 'miss_func'] as const)(
  'the oracle passes %s, with twenty tools of both',
  async (category) => {
    const { report, records } = await served.run({ ...rest, agent: 'oracle', category });
    expect(report.dialogues?.dialogues.n).toBeGreaterThan(2);
    expect(report.metrics.completion.value).toBe(1);
    for (const { tools } of records) expect(tools === null || tools.length === 20).toBe(true);
  },
);

describe('a run', () => {
  interface Begun {
    readonly base: string;
    readonly task: { readonly toolset_size: number };
  }

  /** Plays the gold of each turn, and answers it, unless `answers` has something else to say. */
  async function play({ sample_id, turns = [] }: Sample, answers: (gold: Sample, turn: number) => unknown) {
    const run = await ask<Begun>('/runs', { sample_id });
    for (const [i, turn] of turns.entries()) {
      const gold = goldOf(turn.sample_id);
      for (const { name, arguments: args } of gold.output) {
        const { row_count } = await ask<{ row_count: number }>(`${run.base}/call/${name}`, args);
        expect(row_count).toBe(gold.gold_answer.length);
      }
      await ask(`${run.base}/say`, { answer: answers(gold, i + 1) });
    }
    return run;
  }

  async function verdicts({ base }: Begun) {
    const text = await (await served.farm.client.send(`${base}/predictions`)).text();
    const scorer = await openLiveScorer(await hopFarm());
    onTestFinished(() => scorer.close());
    const [[reward], [review]] = [await scorer.verify(text), await scorer.review(text)];
    return { reward, parts: review?.parts.map(({ passes }) => passes) };
  }

  test('has the tools of both domains, also at their own addresses and as a shortlist', async () => {
    for (const sample of dialogues()) {
      const { sample_id, dataset_name, turns = [], toolset } = sample;
      const names = (base: string) => ask<{ tools: { name: string }[] }>(`${base}/tools`);
      const run = await ask<Begun>('/runs', { sample_id });
      const { paths } = await ask<{ paths: object }>(`${run.base}/openapi.json`);
      const offered = (await names(run.base)).tools;
      expect(offered).toHaveLength(toolset.size + 1);
      expect(run.task.toolset_size).toBe(toolset.size);
      const due = new Set(turns.flatMap(({ tools = [] }) => tools));
      const few = await ask<Begun>('/runs', { sample_id, tools: String(due.size) });
      expect((await names(few.base)).tools).toHaveLength(due.size + 1);
      const away = turns
        .map((turn) => goldOf(turn.sample_id))
        .find((gold) => gold.dataset_name !== dataset_name);
      const path = away?.output[0]?.path ?? '';
      expect(Object.keys(paths)).toContain(path);
      const query = new URLSearchParams(
        Object.entries(away?.output[0]?.arguments ?? {}).flatMap(([key, value]) =>
          [value].flat().map((one): [string, string] => [key, String(one)]),
        ),
      );
      expect(await ask(`${run.base}${path}?${query}`)).toEqual(away?.output_after_executing_api);
    }
  });

  test('is judged and rewarded turn by turn', async () => {
    const [sample] = dialogues() as [Sample];
    const count = sample.turns?.length ?? 0;
    const right = await verdicts(await play(sample, ({ gold_answer }) => gold_answer));
    expect(right.reward).toMatchObject({
      reward: 1,
      components: { completion: 1, rows: 1, calls: 1, slots: 1 },
    });
    expect(right.parts).toEqual(Array.from({ length: count }, () => true));
    const wrong = await verdicts(
      await play(sample, ({ gold_answer }, turn) => (turn === 2 ? [['no']] : gold_answer)),
    );
    expect(wrong.reward?.reward).toBe(0);
    expect(wrong.reward?.components.rows).toBeCloseTo((count - 1) / count);
    expect(wrong.parts?.map((passes, i) => [i + 1, passes]).filter(([, passes]) => !passes)).toEqual([
      [2, false],
    ]);
  });

  test('that never talks to the user has answered no dialogue', async () => {
    const [sample] = dialogues() as [Sample];
    const run = await ask<Begun>('/runs', { sample_id: sample.sample_id });
    await ask(`${run.base}/answer`, { answer: sample.gold_answer });
    const { reward, parts } = await verdicts(run);
    expect(reward?.reward).toBe(0);
    expect(parts).toEqual((sample.turns ?? []).map((_, i) => i === 0));
  });
});

const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(PYTHON === undefined)(
  'the class that is exported to BFCL answers the calls of both domains',
  async () => {
    const samples = served.farm.samples ?? [];
    const tasks = { universe: served.open.universe, rulesOf: () => [] };
    const folder = writeTo(exportDialogues(samples, tasks, { size: null, seed: 1, evidence: false }));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { stdout } = await promisify(execFile)(PYTHON as string, ['-c', PLAY], {
      cwd: folder,
      env: { ...process.env, ROOKERY_URL: served.farm.client.address(''), no_proxy: '*' },
      maxBuffer: 1e8,
    });
    const played: { sample_id: string; answers: unknown[] }[] = JSON.parse(stdout);
    expect(new Set(played.map(({ sample_id }) => sample_id)).size).toBe(dialogues().length);
    for (const { sample_id, answers } of played) {
      const turns = goldOf(sample_id).turns?.map((turn) => goldOf(turn.sample_id).output_after_executing_api);
      expect(answers).toEqual(turns);
    }
  },
);

test("results of BFCL's runner that do what is due are right when they are read back", async () => {
  const samples = served.farm.samples ?? [];
  const tasks = { universe: served.open.universe, rulesOf: () => [] };
  const folder = writeTo(exportDialogues(samples, tasks, { size: null, seed: 1, evidence: false }));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const scorer = await openLiveScorer(await hopFarm());
  onTestFinished(() => scorer.close());
  for (const kind of ['base', 'miss_func', 'miss_param']) {
    const answers = readFileSync(
      join(folder, `possible_answer/BFCL_v4_farm_multi_turn_${kind}.json`),
      'utf8',
    );
    const results = answers
      .trimEnd()
      .split('\n')
      .map((text) => {
        const { id, ground_truth } = JSON.parse(text) as { id: string; ground_truth: string[][] };
        return JSON.stringify({
          id,
          result: ground_truth.map((calls) => [`[${calls.join(', ')}]`, 'Done.']),
        });
      });
    const file = join(folder, `BFCL_v4_farm_multi_turn_${kind}_result.json`);
    writeFileSync(file, results.join('\n'));
    const { predictions } = importBfcl(file, join(folder, 'farm_samples.jsonl'));
    const rewards = await scorer.verify(emitPredictions({}, predictions));
    expect(rewards).toHaveLength(results.length);
    expect(rewards.map(({ reward }) => reward)).toEqual(rewards.map(() => 1));
  }
});

/** Plays what is due in each exported dialogue, as BFCL does: methods of one instance, called in Python. */
const PLAY = `
import glob, json, rookery_farm
played = []
for file in sorted(glob.glob("BFCL_v4_*.json")):
    for question, answer in zip(open(file), open("possible_answer/" + file)):
        [(name, scenario)] = json.loads(question)["initial_config"].items()
        own = getattr(rookery_farm, name)()
        own._load_scenario(scenario)
        calls = [call for turn in json.loads(answer)["ground_truth"] for call in turn]
        played.append({**scenario, "answers": [eval("own." + call) for call in calls]})
print(json.dumps(played))
`;
