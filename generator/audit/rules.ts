import pMap from 'p-map';
import { sameCell, sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, CatalogColumn, CatalogTable, Row } from '../../contracts/catalog.ts';
import { onceFor } from '../../contracts/grouping.ts';
import type { Question } from '../../contracts/split.ts';
import {
  type Aggregate,
  affinityOf,
  type Binary,
  type Column,
  conjuncts,
  Determined,
  type Expr,
  exprsOf,
  freeSources,
  isAggregated,
  isNumeric,
  node,
  Origins,
  type OutputColumn,
  plainAggregate,
  printQuery,
  type Query,
  quoteIdentifier,
  quoteText,
  replaceNode,
  type Select,
  selectsOf,
} from '../../sql/index.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import { extremes } from '../tie-breaking.ts';
import { mutantsOf } from '../variants/mutants.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';

/** One gold query with its rows, and ways to run changed queries; these give null where SQLite fails. */
export interface AuditedQuery {
  readonly question: Question;
  readonly query: Query;
  readonly catalog: Catalog;
  readonly origins: Origins;
  readonly rows: readonly Row[];
  /** Rows of a changed query on the original database. */
  run(query: Query): Promise<readonly Row[] | null>;
  /** Rows of a rule's own SQL on the original database. */
  runSql(sql: string): Promise<readonly Row[] | null>;
  /** Whether a changed query gives another answer, on the original or on a neighbour of it. */
  differs(changed: Query): Promise<boolean>;
}

/** Something in a gold query that is probably not what its question asks for. */
export interface Finding {
  readonly reason: string;
  readonly suggestion: string;
}

type Findings = AsyncGenerator<Finding, void>;

export interface Rule {
  /** `fan_out`, as reports and flags name it. */
  readonly name: string;
  readonly why: string;
  /** Whether its findings make a sample unclean; less precise rules only inform. */
  readonly byDefault: boolean;
  /** Whether it needs neighbours, which take time to make. */
  readonly asksNeighbours?: true;
  check(audited: AuditedQuery): Findings;
}

function columnLabel(table: CatalogTable, column: CatalogColumn): string {
  return `${table.name}.${column.name}`;
}

/** A column beside an aggregate that is neither grouped nor determined by the groups. */
const bareColumn: Rule = {
  name: 'bare_column',
  why: 'SQLite takes such a column from any row of the group, so the answer is left to chance.',
  byDefault: true,
  async *check({ query, catalog, origins, run }) {
    for (const select of selectsOf(query)) {
      if (!isAggregated(select) && select.groupBy.length === 0) continue;
      // Beside a single MAX or MIN, SQLite takes the row that has it.
      if (extremes(select).length === 1) continue;
      const determined = new Determined(select, catalog, [...select.groupBy, ...fixedBy(select.where)]);
      for (const { expr } of select.columns) {
        const base = origins.baseColumn(expr);
        if (expr.kind !== 'column' || base === null || determined.has(expr)) continue;
        if (!select.from.some(({ source }) => source.id === expr.source)) continue;
        const [lowest, highest] = await Promise.all(
          ['min', 'max'].map((name) => run(replaceNode(query, expr, plainAggregate(name, [expr])))),
        );
        // Every group has one value of it in this database.
        if (!lowest || !highest || sameRows(lowest, highest, null)) continue;
        const label = columnLabel(base.table, base.column);
        yield {
          reason: `${label} is neither grouped nor the same throughout a group`,
          suggestion: `group by ${label} as well, or aggregate it`,
        };
      }
    }
  },
};

function fixedBy(where: Parameters<typeof conjuncts>[0]) {
  return conjuncts(where).flatMap((one) =>
    one.kind === 'compare' && one.op === '=' && one.left.kind === 'column' && one.right.kind === 'literal'
      ? [one.left]
      : [],
  );
}

/** COUNT of a CASE that is never NULL counts every row; AVG of a CASE without ELSE leaves the others out. */
const caseCounted: Rule = {
  name: 'case_counted',
  why: 'COUNT counts whatever is not NULL, zeros included, and AVG leaves NULL out of its divisor.',
  byDefault: true,
  async *check({ query }) {
    for (const expr of exprsOf(query)) {
      if (expr.kind !== 'aggregate' || expr.distinct) continue;
      const [arg] = expr.args;
      if (arg?.kind !== 'case') continue;
      const isNull = (one: typeof arg.else) =>
        one === null || (one.kind === 'literal' && one.type === 'null');
      const constant = arg.whens.every(({ result }) => result.kind === 'literal');
      const never = !isNull(arg.else) && constant && !arg.whens.some(({ result }) => isNull(result));
      if (expr.name === 'count' && never) {
        yield {
          reason: 'COUNT(CASE … ELSE …) counts every row',
          suggestion: 'SUM instead of COUNT, or no ELSE',
        };
      } else if (expr.name === 'avg' && isNull(arg.else) && constant && arg.whens.length === 1) {
        yield {
          reason: 'AVG(CASE …) without ELSE is the average of the rows that match alone',
          suggestion: 'ELSE 0',
        };
      }
    }
  },
};

/** Aggregates whose value changes with a repeated row. */
const COUNTING = new Set(['sum', 'total', 'count', 'avg']);

/** An aggregate over rows that a join repeats: each counts once for every row that refers to it. */
export const fanOut: Rule = {
  name: 'fan_out',
  why: 'A join that repeats the rows of the aggregated table multiplies sums and counts.',
  byDefault: true,
  async *check(audited) {
    for (const expr of exprsOf(audited.query)) {
      if (expr.kind === 'aggregate') yield* checkAggregate(expr, audited);
    }
  },
};

async function* checkAggregate(aggregate: Aggregate, audited: AuditedQuery): Findings {
  const [column] = aggregate.args;
  if (!COUNTING.has(aggregate.name) || aggregate.distinct || column?.kind !== 'column') return;
  const base = audited.origins.baseColumn(column);
  const select = audited.origins.selectOf(column.source);
  if (!base || !select || audited.origins.sourceOf(column.source)?.kind !== 'table') return;
  // Only a counted key shows what is counted; other columns are often counted to count the joined rows.
  const isKey =
    base.column.primary_key > 0 &&
    base.table.columns.filter(({ primary_key }) => primary_key > 0).length === 1;
  if (aggregate.name === 'count' && !isKey) return;
  const by = repeatingTable(select, column.source, audited);
  if (by === null || mentions(select, aggregate, by)) return;
  if (aggregate.name === 'count') {
    if (asksForOthers(audited, select, base.table.name)) return;
    const once = await audited.run(
      replaceNode(audited.query, aggregate, node({ ...aggregate, distinct: true })),
    );
    if (once === null || sameRows(audited.rows, once, null)) return;
  }
  yield {
    reason: `${aggregate.name.toUpperCase()}(${columnLabel(base.table, base.column)}) takes each row of ${base.table.name} once for every row of ${by.table} joined to it`,
    suggestion:
      aggregate.name === 'count'
        ? `COUNT(DISTINCT …), if rows of ${base.table.name} are meant`
        : `aggregate ${base.table.name} by itself, and pick its rows by EXISTS or IN`,
  };
}

/** A joined table that refers to the key of the aggregated one, by a column that many of its rows may share. */
function repeatingTable(
  select: Select,
  source: string,
  { origins }: AuditedQuery,
): { readonly table: string; readonly id: string } | null {
  const table = origins.tableOf(source);
  if (table === null) return null;
  for (const item of select.from) {
    if (item.source.kind !== 'table' || item.source.id === source) continue;
    const other = origins.tableOf(item.source.id);
    const key = other?.foreign_keys.find(
      ({ references_table, columns }) => references_table === table.name && columns.length === 1,
    );
    const column = other?.columns.find(({ name }) => name === key?.columns[0]);
    if (!other || !column || column.primary_key > 0) continue;
    const { distinct, nulls } = column.statistics;
    if (distinct < other.rows - nulls && joins(select, source, item.source.id))
      return { table: other.name, id: item.source.id };
  }
  return null;
}

function joins(select: Select, one: string, other: string): boolean {
  const conditions = [...select.from.map(({ on }) => on), select.where].filter((on) => on !== null);
  return conditions.some((on) => {
    const sources = freeSources(on);
    return sources.has(one) && sources.has(other);
  });
}

/** Whether the query groups by the repeating table or aggregates it too: then repeated rows are intended. */
function mentions(select: Select, aggregate: Aggregate, by: { readonly id: string }): boolean {
  const grouped = select.groupBy.some((key) => freeSources(key).has(by.id));
  return grouped || freeSources(aggregate).has(by.id);
}

/** Whether the question counts the rows of another joined table: how many *posts* did this user write? */
function asksForOthers({ question, origins }: AuditedQuery, select: Select, counted: string): boolean {
  const phrase =
    /(?:how many|number of|count of|percentage of|proportion of)\s+(?:the\s+)?((?:\S+\s*){1,5})/i
      .exec(question.question)?.[1]
      ?.toLowerCase() ?? '';
  const at = (name: string) => {
    const place = phrase.indexOf(
      name
        .toLowerCase()
        .replace(/(ie)?s$/, '')
        .replaceAll('_', ' '),
    );
    return place < 0 ? Number.POSITIVE_INFINITY : place;
  };
  const others = select.from
    .flatMap(({ source }) => origins.tableOf(source.id)?.name ?? [])
    .filter((name) => name !== counted);
  return Math.min(...others.map(at)) < at(counted);
}

/** A condition that changes nothing, neither here nor on any neighbour of the data. */
const idleCondition: Rule = {
  name: 'idle_condition',
  why: 'A condition that no data can show is either implied by another, or not what was meant.',
  byDefault: false,
  asksNeighbours: true,
  async *check({ query, catalog, differs }) {
    const dropped = mutantsOf(query, catalog).filter(
      ({ kind }) => kind === 'dropped condition' || kind === 'dropped HAVING',
    );
    for (const { kind, query: without } of dropped) {
      if (await differs(without)) continue;
      const what = kind === 'dropped HAVING' ? 'a condition of HAVING' : 'a condition of WHERE';
      yield {
        reason: `without ${what} the answer is the same, here and on data that nearly meet it`,
        suggestion: 'drop it, or write what was meant',
      };
    }
  },
};

/** A division of integers that cuts the fraction off. */
const integerDivision: Rule = {
  name: 'integer_division',
  why: 'Of two integers SQLite keeps the whole part of the quotient: shares become 0.',
  byDefault: true,
  async *check({ query, rows, run }) {
    for (const expr of exprsOf(query)) {
      if (expr.kind !== 'binary' || expr.op !== '/' || isWhole(expr)) continue;
      const left = node({ kind: 'cast' as const, expr: expr.left, type: 'REAL' });
      const exact = await run(replaceNode(query, expr, node({ ...expr, left })));
      if (exact === null || exact.length !== rows.length) continue;
      const lost = exact.some((row, i) => row.some((cell, j) => losesFraction(rows[i]?.[j] ?? null, cell)));
      if (!lost) continue;
      yield {
        reason: 'a quotient of integers loses its fraction',
        suggestion: 'multiply by 1.0, or CAST one side AS REAL',
      };
    }
  },
};

/** Dividing by 10, 100, … drops digits deliberately. */
function isWhole({ right }: Binary): boolean {
  return right.kind === 'literal' && right.type === 'integer' && /^10+$/.test(String(right.value));
}

function losesFraction(gold: unknown, exact: unknown): boolean {
  return (
    typeof exact === 'number' &&
    (typeof gold === 'number' || typeof gold === 'bigint') &&
    Number(gold) !== exact &&
    Math.trunc(exact) === Number(gold)
  );
}

/** LIMIT that cuts through rows with equal sort keys. */
const limitTie: Rule = {
  name: 'limit_tie',
  why: 'Which of the tied rows are shown is left to the engine, so that a right answer may count as wrong.',
  byDefault: true,
  async *check({ query, run }) {
    if (query.kind !== 'select' || query.limit === null || query.orderBy.length === 0 || query.distinct)
      return;
    const { count, offset } = query.limit;
    const bounds = [count, ...(offset ? [offset] : [])].map(wholeNumber);
    if (bounds.includes(null)) return;
    const last = bounds.reduce<number>((sum, bound) => sum + Number(bound), 0);
    const keys = query.orderBy.map(({ expr }, i): OutputColumn => ({ expr, name: `key_${i}`, alias: null }));
    const rows = await run(node({ ...query, columns: [...query.columns, ...keys], limit: null }));
    const [inside, outside] = [rows?.[last - 1], rows?.[last]];
    if (!inside || !outside) return;
    const width = query.columns.length;
    const tied = keys.every((_, i) => sameCell(inside[width + i] ?? null, outside[width + i] ?? null));
    const alike = query.columns.every((_, i) => sameCell(inside[i] ?? null, outside[i] ?? null));
    if (!tied || alike) return;
    yield {
      reason: `rows ${last} and ${last + 1} have the same sort keys, and LIMIT cuts between them`,
      suggestion: 'name a further sort key in the question, or ask for all that are tied',
    };
  },
};

function wholeNumber(expr: Expr): number | null {
  return expr.kind === 'literal' && expr.type === 'integer' ? Number(expr.value) : null;
}

/** A text that a column holds only in another case or with other spaces. */
const misspeltLiteral: Rule = {
  name: 'misspelt_literal',
  why: 'Texts compare letter by letter: the rows meant are not found.',
  byDefault: true,
  async *check({ query, origins, runSql }) {
    for (const expr of exprsOf(query)) {
      const pair = equality(expr);
      const base = pair && origins.baseColumn(pair[0]);
      const value = pair?.[1];
      if (!base || value?.kind !== 'literal' || value.type !== 'text' || base.column.collation !== 'BINARY')
        continue;
      const [table, column] = [quoteIdentifier(base.table.name), quoteIdentifier(base.column.name)];
      const text = quoteText(value.value);
      const exact = await runSql(`SELECT 1 FROM ${table} WHERE ${column} = ${text} LIMIT 1`);
      if (exact === null || exact.length > 0) continue;
      const near = await runSql(
        `SELECT ${column} FROM ${table} WHERE lower(trim(${column})) = lower(trim(${text})) LIMIT 1`,
      );
      const other = near?.[0]?.[0];
      if (typeof other !== 'string') continue;
      yield {
        reason: `${columnLabel(base.table, base.column)} holds '${other}', not '${value.value}'`,
        suggestion: `compare with '${other}'`,
      };
    }
  },
};

function equality(expr: Expr): readonly [Expr, Expr] | null {
  return expr.kind === 'compare' && expr.op === '=' ? [expr.left, expr.right] : null;
}

/** NOT IN over a subquery that returns a NULL, and is then true of no row. */
const notInNull: Rule = {
  name: 'not_in_null',
  why: 'A single NULL in the list makes NOT IN true of no row.',
  byDefault: true,
  async *check({ query, runSql }) {
    for (const expr of exprsOf(query)) {
      if (expr.kind !== 'in_query' || !expr.negated) continue;
      const rows = await runSql(printQuery(expr.query));
      if (!rows?.some((row) => row.includes(null))) continue;
      yield {
        reason: 'the list of NOT IN holds NULL, so the condition is true of no row',
        suggestion: 'leave NULL out of the subquery, or write NOT EXISTS',
      };
    }
  },
};

/** ORDER BY … LIMIT 1 for the lowest value of a column with NULLs, which SQLite sorts first. */
const nullFirst: Rule = {
  name: 'null_first',
  why: 'NULL sorts before every value, so the row found has no value at all.',
  byDefault: true,
  async *check({ query, origins, run }) {
    for (const select of selectsOf(query)) {
      const [first] = select.orderBy;
      if (!select.limit || !first || first.direction !== 'asc' || first.nulls !== null) continue;
      const base = origins.baseColumn(first.expr);
      if (!base || base.column.statistics.nulls === 0) continue;
      const keys = await run(
        node({
          ...select,
          with: query.with,
          distinct: false,
          columns: [{ expr: first.expr, name: 'key', alias: null }],
        }),
      );
      if (!keys?.some(([key]) => key === null)) continue;
      const label = columnLabel(base.table, base.column);
      yield {
        reason: `the first rows by ${label} have no ${base.column.name}`,
        suggestion: `add ${label} IS NOT NULL`,
      };
    }
  },
};

/** Matches "different" about the requested values, but not about something counted beside them. */
const ASKS_FOR_DIFFERENT = /^\W*(\S+\s+){0,4}(different|distinct|unique)\b/i;

/** Rows that repeat although the question asks for different ones. */
const repeatedRows: Rule = {
  name: 'repeated_rows',
  why: 'A question for different values is not answered by the same one twice.',
  byDefault: true,
  async *check({ question, query, rows }) {
    if (query.kind !== 'select' || query.distinct || query.limit !== null) return;
    if (!ASKS_FOR_DIFFERENT.test(question.question)) return;
    const seen = new Set(rows.map((row) => row.map(String).join('\u0000')));
    if (seen.size === rows.length) return;
    yield {
      reason: `the question asks for different ones, and ${rows.length - seen.size} of ${rows.length} rows repeat another`,
      suggestion: 'SELECT DISTINCT',
    };
  },
};

/** Numbers stored as texts and compared or sorted as texts: '10' comes before '9'. */
const textAsNumber: Rule = {
  name: 'text_as_number',
  why: "As texts, '10' comes before '9': extremes and orders are wrong.",
  byDefault: true,
  async *check(audited) {
    const { query } = audited;
    const sorted = selectsOf(query).flatMap(({ orderBy }) => orderBy.map(({ expr }) => expr));
    const extreme = exprsOf(query).flatMap((expr) =>
      expr.kind === 'aggregate' && (expr.name === 'max' || expr.name === 'min') ? expr.args : [],
    );
    const bounded = exprsOf(query).flatMap((expr) =>
      expr.kind === 'compare' && ['<', '<=', '>', '>='].includes(expr.op) && expr.right.kind === 'literal'
        ? [expr.left]
        : [],
    );
    const columns = [...sorted, ...extreme, ...bounded].filter(
      (expr): expr is Column => expr.kind === 'column',
    );
    const labels = new Set<string>();
    for (const column of columns) {
      const label = await numbersAsTexts(column, audited);
      if (label === null || labels.has(label)) continue;
      labels.add(label);
      yield {
        reason: `${label} holds numbers as texts, which are compared letter by letter`,
        suggestion: `CAST(${label} AS REAL)`,
      };
    }
  },
};

/** What reports call a column of texts nearly all of which are numbers, some longer than others; else null. */
async function numbersAsTexts(column: Column, { origins, runSql }: AuditedQuery): Promise<string | null> {
  const base = origins.baseColumn(column);
  if (!base || isNumeric(affinityOf(column, origins)) || base.column.statistics.storage.text === 0)
    return null;
  const name = quoteIdentifier(base.column.name);
  // Numbers of equal length sort the same as texts.
  const rows = await runSql(
    `SELECT COUNT(*), SUM(${name} GLOB '[0-9]*' AND ${name} NOT GLOB '*[^0-9.]*'), COUNT(DISTINCT instr(${name} || '.', '.')) ` +
      `FROM ${quoteIdentifier(base.table.name)} WHERE ${name} <> ''`,
  );
  const [all, numbers, widths] = (rows?.[0] ?? []).map(Number);
  const isNumbers = all && numbers && numbers >= 0.9 * all && (widths ?? 0) >= 2;
  return isNumbers ? columnLabel(base.table, base.column) : null;
}

/** A text compared with a column that does not hold it, and that the question does not name. */
const unknownLiteral: Rule = {
  name: 'unknown_literal',
  why: 'A value that occurs neither in the column nor in the question cannot be what was asked for.',
  byDefault: true,
  async *check({ query, question, origins, runSql }) {
    const text = plain(`${question.question} ${question.evidence}`);
    for (const [column, value] of exprsOf(query).flatMap(equalities)) {
      const base = origins.baseColumn(column);
      if (
        !base ||
        value.kind !== 'literal' ||
        value.type !== 'text' ||
        value.value.trim() === '' ||
        value.pinned
      )
        continue;
      if (text.includes(plain(value.value))) continue;
      const found = await runSql(
        `SELECT 1 FROM ${quoteIdentifier(base.table.name)} WHERE ${quoteIdentifier(base.column.name)} = ${quoteText(value.value)} LIMIT 1`,
      );
      if (found === null || found.length > 0) continue;
      yield {
        reason: `${columnLabel(base.table, base.column)} holds no '${value.value}', and neither question nor evidence names it`,
        suggestion: 'compare with a value that the column holds; case and spaces count',
      };
    }
  },
};

/** Ignoring punctuation: `1998/7/5` names `1998-07-05`. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b0+(?=\d)/g, '')
    .trim();
}

function equalities(expr: Expr): (readonly [Expr, Expr])[] {
  if (expr.kind === 'compare' && expr.op === '=')
    return [
      [expr.left, expr.right],
      [expr.right, expr.left],
    ];
  return expr.kind === 'in_list' && !expr.negated ? expr.items.map((item) => [expr.expr, item] as const) : [];
}

/** Every rule of the audit, in the order of reports. */
export const RULES: readonly Rule[] = [
  fanOut,
  bareColumn,
  limitTie,
  nullFirst,
  notInNull,
  unknownLiteral,
  misspeltLiteral,
  textAsNumber,
  integerDivision,
  caseCounted,
  repeatedRows,
  idleCondition,
];

export interface NamedFinding extends Finding {
  readonly rule: string;
}

interface AuditContext {
  readonly catalog: Catalog;
  readonly oracle: Oracle;
  readonly file: string;
  /** Neighbours of the original; a change counts only if it shows on one of them. */
  readonly neighbours: readonly string[];
  readonly rules: readonly Rule[];
  readonly jobs: number;
  /** Rejects with a QueryError where SQLite gives no rows. */
  readonly rowsOf: (gold: GoldQuery) => Promise<readonly Row[]>;
  readonly signal?: AbortSignal | undefined;
  readonly onQuestion?: (question: Question) => void;
}

/** Findings in the gold queries of one domain; questions without any are left out. */
export async function auditGolds(
  golds: readonly GoldQuery[],
  context: AuditContext,
): Promise<ReadonlyMap<Question, readonly NamedFinding[]>> {
  const audited = await pMap(
    golds,
    async (gold) => {
      context.signal?.throwIfAborted();
      const findings = await auditGold(gold, context);
      context.onQuestion?.(gold.question);
      return [gold.question, findings] as const;
    },
    { concurrency: context.jobs },
  );
  return new Map(audited.filter(([, findings]) => findings.length > 0));
}

async function auditGold(gold: GoldQuery, context: AuditContext): Promise<NamedFinding[]> {
  const { question, query } = gold;
  const { catalog, oracle, file, neighbours, rules } = context;
  const rowsOn = (place: string, sql: string) =>
    unlessRefused(oracle.run(place, sql).then(({ rows }) => rows));
  const rows = await unlessRefused(context.rowsOf(gold));
  if (rows === null) return [];
  // Computed once, however many conditions are dropped.
  const goldOn = new Map<string, Promise<readonly Row[] | null>>([[file, Promise.resolve(rows)]]);
  const goldRowsOn = (place: string) => onceFor(goldOn, place, () => rowsOn(place, printQuery(query)));
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  const audited: AuditedQuery = {
    question,
    query,
    catalog,
    origins: new Origins(query, catalog),
    rows,
    run: (changed) => rowsOn(file, printQuery(changed)),
    runSql: (sql) => rowsOn(file, sql),
    async differs(changed: Query) {
      const sql = printQuery(changed);
      for (const place of [file, ...neighbours]) {
        const own = await goldRowsOn(place);
        const other = await rowsOn(place, sql);
        if (own === null || other === null) return true;
        if (!sameRows(own, other, ordered ? own.map((_, i) => i) : null)) return true;
      }
      return false;
    },
  };
  const found: NamedFinding[] = [];
  for (const rule of rules) {
    for await (const finding of rule.check(audited)) found.push({ rule: rule.name, ...finding });
  }
  return found;
}
