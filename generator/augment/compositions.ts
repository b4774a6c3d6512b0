import type { PlacePart } from '../../services/base/scalars/place.ts';
import type { Random } from '../variants/random.ts';
import type { ColumnClasses } from './column-classes.ts';
import type { Composition, Fixed, Step } from './composition.ts';

const COUNTS: readonly Step[] = [
  step('count_syllables'),
  step('count_characters'),
  step('count_characters', 'vowels'),
  step('count_characters', 'consonants'),
];

const KINDS: readonly Step[] = [step('is_prime'), step('is_perfect_square'), step('is_fibonacci')];

/** Divisors of small numbers, and of any. */
const SMALL = [2, 3, 4, 5];
const ANY = [2, 3, 4, 5, 7, 8, 10, 16, 25, 32, 100];

/** Parts of places that are names. */
const NAMED: ReadonlySet<PlacePart> = new Set(['country', 'province', 'county', 'locality']);

/**
 * All that APIs can be asked about the values of a column, up to three one after the other. `anchors` are places that
 * distances are measured to. Divisors and anchors are drawn.
 */
export function compositionsFor(
  { classes, parts }: Pick<ColumnClasses, 'classes' | 'parts'>,
  anchors: readonly string[],
  random: Random,
): Composition[] {
  const divisible = (divisors: readonly number[]) => step('is_divisible', random.pick(divisors) ?? 2);
  const ofCount = () => [...KINDS, divisible(SMALL)];
  const found: Composition[] = [];
  const add = (kind: Composition['class'], ...steps: readonly Step[]) => found.push({ class: kind, steps });
  const addCounts = (kind: Composition['class'], ...first: readonly Step[]) => {
    for (const count of COUNTS) {
      add(kind, ...first, count);
      for (const test of ofCount()) add(kind, ...first, count, test);
    }
  };
  if (classes.has('lexical')) addCounts('lexical');
  if (classes.has('numeric')) for (const test of [...KINDS, divisible(ANY)]) add('numeric', test);
  if (classes.has('geographic')) {
    for (const part of parts) {
      const get = step(`get_${part}_of_place`);
      add('geographic', get);
      if (NAMED.has(part)) addCounts('geographic', get);
    }
    const anchor = random.pick(anchors);
    if (anchor !== undefined && parts.includes('latitude') && parts.includes('longitude'))
      add('geographic', step('calculate_distance', anchor));
  }
  return found;
}

function step(api: string, ...more: readonly Fixed[]): Step {
  return { api, more };
}
