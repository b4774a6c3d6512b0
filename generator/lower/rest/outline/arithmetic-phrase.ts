import { type Binary, type Expr, exprsWithin } from '../../../sql/index.ts';
import { typeOf } from '../columns/type-of.ts';
import { anotherText, type Said } from './another.ts';
import { constantPhrase, enclosed, operandPhrase, percentageOf } from './constant-phrase.ts';
import { durationPhrase, fullYearsPhrase } from './duration-phrase.ts';
import { partPhrase, writtenAs } from './function-phrase.ts';
import { isPersonName } from './outputs.ts';
import { bare, isPiece, numberLiteral } from './patterns.ts';
import { commonWords, FIXED, listed, type Phrase, plainPhrase, upTo } from './phrase.ts';
import { firstColumn, phraseOf, type Saying, VALUE } from './phrase-of.ts';
import { quotientPhrase } from './quotient-phrase.ts';
import { joinedAnd, sameWords } from './word-lists.ts';

/** percentage of loans with status, enrollment difference, full name */
export function arithmeticPhrase(expr: Binary, saying: Saying): Phrase {
  const { op, left } = expr;
  if (op === '||') return concatenation(expr, saying);
  if (exprsWithin(expr).every(({ kind }) => kind === 'literal' || kind === 'binary')) return FIXED;
  const quarter = quarterPhrase(expr, saying);
  if (quarter !== null) return quarter;
  const part = compactPart(expr, saying);
  if (part !== null) return partPhrase(part, phraseOf(left, saying));
  const plain = stepPhrase(expr, saying) ?? constantPhrase(expr, saying) ?? operation(expr, saying);
  return op === '/' && isWhole(expr, saying) ? wholePart(plain) : plain;
}

/** Integers are divided without a remainder. */
function isWhole({ left, right }: Binary, { speaker: { origins } }: Saying): boolean {
  return [left, right].every((side) => isDatePart(side) || typeOf(side, origins) === 'integer');
}

/** A part of a date is text, and in arithmetic the integer that it writes. */
function isDatePart(expr: Expr): boolean {
  const [format] = expr.kind === 'call' && expr.name === 'strftime' ? expr.args : [];
  return format?.kind === 'literal' && /^%[YmdHMSjwWs]$/.test(String(format.value));
}

/** `(month + 2) / 3` and `(month - 1) / 3 + 1` are the quarter. */
function quarterPhrase(expr: Binary, saying: Saying): Phrase | null {
  const isBy = ({ op, right }: Binary, sign: Binary['op'], number: number) =>
    op === sign && Number(numberLiteral(right)?.value) === number;
  const later = isBy(expr, '+', 1);
  const divided = later ? bare(expr.left) : expr;
  if (divided.kind !== 'binary' || !isBy(divided, '/', 3) || !isWhole(divided, saying)) return null;
  const moved = bare(divided.left);
  if (moved.kind !== 'binary' || !isBy(moved, later ? '-' : '+', later ? 1 : 2)) return null;
  const of = phraseOf(moved.left, saying);
  const change = (words: readonly string[]) => [...words.slice(0, -1), 'quarter'];
  if (of.noun.at(-1)?.toLowerCase() !== 'month') return null;
  return { ...plainPhrase(change(of.noun)), short: change(of.short) };
}

/** `year / 10 * 10` is the decade. */
function stepPhrase({ op, left, right }: Binary, saying: Saying): Phrase | null {
  const [by, divided] = [numberLiteral(right), bare(left)];
  if (op !== '*' || by === null || divided.kind !== 'binary' || divided.op !== '/') return null;
  if (!isWhole(divided, saying) || numberLiteral(divided.right)?.value !== by.value) return null;
  const of = phraseOf(divided.left, saying);
  if (of.noun.at(-1)?.toLowerCase() === 'year' && by.value === 10n)
    return plainPhrase([...of.noun.slice(0, -1), 'decade'], `decade of ${of.text}`);
  const step = operandPhrase(by, saying).text;
  return plainPhrase(['rounded', ...of.noun], `${of.text} rounded down to a multiple of ${step}`);
}

/** The part of `201208` that division by 100 leaves: the year, and as the remainder the month. */
function compactPart({ op, left, right }: Binary, saying: Saying): string | null {
  const format = writtenAs(left, saying);
  if (!format.startsWith('YYYYMM') || Number(numberLiteral(right)?.value) !== 100) return null;
  const [quotient, remainder] = format === 'YYYYMM' ? ['year', 'month'] : ['month', 'day'];
  return op === '/' ? quotient : op === '%' ? remainder : null;
}

function operation({ op, left, right }: Binary, saying: Saying): Phrase {
  switch (op) {
    case '/': {
      const top = withoutHundred(left);
      return (
        (top === null ? null : percentageOf(quotientPhrase(top, right, saying))) ??
        quotientPhrase(left, right, saying)
      );
    }
    case '-':
      return difference(left, right, saying);
    case '+':
      return sum({ kind: 'binary', op, left, right }, saying);
    case '*':
      return product({ kind: 'binary', op, left, right }, saying);
    case '->':
    case '->>':
      return { ...phraseOf(left, saying), text: `part of ${phraseOf(left, saying).text}` };
    default: {
      const [x, y] = [operandPhrase(left, saying), operandPhrase(right, saying)];
      const [word, text] = op === '%' ? ['remainder', 'remainder of'] : ['bits', 'bits of'];
      const divided = op === '%' ? 'divided by' : 'and';
      return plainPhrase([...x.noun, word], `${text} ${x.text} ${divided} ${y.text}`);
    }
  }
}

function product(expr: Binary, saying: Saying): Phrase {
  const factors = flatten(expr, '*').map((factor) => operandPhrase(factor, saying));
  const [x, y, ...others] = factors;
  if (x === undefined || y === undefined) return VALUE;
  if (x.text === y.text && others.length === 0)
    return plainPhrase([...x.noun, 'squared'], `square of ${enclosed(x)}`);
  const all = factors.flatMap(({ noun }, i) => (i === 0 ? noun : ['times', ...noun]));
  return plainPhrase(upTo(8, all, [...x.noun, 'product']), `product of ${listed(factors.map(enclosed))}`);
}

function wholePart(of: Phrase): Phrase {
  const add = (words: readonly string[]) => ['whole', ...words];
  return { ...of, head: add(of.head), noun: add(of.noun), text: `whole part of ${of.text}` };
}

/** What is multiplied by 100, or null when nothing is. */
function withoutHundred(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (inner.kind !== 'binary' || inner.op !== '*') return null;
  const isHundred = (side: Expr) => Number(numberLiteral(side)?.value) === 100;
  if (isHundred(inner.right)) return bare(inner.left);
  return isHundred(inner.left) ? bare(inner.right) : null;
}

function difference(left: Expr, right: Expr, saying: Saying): Phrase {
  const duration = durationPhrase(left, right, saying) ?? fullYearsPhrase(left, right, saying);
  if (duration !== null) return duration;
  const [a, b] = [operandPhrase(left, saying), operandPhrase(right, saying)];
  const text = `difference between ${a.text} and ${anotherText([right, b], [left, a], saying)}`;
  const shares =
    a.short.length === 1 && sameWords(a.short, b.short) && /^(share|percentage)$/.test(a.short[0] ?? '');
  const shared = shares ? a.short : commonWords([a.noun, b.noun]);
  const whole = [...a.noun, 'minus', ...b.noun];
  const words = shared.length > 0 ? [...shared, 'difference'] : upTo(6, whole, ['difference']);
  return plainPhrase(words, text);
}

function sum(expr: Binary, saying: Saying): Phrase {
  const items = flatten(expr, '+');
  const columns = items.map((item) => firstColumn(item, saying));
  // A time taken apart and added up again is still that time.
  const [only] = columns;
  if (only && items.every(isPiece) && columns.every((column) => column?.text === only.text)) return only;
  const said = items.map((item): Said => [item, operandPhrase(item, saying)]);
  const terms = said.map(([, term]) => term);
  const numbers = items.some((item) => numberLiteral(item) !== null);
  const common = commonWords(terms.map(({ noun }) => noun)).filter((word) => !/^(in|of|for|to)$/.test(word));
  const [a, b] = terms;
  const pair = terms.length === 2 && a && b ? upTo(6, [...a.noun, 'plus', ...b.noun], []) : [];
  const shared = common.length > 0 ? ['total', ...common] : ['total'];
  return plainPhrase(
    common.length === 0 && pair.length > 0 && !numbers ? pair : shared,
    `sum of ${listed(said.map((term, i) => (i === 1 && said[0] ? anotherText(term, said[0], saying) : term[1].text)))}`,
  );
}

function concatenation(expr: Binary, saying: Saying): Phrase {
  const parts = flatten(expr, '||').filter((part) => bare(part).kind !== 'literal');
  return joinedPhrase(parts, saying);
}

/** Several texts written one after the other: full name, city and state. */
export function joinedPhrase(parts: readonly Expr[], saying: Saying): Phrase {
  const phrases = parts.map((part) => phraseOf(part, saying));
  const [first, ...others] = phrases;
  if (first === undefined) return VALUE;
  if (others.length === 0) return first;
  if (isPersonName(phrases.map(({ short }) => short))) {
    // A manager's first and last name are the manager's full name.
    const whose = first.short.slice(
      0,
      Math.max(
        0,
        first.short.findIndex((word) => /^(first|last|given|family|forename|surname)$/i.test(word)),
      ),
    );
    const words = [...whose, 'full', 'name'];
    return plainPhrase(words, words.join(' '), 'text');
  }
  const words = joinedAnd(phrases.slice(0, 2).map(({ noun }) => noun));
  const text = `${first.text} joined with ${listed(others.map((other) => other.text))}`;
  const scale = first.scale === 'date' ? 'date' : 'text';
  return { ...plainPhrase(upTo(7, words, first.noun), text, scale), simple: false };
}

function flatten(expr: Expr, op: Binary['op']): readonly Expr[] {
  const inner = bare(expr);
  if (inner.kind !== 'binary' || inner.op !== op) return [inner];
  return [...flatten(inner.left, op), ...flatten(inner.right, op)];
}
