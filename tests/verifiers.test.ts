import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { packageRoot } from '../contracts/package-root.ts';
import { type RunningServer, startServer } from '../services/server.ts';
import { farmOf } from './support/farms.ts';
import { scratchFolder } from './support/split-fixture.ts';

const STUB = join(packageRoot, 'tests', 'verifiers-stub');
const HANDLES = join(packageRoot, 'tests', 'support', 'python');
const ENVIRONMENT = join(packageRoot, 'adapters', 'verifiers');
const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
const harnessKey = 'the-key-of-the-trainer';

const rollout = z.object({
  total: z.number(),
  reward: z.number(),
  rows: z.number(),
  turns: z.number(),
  gold: z.number(),
});
const rolloutOfTask = z.looseObject({ key: z.string(), reward: z.number(), rows: z.number().optional() });
const worth = z.record(z.string(), z.array(rollout));

describe.skipIf(PYTHON === undefined)('the environment for verifiers', () => {
  const folder = scratchFolder();
  let farm: string;
  let server: RunningServer;
  beforeAll(async () => {
    farm = await farmOf('bundled');
    server = await startServer(farm, {
      port: 0,
      logger: false,
      only: ['vet_clinics'],
      agents: { runs: { place: join(folder, 'runs.sqlite') }, harnessKey, ...farmScorer(farm) },
    });
  });
  afterAll(() => server?.stop());

  /** The rewards of the rollouts that a stub's oracle plays. */
  async function play(stub: string, formulation: string): Promise<unknown> {
    const args = [
      join(stub, 'oracle.py'),
      server.address,
      join(farm, 'eval', 'vet_clinics.jsonl'),
      formulation,
    ];
    const env = {
      ...process.env,
      PYTHONPATH: [stub, HANDLES, ENVIRONMENT].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      ROOKERY_HARNESS_KEY: harnessKey,
    };
    return JSON.parse((await promisify(execFile)(PYTHON as string, args, { env })).stdout);
  }

  test.each(['rest', 'slot'])('rewards right answers, and nothing else: %s', async (formulation) => {
    const { right, wrong, silent, broken } = worth.parse(await play(STUB, formulation));
    // Three tasks of the stream in each of two worlds.
    expect(right).toHaveLength(6);
    for (const each of right ?? []) expect(each).toMatchObject({ total: 1.5, reward: 1, rows: 1 });
    for (const each of [wrong, silent, broken])
      expect(each?.map(({ reward }) => reward)).toEqual([0, 0, 0, 0, 0, 0]);
    // Who never answers has as many turns as the runner gives.
    for (const { turns, gold } of broken ?? []) expect(turns).toBe(gold + Math.max(10, Math.ceil(gold / 2)));
  });

  test.each(['rest', 'slot'])('as a taskset of v1 rewards the same: %s', async (formulation) => {
    const { right, said, wrong, silent } = z
      .record(z.string(), z.array(rolloutOfTask))
      .parse(await play(join(STUB, 'v1'), formulation));
    for (const each of [right, said])
      expect(each).toEqual(Array(6).fill(expect.objectContaining({ reward: 1, rows: 1 })));
    for (const each of [wrong, silent]) expect(each?.map(({ reward }) => reward)).toEqual(Array(6).fill(0));
    expect(new Set(right?.map(({ key }) => key)).size).toBe(3);
  });
});
