import type { NeighbourResult } from './neighbours.ts';
import type { StartResult } from './start.ts';
import type { ThroughputResult } from './throughput.ts';

/** `bench/results/serve.json` */
export interface ServeReport {
  /** `loadBefore`: the machine's load average before the measurement. */
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly node: string;
    readonly loadBefore: number;
  };
  readonly startedFrom: string;
  readonly throughput: readonly ThroughputResult[];
  readonly neighbours: readonly NeighbourResult[];
  readonly start: readonly StartResult[];
}

/** The report as Markdown tables. */
export function emitReport(report: ServeReport): string {
  const { machine } = report;
  const quiet = report.neighbours[0]?.p99Ms ?? Number.NaN;
  return `# Serving, measured

${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, load ${machine.loadBefore.toFixed(1)} before the bench. Written by \`npm run bench:serve\`.

| one server process, load from the same machine | requests/s | of bare | server CPU a request | of bare |
|---|--:|--:|--:|--:|
${report.throughput.map(emitThroughput).join('\n')}

| a point endpoint at 400 requests/s, and beside it | p50 | p99 | of quiet p99 |
|---|--:|--:|--:|
${report.neighbours.map((r) => row(r.name, `${r.p50Ms.toFixed(2)} ms`, `${r.p99Ms.toFixed(2)} ms`, (r.p99Ms / quiet).toFixed(1))).join('\n')}

| start (${report.startedFrom}) | domains | first answer after | memory | every quick endpoint called once |
|---|--:|--:|--:|--:|
${report.start
  .map((r) =>
    row(
      `${count(r.endpoints)} endpoints`,
      count(r.domains),
      `${Math.round(r.firstAnswerMs)} ms`,
      `${Math.round(r.memoryMb)} MB`,
      `${Math.round(r.memoryAllCalledMb)} MB`,
    ),
  )
  .join('\n')}
`;
}

function emitThroughput({ name, requestsPerSecond, ratio, cpuMicros, cpuRatio }: ThroughputResult): string {
  const cpu = cpuMicros === null ? '–' : `${cpuMicros.toFixed(1)} µs`;
  return row(name, count(requestsPerSecond), ratio.toFixed(2), cpu, cpuRatio?.toFixed(2) ?? '–');
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
