import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Sample } from '../contracts/sample.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { measureCommits } from './episodes/measure-commits.ts';
import { measureEpisodes } from './episodes/measure-episodes.ts';
import { bundledFarm } from './farms.ts';

/**
 * `npm run bench:episodes [-- --farm <folder> --runs 16384 --steps 8000 --processes 2]`: what episodes of training cost, over HTTP
 * against the compiled server, with records in the file and in memory: making as many runs as wanted in batches, playing
 * the gold calls of SLOT tasks with 2,000 and with 4,096 requests in flight, verifying the runs that were played, and
 * the memory that the process has while all the others are open. Processor time is the server's alone.
 */
const { values } = parseArgs({
  options: {
    farm: { type: 'string' },
    runs: { type: 'string', default: '16384' },
    steps: { type: 'string', default: '8000' },
    processes: { type: 'string', default: '1' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const folder = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
  const samples = new Map<string, Sample>(readFarm(folder).samples.map((each) => [each.sample_id, each]));
  const wanted = {
    runs: Number(values.runs),
    steps: Number(values.steps),
    processes: Number(values.processes),
  };
  const commits = await measureCommits(join(scratch, 'commits.sqlite'));
  console.log(commits);
  const measured: Record<string, unknown> = {};
  for (const place of ['file', 'memory'] as const) {
    const runsFile = join(scratch, `${place}.sqlite`);
    measured[place] = await measureEpisodes({ folder, samples, place, runsFile, ...wanted });
    console.log(place, measured[place]);
  }
  const report = {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
    farm: values.farm === undefined ? 'the bundled farm' : 'another farm',
    ...wanted,
    commits,
    ...measured,
  };
  const results = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(
    join(results, wanted.processes > 1 ? `episodes-${wanted.processes}.json` : 'episodes.json'),
    `${JSON.stringify(report, null, 2)}\n`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
