import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { counted } from '../../contracts/wording.ts';
import { DATABASES } from '../../deploy/databases.ts';
import { chooseRuns } from '../../services/agents/runs/export-runs.ts';
import {
  isDatabaseAddress,
  type RunFilter,
  type RunReader,
  type RunRecord,
} from '../../services/agents/runs/run-store.ts';
import { openRuns, pruneRuns, readRuns, runsFilesOf } from '../../services/agents/runs/run-stores.ts';
import { exportPredictions } from '../../services/index.ts';
import { writeOutput } from '../files.ts';
import { wholeNumber } from '../options.ts';
import { runsFileOf } from '../serve-farm.ts';
import { textTable } from '../terminal.ts';

/** `rookery runs list|export|prune <farm or file>`: the runs recorded by a server, running or not. */
export function register(program: Command): void {
  const runs = program
    .command('runs')
    .description('list, export and delete the runs that a server has recorded');
  const subcommand = (name: string, description: string) =>
    runs
      .command(name)
      .description(description)
      .argument('<farm>', 'a farm with runs beside it, or the file or database (postgres://…) of the runs');
  const filtered = (command: Command) =>
    command
      .option('--run <id>', 'this run only')
      .option('--batch <id>', 'the runs of this batch only')
      .option('--agent <name>', 'the runs of this agent only');

  filtered(subcommand('list', 'show runs in a table')).action((place: string, flags: RunFilter) =>
    withRuns(place, async (store) => {
      process.stdout.write(`${await tableOf(store, flags)}\n`);
    }),
  );

  filtered(subcommand('export', 'write the predictions that `rookery score` reads'))
    .option('-o, --out <file>', 'where to (default: standard output)')
    .action((place: string, { out, ...flags }: RunFilter & { out?: string }) =>
      withRuns(place, async (store) => {
        const chosen = await chosenRuns(store, flags);
        let text = '';
        for await (const line of exportPredictions(chosen, (id) => store.calls(id))) text += line;
        if (text === '') throw new OptionError(place, 'no run has started; see `rookery runs list`');
        if (out === undefined) process.stdout.write(text);
        else writeOutput(out, text);
      }),
    );

  subcommand('prune', 'drop old runs; no server may be using them')
    .option('--older-than <days>', 'delete runs without activity for this many days', wholeNumber(0), 90)
    .option('--larger-than <megabytes>', 'delete the oldest runs while more is stored', wholeNumber(0), 4096)
    .action((place: string, { olderThan, largerThan }: { olderThan: number; largerThan: number }) =>
      pruneAll(place, { maxAgeDays: olderThan, maxBytes: largerThan * 1024 * 1024 }),
    );
}

/** Runs `use` on the runs of all server processes. Rejects with OPTION_INVALID. */
async function withRuns(place: string, use: (runs: RunReader) => Promise<void>): Promise<void> {
  const [first = place] = placesAt(place);
  const runs = await readRuns(first, DATABASES);
  try {
    await use(runs);
  } finally {
    await runs.close();
  }
}

async function pruneAll(place: string, limits: { maxAgeDays: number; maxBytes: number }): Promise<void> {
  let dropped = 0;
  for (const each of placesAt(place)) {
    const store = await openRuns(each, { databases: DATABASES, use: 'prune' });
    try {
      dropped += await pruneRuns(store, limits, Date.now());
    } finally {
      await store.close();
    }
  }
  process.stdout.write(`${counted(dropped, 'run')} dropped\n`);
}

/** The run database, or those of all processes in order. Throws OPTION_INVALID if there are none. */
function placesAt(place: string): string[] {
  if (isDatabaseAddress(place)) return [place];
  const file = existsSync(join(place, 'farm.json')) ? runsFileOf(place) : place;
  const files = runsFilesOf(file);
  if (files.length > 0) return files;
  throw new OptionError(file, 'there are no recorded runs; `rookery serve` records them');
}

async function chosenRuns(store: RunReader, flags: RunFilter): Promise<readonly RunRecord[]> {
  const { runs, replaced } = await chooseRuns(store, flags);
  if (replaced > 0) {
    process.stderr.write(
      `${counted(replaced, 'run')} left out: later ones are at the same tasks (--batch, --agent and --run choose)\n`,
    );
  }
  return runs;
}

async function tableOf(store: RunReader, flags: RunFilter): Promise<string> {
  const rows: (string | number)[][] = [];
  for await (const run of store.runs(flags)) {
    rows.push([
      run.run_id,
      run.batch_id ?? '',
      new Date(run.created_at).toISOString(),
      run.agent,
      run.sample_id,
      run.status,
      (await store.usage(run.run_id)).calls,
      run.faults?.name ?? '',
    ]);
  }
  return textTable(['run', 'batch', 'created', 'agent', 'task', 'status', 'calls', 'faults'], rows);
}
