import { type Binary, type Expr, exprsWithin } from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { choicesIn } from '../choices/choices-in.ts';
import { literalWithin } from '../choices/literal-within.ts';
import type { Wording } from './condition-text.ts';
import { operandPhrase } from './constant-phrase.ts';
import { datePart } from './date-parts.ts';
import { bare } from './patterns.ts';
import { listed, plainPhrase } from './phrase.ts';
import { phraseOf } from './phrase-of.ts';
import { queryText } from './query-text.ts';
import { shiftedPhrase } from './shifted-phrase.ts';

/** What reads another query. */
export const QUERIES: ReadonlySet<Expr['kind']> = new Set(['scalar_query', 'in_query', 'exists'] as const);

/** A value that something is compared with: what is chosen, another query's value, or a column. */
export function valueText(expr: Expr, wording: Wording): string {
  const literal = literalWithin(expr);
  const choice = literal === null ? undefined : wording.choiceOf.get(literal);
  if (choice !== undefined) return movedText(expr, chosenText(choice, wording), wording);
  return textOf(expr, wording);
}

/** A value given to a date function that moves it: a given date plus 1 month. */
function movedText(expr: Expr, text: string, wording: Wording): string {
  const part = expr.kind === 'call' ? datePart(expr, () => '') : null;
  return part === null ? text : shiftedPhrase(plainPhrase(['value'], text), part.modifiers, wording).text;
}

/** Whether an expression is made of literals only. */
function isConstant(expr: Expr, { choiceOf }: Wording): boolean {
  const parts = exprsWithin(expr);
  return !parts.some(
    (part) =>
      part.kind === 'column' ||
      part.kind === 'aggregate' ||
      QUERIES.has(part.kind) ||
      (part.kind === 'literal' && (part.pinned || choiceOf.has(part))),
  );
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
export function textOf(expr: Expr, wording: Wording): string {
  const inner = bare(expr);
  if (isConstant(inner, wording)) return 'a fixed value';
  if (inner.kind === 'scalar_query') {
    const text = queryText(inner.query, wording, true);
    return /^(\d|a fixed |a given |`)/.test(text) ? text : `the ${text}`;
  }
  if (inner.kind === 'row') return listed(inner.items.map((item) => textOf(item, wording)));
  if (inner.kind === 'binary' && exprsWithin(inner).some(isQuery)) return operationText(inner, wording);
  const { text } = phraseOf(expr, wording);
  if (isLengthened(inner)) return `${text} with a fixed text`;
  if (wording.nameOf === null) return text;
  const chosen = [...new Set(choicesIn(exprsWithin(inner), wording.choiceOf))];
  const names = chosen.map((choice) => chosenText(choice, wording));
  const untold = names.filter((name) => !text.includes(name));
  return untold.length === 0 ? text : `${text} (${untold.join(', ')})`;
}

/** Whether a fixed text is written before or after what is said: `code || '_1'`. */
function isLengthened(expr: Expr): boolean {
  if (expr.kind !== 'binary' || expr.op !== '||') return false;
  const sides = [bare(expr.left), bare(expr.right)];
  const fixed = sides.some((side) => side.kind === 'literal' && /[\p{L}\p{N}]/u.test(String(side.value)));
  return fixed || sides.some(isLengthened);
}

/** Arithmetic with the values of queries: the number of films minus 12, 1.5 times the average score. */
function operationText({ op, left, right }: Binary, wording: Wording): string {
  const [a, b] = [left, right].map((side) => operandText(side, wording));
  const factor = op === '*' && literalWithin(right) !== null;
  return factor ? `${b} times ${a}` : `${a} ${OPERATIONS[op] ?? op} ${b}`;
}

function operandText(side: Expr, wording: Wording): string {
  if (literalWithin(side) !== null) return operandPhrase(side, wording).text;
  const inner = bare(side);
  if (isConstant(inner, wording)) return 'a fixed number';
  const text = textOf(side, wording);
  return inner.kind === 'binary' ? `(${text})` : text;
}

const OPERATIONS: Partial<Record<Binary['op'], string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided by',
};

/** Whether an expression is the value of a query. */
export function isQuery(expr: Expr): boolean {
  return bare(expr).kind === 'scalar_query';
}
