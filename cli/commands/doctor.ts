import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { formulation } from '../../contracts/sample.ts';
import type { ScoredFarm } from '../../eval/farm/read-farm.ts';
import { runConfig } from '../../runner/files/run-config.ts';
import { openCopy } from '../../services/index.ts';
import { wholeNumber } from '../options.ts';
import { executeCell } from '../run/execute-cell.ts';
import { openFarmAccess } from '../run/farm-access.ts';
import { executionOf } from '../run/run-flags.ts';
import { scoreRun } from '../run/score-run.ts';
import { openFarm } from '../score/open-farm.ts';
import { EXIT, textTable } from '../terminal.ts';

interface DoctorFlags {
  readonly gold?: string;
  readonly sample?: number;
  readonly concurrency: number;
}

/** `rookery doctor <farm>`: checks a served farm by playing its gold. */
export function register(program: Command): void {
  program
    .command('doctor')
    .description('make every gold call on the served farm and check the results')
    .argument('<farm>', 'folder made by `rookery generate`, or the address of a served farm (with --gold)')
    .option('--gold <folder>', 'the folder of a farm that is served elsewhere')
    .option('--sample <n>', 'this many tasks per formulation, instead of all', wholeNumber(1))
    .option('--concurrency <n>', 'tasks at once', wholeNumber(1, 1000), 8)
    .action(doctor);
}

async function doctor(place: string, { gold, sample, concurrency }: DoctorFlags): Promise<void> {
  const farm = await openFarmAccess(place, { gold });
  const open = farm.folder === null ? null : await openFarm(farm.folder);
  const folder = mkdtempSync(join(tmpdir(), 'rookery-doctor-'));
  const execution = executionOf({
    concurrency,
    maxConnections: concurrency,
    maxRetries: 0,
    retryWait: 1,
    requestTimeout: 600,
  });
  try {
    const rows: (readonly (string | number)[])[] = [];
    const faults: string[] = [];
    for (const kind of formulation.options) {
      if (farm.scored && !farm.scored.samples.some((each) => each.formulation === kind)) continue;
      const config = runConfig.parse({
        agent: 'oracle',
        formulation: kind,
        select: { all: true, sample },
        // Gold sequences may be longer than a model's budget allows.
        budget: { loops: 1, calls: 10_000, seconds: 600 },
      });
      const out = join(folder, kind);
      const { header, records } = await executeCell(
        config,
        farm,
        out,
        `doctor ${kind}`,
        execution,
        new Map(),
      );
      if (farm.scored === null || open === null) continue;
      const { ledger, samples } = await scoreRun(out, header, farm.scored, open);
      const slowest = Math.max(0, ...records.map(({ latency_s }) => latency_s));
      rows.push([kind, header.tasks, ledger.pass, header.tasks - ledger.pass, slowest.toFixed(2)]);
      for (const { sample_id, outcome, shown } of samples) {
        if (outcome !== 'pass' && outcome !== 'not_run')
          faults.push(`${sample_id}: ${outcome} ${shown.note ?? ''}`.trim());
      }
    }
    process.stdout.write(`${textTable(['', 'tasks', 'right', 'wrong', 'slowest, s'], rows)}\n`);
    for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`);
    if (faults.length > 20) process.stdout.write(`… and ${faults.length - 20} more\n`);
    const verdict =
      faults.length === 0
        ? `${farm.name} is fit to examine: every gold call gives its gold rows.`
        : `${farm.name} is not fit to examine: generate it again with this version, and see what is served.`;
    process.stdout.write(`${verdict}\n`);
    if (faults.length > 0) process.exitCode = EXIT.missed;
    if (gold === undefined && farm.scored) process.stdout.write(`${costOfCopies(farm.scored)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await open?.close();
    await farm.close();
  }
}

/** What it takes to copy each domain's database, as a process does when a first run changes its records. */
function costOfCopies({ folder, farm }: ScoredFarm): string {
  const copies = farm.domains.map(({ db }) => {
    const file = join(folder, 'databases', `${db}.sqlite`);
    const start = performance.now();
    const shares = openCopy(file, (_, shares) => shares);
    return { db, shares, bytes: statSync(file).size, seconds: (performance.now() - start) / 1000 };
  });
  const [largest] = [...copies].sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) return '';
  const cost = (of: readonly (typeof largest)[]) => {
    const bytes = of.reduce((sum, each) => sum + each.bytes, 0);
    const seconds = of.reduce((sum, each) => sum + each.seconds, 0);
    return `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(2)} s`;
  };
  const how = copies.every(({ shares }) => shares)
    ? 'by reflink, which takes no space until records change'
    : 'byte by byte, since the file system has no reflinks from there to the folder for temporary files';
  const all = copies.length === 1 ? '' : `; all ${copies.length}: ${cost(copies)}`;
  return `The first change of records copies a database: ${cost([largest])} (${largest.db})${all}, ${how}.`;
}
