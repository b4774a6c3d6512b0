import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, Rookery } from '../../client/index.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';

const harnessKey = 'the-key-of-whoever-gives-the-exam';
const folder = mkdtempSync(join(tmpdir(), 'rookery-order-'));
const DB = 'vet_clinics';
let server: RunningServer;
let harness: Rookery;
/** Real names of the endpoints, in the order of the questions that they answer. */
let byQuestion: readonly string[];
let sampleId: string;

beforeAll(async () => {
  const farm = await farmOf('bundled');
  const runs = { file: join(folder, 'runs.sqlite') };
  server = await startServer(farm, { port: 0, logger: false, agents: { runs, harnessKey, exam: true } });
  harness = new Rookery(server.address, { harnessKey });
  const samples = readFarm(farm).samples.filter(
    ({ dataset_name, formulation }) => dataset_name === DB && formulation === 'rest',
  );
  sampleId = samples[0]?.sample_id ?? '';
  byQuestion = [...new Set(samples.flatMap(({ output }) => output.map(({ name }) => name)))];
}, 600_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** Spearman's rank correlation of places in the list with places in the order of the questions. */
function correlation(list: readonly string[]): number {
  const places = byQuestion.map((name) => list.indexOf(name)).filter((at) => at >= 0);
  const n = places.length;
  const ranks = [...places].sort((a, b) => a - b);
  const squares = places.map((at, i) => (ranks.indexOf(at) - i) ** 2);
  return 1 - (6 * squares.reduce((sum, square) => sum + square, 0)) / (n * (n * n - 1));
}

describe('the place of a tool in its list', () => {
  test('does not tell of which question it is', async () => {
    const run = AgentRun.at((await harness.run({ sample_id: sampleId })).address);
    const names = (await run.tools('plain')).tools.map(({ name }) => name);
    expect(byQuestion.length).toBeGreaterThan(30);
    expect(Math.abs(correlation(names))).toBeLessThan(0.4);
  });

  test('does not tell the real name of an obfuscated one', async () => {
    for (const seed of [1, 2, 3]) {
      const { tools, real_names = [] } = await harness.tools(sampleId, 'plain', { obfuscate: true, seed });
      expect(tools.map(({ name }) => name)).toEqual(tools.map((_, n) => `FUNC_${n}`));
      expect(Math.abs(correlation(real_names))).toBeLessThan(0.4);
    }
  });

  test('is told with the real names to the harness only', async () => {
    const run = AgentRun.at((await harness.run({ sample_id: sampleId, obfuscate: true })).address);
    expect(await run.tools('plain')).not.toHaveProperty('real_names');
  });
});
