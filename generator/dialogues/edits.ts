import type { Edit } from '../../contracts/dialogue.ts';
import { ofMany } from '../english/predicates.ts';
import { COUNTS, isMassNoun } from '../english/words.ts';
import {
  aggregatesOf,
  type Profile,
  type ProfiledColumn,
  type Reference,
  type Value,
} from '../synthesize/profile.ts';
import { roundBound } from '../synthesize/query-builder.ts';
import type { Random } from '../variants/random.ts';
import { type Condition, labelsOf, type Order, type Place, type Plan } from './plan.ts';
import { isPlace, type Words } from './words.ts';

/** A turn that is tried: the plan that it makes, and ways to say it. */
export interface Step {
  readonly edit: Edit;
  readonly plan: Plan;
  readonly texts: readonly string[];
  /** Words that stand for an earlier turn, with that turn's number; by default, the turn before. */
  readonly refs: readonly (readonly [words: string, turn: number])[];
  /** What the words alone would mean; null if nothing. */
  readonly alone: Plan | null;
  /** The condition whose value the turn is about. */
  readonly condition?: Condition;
}

export interface Walk {
  /** The plan of each turn so far. */
  readonly plans: readonly [Plan, ...Plan[]];
  readonly steps: readonly Step[];
  /** The number of rows of the last answer. */
  readonly rows: number;
}

interface Scene {
  readonly profile: Profile;
  readonly words: Words;
  readonly random: Random;
}

/** Returns null where the last turn's plan does not offer the edit. */
export type EditMaker = (walk: Walk, scene: Scene) => Step | null;

const NOTHING = { given: null, order: null, within: null, carried: null, conditions: [] } as const;

function bare(plan: Plan): Plan {
  return { ...plan, ...NOTHING };
}

function now({ plans }: Walk): { readonly plan: Plan; readonly turn: number } {
  return { plan: plans.at(-1) as Plan, turn: plans.length };
}

const addCondition: EditMaker = (walk, { words, ...scene }) => {
  const { plan, turn } = now(walk);
  if (!['rows', 'count'].includes(plan.shown.kind) || plan.order?.count || plan.conditions.length > 2)
    return null;
  const condition = drawCondition(plan, { words, ...scene });
  if (condition === null) return null;
  const that = words.that(condition, plan.subject);
  const next = { ...plan, conditions: [...plan.conditions, condition] };
  const predicate = words.predicate(condition, that);
  const texts =
    plan.shown.kind === 'rows'
      ? [
          `Only those ${that}, please.`,
          `Just the ones ${that}, please.`,
          `Narrow that down to those ${that}.`,
        ]
      : [predicate === null ? `And if you only count those ${that}?` : `How many of those ${predicate}?`];
  return {
    edit: 'add_condition',
    plan: next,
    texts,
    refs: [['those', turn]],
    alone: { ...bare(plan), conditions: [condition] },
    condition,
  };
};

const changeCondition: EditMaker = (walk, { words, ...scene }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind === 'difference' || plan.order?.count) return null;
  // Beside figures by year, another year might mean one of those.
  const byYear = plan.shown.kind === 'groups' && plan.shown.byYear;
  const changed = scene.random.pick(
    plan.conditions.filter((one) => isAlone(one, plan, words) && !(byYear && one.test === 'year')),
  );
  const value = changed && otherValue(changed, scene.random);
  if (!changed || value === null || value === undefined) return null;
  const condition = { ...changed, value };
  // "And by Glasshouse?" takes up "by" from the words before it, which may be a question's own.
  const asked = plan.given?.asked;
  const texts = words.instead(condition, plan.subject, plan.shown.kind).filter((text) => {
    const [, taken] = /^And (at|by|for|about|from) (?!those )/.exec(text) ?? [];
    return asked === undefined || taken === undefined || asked.includes(` ${taken} `);
  });
  if (texts.length === 0) return null;
  const conditions = plan.conditions.map((one) => (one === changed ? condition : one));
  return {
    edit: 'change_condition',
    plan: { ...plan, conditions },
    texts,
    refs: [['And', turn]],
    alone: null,
    condition,
  };
};

/** Whether a new value can only be one of this condition's. */
function isAlone(one: Condition, { given, carried, conditions }: Plan, words: Words): boolean {
  const kind = ({ test, place }: Condition) => {
    if (test === 'year') return 'in';
    if (test !== '=') return test;
    return place.via === null && isPlace(words.about(place)) ? 'in' : words.about(place);
  };
  if (given !== null && given.tests.length > 0 && ['in', '<', '>'].includes(kind(one))) return false;
  if (carried !== null && kind(one) === 'in') return false;
  return conditions.filter((other) => kind(other) === kind(one)).length === 1;
}

const dropCondition: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (!['rows', 'count'].includes(plan.shown.kind) || plan.order?.count) return null;
  const droppable = plan.conditions.filter(
    (one) =>
      one.test !== 'missing' &&
      one.test !== 'present' &&
      // Else it is the column that might be meant.
      !isShown(one.place, plan) &&
      isAlone(one, plan, words) &&
      !words.isTrait(one.place),
  );
  if (plan.conditions.length + (plan.within ? 1 : 0) < 2) return null;
  const dropped = random.pick(droppable);
  if (dropped === undefined) return null;
  const about = dropped.test === 'year' ? 'year' : words.about(dropped.place);
  // The opened year is just the year.
  const noun = about.replace(/^\w+ed (?=(?:year|date|time)$)/, '');
  const said = plan.conditions.length - plan.conditions.indexOf(dropped);
  return {
    edit: 'drop_condition',
    plan: { ...plan, conditions: plan.conditions.filter((one) => one !== dropped) },
    texts: [`Actually, the ${noun} doesn't matter.`, `Never mind the ${noun}.`, `Forget about the ${noun}.`],
    refs: [[`the ${noun}`, Math.max(1, turn - said + 1)]],
    alone: null,
  };
};

function isShown({ column, via }: Place, { shown }: Plan): boolean {
  return shown.kind === 'rows' && via === null && [...(shown.lead ?? []), ...shown.details].includes(column);
}

const count: EditMaker = (walk) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'rows' || plan.order !== null || walk.rows < 3) return null;
  const next: Plan = { ...plan, shown: { kind: 'count' } };
  return {
    edit: 'count',
    plan: next,
    texts: ['How many is that?', 'How many are there in all?', 'How many are there altogether?'],
    refs: [['that', turn]],
    alone: bare(next),
  };
};

const aggregate: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (
    !['rows', 'count'].includes(plan.shown.kind) ||
    plan.order !== null ||
    (plan.shown.kind === 'rows' && walk.rows < 3)
  )
    return null;
  const column = random.pick(numbersOf(plan, words));
  const name =
    column &&
    random.pick(aggregatesOf(column.column).filter((one) => one !== 'SUM' || column.column.words?.sum));
  if (!column || !name) return null;
  const next: Plan = { ...plan, shown: { kind: 'aggregate', name, column } };
  const noun = words.noun(column);
  const texts = {
    AVG: [`What's their average ${noun}?`, `And their average ${noun}?`],
    SUM: [`What's their total ${noun}?`],
    MAX: [`What's the highest ${noun} among them?`],
    MIN: [`What's the lowest ${noun} among them?`],
  }[name];
  return {
    edit: 'aggregate',
    plan: next,
    texts,
    refs: [[name === 'AVG' || name === 'SUM' ? 'their' : 'them', turn]],
    alone: bare(next),
  };
};

const open: EditMaker = (walk, { words }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'count' || labelsOf(plan.subject).length === 0) return null;
  const next: Plan = { ...plan, shown: { kind: 'rows', details: [] } };
  const who = words.isPeople(plan.subject) ? 'Who are they?' : 'Which ones are they?';
  return {
    edit: 'open',
    plan: next,
    texts: [who, 'Which ones?', 'Can you list them?'],
    refs: [['they', turn]],
    alone: bare(next),
  };
};

const addColumn: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'rows' || plan.shown.details.length > 1) return null;
  const column = random.pick(detailsOf(plan, words));
  if (column === undefined) return null;
  const next: Plan = { ...plan, shown: { ...plan.shown, details: [...plan.shown.details, column] } };
  const noun = words.noun(column);
  const texts =
    walk.rows === 1
      ? [`Can I have the ${noun} as well?`, `And add the ${noun}, please.`]
      : [
          `With the ${noun} for each, please.`,
          `Add the ${noun} for each, please.`,
          ...(/^(sex|gender)$/.test(noun) ? [] : [`Can I have their ${words.nouns(column)} as well?`]),
        ];
  return {
    edit: 'add_column',
    plan: next,
    texts,
    refs: [[walk.rows === 1 ? 'the' : 'each', turn]],
    alone: bare(next),
  };
};

const exchangeColumn: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'rows') return null;
  const old = plan.shown.details.at(-1);
  const column = random.pick(detailsOf(plan, words));
  if (old === undefined || column === undefined) return null;
  const next: Plan = {
    ...plan,
    shown: { ...plan.shown, details: [...plan.shown.details.slice(0, -1), column] },
  };
  return {
    edit: 'exchange_column',
    plan: next,
    texts: [
      `The ${words.noun(column)} instead of the ${words.noun(old)}, please.`,
      `Make that the ${words.noun(column)} instead of the ${words.noun(old)}.`,
    ],
    refs: [[`the ${words.noun(old)}`, turn]],
    alone: bare(next),
  };
};

const cut: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'rows') return null;
  const { order } = plan;
  if (order?.count === 1) return null;
  if (order?.count) {
    const number = random.pick([2, 3, 5, 10].filter((n) => n !== order.count));
    if (number === undefined) return null;
    const next: Plan = { ...plan, order: { ...order, count: number } };
    return {
      edit: 'cut',
      plan: next,
      texts: [`Make that ${COUNTS[number]}.`, `Make it ${COUNTS[number]}.`],
      refs: [['that', turn]],
      alone: null,
    };
  }
  const column = random.pick(rankedBy(plan, words));
  if (column === undefined || walk.rows < 4 || order !== null) return null;
  const number = random.pick([1, 2, 3, 5].filter((n) => n < walk.rows - 1));
  const direction = random.chance(0.7) ? 'DESC' : 'ASC';
  if (number === undefined) return null;
  const by: Order = { column, direction, count: number };
  const next: Plan = { ...plan, order: by };
  const said = rankText(by, words);
  const texts =
    number === 1
      ? [`Which of them ${singularRank(by, words)}?`]
      : [`Just the ${COUNTS[number]} ${said}, please.`, `Only the ${COUNTS[number]} ${said}.`];
  return {
    edit: 'cut',
    plan: next,
    texts,
    refs: [[number === 1 ? 'them' : 'the', turn]],
    alone: { ...bare(next), order: by },
  };
};

/** heaviest; with the highest salary; with the latest hiring date */
export function rankText({ column, direction }: Order, words: Words): string {
  const down = direction === 'DESC';
  const own = down ? column.column.words?.highest : column.column.words?.lowest;
  if (own !== undefined && !isAmount(own)) return own;
  if (words.noun(column) === 'date') return superlative(column, down, words);
  const counts = words.counts(column);
  if (counts !== undefined) return `with the ${down ? 'most' : 'fewest'} ${counts}`;
  return `with the ${superlative(column, down, words)} ${words.noun(column)}`;
}

/** Superlatives that are of the column's noun rather than of the rows: the largest number of beds. */
function isAmount(superlative: string): boolean {
  return /^(largest|smallest|highest|lowest|greatest|most|fewest|biggest|longest|shortest|latest|earliest)$/.test(
    superlative,
  );
}

export function superlative(ranked: ProfiledColumn, down: boolean, words: Words): string {
  const { column, kind } = ranked;
  const own = down ? column.words?.highest : column.words?.lowest;
  if (own !== undefined && isAmount(own)) return own;
  if (kind === 'date' || words.isYear(ranked)) return down ? 'latest' : 'earliest';
  return down ? 'highest' : 'lowest';
}

export function singularRank(order: Order, words: Words): string {
  const text = rankText(order, words);
  const with_ = /^with (.*)$/.exec(text)?.[1];
  return with_ === undefined ? `is the ${text}` : `has ${with_}`;
}

const sort: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'rows' || plan.order !== null || walk.rows < 4) return null;
  const [label, ...others] = labelsOf(plan.subject);
  const column = random.pick([
    ...rankedBy(plan, words).filter(({ nulls }) => nulls === 0),
    ...(label && others.length === 0 && label.kind === 'name' ? [label] : []),
  ]);
  if (column === undefined) return null;
  const direction = column === label ? 'ASC' : random.chance(0.6) ? 'DESC' : 'ASC';
  const first = `${superlative(column, direction === 'DESC', words)} first`;
  const next: Plan = { ...plan, order: { column, direction, count: null } };
  return {
    edit: 'sort',
    plan: next,
    texts:
      column === label
        ? [
            ...(plan.shown.details.length === 0 && /name|title/.test(words.noun(column))
              ? ['In alphabetical order, please.']
              : []),
            `Sort them by ${words.noun(column)}, please.`,
          ]
        : [
            `Sort them by ${words.noun(column)}, ${first}.`,
            `Put them in order of ${words.noun(column)}, ${first}.`,
          ],
    refs: [['them', turn]],
    alone: { ...bare(next), order: next.order },
  };
};

const reverse: EditMaker = (walk, { words }) => {
  const { plan, turn } = now(walk);
  const { order } = plan;
  if (plan.shown.kind !== 'rows' || order === null) return null;
  const turned: Order = { ...order, direction: order.direction === 'ASC' ? 'DESC' : 'ASC' };
  const said = rankText(turned, words);
  const texts =
    order.count === null
      ? ['The other way round, please.', 'Now the other way round.']
      : order.count === 1
        ? [`And which ${singularRank(turned, words)}?`]
        : [`And the ${COUNTS[order.count]} ${said}?`];
  return {
    edit: 'reverse',
    plan: { ...plan, order: turned },
    texts,
    refs: [['the other way round', turn]],
    alone: order.count === null ? null : { ...bare(plan), order: turned },
  };
};

const group: EditMaker = (walk, { words, random, profile }) => {
  const { plan, turn } = now(walk);
  if (
    !['rows', 'count'].includes(plan.shown.kind) ||
    plan.order !== null ||
    (plan.shown.kind === 'rows' && walk.rows < 4)
  )
    return null;
  const dates = plan.subject.columns.filter(({ kind }) => kind === 'date');
  const places = placesOf(plan, profile, words).filter(
    ({ column, via }) =>
      !labelsOf(plan.subject).includes(column) &&
      column !== plan.carried?.column &&
      column.column.words?.counts === undefined &&
      !words.isTrait({ column, table: plan.subject, via }) &&
      (column.kind !== 'category' || (isNamed(column) && !isMassNoun(words.noun(column)))) &&
      (column.kind !== 'date' || dates.length === 1 || words.whenOf(column) !== undefined) &&
      !plan.conditions.some(
        ({ place, test }) => place.column === column && place.via === via && test === '=',
      ) &&
      (via === null
        ? ['category', 'date', 'year'].includes(column.kind)
        : labelsOf(tableOf(profile, via)).includes(column)),
  );
  const place = random.pick(
    places.filter(
      ({ column }) =>
        column.kind !== 'date' || !plan.conditions.some(({ place: other }) => other.column === column),
    ),
  );
  if (place === undefined) return null;
  const byYear = place.column.kind === 'date';
  const next: Plan = { ...plan, shown: { kind: 'groups', place, byYear } };
  const noun = words.about(place);
  const when = words.whenOf(place.column);
  const texts = byYear
    ? when === undefined
      ? [plan.shown.kind === 'count' ? `By year, please.` : 'Count them by year, please.']
      : [
          `How many of them ${ofMany(when)} each year?`,
          ...(plan.shown.kind === 'count' ? [`By the year they ${ofMany(when)}, please.`] : []),
        ]
    : plan.shown.kind === 'count'
      ? [`By ${noun}, please.`, `Can you split that by ${noun}?`, `How many is that per ${noun}?`]
      : [`How many of them are there per ${noun}?`, `Count them by ${noun}, please.`];
  return {
    edit: 'group',
    plan: next,
    texts,
    refs: [[plan.shown.kind === 'count' ? 'that' : 'them', turn]],
    alone: bare(next),
  };
};

/** From rows to the rows that they refer to, or that refer to them. */
const hop: EditMaker = (walk, { words, random, profile }) => {
  const { plan, turn } = now(walk);
  if (
    plan.shown.kind !== 'rows' ||
    (plan.order !== null && plan.order.count === null) ||
    plan.within?.plan.within
  )
    return null;
  const { subject } = plan;
  const target = random.pick(
    profile.references.flatMap((by) => [
      ...(by.from.table === subject.table.name ? [{ by, up: true }] : []),
      ...(by.to.table === subject.table.name ? [{ by, up: false }] : []),
    ]),
  );
  if (target === undefined) return null;
  const { by, up } = target;
  const table = profile.tables.find(({ table: { name } }) => name === (up ? by.to.table : by.from.table));
  // A row that a condition names is known.
  const isNamed = plan.conditions.some(({ place }) => place.via === by);
  if (isNamed || table === undefined || labelsOf(table).length === 0 || table === plan.within?.plan.subject)
    return null;
  const next: Plan = {
    subject: table,
    given: null,
    within: { plan, by, up },
    carried: null,
    conditions: [],
    shown: { kind: 'rows', details: [] },
    order: null,
  };
  const texts = hopTexts(by, up, walk.rows, { table, subject, words });
  return {
    edit: 'hop',
    plan: next,
    texts,
    refs: [[walk.rows === 1 && !words.isPeople(subject) ? 'that' : 'they', turn]],
    alone: { ...next, within: null },
  };
};

function hopTexts(
  by: Reference,
  up: boolean,
  rows: number,
  { table, subject, words }: { table: Plan['subject']; subject: Plan['subject']; words: Words },
): string[] {
  const { verb, inverse } = words.referenceWords(by);
  if (table === subject && (up ? words.roleOf(by, table) === words.one(table) : inverse === undefined))
    return [];
  const isOne = rows === 1 && !words.isPeople(subject);
  const that = `that ${words.one(subject)}`;
  const [they, their, do_, were] = isOne
    ? [that, `${that}'s`, 'does', 'was']
    : ['they', 'their', 'do', 'were'];
  const people = words.isPeople(table);
  const role = words.roleOf(by, table);
  const isSingle = rows === 1 && up;
  const many = isSingle ? role : up ? pluralOf(role, table, words) : words.many(table);
  const plain =
    isSingle && !people
      ? [`And what is ${their} ${many}?`]
      : people && up
        ? [`Who ${isSingle ? 'is' : 'are'} ${their} ${many}?`, `And ${their} ${many}?`]
        : [`And ${their} ${many}?`, `Show me ${their} ${many}.`];
  const predicate = (up ? verb : inverse) ?? '';
  const [first = '', ...rest] = predicate.split(' ');
  const which = up && people ? 'Who' : `Which ${many}`;
  if (first === 'was' || first === 'were') return [`${which} ${were} ${they} ${rest.join(' ')}?`];
  if (/[^s]s$/.test(first) && !['is', 'has', 'was'].includes(first)) {
    return [`${which} ${do_} ${they} ${ofMany(predicate)}?`];
  }
  return plain;
}

function pluralOf(role: string, table: Plan['subject'], words: Words): string {
  return role === words.one(table)
    ? words.many(table)
    : `${role}${/(s|sh|ch|x)$/.test(role) ? 'es' : /[^aeiou]y$/.test(role) ? '' : 's'}`.replace(
        /([^aeiou])y$/,
        '$1ies',
      );
}

const compare: EditMaker = (walk, { words, random }) => {
  const { plan, turn } = now(walk);
  if (plan.shown.kind !== 'count') return null;
  const own = plan.conditions.filter(
    (one) =>
      (one.test === '=' || one.test === 'year') && isAlone(one, plan, words) && !words.isTrait(one.place),
  );
  const more = random.pick(own);
  const value = more && otherValue(more, random);
  if (!more || value === null || value === undefined) return null;
  const less = { ...more, value };
  const short = words.short(less, plan.subject);
  if (short === null) return null;
  const people = /^the (.*)$/.exec(short)?.[1];
  return {
    edit: 'compare',
    plan: {
      ...plan,
      conditions: plan.conditions.filter((one) => one !== more),
      shown: { kind: 'difference', more, less },
    },
    texts: [
      people === undefined
        ? `How many more is that than ${short}?`
        : `How many more are there than ${people}?`,
    ],
    refs: [['that', turn]],
    alone: null,
    condition: less,
  };
};

const undo: EditMaker = ({ plans, steps }) => {
  const before = plans.at(-2);
  const last = steps.at(-1)?.edit;
  if (before === undefined || last === undefined || ['undo', 'change_mind', 'ask'].includes(last))
    return null;
  return {
    edit: 'undo',
    plan: before,
    texts: ['No, go back to what we had before that.', 'Undo that, please.', 'No, back to the one before.'],
    refs: [['before that', plans.length - 1]],
    alone: null,
  };
};

const changeMind: EditMaker = (walk, { words, random }) => {
  const { plan } = now(walk);
  const step = walk.steps.at(-1);
  const said = step?.condition;
  if (step === undefined || said === undefined || !['add_condition', 'change_condition'].includes(step.edit))
    return null;
  const value = otherValue(said, random);
  if (value === null || said.test === '>' || said.test === '<') return null;
  const condition = { ...said, value };
  const last = words.value(condition);
  return {
    edit: 'change_mind',
    plan: { ...plan, conditions: plan.conditions.map((one) => (one === said ? condition : one)) },
    texts: [`Sorry, I meant ${last}.`, `Sorry, not ${words.value(said)} – I meant ${last}.`],
    refs: [['I meant', walk.plans.length]],
    alone: null,
    condition,
  };
};

/** To add an edit: name it in the contract, make it here. */
export const EDIT_MAKERS: Readonly<Record<Exclude<Edit, 'ask' | 'write'>, EditMaker>> = {
  add_condition: addCondition,
  change_condition: changeCondition,
  drop_condition: dropCondition,
  count,
  aggregate,
  open,
  add_column: addColumn,
  exchange_column: exchangeColumn,
  sort,
  cut,
  reverse,
  group,
  hop,
  compare,
  undo,
  change_mind: changeMind,
};

// ------------------------------------------------------------------------------------------- what a plan offers

function tableOf({ tables }: Profile, via: Reference) {
  return tables.find(({ table }) => table.name === via.to.table) as Plan['subject'];
}

/** The columns of the rows, and of the rows that they refer to. */
function placesOf({ subject }: Plan, profile: Profile, words: Words): Place[] {
  const own = subject.columns.map((column): Place => ({ column, table: subject, via: null }));
  const others = profile.references
    .filter(({ from, to }) => from.table === subject.table.name && to.table !== subject.table.name)
    .flatMap((via) => {
      const table = profile.tables.find((other) => other.table.name === via.to.table);
      const labels = table === undefined ? [] : labelsOf(table);
      const [label] = labels;
      return table && label && labels.length === 1 && label.kind !== 'key'
        ? [{ column: label, table, via }]
        : [];
    });
  return [...own, ...others].filter(
    ({ column }) => words.isPlain(column) && !/\bunit$/.test(words.noun(column)),
  );
}

/** Whether a category's values are words rather than amounts or days. */
function isNamed({ column }: ProfiledColumn): boolean {
  if (column.words?.codes !== undefined) return true;
  return column.type === 'string' && !/\b(day|date|time|number)s?\b/.test(column.words?.noun ?? column.name);
}

/** Columns that can be shown beside the names. */
export function detailsOf({ subject, carried, shown, conditions }: Plan, words: Words): ProfiledColumn[] {
  const known = [
    ...labelsOf(subject),
    ...(shown.kind === 'rows' ? [...(shown.lead ?? []), ...shown.details] : []),
    ...(carried === null ? [] : [carried.column]),
    ...conditions
      .filter(({ test, place }) => ['=', 'missing'].includes(test) && place.via === null)
      .map(({ place }) => place.column),
  ];
  return subject.columns.filter(
    (column) =>
      !known.includes(column) &&
      column.kind !== 'key' &&
      column.nulls < 0.5 &&
      words.isPlain(column) &&
      !/\bunit$/.test(words.noun(column)) &&
      !words.isTrait({ column, table: subject, via: null }),
  );
}

function numbersOf({ subject }: Plan, words: Words): ProfiledColumn[] {
  return subject.columns.filter(
    (column) =>
      column.kind === 'number' &&
      column.use === 'quantity' &&
      words.isPlain(column) &&
      !words.isYear(column) &&
      !isMixed(column, subject, words) &&
      !/^(number of)/.test(words.noun(column)),
  );
}

/** Whether the unit or currency of a column's numbers stands in another column, so that they cannot be compared. */
function isMixed({ column, kind }: ProfiledColumn, { columns }: Plan['subject'], words: Words): boolean {
  const { unit, counts } = column.words ?? {};
  if (kind !== 'number' || counts !== undefined || (unit !== undefined && !/ or /.test(unit))) return false;
  return columns.some((other) => /\b(unit|currency)$/.test(words.noun(other)));
}

function rankedBy({ subject }: Plan, words: Words): ProfiledColumn[] {
  return subject.columns.filter(
    (column) =>
      words.isPlain(column) &&
      column.column.words?.rank !== false &&
      !isMixed(column, subject, words) &&
      ((column.kind === 'number' && column.use === 'quantity') || column.kind === 'date') &&
      !isMassNoun(words.noun(column)),
  );
}

const RARE = 0.02;
const USUAL = 0.75;

/** A condition with a value of the data on a column that has none yet. */
export function drawCondition(plan: Plan, { profile, words, random }: Scene): Condition | null {
  const used = plan.conditions.map(({ place }) => words.about(place));
  const places = placesOf(plan, profile, words).filter(
    (place) =>
      !used.includes(words.about(place)) &&
      (place.via === null || place.via.to.table !== plan.within?.plan.subject.table.name),
  );
  const place = random.pick(
    places.filter(
      (one) =>
        one.column.kind !== 'key' &&
        one.column !== plan.carried?.column &&
        !isMixed(one.column, one.table, words) &&
        (one.via !== null || (one.column.kind !== 'name' && !labelsOf(plan.subject).includes(one.column))),
    ),
  );
  if (place === undefined) return null;
  const { column } = place;
  const { missing, present } = column.column.words ?? {};
  if (
    place.via === null &&
    missing !== undefined &&
    present !== undefined &&
    column.nulls > 0.05 &&
    column.nulls < 0.95 &&
    random.chance(0.3)
  )
    return { place, test: random.chance(0.5) ? 'missing' : 'present', value: null };
  const test = testOf(column.kind, random);
  const value = test && random.pick(valuesOf({ place, test }));
  return !test || value === undefined ? null : { place, test, value };
}

/** null for columns that are not tested. */
function testOf(kind: ProfiledColumn['kind'], random: Random): Condition['test'] | null {
  switch (kind) {
    case 'category':
    case 'name':
      return '=';
    case 'number':
    case 'year':
      return random.chance(0.6) ? '>' : '<';
    case 'date':
      return 'year';
    default:
      return null;
  }
}

/** Values that a condition may have: of the data, and such that people would say them. */
export function valuesOf({ place: { column }, test }: Pick<Condition, 'place' | 'test'>): Value[] {
  if (test === 'year') return [...new Set(column.steps.map((value) => String(value).slice(0, 4)))];
  if (test !== '=')
    return [...new Set(column.steps.slice(1, -1).map((value) => rounded(value, column)))].filter(
      (value) => Number(value) > 0,
    );
  if (column.kind === 'name') return column.steps.filter(isSayable);
  const texts = column.common.map(({ value }) => String(value).trim().toLowerCase());
  // Spellings of one value that differ would need a condition of several.
  if (new Set(texts).size < texts.length) return [];
  return column.common
    .filter(
      ({ share, value }) => share >= RARE && share <= USUAL && isSayable(value) && hasMeaning(value, column),
    )
    .map(({ value }) => value);
}

/** Codes need a meaning in the vocabulary. */
function hasMeaning(value: Value, { column: { words } }: ProfiledColumn): boolean {
  const codes = Object.values(words?.codes ?? {});
  const isClause =
    codes.length < 3 &&
    codes.some((text) => / /.test(text)) &&
    !codes.some((text) => /^(not|open|closed) /.test(text));
  if (words?.codes?.[String(value)] !== undefined) return !isClause;
  return (
    typeof value === 'string' && value.length > 2 && !/^[A-Z0-9_-]{1,4}$/.test(value) && /\p{L}/u.test(value)
  );
}

function isSayable(value: Value): boolean {
  const text = String(value);
  return (
    text.trim() === text &&
    text !== '' &&
    text.length <= 40 &&
    !/["'\n;%/()]|^(other|others|unknown|none|n\/a|misc.*|tbd|-+)$/i.test(text)
  );
}

function otherValue(condition: Condition, random: Random): Value | null {
  if (condition.value === null) return null;
  return random.pick(valuesOf(condition).filter((value) => value !== condition.value)) ?? null;
}

function rounded(value: Value, column: ProfiledColumn): Value {
  const isLikeYear = Number(value) >= 1000 && Number(value) < 2200;
  const near = isLikeYear ? value : roundBound(value, column);
  return typeof near === 'number' && Number.isInteger(near) ? BigInt(near) : near;
}
