import type { Binary, Expr, Query } from '../../../sql/index.ts';
import { canonicalExpr } from '../template/canonical-form.ts';
import { singular } from '../words/nouns.ts';
import { rowsOf } from './aggregate-phrase.ts';
import { durationPhrase } from './duration-phrase.ts';
import { isPersonName } from './outputs.ts';
import { asAggregate, bare, conditionalCount, conditionalValue, isCount, numberIn } from './patterns.ts';
import { commonWords, listed, type Phrase, plainPhrase, upTo } from './phrase.ts';
import { aboutPhrase, conditionText, firstColumn, phraseOf, type Saying, VALUE } from './phrase-of.ts';
import { sameWords } from './word-lists.ts';

const prose = (words: readonly string[]) => words.join(' ');

/** percentage of loans with status, enrollment difference, full name */
export function arithmeticPhrase(expr: Binary, saying: Saying): Phrase {
  const { op, left, right } = expr;
  if (op === '||') return concatenation(expr, saying);
  const [a, b] = [numberIn(left), numberIn(right)];
  if (b !== null) return scaled(phraseOf(left, saying), op, b);
  if (a !== null) return scaled(phraseOf(right, saying), op, a);
  switch (op) {
    case '/': {
      const [top, percent] = withoutHundred(left);
      const of = quotient(top, right, saying);
      return percent ? percentOf(of) : of;
    }
    case '-':
      return difference(left, right, saying);
    case '+':
      return sum(expr, saying);
    case '*': {
      const [x, y] = [phraseOf(left, saying), phraseOf(right, saying)];
      const words = upTo(6, [...x.noun, 'times', ...y.noun], [...x.noun, 'product']);
      return plainPhrase(words, `product of ${x.text} and ${y.text}`);
    }
    default:
      return phraseOf(left, saying);
  }
}

/** Times or divided by a number: a share becomes a percentage, all else stays what it is in another unit. */
function scaled(of: Phrase, op: Binary['op'], by: number): Phrase {
  if (op === '*' && by === 100) return percentOf(of);
  const unit = UNITS.find(([sign, number]) => sign === op && number === by)?.[2];
  if (unit !== undefined && of.noun[0] !== undefined && /^days\b|\bdays\b/.test(of.text))
    return inUnit(of, unit);
  if (op !== '/' || by <= 1 || of.scale !== 'count') return of;
  return plainPhrase(['average', ...of.noun], `average ${of.text}`);
}

/** What days become when they are multiplied or divided. */
const UNITS: readonly (readonly [op: Binary['op'], by: number, unit: string])[] = [
  ['*', 24, 'hours'],
  ['*', 1440, 'minutes'],
  ['*', 86_400, 'seconds'],
  ['/', 7, 'weeks'],
  ['/', 30, 'months'],
  ['/', 365, 'years'],
  ['/', 365.25, 'years'],
];

function inUnit(of: Phrase, unit: string): Phrase {
  const change = (words: readonly string[]) => words.map((word) => (word === 'days' ? unit : word));
  return {
    ...of,
    head: change(of.head),
    noun: change(of.noun),
    short: change(of.short),
    text: of.text.replace(/\bdays\b/, unit),
  };
}

/** The percentage that a ratio, a share or a growth is; anything else stays what it is. */
function percentOf(of: Phrase): Phrase {
  const change = (words: readonly string[]) => {
    if (words[0] === 'share') return ['percentage', ...words.slice(1)];
    return words.at(-1) === 'ratio' ? [...words.slice(0, -1), 'percentage'] : words;
  };
  return {
    ...of,
    head: change(of.head),
    noun: change(of.noun),
    short: change(of.short),
    text: of.text.replace(/^(share|ratio)\b/, 'percentage'),
  };
}

function withoutHundred(expr: Expr): readonly [Expr, boolean] {
  const inner = bare(expr);
  if (inner.kind !== 'binary' || inner.op !== '*') return [inner, false];
  if (numberIn(inner.right) === 100) return [bare(inner.left), true];
  return numberIn(inner.left) === 100 ? [bare(inner.right), true] : [inner, false];
}

function quotient(top: Expr, bottom: Expr, saying: Saying): Phrase {
  return (
    growth(top, bottom, saying) ??
    share(top, bottom, saying) ??
    average(top, bottom, saying) ??
    ratio(top, bottom, saying)
  );
}

/** `(a - b) / b` */
function growth(top: Expr, bottom: Expr, saying: Saying): Phrase | null {
  const inner = bare(top);
  if (inner.kind !== 'binary' || inner.op !== '-') return null;
  const written = (expr: Expr) => canonicalExpr(bare(expr), saying.speaker.origins, (source) => source);
  if (written(bottom) !== written(inner.right) && written(bottom) !== written(inner.left)) return null;
  const [a, b] = [phraseOf(inner.left, saying), phraseOf(inner.right, saying)];
  const common = commonWords([a.noun, b.noun]);
  const words = [...(common.length > 0 ? common : a.noun), 'growth'];
  return plainPhrase(words, `relative change from ${b.text} to ${a.text}`);
}

/** Rows that meet a condition out of all, or what they add up to. */
function share(top: Expr, bottom: Expr, saying: Saying): Phrase | null {
  const [sumTop, sumBottom] = [asAggregate(top), asAggregate(bottom)];
  const condition = conditionalCount(top);
  const whole = bare(bottom);
  const rowsIn = (query: Query) => saying.speaker.rowTable(query);
  const countsAll =
    whole.kind === 'scalar_query' && isCount(firstOf(whole)) && rowsIn(whole.query) === rowsIn(saying.query);
  const ofAll = sumBottom !== null || countsAll;
  if (condition !== null && ofAll && conditionalCount(bottom) === null) {
    return shareOf(rowsOf(saying), condition, saying);
  }
  if (isCount(top) && countsAll) {
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

function firstOf(expr: Extract<Expr, { kind: 'scalar_query' }>): Expr {
  const { query } = expr;
  return (query.kind === 'select' ? query.columns[0]?.expr : undefined) ?? expr;
}

function shareOf(all: readonly string[], condition: Expr, saying: Saying): Phrase {
  const about = aboutPhrase(condition, saying);
  return {
    head: ['share', 'of', ...all, 'with', ...about.noun],
    noun: ['share', 'with', ...about.noun],
    short: ['share'],
    text: `share of ${prose(all)} with ${conditionText(condition, saying)}`,
    scale: 'number',
    simple: false,
  };
}

/** A sum by a count, or one count by another. */
function average(top: Expr, bottom: Expr, saying: Saying): Phrase | null {
  if (!isCount(bottom) || conditionalCount(bottom) !== null) return null;
  const [all, per] = [asAggregate(top), asAggregate(bottom)];
  const [summed] = all?.args ?? [];
  if (all?.name === 'sum' && summed !== undefined && conditionalCount(top) === null) {
    const of = phraseOf(summed, saying);
    return { ...plainPhrase(['average', ...of.noun], `average ${of.text}`), short: ['average', ...of.short] };
  }
  if (all?.name !== 'count' || all.distinct || !per?.distinct) return null;
  const [counted, owners] = [phraseOf(top, saying), phraseOf(bottom, saying)];
  return plainPhrase(
    ['average', ...counted.noun],
    `average ${counted.text} per ${prose(singular(owners.noun.slice(0, -1)))}`,
  );
}

function ratio(top: Expr, bottom: Expr, saying: Saying): Phrase {
  const [a, b] = [phraseOf(top, saying), phraseOf(bottom, saying)];
  const text = `ratio of ${a.text} to ${b.text}`;
  if (conditionalCount(top) !== null && conditionalCount(bottom) !== null) {
    return { ...plainPhrase([...a.noun, 'ratio'], text), short: ['ratio'] };
  }
  if (sameWords(a.noun, b.noun) && a.simple && b.simple) {
    return { ...plainPhrase(['share', 'of', ...b.noun], `share of ${b.text}`), short: ['share'] };
  }
  if (sameWords(a.noun, b.noun)) return plainPhrase([...a.noun, 'ratio'], text);
  return plainPhrase(upTo(8, [...a.noun, 'to', ...b.noun, 'ratio'], [...a.noun, 'ratio']), text);
}

function difference(left: Expr, right: Expr, saying: Saying): Phrase {
  const duration = durationPhrase(left, right, saying);
  if (duration !== null) return duration;
  const [a, b] = [phraseOf(left, saying), phraseOf(right, saying)];
  const text = `difference between ${a.text} and ${b.text}`;
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
  if (only && columns.every((column) => column?.text === only.text)) return only;
  const terms = items.map((term) => phraseOf(term, saying));
  const common = commonWords(terms.map(({ noun }) => noun)).filter((word) => !/^(in|of|for|to)$/.test(word));
  const [a, b] = terms;
  const pair = terms.length === 2 && a && b ? upTo(6, [...a.noun, 'plus', ...b.noun], []) : [];
  const shared = common.length > 0 ? ['total', ...common] : ['total'];
  return plainPhrase(
    common.length === 0 && pair.length > 0 ? pair : shared,
    `sum of ${listed(terms.map(({ text }) => text))}`,
  );
}

function concatenation(expr: Binary, saying: Saying): Phrase {
  const parts = flatten(expr, '||').filter((part) => bare(part).kind !== 'literal');
  const phrases = parts.map((part) => phraseOf(part, saying));
  const [first] = phrases;
  if (first === undefined) return VALUE;
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
  const words = phrases.slice(0, 2).flatMap(({ noun }, i) => (i === 0 ? noun : ['and', ...noun]));
  return plainPhrase(upTo(6, words, first.noun), listed(phrases.map(({ text }) => text)), 'text');
}

function flatten(expr: Expr, op: Binary['op']): readonly Expr[] {
  const inner = bare(expr);
  if (inner.kind !== 'binary' || inner.op !== op) return [inner];
  return [...flatten(inner.left, op), ...flatten(inner.right, op)];
}
