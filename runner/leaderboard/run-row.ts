import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../contracts/package-root.ts';
import { formulation } from '../../contracts/sample.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { type RunConfig, runConfig } from '../files/run-config.ts';
import type { RunHeader } from '../files/run-records.ts';
import { defaultName, type FiguredRun, rowFigures } from './columns.ts';
import { hybridFigures, type LeaderboardRow, leaderboardRow, queryFigures } from './leaderboard.ts';

const scores = z.object({ precision: z.number(), recall: z.number(), f1: z.number() });

export const publishedFile = z.strictObject({
  source: z.string(),
  /** The split they were measured on; shown beside runs on its farms. */
  split: z.string(),
  rows: z.array(
    z.strictObject({
      table: z.string(),
      model: z.string(),
      agent: z.string(),
      formulation,
      n: z.number().int(),
      completion: z.number().optional(),
      relevance: z.number().optional(),
      intent: scores.optional(),
      slot: scores.optional(),
      loops: z.number().optional(),
      out_of_budget: z.number().optional(),
      stuck: z.number().optional(),
      unclassified: z.number().optional(),
      query: queryFigures.optional(),
      hybrid: hybridFigures.optional(),
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    }),
  ),
});

export function publishedRows(): LeaderboardRow[] {
  const folder = join(packageRoot, 'runner', 'published');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const { source, split, rows } = publishedFile.parse(
        JSON.parse(readFileSync(join(folder, name), 'utf8')),
      );
      return rows.map(
        ({ table, ...row }): LeaderboardRow => ({
          ...EMPTY,
          ...row,
          name: defaultName(row),
          split,
          source: `${source}, ${table}`,
        }),
      );
    });
}

const EMPTY = {
  ...Object.fromEntries(Object.keys(leaderboardRow.shape).map((field) => [field, null])),
  ast: null,
  exact_string: null,
  ended_by: {},
} as unknown as LeaderboardRow;

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
