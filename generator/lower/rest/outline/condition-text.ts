import {
  type Compare,
  type CompareOp,
  type Expr,
  type InList,
  type Like,
  type Literal,
  literalTruth,
  MIRRORED,
  type Query,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { literalWithin } from '../choices/literal-within.ts';
import { numberWord } from './ordinals.ts';
import { absentTable, joinedWhere } from './outer-joins.ts';
import { pairText } from './pair-text.ts';
import { bare, conditionalCount } from './patterns.ts';
import { firstColumn, phraseOf, type Saying } from './phrase-of.ts';
import { amongText, rowsText } from './query-text.ts';
import { RELATIONS, relation } from './relation.ts';
import { isQuery, textOf, valueText } from './value-text.ts';

/** Where conditions are told: which literals are a user's choice, and how these are written. */
export interface Wording extends Saying {
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
  /** Names the parameter; null where only "a given value" is said. */
  readonly nameOf: ((choice: Choice) => string) | null;
  /** The CTEs that are told already. */
  readonly told?: ReadonlySet<Query>;
}

/** A condition whole and in words, AND and OR as they stand: year > `min_year` and (type = `type` or the score is missing). */
export function conditionText(expr: Expr, wording: Wording): string {
  switch (expr.kind) {
    case 'and':
    case 'or': {
      // What always holds adds nothing to AND, what never does nothing to OR.
      const items = expr.items.filter((item) => constantTruth(item) !== (expr.kind === 'and'));
      if (items.length === 0) return expr.kind === 'and' ? 'always' : 'never';
      const texts = items.map((item) => bracketed(item, conditionText(item, wording)));
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
      const is = wording.nameOf === null ? ' is' : '';
      const text = `${textOf(expr.expr, wording)}${is} from ${valueText(expr.low, wording)} to ${valueText(expr.high, wording)}`;
      return expr.negated ? `not (${text})` : text;
    }
    case 'like':
      return likeText(expr, wording);
    case 'in_list':
      return listText(expr, wording);
    case 'in_query':
      return `${textOf(expr.expr, wording)} ${expr.expr.kind === 'row' ? 'are' : 'is'} ${expr.negated ? 'not ' : ''}among the ${amongText(expr.query, wording)}`;
    case 'exists': {
      const { query, negated } = expr;
      const [read] = query.kind === 'select' ? query.from : [];
      const table = read === undefined ? null : wording.speaker.origins.tableOf(read.source.id);
      const noun = table === null ? 'row' : wording.speaker.noun(table).one.join(' ');
      const where = query.kind === 'select' ? rowsText(query, wording) : '';
      return `there is ${negated ? 'no' : 'a'} ${noun}${where}`;
    }
    default: {
      const truth = constantTruth(expr);
      if (truth !== null) return truth ? 'always' : 'never';
      return `${textOf(expr, wording)} is not zero`;
    }
  }
}

/** Whether a condition of literals holds, which count by the number that they begin with; null for anything else. */
function constantTruth(expr: Expr): boolean | null {
  if (expr.kind === 'and' || expr.kind === 'or') {
    const truths = expr.items.map(constantTruth);
    const decisive = expr.kind === 'or';
    if (truths.includes(decisive)) return decisive;
    return truths.includes(null) ? null : !decisive;
  }
  return expr.kind === 'literal' && !expr.pinned ? literalTruth(expr) : null;
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

function compareText({ op, left, right }: Compare, wording: Wording): string {
  if (left.kind === 'row' && right.kind === 'row') {
    const each: CompareOp = op === '!=' || op === 'is_not' ? '=' : op;
    const items = left.items.map((item, i) => {
      const other = right.items[i] ?? item;
      return compareText({ kind: 'compare', op: each, left: item, right: other }, wording);
    });
    if (each !== op) return `not (${items.join(' and ')})`;
    return items.join(op === '=' || op === 'is' ? ' and ' : ', then ');
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
  const pair = pairText(a, sign, b, wording);
  if (pair !== null) return pair;
  const is = relation(sign, of, wording);
  // A column is not another column, though their values may be the same.
  const alike =
    !isQuery(b) && firstColumn(b, wording) !== null && /^is( not)?$/.test(is) ? ' the same as' : '';
  return `${textOf(a, wording)} ${is}${alike} ${valueText(b, wording)}`;
}

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

function nullText({ expr, negated }: Extract<Expr, { kind: 'is_null' }>, wording: Wording): string {
  const absent = absentTable(expr, wording);
  if (absent !== null) {
    const where = joinedWhere(expr, wording);
    return `there is ${negated ? 'a' : 'no'} ${wording.speaker.noun(absent).one.join(' ')}${where === '' ? '' : ` where ${where}`}`;
  }
  return `${textOf(expr, wording)} is ${negated ? 'known' : 'missing'}`;
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
    all.length === 1 && items.length > 1 && wording.nameOf === null ? 'given values' : all.join(', ');
  return `${of} is ${negated ? 'not ' : ''}among ${values}`;
}
