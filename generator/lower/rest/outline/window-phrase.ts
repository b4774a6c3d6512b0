import type { Frame, FrameBound, OrderTerm, Window } from '../../../sql/index.ts';
import { aggregateWord, limitedTo, rowsOf, twice } from './aggregate-phrase.ts';
import { listed, type Phrase, plainPhrase, reworded } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';

/** rank by score, previous price, running total of sales by date within each region */
export function windowPhrase(expr: Window, saying: Saying): Phrase {
  const { partitionBy, orderBy, filter } = expr;
  const parts = partitionBy.map((one) => phraseOf(one, saying).text);
  const within = parts.length === 0 ? '' : ` within each ${listed(parts)}`;
  const by = orderBy.map((term) => `${phraseOf(term.expr, saying).text}${turned(term)}`);
  const order = by.length === 0 ? '' : ` in the order of ${listed(by)}`;
  const ranks = RANKS[expr.name];
  if (ranks !== undefined) {
    const [first] = orderBy;
    if (first === undefined) return plainPhrase(ranks, `${ranks.join(' ')}${within}`);
    const from = first.direction === 'asc' ? ' from the lowest' : '';
    return plainPhrase(ranks, `${ranks.join(' ')} by ${phraseOf(first.expr, saying).text}${from}${within}`);
  }
  const value = valuePhrase(expr, saying);
  const plain = filter === null ? value : limitedTo(value, filter, saying);
  const [lead, tail] = reach(expr);
  const sorted = lead === '' && !PLACED.test(expr.name) ? '' : order;
  const start = lead === '' ? [] : [lead];
  const said = lead === '' ? plain.text : `${lead} ${plain.text.replace(/^total /, 'total of ')}`;
  return reworded(
    { ...plain, head: plain.noun, simple: false },
    (words) => [...start, ...words],
    `${said}${tail}${sorted}${within}`,
  );
}

const RANKS: Readonly<Record<string, readonly string[]>> = {
  rank: ['rank'],
  dense_rank: ['rank'],
  row_number: ['row', 'number'],
  percent_rank: ['percent', 'rank'],
  cume_dist: ['cumulative', 'share'],
  ntile: ['group', 'number'],
};

/** Functions that take the value of one row by its place. */
const PLACED = /^(lag|lead|first_value|last_value|nth_value)$/;

const PLACES: Readonly<Record<string, string>> = {
  lag: 'previous',
  lead: 'next',
  first_value: 'first',
  last_value: 'last',
  nth_value: 'nth',
};

function valuePhrase({ name, args, star }: Window, saying: Saying): Phrase {
  const [arg] = args;
  const rows = rowsOf(saying).join(' ');
  if (star || arg === undefined) return plainPhrase(['count'], `number of ${rows}`);
  const of = phraseOf(arg, saying);
  const place = PLACES[name];
  if (place !== undefined) return plainPhrase([place, ...of.noun], `${place} ${of.text}`, of.scale);
  if (name === 'count')
    return plainPhrase([...of.noun, 'count'], `number of ${rows} with a known ${of.text}`);
  const [word, text] = aggregateWord(name, of);
  return plainPhrase([word, ...of.noun], twice(text, of.text), of.scale === 'date' ? 'date' : 'number');
}

/** Which rows an aggregate goes over: with an order it goes on from row to row, with a frame over those nearby. */
function reach({ name, orderBy, frame }: Window): readonly [lead: '' | 'running' | 'moving', tail: string] {
  if (PLACED.test(name)) return ['', ''];
  if (frame === null) return [orderBy.length > 0 ? 'running' : '', ''];
  const { start, end } = frame;
  if (start.at === 'unbounded_preceding' && end.at === 'unbounded_following') return ['', ''];
  if (start.at === 'unbounded_preceding' && end.at === 'current_row') return ['running', ''];
  return ['moving', ` over ${frameText(frame)}`];
}

function frameText({ mode, start, end }: Frame): string {
  const unit = mode === 'rows' ? 'rows' : mode === 'groups' ? 'groups of rows' : 'values';
  const bound = (at: FrameBound, side: string) =>
    at.at === 'current_row'
      ? 'this one'
      : 'offset' in at
        ? `a fixed number ${at.at === 'preceding' ? 'before' : 'after'}`
        : side;
  return `${unit} from ${bound(start, 'the first')} to ${bound(end, 'the last')}`;
}

function turned({ direction }: OrderTerm): string {
  return direction === 'desc' ? ' descending' : '';
}
