import type { Row } from '../../contracts/catalog.ts';
import { capital } from '../../contracts/wording.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { openReadonly } from '../read/open-database.ts';
import type { SynthesisDomain } from '../synthesize/find-databases.ts';
import type { Profile, ProfiledColumn, ProfiledTable, Value } from '../synthesize/profile.ts';
import type { Random } from '../variants/random.ts';
import { detailsOf, type Step } from './edits.ts';
import { type Carried, labelsOf, type Plan } from './plan.ts';
import { isPlace, type Words } from './words.ts';

/** A database that dialogues are about, and what its rows are called. */
export interface KnownDomain {
  readonly domain: SynthesisDomain;
  readonly profile: Profile;
  readonly words: Words;
}

/** What a turn can carry into another domain. */
type Kind = 'date' | 'place' | 'name';

/** A column of one domain whose values may be those of another. */
interface Carrier {
  readonly kind: Kind;
  readonly table: ProfiledTable;
  readonly column: ProfiledColumn;
  readonly values: ReadonlySet<Value>;
}

/** More days or names than these are no condition that people say. */
const MOST_CARRIED = 5;
const READ_VALUES = 20_000;

/**
 * From rows to the rows of another domain that have the same day, place or name; null where the last turn shows none, or
 * no domain has its values.
 */
export function hopAcross(
  { plan, turn, rows }: { readonly plan: Plan; readonly turn: number; readonly rows: readonly Row[] },
  here: KnownDomain,
  { others, random }: { readonly others: readonly KnownDomain[]; readonly random: Random },
): (Step & { readonly known: KnownDomain }) | null {
  if (plan.shown.kind !== 'rows') return null;
  const { subject, shown } = plan;
  const seen = [...(shown.lead ?? labelsOf(subject)), ...shown.details].map((column, at) => ({
    kind: kindOf(column, here.words),
    when: here.words.whenOf(column),
    all: carriersOf(here).find((one) => one.column === column)?.values ?? new Set<Value>(),
    isLabel: isOnlyLabel(column, subject),
    values: [...new Set(rows.flatMap((row) => (row[at] == null ? [] : [row[at] as Value])))],
  }));
  const definite = seen.filter(
    ({ kind, values }) =>
      kind !== null &&
      values.length > 0 &&
      values.length <= MOST_CARRIED &&
      // Of two dates, either may be meant, also where one is a key.
      (kind === 'date'
        ? values.every(isDay) && seen.filter((other) => other.values.some(isMoment)).length === 1
        : seen.filter((other) => other.kind === kind).length === 1),
  );
  const nouns = here.profile.tables.map((table) => here.words.many(table).toLowerCase());
  const targets = definite.flatMap(({ kind, when, all, isLabel, values }) =>
    others.flatMap((known) =>
      carriersOf(known)
        .filter(
          (one) =>
            one.kind === kind &&
            // What was opened on a day has nothing to do with what ended on it.
            !(BOUND.test(known.words.whenOf(one.column) ?? '') && known.words.whenOf(one.column) !== when) &&
            (kind !== 'name' ||
              ((isLabel || isOnlyLabel(one.column, one.table)) && nameTheSame(all, one.values))) &&
            // The words have to name what only that domain has.
            !nouns.includes(known.words.many(one.table).toLowerCase()) &&
            values.some((value) => one.values.has(value)),
        )
        .map(({ table, column }) => ({ known, table, carried: { column, values } })),
    ),
  );
  const target = random.pick(targets);
  return target === undefined ? null : stepTo(target, turn, random);
}

/** What happens to a period, not on a day. */
const BOUND = /^(starts?|began|begins?|ends?|runs? out|ran out|expires?|was (renewed|terminated))(ed|d)?\b/;

/** Whether names are of the same things, rather than a few alike by chance. */
function nameTheSame(some: ReadonlySet<Value>, others: ReadonlySet<Value>): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some];
  return [...few].filter((value) => many.has(value)).length * 2 >= few.size;
}

function stepTo(
  {
    known,
    table: subject,
    carried,
  }: { readonly known: KnownDomain; readonly table: ProfiledTable; readonly carried: Carried },
  turn: number,
  random: Random,
): (Step & { readonly known: KnownDomain }) | null {
  const { words } = known;
  const plan: Plan = {
    subject,
    given: null,
    within: null,
    carried,
    conditions: [],
    shown: { kind: 'rows', details: [] },
    order: null,
  };
  const said = isOnlyLabel(carried.column, subject)
    ? ofThatName(plan, carried, { words, random })
    : words.thatHave(carried, subject);
  if (said === null) return null;
  const [text, ref, detail] = said;
  const shown: Plan = detail === undefined ? plan : { ...plan, shown: { kind: 'rows', details: [detail] } };
  return {
    edit: 'hop',
    plan: shown,
    texts: detail === undefined ? [`And ${text}?`, `${capital(text)}?`] : [`And ${text}?`],
    refs: [[ref, turn]],
    alone: { ...shown, carried: null },
    known,
  };
}

/** The names are known, so that something else is asked for. */
function ofThatName(
  plan: Plan,
  { values }: Carried,
  { words, random }: { readonly words: Words; readonly random: Random },
): readonly [text: string, ref: string, detail: ProfiledColumn] | null {
  const detail = random.pick(detailsOf(plan, words));
  if (detail === undefined) return null;
  const { subject } = plan;
  return values.length === 1
    ? [`what is the ${words.noun(detail)} of the ${words.one(subject)} of that name`, 'that name', detail]
    : [
        `what are the ${words.nouns(detail)} of the ${words.many(subject)} of those names`,
        'those names',
        detail,
      ];
}

const CARRIERS = new WeakMap<KnownDomain, readonly Carrier[]>();

function carriersOf(known: KnownDomain): readonly Carrier[] {
  const read = CARRIERS.get(known) ?? readCarriers(known);
  CARRIERS.set(known, read);
  return read;
}

function readCarriers({ domain, profile, words }: KnownDomain): Carrier[] {
  const connection = openReadonly(domain.tried);
  try {
    return profile.tables
      .filter((table) => labelsOf(table).length > 0)
      .flatMap((table) => {
        const columns = table.columns.flatMap((column) => {
          const kind = kindOf(column, words);
          return kind === null ? [] : [{ kind, column }];
        });
        return columns
          .filter(
            ({ kind }) => kind !== 'place' || columns.filter((other) => other.kind === kind).length === 1,
          )
          .map(({ kind, column }): Carrier => {
            const name = quoteIdentifier(column.column.name);
            const values = connection
              .prepare<[], Value>(
                `SELECT DISTINCT ${name} FROM ${quoteIdentifier(table.table.name)} WHERE ${name} IS NOT NULL LIMIT ${READ_VALUES}`,
              )
              .pluck()
              .all();
            return { kind, table, column, values: new Set(values) };
          })
          .filter(({ kind, values }) => kind !== 'date' || [...values].every(isDay));
      });
  } finally {
    connection.close();
  }
}

function kindOf(column: ProfiledColumn, words: Words): Kind | null {
  const { kind, steps, common } = column;
  if (!words.isPlain(column)) return null;
  if (kind === 'date') return 'date';
  if (kind !== 'name' && kind !== 'category') return null;
  const values = [...steps, ...common.map(({ value }) => value)];
  const areWords = values.every((value) => /^\p{Lu}.*\p{Ll}{2}/u.test(String(value)));
  if (!areWords || column.column.words?.codes !== undefined) return null;
  return isPlace(words.noun(column)) ? 'place' : 'name';
}

function isMoment(value: Value): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(String(value));
}

/** Whether a moment is a day without a time. */
function isDay(value: Value): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value));
}

/** Whether a column alone names the rows of a table. */
function isOnlyLabel(column: ProfiledColumn, table: ProfiledTable): boolean {
  const [label, ...others] = labelsOf(table);
  return label === column && others.length === 0;
}
