import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textTable } from './text-table.ts';

test('text is to the left and numbers are to the right', () => {
  const rows = [
    ['vet_clinics', 71, '98.6 %'],
    ['energy_coop', 5, '–'],
  ];
  expect(textTable(['domain', 'questions', 'kept'], rows)).toBe(
    [
      'domain       questions  kept',
      '───────────  ─────────  ──────',
      'vet_clinics         71  98.6 %',
      'energy_coop          5  –',
    ].join('\n'),
  );
});

test('a column of numbers may have gaps, and stays to the right', () => {
  expect(textTable(['n'], [[10], [''], [7]]).split('\n')).toEqual([' n', '──', '10', '', ' 7']);
});

test('without rows there is the head and the rule', () => {
  expect(textTable(['a', 'long'], [])).toBe('a  long\n─  ────');
});

test('every column starts at the same place in every line', () => {
  const cell = fc.stringMatching(/^[a-z]{1,12}$/);
  const table = fc.integer({ min: 1, max: 5 }).chain((width) => {
    const row = fc.array(cell, { minLength: width, maxLength: width });
    return fc.tuple(row, fc.array(row, { minLength: 1, maxLength: 6 }));
  });
  fc.assert(
    fc.property(table, ([head, rows]) => {
      const [top = '', rule = '', ...body] = textTable(head, rows).split('\n');
      const starts = [...rule.matchAll(/─+/g)].map(({ index }) => index);
      expect(starts).toHaveLength(head.length);
      for (const [line, cells] of [
        [top, head] as const,
        ...body.map((line, i) => [line, rows[i] ?? []] as const),
      ]) {
        cells.forEach((text, i) => {
          expect(line.slice(starts[i], starts[i + 1]).trimEnd()).toBe(text);
        });
      }
    }),
  );
});
