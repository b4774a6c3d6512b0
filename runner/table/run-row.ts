import type { Report } from '../../contracts/report.ts';
import { type RunConfig, runConfig } from '../files/run-config.ts';
import type { RunHeader } from '../files/run-header.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { defaultName } from './options-text.ts';
import { type FiguredRun, rowFigures } from './row-figures.ts';

/** A run of ours and its report as a row. */
export function runRow(folder: string, header: RunHeader, report: Report): LeaderboardRow {
  const { config, farm, cost, ceiling } = header;
  const shown = { ...shownOf(config), options: { ...unusual(config), ...worldOf(report) } };
  return {
    name: header.name === runName(config) ? defaultName(shown) : header.name,
    ...shown,
    formulation: config.formulation,
    split: farm.split ?? farm.name,
    ...rowFigures({ ...report, cost }, figuredRun(header)),
    ceiling,
    world_difference: null,
    source: null,
    run: folder,
  };
}

/** The name of a run of this configuration that is given none. */
export function runName(config: RunConfig): string {
  return defaultName({ ...shownOf(config), options: unusual(config) });
}

function shownOf({ model, agent }: RunConfig): Pick<LeaderboardRow, 'model' | 'agent'> {
  return { model: model ?? agent, agent };
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
  compare(config, usual, ['base_url', 'transport', 'seed', 'shots_file']);
  // How many are drawn of them is told by N.
  const { all, sample: _, seed: __, from: ___, half_seed: ____, ...parts } = config.select;
  if (all) chosen.all = true;
  for (const [name, values] of Object.entries(parts))
    if (values !== undefined) chosen[name] = [values].flat().join('+');
  compare(config.list, usual.list, ['seed']);
  compare(config.settings, usual.settings, ['system']);
  compare(config.decoding, usual.decoding, ['seed']);
  compare(config.budget, usual.budget, []);
  return chosen;
}
