import type { CatalogTable } from '../../../../contracts/catalog.ts';
import {
  type Compare,
  type CompareOp,
  type Expr,
  type InList,
  type Like,
  type Literal,
  MIRRORED,
  type Select,
  type SourceId,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { literalWithin } from '../choices/literal-within.ts';
import { isPadded } from '../template/is-not-null.ts';
import { exprsWithin } from '../tree/parts.ts';
import { plural } from '../words/nouns.ts';
import { conjuncts } from './joins.ts';
import { numberWord } from './ordinals.ts';
import { bare, conditionalCount } from './patterns.ts';
import type { Phrase } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { queryText, rowsText } from './query-text.ts';

/** Where conditions are told: which literals are a user's choice, and how these are written. */
export interface Wording extends Saying {
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
  /** Names the parameter; null where only "a given value" is said. */
  readonly nameOf: ((choice: Choice) => string) | null;
}

/** A condition whole and in words, AND and OR as they stand: year > `min_year` and (type = `type` or the score is missing). */
export function conditionText(expr: Expr, wording: Wording): string {
  switch (expr.kind) {
    case 'and':
    case 'or': {
      const texts = expr.items.map((item) => bracketed(item, conditionText(item, wording)));
      const different = [...new Set(texts)];
      return different
        .map((text) => (expr.kind === 'or' ? anyOf(text, texts.filter((one) => one === text).length) : text))
        .join(` ${expr.kind} `);
    }
    case 'not':
      return `not (${conditionText(expr.expr, wording)})`;
    case 'compare':
      return compareText(expr, wording);
    case 'is_null':
      return nullText(expr, wording);
    case 'between': {
      const text = `${textOf(expr.expr, wording)} from ${valueText(expr.low, wording)} to ${valueText(expr.high, wording)}`;
      return expr.negated ? `not (${text})` : text;
    }
    case 'like':
      return likeText(expr, wording);
    case 'in_list':
      return listText(expr, wording);
    case 'in_query':
      return `${textOf(expr.expr, wording)} is ${expr.negated ? 'not ' : ''}among the ${queryText(expr.query, wording)}`;
    case 'exists': {
      const { query, negated } = expr;
      const [read] = query.kind === 'select' ? query.from : [];
      const table = read === undefined ? null : wording.speaker.origins.tableOf(read.source.id);
      const noun = table === null ? 'row' : wording.speaker.noun(table).one.join(' ');
      const where = query.kind === 'select' ? rowsText(query, wording) : '';
      return `there is ${negated ? 'no' : 'a'} ${noun}${where}`;
    }
    default:
      return `${textOf(expr, wording)} holds`;
  }
}

/** In brackets where it could be taken apart. */
export function bracketed({ kind }: Expr, text: string): string {
  const joined = (kind === 'and' || kind === 'or') && / (and|or) /.test(text);
  return joined || / where /.test(text) ? `(${text})` : text;
}

/** Alternatives that differ only in the values given. */
function anyOf(text: string, count: number): string {
  if (count === 1 || !/\bgiven\b/.test(text)) return text;
  const number = NUMBERS[count] ?? 'several';
  const given = / a given (value|date|text|pattern)$/;
  if (given.test(text)) return text.replace(given, ` one of ${number} given $1s`);
  return `for one of ${number} sets of values ${text}`;
}

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six'];

/** Signs with the names of parameters, words without. */
const RELATIONS: Readonly<Record<CompareOp, readonly [sign: string, words: string, dated: string]>> = {
  '=': ['=', 'is', 'is'],
  is: ['=', 'is', 'is'],
  '!=': ['!=', 'is not', 'is not'],
  is_not: ['!=', 'is not', 'is not'],
  '>': ['>', 'is above', 'is after'],
  '>=': ['>=', 'is at least', 'is on or after'],
  '<': ['<', 'is below', 'is before'],
  '<=': ['<=', 'is at most', 'is on or before'],
};

function relation(op: CompareOp, of: Phrase, { nameOf }: Wording): string {
  const [sign, words, dated] = RELATIONS[op];
  return nameOf === null ? (of.scale === 'date' ? dated : words) : sign;
}

function compareText({ op, left, right }: Compare, wording: Wording): string {
  if (left.kind === 'row' && right.kind === 'row') {
    const items = left.items.map((item, i) => {
      const other = right.items[i];
      return other === undefined
        ? ''
        : compareText({ kind: 'compare', op, left: item, right: other }, wording);
    });
    return items.join(' and ');
  }
  const turned =
    literalWithin(left) !== null || (isQuery(left) && !isQuery(right) && literalWithin(right) === null);
  const [a, sign, b] = turned ? [right, MIRRORED[op], left] : [left, op, right];
  const literal = literalWithin(b);
  const found = bare(a);
  if (found.kind === 'call' && found.name === 'instr') {
    const [text, part] = found.args;
    if (text !== undefined && part !== undefined) {
      const not = sign === '=' || sign === '<=' ? 'does not contain' : 'contains';
      return `${textOf(text, wording)} ${not} ${valueText(part, wording)}`;
    }
  }
  const of = phraseOf(a, wording);
  if (literal !== null && !literal.pinned && !wording.choiceOf.has(literal)) {
    return fixedText(a, sign, literal, wording);
  }
  return (
    pairText(a, sign, b, wording) ??
    `${textOf(a, wording)} ${relation(sign, of, wording)} ${valueText(b, wording)}`
  );
}

/** A comparison of what two rows hold, where it takes more than names of columns to tell which is which; else null. */
function pairText(a: Expr, op: CompareOp, b: Expr, wording: Wording): string | null {
  const [left, right] = [rowOf(a, wording), rowOf(b, wording)];
  if (left === null || right === null || left.source === right.source) return null;
  const [x, y] = [textOf(a, wording), textOf(b, wording)];
  const same = op === '=' || op === 'is';
  if (left.table !== right.table && x !== y) return null;
  const sign = relation(op, phraseOf(a, wording), wording);
  if (left.place !== null && right.place !== null) {
    const [one, other] =
      left.table === right.table
        ? left.place < right.place
          ? ['first', 'second']
          : ['second', 'first']
        : [left.noun, right.noun];
    if (x !== y) return `${x} of the ${one} ${sign} ${y} of the ${other}`;
    if (!same) return `${x} of the ${one} ${sign} that of the ${other}`;
    return left.table === right.table
      ? `the ${x} of both is the same`
      : `the ${x} of the ${one} and the ${other} is the same`;
  }
  if (x === y && same) return `the ${x} is the same`;
  // One of them is the row around the subquery.
  const [own, outer] = left.place === null ? [y, x] : [x, y];
  const mirrored = left.place === null ? relation(MIRRORED[op], phraseOf(b, wording), wording) : sign;
  const around = left.place === null ? left : right;
  return `${own} ${mirrored} ${own === outer ? 'that' : outer} of the ${around.noun} in question`;
}

/** The one row that an expression reads, by its source; null when it reads none, several or another query. */
function rowOf(
  expr: Expr,
  { speaker, query }: Wording,
): {
  readonly source: SourceId;
  readonly table: CatalogTable;
  readonly noun: string;
  /** Where it stands among the sources of its query; null in the query around it. */
  readonly place: number | null;
} | null {
  const parts = exprsWithin(expr);
  const [source, ...others] = new Set(parts.flatMap((part) => (part.kind === 'column' ? [part.source] : [])));
  const table = source === undefined ? null : speaker.origins.tableOf(source);
  if (source === undefined || table === null || others.length > 0 || query.kind !== 'select') return null;
  if (speaker.roleOf(source) !== null || parts.some(({ kind }) => QUERIES.has(kind))) return null;
  const place = query.from.findIndex((item) => item.source.id === source);
  return { source, table, noun: speaker.noun(table).one.join(' '), place: place < 0 ? null : place };
}

const QUERIES: ReadonlySet<Expr['kind']> = new Set(['scalar_query', 'in_query', 'exists'] as const);

/** Compared with a literal that no user chooses. */
function fixedText(expr: Expr, op: CompareOp, literal: Literal, wording: Wording): string {
  const of = textOf(expr, wording);
  const same = op === '=' || op === 'is';
  if (conditionalCount(expr) !== null || bare(expr).kind === 'aggregate') {
    if (literal.value === 0n && op === '>') return `there is any ${of.replace(/^number of /, '')}`;
  }
  if (literal.value === '') return `${of} is ${same ? '' : 'not '}empty`;
  const value = numberWord(literal) ?? 'a fixed value';
  if (same) return `${of} is ${value}`;
  if (op === '!=' || op === 'is_not') return `${of} is not ${value}`;
  return `${of} ${RELATIONS[op][1]} ${value}`;
}

/** A value that something is compared with: what is chosen, another query's value, or a column. */
function valueText(expr: Expr, wording: Wording): string {
  const literal = literalWithin(expr);
  const choice = literal === null ? undefined : wording.choiceOf.get(literal);
  if (choice !== undefined) return chosenText(choice, wording);
  return literal !== null && !literal.pinned ? 'a fixed value' : textOf(expr, wording);
}

function chosenText(choice: Choice, { nameOf }: Wording): string {
  if (nameOf !== null) return `\`${nameOf(choice)}\``;
  if (choice.array) return 'given values';
  const text = ['contains', 'starts_with', 'ends_with'].includes(choice.role);
  return text
    ? 'a given text'
    : choice.role === 'pattern' || choice.role === 'glob'
      ? 'a given pattern'
      : 'a given value';
}

/** What is compared, with the choices inside it. */
function textOf(expr: Expr, wording: Wording): string {
  const inner = bare(expr);
  if (inner.kind === 'scalar_query') return `the ${queryText(inner.query, wording, true)}`;
  if (inner.kind === 'binary') {
    const query = [bare(inner.left), bare(inner.right)].find(isQuery);
    const factor = [inner.left, inner.right].find((side) => numberChosen(side, wording) !== null);
    if (query !== undefined && factor !== undefined) {
      return `${valueText(factor, wording)} ${inner.op === '/' ? 'divided by' : 'times'} ${textOf(query, wording)}`;
    }
    if (query !== undefined) return `a fixed multiple of ${textOf(query, wording)}`;
  }
  const { text } = phraseOf(expr, wording);
  if (wording.nameOf === null) return text;
  const chosen = [
    ...new Set(
      exprsWithin(inner).flatMap((part) =>
        part.kind === 'literal' ? (wording.choiceOf.get(part) ?? []) : [],
      ),
    ),
  ];
  const names = chosen.map((choice) => chosenText(choice, wording));
  const untold = names.filter((name) => !text.includes(name));
  return untold.length === 0 ? text : `${text} (${untold.join(', ')})`;
}

function numberChosen(expr: Expr, { choiceOf }: Wording): Choice | null {
  const literal = literalWithin(expr);
  return (literal === null ? undefined : choiceOf.get(literal)) ?? null;
}

function isQuery(expr: Expr): boolean {
  return bare(expr).kind === 'scalar_query';
}

function nullText({ expr, negated }: Extract<Expr, { kind: 'is_null' }>, wording: Wording): string {
  const absent = absentTable(expr, wording);
  if (absent !== null)
    return `there is ${negated ? 'a' : 'no'} ${wording.speaker.noun(absent).one.join(' ')}`;
  return `${textOf(expr, wording)} is ${negated ? 'known' : 'missing'}`;
}

/** The table that an outer join found no row of, when a column's NULL tells so. */
export function absentTable(expr: Expr, { speaker }: Pick<Saying, 'speaker'>): CatalogTable | null {
  const inner = bare(expr);
  if (inner.kind !== 'column' || !isPadded(inner.source, speaker.origins)) return null;
  const table = speaker.origins.tableOf(inner.source);
  const base = speaker.origins.baseColumn(inner);
  const on = speaker.origins
    .selectOf(inner.source)
    ?.from.find(({ source }) => source.id === inner.source)?.on;
  if (table === null || base === null || !on) return null;
  const joined = exprsWithin(on).some(
    (part) => part.kind === 'column' && part.source === inner.source && part.name === inner.name,
  );
  const sure = joined || base.column.not_null || base.column.primary_key > 0;
  return sure ? table : null;
}

/** The outer-joined sources of a SELECT that its rows must have nothing of. */
export function absentSources({ where }: Select, speaker: Saying['speaker']): ReadonlySet<SourceId> {
  const saying = { speaker };
  return new Set(
    conjuncts(where).flatMap((one) =>
      one.kind === 'is_null' &&
      !one.negated &&
      one.expr.kind === 'column' &&
      absentTable(one.expr, saying) !== null
        ? [one.expr.source]
        : [],
    ),
  );
}

function likeText({ expr, pattern, negated, op }: Like, wording: Wording): string {
  const of = textOf(expr, wording);
  const literal = literalWithin(pattern);
  const choice = literal === null ? undefined : wording.choiceOf.get(literal);
  if (literal !== null && choice === undefined) return `${of} ${negated ? 'is not' : 'is'} of a fixed form`;
  const [is, isNot] = (choice === undefined ? undefined : LIKES[choice.role]) ?? MATCHES;
  return `${of} ${negated ? isNot : is} ${op === 'like' || op === 'glob' ? '' : `(${op}) `}${valueText(pattern, wording)}`;
}

const MATCHES = ['matches', 'does not match'] as const;
const LIKES: Partial<Record<Choice['role'], readonly [is: string, isNot: string]>> = {
  contains: ['contains', 'does not contain'],
  starts_with: ['starts with', 'does not start with'],
  ends_with: ['ends with', 'does not end with'],
  like: ['is like', 'is not like'],
};

function listText({ expr, items, negated }: InList, wording: Wording): string {
  const [first] = items;
  // 'x' IN (a, b)
  const literal = literalWithin(expr);
  if (literal !== null && first !== undefined && literalWithin(first) === null) {
    const columns = items.map((item) => textOf(item, wording)).join(' or ');
    return `${negated ? 'not ' : ''}${columns} is ${valueText(expr, wording)}`;
  }
  const of = textOf(expr, wording);
  const chosen = items.map((item) => valueText(item, wording));
  const all = [...new Set(chosen)];
  const values =
    all.length === 1 && items.length > 1 && wording.nameOf === null
      ? plural(['given', 'value']).join(' ')
      : all.join(', ');
  return `${of} is ${negated ? 'not ' : ''}among ${values}`;
}
