import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Rookery, type Run } from '../client/index.ts';
import { withHandles } from '../console/chain.ts';
import type { Sample } from '../contracts/sample.ts';
import type { ToolAnswer } from '../contracts/tools.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { seededNumber } from '../services/base/seeded-order.ts';
import { bundledFarm } from './farms.ts';
import { MACHINE, median, quantile, startProcess, writeResult } from './process.ts';

/**
 * `npm run bench:runs [-- --farm <folder> --runs 200 --think 2000]`: the latency of a run's tool calls over
 * HTTP, against the compiled server, with a single agent and with many concurrent runs. Both play the gold
 * calls of the same SLOT tasks. The single agent makes its calls without pause; the concurrent ones pause
 * before each call as long as a model takes to write it (half to one and a half times `--think`
 * milliseconds), and start another run when one ends. Calls count while the intended number of runs is open.
 * Rounds of both alternate.
 */
const ROUNDS = 7;
const { values } = parseArgs({
  options: {
    farm: { type: 'string' },
    runs: { type: 'string', default: '200' },
    think: { type: 'string', default: '2000' },
  },
});
const wanted = Number(values.runs);
const thinkMs = Number(values.think);
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const folder = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
  const samples = new Map(readFarm(folder).samples.map((sample) => [sample.sample_id, sample]));
  const options = { cache: { bytes: 0 }, agents: { runs: { place: join(scratch, 'runs.sqlite') } } };
  const server = await startProcess('server', folder, JSON.stringify(options));
  const farm = new Rookery(server.address);
  const begin = async (agent: string): Promise<readonly Run[]> =>
    (await farm.batch({ select: { formulation: 'slot', sample: wanted, seed: 3 }, agent })).runs;
  const sampleOf = ({ task }: Run) => samples.get(task.sample_id) as Sample;

  const alone = async (): Promise<number[]> => {
    const calls: TimedCall[] = [];
    for (const run of await begin('alone')) calls.push(...(await play(run, sampleOf(run), () => 0)));
    return calls.map(({ ms }) => ms);
  };
  const together = async () => {
    const queue = [...(await begin('together')), ...(await begin('together'))];
    const calls: TimedCall[] = [];
    const began = performance.now();
    let ended = Number.POSITIVE_INFINITY;
    const work = async (who: number) => {
      const pause = (n: number) => thinkMs * (0.5 + seededNumber(1, who, n));
      for (let run = queue.pop(); run; run = queue.pop()) {
        if (queue.length === 0) ended = performance.now();
        calls.push(...(await play(run, sampleOf(run), pause)));
      }
    };
    await Promise.all(Array.from({ length: wanted }, (_, who) => work(who)));
    const counted = calls.filter(({ at }) => at < ended).map(({ ms }) => ms);
    return { times: counted, aSecond: (1000 * counted.length) / (ended - began) };
  };

  await alone();
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await alone();
    const { times: many, aSecond } = await together();
    rounds.push({
      alone_median: quantile(one, 0.5),
      alone_p99: quantile(one, 0.99),
      together_median: quantile(many, 0.5),
      together_p99: quantile(many, 0.99),
      p99_ratio: quantile(many, 0.99) / quantile(one, 0.99),
      calls_a_second: aSecond,
    });
    console.log(rounds.at(-1));
  }
  await server.stop();
  const report = {
    machine: MACHINE,
    farm: values.farm === undefined ? 'the bundled farm' : 'another farm',
    runs: wanted,
    think_ms: thinkMs,
    rounds: ROUNDS,
    // The median round of each figure; times in milliseconds.
    ...Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((name) => [
        name,
        Number(median(rounds.map((round) => round[name] as number)).toFixed(2)),
      ]),
    ),
  };
  writeResult('runs.json', report);
  console.log(report);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

interface TimedCall {
  /** Start and duration, in milliseconds. */
  readonly at: number;
  readonly ms: number;
}

async function play(run: Run, sample: Sample, pauseMs: (n: number) => number): Promise<TimedCall[]> {
  const handles = new Map(run.task.start_tables.map(({ label, handle }) => [label, handle]));
  const calls: TimedCall[] = [];
  for (const [n, call] of sample.output.entries()) {
    await setTimeout(pauseMs(n));
    const args = withHandles(call.arguments, handles);
    const at = performance.now();
    const { ok, body, text } = await run.call(call.name, args);
    calls.push({ at, ms: performance.now() - at });
    if (!ok) throw new Error(`${sample.sample_id}: ${call.name}: ${text}`);
    if (call.label !== undefined) handles.set(call.label, (body as ToolAnswer).handle);
  }
  await run.answer(null);
  return calls;
}
