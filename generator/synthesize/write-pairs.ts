import type { CatalogColumn, Policy } from '../../contracts/catalog.ts';
import { lowerWords } from '../english/words.ts';
import type { ProfiledColumn, ProfiledTable, Reference } from './profile.ts';
import { identifier } from './query-builder.ts';
import { type DescribedRow, literal, type Rows } from './rows.ts';
import {
  type Adjustment,
  adjust,
  changeable,
  type Draft,
  type Draw,
  isMoney,
  isState,
  legendsOf,
  newValue,
  quantities,
  referring,
  ruled,
  update,
  wordsOf,
} from './write-kinds.ts';
import { newRowDrafts } from './write-sets.ts';

/** Draws that give two tasks of one wording, of which one is to be done and the other is not. */

const OTHERWISE = [
  'otherwise change nothing',
  'otherwise leave everything as it is',
  'if not, leave it alone',
];

/** References by which rows of another table that people speak of belong to a row. */
function belongings(rows: Rows, table: ProfiledTable): readonly Reference[] {
  const all = rows.referencesTo(table.table);
  return all.filter(({ from }) => {
    const twice = all.filter((each) => each.from.table === from.table).length > 1;
    const isNamed = !/ by /.test(lowerWords(from.column).join(' '));
    return !twice && isNamed && from.table !== table.table.name && rows.table(from.table) !== undefined;
  });
}

/** A condition: rows of another table belong to the row. */
function hasAny(table: ProfiledTable, { from, to }: Reference): string {
  return `EXISTS (SELECT 1 FROM ${identifier(from.table)} AS c WHERE c.${identifier(from.column)} = ${identifier(table.table.name)}.${identifier(to.column)})`;
}

/** `has no visits`; of a role that a row has for others, `is the home port of no vessel`. */
function having(rows: Rows, { from, to }: Reference, many: string): string {
  const table = rows.table(from.table) as ProfiledTable;
  const column = table.columns.find(({ column: { name } }) => name === from.column)?.column;
  const role = column && rows.noun(table.table, column);
  const things = many === 'no' ? rows.one(table.table) : rows.many(table.table);
  return role === undefined || role === rows.one({ name: to.table })
    ? `has ${many} ${rows.many(table.table)}`
    : `is the ${role} of ${many} ${things}`;
}

/** A row that meets a condition, in words. */
function rowWhere(
  rows: Rows,
  table: ProfiledTable,
  where: string,
  without: readonly CatalogColumn[] = [],
): DescribedRow | null {
  const row = rows.any(table.table, where);
  return row && rows.describe(table, row, { without });
}

/** A task about either row, in the same words; the second is to be refused. */
function twins(
  done: DescribedRow | null,
  left: DescribedRow | null,
  make: (about: DescribedRow) => Draft | null,
): Draft | null {
  const [one, other] = [done && make(done), left && make(left)];
  return one && other && { ...one, twin: { ...other, refuse: true } };
}

/** `If … has no visits, delete it.` */
const deleteIfUnused: Draw = (rows) => {
  const table = rows.random.pick(rows.tables.filter((each) => belongings(rows, each).length > 0));
  const reference = table && rows.random.pick(belongings(rows, table));
  const child = reference && rows.table(reference.from.table);
  if (!table || !reference || !child) return null;
  const otherwise = rows.random.pick(OTHERWISE)?.replace('if not,', 'otherwise');
  const unused = rows.referencesTo(table.table).map((each) => `NOT ${hasAny(table, each)}`);
  return twins(
    rowWhere(rows, table, unused.join(' AND ')),
    rowWhere(rows, table, hasAny(table, reference)),
    (about) => ({
      kind: 'conditional',
      question: `If ${about.text} ${having(rows, reference, 'no')}, delete ${rows.its(table.table) === 'its' ? 'it' : 'their record'}; ${otherwise}.`,
      sql: `DELETE FROM ${identifier(table.table.name)} WHERE ${about.where} AND NOT EXISTS (SELECT 1 FROM ${identifier(child.table.name)} WHERE ${identifier(reference.from.column)} = ${rows.select(about, reference.to.column)})`,
      about,
    }),
  );
};

const ROUND = [2, 3, 5, 10, 20, 50, 100];

/** `If … has fewer than three visits, lower its price by 5 %.` */
const changeIfFew: Draw = (rows) => {
  const table = rows.random.pick(
    rows.tables.filter(
      (each) =>
        belongings(rows, each).length > 0 && adjustable(each).length > 0 && rows.its(each.table) === 'its',
    ),
  );
  const reference = table && rows.random.pick(belongings(rows, table));
  const child = reference && rows.table(reference.from.table);
  const column = table && rows.random.pick(adjustable(table));
  if (!table || !reference || !child || !column) return null;
  const some = rowWhere(rows, table, hasAny(table, reference), [column.column]);
  const other = rowWhere(rows, table, '1', [column.column]);
  if (!some || !other) return null;
  const counts = [some, other].map(
    (about) => referring(rows, about).find((each) => each.reference === reference)?.count ?? 0,
  );
  const [a = 0, b = 0] = counts;
  if (a === b) return null;
  const [done, left] = a < b ? [some, other] : [other, some];
  const least = ROUND.find((each) => each > Math.min(a, b) && each <= Math.max(a, b));
  if (least === undefined) return null;
  const change = adjust(rows, table, column, `(${done.where}) OR (${left.where})`);
  if (!change) return null;
  const otherwise = rows.random.pick(OTHERWISE);
  return twins(done, left, (about) => ({
    kind: 'conditional',
    question: `If ${about.text} ${having(rows, reference, `fewer than ${least}`)}, ${change.verb.toLowerCase()} ${rows.its(table.table)} ${rows.noun(table.table, column.column)} by ${change.by}; ${otherwise}.`,
    sql: `${adjustment(about, column, change)} AND (SELECT COUNT(*) FROM ${identifier(child.table.name)} WHERE ${identifier(reference.from.column)} = ${rows.select(about, reference.to.column)}) < ${least}`,
    about,
  }));
};

/** What a rule raises or lowers. */
function adjustable(table: ProfiledTable): readonly ProfiledColumn[] {
  return quantities(table).filter(({ column }) => isMoney(column) && !PAST.test(wordsOf(column)));
}

/** Amounts of what has happened, which follow no rule. */
const PAST =
  /\b(maximum|minimum|cost|costs|purchase|purchased|paid|charged|spent|received|collected|awarded|granted|total)\b/i;

function adjustment({ table, where }: DescribedRow, { column }: ProfiledColumn, { sql }: Adjustment): string {
  return `UPDATE ${identifier(table.table.name)} SET ${identifier(column.name)} = ${sql} WHERE ${where}`;
}

/** `If the status of … is still open, set it to closed.` */
const changeIfStill: Draw = (rows) => {
  const states = (each: ProfiledTable) => ruled(each, ['category']).filter((column) => isState(column, each));
  const table = rows.random.pick(rows.tables.filter((each) => states(each).length > 0));
  const column = table && rows.random.pick(states(table));
  if (!table || !column) return null;
  const { name } = column.column;
  const id = identifier(name);
  const about = rowWhere(rows, table, `${id} IS NOT NULL`, [column.column]);
  const old = about?.row[name] ?? null;
  const change = about && newValue(rows, table, column, about.row);
  const said = rows.say(table.table, column.column, old);
  if (!about || !change || said === null) return null;
  const otherwise = rows.random.pick(OTHERWISE);
  const verb = rows.nounIs(table.table, column.column).split(' ').at(-1);
  const still = /\b(status|state|stage)\b/i.test(rows.noun(table.table, column.column)) ? 'still ' : '';
  const left = rowWhere(rows, table, `${id} IS NOT NULL AND ${id} <> ${literal(old)}`, [column.column]);
  return twins(about, left, (each) => ({
    kind: 'conditional',
    question: `If the ${rows.noun(table.table, column.column)} of ${each.text} ${verb} ${still}${said}, change it to ${change.text}; ${otherwise}.`,
    sql: `${update(each, [change])} AND ${rows.select(each, name)} = ${literal(old)}`,
    legends: legendsOf(rows, [change, { column: column.column, value: old }]),
    about: each,
  }));
};

/** `Lower the price of … by 5 %, but only if it is above 200.` */
const changeIfAbove: Draw = (rows) => {
  const table = rows.random.pick(rows.tables.filter((each) => adjustable(each).length > 0));
  const column = table && rows.random.pick(adjustable(table));
  const limit = column ? roundLimit(column) : null;
  if (!table || !column || limit === null) return null;
  const id = identifier(column.column.name);
  const said = rows.say(table.table, column.column, limit);
  const above = rowWhere(rows, table, `${id} > ${limit}`, [column.column]);
  const below = rowWhere(rows, table, `${id} < ${limit}`, [column.column]);
  const change = above && below && adjust(rows, table, column, `(${above.where}) OR (${below.where})`);
  if (!change || said === null) return null;
  const [done, left] = change.raises ? [below, above] : [above, below];
  const [word, op] = change.raises ? ['below', '<'] : ['above', '>'];
  const otherwise = rows.random.pick(OTHERWISE);
  const they = rows.nounIs(table.table, column.column).endsWith(' are') ? 'they are' : 'it is';
  return twins(done, left, (about) => ({
    kind: 'conditional',
    question: `${change.verb} the ${rows.noun(table.table, column.column)} of ${about.text} by ${change.by}, but only if ${they} ${word} ${said}; ${otherwise}.`,
    sql: `${adjustment(about, column, change)} AND ${id} ${op} ${limit}`,
    about,
  }));
};

/** A round number in the middle of a column's values. */
function roundLimit({ steps }: ProfiledColumn): number | null {
  const middle = Number(steps[3] ?? Number.NaN);
  if (!Number.isFinite(middle) || middle <= 0) return null;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(middle)) - 1);
  const limit = Math.round(middle / unit) * unit;
  return limit > 0 ? limit : null;
}

/** What others refer to cannot be deleted. */
const deleteAlone: Draw = (rows) => {
  const isDeclared = (each: ProfiledTable) => belongings(rows, each).some(({ declared }) => declared);
  const table = rows.random.pick(rows.tables.filter(isDeclared));
  const reference = table && rows.random.pick(belongings(rows, table).filter(({ declared }) => declared));
  if (!table || !reference) return null;
  const unused = rows.referencesTo(table.table).map((each) => `NOT ${hasAny(table, each)}`);
  const words = rows.random.pick([
    (about: DescribedRow) => `Delete ${about.text} and nothing else.`,
    (about: DescribedRow) => `Please delete ${about.text}. Nothing else may be deleted or changed.`,
  ]);
  return twins(
    rowWhere(rows, table, unused.join(' AND ')),
    rowWhere(rows, table, hasAny(table, reference)),
    (about) => ({
      kind: 'delete',
      question: words?.(about) ?? '',
      sql: `DELETE FROM ${identifier(table.table.name)} WHERE ${about.where}`,
      about,
    }),
  );
};

/** An amount that one row has, or has room for, and another does not, so that a CHECK refuses the other. */
const withinCheck: Draw = (rows) => {
  const checked = (each: ProfiledTable) => {
    const text = rows.checks(each.table).toLowerCase();
    return text === ''
      ? []
      : quantities(each).filter(({ column }) => text.includes(column.name.toLowerCase()));
  };
  const table = rows.random.pick(rows.tables.filter((each) => checked(each).length > 0));
  const column = table && rows.random.pick(checked(table))?.column;
  if (!table || !column) return null;
  const id = identifier(column.name);
  const [one, other] = [
    rowWhere(rows, table, `${id} > 0`, [column]),
    rowWhere(rows, table, `${id} >= 0`, [column]),
  ];
  const values = [one, other].map((about) => about?.row[column.name]);
  const [a, b] = values;
  if (!one || !other || typeof a !== 'number' || typeof b !== 'number' || a === b) return null;
  const raises = rows.random.chance(0.3);
  const [done, left] = a > b === raises ? [other, one] : [one, other];
  // Below zero, or beyond the greatest number that a constraint names.
  const limit = Math.max(...[...rows.checks(table.table).matchAll(/\d+(\.\d+)?/g)].map(Number), 0);
  const room = (about: DescribedRow) => {
    const value = Number(about.row[column.name]);
    return raises ? limit - value : value;
  };
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000];
  const step = rows.random.pick(steps.filter((each) => each <= room(done) && each > room(left)));
  const by = step === undefined ? null : rows.say(table.table, column, step);
  if (step === undefined || by === null) return null;
  const ending = rows.random.pick([
    'If that is not possible, change nothing.',
    'Change nothing if that cannot be.',
  ]);
  return twins(done, left, (about) => ({
    kind: 'arithmetic',
    question: `${raises ? 'Raise' : 'Lower'} the ${rows.noun(table.table, column)} of ${about.text} by ${by}. ${ending}`,
    sql: `UPDATE ${identifier(table.table.name)} SET ${id} = ${id} ${raises ? '+' : '-'} ${step} WHERE ${about.where}`,
    about,
  }));
};

/** Rules of a domain, and whether statements break one. */
export interface RuleContext {
  readonly policies: readonly Policy[];
  readonly isForbidden: (sql: string) => boolean;
}

/** Two rows of which a rule lets one be changed. Rules are only recorded, so that what breaks one is done. */
export function ruleDraw(context: RuleContext): Draw {
  const recorded = { policies: 'recorded' } as const;
  return (rows) => {
    const draft = drawAgainstRule(rows, context);
    return draft?.twin ? { ...draft, ...recorded, twin: { ...draft.twin, ...recorded } } : null;
  };
}

function drawAgainstRule(rows: Rows, { policies, isForbidden }: RuleContext): Draft | null {
  const policy = rows.random.pick(
    policies.filter(({ table, forbid, on }) => forbid && !on.includes('read') && rows.table(table)),
  );
  const table = policy && rows.table(policy.table);
  if (!policy || !table) return null;
  const kind = rows.random.pick(policy.on);
  if (kind === 'create') {
    const draft = newRowDrafts(rows, table);
    return draft && ruledTwins(draft, 8, isForbidden);
  }
  const concerned = changeable(table).filter(({ column }) => policy.forbid?.includes(column.name));
  const columns = concerned.length > 0 && rows.random.chance(0.6) ? concerned : changeable(table);
  const column = kind === 'update' ? rows.random.pick(columns)?.column : undefined;
  const profiled = table.columns.find((each) => each.column === column);
  const sample = rows.any(table.table);
  const change = profiled && sample && newValue(rows, table, profiled, sample);
  if (kind === 'update' && !change) return null;
  const words = rows.random.pick([
    (about: DescribedRow) => `Please delete ${about.text}.`,
    (about: DescribedRow) => `Delete ${about.text}.`,
  ]);
  const make = (about: DescribedRow): Draft =>
    change
      ? {
          kind: 'change',
          question: `Set the ${rows.noun(table.table, change.column)} of ${about.text} to ${change.text}.`,
          sql: update(about, [change]),
          legends: legendsOf(rows, [change]),
          about,
        }
      : {
          kind: 'delete',
          question: words?.(about) ?? '',
          sql: `DELETE FROM ${identifier(table.table.name)} WHERE ${about.where}`,
          about,
        };
  const unlike = change
    ? `${identifier(change.column.name)} IS NOT ${literal(change.value)}`
    : rows
        .referencesTo(table.table)
        .map((each) => `NOT ${hasAny(table, each)}`)
        .join(' AND ') || '1';
  const draft = () => {
    const about = rowWhere(rows, table, unlike, change ? [change.column] : []);
    return about && make(about);
  };
  return ruledTwins(draft, 12, isForbidden);
}

/** The first of some drafts that the rules allow, with the first that they forbid. */
function ruledTwins(
  draft: (nth: number) => Draft | null,
  most: number,
  isForbidden: RuleContext['isForbidden'],
): Draft | null {
  const found: { allowed?: Draft; forbidden?: Draft } = {};
  for (let nth = 0; nth < most && !(found.allowed && found.forbidden); nth++) {
    const each = draft(nth);
    if (each) found[isForbidden(each.sql) ? 'forbidden' : 'allowed'] ??= each;
  }
  const { allowed, forbidden } = found;
  return allowed && forbidden ? { ...allowed, twin: { ...forbidden, refuse: true } } : null;
}

const conditional: Draw = (rows) =>
  rows.random.pick([deleteIfUnused, changeIfFew, changeIfStill, changeIfAbove])?.(rows) ?? null;

export const PAIR_DRAWS = { conditional, deleteAlone, withinCheck } as const;
