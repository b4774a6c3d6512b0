import { dayFirst } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Cell } from '../write-database.ts';
import type { Exposure } from './exposures.ts';
import type { Night } from './nights.ts';
import type { Target } from './targets.ts';

/** Light curves of the variable stars; one reduction in twelve was done again, and gives another value. */
export function growMeasurements(targets: readonly Target[], nights: readonly Night[]): Cell[][] {
  const random = createRandom('observatory/measurement');
  const open = nights.filter(({ dome }) => dome !== 'closed');
  return targets
    .filter(({ type, sameAs }) => ['EB', 'CV', 'RR'].includes(type) && sameAs === null)
    .flatMap(({ targetId, type, mag }) => {
      const count = random.int(8, 45);
      const chosen = new Set(Array.from({ length: count }, () => random.pick(open).jd));
      return [...chosen]
        .sort((a, b) => a - b)
        .flatMap((noon): Cell[][] => {
          const deep = type === 'CV' ? (random.chance(0.15) ? -4.5 : 0) : random.near(0.3, 0.5, 2);
          const value = round((mag ?? 15) + deep + random.near(0, 0.1, 3), 3);
          const row: Cell[] = [
            targetId,
            round(noon + 0.3 + random.next() * 0.4, 4),
            random.pickSkewed(['V', 'B', 'R']),
            value,
          ];
          const err = random.near(0.03, 0.025, 3);
          return random.chance(1 / 12)
            ? [
                [...row, err, 1],
                [...row.slice(0, 3), round(value + random.near(0, 0.2, 3), 3), round(err / 2, 4), 2],
              ]
            : [[...row, err, 1]];
        });
    });
}

/** What was found first here, or so it was thought. */
export function growDiscoveries(
  exposures: readonly Exposure[],
  targets: readonly Target[],
  observers: number,
): Cell[][] {
  const random = createRandom('observatory/discovery');
  const kinds = new Map(targets.map(({ targetId, type }) => [targetId, type]));
  return exposures
    .filter(
      ({ targetId, instrument }) =>
        /^(PAT|MAC|CMOS4)$/.test(instrument) && /MO|GX|CV/.test(kinds.get(targetId) ?? ''),
    )
    .filter(() => random.chance(0.14))
    .map(({ exposureId, targetId, night }, i): Cell[] => {
      const kind = kinds.get(targetId);
      const what =
        kind === 'MO' ? random.weighted({ asteroid: 8, comet: 1 }) : kind === 'GX' ? 'supernova' : 'variable';
      return [
        `COR-${night.slice(2, 4)}-${String(i + 1).padStart(3, '0')}`,
        exposureId,
        what,
        dayFirst(night, '/'),
        random.weighted({ confirmed: 6, lost: 2, withdrawn: 1, 'known already': 2 }),
        random.int(1, observers),
      ];
    });
}
