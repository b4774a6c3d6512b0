import { createRandom, type Random, round } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Night } from './nights.ts';
import type { Target } from './targets.ts';

interface Proposal {
  proposal: string;
  title: string;
  lead: number;
  requested: number;
  awarded: number | null;
  grade: string | null;
  override: string | null;
}

export interface Exposure {
  exposureId: number;
  night: string;
  startJd: number;
  targetId: number;
  instrument: string;
  filter: string | null;
  seconds: number;
  airmass: number | null;
  proposal: string | null;
  check: string | null;
}

interface Given {
  readonly nights: readonly Night[];
  readonly targets: readonly Target[];
  readonly observers: number;
}

const semesters = ['22B', '23A', '23B', '24A', '24B'];

/** The proposals of five semesters, and what was taken for them on the nights when the dome was open. */
export function growExposures(source: Source, { nights, targets, observers }: Given) {
  const random = createRandom('observatory/exposure');
  const proposals = growProposals(source, observers);
  const exposures: Exposure[] = [];
  const calibrations: Cell[][] = [];
  for (const { night, jd, dome, moon } of nights) {
    if (dome === 'closed') continue;
    const semester = semesterOf(night);
    const granted = proposals.filter(
      ({ proposal, grade }) => proposal.startsWith(semester) && grade !== null,
    );
    const instruments = mounted(night);
    const tonight = [
      ...new Set([random.pickSkewed(instruments), random.pickSkewed(instruments), random.pick(instruments)]),
    ];
    for (const instrument of tonight) {
      const spectra = instrument === 'LRS' || instrument === 'ECH';
      const band = spectra
        ? null
        : random.pickSkewed(moon > 0.7 ? ['R', 'I', 'HA', 'V'] : ['V', 'R', 'B', 'C', 'O3', 'U']);
      calibrations.push([night, instrument, 'bias', null, random.pick([10, 20, 25])]);
      if (!spectra && random.chance(0.6))
        calibrations.push([night, instrument, 'flat', band, random.int(3, 12)]);
      let start = jd + 0.28 + random.next() * 0.1;
      for (let i = random.int(1, dome === 'part' ? 3 : 7); i > 0; i--) {
        const seconds = random.pick(spectra ? [600, 900, 1800, 1800, 3600] : [5, 30, 60, 60, 120, 300]);
        exposures.push({
          exposureId: 50_001 + exposures.length,
          night,
          startJd: round(start, 5),
          targetId: random.pickSkewed(targets).targetId,
          instrument,
          filter: spectra ? null : random.chance(0.8) ? band : random.pick(['V', 'R', 'B']),
          seconds,
          airmass: random.chance(0.02) ? null : round(1 + random.next() ** 2 * 1.6, 2),
          proposal: random.chance(0.12) ? null : random.pickSkewed(granted).proposal,
          check: checkOf(random, dome),
        });
        start += (seconds + random.int(40, 2400)) / 86_400;
      }
    }
  }
  return { proposals, exposures, calibrations };
}

function growProposals(source: Source, observers: number): Proposal[] {
  const random = createRandom('observatory/proposal');
  const titles = source.words('titles.txt');
  return semesters.flatMap((semester) =>
    Array.from({ length: 16 }, (_, i) => {
      const requested = random.int(4, 60) + random.pick([0, 0, 0.5]);
      const grade = random.weighted({ A: 4, B: 5, C: 3, none: 4 });
      return {
        proposal: `${semester}-${String(i * 3 + random.int(1, 3)).padStart(3, '0')}`,
        title: random.pick(titles),
        lead: random.int(1, observers),
        requested,
        awarded:
          grade === 'none'
            ? null
            : grade === 'A'
              ? requested
              : Math.ceil(requested * (grade === 'B' ? 0.7 : 0.4)),
        grade: grade === 'none' ? null : grade,
        override: random.chance(0.08) ? 'Y' : null,
      };
    }),
  );
}

function semesterOf(night: string): string {
  const year = night.slice(2, 4);
  const month = Number(night.slice(5, 7));
  if (month === 1) return `${Number(year) - 1}B`;
  return month <= 7 ? `${year}A` : `${year}B`;
}

/** What hangs on a telescope that night, the most wanted first. */
function mounted(night: string): string[] {
  return [
    night <= '2023-02-20' ? 'CCD2' : night >= '2023-03-06' ? 'CMOS4' : 'LRS',
    'LRS',
    'MAC',
    'PAT',
    'ECH',
    'EDU',
    ...(night <= '2023-06-30' ? ['PMT'] : []),
  ];
}

function checkOf(random: Random, dome: string): string | null {
  const word = random.weighted({ OK: 20, CLD: dome === 'part' ? 9 : 1, TRL: 1, SAT: 0.8, FOC: 1, none: 1.5 });
  return word === 'none' ? null : word;
}
