import { expect, test } from 'vitest';
import { cases } from './calibration.ts';

const right = cases.filter((each) => each.right);
const wrong = cases.filter((each) => !each.right);
const shown = (list: typeof cases) => list.map(({ id, shape }) => `${id}: ${shape}`);

test('there are as many answers as a verdict on the judge takes', () => {
  expect(right.length).toBeGreaterThan(1300);
  expect(wrong.length).toBeGreaterThan(850);
});

test('no wrong answer is accepted', () => {
  expect(shown(wrong.filter(({ verdict }) => verdict.fair))).toEqual([]);
});

test.each([
  { reading: 1, floor: 96 },
  { reading: 2, floor: 98 },
  { reading: 3, floor: 99 },
  { reading: 4, floor: 98 },
  { reading: 5, floor: 99 },
])('of the right answers of reading $reading at least $floor % are accepted', ({ reading, floor }) => {
  const all = right.filter((each) => each.reading === reading);
  const refused = all.filter(({ verdict }) => !verdict.fair);
  const share = (100 * (all.length - refused.length)) / all.length;
  expect(share, shown(refused).join('\n')).toBeGreaterThanOrEqual(floor);
});

test('what is strictly right is fair', () => {
  expect(shown(cases.filter(({ verdict }) => verdict.strict && !verdict.fair))).toEqual([]);
});
