import type { CatalogTable } from '../../../../contracts/catalog.ts';
import {
  type Compare,
  type CompareOp,
  type Expr,
  type Literal,
  MIRRORED,
  type Query,
  type Select,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { literalWithin } from '../choices/literal-within.ts';
import { keyTable } from '../tree/key-table.ts';
import { leftmost } from '../tree/origins.ts';
import { exprsWithin } from '../tree/parts.ts';
import { conditionText } from './condition-text.ts';
import { isCorrelation } from './correlation.ts';
import { conjuncts, isJoin, joinConditions } from './joins.ts';
import { absentTable } from './outer-joins.ts';
import { partnerFacts } from './partner-facts.ts';
import { asAggregate, bare } from './patterns.ts';
import { type Phrase, plainPhrase } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { plainJoins } from './plain-joins.ts';
import { selectConditions, withoutKnown } from './query-text.ts';
import { bestText, type Ranking, rankingOf, superlative } from './ranking.ts';

/** One thing that a query's conditions say of its rows. */
export type Fact =
  | { readonly kind: 'choice'; readonly choice: Choice }
  /** IS NOT NULL, IS NULL */
  | { readonly kind: 'null'; readonly of: Phrase; readonly present: boolean }
  /** Equal to the highest or lowest there is; or in `of` to the row that ranks first. */
  | { readonly kind: 'extreme'; readonly ranking: Ranking; readonly of: Phrase | null }
  /** Compared with an average: that of all rows, or of those that `among` tells. */
  | {
      readonly kind: 'average';
      readonly of: Phrase;
      readonly side: 'above' | 'below';
      readonly among: string;
      /** When it is compared with a multiple of it, whose. */
      readonly scaled: 'fixed' | 'given' | null;
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

type Member = Extract<Fact, { kind: 'member' }>;

/** What is needed to tell facts. */
export interface Telling extends Saying {
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
}

/** What a query says of its rows: of what it reads from, in WHERE, ON and HAVING, in this order; choices once. */
export function factsOf(query: Query, telling: Telling): readonly Fact[] {
  return once(collect(query, telling));
}

function collect(query: Query, telling: Telling): readonly Fact[] {
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
  const values = select.columns.flatMap(({ expr }) => choicesIn(expr, telling));
  return [...read, ...told, ...partnerFacts(select, telling), ...values];
}

function conditionFacts(condition: Expr, telling: Telling): readonly Fact[] {
  const choices = choicesIn(condition, telling);
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
        ...choicesIn(condition.expr, telling),
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
    const chosen = choicesIn(condition, telling);
    return chosen.length > 0
      ? chosen
      : [fixed(condition, literalWithin(left) === null ? left : right, telling)];
  }
  if (bare(left).kind === 'scalar_query' && bare(right).kind !== 'scalar_query') {
    return comparisonFacts({ kind: 'compare', op: MIRRORED[op], left: right, right: left }, telling);
  }
  const choices = [...choicesIn(left, telling), ...choicesIn(right, telling)];
  const inner = subqueryWithin(right);
  if (inner !== null) {
    const scaled = bare(right).kind !== 'binary' ? null : choices.some(isFactor) ? 'given' : 'fixed';
    return [...againstQuery(op, left, inner, telling, scaled), ...choices];
  }
  if (choices.length > 0) return choices;
  return [{ kind: 'comparison', left: phraseOf(left, telling), op, right: phraseOf(right, telling) }];
}

function isFactor(fact: Fact): boolean {
  return fact.kind === 'choice' && fact.choice.role === 'factor';
}

/** `x = (SELECT MAX(x) …)`, `x > (SELECT AVG(x) …)`, or something else's value. */
function againstQuery(
  op: CompareOp,
  left: Expr,
  query: Query,
  telling: Telling,
  scaled: 'fixed' | 'given' | null,
): readonly Fact[] {
  const of = phraseOf(left, telling);
  const first = leftmost(query);
  if (first.kind !== 'select') return [];
  const inside = collect(query, telling).filter((fact) => fact.kind === 'extreme');
  const value = first.columns[0]?.expr;
  const aggregate = value === undefined ? null : asAggregate(value);
  // The highest score is one of scores; the highest of something else is compared with.
  const [arg] = aggregate?.args ?? [];
  const own = asAggregate(left)?.name === 'avg' ? asAggregate(left)?.args[0] : undefined;
  const alike =
    arg !== undefined && phraseOf(arg, { ...telling, query }).text === phraseOf(own ?? left, telling).text;
  if ((op === '=' || op === 'is') && (aggregate === null || (alike && /^(max|min)$/.test(aggregate.name)))) {
    if (aggregate !== null) return [...inside, extreme(of, aggregate.name === 'max' ? 'desc' : 'asc')];
    const ranking = rankingOf(query, { ...telling, query });
    if (ranking !== null)
      return [
        ...inside,
        {
          kind: 'extreme',
          ranking,
          of:
            isWhole(left, query, telling) || ranking.of.text === of.text ? null : ranked(of, query, telling),
        },
      ];
    return inside;
  }
  if (aggregate?.name === 'avg' && alike && /^[<>]/.test(op)) {
    const among = selectConditions(first, { ...telling, nameOf: null });
    return [...inside, { kind: 'average', of, side: op.startsWith('>') ? 'above' : 'below', among, scaled }];
  }
  if (value === undefined) return inside;
  const right = phraseOf(value, { ...telling, query });
  const ranking = rankingOf(query, { ...telling, query });
  return [
    ...inside,
    { kind: 'comparison', left: of, op, right: ranking === null ? right : ofTheBest(right, ranking) },
  ];
}

/** age with highest salary: what the subquery's one row holds */
function ofTheBest(of: Phrase, ranking: Ranking): Phrase {
  return {
    ...of,
    noun: [...of.noun, ...superlative(ranking)],
    text: `${of.text} of the one ${bestText(ranking)}`,
  };
}

/** What ranks first: the value asked for, or another table's row that has it: the post whose owner it is. */
function ranked(of: Phrase, query: Query, { query: outer, speaker }: Telling): Phrase {
  const first = leftmost(query);
  const shown = first.kind === 'select' ? first.columns[0]?.expr : undefined;
  if (first.kind !== 'select' || first.groupBy.length > 0 || shown === undefined) return of;
  const table = speaker.rowTable(query);
  const known = [
    speaker.rowTable(outer),
    shownTable(outer, { speaker }),
    keyTable(bare(shown), speaker.origins),
  ];
  return table === null || known.includes(table) ? of : plainPhrase(speaker.noun(table).one);
}

/** Whether `x = (SELECT y … LIMIT 1)` says of rows themselves that they rank first. */
function isWhole(left: Expr, query: Query, { query: outer, speaker }: Telling): boolean {
  const key = keyTable(bare(left), speaker.origins);
  if (key === null || query.kind !== 'select') return false;
  // Of the rows themselves, or of groups of other rows that they stand for.
  const itself = query.groupBy.length > 0 || speaker.rowTable(query) === key;
  return itself && [speaker.rowTable(outer), shownTable(outer, { speaker })].includes(key);
}

function extreme(of: Phrase, direction: Ranking['direction']): Fact {
  return {
    kind: 'extreme',
    of: null,
    ranking: { of, direction, rows: 'one', nth: false, skipped: 0, limit: null, ties: true },
  };
}

function memberFacts(query: Query, present: boolean, telling: Telling): readonly Fact[] {
  const facts = collect(query, telling);
  if (!present) return without(query, facts, telling);
  const ranking = rankingOf(query, { ...telling, query });
  const ranked: readonly Fact[] = ranking === null ? [] : [{ kind: 'extreme', ranking, of: null }];
  const told = [...facts, ...ranked];
  if (told.length > 0) return told;
  // Films that have films would say nothing.
  return telling.speaker.rowTable(query) === telling.speaker.rowTable(telling.query)
    ? []
    : member(query, true, telling);
}

/** Of what is taken away only the choices are told, after what it is; rows of the same table are just left out. */
function without(query: Query, facts: readonly Fact[], telling: Telling): readonly Fact[] {
  const { speaker, query: outer } = telling;
  const choices = facts.filter((fact) => fact.kind === 'choice');
  const tablesOf = (one: Query) => [speaker.rowTable(one), shownTable(one, telling)];
  const same =
    choices.length > 0 &&
    choices.length === facts.length &&
    isList(query) &&
    tablesOf(query).some((table) => table !== null && tablesOf(outer).includes(table));
  // Of rows of another table it is told in prose that there are none; these rows are just not those.
  if (same && speaker.rowTable(query) === speaker.rowTable(outer)) return choices;
  return [...member(query, false, telling).map((fact) => ({ ...fact, same })), ...choices];
}

/** Whether all conditions of a query hold together: none is an alternative. */
function isList(query: Query): boolean {
  if (query.kind !== 'select') return false;
  const conditions = [...joinConditions(query), ...conjuncts(query.having)];
  return (
    !conditions.some((one) => one.kind === 'or' && !isJoin(one)) &&
    !conditions.some(({ kind }) => kind === 'not')
  );
}

/** The table that the first result column is read from. */
function shownTable(query: Query, { speaker }: Pick<Telling, 'speaker'>): CatalogTable | null {
  const first = leftmost(query);
  const shown = first.kind === 'select' ? first.columns[0]?.expr : undefined;
  return shown === undefined ? null : (speaker.origins.baseColumn(shown)?.table ?? null);
}

function member(query: Query, present: boolean, telling: Telling): readonly Member[] {
  const table = telling.speaker.rowTable(query);
  if (table === null) return [];
  const where = query.kind === 'select' ? selectConditions(query, { ...telling, nameOf: null }) : '';
  const choices = collect(query, telling).flatMap((fact) => (fact.kind === 'choice' ? [fact.choice] : []));
  return [{ kind: 'member', of: telling.speaker.noun(table).many, present, same: false, where, choices }];
}

function subqueryWithin(expr: Expr): Query | null {
  const inner = bare(expr);
  if (inner.kind === 'scalar_query') return inner.query;
  // `x > 0.8 * (SELECT AVG(x) …)`
  if (inner.kind === 'binary') return subqueryWithin(inner.left) ?? subqueryWithin(inner.right);
  return null;
}

function choicesIn(expr: Expr, { choiceOf }: Telling): readonly Fact[] {
  return exprsWithin(expr).flatMap((part): readonly Fact[] => {
    const choice = part.kind === 'literal' ? choiceOf.get(part) : undefined;
    return choice === undefined ? [] : [{ kind: 'choice', choice }];
  });
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
