import { expect, test } from 'vitest';
import { alignNames } from './align-names.ts';

test.each([
  ['abc', 'abc', 'aa bb cc'],
  ['abc', 'ac', 'aa b- cc'],
  ['ac', 'abc', 'aa -b cc'],
  ['ab', 'ba', 'a- bb -a'],
  ['', 'a', '-a'],
  ['ab', '', 'a- b-'],
])('%s beside %s: %s', (gold, predicted, lines) => {
  const shown = alignNames([...gold], [...predicted]).map(
    ([g, p]) => (g === null ? '-' : gold[g]) + (p === null ? '-' : (predicted[p] ?? '')),
  );
  expect(shown.join(' ')).toBe(lines);
});
