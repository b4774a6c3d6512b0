import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenedFarm, openFarmAccess } from '../../cli/run/farm-access.ts';
import { report as reportSchema } from '../../eval/metrics/report.ts';
import { Seeded } from '../../runner/seeded.ts';
import { builtCommand } from '../support/built-package.ts';
import { farmOf } from '../support/farms.ts';
import { startGoldServer } from '../support/gold-server.ts';
import type { ModelFault } from '../support/model-server/model-server.ts';
import { scratchFolder } from '../support/split-fixture.ts';

/** A fifth of all requests goes wrong, each time in another way. */
const FAULTS: readonly ModelFault[] = [
  { fault: 'status', status: 429, headers: { 'retry-after-ms': '20' } },
  { fault: 'status', status: 500 },
  { fault: 'cut' },
  { fault: 'invalid_json' },
  { fault: 'status', status: 503 },
];
const faultOf = (n: number) => (n % 5 === 0 ? FAULTS[(n / 5) % FAULTS.length] : undefined);
const FORMULATIONS = ['rest', 'slot', 'sel'];
const EACH = 168;

const folder = scratchFolder();
let command: string;
let place: string;
let farm: OpenedFarm;
beforeAll(async () => {
  command = await builtCommand();
  place = await farmOf('bundled');
  farm = await openFarmAccess(place);
}, 600_000);
afterAll(() => farm?.close());

/** `rookery run` in a process of its own. */
function start(baseUrl: string, out: string): ChildProcess & { ended: Promise<number | null> } {
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, '{"scripted": {"input_per_million": 1000000, "output_per_million": 0}}');
  const args = [
    command,
    'run',
    place,
    ...['--agent', 'direct', '--model', 'openai/scripted', '--base-url', baseUrl, '--shots', '0'],
    ...['--formulation', FORMULATIONS.join(), '--sample', String(EACH), '--seed', '2', '--out', out],
    ...['--concurrency', '10', '--max-retries', '12', '--retry-wait', '10', '--prices', prices],
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, OPENAI_API_KEY: 'k' },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return Object.assign(child, { ended });
}

const cellOf = (out: string, formulation: string) => join(out, `openai-scripted-${formulation}`);

function linesOf(out: string, file: string): string[] {
  return FORMULATIONS.flatMap((formulation) => {
    const path = join(cellOf(out, formulation), file);
    return existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  });
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** A report without times and other values that depend on the clock. */
function figuresOf(out: string) {
  return FORMULATIONS.map((formulation) => {
    const { ledger, metrics, error_classes, samples } = reportSchema.parse(
      JSON.parse(readFileSync(join(cellOf(out, formulation), 'report.json'), 'utf8')),
    );
    return {
      ledger,
      intent: metrics.intent,
      slot: metrics.slot,
      error_classes,
      outcomes: samples.map(({ sample_id, outcome, ended_by }) => [sample_id, outcome, ended_by]),
    };
  });
}

test('a run that is killed in the middle goes on, each sample counts once, and the figures are those of an undisturbed run', async () => {
  const knows = (sample: { sample_id: string }) => new Seeded(1, sample.sample_id).integer(3) > 0;
  const calm = await startGoldServer(farm, { format: 'json_list', knows });
  const stormy = await startGoldServer(farm, { format: 'json_list', knows, faultOf, latencyMs: 25 });
  try {
    const undisturbed = join(folder, 'undisturbed');
    expect(await start(calm.address, undisturbed).ended).toBe(0);

    const killed = join(folder, 'killed');
    for (const atLeast of [100, 290]) {
      const child = start(stormy.address, killed);
      while (linesOf(killed, 'samples.jsonl').length < atLeast) {
        if (child.exitCode !== null) throw new Error(`it ended by itself: ${child.exitCode}`);
        await sleep(10);
      }
      child.kill('SIGKILL');
      await child.ended;
    }
    const recorded = linesOf(killed, 'samples.jsonl').length;
    expect(recorded).toBeGreaterThanOrEqual(290);
    expect(await start(stormy.address, killed).ended).toBe(0);

    const ids = linesOf(killed, 'predictions.jsonl').flatMap((line) => JSON.parse(line).sample_id ?? []);
    expect(ids.length).toBe(3 * EACH);
    expect(new Set(ids).size).toBe(3 * EACH);
    // Requests recorded before the kills were not repeated.
    expect(linesOf(killed, 'samples.jsonl').length).toBe(3 * EACH);
    expect(figuresOf(killed)).toEqual(figuresOf(undisturbed));
    // Reports say of each attempt how it ended, and whatever was paid for before a kill is in the cost.
    expect(
      figuresOf(killed).flatMap(({ outcomes }) =>
        outcomes.filter(([, outcome, ended]) => outcome !== 'not_run' && ended === null),
      ),
    ).toEqual([]);
    const paid = linesOf(killed, 'costs.jsonl').map((line) => JSON.parse(line).cost);
    expect(paid.length).toBeGreaterThanOrEqual(3 * EACH);
    const costs = FORMULATIONS.map(
      (formulation) => JSON.parse(readFileSync(join(cellOf(killed, formulation), 'run.json'), 'utf8')).cost,
    );
    expect(sumOf(costs)).toBeCloseTo(sumOf(paid), 6);
    expect(stormy.requests).toBeGreaterThan(3 * EACH * 1.15);
  } finally {
    await calm.stop();
    await stormy.stop();
  }
}, 600_000);
