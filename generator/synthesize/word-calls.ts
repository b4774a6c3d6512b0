import { PROPERTY_TYPES, type QueryArguments } from '../../contracts/query-tool.ts';
import { literalPattern } from '../../contracts/wording.ts';
import type { Collection } from '../../services/domain/query/collections.ts';
import { parseQuery, quoteIdentifier, type SqlContext } from '../../sql/index.ts';
import type { Random } from '../variants/random.ts';
import { countSql, toolSql } from './tool-calls.ts';
import { inStyle, phraseOf, uncapital, type Wording } from './wording.ts';

interface WordingOfCalls {
  readonly wording: Wording;
  readonly sql: SqlContext;
  readonly random: Random;
}

/** Words the plain SQL of a call without its search, which comes first. null where words would lose a value. */
export function wordArguments(
  args: QueryArguments,
  collection: Collection,
  words: WordingOfCalls & { readonly evidence: string },
): string | null {
  const { random } = words;
  const { table, joined, about } = collection;
  const things = itemsOf(`SELECT COUNT(*) FROM ${quoteIdentifier(table.name)}`, words);
  const others = joined && itemsOf(`SELECT COUNT(*) FROM ${quoteIdentifier(joined.to.name)}`, words);
  const { search_query: search, ...plain } = args;
  const asked =
    things === null
      ? null
      : questionFor(asIs(plain), collection, { ...words, things, searched: search !== undefined });
  if (asked === null) return null;
  const named = others === null ? things : `${things} with their ${others}`;
  if (Object.keys(plain).length === 1) return `Search the ${named} for "${search}".`;
  const among = `Among the ${named} that ${about === null ? 'mention' : 'are about'} "${search}", `;
  // Among those, how many with a rebate are there per town?
  const isSplit = /^How many of those (with|whose|who|that)\b.* are there per /.test(asked);
  const found =
    isSplit || random.chance(0.5)
      ? `Search the ${named} for "${search}": ${uncapital(asked)}`
      : `${among}${uncapital(asked.replace(/ of those found\b|(?<=^How many) of those/, ''))}`;
  const whole = search === undefined ? asked : found;
  const said = `${whole} ${words.evidence}`;
  return literalsOf(args).every((literal) => said.includes(literal)) ? whole : null;
}

/** What is not false is true. */
function asIs(args: QueryArguments): QueryArguments {
  const { boolean_property_filter: flag } = args;
  return flag?.operator === '!='
    ? { ...args, boolean_property_filter: { ...flag, operator: '=', value: !flag.value } }
    : args;
}

interface WordingOfItems extends WordingOfCalls {
  /** The items of the collection, in the plural. */
  readonly things: string;
  readonly searched: boolean;
}

function questionFor(args: QueryArguments, collection: Collection, words: WordingOfItems): string | null {
  const { random } = words;
  const { groupby_property: group, ...ungrouped } = args;
  const inWords = (sql: string) => ofThings(textOf(sql, words), words);
  const asAsked = (text: string) => inStyle(text, random, group !== undefined);
  const type = PROPERTY_TYPES.find((each) => args[`${each}_property_aggregation`] !== undefined);
  const aggregation = type && args[`${type}_property_aggregation`];
  if (!aggregation && group === undefined) {
    const items = itemsOf(countSql(args, collection), words);
    const opening = random.pick(['List all', 'Show me the', 'Find the', 'Give all details of the']);
    const text = items && ofThings(items, words);
    return text && `${text.startsWith('those') ? opening?.replace(/ (?:the|all)$/, '') : opening} ${text}.`;
  }
  const metric = aggregation?.metrics;
  if (metric === 'TOP_OCCURRENCES' && group !== undefined) {
    const counted = textOf(
      toolSql({ collection_name: args.collection_name, groupby_property: group }, collection, PLAIN),
      words,
    );
    const [, each] = / per ([^,]+)$/.exec(counted) ?? [];
    const top = inStyle(inWords(toolSql(ungrouped, collection, PLAIN)), random, false);
    return each === undefined ? null : `For each ${each}, ${uncapital(top)}`;
  }
  // The middle and the most frequent of numbers are said as their mean is.
  const word = metric === 'MEDIAN' ? 'Median' : metric === 'MODE' ? 'Most common' : null;
  if (word === null) {
    const sql =
      metric && /^(COUNT|TOTAL)/.test(metric) ? countSql(args, collection) : toolSql(args, collection, PLAIN);
    return asAsked(inWords(sql).replace(/^Share /, 'Fraction '));
  }
  const integer = args.integer_property_aggregation;
  const mean = integer && { ...args, integer_property_aggregation: { ...integer, metrics: 'MEAN' as const } };
  const text = mean && inWords(toolSql(mean, collection, PLAIN));
  return text?.startsWith('Average ') ? asAsked(text.replace('Average', word)) : null;
}

const PLAIN = { search: null };

function textOf(sql: string, { wording, sql: context }: WordingOfCalls): string {
  return phraseOf(sql, parseQuery(sql, context), wording);
}

/** What a query counts; null if it is not worded as a number. */
function itemsOf(sql: string, words: WordingOfCalls): string | null {
  return /^Number of (.*)$/.exec(textOf(sql, words))?.[1] ?? null;
}

/** Without the join, which is no condition, as a permit counts as often as it has objections; what is found is not named again. */
function ofThings(text: string, { things, searched }: WordingOfItems): string {
  const alone = text
    .replace(`, counting only those that have ${things}`, '')
    .replace(` that have ${things}`, '');
  const at = alone.search(new RegExp(`\\b${literalPattern(things)}\\b`));
  if (!searched || at < 0) return alone;
  const [before, rest] = [alone.slice(0, at), alone.slice(at + things.length)];
  const of = /\b(?:most|fewest) $/.test(before) ? 'of ' : '';
  return `${before}${of}${/^(?:$|,| per )/.test(rest) ? 'those found' : 'those'}${rest}`;
}

/** Values that the question must contain, since they cannot be guessed. */
function literalsOf(args: QueryArguments): string[] {
  const { search_query: search, integer_property_filter: number, text_property_filter: text } = args;
  return [number?.value, text?.value, search].flatMap((value) => (value === undefined ? [] : String(value)));
}
