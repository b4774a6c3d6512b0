import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Sample } from '../contracts/sample.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { bundledFarm } from './farms.ts';
import { startProcess } from './process.ts';
import { ToolClient } from './tool-client.ts';
import { BIG_ROWS, makeBigFarm, measureBigJoin } from './tools/big-join.ts';
import { measureTasks, type TaskTimes } from './tools/measure-tasks.ts';
import { tenCallTasks } from './tools/ten-calls.ts';

/**
 * `npm run bench:tools [-- --farm <folder>]`: how long SLOT and SEL tasks take over HTTP against the compiled server,
 * call after call with previews, as an agent makes them; and what a start table over three large tables costs. The
 * tables go to the screen and to bench/results/tools.{json,md}.
 */
const { values } = parseArgs({ options: { farm: { type: 'string' } } });
const scratch = mkdtempSync(join(tmpdir(), 'rookery-bench-'));
try {
  const farm = values.farm ?? (await bundledFarm(join(scratch, 'farm')));
  const tasks = await onServer(farm, (client) => measureFarm(farm, client));
  const join100k = await onServer(await makeBigFarm(scratch), measureBigJoin);
  const report = {
    machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
    farm: values.farm === undefined ? 'the bundled farm' : 'another farm',
    tasks,
    big_join: join100k,
  };
  const text = `# Tools, measured

${report.machine.cpu}, ${report.machine.cores} cores, Node ${report.machine.node}, ${report.farm}. Written by \`npm run bench:tools\`.

| tasks over HTTP, no answer kept | tasks | calls | median | p95 | longest | over 50 ms |
|---|--:|--:|--:|--:|--:|--:|
${tasks.map(emitTasks).join('\n')}

| a start table over three tables of ${BIG_ROWS.toLocaleString('en')} rows | |
|---|--:|
${join100k.map(({ step, ms }) => `| ${step} | ${ms.toFixed(1)} ms |`).join('\n')}
`;
  const results = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'tools.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(results, 'tools.md'), text);
  console.log(text);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measureFarm(farm: string, client: ToolClient): Promise<TaskTimes[]> {
  const samples = readFarm(farm).samples.filter(({ formulation }) => formulation !== 'rest');
  const of = (formulation: string) => samples.filter((sample) => sample.formulation === formulation);
  const long = of('slot').filter(({ output }) => output.length >= 10);
  const rows: [name: string, samples: readonly Sample[]][] = [
    ['SLOT', of('slot')],
    ['SEL', of('sel')],
    ['SLOT, ten calls or more', long],
    ['ten calls over every row of the largest start tables', tenCallTasks(farm, samples[0] as Sample)],
  ];
  const times: TaskTimes[] = [];
  for (const [name, each] of rows) if (each.length > 0) times.push(await measureTasks(name, each, client));
  return times;
}

async function onServer<T>(farm: string, measure: (client: ToolClient) => Promise<T>): Promise<T> {
  const server = await startProcess('server', farm, JSON.stringify({ cache: { bytes: 0 } }));
  const client = new ToolClient(server.address);
  try {
    return await measure(client);
  } finally {
    await client.close();
    await server.stop();
  }
}

function emitTasks({ name, tasks, calls, medianMs, p95Ms, maxMs, over50Ms }: TaskTimes): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return `| ${name} | ${tasks} | ${calls} | ${ms(medianMs)} | ${ms(p95Ms)} | ${ms(maxMs)} | ${over50Ms} |`;
}
