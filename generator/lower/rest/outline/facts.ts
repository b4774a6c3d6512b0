import {
  type Compare,
  type CompareOp,
  conjuncts,
  type Expr,
  exprsWithin,
  type Literal,
  MIRRORED,
  type Query,
  type Select,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { choicesIn } from '../choices/choices-in.ts';
import { literalWithin } from '../choices/literal-within.ts';
import { conditionText } from './condition-text.ts';
import { isCorrelation } from './correlation.ts';
import { memberFacts, without } from './member-facts.ts';
import { absentTable } from './outer-joins.ts';
import { partnerFacts } from './partner-facts.ts';
import { bare } from './patterns.ts';
import type { Phrase } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { plainJoins } from './plain-joins.ts';
import { againstQuery } from './query-facts.ts';
import { withoutKnown } from './query-text.ts';
import type { Ranking } from './ranking.ts';

/** One thing that a query's conditions say of its rows. */
export type Fact =
  | { readonly kind: 'choice'; readonly choice: Choice }
  /** IS NOT NULL, IS NULL */
  | { readonly kind: 'null'; readonly of: Phrase; readonly present: boolean }
  /** Equal to the highest or lowest there is; or in `of` to the row that ranks first. */
  | {
      readonly kind: 'extreme';
      readonly ranking: Ranking;
      readonly of: Phrase | null;
      /** Whose it is in prose, where the rows do not say it; '' where they do. */
      readonly owners: string;
      /** True when it ranks among all rows, of which the query keeps only some for other reasons. */
      readonly ofAll: boolean;
    }
  /** Compared with an average: that of all rows, or of those that `among` tells. */
  | {
      readonly kind: 'average';
      readonly of: Phrase;
      readonly side: 'above' | 'below';
      readonly among: string;
      readonly ofAll: boolean;
    }
  /** Compared with something else of the same row, or with another query's value. */
  | { readonly kind: 'comparison'; readonly left: Phrase; readonly op: CompareOp; readonly right: Phrase }
  /** In or not in another query's rows, which nothing more is said of. */
  | {
      readonly kind: 'member';
      readonly of: readonly string[];
      readonly present: boolean;
      /**
       * True when they are these rows, with more to be told of them; of absent ones, when what they are chosen
       * by tells these rows as well.
       */
      readonly same: boolean;
      /** Which of these rows, in prose; '' when none of them. */
      readonly where: string;
      /** What `where` tells of. */
      readonly choices: readonly Choice[];
    }
  /** One of several; `besides` choices that would do as well. */
  | { readonly kind: 'either'; readonly facts: readonly Fact[]; readonly besides: boolean }
  /** Compared with a literal that is no choice; `text` is the whole condition. */
  | { readonly kind: 'fixed'; readonly of: Phrase; readonly text: string };

/** What is needed to tell facts. */
export interface Telling extends Saying {
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
}

/** What a query says of its rows: of what it reads from, in WHERE, ON and HAVING, in this order; choices once. */
export function factsOf(query: Query, telling: Telling): readonly Fact[] {
  return once(collect(query, telling));
}

/** The same, each as often as it is said. */
export function collect(query: Query, telling: Telling): readonly Fact[] {
  const shared = query.with.flatMap((cte) => collect(cte.query, telling));
  switch (query.kind) {
    case 'values':
      return shared;
    case 'set_operation': {
      const right = collect(query.right, telling);
      return [
        ...shared,
        ...collect(query.left, telling),
        ...(query.op === 'except' ? without(query.right, right, telling) : right),
      ];
    }
    case 'select':
      return [...shared, ...selectFacts(query, { ...telling, query, qualified: true })];
  }
}

function selectFacts(select: Select, telling: Telling): readonly Fact[] {
  const read = select.from.flatMap(({ source }) =>
    source.kind === 'derived' ? collect(source.query, telling) : [],
  );
  const conditions = [select.where, ...select.from.map(({ on }) => on), select.having].flatMap(conjuncts);
  const plain = plainJoins(select, telling.speaker.origins);
  const told = conditions
    .filter((condition) => !plain.has(condition) && !isCorrelation(condition, select))
    .flatMap((one) => conditionFacts(one, telling));
  const values = select.columns.flatMap(({ expr }) => choiceFacts(expr, telling));
  return [...read, ...told, ...partnerFacts(select, telling), ...values];
}

function conditionFacts(condition: Expr, telling: Telling): readonly Fact[] {
  const choices = choiceFacts(condition, telling);
  switch (condition.kind) {
    case 'and':
      return condition.items.flatMap((item) => conditionFacts(item, telling));
    case 'or':
      return alternatives(condition, choices, telling);
    case 'not':
      return choices.length > 0 ? choices : [];
    case 'is_null': {
      const absent = condition.negated ? null : absentTable(condition.expr, telling);
      if (absent !== null) {
        const of = telling.speaker.noun(absent).many;
        return [{ kind: 'member', of, present: false, same: false, where: '', choices: [] }];
      }
      return [
        ...choices,
        { kind: 'null', of: phraseOf(condition.expr, telling), present: condition.negated },
      ];
    }
    case 'exists':
      return memberFacts(condition.query, !condition.negated, telling);
    case 'in_query':
      return [
        ...choiceFacts(condition.expr, telling),
        ...memberFacts(withoutKnown(condition.query), !condition.negated, telling),
      ];
    case 'compare':
      return comparisonFacts(condition, telling);
    case 'between':
    case 'like':
    case 'in_list':
      return choices.length > 0 ? choices : [fixed(condition, condition.expr, telling)];
    default:
      return choices;
  }
}

function alternatives(
  { items }: Extract<Expr, { kind: 'or' }>,
  choices: readonly Fact[],
  telling: Telling,
): readonly Fact[] {
  const others = items
    .flatMap((item) => conditionFacts(item, telling))
    .filter((fact) => fact.kind !== 'choice');
  if (others.length === 0) return choices;
  return [...choices, { kind: 'either', facts: once(others), besides: choices.length > 0 }];
}

function fixed(condition: Expr, of: Expr, telling: Telling): Fact {
  const text = conditionText(condition, { ...telling, nameOf: null });
  return { kind: 'fixed', of: phraseOf(of, telling), text };
}

function comparisonFacts(condition: Compare, telling: Telling): readonly Fact[] {
  const { op, left, right } = condition;
  if (literalWithin(left) !== null || literalWithin(right) !== null) {
    const chosen = choiceFacts(condition, telling);
    return chosen.length > 0
      ? chosen
      : [fixed(condition, literalWithin(left) === null ? left : right, telling)];
  }
  if (bare(left).kind === 'scalar_query' && bare(right).kind !== 'scalar_query') {
    return comparisonFacts({ kind: 'compare', op: MIRRORED[op], left: right, right: left }, telling);
  }
  const choices = [...choiceFacts(left, telling), ...choiceFacts(right, telling)];
  const inner = subqueryWithin(right);
  if (inner !== null) {
    return [...againstQuery(op, left, inner, telling), ...choices];
  }
  if (choices.length > 0) return choices;
  return [{ kind: 'comparison', left: phraseOf(left, telling), op, right: phraseOf(right, telling) }];
}

function subqueryWithin(expr: Expr): Query | null {
  const inner = bare(expr);
  if (inner.kind === 'scalar_query') return inner.query;
  // `x > 0.8 * (SELECT AVG(x) …)`
  if (inner.kind === 'binary') return subqueryWithin(inner.left) ?? subqueryWithin(inner.right);
  return null;
}

function choiceFacts(expr: Expr, { choiceOf }: Telling): readonly Fact[] {
  return choicesIn(exprsWithin(expr), choiceOf).map((choice) => ({ kind: 'choice', choice }));
}

/** JSON has no integers as large as SQLite's. */
function printable(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** The same fact is told once: a choice may stand in several places. */
function once(facts: readonly Fact[]): readonly Fact[] {
  const seen = new Set<unknown>();
  return facts.filter((fact) => {
    const key = fact.kind === 'choice' ? fact.choice : JSON.stringify({ ...fact, choices: null }, printable);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
