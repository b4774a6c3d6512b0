import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../contracts/package-root.ts';
import { formulation } from '../../contracts/sample.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { type RunConfig, runConfig } from '../files/run-config.ts';
import type { RunHeader } from '../files/run-records.ts';
import { defaultName, type FiguredRun, rowFigures } from './columns.ts';
import { type LeaderboardRow, leaderboardRow } from './leaderboard.ts';

/**
 * Figures of a paper, from the project's reading notes and not compared with the paper since. Those of "released
 * runs" were counted in files that the authors released.
 */
export const publishedFile = z.strictObject({
  source: z.string(),
  /** The split they were measured on; shown beside runs on its farms. */
  split: z.string(),
  tables: z.array(
    z.strictObject({
      table: z.string(),
      /** Where in the paper it is, by the notes. */
      place: z.string(),
      agent: z.string(),
      options: leaderboardRow.shape.options.default({}),
      formulations: z.array(formulation),
      /** The number of questions in each formulation. */
      n: z.array(z.number().int()).optional(),
      /** The path of each figure in a row of the leaderboard. */
      figures: z.array(z.string()),
      /** By model: all figures of the first formulation, then of the next. */
      rows: z.record(z.string(), z.array(z.number().nullable())),
    }),
  ),
});

export function publishedRows(): LeaderboardRow[] {
  const folder = join(packageRoot, 'runner', 'published');
  return readdirSync(folder)
    .sort()
    .flatMap((name) => rowsIn(publishedFile.parse(parse(readFileSync(join(folder, name), 'utf8')))));
}

/** A row for each model, agent, formulation and options; a paper may have its figures in several tables. */
function rowsIn({ source, split, tables }: z.infer<typeof publishedFile>): LeaderboardRow[] {
  const rows = new Map<string, Record<string, unknown>>();
  for (const { table, agent, options, formulations, n, figures, rows: byModel } of tables) {
    for (const [model, values] of Object.entries(byModel)) {
      for (const [at, formulation] of formulations.entries()) {
        const own = values.slice(at * figures.length, (at + 1) * figures.length);
        if (own.every((value) => value === null)) continue;
        const shown = { model, agent, formulation, options };
        const key = JSON.stringify([table, shown]);
        const row = rows.get(key) ?? { ...shown, n: n?.[at], source: `${source}, ${table}` };
        for (const [i, path] of figures.entries()) if (own[i] != null) setFigure(row, path, own[i]);
        rows.set(key, row);
      }
    }
  }
  return [...rows.values()].map((row) =>
    leaderboardRow.parse({ ...EMPTY, ...row, name: defaultName(row as LeaderboardRow), split }),
  );
}

/** Sets `intent.precision` of a row. */
function setFigure(row: Record<string, unknown>, path: string, value: number): void {
  const [field = '', ...inner] = path.split('.');
  if (inner.length > 0) {
    row[field] ??= {};
    setFigure(row[field] as Record<string, unknown>, inner.join('.'), value);
  } else row[field] = value;
}

const EMPTY = {
  ...Object.fromEntries(Object.keys(leaderboardRow.shape).map((field) => [field, null])),
  ended_by: {},
};

/** A leaderboard row from an own run and its report. */
export function runRow(folder: string, header: RunHeader, report: Report): LeaderboardRow {
  const { config, farm, cost, ceiling } = header;
  const shown = { ...shownOf(config), options: { ...unusual(config), ...farmOptions(report) } };
  return {
    name: header.name === runName(config) ? defaultName(shown) : header.name,
    ...shown,
    formulation: config.formulation,
    split: farm.split ?? farm.name,
    ...rowFigures({ ...report, cost }, figuredRun(header)),
    ceiling,
    world_difference: null,
    renamed_difference: null,
    source: null,
    run: folder,
  };
}

export function runName(config: RunConfig): string {
  return defaultName({ ...shownOf(config), options: unusual(config) });
}

function shownOf({ model, agent }: RunConfig): Pick<LeaderboardRow, 'model' | 'agent'> {
  return { model: model ?? agent, agent };
}

/** The properties of a run that decide which figures it has. */
export function figuredRun({ config }: RunHeader): FiguredRun {
  return { hasCategory: config.category !== null, isNested: config.settings.reply === 'nested' };
}

/** What sets a run's farm apart: its world (start of the seed's commitment), embedding model, new names (start of their hash). */
function farmOptions({ farm: { world, renamed, vectors, content_hash } }: Report): LeaderboardRow['options'] {
  return {
    ...(world === null ? {} : { world: world.commitment.slice(0, 8) }),
    ...(vectors === null ? {} : { search: vectors.model }),
    ...(renamed === null ? {} : { names: content_hash?.slice(0, 8) ?? '' }),
  };
}

/** The non-default options of a run, by name. */
function unusual(config: RunConfig): LeaderboardRow['options'] {
  const { agent, model, formulation, category } = config;
  const usual = runConfig.parse({ agent, model, formulation, category });
  const chosen: Record<string, string | number | boolean> = category === null ? {} : { category };
  const compare = (mine: object, theirs: object, left: readonly string[]) => {
    const other = new Map(Object.entries(theirs));
    for (const [name, value] of Object.entries(mine)) {
      const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (plain && value !== other.get(name) && !left.includes(name)) chosen[name] = value;
    }
  };
  compare(config, usual, ['base_url', 'inner_base_url', 'transport', 'seed', 'shots_file']);
  // The number of drawn tasks is shown as N.
  const { all, pairs, sample: _, seed: __, from: ___, half_seed: ____, ...parts } = config.select;
  if (all) chosen.all = true;
  if (pairs) chosen.pairs = true;
  for (const [name, values] of Object.entries(parts))
    if (values !== undefined) chosen[name] = [values].flat().join('+');
  compare(config.list, usual.list, ['seed']);
  compare(config.settings, usual.settings, ['system']);
  compare(config.decoding, usual.decoding, ['seed']);
  compare(config.budget, usual.budget, []);
  return chosen;
}
