import type { CatalogColumn } from '../../contracts/catalog.ts';
import { keyOf, type PolicyMode, type WriteKind } from '../../contracts/records.ts';
import { capital } from '../../contracts/wording.ts';
import { isYesNo } from '../english/column-text.ts';
import { listed, lowerWords, singular } from '../english/words.ts';
import { isUnspoken } from './asked-columns.ts';
import type { ProfiledColumn, ProfiledTable, Reference } from './profile.ts';
import { identifier } from './query-builder.ts';
import { type DescribedRow, equals, literal, type RecordRow, type RecordValue, type Rows } from './rows.ts';

/** A task as drawn, not checked yet. */
export interface Draft {
  readonly kind: WriteKind;
  readonly question: string;
  readonly sql: string;
  readonly refuse?: boolean;
  readonly policies?: PolicyMode;
  /** Facts about codes that the question names by their meaning. */
  readonly legends?: readonly string[];
  /** The row that it is about, as it is before. */
  readonly about?: DescribedRow;
  /** The column that changes, and its new value where that is fixed. */
  readonly changed?: { readonly column: CatalogColumn; readonly value?: RecordValue };
  /** The table that gets a new row. */
  readonly creates?: ProfiledTable;
  /** Rows of other tables that the change concerns. */
  readonly concerns?: readonly DescribedRow[];
  /** The same with one other fact; either both are kept, or none. */
  readonly twin?: Draft;
}

/** Draws a task of one kind; null where the rows do not offer it. */
export type Draw = (rows: Rows) => Draft | null;

/** A value that a column is to get. */
export interface NewValue {
  readonly column: CatalogColumn;
  readonly value: RecordValue;
  readonly text: string;
}

/** Other rows' values of a column are given to a row; a date moves by some days. */
export function newValue(
  rows: Rows,
  table: ProfiledTable,
  column: ProfiledColumn,
  row: RecordRow,
): NewValue | null {
  const { table: catalog } = table;
  const { name } = column.column;
  const old = row[name] ?? null;
  if (column.kind === 'date') {
    if (typeof old !== 'string') return null;
    const value = daysLater(old, 1 + rows.random.below(21));
    return { column: column.column, value, text: value };
  }
  const id = identifier(name);
  const isOther = `${id} IS NOT NULL AND ${id} IS NOT ${literal(old)}`;
  const isNear =
    column.kind === 'number' && typeof old === 'number' && old > 0
      ? `${id} BETWEEN ${old * 0.5} AND ${old * 2}`
      : '1';
  // A cat gets no breed of dogs.
  const kind = table.columns.find(
    (each) =>
      each !== column &&
      each.kind === 'category' &&
      each.column.statistics.distinct > 1 &&
      row[each.column.name] !== null,
  );
  const isAlike = kind ? equals(kind.column.name, row[kind.column.name] ?? null) : '1';
  const other = rows.any(catalog, [isOther, isNear, isAlike].join(' AND '))?.[name] ?? null;
  if (other === null || typeof other !== typeof old) return null;
  const [said, before] = [rows.say(catalog, column.column, other), rows.say(catalog, column.column, old)];
  if (said === null || said.toLowerCase() === before?.toLowerCase()) return null;
  if (column.kind === 'category' && (isFinal(before) || BEGINNING.test(said))) return null;
  if (!rows.isUsual(catalog, column.column, other)) return null;
  return { column: column.column, value: other, text: said };
}

/** States that nothing leaves, and those to which nothing returns. */
export function isFinal(said: string | null): boolean {
  return FINAL.test(said ?? '');
}

const FINAL =
  /^"?(closed|cancell?ed|completed?|done|finished|delivered|paid|archived|rejected|refused|denied|withdrawn|resolved|solved|settled|returned|expired|retired|scrapped|sold|ended|terminated|refunded|deceased|fulfilled|removed|lost|missed|attended|checked out|no-?show|void)\b/i;
const BEGINNING =
  /^"?(new|draft|open|opened|pending|planned|requested|submitted|scheduled|registered|to do|unpaid|announced|proposed|ordered|booked)\b/i;

export function daysLater(date: string, days: number): string {
  const day = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return date;
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10) + date.slice(10);
}

const CHANGED = ['category', 'category', 'number', 'date', 'name'];

/** Columns that people change: no keys, no names by which they speak of a row, nothing that stands for something else. */
export function changeable(table: ProfiledTable, kinds: readonly string[] = CHANGED): ProfiledColumn[] {
  const keys = new Set(keyOf(table.table));
  return kinds.flatMap((kind) =>
    table.columns.filter(
      ({ kind: own, column, use }) =>
        own === kind &&
        !keys.has(column) &&
        !(table.table.words?.called ?? [table.label?.column.name]).includes(column.name) &&
        !NAME.test(column.name) &&
        !(column.words?.noun === undefined && QUESTION.test(column.name)) &&
        !(own === 'number' && use !== 'quantity') &&
        !(own === 'category' && (use === 'year' || (isYesNo(column) && column.words?.codes === undefined))) &&
        !isUnspoken(column) &&
        !(
          column.type === 'string' &&
          column.words?.codes === undefined &&
          own !== 'date' &&
          holdsFigures(column)
        ) &&
        !(own === 'name' && isIdentifying(column)) &&
        !GENERATED.test(column.name) &&
        !LASTING.test(wordsOf(column)) &&
        !DERIVED.test(wordsOf(column)),
    ),
  );
}

/**
 * Columns that people set by a rule: several rows at once, or under a condition. Where something is, and what was measured
 * of each row, follows from no rule.
 */
export function ruled(table: ProfiledTable, kinds?: readonly string[]): ProfiledColumn[] {
  return changeable(table, kinds).filter(({ kind, column }) => {
    const { type, words, statistics } = column;
    // Majors 600 and 550 stand for something.
    if (kind === 'category' && type !== 'string' && words?.codes === undefined) return false;
    const isMeasured =
      kind === 'number' &&
      (statistics.distinct * 2 > Math.max(2, statistics.rows - statistics.nulls) ||
        (statistics.storage.real > 0 && statistics.distinct > 30));
    if (kind === 'number' && !isMoney(column) && !SET.test(wordsOf(column))) return false;
    return !isMeasured && !isFact(column);
  });
}

/** All that a column is called. */
export function wordsOf({ name, words, friendly_name }: CatalogColumn): string {
  return `${lowerWords(name).join(' ')} ${words?.noun ?? friendly_name ?? ''}`;
}

/** What holds of a row whatever anyone decides, so that it can only be recorded wrongly. */
function isFact(column: CatalogColumn): boolean {
  return FACT.test(wordsOf(column));
}

/** Whether a column says how far a row has come, or what was last decided about it. */
export function isState({ column }: ProfiledColumn, { columns }: ProfiledTable): boolean {
  const isPlace =
    lowerWords(column.name).at(-1) === 'state' &&
    columns.some((each) => /city|town|zip|post|country|county/i.test(each.column.name));
  return STATE.test(wordsOf(column)) && !isPlace;
}

const STATE =
  /\b(status|state|stage|phase|priority|tier|membership|role|shift|team|plan|tariff|frequency|approval|visibility)\b/i;

/** Numbers that people fix, other than money. */
const SET =
  /\b(capacity|limit|stock|on hand|quantity|deposit|discount|quota|target|allowed|allowance|allotment|threshold|bonus|promised|planned|points|reorder|interest|tax|places|seats|beds)\b/i;

const FACT =
  /\b(age|experience|height|weight|length|width|depth|area|population|government|head|year|town|city|village|country|county|state|region|district|ward|quarter|neighbou?rhood|street|address|post ?code|zip|river|continent|currency|scale|maker|speed|distance|type|kind|genre|class|category|make|model|brand|material|colou?r|nationality|language|size|rating|score|stars|code)\b/i;

/** Nearly every row has another value, such as a licence number. */
function isIdentifying({ statistics: { distinct, rows, nulls } }: CatalogColumn): boolean {
  return distinct > 0.8 * (rows - nulls);
}

/** An amount or a size written as text is no word. */
function holdsFigures({ words, statistics: { min, max } }: CatalogColumn): boolean {
  return words?.quantity !== undefined || [min, max].some((value) => /\d/.test(String(value)));
}

/** `is_male`, `IsOfficial` */
const QUESTION = /^(is|has|have|was|can)([_ ]|[A-Z])/;

const NAME = /^(first|last|middle|given|family|sur|fore|full|short|long)?[ _]?name$/i;

/** What never changes about a person or an animal. */
const LASTING = /\b(sex|gender|species|breed|race|born|birth|ethnicity)\b/i;

/** What follows from other values, and texts that fit one row alone. */
const DERIVED = /\b(average|avg|mean|total|sum|description|remarks?|comments?|notes?|details)\b/i;

const GENERATED = /hash|uuid|guid|checksum|token|signature|(^|_)(created|updated|modified)(_|$)/i;

/** Numbers that can be added to. */
export function quantities(table: ProfiledTable): ProfiledColumn[] {
  return changeable(table, ['number']).filter(
    ({ column: { name, words, statistics } }) =>
      words?.average !== false &&
      !/year|jahr|année|\bår/i.test(`${name} ${words?.noun ?? ''}`) &&
      statistics.storage.text === 0 &&
      !/rank|position|order|version|level/i.test(words?.noun ?? ''),
  );
}

/** A row that can be described. */
function anyRow(rows: Rows): DescribedRow | null {
  const table = rows.random.pick(rows.tables);
  const row = table && rows.any(table.table);
  return table && row ? rows.describe(table, row) : null;
}

/** A row, and a column of it that is not among the words for the row. */
function anyPlace(
  rows: Rows,
  columnsOf: (table: ProfiledTable) => readonly ProfiledColumn[],
): { readonly about: DescribedRow; readonly column: ProfiledColumn } | null {
  const table = rows.random.pick(rows.tables.filter((each) => columnsOf(each).length > 0));
  const column = table && rows.random.pick(columnsOf(table));
  const row = table && rows.any(table.table);
  const about = table && row && column && rows.describe(table, row, { without: [column.column] });
  return about ? { about, column } : null;
}

/** The column's name, of the row, to a value: `Change the type of the visit … to follow-up.` */
function assign(rows: Rows, about: DescribedRow, change: NewValue, verb: string): string {
  const noun = rows.noun(about.table.table, change.column);
  return `${verb} the ${noun} of ${about.text} to ${change.text}`;
}

export function update(
  { table, where }: Pick<DescribedRow, 'table' | 'where'>,
  changes: readonly Pick<NewValue, 'column' | 'value'>[],
): string {
  const set = changes.map(({ column, value }) => `${identifier(column.name)} = ${literal(value)}`);
  return `UPDATE ${identifier(table.table.name)} SET ${set.join(', ')} WHERE ${where}`;
}

/** The facts about codes among some values, once each. */
export function legendsOf(rows: Rows, values: readonly Pick<NewValue, 'column' | 'value'>[]): string[] {
  const legends = values.map(({ column, value }) => rows.legend(column, value));
  return [...new Set(legends)].filter((text) => text !== '');
}

const change: Draw = (rows) => {
  const place = anyPlace(rows, (table) => changeable(table));
  if (!place) return null;
  const { about, column } = place;
  const first = newValue(rows, about.table, column, about.row);
  if (!first) return null;
  const free = changeable(about.table).filter((each) => !about.columns.includes(each.column.name));
  const other = rows.random.chance(0.3)
    ? rows.random.pick(free.filter((each) => each.column !== column.column))
    : undefined;
  const second = other && newValue(rows, about.table, other, about.row);
  const old = rows.say(about.table.table, column.column, about.row[column.column.name] ?? null);
  const noun = rows.noun(about.table.table, column.column);
  const mustBeWrong = column.kind !== 'date' && !isDecided(about.table, column);
  if (second && other) {
    const more = rows.noun(about.table.table, second.column);
    const isWrong = mustBeWrong || (other.kind !== 'date' && !isDecided(about.table, other));
    return {
      kind: 'change',
      question: isWrong
        ? `For ${about.text}, the ${noun} should be ${first.text} and the ${more} ${second.text}. Please correct both.`
        : `For ${about.text}, set the ${noun} to ${first.text} and the ${more} to ${second.text}.`,
      sql: update(about, [first, second]),
      legends: legendsOf(rows, [first, second]),
      about,
    };
  }
  const correction = `The ${noun} of ${about.text} should be ${first.text}. Please correct that.`;
  const texts = mustBeWrong
    ? [correction]
    : column.kind === 'date'
      ? [
          `${assign(rows, about, first, 'Change')}.`,
          `Please change the ${noun} of ${about.text} from ${old} to ${first.text}.`,
        ]
      : [`${assign(rows, about, first, 'Change')}.`, `${assign(rows, about, first, 'Set')}.`, correction];
  return {
    kind: 'change',
    question: rows.random.pick(texts) ?? '',
    sql: update(about, [first]),
    legends: legendsOf(rows, [first]),
    about,
    changed: first,
  };
};

/** Columns by which rows refer to others, outside of keys. */
function movable(rows: Rows, table: ProfiledTable): ProfiledColumn[] {
  const keys = new Set(keyOf(table.table));
  return table.columns.filter(
    ({ column }) =>
      !keys.has(column) &&
      !isUnspoken(column) &&
      !LASTING.test(wordsOf(column)) &&
      rows.referenceOf(table.table, column.name) &&
      column.statistics.distinct > 1,
  );
}

const move: Draw = (rows) => {
  const place = anyPlace(rows, (table) => movable(rows, table));
  if (!place) return null;
  const { about, column } = place;
  const id = identifier(column.column.name);
  const old = about.row[column.column.name] ?? null;
  const other = rows.any(about.table.table, `${id} IS NOT NULL AND ${id} IS NOT ${literal(old)}`);
  const [to, from] = [other, about.row].map((row) => row && rows.parentOf(about.table, row, column.column));
  const reference = rows.referenceOf(about.table.table, column.column.name);
  if (!to || !reference || old === null || to.where === from?.where) return null;
  if (leadsTo(rows, to, about, reference)) return null;
  const noun = rows.noun(about.table.table, column.column);
  const texts = [
    `The ${noun} of ${about.text} should be ${to.short}. Please correct that.`,
    ...(isFact(column.column) ? [] : [`Change the ${noun} of ${about.text} to ${to.short}.`]),
    ...(from && !from.hasClause && !isFact(column.column)
      ? [`Change the ${noun} of ${about.text} from ${from.short} to ${to.short}.`]
      : []),
  ];
  return {
    kind: 'move',
    question: rows.random.pick(texts) ?? '',
    sql: `UPDATE ${identifier(about.table.table.name)} SET ${id} = ${rows.select(to, reference.to.column)} WHERE ${about.where}`,
    about,
    concerns: from ? [to, from] : [to],
  };
};

/** Whether following a reference from a row leads to another, which then cannot refer to it: a category in a category. */
function leadsTo(rows: Rows, start: DescribedRow, { table, row }: DescribedRow, { from, to }: Reference) {
  const column = table.columns.find((each) => each.column.name === from.column)?.column;
  const seen = new Set<RecordValue | undefined>();
  let at: DescribedRow | null = start;
  while (column && at?.table === table && !seen.has(at.row[to.column])) {
    if (at.row[to.column] === row[to.column]) return true;
    seen.add(at.row[to.column]);
    at = rows.parentOf(table, at.row, column);
  }
  return false;
}

/** How many rows refer to a row, by each reference. */
export function referring(
  rows: Rows,
  { table, row }: Pick<DescribedRow, 'table' | 'row'>,
): readonly { readonly reference: Reference; readonly count: number; readonly where: string }[] {
  return rows.referencesTo(table.table).flatMap((reference) => {
    const from = rows.profile.tables.find((each) => each.table.name === reference.from.table);
    const value = row[reference.to.column] ?? null;
    const where = equals(reference.from.column, value);
    return from && value !== null ? [{ reference, where, count: rows.count(from.table, where) }] : [];
  });
}

const remove: Draw = (rows) => {
  const about = anyRow(rows);
  if (!about) return null;
  const children = referring(rows, about).filter(({ count }) => count > 0);
  const table = identifier(about.table.table.name);
  const last = `DELETE FROM ${table} WHERE ${about.where}`;
  if (children.length === 0) {
    const texts = [
      `Delete ${about.text}.`,
      about.text.length < 45
        ? `Please remove ${about.text} from our records.`
        : `Please remove from our records ${about.text}.`,
      `${capital(about.text)} was entered by mistake; delete it.`,
    ];
    return { kind: 'delete', question: rows.random.pick(texts) ?? '', sql: last, about };
  }
  // With all that belongs to it, if nothing belongs to that in turn.
  const all = children.reduce((sum, { count }) => sum + count, 0);
  const from = children.map(({ reference }) => rows.table(reference.from.table));
  const tables = new Set(from);
  if (all > 15 || from.includes(undefined) || tables.size < from.length || tables.has(about.table))
    return null;
  // Delete the car together with the car that belongs to it.
  if (from.some((child) => child && rows.one(child.table) === rows.one(about.table.table))) return null;
  for (const [at, { where }] of children.entries()) {
    const child = from[at] as ProfiledTable;
    const found = rows.query(`SELECT * FROM ${identifier(child.table.name)} WHERE ${where}`);
    if (found.some((row) => referring(rows, { table: child, row }).some(({ count }) => count > 0)))
      return null;
  }
  const deletions = children.map(
    ({ reference: { from: child, to } }) =>
      `DELETE FROM ${identifier(child.table)} WHERE ${identifier(child.column)} = ${rows.select(about, to.column)}`,
  );
  const things = children.map(({ count }, at) => {
    const { table: child } = from[at] as ProfiledTable;
    return count === 1 ? `the ${rows.one(child)}` : `all ${rows.many(child)}`;
  });
  return {
    kind: 'delete',
    question: `Delete ${about.text}, together with ${listed(things)} that belong${all === 1 ? 's' : ''} to ${rows.its(about.table.table) === 'their' ? 'them' : 'it'}.`,
    sql: [...deletions, last].join('; '),
    about,
  };
};

/** A change of a number in words and as an expression. */
export interface Adjustment {
  readonly raises: boolean;
  readonly verb: string;
  readonly by: string;
  readonly sql: string;
}

const DECIMALS = 2;

/** By a round amount or percentage that all rows can bear without rounding; null if there is none. */
export function adjust(
  rows: Rows,
  table: ProfiledTable,
  profiled: ProfiledColumn,
  where: string,
): Adjustment | null {
  const { random } = rows;
  const { column } = profiled;
  const id = identifier(column.name);
  const values = rows
    .query(`SELECT ${id} AS v FROM ${identifier(table.table.name)} WHERE ${where} LIMIT 21`)
    .map(({ v }) => v);
  if (values.length === 0 || values.some((value) => typeof value !== 'number' || value <= 0)) return null;
  const numbers = values as number[];
  const isWhole = column.type === 'integer';
  const raises = random.chance(0.6);
  const verb = raises ? (random.pick(['Raise', 'Increase']) ?? '') : (random.pick(['Lower', 'Reduce']) ?? '');
  if (isMoney(column) && random.chance(0.7)) {
    const percent = random.pick([5, 10, 15, 20, 25]) ?? 10;
    const factor = raises ? 100 + percent : 100 - percent;
    const exact = (value: number) => (value * factor) / 100;
    const scale = isWhole ? 1 : 10 ** DECIMALS;
    const isExact = numbers.every(
      (value) => Math.abs(exact(value) * scale - Math.round(exact(value) * scale)) < 1e-6,
    );
    if (!isExact) return null;
    const sql = isWhole ? `${id} * ${factor} / 100` : `ROUND(${id} * ${factor / 100}, ${DECIMALS})`;
    return { raises, verb, by: `${percent} %`, sql };
  }
  const least = Math.min(...numbers);
  const steps = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000].filter(
    (step) => step * 2 <= least && step * 20 >= least && (!isWhole || step >= 1),
  );
  const step = random.pick(steps);
  if (step === undefined) return null;
  const by = sayAmount(rows, table, profiled, step) ?? String(step);
  const sum = `${id} ${raises ? '+' : '-'} ${step}`;
  return {
    raises,
    verb,
    by: by.replace(/ %$/, step === 1 ? ' percentage point' : ' percentage points'),
    sql: isWhole ? sum : `ROUND(${sum}, ${DECIMALS})`,
  };
}

/** A number that is added or taken, which no code stands for. */
function sayAmount(
  rows: Rows,
  { table }: ProfiledTable,
  { column }: ProfiledColumn,
  amount: number,
): string | null {
  return rows.say(table, { ...column, words: { ...column.words, codes: undefined } }, amount);
}

/** People decide on a price; what was measured can only be recorded wrongly. */
export function isDecided(table: ProfiledTable, column: ProfiledColumn): boolean {
  return isMoney(column.column) || ruled(table).includes(column);
}

/** What people raise by a percentage. */
export function isMoney(column: CatalogColumn): boolean {
  const { unit = '' } = column.words ?? {};
  return MONEY.test(`${unit} ${wordsOf(column)}`) && unit !== 'percent';
}

const MONEY =
  /euro|pound|dollar|franc|kron|price|salar|wage|\b(cents?|pence|fees?|fares?|rates?|costs?|budgets?|premiums?)\b/i;

const arithmetic: Draw = (rows) => {
  const place = anyPlace(rows, quantities);
  if (!place) return null;
  const { about, column } = place;
  const adjusted = adjust(rows, about.table, column, about.where);
  if (!adjusted) return null;
  const { raises, verb, by } = adjusted;
  const id = identifier(column.column.name);
  const noun = `${rows.noun(about.table.table, column.column)} of ${about.text}`;
  return {
    kind: 'arithmetic',
    question: isDecided(about.table, column)
      ? `${verb} the ${noun} by ${by}.`
      : `The recorded ${noun} is ${by} too ${raises ? 'low' : 'high'}; please correct that.`,
    sql: `UPDATE ${identifier(about.table.table.name)} SET ${id} = ${adjusted.sql} WHERE ${about.where}`,
    about,
    changed: { column: column.column },
  };
};

/** Takes an amount from one row and gives it to another of the same kind. */
const transfer: Draw = (rows) => {
  const place = anyPlace(rows, (table) => quantities(table).filter(isStock));
  if (!place) return null;
  const { about, column } = place;
  const { name } = column.column;
  const id = identifier(name);
  // What both rows have in common, if they have more than a name: the stock of the same part.
  const shared = about.table.columns.find(
    (each) =>
      rows.referenceOf(about.table.table, each.column.name) &&
      about.columns.includes(each.column.name) &&
      about.columns.length > 1,
  );
  const alike = shared ? equals(shared.column.name, about.row[shared.column.name] ?? null) : '1';
  const other = rows.any(about.table.table, `${alike} AND NOT (${about.where}) AND ${id} > 0`);
  const to = other && rows.describe(about.table, other, { without: [column.column] });
  const held = about.row[name];
  if (!to || typeof held !== 'number' || held < 2) return null;
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].filter(
    (step) => step < held && step * 50 >= held,
  );
  const step = rows.random.pick(steps);
  if (step === undefined) return null;
  const said = sayAmount(rows, about.table, column, step) ?? '';
  const noun = rows.noun(about.table.table, column.column);
  const { counts: many } = column.column.words ?? {};
  const counts = step === 1 ? many && singular(many.split(' ')).join(' ') : many;
  const set = (row: DescribedRow, sign: string) =>
    `UPDATE ${identifier(row.table.table.name)} SET ${id} = ${id} ${sign} ${step} WHERE ${row.where}`;
  return {
    kind: 'transfer',
    question: counts
      ? `Move ${step} ${counts} from ${about.text} to ${to.text}.`
      : `Take ${said} off the ${noun} of ${about.text} and add it to that of ${to.text}.`,
    sql: `${set(about, '-')}; ${set(to, '+')}`,
    about,
  };
};

/** Whether a number is something that rows hold, so that one can give it to another. */
function isStock({ column }: ProfiledColumn): boolean {
  const text = `${column.name} ${column.words?.noun ?? ''} ${column.words?.counts ?? ''}`;
  return (
    column.words?.sum !== false &&
    /stock|balance|budget|beds|seats|points|on.hand|allot|quota|copies|crates|reserve|allowance/i.test(text)
  );
}

/** Two rows got each other's value. */
const swap: Draw = (rows) => {
  const place = anyPlace(rows, (table) => changeable(table, ['number', 'category', 'date']));
  if (!place) return null;
  const { about, column } = place;
  const { name } = column.column;
  const id = identifier(name);
  const value = about.row[name] ?? null;
  if (value === null) return null;
  const other = rows.any(about.table.table, `${id} IS NOT NULL AND ${id} <> ${literal(value)}`);
  const second = other && rows.describe(about.table, other, { without: [column.column] });
  if (!second) return null;
  const table = identifier(about.table.table.name);
  const nouns = rows.nouns(about.table.table, column.column);
  const [a, b] = [literal(value), literal(second.row[name] ?? null)];
  return {
    kind: 'correct',
    question: `The ${nouns} of ${about.text} and ${second.text} were mixed up: each has the other's. Please put that right.`,
    sql: `UPDATE ${table} SET ${id} = ${b} WHERE ${about.where}; UPDATE ${table} SET ${id} = ${a} WHERE ${second.where}`,
    about,
  };
};

/** The row with the highest number was entered last. */
const undo: Draw = (rows) => {
  const numbered = ({ table }: ProfiledTable) =>
    keyOf(table)?.length === 1 && keyOf(table)?.[0]?.type === 'integer';
  const isEvent = ({ columns, label, table: { words } }: ProfiledTable) =>
    columns.some(({ kind }) => kind === 'date') &&
    (words?.called ? !words.called.includes(label?.column.name ?? '') : !label);
  const table = rows.random.pick(rows.tables.filter((each) => numbered(each) && isEvent(each)));
  const [key] = (table && keyOf(table.table)) ?? [];
  const parents =
    table?.columns.filter(({ column }) => rows.referenceOf(table.table, column.name) && column !== key) ?? [];
  const column = rows.random.pick(parents);
  const row = table && rows.any(table.table);
  const parent = table && row && column && rows.parentOf(table, row, column.column);
  const reference = table && column && rows.referenceOf(table.table, column.column.name);
  if (!table || !key || !parent || !reference || !row) return null;
  const [name, id, by] = [table.table.name, key.name, column.column.name].map(identifier);
  const own = `${by} = ${rows.select(parent, reference.to.column)}`;
  const [last] = rows.query(`SELECT * FROM ${name} WHERE ${own} ORDER BY ${id} DESC LIMIT 1`);
  if (!last || referring(rows, { table, row: last }).some(({ count }) => count > 0)) return null;
  if (rows.count(table.table, own) < 2) return null;
  const verb = column.column.words?.verb;
  const [one, noun] = [rows.one(table.table), rows.noun(table.table, column.column)];
  const isOf = noun === rows.one(parent.table.table);
  const things = verb
    ? `${one} that ${verb} ${parent.text}`
    : isOf
      ? `${one} of ${parent.text}`
      : `${one} whose ${noun} is ${parent.short}`;
  return {
    kind: 'correct',
    question: `The latest ${things} (with the highest ${rows.noun(table.table, key)}) was entered by mistake. Please delete it.`,
    sql: `DELETE FROM ${name} WHERE ${id} = (SELECT MAX(${id}) FROM ${name} WHERE ${own})`,
    concerns: [parent],
  };
};

const correct: Draw = (rows) => (rows.random.chance(0.6) ? swap(rows) : undo(rows));

export const SINGLE_DRAWS = { change, move, delete: remove, arithmetic, transfer, correct } as const;
