import { addDays, daysBetween } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Grant } from './awards.ts';

const lastDay = '2024-12-15';

/** Reports to the funders: one in six is late, and a few never come. */
export function growReports(grants: readonly Grant[]) {
  const random = createRandom('university_grants/report');
  return grants.flatMap(({ grantNo, start, end, status }) => {
    const days = daysBetween(start, end);
    const kinds =
      days > 1000 ? ['interim 1', 'interim 2', 'final'] : days > 500 ? ['interim 1', 'final'] : ['final'];
    return kinds.map((kind, i) => {
      const due =
        kind === 'final' ? addDays(end, 90) : addDays(start, Math.round((days * (i + 1)) / kinds.length));
      const sent = addDays(due, random.chance(0.17) ? random.int(3, 150) : -random.int(0, 21));
      const received = sent > lastDay || status === 'T' || random.chance(0.03) ? null : sent;
      const grade =
        received === null || random.chance(0.1) ? null : random.weighted({ A: 5, B: 7, C: 2, D: 0.4 });
      return { grantNo, kind, due, received, grade };
    });
  });
}

const journals = [
  'Irenian Journal of Science',
  'Acta Litoralia',
  'Field & Method',
  'Letters in Computing',
  'Health and Place Quarterly',
  'The Antiquary',
];

/** Papers that thank a grant; one in forty was typed in twice, the second time with its DOI in capitals. */
export function growPublications(grants: readonly Grant[]) {
  const random = createRandom('university_grants/publication');
  const words = [
    'evidence',
    'a survey',
    'first results',
    'methods',
    'a case study',
    'open questions',
    'a comparison',
  ];
  return grants
    .filter(({ start }) => start < '2023-09')
    .flatMap((grant) => Array.from({ length: random.pick([0, 0, 1, 2, 3, 5]) }, () => grant))
    .flatMap(({ grantNo, start }, i) => {
      const year = Math.min(2024, Number(start.slice(0, 4)) + random.int(1, 4));
      const doi = `10.${5000 + random.int(0, 5) * 11}/ug.${year}.${1000 + i}`;
      const paper = [
        doi,
        random.chance(0.05) ? null : grantNo,
        `Study ${i + 1}: ${random.pick(words)}`,
        random.pick(journals),
        year,
        random.chance(0.04) ? null : Math.floor(random.next() ** 4 * (2025 - year) * 60),
        random.pick(['gold', 'green', 'green', 'closed', null]),
      ];
      return random.chance(0.025) ? [paper, [doi.toUpperCase(), ...paper.slice(1)]] : [paper];
    });
}
