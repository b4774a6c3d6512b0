import { type Aggregate, type Expr, exprsWithin, type Query } from '../../../sql/index.ts';
import { canonicalExpr } from '../template/canonical-form.ts';
import { isNotNull, isPadded } from '../template/is-not-null.ts';
import { plural, singular } from '../words/nouns.ts';
import { rowsOf, shareOf } from './aggregate-phrase.ts';
import { anotherText } from './another.ts';
import { operandPhrase } from './constant-phrase.ts';
import { asAggregate, bare, conditionalCount, conditionalValue, isCount } from './patterns.ts';
import { commonWords, type Phrase, plainPhrase, prose, upTo } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { sameWords } from './word-lists.ts';

/** One quantity divided by another: a relative change, a share, an average, or just a ratio. */
export function quotientPhrase(top: Expr, bottom: Expr, saying: Saying): Phrase {
  return (
    growth(top, bottom, saying) ??
    share(top, bottom, saying) ??
    average(top, bottom, saying) ??
    ratio(top, bottom, saying)
  );
}

/** `(a - b) / b` grows from b to a; `(a - b) / a` is what is lost from a to b. */
function growth(top: Expr, bottom: Expr, saying: Saying): Phrase | null {
  const inner = bare(top);
  if (inner.kind !== 'binary' || inner.op !== '-') return null;
  const [isLeft, isRight] = [inner.left, inner.right].map((side) => sameExpr(side, bottom, saying));
  if (!isLeft && !isRight) return null;
  const [a, b] = [phraseOf(inner.left, saying), phraseOf(inner.right, saying)];
  const common = commonWords([a.noun, b.noun]);
  const sides = [
    [inner.left, a],
    [inner.right, b],
  ] as const;
  const [to, from] = isRight ? sides : ([sides[1], sides[0]] as const);
  const kind = isRight ? 'change' : 'decrease';
  const words = [...(common.length > 0 ? common : a.noun), isRight ? 'growth' : 'decrease'];
  const text = `relative ${kind} from ${from[1].text} to ${anotherText(to, from, saying)}`;
  return { ...plainPhrase(words, text), simple: false };
}

/** Rows that meet a condition out of all, or what they add up to. */
function share(top: Expr, bottom: Expr, saying: Saying): Phrase | null {
  const [sumTop, sumBottom] = [asAggregate(top), asAggregate(bottom)];
  const condition = conditionalCount(top);
  const whole = bare(bottom);
  const rowsIn = (query: Query) => saying.speaker.rowTable(query);
  const countsAll =
    whole.kind === 'scalar_query' &&
    whole.query.kind === 'select' &&
    whole.query.where === null &&
    countsRows(firstOf(whole), saying) &&
    rowsIn(whole.query) === rowsIn(saying.query);
  if (condition !== null) {
    if (sumTop?.distinct) return distinctShare(sumTop, sumBottom, condition, saying);
    if (countsAll || countsRows(bottom, saying)) return shareOf(rowsOf(saying), condition, saying);
    return knownShare(sumTop, sumBottom, condition, saying);
  }
  if (countsRows(top, saying) && countsAll) {
    const rows = rowsOf(saying);
    return {
      ...plainPhrase(['share', 'of', ...rows], `share of ${prose(rows)}`),
      short: ['share'],
      noun: ['share'],
    };
  }
  const limited = sumTop?.args[0] === undefined ? null : conditionalValue(sumTop.args[0]);
  if (limited === null || sumTop?.name !== 'sum' || sumBottom?.name !== 'sum') return null;
  const [divisor] = sumBottom.args;
  if (divisor !== undefined && conditionalValue(divisor) !== null) return null;
  const all = phraseOf(bottom, saying);
  return sameWords(phraseOf(top, saying).noun, all.noun) ? shareOf(all.noun, limited.when, saying) : null;
}

/** `COUNT(DISTINCT CASE WHEN … THEN id END) / COUNT(DISTINCT id)` */
function distinctShare(
  top: Aggregate,
  bottom: Aggregate | null,
  condition: Expr,
  saying: Saying,
): Phrase | null {
  const [arg] = top.args;
  const value = top.filter === null && arg !== undefined ? conditionalValue(arg)?.value : arg;
  if (!bottom?.distinct || bottom.filter !== null || value === undefined) return null;
  if (!sameExpr(value, bottom.args[0], saying) || conditionalCount(bottom) !== null) return null;
  const counted = phraseOf(bottom, saying).noun.slice(0, -1);
  const of = shareOf(plural(counted[0] === 'distinct' ? counted.slice(1) : counted), condition, saying);
  return { ...of, text: of.text.replace('share of ', 'share of different ') };
}

/** A share of those rows that have the value which the condition is about. */
function knownShare(
  top: Aggregate | null,
  bottom: Aggregate | null,
  condition: Expr,
  saying: Saying,
): Phrase | null {
  const [known] = bottom?.args ?? [];
  if (top === null || known === undefined || bottom?.name !== 'count' || bottom.distinct) return null;
  if (bottom.filter !== null || bare(known).kind !== 'column') return null;
  const [asked] = condition.kind === 'compare' && condition.op === '=' ? [condition.left] : [];
  const value = top.args[0] === undefined ? undefined : conditionalValue(top.args[0])?.value;
  if (!sameExpr(asked, known, saying) && !(top.name === 'count' && sameExpr(value, known, saying)))
    return null;
  const of = shareOf(rowsOf(saying), condition, saying);
  return { ...of, text: `${of.text} among those with a known ${phraseOf(known, saying).text}` };
}

function sameExpr(a: Expr | undefined, b: Expr | undefined, { speaker: { origins } }: Saying): boolean {
  const written = (expr: Expr) => canonicalExpr(bare(expr), origins, (source) => source);
  return a !== undefined && b !== undefined && written(a) === written(b);
}

function firstOf(expr: Extract<Expr, { kind: 'scalar_query' }>): Expr {
  const { query } = expr;
  return (query.kind === 'select' ? query.columns[0]?.expr : undefined) ?? expr;
}

/** A sum by a count, or one count by another. */
function average(top: Expr, bottom: Expr, saying: Saying): Phrase | null {
  if (!isCount(bottom) || conditionalCount(bottom) !== null) return null;
  const [all, per] = [asAggregate(top), asAggregate(bottom)];
  const [summed] = all?.args ?? [];
  if (per === null || conditionalCount(top) !== null) return null;
  const owners = phraseOf(bottom, saying);
  if (all?.name === 'sum' && summed !== undefined && !all.distinct) {
    const limited = conditionalValue(summed) !== null;
    if (!per.distinct && !limited && countsValues(per, summed, saying)) {
      const of = phraseOf(summed, saying);
      return {
        ...plainPhrase(['average', ...of.noun], `average ${of.text}`),
        short: ['average', ...of.short],
      };
    }
    return limited ? null : perOwner(phraseOf(top, saying), owners);
  }
  if (all?.name !== 'count' || all.distinct || !per.distinct) return null;
  return perOwner(phraseOf(top, saying), owners, 'average');
}

/** total height per superhero; with a lead, average number of badges per user: there the name leaves out of whom. */
function perOwner(of: Phrase, owners: Phrase, lead?: string): Phrase | null {
  if (!owners.simple || owners.noun.at(-1) !== 'count') return null;
  const owner = singular(owners.noun.slice(0, -1));
  const text = `${of.text} per ${prose(owner)}`;
  return lead === undefined
    ? plainPhrase([...of.noun, 'per', ...owner], text)
    : plainPhrase([lead, ...of.noun], `${lead} ${text}`);
}

/** Whether an aggregate counts rows, none left out for a missing value. */
function countsRows(expr: Expr, { speaker: { origins } }: Saying): boolean {
  const inner = bare(expr);
  if (!isCount(inner) || inner.kind !== 'aggregate' || inner.distinct || inner.filter !== null) return false;
  const [arg] = inner.args;
  return arg === undefined || isKnown(arg, origins);
}

/** Whether a count counts just the rows that have a value to add up. */
function countsValues(count: Aggregate, summed: Expr, saying: Saying): boolean {
  const [counted] = count.args;
  const { origins } = saying.speaker;
  if (sameExpr(counted, summed, saying)) return true;
  return isKnown(summed, origins) && (counted === undefined || isKnown(counted, origins));
}

/** Whether no row lacks a value: what is read is declared so, asked for, or always there. */
export function isKnown(expr: Expr, origins: Saying['speaker']['origins']): boolean {
  const parts = exprsWithin(expr);
  if (parts.some(({ kind }) => kind === 'case' || kind === 'call' || kind === 'scalar_query')) return false;
  const columns = parts.filter((part) => part.kind === 'column');
  return columns.every((column) => {
    if (isNotNull(column, origins)) return true;
    const base = origins.baseColumn(column);
    return base !== null && base.column.statistics.nulls === 0 && !isPadded(column.source, origins);
  });
}

function ratio(top: Expr, bottom: Expr, saying: Saying): Phrase {
  const [a, b] = [operandPhrase(top, saying), operandPhrase(bottom, saying)];
  const text = `ratio of ${a.text} to ${anotherText([bottom, b], [top, a], saying)}`;
  if (conditionalCount(top) !== null && conditionalCount(bottom) !== null) {
    return { ...plainPhrase([...a.noun, 'ratio'], text), short: ['ratio'] };
  }
  if (sameWords(a.noun, b.noun) && a.simple && b.simple && bare(bottom).kind === 'scalar_query') {
    return { ...plainPhrase(['share', 'of', ...b.noun], `share of ${b.text}`), short: ['share'] };
  }
  if (sameWords(a.noun, b.noun)) return plainPhrase([...a.noun, 'ratio'], text);
  return plainPhrase(upTo(8, [...a.noun, 'to', ...b.noun, 'ratio'], [...a.noun, 'ratio']), text);
}
