import type { Rejection } from '../../contracts/farm.ts';
import type { ApiClass, Augmentation, Augmenter, Domain, Question } from '../../contracts/split.ts';
import type { Gazetteer, PlacePart } from '../../services/base/scalars/gazetteer.ts';
import {
  type Api,
  isList,
  outputsOf,
  rowsInSql,
  SCALARS_BY_NAME,
  type ScalarOutput,
} from '../../services/base/scalars/scalars.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import {
  type Column,
  type CompareOp,
  conjunction,
  conjuncts,
  type Expr,
  type FromItem,
  integerLiteral,
  node,
  type OutputColumn,
  orderTerm,
  plainAggregate,
  plainSelect,
  realLiteral,
  type Select,
  sourceIds,
  textLiteral,
} from '../../sql/index.ts';
import type { Random } from '../variants/random.ts';
import type { AugmentableQuery, ColumnClasses } from './columns.ts';

export interface AugmentedQuestion extends Question {
  readonly origin: 'augmented';
  readonly augmentation: Augmentation;
}

/** An augmented question that was dropped, or a question to which no API can be added. */
export interface Eliminated {
  readonly question_id: Question['question_id'];
  /** null where there was nothing to try. */
  readonly tried: Pick<Augmentation, 'augmenter' | 'class' | 'depth' | 'apis'> | null;
  readonly rejection: Rejection;
}

export interface AugmentedDomain {
  readonly db: string;
  readonly questions: readonly AugmentedQuestion[];
  readonly eliminated: readonly Eliminated[];
  readonly unread_views: Domain['unread_views'];
}

/** A comparison of a composition's value with a fixed one. */
export interface Test {
  readonly op: Extract<CompareOp, '=' | '<' | '<=' | '>'>;
  readonly value: FixedValue;
}

/** How the values of all rows are aggregated. */
export type Aggregation = 'max' | 'min' | 'avg' | 'sum';

/** How to make a question: which APIs are called on which column, and how their value is used. */
export interface Idea {
  readonly augmenter: Augmenter;
  readonly column: Column;
  readonly composition: Composition;
  /** For a filter on anything but a boolean. */
  readonly test: Test | null;
  /** For an order. */
  readonly direction: 'asc' | 'desc';
  /** For an aggregation. */
  readonly aggregation: Aggregation;
  /** Whether the query has one row. */
  readonly isOne: boolean;
}

export type FixedValue = string | number | bigint;

/** One API call: its first input is the value so far, the others are fixed. Only the first may answer a list. */
export interface ApiStep {
  readonly api: string;
  /** The inputs after the first. */
  readonly more: readonly FixedValue[];
}

/** APIs applied in turn to the value of a column. */
export interface Composition {
  /** The class of the first API. */
  readonly class: ApiClass;
  readonly steps: readonly ApiStep[];
}

export function outputOf({ steps }: Composition): ScalarOutput['type'] {
  const last = steps.at(-1);
  if (!last) throw new Error('a composition has at least one step');
  return usedOutput(last).type;
}

/** The value of an API; of a list, its last column. */
function usedOutput(step: ApiStep): ScalarOutput {
  const output = outputsOf(apiOf(step)).at(-1);
  if (!output) throw new Error(`${step.api} answers nothing`);
  return output;
}

function startsWithList([first]: readonly ApiStep[]): boolean {
  return first !== undefined && isList(apiOf(first));
}

function apiOf({ api }: ApiStep): Api {
  const found = SCALARS_BY_NAME.get(api);
  if (!found) throw new Error(`there is no scalar API ${api}`);
  return found;
}

/** The composition as nested function calls. */
export function applied(steps: readonly ApiStep[], value: Expr): Expr {
  return steps.reduce<Expr>(
    (inner, { api, more }) => node({ kind: 'call', name: api, args: [inner, ...more.map(literalOf)] }),
    value,
  );
}

export function literalOf(value: FixedValue): Expr {
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return number(BigInt(value));
  return value < 0 ? negative(realLiteral(String(-value))) : realLiteral(String(value));
}

function number(value: bigint): Expr {
  return value < 0n ? negative(integerLiteral(-value)) : integerLiteral(value);
}

function negative(expr: Expr): Expr {
  return node({ kind: 'unary', op: '-', expr });
}

/** The composition's values for a column's value, as SQL would compute them: several only for a list. */
function answersFor({ steps }: Composition, value: SqlValue, places: Gazetteer): SqlValue[] {
  return steps.reduce<SqlValue[]>(
    (inner, step) =>
      inner.flatMap((each) =>
        rowsInSql(apiOf(step), [each, ...step.more], places).map((row) => row.at(-1) ?? null),
      ),
    [value],
  );
}

const COUNTS: readonly ApiStep[] = [
  step('count_syllables'),
  step('count_characters'),
  step('count_characters', 'vowels'),
  step('count_characters', 'consonants'),
];

const KINDS: readonly ApiStep[] = [step('is_prime'), step('is_perfect_square'), step('is_fibonacci')];

/** Divisors of small numbers, and of any. */
const SMALL = [2, 3, 4, 5];
const ANY = [2, 3, 4, 5, 7, 10];

/** Parts of places that are names. */
const NAMED: ReadonlySet<PlacePart> = new Set(['country', 'province', 'county', 'locality']);

/** All compositions of up to three APIs on a column; `anchors` are places to measure distances to. */
function compositionsFor(
  { classes, parts }: Pick<ColumnClasses, 'classes' | 'parts'>,
  anchors: readonly string[],
  random: Random,
): Composition[] {
  const divisible = (divisors: readonly number[]) => step('is_divisible', random.pick(divisors) ?? 2);
  const ofCount = () => [step('is_prime'), divisible(SMALL)];
  const found: Composition[] = [];
  const add = (kind: Composition['class'], ...steps: readonly ApiStep[]) =>
    found.push({ class: kind, steps });
  const addCounts = (kind: Composition['class'], ...first: readonly ApiStep[]) => {
    for (const count of COUNTS) {
      add(kind, ...first, count);
      for (const test of ofCount()) add(kind, ...first, count, test);
    }
  };
  if (classes.has('lexical')) {
    addCounts('lexical');
    add('lexical', step('list_words'));
    addCounts('lexical', step('list_words'));
  }
  if (classes.has('numeric')) {
    for (const test of [...KINDS, divisible(ANY)]) add('numeric', test);
    add('numeric', step('list_prime_factors'));
  }
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

function step(api: string, ...more: readonly FixedValue[]): ApiStep {
  return { api, more };
}

export interface SeenColumn {
  readonly column: Column;
  readonly classes: ColumnClasses;
  readonly values: readonly SqlValue[];
}

/** Ideas by augmenter, class, depth and whether there is a list, in turn, so that rare ones are not crowded out. */
export function drawIdeas(
  scene: AugmentableQuery,
  columns: readonly SeenColumn[],
  places: Gazetteer,
  random: Random,
): Idea[] {
  const groups = new Map<string, Idea[]>();
  for (const seen of columns) {
    const anchors = seen.values.filter((value) => typeof value === 'string');
    for (const composition of compositionsFor(seen.classes, anchors, random)) {
      const values = seen.values.map((value) => answersFor(composition, value, places));
      for (const idea of ideasOf(scene, seen.column, composition, values, random)) {
        const { class: kind, steps } = composition;
        const key = `${idea.augmenter} ${kind} ${steps.length} ${startsWithList(steps)}`;
        groups.set(key, [...(groups.get(key) ?? []), idea]);
      }
    }
  }
  const piles = shuffled([...groups.values()], random).map((pile) => shuffled(pile, random));
  const most = Math.max(0, ...piles.map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => piles.flatMap((pile) => pile[i] ?? [])).flat();
}

/** A list of fewer needs no filter. */
const FEW_ROWS = 5;

/** The ideas for a composition; `values` are those of each row of the query. */
function ideasOf(
  { select, optional, isFigure, isList, sources }: AugmentableQuery,
  column: Column,
  composition: Composition,
  values: readonly (readonly SqlValue[])[],
  random: Random,
): Idea[] {
  const known = values.flat();
  const different = new Set(known).size;
  // Equal rows leave nothing to ask about.
  if (known.length < 2 || (outputOf(composition) === 'boolean' && different < 2)) return [];
  const output = outputOf(composition);
  const limit = select.limit?.count;
  const idea = (augmenter: Augmenter, more: Partial<Idea> = {}): Idea => ({
    augmenter,
    column,
    composition,
    test: null,
    direction: 'asc',
    aggregation: 'max',
    isOne: values.length === 1 || (limit?.kind === 'literal' && Number(limit.value) === 1),
    ...more,
  });
  const found: Idea[] = [];
  const isColumn = (expr: Expr) =>
    expr.kind === 'column' && expr.source === column.source && expr.name === column.name;
  const isShown = select.columns.some(({ expr }) => isColumn(expr));
  // When was Ada Byron born? Also say whether the name of the composer …
  const isGiven = conjuncts(select.where).some(
    (each) => each.kind === 'compare' && each.op === '=' && [each.left, each.right].some(isColumn),
  );
  const ofList = startsWithList(composition.steps);
  // Which spelling of a word counts would be open.
  const isTested = !ofList || output !== 'string';
  // What's Angela's major? Consider only majors …
  const isFew = isList && values.length < FEW_ROWS && select.limit === null;
  if (isTested && !isFew && !optional.has(column.source)) {
    const test = testOf(composition, known, random);
    if (test !== undefined && isSelective(values, test)) found.push(idea('filter', { test }));
  }
  // A column shown beside DISTINCT rows must be determined by them.
  const fits = !select.distinct || isShown;
  if (ofList) {
    // A LIMIT would count the items of lists.
    if (isList && fits && !isGiven && select.limit === null && composition.steps.length === 1)
      found.push(idea('projection'));
    return found;
  }
  if (isList && fits && !isGiven) found.push(idea('projection'));
  const isNumber = output === 'integer' || output === 'number';
  const isOpen = select.orderBy.length === 0 && select.limit === null;
  if (isList && fits && isOpen && isNumber && different > 1)
    found.push(idea('order', { direction: random.chance(0.5) ? 'desc' : 'asc' }));
  if (isFigure && output === 'integer') {
    // Sums would count rows that a join repeats.
    const ways: Aggregation[] = sources.length === 1 ? ['max', 'min', 'avg'] : ['max', 'min'];
    found.push(idea('aggregation', { aggregation: random.pick(ways) ?? 'max' }));
  }
  if (isFigure && output === 'boolean' && sources.length === 1)
    found.push(idea('aggregation', { aggregation: 'sum' }));
  return found;
}

/** A comparison that some of the values meet: null for booleans, undefined if there is none. */
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
      const isFactor = composition.steps.at(-1)?.api === 'list_prime_factors';
      // The prime factor 3313, or exactly 23 vowels, would be odd to ask for.
      if (isFactor)
        return middle <= LARGEST_FACTOR
          ? { op: random.pick(['=', '>'] as const) ?? '=', value: middle }
          : undefined;
      const ops = [
        ...(middle <= MOST_EXACTLY ? (['='] as const) : []),
        ...(middle > 1 ? (['<'] as const) : []),
      ];
      return { op: (middle === 0 ? undefined : random.pick([...ops, '>' as const])) ?? '>', value: middle };
    }
    case 'number': {
      if (composition.steps[0]?.api !== 'calculate_distance')
        return { op: random.chance(0.5) ? '>' : '<', value: Math.round(middle) };
      const far = DISTANCES.find((distance) => distance >= middle);
      return far === undefined ? undefined : { op: '<=', value: far };
    }
    case 'string': {
      const texts = values.map(String).sort();
      // A place in a country of its own may be another of that name.
      const shared = texts.filter((text, at) => texts.indexOf(text) < at);
      const value = random.pick([...new Set(shared.length > 0 ? shared : texts)]);
      return value === undefined ? undefined : { op: '=', value };
    }
  }
}

const LARGEST_FACTOR = 13;
const MOST_EXACTLY = 8;

/** Round distances in kilometres. */
const DISTANCES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Whether some rows have a value that meets a test, and others do not. */
function isSelective(values: readonly (readonly SqlValue[])[], test: Test | null): boolean {
  const met = values.map((each) => each.some((value) => meets(value, test)));
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

/** The query with the APIs as functions, but for one of a list; `steps` may be fewer than the idea's. */
export function withFunctions(select: Select, idea: Idea, steps = idea.composition.steps): Select {
  const lists = startsWithList(steps) ? 1 : 0;
  const { items, value } = joined(select, idea, steps.slice(0, lists));
  return withSources(select, idea, items, applied(steps.slice(lists), value));
}

/** The query with each API as a virtual table; a LEFT JOIN where the value is only shown. */
export function withTables(select: Select, idea: Idea): Select {
  const { items, value } = joined(select, idea, idea.composition.steps);
  return withSources(select, idea, items, value);
}

/** Virtual tables of APIs applied in turn, and the value of the last one. */
function joined(select: Select, { augmenter, column: first }: Idea, steps: readonly ApiStep[]) {
  const join = augmenter === 'filter' ? 'inner' : 'left';
  const taken = sourceIds(select);
  const items: FromItem[] = [];
  let value: Expr = first;
  for (const step of steps) {
    const { name, inputs } = apiOf(step);
    const id = freeId(taken, items.length);
    const column = (called: string): Expr => node({ kind: 'column', source: id, name: called });
    const given = [value, ...step.more.map(literalOf)];
    const on = given.map(
      (each, i): Expr => node({ kind: 'compare', op: '=', left: column(inputs[i]?.name ?? ''), right: each }),
    );
    items.push(node({ join, source: { kind: 'table', id, table: name, alias: id }, on: conjunction(on) }));
    value = column(usedOutput(step).name);
  }
  return { items, value };
}

/** The query with more sources. A row counts once, however many items of a list meet the condition. */
function withSources(select: Select, idea: Idea, items: readonly FromItem[], value: Expr): Select {
  const [first, ...others] = items;
  if (idea.augmenter !== 'filter' || !first || !startsWithList(idea.composition.steps))
    return withValue({ ...select, from: [...select.from, ...items] }, idea, value);
  const query = plainSelect({
    columns: [node({ expr: integerLiteral(1n), name: '1', alias: null })],
    from: [node({ ...first, join: 'from', on: null }), ...others],
    where: conjunction([...conjuncts(first.on), conditionOf(idea, value)]),
  });
  return withCondition(select, node({ kind: 'exists', query, negated: false }));
}

function withCondition(select: Select, condition: Expr): Select {
  return node({ ...select, where: conjunction([...conjuncts(select.where), condition]) });
}

function freeId(taken: ReadonlySet<string>, count: number): string {
  let left = count;
  for (let n = 1; ; n++) if (!taken.has(`A${n}`) && left-- === 0) return `A${n}`;
}

/** The name of the result column that an idea adds. */
export const ADDED = 'api_value';

function withValue(select: Select, idea: Idea, value: Expr): Select {
  switch (idea.augmenter) {
    case 'filter':
      return withCondition(select, conditionOf(idea, value));
    case 'projection':
      return node({ ...select, columns: [...select.columns, added(value)] });
    case 'aggregation':
      return node({
        ...select,
        columns: [...select.columns, added(plainAggregate(idea.aggregation, [value]))],
      });
    case 'order':
      return node({ ...select, orderBy: [orderTerm(value, idea.direction)] });
  }
}

function added(expr: Expr): OutputColumn {
  return node({ expr, name: ADDED, alias: ADDED });
}

function conditionOf({ test, composition }: Idea, value: Expr): Expr {
  if (test) return node({ kind: 'compare', op: test.op, left: value, right: literalOf(test.value) });
  if (outputOf(composition) !== 'boolean') throw new Error('only a boolean is a condition by itself');
  return node({ kind: 'compare', op: '=', left: value, right: integerLiteral(1n) });
}

/** The steps with each one left out in turn. */
export function withoutEach(steps: readonly ApiStep[]): (readonly ApiStep[])[] {
  return steps.map((_, at) => steps.filter((_, i) => i !== at));
}
