import { type Aggregate, type Expr, keyTable } from '../../../sql/index.ts';
import { isNotNull } from '../template/is-not-null.ts';
import { plural, pluralValues, singular } from '../words/nouns.ts';
import { bare, conditionalCount, conditionalValue, testIn } from './patterns.ts';
import { listed, type Phrase, plainPhrase, prose } from './phrase.ts';
import { aboutPhrase, conditionText, phraseOf, type Saying, VALUE } from './phrase-of.ts';
import { sameWords } from './word-lists.ts';

/** count superheroes, average height, total amount with type */
export function aggregatePhrase(expr: Aggregate, saying: Saying): Phrase {
  const condition = conditionalCount(expr);
  const [arg] = expr.args;
  if (condition !== null) {
    const counted = expr.filter === null && arg !== undefined ? conditionalValue(arg)?.value : arg;
    return counted === undefined || !expr.distinct
      ? countWhere(condition, saying)
      : limitedTo(countPhrase({ ...expr, args: [counted] }, saying), condition, saying);
  }
  if (expr.name === 'count') return countPhrase(expr, saying);
  if (arg === undefined) return VALUE;
  if (expr.name === 'avg' && !expr.distinct && expr.filter === null) {
    const test = testIn(arg);
    if (test !== null) return shareOf(rowsOf(saying), test, saying);
  }
  // The rows that a sum takes as zero do not change it; an average they do.
  const inside = conditionalValue(arg, /^(sum|total)$/.test(expr.name));
  const of = phraseOf(inside?.value ?? arg, saying);
  const plain = aggregated(expr, of, saying);
  const limits = [expr.filter, inside?.when ?? null].filter((one) => one !== null);
  return limits.reduce((phrase, limit) => limitedTo(phrase, limit, saying), plain);
}

/** average height, latest date, joined list of titles */
function aggregated(expr: Aggregate, of: Phrase, saying: Saying): Phrase {
  const [word, plain] = aggregateWord(expr.name, of);
  // What is added up once a value is another number; the highest is the same.
  const text =
    expr.distinct && /^(sum|total|avg)$/.test(expr.name) ? `${plain} of different values of` : plain;
  if (word === 'joined') {
    const all = pluralValues(of.noun);
    const [by] = expr.orderBy.filter((term) => !(term.expr.kind === 'column' && term.expr.name === 'rowid'));
    const order = by === undefined ? '' : ` in the order of ${phraseOf(by.expr, saying).text}`;
    const different = expr.distinct ? 'different ' : '';
    return plainPhrase([word, ...all], `${text} ${different}${prose(all)}${order}`, 'text');
  }
  return {
    ...plainPhrase(onceOnly(word, of.noun), twice(text, of.text), of.scale === 'date' ? 'date' : 'number'),
    short: onceOnly(word, of.short),
    simple: of.simple,
  };
}

/** The highest of what is the highest of some already is the highest of all; a total of totals is one of these. */
export function twice(word: string, of: string): string {
  if (!of.toLowerCase().startsWith(`${word} `) && of.toLowerCase() !== word) return `${word} ${of}`;
  return /^(highest|lowest|latest|earliest)$/.test(word) ? of : `${SUMMARY[word] ?? word} of ${of}`;
}

const SUMMARY: Readonly<Record<string, string>> = { total: 'sum', average: 'mean' };

function onceOnly(word: string, words: readonly string[]): readonly string[] {
  const [first] = words;
  const same = first?.toLowerCase() === word;
  return same
    ? [SUMMARY[word] ?? word, ...words.slice(SUMMARY[word] === undefined ? 1 : 0)]
    : [word, ...words];
}

/** An aggregate of only those rows that meet a condition. */
export function limitedTo(of: Phrase, condition: Expr, saying: Saying): Phrase {
  const about = aboutPhrase(condition, saying);
  const tail = ['with', ...about.noun];
  return {
    ...of,
    head: [...of.head, ...tail],
    text: `${of.text} with ${conditionText(condition, saying)}`,
    simple: false,
  };
}

/** What an aggregate function does to a quantity, in names and in prose. */
export function aggregateWord(name: string, of: Phrase): readonly [word: string, text: string] {
  switch (name) {
    case 'avg':
      return ['average', 'average'];
    case 'sum':
    case 'total':
      return ['total', 'total'];
    case 'max':
      return of.scale === 'date' ? ['latest', 'latest'] : ['max', 'highest'];
    case 'min':
      return of.scale === 'date' ? ['earliest', 'earliest'] : ['min', 'lowest'];
    case 'group_concat':
    case 'string_agg':
      return ['joined', 'joined list of'];
    default:
      return [name.replace(/[^a-z0-9]+/g, ' ').trim() || 'value', name];
  }
}

function countPhrase(expr: Aggregate, saying: Saying): Phrase {
  const { speaker, query } = saying;
  const [arg] = expr.args;
  const keyed = arg === undefined ? null : keyTable(arg, speaker.origins);
  if (expr.distinct && arg !== undefined && keyed === null) {
    const of = phraseOf(arg, saying);
    const many = plural(of.noun);
    const text = bare(arg).kind === 'column' ? prose(many) : `values of ${of.text}`;
    return counting(many, singular(of.noun), `number of different ${text}`, ['distinct']);
  }
  const pairs = expr.distinct ? null : pairsOf(saying);
  if (pairs !== null) return counting(pairs.many, pairs.one, `number of ${pairs.text}`);
  const table = expr.distinct ? keyed : (speaker.rowTable(query, arg ?? null) ?? keyed);
  if (table === null) return counting(['rows'], ['row'], 'number of rows');
  const { one, many } = speaker.noun(table);
  const rows = speaker.rowTable(query, arg ?? null);
  if (expr.distinct && rows !== null && rows !== table && !speaker.reads(query, table)) {
    // Counted by the rows that refer to them: dogs with treatments.
    const others = speaker.noun(rows).many;
    const text = `number of ${prose(many)} that have ${prose(others)}`;
    return { ...counting(many, one, text), head: ['count', ...many, 'with', ...others] };
  }
  const all = `number of ${expr.distinct ? 'different ' : ''}${prose(many)}`;
  if (arg === undefined || expr.distinct || !isSometimesMissing(arg, saying)) return counting(many, one, all);
  const known = phraseOf(arg, { ...saying, qualified: false });
  const said = sameWords(known.noun, one) ? 'name' : known.text;
  return { ...counting(many, one, `${all} with a known ${said}`), simple: false };
}

/** Rows that combine those of several tables, as what is counted: pairs of visits and tests. */
function pairsOf({ speaker, query }: Saying): {
  readonly one: readonly string[];
  readonly many: readonly string[];
  readonly text: string;
} | null {
  const nouns = speaker.pairedTables(query).map((table) => speaker.noun(table));
  if (nouns.length === 0) return null;
  const [one, many] = nouns.length === 2 ? ['pair', 'pairs'] : ['combination', 'combinations'];
  const different = nouns.filter((noun, i) => nouns.indexOf(noun) === i);
  const words = different.flatMap((noun) => noun.one);
  const text = listed(different.map((noun) => prose(different.length === 1 ? noun.many : noun.one)));
  return { one: [...words, one], many: [...words, many], text: `${many} of ${text}` };
}

/** Whether rows are not counted because they lack the value; those of one group all have it or all lack it. */
function isSometimesMissing(expr: Expr, { speaker: { origins }, query }: Saying): boolean {
  const base = origins.baseColumn(expr);
  if (base === null || base.column.statistics.nulls === 0 || isNotNull(expr, origins)) return false;
  const keys = query.kind === 'select' ? query.groupBy.map((key) => origins.baseColumn(key)) : [];
  return !keys.some((key) => key?.column === base.column && key.source === base.source);
}

function counting(
  many: readonly string[],
  one: readonly string[],
  text: string,
  kind: readonly string[] = [],
): Phrase {
  return {
    head: ['count', ...kind, ...many],
    noun: [...kind, ...one, 'count'],
    short: ['count'],
    text,
    scale: 'count',
    simple: true,
  };
}

function countWhere(condition: Expr, saying: Saying): Phrase {
  const about = aboutPhrase(condition, saying);
  const many = rowsOf(saying);
  return {
    head: ['count', ...many, 'with', ...about.noun],
    noun: [...singular(many), 'count'],
    short: [...about.short, 'count'],
    text: `number of ${prose(many)} with ${conditionText(condition, saying)}`,
    scale: 'count',
    simple: false,
  };
}

/** The part of all that meets a condition: share of loans with status. */
export function shareOf(all: readonly string[], condition: Expr, saying: Saying): Phrase {
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

/** What the rows of the query are, in the plural. */
export function rowsOf({ speaker, query }: Saying): readonly string[] {
  const table = speaker.rowTable(query);
  return table === null ? ['rows'] : speaker.noun(table).many;
}
