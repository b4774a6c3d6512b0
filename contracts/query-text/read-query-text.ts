import { exactNumber } from '../exact-json.ts';
import { FILTER_OPERATORS, AGGREGATE_METRICS, PROPERTY_TYPES, type PropertyType } from '../query-tool.ts';
import { QueryTextError } from './query-text-error.ts';
import { expected, TokenReader } from './token-reader.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Arguments of the query tool by name, as a call has them. */
type Arguments = Readonly<Record<string, unknown>>;

/** What the language calls the types of properties, as the tool's description does. */
export const TYPE_WORDS = { integer: 'number', text: 'text', boolean: 'boolean' } as const;

/**
 * The arguments that a query text stands for:
 *
 *     collection [SEARCH 'words'] [WHERE filter [AND filter]…] [AGGREGATE metric [, metric]…] [GROUP BY property]
 *     filter: property operator value     metric: METRIC(property[: type][, limit])
 *
 * A filter's type is its value's: 5, 'text', true. Collections and properties are not looked up. Throws QueryTextError.
 */
export function readQueryText(text: string): Arguments {
  const reader = new TokenReader(tokensOf(text));
  const args: Record<string, unknown> = { collection_name: reader.name('the name of a collection') };
  const clauses = ['SEARCH', 'WHERE', 'AGGREGATE', 'GROUP BY'];
  if (reader.takes('SEARCH')) args.search_query = reader.take('text', "the words in '…'").value;
  if (reader.takes('WHERE')) {
    do add(args, readFilter(reader));
    while (reader.takes('AND'));
    clauses.push('AND');
  }
  if (reader.takes('AGGREGATE')) {
    do add(args, readAggregation(reader));
    while (reader.takes(','));
    clauses.push(', and another metric');
  }
  if (reader.takes('GROUP')) {
    reader.require('BY');
    args.groupby_property = reader.name('the name of a property');
    clauses.length = 0;
  }
  reader.end(clauses);
  return args;
}

interface Part {
  readonly field: string;
  readonly value: Arguments;
  readonly what: string;
  readonly first: Token;
}

function readFilter(reader: TokenReader): Part {
  const first = reader.peek();
  const property_name = reader.name('the name of a property');
  const compared = reader.next();
  const type = typeOfValue(reader.peek());
  const operators: readonly string[] = Object.values(FILTER_OPERATORS).flat();
  if (compared.kind === 'end' || !operators.includes(compared.value)) {
    throw expected(compared, [...new Set(operators)].join(' '));
  }
  if (type === null) throw expected(reader.peek(), "a number, a text in '…', true or false");
  const own: readonly string[] = FILTER_OPERATORS[type];
  if (!own.includes(compared.value))
    throw expected(compared, `${own.join(' ')} before a ${TYPE_WORDS[type]}`);
  const value = literal(reader.next());
  return {
    field: `${type}_property_filter`,
    value: { property_name, operator: compared.value, value },
    what: `filter of a ${TYPE_WORDS[type]}`,
    first,
  };
}

function typeOfValue({ kind, value }: Token): PropertyType | null {
  if (kind === 'number') return 'integer';
  if (kind === 'text') return 'text';
  return kind === 'keyword' && (value === 'TRUE' || value === 'FALSE') ? 'boolean' : null;
}

function literal({ kind, value }: Token): string | number | bigint | boolean {
  if (kind === 'number') return exactNumber(value);
  return kind === 'text' ? value : value === 'TRUE';
}

function readAggregation(reader: TokenReader): Part {
  const first = reader.next();
  const metrics = first.value.toUpperCase();
  const types = PROPERTY_TYPES.filter((type) => AGGREGATE_METRICS[type].some((each) => each === metrics));
  if (first.kind !== 'name' || types.length === 0) {
    throw expected(first, `a metric: ${[...new Set(Object.values(AGGREGATE_METRICS).flat())].join(' ')}`);
  }
  reader.require('(');
  const property_name = reader.name('the name of a property');
  const type = readType(reader, types, metrics);
  const limited = metrics === 'TOP_OCCURRENCES';
  const limit = limited && reader.takes(',') ? readLimit(reader) : {};
  reader.require(')');
  return {
    field: `${type}_property_aggregation`,
    value: { property_name, metrics, ...limit },
    what: `metric of a ${TYPE_WORDS[type]}`,
    first,
  };
}

/** Only COUNT and TYPE are of any type, and have to tell it. */
function readType(reader: TokenReader, types: readonly PropertyType[], metrics: string): PropertyType {
  const [only] = types;
  const words = types.map((type) => TYPE_WORDS[type]).join(', ');
  if (!reader.takes(':')) {
    if (types.length === 1 && only !== undefined) return only;
    throw expected(reader.peek(), `: and the type of the property, which ${metrics} has to tell (${words})`);
  }
  const written = reader.next();
  const type = types.find((each) => TYPE_WORDS[each] === written.value.toLowerCase());
  if (written.kind !== 'name' || type === undefined)
    throw expected(written, `a type that ${metrics} takes: ${words}`);
  return type;
}

function readLimit(reader: TokenReader): Arguments {
  const token = reader.take('number', 'how many values');
  const limit = Number(token.value);
  if (!Number.isSafeInteger(limit) || limit < 1) throw expected(token, 'a whole number from 1');
  return { top_occurrences_limit: limit };
}

/** A second part of a kind would need a second argument, which the tool does not have. */
function add(args: Record<string, unknown>, { field, value, what, first }: Part): void {
  if (field in args) throw new QueryTextError(first.at, `a second ${what}`, 'one at most');
  args[field] = value;
}
