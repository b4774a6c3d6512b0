import type { Aggregate, Expr, Window } from '../../../sql/index.ts';
import { keyTable } from '../tree/key-table.ts';
import { plural, pluralValues, singular } from '../words/nouns.ts';
import { conditionalCount, conditionalValue } from './patterns.ts';
import { listed, type Phrase, plainPhrase } from './phrase.ts';
import { aboutPhrase, conditionText, phraseOf, type Saying, VALUE } from './phrase-of.ts';

const prose = (words: readonly string[]) => words.join(' ');

/** count superheroes, average height, total amount with type */
export function aggregatePhrase(expr: Aggregate, saying: Saying): Phrase {
  const condition = conditionalCount(expr);
  if (condition !== null) return countWhere(condition, saying);
  if (expr.name === 'count') return countPhrase(expr, saying);
  const [arg] = expr.args;
  if (arg === undefined) return VALUE;
  const limited = conditionalValue(arg);
  const of = phraseOf(limited?.value ?? arg, saying);
  const [word, plain] = aggregateWord(expr.name, of);
  // What is added up once a value is another number; the highest is the same.
  const text =
    expr.distinct && /^(sum|total|avg)$/.test(expr.name) ? `${plain} of different values of` : plain;
  if (word === 'joined') {
    const all = pluralValues(of.noun);
    const [by] = expr.orderBy.filter((term) => !(term.expr.kind === 'column' && term.expr.name === 'rowid'));
    const order = by === undefined ? '' : ` in the order of ${phraseOf(by.expr, saying).text}`;
    return plainPhrase([word, ...all], `${text} ${prose(all)}${order}`, 'text');
  }
  if (limited === null) {
    return {
      ...plainPhrase([word, ...of.noun], `${text} ${of.text}`, of.scale === 'text' ? 'number' : of.scale),
      short: [word, ...of.short],
    };
  }
  const where = aboutPhrase(limited.when, saying);
  return {
    head: [word, ...of.noun, 'with', ...where.noun],
    noun: [word, ...of.noun],
    short: [word, ...of.short],
    text: `${text} ${of.text} with ${conditionText(limited.when, saying)}`,
    scale: 'number',
    simple: false,
  };
}

/** What an aggregate function does to a quantity, in names and in prose. */
function aggregateWord(name: string, of: Phrase): readonly [word: string, text: string] {
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
    return counting(many, singular(of.noun), `number of different ${prose(many)}`, ['distinct']);
  }
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
  return counting(many, one, `number of ${expr.distinct ? 'different ' : ''}${prose(many)}`);
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

/** What the rows of the query are, in the plural. */
export function rowsOf({ speaker, query }: Saying): readonly string[] {
  const table = speaker.rowTable(query);
  return table === null ? ['rows'] : speaker.noun(table).many;
}

/** rank, previous price, average salary over rows */
export function windowPhrase(expr: Window, saying: Saying): Phrase {
  const { name, args, star, orderBy, partitionBy } = expr;
  const [by] = orderBy;
  const [arg] = args;
  const parts = partitionBy.map((one) => phraseOf(one, saying).text);
  const within = parts.length === 0 ? '' : ` within each ${listed(parts)}`;
  if (/rank$|^row_number$|^ntile$/.test(name)) {
    if (by === undefined) return plainPhrase(['rank'], `rank${within}`);
    const from = by.direction === 'asc' ? ' from the lowest' : '';
    return plainPhrase(['rank'], `rank by ${phraseOf(by.expr, saying).text}${from}${within}`);
  }
  if (star || arg === undefined) return plainPhrase(['count'], `number of rows${within}`, 'count');
  const of = phraseOf(arg, saying);
  if (name === 'lag' || name === 'lead') {
    const word = name === 'lag' ? 'previous' : 'next';
    return plainPhrase([word, ...of.noun], `${word} ${of.text}${within}`, of.scale);
  }
  const [word, text] = aggregateWord(name, of);
  // With an order, an aggregate goes on from row to row.
  const running = by !== undefined && expr.frame === null && /^(sum|total|avg|count)$/.test(name);
  return plainPhrase(
    [word, ...of.noun],
    `${running ? 'running ' : ''}${text} ${running && name === 'sum' ? 'of ' : ''}${of.text}${within}`,
  );
}
