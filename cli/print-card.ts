import { isInDefaultSelection } from '../contracts/task-selection.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { guessingOf } from '../generator/card/guessing-of.ts';
import { type CardRow, integrityCard } from '../generator/card/integrity-card.ts';
import { THOUGHTLESS, THOUGHTLESS_NAMES } from '../generator/card/thoughtless.ts';
import { loadFarm } from '../services/base/farm/load-farm.ts';
import { textTable } from './text-table.ts';

/** The integrity card of a farm as text: what agents that do not think would score. */
export async function integrityCardOf(farm: string): Promise<string> {
  const { samples } = readFarm(farm);
  const { domains } = await loadFarm(farm);
  const guessing = guessingOf(
    domains.map(({ service, database }) => ({
      database,
      tables: service.catalog.tables,
      samples: samples.filter(({ dataset_name }) => dataset_name === service.db),
    })),
  );
  return [
    'The default selection, and the share that agents pass which look at no question',
    cardTable(integrityCard(samples.filter(isInDefaultSelection), guessing)),
    '',
    'All samples, those with the flag guessable too (--all, ?all=true)',
    cardTable(integrityCard(samples, guessing)),
    '',
    ...THOUGHTLESS_NAMES.map((name) => `  ${name}: ${THOUGHTLESS[name].about}`),
    '',
  ].join('\n');
}

function cardTable(rows: readonly CardRow[]): string {
  return textTable(
    ['formulation', 'samples', ...THOUGHTLESS_NAMES],
    rows.map(({ formulation, samples, passes }) => [
      formulation,
      samples,
      ...THOUGHTLESS_NAMES.map((name) => `${((100 * passes[name]) / samples).toFixed(2)} %`),
    ]),
  );
}
