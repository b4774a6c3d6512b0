import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reportPage } from '../cli/board.ts';
import { openFarm } from '../cli/score/open-farm.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { readPredictions } from '../eval/farm/read-predictions.ts';
import { scoreFarm } from '../eval/score/score-farm.ts';
import { buildConsole } from '../scripts/build/bundle.ts';
import { bundledFarm } from './farms.ts';
import { mixedPredictions } from './score/mixed-predictions.ts';
import { repeatFarm } from './score/repeat-farm.ts';

/**
 * `npx tsx bench/score.ts [--farm <folder>] [--count 10000]`: time to score that many predictions, of which half are
 * replayed through the services. Without a farm, one is generated from the bundled split. Prints the result and writes
 * it to bench/results/score.json.
 */
const { values } = parseArgs({
  options: { farm: { type: 'string' }, count: { type: 'string', default: '10000' } },
});
const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-score-'));
try {
  const original = values.farm ?? (await bundledFarm(join(folder, 'original')));
  const count = Number(values.count);
  const samples = repeatFarm(original, join(folder, 'farm'), count);
  const file = join(folder, 'predictions.jsonl');
  writeFileSync(
    file,
    mixedPredictions(samples)
      .map((prediction) => `${JSON.stringify(prediction)}\n`)
      .join(''),
  );

  await buildConsole(join(folder, 'console'));
  const seconds: Record<string, number> = {};
  const began = process.cpuUsage();
  let replayed = 0;
  const farm = timed('read farm', () => readFarm(join(folder, 'farm')));
  const predictions = timed('read predictions', () => readPredictions(file, farm));
  const open = await timed('open services', () => openFarm(join(folder, 'farm')));
  const report = await timed('score', () =>
    scoreFarm({
      farm,
      predictions,
      universe: open.universe,
      replay: (sample, calls) => {
        replayed++;
        return open.replay(sample, calls);
      },
    }),
  );
  const html = timed('write page', () => reportPage(report, join(folder, 'console')));
  await open.close();

  const cpu = process.cpuUsage(began);
  const result = {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
    predictions: count,
    replayed,
    seconds: Object.fromEntries(
      Object.entries(seconds).map(([name, value]) => [name, Number(value.toFixed(2))]),
    ),
    total_seconds: Number(
      Object.values(seconds)
        .reduce((sum, value) => sum + value, 0)
        .toFixed(2),
    ),
    // CPU time of all threads, which does not depend on other load.
    cpu_seconds: Number(((cpu.user + cpu.system) / 1e6).toFixed(2)),
    page_megabytes: Number((html.length / 1e6).toFixed(1)),
    ledger: report.ledger,
  };
  const results = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'score.json'), `${JSON.stringify(result, null, 2)}\n`);
  console.log(JSON.stringify(result, null, 2));

  function timed<T>(name: string, work: () => T): T {
    const started = performance.now();
    const stop = () => {
      seconds[name] = (performance.now() - started) / 1000;
    };
    const done = work();
    if (done instanceof Promise) done.then(stop);
    else stop();
    return done;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
