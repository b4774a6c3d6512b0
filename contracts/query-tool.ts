import { z } from 'zod';
import { exactNumber, printExactJson } from './exact-json.ts';

/** The words of the `query` formulation's one tool, as in "Querying Databases with Function Calling" (arXiv 2502.00032). */

export const QUERY_TOOL = 'query_database';

export const PROPERTY_TYPES = ['integer', 'text', 'boolean'] as const;
/** What the tool calls the three kinds of properties; `integer` is any number. */
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** How a property of each type may be compared. */
export const FILTER_OPERATORS = {
  integer: ['=', '<', '>', '<=', '>='],
  text: ['=', 'LIKE'],
  boolean: ['=', '!='],
} as const satisfies Record<PropertyType, readonly string[]>;

/** What may be computed over a property of each type. */
export const AGGREGATE_METRICS = {
  integer: ['COUNT', 'TYPE', 'MIN', 'MAX', 'MEAN', 'MEDIAN', 'MODE', 'SUM'],
  text: ['COUNT', 'TYPE', 'TOP_OCCURRENCES'],
  boolean: ['COUNT', 'TYPE', 'TOTAL_TRUE', 'TOTAL_FALSE', 'PERCENTAGE_TRUE', 'PERCENTAGE_FALSE'],
} as const satisfies Record<PropertyType, readonly string[]>;

export type Metric = (typeof AGGREGATE_METRICS)[PropertyType][number];

/** How many values TOP_OCCURRENCES gives unless told. */
export const DEFAULT_TOP = 5;

interface Filter<Type extends PropertyType, Value> {
  readonly property_name: string;
  readonly operator: (typeof FILTER_OPERATORS)[Type][number];
  readonly value: Value;
}

interface Aggregation<Type extends PropertyType> {
  readonly property_name: string;
  readonly metrics: (typeof AGGREGATE_METRICS)[Type][number];
}

/** The arguments of a call of the tool. */
export interface QueryArguments {
  readonly collection_name: string;
  readonly search_query?: string;
  readonly integer_property_filter?: Filter<'integer', number>;
  readonly text_property_filter?: Filter<'text', string>;
  readonly boolean_property_filter?: Filter<'boolean', boolean>;
  readonly integer_property_aggregation?: Aggregation<'integer'>;
  readonly text_property_aggregation?: Aggregation<'text'> & { readonly top_occurrences_limit?: number };
  readonly boolean_property_aggregation?: Aggregation<'boolean'>;
  readonly groupby_property?: string;
}

/** A query text that cannot be read: where, what stands there, and what was expected. */
export class QueryTextError extends Error {
  /** Of the character at fault, from 1. */
  readonly position: number;

  constructor(at: number, found: string, expected: string) {
    super(`character ${at + 1}: found ${found}, expected ${expected}`);
    this.name = 'QueryTextError';
    this.position = at + 1;
  }
}

/** Words of the language; a name that is one of them has to be quoted. */
export const KEYWORDS = ['SEARCH', 'WHERE', 'AND', 'LIKE', 'AGGREGATE', 'GROUP', 'BY', 'TRUE', 'FALSE'];

export interface Token {
  readonly kind: 'keyword' | 'name' | 'text' | 'number' | 'symbol' | 'end';
  /** Keywords in capitals; names and texts without their quotes. */
  readonly value: string;
  /** As it was written. */
  readonly source: string;
  /** Of its first character, from 0. */
  readonly at: number;
}

const TOKEN =
  /(?<text>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<symbol><=|>=|!=|[=<>(),:])/uy;
const SPACE = /\s*/y;
const BARE_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The tokens of a query text, `end` last. Throws QueryTextError for characters that are none. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw unreadable(text, at);
    tokens.push(toToken(match));
    at = skipSpace(text, TOKEN.lastIndex);
  }
  return [...tokens, { kind: 'end', value: '', source: 'the end', at: text.length }];
}

/** A name as the language has it: quoted where it could be taken for anything else. */
export function writeName(name: string): string {
  if (BARE_NAME.test(name) && !KEYWORDS.includes(name.toUpperCase())) return name;
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as the language has it. */
export function writeText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function toToken({ 0: source, index: at, groups = {} }: RegExpExecArray): Token {
  const { text, quoted, number, word } = groups;
  if (text !== undefined) {
    return { kind: 'text', value: text.slice(1, -1).replaceAll("''", "'"), source, at };
  }
  if (quoted !== undefined) {
    return { kind: 'name', value: quoted.slice(1, -1).replaceAll('""', '"'), source, at };
  }
  if (number !== undefined) return { kind: 'number', value: number, source, at };
  if (word === undefined) return { kind: 'symbol', value: source, source, at };
  const upper = word.toUpperCase();
  return KEYWORDS.includes(upper)
    ? { kind: 'keyword', value: upper, source, at }
    : { kind: 'name', value: word, source, at };
}

function unreadable(text: string, at: number): QueryTextError {
  const first = text[at];
  if (first === "'" || first === '"') {
    return new QueryTextError(at, `a ${first} that is not closed`, `${first} at the end of it, too`);
  }
  return new QueryTextError(
    at,
    String.fromCodePoint(text.codePointAt(at) ?? 0),
    "a name, a number, a text in '…', or an operator",
  );
}

/** Goes through the tokens of a query text; what is not as it should be throws QueryTextError. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** `tokens` end with `end`. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  take(kind: Token['kind'], what: string): Token {
    const token = this.next();
    if (token.kind !== kind) throw expected(token, what);
    return token;
  }

  name(what: string): string {
    return this.take('name', `${what}, in "…" where it is no plain word`).value;
  }

  /** Goes past a keyword or symbol if it is next. */
  takes(value: string): boolean {
    const token = this.peek();
    const isNext = (token.kind === 'keyword' || token.kind === 'symbol') && token.value === value;
    if (isNext) this.#at++;
    return isNext;
  }

  require(value: string): void {
    if (!this.takes(value)) throw expected(this.peek(), value);
  }

  end(clauses: readonly string[]): void {
    const token = this.peek();
    if (token.kind === 'end') return;
    throw expected(token, [...clauses, 'the end'].join(', or ').replace(/, or (?=.*, or )/g, ', '));
  }
}

const END: Token = { kind: 'end', value: '', source: 'the end', at: 0 };

/** That a token is not what was expected. */
export function expected({ at, source }: Token, what: string): QueryTextError {
  return new QueryTextError(at, source.length > 40 ? `${source.slice(0, 39)}…` : source, what);
}

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

/**
 * How the `query` tool is offered. `base`: one tool. `rationale`: it asks why these arguments, first. `per-collection`:
 * a tool a collection, so that its name is the choice of the collection. `dsl`: its one argument is a query text.
 */
export const QUERY_VARIANTS = ['base', 'rationale', 'per-collection', 'dsl'] as const;

/** The argument that says why; recorded, and otherwise without effect. */
export const RATIONALE = 'tool_rationale';

/** The one argument of the tool where it takes a query text. */
export const QUERY_TEXT = 'query';

const MOST_CHARACTERS = 64;

/** Tools of one collection each, by name. */
export function collectionTools(collections: readonly string[]): ReadonlyMap<string, string> {
  const tools = new Map<string, string>();
  for (const collection of collections) {
    const plain = `query_${collection.replace(/\W+/g, '_')}`.slice(0, MOST_CHARACTERS);
    let name = plain;
    for (let n = 2; tools.has(name) || name === QUERY_TOOL; n++) {
      name = `${plain.slice(0, MOST_CHARACTERS - 1 - String(n).length)}_${n}`;
    }
    tools.set(name, collection);
  }
  return tools;
}

interface NamedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** A call of any variant as the call of the base tool that means the same. */
export function toBaseCall<Call extends NamedCall>(call: Call, tools: ReadonlyMap<string, string>): Call {
  const collection = tools.get(call.name);
  const args = call.arguments;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return call;
  const { [RATIONALE]: _, ...rest } = args as Readonly<Record<string, unknown>>;
  if (collection === undefined)
    return call.name === QUERY_TOOL ? { ...call, arguments: fromText(rest) } : call;
  return { ...call, name: QUERY_TOOL, arguments: { collection_name: collection, ...rest } };
}

/** The arguments that a query text stands for; as they are where there is none, or one that cannot be read. */
function fromText(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { [QUERY_TEXT]: text, ...others } = args;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return args;
  try {
    return readQueryText(text);
  } catch (error) {
    if (error instanceof QueryTextError) return args;
    throw error;
  }
}

const name = z.string();
const number = z.union([z.number(), z.bigint()]);
const filter = <Operators extends readonly [string, ...string[]], Value extends z.ZodType>(
  operators: Operators,
  value: Value,
) => z.strictObject({ property_name: name, operator: z.enum(operators), value }).optional();

/** The arguments of a call of the `query` tool as far as they can be checked without knowing its collections. */
export const queryArguments = z.strictObject({
  /** Why these arguments, where a list of tools asks for it. */
  [RATIONALE]: z.string().optional(),
  collection_name: name,
  search_query: z.string().optional(),
  integer_property_filter: filter(FILTER_OPERATORS.integer, number),
  text_property_filter: filter(FILTER_OPERATORS.text, z.string()),
  boolean_property_filter: filter(FILTER_OPERATORS.boolean, z.boolean()),
  integer_property_aggregation: z
    .strictObject({ property_name: name, metrics: z.enum(AGGREGATE_METRICS.integer) })
    .optional(),
  text_property_aggregation: z
    .strictObject({
      property_name: name,
      metrics: z.enum(AGGREGATE_METRICS.text),
      top_occurrences_limit: z.number().int().min(1).optional(),
    })
    .optional(),
  boolean_property_aggregation: z
    .strictObject({ property_name: name, metrics: z.enum(AGGREGATE_METRICS.boolean) })
    .optional(),
  groupby_property: name.optional(),
});

/** The query text that stands for a call's arguments; a rationale has no place in it. Throws ZodError for what are none. */
export function writeQueryText(args: unknown): string {
  const query = queryArguments.parse(args);
  const filters = PROPERTY_TYPES.flatMap((type) => {
    const filter = query[`${type}_property_filter`];
    return filter
      ? [`${writeName(filter.property_name)} ${filter.operator} ${writeValue(filter.value)}`]
      : [];
  });
  const aggregations = PROPERTY_TYPES.flatMap((type) => {
    const aggregation = query[`${type}_property_aggregation`];
    if (!aggregation) return [];
    const { property_name, metrics } = aggregation;
    const isOfAnyType = metrics === 'COUNT' || metrics === 'TYPE';
    const limit = 'top_occurrences_limit' in aggregation ? aggregation.top_occurrences_limit : undefined;
    const told = isOfAnyType ? `: ${TYPE_WORDS[type]}` : '';
    // A limit says nothing of any other metric.
    const most = limit === undefined || metrics !== 'TOP_OCCURRENCES' ? '' : `, ${limit}`;
    return [`${metrics}(${writeName(property_name)}${told}${most})`];
  });
  return [
    writeName(query.collection_name),
    ...(query.search_query === undefined ? [] : [`SEARCH ${writeText(query.search_query)}`]),
    ...(filters.length === 0 ? [] : [`WHERE ${filters.join(' AND ')}`]),
    ...(aggregations.length === 0 ? [] : [`AGGREGATE ${aggregations.join(', ')}`]),
    ...(query.groupby_property === undefined ? [] : [`GROUP BY ${writeName(query.groupby_property)}`]),
  ].join(' ');
}

function writeValue(value: string | number | bigint | boolean): string {
  return typeof value === 'string' ? writeText(value) : printExactJson(value);
}
