import type { QuestionFact } from '../../../contracts/silent-fault.ts';
import type { Question } from '../../../contracts/split.ts';
import { conjuncts, type Expr, exprKey, type Literal, type Query, type Select } from '../../../sql/index.ts';

type Asked = Pick<Question, 'question' | 'evidence'>;
type Bound = Extract<QuestionFact, { kind: 'bound' }>;

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const SUPERLATIVE = /\b(?:\w{2,}est|most|least|first|last|top|best|worst)\b/i;
const NO_ROW_TWICE = /\b(?:distinct|different|unique)\b/i;

/**
 * What a question says of the rows of every true answer, as its gold SQL means it and its words (or the hint beside it)
 * have it: how many there can be at most, that none comes twice, on which side of a value a result column lies.
 * `columns` are the result columns' names in the answer, [null] for an answer that is one column.
 */
export function questionFacts(
  query: Query,
  asked: Asked,
  columns: readonly (string | null)[],
): QuestionFact[] {
  if (query.kind !== 'select') return [];
  const words = `${asked.question} ${asked.evidence}`;
  const rows = query.limit?.count;
  const most = rows?.kind === 'literal' && rows.type === 'integer' ? Number(rows.value) : null;
  return [
    ...(most !== null && most > 0 && asksForAtMost(most, words)
      ? [{ kind: 'at_most', rows: most } as const]
      : []),
    ...(query.distinct && NO_ROW_TWICE.test(words) ? [{ kind: 'distinct' } as const] : []),
    ...boundsOf(query, words, columns),
  ];
}

function asksForAtMost(rows: number, words: string): boolean {
  return rows === 1 ? SUPERLATIVE.test(words) : saysNumber(rows, words);
}

function saysNumber(value: number, words: string): boolean {
  const word = NUMBER_WORDS[value];
  const digits = String(value).replace('.', '\\.').replace('-', '\\-');
  const plain = words.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  return (
    new RegExp(`(?<![\\d.])${digits}(?![\\d]|\\.\\d)`).test(plain) ||
    (word !== undefined && new RegExp(`\\b${word}\\b`, 'i').test(words))
  );
}

/** The conditions on a result column that compare it with a value of the question. */
function boundsOf(
  { columns: results, where }: Select,
  words: string,
  names: readonly (string | null)[],
): Bound[] {
  const nameOf = new Map(results.map(({ expr }, i) => [exprKey(expr), names[i]]));
  const bound = (expr: Expr, op: Bound['op'], literal: Expr): Bound[] => {
    const column = expr.kind === 'column' ? nameOf.get(exprKey(expr)) : undefined;
    const value = literal.kind === 'literal' ? literalValue(literal) : null;
    if (column === undefined || value === null || !says(value, words)) return [];
    return [{ kind: 'bound', column, op, value }];
  };
  return conjuncts(where).flatMap((condition) => {
    if (condition.kind === 'between' && !condition.negated) {
      const { expr, low, high } = condition;
      return [...bound(expr, '>=', low), ...bound(expr, '<=', high)];
    }
    if (condition.kind !== 'compare') return [];
    const { op, left, right } = condition;
    if (!isBoundOp(op)) return [];
    return [...bound(left, op, right), ...bound(right, MIRRORED[op], left)];
  });
}

function isBoundOp(op: string): op is Bound['op'] {
  return op in MIRRORED;
}

const MIRRORED: Readonly<Record<Bound['op'], Bound['op']>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function literalValue(literal: Literal): number | string | null {
  if (literal.type === 'integer') {
    const value = Number(literal.value);
    return Number.isSafeInteger(value) ? value : null;
  }
  return literal.type === 'real' || literal.type === 'text' ? literal.value : null;
}

function says(value: number | string, words: string): boolean {
  if (typeof value === 'number') return saysNumber(value, words);
  return value.length > 1 && words.toLowerCase().includes(value.toLowerCase());
}
