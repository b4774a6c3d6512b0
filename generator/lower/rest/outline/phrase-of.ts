import {
  type Column,
  declaredAffinity,
  type Expr,
  exprsWithin,
  isNumeric,
  type Literal,
  leftmost,
  type Query,
  type Unary,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { aggregatePhrase } from './aggregate-phrase.ts';
import { arithmeticPhrase } from './arithmetic-phrase.ts';
import { casePhrase, checkPhrase } from './check-phrase.ts';
import { type Wording, conditionText as wholeText } from './condition-text.ts';
import { callPhrase } from './function-phrase.ts';
import { bare } from './patterns.ts';
import { listed, type Phrase, plainPhrase, reworded } from './phrase.ts';
import { queryText } from './query-text.ts';
import type { Speaker } from './speaker.ts';
import { windowPhrase } from './window-phrase.ts';

/** What is said where nothing is known. */
export const VALUE: Phrase = plainPhrase(['value']);

/** Where an expression is said. */
export interface Saying {
  readonly speaker: Speaker;
  /** The query whose rows are spoken of. */
  readonly query: Query;
  /** Whether columns that say little get their table's noun. */
  readonly qualified: boolean;
  /** Which literals are chosen, and the names of the parameters that choose them; else they are "a given value". */
  readonly choiceOf?: ReadonlyMap<Literal, Choice>;
  readonly nameOf?: ((choice: Choice) => string) | null;
}

/** The same as what conditions are told in, where parameters are named. */
export function asWording(saying: Saying): Wording | null {
  const { choiceOf, nameOf } = saying;
  return choiceOf === undefined || !nameOf ? null : { ...saying, choiceOf, nameOf };
}

/** Says what an expression is; text that is made a number is ordered as one. */
export function phraseOf(given: Expr, saying: Saying): Phrase {
  const phrase = barePhrase(bare(given), saying);
  const number = given.kind === 'cast' && isNumeric(declaredAffinity(given.type));
  return number && phrase.scale === 'text' ? { ...phrase, scale: 'number' } : phrase;
}

function barePhrase(expr: Expr, saying: Saying): Phrase {
  switch (expr.kind) {
    case 'column':
      return columnPhrase(expr, saying);
    case 'aggregate':
      return aggregatePhrase(expr, saying);
    case 'window':
      return windowPhrase(expr, saying);
    case 'binary':
      return arithmeticPhrase(expr, saying);
    case 'call':
      return callPhrase(expr, saying);
    case 'case':
      return casePhrase(expr, saying);
    case 'scalar_query': {
      const first = leftmost(expr.query);
      const column = first.kind === 'select' ? first.columns[0] : undefined;
      if (column === undefined) return VALUE;
      const plain = phraseOf(column.expr, { ...saying, query: expr.query });
      const wording = asWording(saying);
      return wording === null ? plain : { ...plain, text: queryText(expr.query, wording, true) };
    }
    case 'exists':
      return plainPhrase(['exists'], 'whether there is any');
    case 'compare':
    case 'like':
    case 'in_list':
    case 'in_query':
    case 'is_null':
    case 'between':
    case 'and':
    case 'or':
    case 'not':
      return checkPhrase(expr, saying);
    case 'unary':
      return negativePhrase(expr, saying);
    case 'literal':
      return expr.pinned
        ? plainPhrase(['reference', 'time'], 'reference time', 'date')
        : plainPhrase(['label'], 'fixed value');
    default:
      return firstColumn(expr, saying) ?? VALUE;
  }
}

function negativePhrase({ op, expr }: Unary, saying: Saying): Phrase {
  const of = phraseOf(expr, saying);
  if (op !== '-') return of;
  return reworded({ ...of, head: of.noun }, (words) => ['negative', ...words], `negative ${of.text}`);
}

function columnPhrase(expr: Column, saying: Saying): Phrase {
  const origin = saying.speaker.origins.of(expr);
  if (origin.kind === 'computed') {
    const query = saying.speaker.origins.selectOf(expr.source) ?? saying.query;
    return phraseOf(origin.expr, { ...saying, query: innerQuery(query, expr, saying) });
  }
  const plain = saying.speaker.column(expr, saying.qualified);
  return { ...plain, noun: saying.speaker.column(expr, true).noun };
}

/** The query that computes the column of a derived table. */
function innerQuery(outer: Query, { source }: Column, { speaker }: Saying): Query {
  const read = speaker.origins.sourceOf(source);
  return (read === null ? null : speaker.origins.queryOf(read)) ?? outer;
}

/** What a condition is about, in the words of a name: gender, mtgo code. */
export function aboutPhrase(condition: Expr, saying: Saying): Phrase {
  const parts = condition.kind === 'and' || condition.kind === 'or' ? condition.items : [condition];
  const phrases = once(parts.slice(0, 3).map((part) => subjectPhrase(part, saying)));
  const words = phrases.flatMap(({ noun }, i) => (i === 0 ? noun : ['and', ...noun]));
  return { ...plainPhrase(words), text: listed(phrases.map(({ text }) => text)) };
}

function subjectPhrase(condition: Expr, saying: Saying): Phrase {
  const inner = bare(condition);
  switch (inner.kind) {
    case 'compare':
      return phraseOf(inner.left.kind === 'literal' ? inner.right : inner.left, saying);
    case 'between':
    case 'like':
    case 'in_list':
    case 'in_query':
    case 'is_null':
    case 'not':
      return phraseOf(inner.expr, saying);
    case 'and':
    case 'or':
      return aboutPhrase(inner, saying);
    default:
      return firstColumn(inner, saying) ?? VALUE;
  }
}

/** A condition after "with": a given gender, age in a given range, a known finish time. */
export function conditionText(condition: Expr, saying: Saying): string {
  const parts = condition.kind === 'and' ? condition.items : [condition];
  return listed([...new Set(parts.map((part) => partText(part, saying)))]);
}

function partText(condition: Expr, saying: Saying): string {
  const inner = bare(condition);
  const wording = asWording(saying);
  const whole = ['compare', 'between', 'like', 'in_list', 'or', 'and'].includes(inner.kind);
  if (wording !== null && whole) return afterWith(wholeText(inner, wording));
  const given = isChosen(inner, saying) ? 'given' : 'fixed';
  const { text } = aboutPhrase(inner, saying);
  switch (inner.kind) {
    case 'between':
      return `${text} in a ${given} range`;
    case 'is_null':
      return inner.negated ? `a known ${text}` : `no known ${text}`;
    case 'in_list':
      return `${text} among ${given} values`;
    case 'like':
      return `${text} ${inner.negated ? 'not ' : ''}matching a ${given} text`;
    case 'compare':
      if (inner.left.kind !== 'literal' && inner.right.kind !== 'literal')
        return afterWith(wholly(inner, saying));
      return inner.op === '=' || inner.op === 'is'
        ? `a ${given} ${text}`
        : `${text} ${SIDES[inner.op].replace('given', given)}`;
    case 'or':
      return [...new Set(inner.items.map((item) => partText(item, saying)))].join(' or ');
    case 'and':
      return `(${conditionText(inner, saying)})`;
    case 'exists':
    case 'in_query':
    case 'not':
      return afterWith(wholly(inner, saying));
    default:
      return `a ${given} ${text}`;
  }
}

/** The whole condition, with the names of parameters where they are known. */
function wholly(condition: Expr, saying: Saying): string {
  return wholeText(condition, { choiceOf: new Map(), ...saying, nameOf: saying.nameOf ?? null });
}

/** `title contains x` after "with": title containing x. */
function afterWith(text: string): string {
  return text
    .replace(/ contains /g, ' containing ')
    .replace(/ (start|end)s with /g, ' $1ing with ')
    .replace(/ matches /g, ' matching ')
    .replace(/^there is /, '')
    .replace(
      / (?:is|are) (not )?(of a fixed form|missing|known|empty|among|like|above|below|at least|at most|after|before|on or|the same|from)\b/g,
      ' $1$2',
    );
}

/** Whether a condition holds a value that is chosen, as far as is known. */
function isChosen(condition: Expr, { choiceOf }: Saying): boolean {
  if (choiceOf === undefined) return true;
  return exprsWithin(condition).some((part) => part.kind === 'literal' && choiceOf.has(part));
}

const SIDES = {
  '!=': 'other than a given value',
  is_not: 'other than a given value',
  '>': 'above a given value',
  '>=': 'of at least a given value',
  '<': 'below a given value',
  '<=': 'of at most a given value',
} as const;

/** The first column in an expression, or null. */
export function firstColumn(expr: Expr, saying: Saying): Phrase | null {
  const column = exprsWithin(expr).find((part) => part.kind === 'column');
  return column === undefined ? null : phraseOf(column, saying);
}

/** Those said with the same words only once. */
export function once(phrases: readonly Phrase[]): readonly Phrase[] {
  const texts = phrases.map(({ text }) => text);
  return phrases.filter(({ text }, i) => texts.indexOf(text) === i);
}
