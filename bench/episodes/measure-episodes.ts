import { Agent, request } from 'undici';
import { assembleAnswer, mapReferences } from '../../contracts/answer-rows.ts';
import type { CreatedBatch, CreatedRun, RunPlace } from '../../contracts/api.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type ToolAnswer, toolAnswer } from '../../contracts/tools.ts';
import { quantile, type ServerProcess, startProcess } from '../process.ts';
import { measureEcho } from './measure-echo.ts';

export interface EpisodesOptions {
  readonly folder: string;
  readonly samples: ReadonlyMap<string, Sample>;
  readonly place: RunPlace;
  readonly runsFile: string;
  /** To be open at once. */
  readonly runs: number;
  /** Calls to make at each load. */
  readonly steps: number;
  /** That share the port and the runs. */
  readonly processes: number;
}

const LOADS = [2000, 4096];
const BATCH = 1024;
const KEY = 'the-key-of-whoever-trains';

/**
 * Times are wall-clock milliseconds, `cpu` the server's processor time in milliseconds, in all its processes. `echo` is of a
 * bare server that is sent as many requests, as many at once, right afterwards; `of_echo` what a step takes by it.
 */
export async function measureEpisodes(options: EpisodesOptions): Promise<Record<string, number>> {
  const { folder, samples, place, runsFile, steps } = options;
  const keyed = ['--score', '--harness-key', KEY];
  const shared = options.processes > 1 ? ['--processes', String(options.processes)] : [];
  const words = ['serve', folder, '--port', '0', '--runs', runsFile, ...keyed, ...shared];
  const server = await startProcess('cli', ...words);
  const bare = await startProcess('bare');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 120_000 } });
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await request(server.address.replace(/\/$/, '') + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-harness-key': KEY },
      dispatcher,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  /** Batches of which a run is over. */
  const over = new Set<string>();
  const beginBatch = (seed: number) =>
    post<CreatedBatch>('/runs', {
      select: { formulation: 'slot', sample: BATCH, seed, all: true },
      agent: 'bench',
      record: place,
    });
  try {
    // What a server does once: tasks are read, and lists of tools made.
    const first = await beginBatch(0);
    const idleMb = server.familyMemoryMb();
    const batches: CreatedBatch[] = [];
    const created = await timed(server, async () => {
      for (let n = 0; n < options.runs; ) {
        const batch = await beginBatch(1 + batches.length);
        batches.push(batch);
        n += batch.runs.length;
      }
    });
    const runs = batches.flatMap((batch) => batch.runs);
    const report: Record<string, number> = {
      create_ms: created.ms / runs.length,
      create_cpu_ms: created.cpuMs / runs.length,
      open_mb: server.familyMemoryMb(),
      kb_a_run: (1024 * (server.familyMemoryMb() - idleMb)) / runs.length,
    };
    await play(first.runs, 64, steps / 4);
    for (const load of LOADS) {
      let played: Played = { steps: 0, errors: 0, times: [] };
      const { ms, cpuMs } = await timed(server, async () => {
        played = await play(runs, load, steps);
      });
      report[`steps_a_second_${load}`] = (1000 * played.steps) / ms;
      report[`step_cpu_ms_${load}`] = cpuMs / played.steps;
      report[`p99_ms_${load}`] = quantile(played.times, 0.99);
      report[`errors_${load}`] = played.errors;
      const echo = await measureEcho(bare, dispatcher, { atOnce: load, requests: steps });
      report[`echo_a_second_${load}`] = echo.perSecond;
      report[`echo_p99_ms_${load}`] = echo.p99Ms;
      report[`echo_cpu_ms_${load}`] = echo.cpuMs;
      report[`step_cpu_of_echo_${load}`] = cpuMs / played.steps / echo.cpuMs;
      report[`steps_of_echoes_${load}`] = (1000 * played.steps) / ms / echo.perSecond;
    }
    report.played_mb = server.familyMemoryMb();
    report.still_open = runs.length;
    let judged = 0;
    const verified = await timed(server, async () => {
      for (const id of over) {
        const { rewards } = await post<{ rewards: readonly unknown[] }>(`/runs/${id}/verify`, {});
        judged += rewards.length;
      }
    });
    report.verified = judged;
    report.verify_ms = verified.ms / judged;
    report.verify_cpu_ms = verified.cpuMs / judged;
    return Object.fromEntries(
      Object.entries(report).map(([name, value]) => [name, Number(value.toFixed(3))]),
    );
  } finally {
    await dispatcher.close();
    await Promise.all([server.stop(), bare.stop()]);
  }

  /** Plays runs from the end of the list, as many at once as wanted, until enough calls were made. */
  async function play(queue: CreatedRun[], atOnce: number, enough: number): Promise<Played> {
    const played = { steps: 0, errors: 0, times: [] as number[] };
    const work = async () => {
      while (played.steps < enough) {
        const run = queue.pop();
        if (!run) return;
        try {
          await playRun(run, samples.get(run.task.sample_id) as Sample, played);
        } catch (error) {
          // The first tells what the others are.
          if (played.errors++ === 0) console.warn(`${atOnce} in flight: ${error}`);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return played;
  }

  async function playRun(
    { base, batch_id, task }: CreatedRun,
    { output }: Sample,
    played: { steps: number; times: number[] },
  ) {
    const handles = new Map(task.start_tables.map(({ label, handle }) => [label, handle]));
    const answers: ToolAnswer[] = [];
    for (const call of output) {
      const args = mapReferences(call.arguments, (label) => {
        const handle = handles.get(label);
        return handle === undefined ? undefined : `$${handle}$`;
      });
      const began = performance.now();
      const answer = toolAnswer.parse(await post(`${base}/call/${call.name}`, args));
      played.times.push(performance.now() - began);
      played.steps++;
      answers.push(answer);
      if (call.label !== undefined) handles.set(call.label, answer.handle);
    }
    await post(`${base}/answer`, { answer: assembleAnswer(output, answers) });
    over.add(batch_id as string);
  }
}

interface Played {
  readonly steps: number;
  readonly errors: number;
  /** Of each call, in milliseconds. */
  readonly times: readonly number[];
}

async function timed(
  server: ServerProcess,
  work: () => Promise<void>,
): Promise<{ ms: number; cpuMs: number }> {
  const [cpu, began] = [server.familyCpuMicros(), performance.now()];
  await work();
  return { ms: performance.now() - began, cpuMs: (server.familyCpuMicros() - cpu) / 1000 };
}
