import { expect, test } from 'vitest';
import { didYouMean, nearestNames } from './wording.ts';

const names = ['superhero_by_name', 'superheroes_by_colour', 'powers_of_superhero', 'id'];

test('a slip of the pen, another case, and a part of a name are found, nearest first', () => {
  expect(nearestNames('superhero_by_nme', names)[0]).toBe('superhero_by_name');
  expect(nearestNames('ID', names)).toEqual(['id']);
  expect(nearestNames('colour', names)).toEqual(['superheroes_by_colour']);
});

test('what is far from everything has no suggestion', () => {
  expect(nearestNames('zzz', names)).toEqual([]);
  expect(nearestNames('', names)).toEqual([]);
  expect(nearestNames('x'.repeat(1000), names)).toEqual([]);
  expect(didYouMean([])).toBe('');
});
