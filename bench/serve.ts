import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSyntheticFarm } from './farms.ts';
import { MACHINE, writeResult } from './process.ts';
import {
  emitReport,
  measureNeighbours,
  measureStart,
  measureThroughput,
  type ServeReport,
} from './serve/measures.ts';

/**
 * `npm run bench:serve [-- --farm <folder>]`: throughput, start and latency of the compiled server; prints a
 * table and writes bench/results/serve.{json,md}. With a farm, the start is measured with its domains.
 */
const { values } = parseArgs({ options: { farm: { type: 'string' } } });
const [load = 0] = loadavg();
const folder = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  writeSyntheticFarm(folder, 25);
  const throughput = await measureThroughput(folder);
  const neighbours = await measureNeighbours(folder);
  const start = [await measureStart(2500, values.farm), await measureStart(25_000, values.farm)];
  const report: ServeReport = {
    machine: { ...MACHINE, loadBefore: load },
    startedFrom: values.farm === undefined ? 'synthetic domains' : 'domains of a given farm',
    throughput,
    neighbours,
    start,
  };
  writeResult('serve.json', report);
  writeResult('serve.md', emitReport(report));
  console.log(emitReport(report));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
