import { childExprs, type Expr, exprsOf, type Literal, type Query } from '../../../sql/index.ts';
import type { Choice } from './choice.ts';
import { digitMentions, isConversion } from './named-number.ts';

/**
 * Makes one choice of a number that a question says once and its SQL writes several times: `MIN(x, 40)` beside
 * `MAX(x - 40, 0)`, or `x > 40` beside `x - 40`. Where the question says it as often as that, nobody can tell which
 * is which, and what stands in arithmetic stays fixed.
 */
export function joinSameNumbers(
  choices: readonly Choice[],
  query: Query,
  question: string,
): readonly Choice[] {
  const chosen = new Map<Literal, Choice>(
    choices.flatMap((choice) => literalsOf(choice).map((literal) => [literal, choice] as const)),
  );
  const amounts = amountsOf(query);
  return choices.flatMap((choice): readonly Choice[] => {
    if (choice.array || typeof choice.value !== 'number') return [choice];
    const same = amounts.filter(
      (literal) => isSame(literal, choice) && !literalsOf(choice).includes(literal),
    );
    const other = choices.some((one) => one.role !== 'factor' && !one.array && one.value === choice.value);
    const mentioned = digitMentions(question, choice.value);
    if (choice.role !== 'factor') {
      const once = mentioned === 1 && !isConversion(choice.value);
      const joined = same.filter((literal) => (chosen.get(literal)?.role ?? 'factor') === 'factor');
      return [once ? withLiterals(choice, joined) : choice];
    }
    // The comparison that the number stands in as well has it already.
    if (other && mentioned === 1) return [];
    const first = choices.find((one) => one.role === 'factor' && one.value === choice.value);
    if (same.length === 0) return [choice];
    if (mentioned > 1) return same.every((literal) => chosen.has(literal)) ? [choice] : [];
    return first === choice ? [withLiterals(choice, same)] : [];
  });
}

function literalsOf({ occurrences }: Choice): readonly Literal[] {
  return occurrences.flatMap(({ literals }) => literals);
}

function isSame({ type, value, span }: Literal, choice: Choice): boolean {
  return span !== null && (type === 'integer' || type === 'real') && Number(value) === choice.value;
}

function withLiterals(choice: Choice, literals: readonly Literal[]): Choice {
  const more = literals.map((literal) => ({ literals: [literal], list: null }));
  return more.length === 0 ? choice : { ...choice, occurrences: [...choice.occurrences, ...more] };
}

/** Functions whose arguments are amounts, not positions or formats. */
const AMOUNTS = /^(max|min|coalesce|ifnull|nullif|abs)$/;

/** The numbers of a query that are amounts: in arithmetic, as bounds of a value, as what a CASE gives. */
function amountsOf(query: Query): readonly Literal[] {
  return exprsOf(query).flatMap((expr) => {
    const parts = amountParts(expr);
    return parts.flatMap((part) => (part.kind === 'literal' && !part.pinned ? [part] : []));
  });
}

function amountParts(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'binary':
      return expr.op === '||' || expr.op === '->' || expr.op === '->>' ? [] : childExprs(expr);
    case 'call':
      return AMOUNTS.test(expr.name) ? expr.args : [];
    case 'case':
      return [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
    default:
      return [];
  }
}
