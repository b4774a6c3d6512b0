import type { Augmenter } from '../../contracts/augmentation.ts';
import type { Gazetteer } from '../../services/base/scalars/places.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import type { Column } from '../../sql/index.ts';
import type { Random } from '../variants/random.ts';
import type { ColumnClasses } from './column-classes.ts';
import { answerFor, type Composition, outputOf } from './composition.ts';
import { compositionsFor } from './compositions.ts';
import type { Idea, Test, Together } from './idea.ts';
import type { Scene } from './scene.ts';

/** A column of a question's tables, with the values that it has in the rows that the question is about. */
export interface SeenColumn {
  readonly column: Column;
  readonly classes: ColumnClasses;
  readonly values: readonly SqlValue[];
}

/** Ideas for a scene, those of each augmenter, class and depth in turn, so that rare ones are not crowded out. */
export function drawIdeas(
  scene: Scene,
  columns: readonly SeenColumn[],
  places: Gazetteer,
  random: Random,
): Idea[] {
  const groups = new Map<string, Idea[]>();
  for (const seen of columns) {
    const anchors = seen.values.filter((value) => typeof value === 'string');
    for (const composition of compositionsFor(seen.classes, anchors, random)) {
      const values = seen.values.map((value) => answerFor(composition, value, places));
      for (const idea of ideasOf(scene, seen.column, composition, values, random)) {
        const key = `${idea.augmenter} ${composition.class} ${composition.steps.length}`;
        groups.set(key, [...(groups.get(key) ?? []), idea]);
      }
    }
  }
  const piles = shuffled([...groups.values()], random).map((pile) => shuffled(pile, random));
  const most = Math.max(0, ...piles.map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => piles.flatMap((pile) => pile[i] ?? [])).flat();
}

/** What can become of a composition's value; `values` are those in the rows that the question is about. */
function ideasOf(
  { select, optional, isFigure, isList, sources }: Scene,
  column: Column,
  composition: Composition,
  values: readonly SqlValue[],
  random: Random,
): Idea[] {
  const known = values.filter((value) => value !== null);
  const different = new Set(known).size;
  // Of rows that are all alike there is nothing to ask.
  if (known.length < 2 || (outputOf(composition) === 'boolean' && different < 2)) return [];
  const output = outputOf(composition);
  const idea = (augmenter: Augmenter, more: Partial<Idea> = {}): Idea => ({
    augmenter,
    column,
    composition,
    test: null,
    direction: 'asc',
    together: 'max',
    ...more,
  });
  const found: Idea[] = [];
  const isShown = select.columns.some(
    ({ expr }) => expr.kind === 'column' && expr.source === column.source && expr.name === column.name,
  );
  if (!optional.has(column.source)) {
    const test = testOf(composition, known, random);
    if (test !== undefined && tellsApart(values, test)) found.push(idea('filter', { test }));
  }
  // What is shown beside DISTINCT rows must belong to them.
  const fits = !select.distinct || isShown;
  if (isList && fits) found.push(idea('projection'));
  const isNumber = output === 'integer' || output === 'number';
  const isOpen = select.orderBy.length === 0 && select.limit === null;
  if (isList && fits && isOpen && isNumber && different > 1)
    found.push(idea('order', { direction: random.chance(0.5) ? 'desc' : 'asc' }));
  if (isFigure && output === 'integer') {
    // A row that a join repeats would count again.
    const ways: Together[] = sources.length === 1 ? ['max', 'min', 'avg'] : ['max', 'min'];
    found.push(idea('aggregation', { together: random.pick(ways) ?? 'max' }));
  }
  if (isFigure && output === 'boolean' && sources.length === 1)
    found.push(idea('aggregation', { together: 'sum' }));
  return found;
}

/** A comparison that some of the values meet; null where they are booleans, undefined where there is none. */
function testOf(
  composition: Composition,
  values: readonly SqlValue[],
  random: Random,
): Test | null | undefined {
  const numbers = [...new Set(values.map(Number))].sort((a, b) => a - b);
  const middle = numbers[Math.floor((numbers.length - 1) * (0.25 + random.next() / 2))] ?? 0;
  switch (outputOf(composition)) {
    case 'boolean':
      return null;
    case 'integer': {
      // Fewer than one is none.
      const op = random.pick(middle > 1 ? (['=', '>', '<'] as const) : (['=', '>'] as const)) ?? '=';
      return { op: middle === 0 ? '>' : op, value: middle };
    }
    case 'number': {
      if (composition.steps[0]?.api !== 'calculate_distance')
        return { op: random.chance(0.5) ? '>' : '<', value: Math.round(middle) };
      const far = DISTANCES.find((distance) => distance >= middle);
      return far === undefined ? undefined : { op: '<=', value: far };
    }
    case 'string': {
      const value = random.pick([...new Set(values.map(String))].sort());
      return value === undefined ? undefined : { op: '=', value };
    }
  }
}

/** Kilometres that people say. */
const DISTANCES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Whether some values meet a test and others do not. */
function tellsApart(values: readonly SqlValue[], test: Test | null): boolean {
  const met = values.map((value) => meets(value, test));
  return met.includes(true) && met.includes(false);
}

function meets(value: SqlValue, test: Test | null): boolean {
  if (value === null) return false;
  if (!test) return Number(value) === 1;
  if (typeof test.value === 'string') return value === test.value;
  const [left, right] = [Number(value), Number(test.value)];
  switch (test.op) {
    case '=':
      return left === right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}
