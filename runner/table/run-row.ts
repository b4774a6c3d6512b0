import type { Report } from '../../contracts/report.ts';
import { runConfig } from '../files/run-config.ts';
import type { RunHeader } from '../files/run-header.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { type FiguredRun, rowFigures } from './row-figures.ts';

/** A run of ours and its report as a row. */
export function runRow(folder: string, header: RunHeader, report: Report): LeaderboardRow {
  const { config, farm, cost, ceiling } = header;
  return {
    model: config.model ?? config.agent,
    agent: config.agent,
    formulation: config.formulation,
    options: { ...unusual(header), ...worldOf(report) },
    split: farm.split ?? farm.name,
    ...rowFigures({ ...report, cost }, figuredRun(header)),
    ceiling,
    world_difference: null,
    source: null,
    run: folder,
  };
}

/** What decides which figures a run has. */
export function figuredRun({ config }: RunHeader): FiguredRun {
  return { hasCategory: config.category !== null, isNested: config.settings.reply === 'nested' };
}

/** Which world it was run in: the start of the commitment to its seed. */
function worldOf({ farm }: Report): LeaderboardRow['options'] {
  return farm.world === null ? {} : { world: farm.world.commitment.slice(0, 8) };
}

/** The options of a run that are not the usual ones, by name. */
function unusual({ config }: RunHeader): LeaderboardRow['options'] {
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
  compare(config, usual, ['base_url', 'transport', 'seed', 'shots_file']);
  if (config.select.all) chosen.all = true;
  compare(config.list, usual.list, ['seed']);
  compare(config.settings, usual.settings, ['system']);
  compare(config.decoding, usual.decoding, ['seed']);
  compare(config.budget, usual.budget, []);
  return chosen;
}
