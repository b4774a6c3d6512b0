import { expect, test } from 'vitest';
import { matchName } from './match-name.ts';

test('the same name wins, then case and outer space, then letters and digits', () => {
  expect(matchName(['Name', 'name'], 'name')).toBe('name');
  expect(matchName(['Full Name', 'x'], ' full name ')).toBe('Full Name');
  expect(matchName(['Full Name', 'x'], 'full_name')).toBe('Full Name');
});

test('no name when two are equally near, or none is', () => {
  expect(matchName(['a b', 'a_b'], 'A-B')).toBeNull();
  expect(matchName(['a'], 'b')).toBeNull();
  expect(matchName(['%'], '&')).toBeNull();
});
