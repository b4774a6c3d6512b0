import Database from 'better-sqlite3';
import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { keyOf } from '../../contracts/records.ts';
import { capital } from '../../contracts/wording.ts';
import { parseQuery, type SqlContext, tokenize } from '../../sql/index.ts';
import { isUnspoken, profileOfAsked } from './asked-columns.ts';
import { addsUp, type ProfiledColumn, type ProfiledTable, type Reference } from './profile.ts';
import { identifier, startQuery } from './query-builder.ts';
import {
  type DescribedRow,
  equals,
  keyList,
  literal,
  type RecordRow,
  type RecordValue,
  type Rows,
} from './rows.ts';
import { phraseOf, type Wording } from './wording.ts';
import {
  adjust,
  type Draft,
  type Draw,
  daysLater,
  isDecided,
  isFinal,
  isState,
  legendsOf,
  newValue,
  quantities,
  ruled,
  SINGLE_DRAWS,
  update,
  wordsOf,
} from './write-kinds.ts';

/** A column of a new row, with what it is to hold. */
interface Field {
  readonly column: CatalogColumn;
  readonly noun: string;
  readonly text: string;
  readonly sql: string;
  readonly parent: DescribedRow | null;
  readonly value: RecordValue;
}

const MOST_FIELDS = 8;

/**
 * The fields of a new row that is like another one, but `delta` days after the latest, or on the same day; the first
 * of `given` are set already. null where a column must be filled that has no words.
 */
function fieldsLike(
  rows: Rows,
  table: ProfiledTable,
  like: RecordRow,
  given: readonly string[] = [],
  delta: number | 'same day' = 1 + rows.random.below(14),
): Field[] | null {
  const keys = keyOf(table.table) ?? [];
  const fields: Field[] = [];
  const dates = table.columns.filter(({ kind, column }) => kind === 'date' && like[column.name] !== null);
  // All dates move together, so that their order stays, and none far beyond the dates of its column.
  const ages = dates.map(({ column }) =>
    daysBetween(String(like[column.name]), String(column.statistics.max)),
  );
  const shift = delta === 'same day' || ages.length === 0 ? 0 : Math.min(...ages) + delta;
  for (const column of table.table.columns) {
    if (given.includes(column.name)) continue;
    const profiled = table.columns.find((each) => each.column === column);
    const isKey = keys.includes(column);
    if (isKey && keys.length === 1 && isNumbered(column)) continue;
    const value = like[column.name] ?? null;
    const stated = profiled ?? (isAlways(column) ? asItIs(table, column) : undefined);
    // What becomes of a row is not known when it is entered.
    if (!column.not_null && !isKey && RATED.test(column.name)) continue;
    if (profiled?.kind === 'category' && isFinal(rows.say(table.table, column, value))) return null;
    const field = stated && value !== null ? fieldOf(rows, table, stated, like, shift) : null;
    if (field && (isKey || column.not_null || (isUsual(stated) && fields.length < MOST_FIELDS)))
      fields.push(field);
    else if (isKey || column.not_null || isAlways(column)) return null;
  }
  return fields;
}

const RATED = /(^|_)(rating|stars|review|feedback)$/i;

/** No row lacks it, so that a new one must not either. */
function isAlways({ statistics: { nulls, rows } }: CatalogColumn): boolean {
  return nulls < 0.02 * rows;
}

/** A column of which nothing is asked, but whose short values may be those of another row: a time, a unit. */
function asItIs(table: ProfiledTable, column: CatalogColumn): ProfiledColumn | undefined {
  const { distinct, rows, storage, min, max } = column.statistics;
  const isShort = [min, max].every((value) => typeof value === 'string' && value.length <= 30);
  if (distinct * 2 > rows || storage.text < rows || !isShort) return undefined;
  return { table: table.table.name, column, kind: 'name', use: null, common: [], steps: [], nulls: 0 };
}

/** Numbered by SQLite itself. */
function isNumbered({ declared_type }: CatalogColumn): boolean {
  return declared_type.toUpperCase() === 'INTEGER';
}

function isUsual(profiled: ProfiledColumn | undefined): boolean {
  return (
    profiled !== undefined &&
    profiled.nulls < 0.3 &&
    !/(19|20)\d\d/.test(profiled.column.words?.noun ?? profiled.column.name)
  );
}

function fieldOf(
  rows: Rows,
  table: ProfiledTable,
  { kind, column, steps }: ProfiledColumn,
  like: RecordRow,
  shift: number,
): Field | null {
  const value = like[column.name] ?? null;
  const noun = rows.noun(table.table, column);
  const isKey = column.primary_key > 0;
  const reference = rows.referenceOf(table.table, column.name);
  if (reference) {
    const parent = rows.parentOf(table, like, column);
    return (
      parent && {
        column,
        parent,
        value,
        noun,
        text: parent.short.replace(`the ${noun} `, 'the one '),
        sql: rows.select(parent, reference.to.column),
      }
    );
  }
  if (kind === 'key' && !(isKey && typeof value === 'number')) return null;
  const next = kind === 'date' && typeof value === 'string' ? daysLater(value, shift) : value;
  const text = rows.say(table.table, column, next);
  // A gross pay of -49, which corrects another
  const isNegative = Number(value) < 0 && Number(steps[0]) >= 0;
  const isUsable = kind === 'name' || rows.isUsual(table.table, column, value);
  return text === null || !isUsable || isNegative
    ? null
    : { column, parent: null, value: next, noun, text, sql: literal(next) };
}

function daysBetween(from: string, to: string): number {
  const [a, b] = [from, to].map((text) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  return Number.isNaN(a) || Number.isNaN(b) ? 0 : Math.round((Number(b) - Number(a)) / 86_400_000);
}

function insert(table: ProfiledTable, fields: readonly Pick<Field, 'column' | 'sql'>[]): string {
  const names = fields.map(({ column }) => identifier(column.name)).join(', ');
  return `INSERT INTO ${identifier(table.table.name)} (${names}) VALUES (${fields.map(({ sql }) => sql).join(', ')})`;
}

/** An INSERT of a row that is not there already. */
function insertOnce(table: ProfiledTable, fields: readonly Field[]): string {
  const name = identifier(table.table.name);
  const columns = fields.map(({ column }) => identifier(column.name)).join(', ');
  const values = fields.map(({ sql }) => sql).join(', ');
  return `INSERT INTO ${name} (${columns}) SELECT ${values} WHERE NOT EXISTS (SELECT 1 FROM ${name} WHERE (${columns}) = (${values}))`;
}

function saidOf(fields: readonly Field[]): string {
  return fields
    .map(
      ({ noun, text }) =>
        `${noun.replace(/^"(.+)" (?:date|time)$/, '$1').replace(/^(yes|no)$/.test(text) ? / status$/ : '', '')}: ${text.replace(/^"([^;:.!?]*)"$/, '$1')}`,
    )
    .join('; ');
}

/** Whether rows are added to a table now and then, rather than being a fixed list. */
function grows(rows: Rows, { table, columns, label }: ProfiledTable): boolean {
  // A new row like an old one would have its name.
  if (rows.its(table) === 'their') return false;
  if (label && label.column.statistics.distinct > 0.8 * table.rows) return false;
  const refers = columns.filter(({ column }) => rows.referenceOf(table, column.name));
  return (
    refers.length > 0 &&
    table.rows >= 20 &&
    (columns.some(({ kind }) => kind === 'date') || refers.length > 1)
  );
}

/** A sentence for the columns of a new row that stay blank; '' if there are none. */
function theRest(table: ProfiledTable, fields: readonly Field[], given = 0): string {
  const left =
    table.table.columns.length - fields.length - given - (keyOf(table.table)?.length === 1 ? 1 : 0);
  return left > 0 ? ' Leave the rest blank.' : '';
}

/** A task to enter a new row. */
function newRow(rows: Rows, table: ProfiledTable, fields: readonly Field[], opening: string): Draft {
  return {
    kind: 'create',
    question: `${opening}. ${capital(saidOf(fields))}.${theRest(table, fields)}`,
    sql: insert(table, fields),
    legends: legendsOf(rows, fields),
  };
}

/** One of the latest rows, so that what a new row like it refers to is of its time. */
function latest(rows: Rows, { table, columns }: ProfiledTable, where = '1'): RecordRow | null {
  const date = columns.find(({ kind, nulls }) => kind === 'date' && nulls < 0.3);
  if (!date) return rows.any(table, where);
  const id = identifier(date.column.name);
  const few = Math.max(20, Math.floor(table.rows / 20));
  const recent = `SELECT ${id} FROM ${identifier(table.name)} WHERE ${id} IS NOT NULL AND ${where} ORDER BY ${id} DESC LIMIT ${few}`;
  return rows.any(table, `${where} AND ${id} IN (${recent})`);
}

const create: Draw = (rows) => {
  const table = rows.random.pick(rows.tables.filter((each) => grows(rows, each)));
  const like = table && latest(rows, table);
  const fields = table && like && fieldsLike(rows, table, like);
  if (!table || !fields || fields.length < 2 || !fields.some(({ parent }) => parent)) return null;
  // What differs from the older row is its date; without one it is another row that it refers to.
  const hasDate = fields.some(({ column }) =>
    table.columns.some((each) => each.column === column && each.kind === 'date'),
  );
  const changed = hasDate ? fields : withOtherParent(rows, table, fields);
  if (!changed) return null;
  const same = changed.map(({ column, value }) => equals(column.name, value)).join(' AND ');
  if (rows.count(table.table, same) > 0) return null;
  const one = rows.one(table.table);
  const opening =
    rows.random.pick([
      `Enter a new ${one}`,
      `Record a new ${one}`,
      `Please add a ${one}`,
      `Create a ${one}`,
    ]) ?? '';
  const parents = changed.flatMap(({ parent }) => parent ?? []);
  return {
    ...newRow(rows, table, changed, opening.replace(/\ba (?=[aeio])/, 'an ')),
    concerns: parents,
    creates: table,
  };
};

/** With another value for the nth column that refers to a row, if no other one depends on it. */
function withOtherParent(
  rows: Rows,
  table: ProfiledTable,
  fields: readonly Field[],
  nth = 0,
): readonly Field[] | null {
  const all = fields.filter(({ parent }) => parent);
  // A goal belongs to a match and to one of its clubs: neither can be replaced alone.
  const parents = all.filter((each) => all.every((other) => other === each || !areTied(rows, each, other)));
  const field = parents[nth % Math.max(1, parents.length)];
  const at = field ? fields.indexOf(field) : -1;
  const other = field && rows.any(table.table, `NOT (${equals(field.column.name, field.value)})`);
  const profiled = table.columns.find((each) => each.column === field?.column);
  const made = other && profiled && fieldOf(rows, table, profiled, other, 0);
  return made ? fields.with(at, made) : null;
}

/** Whether what one of two fields refers to says something about the other. */
function areTied(rows: Rows, { parent: one }: Field, { parent: other }: Field): boolean {
  const [a, b] = [one?.table.table, other?.table.table];
  const refers = (from?: CatalogTable, to?: CatalogTable) =>
    from !== undefined &&
    to !== undefined &&
    rows.referencesTo(to).some((each) => each.from.table === from.name);
  return refers(a, b) || refers(b, a);
}

/**
 * A new row that is there already, and one that is not: the first must not be entered a second time. Where a constraint
 * sees to that, the words need not.
 */
const enterOnce: Draw = (rows) => {
  const growing = rows.tables.filter((each) => grows(rows, each));
  const keyed = growing.filter(({ table }) => rows.uniqueKeys(table).length > 0);
  const table = rows.random.pick(keyed.length > 0 && rows.random.chance(0.5) ? keyed : growing);
  const like = table && latest(rows, table);
  const there = table && like && fieldsLike(rows, table, like, [], 'same day');
  const later = table && like && fieldsLike(rows, table, like);
  if (!table || !there || !later || there.length < 2) return null;
  const hasDate = there.some(({ value }, at) => value !== later[at]?.value);
  const other = hasDate ? later : withOtherParent(rows, table, later);
  if (!other || other.length !== there.length) return null;
  const names = there.map(({ column }) => column.name);
  const isUnique = rows.uniqueKeys(table.table).some((key) => key.every((name) => names.includes(name)));
  const one = rows.one(table.table);
  const article = /^[aeio]/.test(one) ? 'an' : 'a';
  const opening = rows.random.pick([`Enter ${article} ${one}`, `Please record ${article} ${one}`]) ?? '';
  const end = isUnique
    ? ['If that is not possible, change nothing.', 'If it cannot be entered, leave everything as it is.']
    : ['If exactly these details are on record already, change nothing.'];
  const ending = rows.random.pick(end);
  const draft = (fields: readonly Field[]): Draft => {
    const drawn = newRow(rows, table, fields, opening);
    const question = `${drawn.question} ${ending}`;
    return { ...drawn, question, sql: isUnique ? drawn.sql : insertOnce(table, fields) };
  };
  return { ...draft(other), twin: { ...draft(there), refuse: true } };
};

/** One part of a key of several columns is changed: to what makes the key of another row, and to what makes a new one. */
const changeKey: Draw = (rows) => {
  const keysOf = ({ table }: ProfiledTable) => rows.uniqueKeys(table).filter(({ length }) => length > 1);
  const table = rows.random.pick(rows.tables.filter((each) => keysOf(each).length > 0));
  const key = table && rows.random.pick(keysOf(table));
  const column = table && rows.random.pick(table.columns.filter((each) => key?.includes(each.column.name)));
  const row = table && rows.any(table.table);
  const about = row && rows.describe(table, row);
  if (!key || !column || !about) return null;
  const { name } = column.column;
  const rest = key.filter((each) => each !== name).map((each) => equals(each, row[each] ?? null));
  const there = `SELECT ${identifier(name)} FROM ${identifier(table.table.name)} WHERE ${rest.join(' AND ')}`;
  const draft = (isThere: boolean): Draft | null => {
    const where = `${identifier(name)} ${isThere ? 'IN' : 'NOT IN'} (${there}) AND NOT (${equals(name, row[name] ?? null)})`;
    const other = rows.any(table.table, where);
    const field = other && fieldOf(rows, table, column, other, 0);
    if (!field) return null;
    return {
      kind: field.parent ? 'move' : 'change',
      question: `Change the ${field.noun} of ${about.text} to ${field.text}. If that is not possible, change nothing.`,
      sql: `UPDATE ${identifier(table.table.name)} SET ${identifier(name)} = ${field.sql} WHERE ${about.where}`,
      legends: legendsOf(rows, [field]),
      about,
    };
  };
  const [done, left] = [draft(false), draft(true)];
  return done && left && { ...done, twin: { ...left, refuse: true } };
};

/** Draws tasks to enter a new row, from the second on for another parent. */
export function newRowDrafts(rows: Rows, table: ProfiledTable): ((nth: number) => Draft | null) | null {
  const like = latest(rows, table);
  const fields = like && fieldsLike(rows, table, like);
  if (!fields || fields.length < 2) return null;
  const one = rows.one(table.table);
  const opening = rows.random.pick([`Enter a new ${one}`, `Record a new ${one}`]) ?? '';
  return (nth) => {
    const each = nth === 0 ? fields : withOtherParent(rows, table, fields, rows.random.below(3));
    return each && newRow(rows, table, each, opening);
  };
}

/** A new row with rows that belong to it: an order and its lines. */
const several: Draw = (rows) => {
  const lists = rows.profile.references.flatMap((reference) => {
    const [parent, child] = [rows.table(reference.to.table), rows.table(reference.from.table)];
    const key = parent && keyOf(parent.table);
    if (!parent || !child || parent === child || key?.length !== 1 || key[0]?.name !== reference.to.column)
      return [];
    const perRow = child.table.rows / parent.table.rows;
    const isDated = parent.columns.some(({ kind, nulls }) => kind === 'date' && nulls < 0.3);
    const isList = isNumbered(key[0]) && isDated && grows(rows, parent) && perRow >= 0.8 && perRow <= 12;
    return isList ? [{ reference, parent, child }] : [];
  });
  const list = rows.random.pick(lists);
  if (!list) return null;
  const { reference, parent, child } = list;
  const [to, from] = [reference.to.column, reference.from.column].map(identifier);
  const lines = `(SELECT count(*) FROM ${identifier(child.table.name)} AS c WHERE c.${from} = ${identifier(parent.table.name)}.${to})`;
  const like = latest(rows, parent, `${lines} BETWEEN 2 AND 4`);
  if (!like) return null;
  const delta = 1 + rows.random.below(14);
  const head = fieldsLike(rows, parent, like, [], delta);
  const old = rows.query(
    `SELECT * FROM ${identifier(child.table.name)} WHERE ${equals(reference.from.column, like[reference.to.column] ?? null)} ORDER BY ${keyList(child.table)}`,
  );
  const tails = old.map((row) => fieldsLike(rows, child, row, [reference.from.column], delta));
  if (!head || head.length < 2 || tails.some((fields) => fields === null || fields.length === 0)) return null;
  const newest = `(SELECT MAX(${to}) FROM ${identifier(parent.table.name)})`;
  const column = child.table.columns.find(({ name }) => name === reference.from.column) as CatalogColumn;
  const bodies = tails as Field[][];
  const statements = bodies.map((fields) => insert(child, [{ column, sql: newest }, ...fields]));
  const [one, many] = [rows.one(parent.table), rows.many(child.table)];
  const listed = bodies.map((fields, at) => `(${at + 1}) ${saidOf(fields)}`).join('. ');
  return {
    kind: 'several',
    question: `Enter a new ${one}. ${capital(saidOf(head))}. It has ${bodies.length} ${many}: ${listed}.${theRest(child, bodies[0] ?? [], 1)}`,
    sql: [insert(parent, head), ...statements].join('; '),
    legends: legendsOf(rows, [...head, ...bodies.flat()]),
  };
};

/** The rows that a query finds, in words, and as a condition on their table. */
interface RowSet {
  readonly table: ProfiledTable;
  readonly phrase: string;
  readonly where: string;
  readonly used: string;
  /** `all` its rows, or `the` first few of them. */
  readonly all: 'all' | 'the';
  /** Whether it has all rows of a kind, or the oldest ones, so that people might want to be rid of it. */
  readonly isSurplus: boolean;
}

export interface SetContext {
  readonly wording: Wording;
  readonly sql: SqlContext;
  /** Gold SQL of questions that are kept, of which the FROM and WHERE are taken. */
  readonly asked: readonly string[];
}

/** A query's FROM and WHERE, if it has no other clause that decides about rows. */
interface Scope {
  readonly table: string;
  readonly alias: string;
  readonly isJoined: boolean;
  readonly condition: string;
  /** `FROM … WHERE …` */
  readonly text: string;
}

const DECIDES = new Set(
  'GROUP HAVING UNION EXCEPT INTERSECT LIMIT OVER WITH CURRENT_DATE CURRENT_TIMESTAMP'.split(' '),
);

function scopeOf(sql: string): Scope | null {
  const tokens = tokenize(sql);
  const at = (word: string) => tokens.findIndex(({ kind, upper }) => kind === 'word' && upper === word);
  const [from, where, order] = [at('FROM'), at('WHERE'), at('ORDER')];
  const isPlain = !tokens.some(
    ({ kind, upper, text }) => (kind === 'word' && DECIDES.has(upper)) || text.toLowerCase() === 'now',
  );
  const selects = tokens.filter(({ upper }) => upper === 'SELECT').length;
  const [table, second, third] = tokens.slice(from + 1);
  if (!isPlain || selects !== 1 || from < 0 || where < from || !table) return null;
  const next = second?.upper === 'AS' ? third : second;
  const isAlias = next?.kind === 'word' && !/^(WHERE|INNER|JOIN|LEFT|CROSS|NATURAL|ON)$/.test(next.upper);
  const last = tokens[order < 0 ? tokens.length - 1 : order - 1];
  const between = tokens.slice(from, where);
  return {
    table: table.text,
    alias: isAlias ? next.text : '',
    isJoined: between.some(({ upper, text }) => upper === 'JOIN' || text === ','),
    condition: sql.slice(tokens[where + 1]?.start, last?.end),
    text: sql.slice(tokens[from]?.start, last?.end),
  };
}

function drawSet(rows: Rows, { wording, sql, asked }: SetContext): RowSet | null {
  const { random } = rows;
  const isAsked = asked.length > 0 && random.chance(0.5);
  const scene = isAsked
    ? null
    : startQuery(profileOfAsked(rows.profile), random, random.pick([0, 0, 1]) ?? 0);
  const drawn = scene?.where();
  const gold = isAsked ? random.pick(asked) : drawn && `SELECT 1 ${scene?.from} ${drawn}`;
  const scope = gold ? scopeOf(gold) : null;
  const table = rows.tables.find((each) => each.table.name.toLowerCase() === scope?.table.toLowerCase());
  const [key, ...more] = (table && keyOf(table.table)) ?? [];
  if (!scope || !table || !key || more.length > 0) return null;
  const { alias, isJoined, condition, text: used } = scope;
  const id = `${alias === '' ? '' : `${alias}.`}${identifier(key.name)}`;
  try {
    const [found] = rows.query(`SELECT COUNT(*) AS n, COUNT(DISTINCT ${id}) AS d ${used}`);
    if (!found || Number(found.n) < 2 || Number(found.n) > 15 || found.n !== found.d) return null;
    const counted = `SELECT COUNT(*) ${used}`;
    const text = phraseOf(counted, parseQuery(counted, sql), wording);
    const phrase = text.replace(/^Number of /, '');
    const isClear =
      phrase.startsWith(`${rows.many(table.table)} `) &&
      !/\bcounting\b| or |\bgiven\b| flag |\d{10}|(upper|lower)-case|characters|^\w+ records /.test(phrase);
    if (phrase === text || !isClear || (alias !== '' && !isJoined)) return null;
    const where = isJoined ? `${identifier(key.name)} IN (SELECT ${id} ${used})` : condition;
    return { table, phrase, where, used, all: 'all', isSurplus: true };
  } catch (error) {
    // A query of the split may be one that other readers of SQL accept.
    if (error instanceof QueryError || error instanceof Database.SqliteError) return null;
    throw error;
  }
}

const COUNTS = ['two', 'three', 'four', 'five'];

/** The rows with the highest or lowest values of a column, or its first or last dates, perhaps of those in one category. */
function drawTop(rows: Rows): RowSet | null {
  const { random } = rows;
  const ranked = (each: ProfiledTable) => [
    ...quantities(each),
    ...each.columns.filter(({ kind, column }) => kind === 'date' && !isUnspoken(column)),
  ];
  const table = random.pick(rows.tables.filter((each) => ranked(each).length > 0));
  const [key, ...more] = (table && keyOf(table.table)) ?? [];
  const profiled = table && random.pick(ranked(table));
  const column = profiled?.column;
  if (!table || !key || !column || more.length > 0 || table.table.rows < 8) return null;
  const at = random.below(COUNTS.length);
  const isHighest = random.chance(0.5);
  const kind = random.chance(0.5)
    ? random.pick(
        table.columns.filter(
          ({ kind, column }) =>
            kind === 'category' &&
            (column.type === 'string' || column.words?.codes) &&
            column.statistics.distinct > 1 &&
            !isUnspoken(column),
        ),
      )
    : undefined;
  const value = (kind && rows.any(table.table)?.[kind.column.name]) ?? null;
  const said = kind && rows.say(table.table, kind.column, value);
  if (kind && (said === null || !rows.isNamed(table.table, kind.column))) return null;
  const [id, by, name] = [key.name, column.name, table.table.name].map(identifier);
  const conditions = [
    ...(kind ? [equals(kind.column.name, value)] : []),
    // Rows without a value would come first.
    ...(!isHighest && column.statistics.nulls > 0 ? [`${by} IS NOT NULL`] : []),
  ];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  // At least two rows must be left over, or the number would be pointless.
  if (rows.count(table.table, conditions.join(' AND ') || '1') < at + 4) return null;
  const among = kind ? ` among those whose ${rows.nounIs(table.table, kind.column)} ${said}` : '';
  const isDate = profiled?.kind === 'date';
  const most = (isDate ? ['earliest', 'latest'] : ['lowest', 'highest'])[Number(isHighest)];
  const [many, noun] = [rows.many(table.table), rows.noun(table.table, column)];
  const used = `FROM ${name}${where} ORDER BY ${by}${isHighest ? ' DESC' : ''} LIMIT ${at + 2}`;
  return {
    table,
    phrase: `${COUNTS[at]} ${noun === 'date' ? `${most} ${many}` : `${many} with the ${most} ${noun}`}${among}`,
    where: `${id} IN (SELECT ${id} ${used})`,
    used,
    all: 'the',
    isSurplus: isDate && !isHighest,
  };
}

export function setDraw(context: SetContext): Draw {
  return changeRows((rows) => drawSet(rows, context));
}

/** A change of a few rows that a query finds. */
function changeRows(drawRows: (rows: Rows) => RowSet | null): Draw {
  return (rows) => {
    const set = drawRows(rows);
    if (!set) return null;
    const { table, phrase, where, used, all } = set;
    const name = identifier(table.table.name);
    const isFree = ({ column }: ProfiledColumn) => !used.toLowerCase().includes(column.name.toLowerCase());
    const form = rows.random.pick(['change', 'change', 'adjust', 'delete']);
    if (form === 'delete') {
      if (!set.isSurplus || rows.referencesTo(table.table).length > 0) return null;
      const question = rows.random.pick([`Delete ${all} ${phrase}.`, `Please delete the ${phrase}.`]) ?? '';
      return { kind: 'set', question, sql: `DELETE FROM ${name} WHERE ${where}` };
    }
    if (form === 'adjust') {
      const column = rows.random.pick(
        quantities(table).filter((each) => isFree(each) && isDecided(table, each)),
      );
      const adjusted = column && adjust(rows, table, column, where);
      if (!column || !adjusted) return null;
      return {
        kind: 'set',
        question: `${adjusted.verb} the ${rows.noun(table.table, column.column)} of ${all} ${phrase} by ${adjusted.by}.`,
        sql: `UPDATE ${name} SET ${identifier(column.column.name)} = ${adjusted.sql} WHERE ${where}`,
      };
    }
    // The three longest routes may get the same state, but hardly the same colour or price.
    const free = ruled(table, all === 'all' ? ['category', 'number'] : ['category']);
    const column = rows.random.pick(
      free.filter((each) => isFree(each) && (each.kind === 'number' || isState(each, table))),
    );
    const row = rows.any(table.table, where);
    const change = column && row && newValue(rows, table, column, row);
    if (!change) return null;
    const id = identifier(change.column.name);
    const before = rows.query(`SELECT DISTINCT ${id} AS v FROM ${name} WHERE ${where}`);
    if (before.some(({ v = null }) => isFinal(rows.say(table.table, change.column, v)))) return null;
    const noun = rows.noun(table.table, change.column);
    const question =
      rows.random.pick([
        `Set the ${noun} of ${all} ${phrase} to ${change.text}.`,
        `Change the ${noun} of the ${phrase} to ${change.text}.`,
      ]) ?? '';
    return {
      kind: 'set',
      question,
      sql: update(set, [change]),
      legends: legendsOf(rows, [change]),
    };
  };
}

/** A change, and a question whose answer depends on it. */
const mixed: Draw = (rows) => {
  const draws = [
    SINGLE_DRAWS.change,
    SINGLE_DRAWS.delete,
    SINGLE_DRAWS.arithmetic,
    SINGLE_DRAWS.move,
    create,
  ];
  const draft = rows.random.pick(draws)?.(rows);
  const asked = draft && (askTotal(rows, draft) ?? askCount(rows, draft));
  if (!draft || !asked) return null;
  return {
    ...draft,
    kind: 'mixed',
    question: `${draft.question} ${asked.question}`,
    sql: `${draft.sql}; ${asked.sql}`,
  };
};

type Asked = Pick<Draft, 'question' | 'sql'>;

/** The total of the changed numbers, of the rows with the same parent. */
function askTotal(rows: Rows, { about, changed }: Draft): Asked | null {
  if (!about || !changed || !addsUp(changed.column)) return null;
  if (/\b(weight|height|length|age)\b/i.test(wordsOf(changed.column))) return null;
  if (!quantities(about.table).some(({ column }) => column === changed.column)) return null;
  const parent = parentsOf(rows, about)[0];
  if (!parent || rows.count(about.table.table, parent.where) < 2) return null;
  const { table } = about.table;
  const noun = rows.noun(table, changed.column);
  const unit = changed.column.words?.unit;
  return {
    question: `Then tell me: what is now the total ${noun} of all ${rows.many(table)} ${parent.words}${unit && !/ since |percent/.test(unit) ? `, in ${unit}` : ''}?`,
    sql: `SELECT SUM(${identifier(changed.column.name)}) FROM ${identifier(table.name)} WHERE ${parent.where}`,
  };
}

/** How many rows there are of the same parent; with the new value, if one changed to it. */
function askCount(rows: Rows, { about, changed, concerns = [], creates, sql }: Draft): Asked | null {
  const table = about?.table ?? creates;
  if (!table) return null;
  const many = rows.many(table.table);
  const count = (where: string) => `SELECT COUNT(*) FROM ${identifier(table.table.name)} WHERE ${where}`;
  if (about && changed?.value !== undefined && typeof changed.value === 'string') {
    const said = rows.say(table.table, changed.column, changed.value);
    const isDate = about.table.columns.some(
      ({ kind, column }) => column === changed.column && kind === 'date',
    );
    if (said === null || isDate || changed.column.statistics.distinct > 40) return null;
    return {
      question: `How many ${many} are there now whose ${rows.nounIs(table.table, changed.column)} ${said}?`,
      sql: count(equals(changed.column.name, changed.value)),
    };
  }
  if (changed) return null;
  const [parent] =
    about && !sql.startsWith('UPDATE') ? parentsOf(rows, about) : concernsOf(rows, table, concerns);
  if (!parent) return null;
  const { owner, words, where } = parent;
  const question = owner
    ? `How many ${many} does ${owner} then have?`
    : `How many ${many} are there then ${words}?`;
  return { question, sql: count(where) };
}

interface Belonging {
  /** What rows belong to, if nothing but its kind says how. */
  readonly owner?: string;
  readonly words: string;
  readonly where: string;
}

/** What a row belongs to, as a condition on its table. */
function parentsOf(rows: Rows, { table, row }: DescribedRow): Belonging[] {
  return table.columns.flatMap(({ column }) => {
    const reference = rows.referenceOf(table.table, column.name);
    const parent = reference && rows.parentOf(table, row, column);
    return parent ? [belonging(rows, table, column, parent, reference)] : [];
  });
}

function concernsOf(rows: Rows, table: ProfiledTable, concerns: readonly DescribedRow[]): Belonging[] {
  return concerns.flatMap((parent) => {
    const found = table.columns.filter(
      ({ column }) => rows.referenceOf(table.table, column.name)?.to.table === parent.table.table.name,
    );
    const [only, ...more] = found;
    const reference = only && rows.referenceOf(table.table, only.column.name);
    return only && reference && more.length === 0
      ? [belonging(rows, table, only.column, parent, reference)]
      : [];
  });
}

function belonging(
  rows: Rows,
  table: ProfiledTable,
  column: CatalogColumn,
  parent: DescribedRow,
  reference: Reference,
): Belonging {
  const noun = rows.noun(table.table, column);
  const isSame = noun === rows.one(parent.table.table);
  return {
    ...(isSame ? { owner: parent.text } : {}),
    words: isSame
      ? `for ${parent.text}`
      : `whose ${noun} is ${parent.hasClause ? parent.text : parent.short}`,
    where: `${identifier(column.name)} = ${rows.select(parent, reference.to.column)}`,
  };
}

const top: Draw = changeRows(drawTop);

export const LARGER_DRAWS = { create, enterOnce, changeKey, several, mixed, top } as const;
