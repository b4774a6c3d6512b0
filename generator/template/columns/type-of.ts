import type { CatalogColumn } from '../../../contracts/catalog.ts';
import type { ResultColumn } from '../../../contracts/service.ts';
import {
  type Aggregate,
  type BinaryOp,
  type Call,
  declaredAffinity,
  type Expr,
  isCondition,
  leftmost,
  type Origins,
  type Query,
  type Window,
} from '../../../sql/index.ts';

type Type = ResultColumn['type'];

/** What SQLite answers for an expression, or NULL; `any` where that is not sure. `number` includes integers. */
export function typeOf(expr: Expr, origins: Origins): Type {
  const one = (part: Expr) => typeOf(part, origins);
  if (isCondition(expr)) return 'integer';
  switch (expr.kind) {
    case 'column': {
      const origin = origins.of(expr);
      if (origin.kind === 'column') return columnType(origin.column);
      if (origin.kind === 'computed') return one(origin.expr);
      return expr.name === 'rowid' ? 'integer' : 'any';
    }
    case 'literal':
      if (expr.type === 'integer') return 'integer';
      return expr.type === 'real' ? 'number' : expr.type === 'null' ? 'any' : 'string';
    case 'unary':
      return expr.op === '~' ? 'integer' : arithmetic('-', one(expr.expr), 'integer');
    case 'binary':
      return arithmetic(expr.op, one(expr.left), one(expr.right));
    case 'scalar_query': {
      const first = leftmost(expr.query);
      const column = first.kind === 'select' && expr.query.kind === 'select' ? first.columns[0] : undefined;
      return column === undefined ? 'any' : one(column.expr);
    }
    case 'case': {
      const results = [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
      return union(results.filter((result) => !isNull(result)).map(one));
    }
    case 'cast':
      return CASTS[declaredAffinity(expr.type)];
    case 'collate':
      return one(expr.expr);
    case 'call':
      return callType(expr, one);
    case 'aggregate':
    case 'window':
      return aggregateType(expr, one);
    case 'output':
    case 'row':
      return 'any';
  }
}

/** The types of a query's result columns; those of a set operation fit both sides. */
export function typesOf(query: Query, origins: Origins): readonly Type[] {
  switch (query.kind) {
    case 'select':
      return query.columns.map(({ expr }) => typeOf(expr, origins));
    case 'set_operation': {
      const right = typesOf(query.right, origins);
      return typesOf(query.left, origins).map((type, i) => union([type, right[i] ?? 'any']));
    }
    case 'values':
      return (query.rows[0] ?? []).map((_, i) =>
        union(query.rows.map((row) => (row[i] === undefined ? 'any' : typeOf(row[i], origins)))),
      );
  }
}

const CASTS: Readonly<Record<ReturnType<typeof declaredAffinity>, Type>> = {
  integer: 'integer',
  real: 'number',
  numeric: 'number',
  text: 'string',
  blob: 'any',
};

/** By what is stored, since SQLite stores anything anywhere; without values, by what is declared. */
function columnType({ type, statistics: { storage } }: CatalogColumn): Type {
  const texts = storage.text + storage.blob;
  const numbers = storage.integer + storage.real;
  if (texts === 0 && numbers === 0) return type;
  if (texts > 0) return numbers > 0 ? 'any' : 'string';
  return storage.real > 0 ? 'number' : 'integer';
}

function arithmetic(op: BinaryOp, left: Type, right: Type): Type {
  switch (op) {
    case '||':
    case '->':
      return 'string';
    case '->>':
      return 'any';
    case '&':
    case '|':
    case '<<':
    case '>>':
      return 'integer';
    default:
      return left === 'integer' && right === 'integer' ? 'integer' : 'number';
  }
}

function union(types: readonly Type[]): Type {
  const [first, ...others] = types;
  if (first === undefined) return 'any';
  if (others.every((type) => type === first)) return first;
  return types.every((type) => type === 'integer' || type === 'number') ? 'number' : 'any';
}

const STRINGS =
  /^(substr|substring|lower|upper|trim|ltrim|rtrim|replace|strftime|date|time|datetime|printf|format|hex|quote|typeof|char|concat|concat_ws|group_concat|string_agg|json|json_array|json_object|json_group_array|json_group_object)$/;
const INTEGERS =
  /^(length|instr|unicode|sign|count|row_number|rank|dense_rank|ntile|unixepoch|changes|json_array_length)$/;
const NUMBERS =
  /^(round|avg|total|julianday|percent_rank|cume_dist|sqrt|pow|power|ln|log|log10|exp|ceil|ceiling|floor|random|acos|asin|atan|atan2|cos|sin|tan|degrees|radians|pi|mod)$/;

function callType({ name, args }: Call, one: (expr: Expr) => Type): Type {
  if (STRINGS.test(name)) return 'string';
  if (INTEGERS.test(name)) return 'integer';
  if (NUMBERS.test(name)) return 'number';
  const [first] = args;
  switch (name) {
    case 'abs':
      return first !== undefined && one(first) === 'integer' ? 'integer' : 'number';
    case 'nullif':
      return first === undefined ? 'any' : one(first);
    case 'coalesce':
    case 'ifnull':
    case 'max':
    case 'min':
      return union(args.filter((arg) => !isNull(arg)).map(one));
    default:
      return 'any';
  }
}

function aggregateType({ name, args }: Aggregate | Window, one: (expr: Expr) => Type): Type {
  if (STRINGS.test(name)) return 'string';
  if (INTEGERS.test(name)) return 'integer';
  if (NUMBERS.test(name)) return 'number';
  const [first] = args;
  if (first === undefined) return 'any';
  if (name === 'sum') return one(first) === 'integer' ? 'integer' : 'number';
  return /^(min|max|lag|lead|first_value|last_value|nth_value)$/.test(name) ? one(first) : 'any';
}

function isNull(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.type === 'null';
}
