import { z } from 'zod';
import { exactNumber, printExactJson } from './exact-json.ts';
import { freeToolName, LONGEST_NAME } from './tools.ts';

/** Vocabulary of the `query` formulation's tool, from "Querying Databases with Function Calling" (arXiv 2502.00032). */

export const QUERY_TOOL = 'query_database';

export const PROPERTY_TYPES = ['integer', 'text', 'boolean'] as const;
/** The tool's three property types; `integer` covers all numbers. */
export type PropertyType = (typeof PROPERTY_TYPES)[number];

export const FILTER_OPERATORS = {
  integer: ['=', '<', '>', '<=', '>='],
  text: ['=', 'LIKE'],
  boolean: ['=', '!='],
} as const satisfies Record<PropertyType, readonly string[]>;

export const AGGREGATE_METRICS = {
  integer: ['COUNT', 'TYPE', 'MIN', 'MAX', 'MEAN', 'MEDIAN', 'MODE', 'SUM'],
  text: ['COUNT', 'TYPE', 'TOP_OCCURRENCES'],
  boolean: ['COUNT', 'TYPE', 'TOTAL_TRUE', 'TOTAL_FALSE', 'PERCENTAGE_TRUE', 'PERCENTAGE_FALSE'],
} as const satisfies Record<PropertyType, readonly string[]>;

export type Metric = (typeof AGGREGATE_METRICS)[PropertyType][number];

export const DEFAULT_TOP = 5;

/** A syntax error in a query text: the position, what was found and what was expected. */
export class QueryTextError extends Error {
  /** Position of the offending character, from 1. */
  readonly position: number;

  constructor(at: number, found: string, expected: string) {
    super(`character ${at + 1}: found ${found}, expected ${expected}`);
    this.name = 'QueryTextError';
    this.position = at + 1;
  }
}

/** Keywords of the language; names equal to one must be quoted. */
export const KEYWORDS = ['SEARCH', 'WHERE', 'AND', 'LIKE', 'AGGREGATE', 'GROUP', 'BY', 'TRUE', 'FALSE'];

export interface Token {
  readonly kind: 'keyword' | 'name' | 'text' | 'number' | 'symbol' | 'end';
  /** Keywords in upper case; names and texts without quotes. */
  readonly value: string;
  /** The original spelling. */
  readonly source: string;
  /** Position of the first character, from 0. */
  readonly at: number;
}

const TOKEN =
  /(?<text>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<symbol><=|>=|!=|[=<>(),:])/uy;
const SPACE = /\s*/y;
const BARE_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The tokens of a query text, ending with `end`. Throws QueryTextError for unknown characters. */
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

/** A name in query text: quoted if it would otherwise be ambiguous. */
export function writeName(name: string): string {
  if (BARE_NAME.test(name) && !KEYWORDS.includes(name.toUpperCase())) return name;
  return `"${name.replaceAll('"', '""')}"`;
}

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

/** Reads the tokens of a query text; throws QueryTextError for unexpected ones. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** `tokens` must end with `end`. */
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

  /** Consumes the next token if it is this keyword or symbol. */
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

export function expected({ at, source }: Token, what: string): QueryTextError {
  return new QueryTextError(at, source.length > 40 ? `${source.slice(0, 39)}…` : source, what);
}

type Arguments = Readonly<Record<string, unknown>>;

/** How the language and the tool's description call the property types. */
export const TYPE_WORDS = { integer: 'number', text: 'text', boolean: 'boolean' } as const;

/**
 * Parses a query text into arguments:
 *
 *     collection [SEARCH 'words'] [WHERE filter [AND filter]…] [AGGREGATE metric [, metric]…] [GROUP BY property]
 *     filter: property operator value
 *     metric: METRIC(property[: type][, limit])
 *
 * The type of a filter is that of its value: 5, 'text', true. Collections and properties are not looked up.
 * Throws QueryTextError.
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

/** COUNT and TYPE apply to any type, so it must be given explicitly. */
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

/** A second part of the same kind would need an argument that the tool does not have. */
function add(args: Record<string, unknown>, { field, value, what, first }: Part): void {
  if (field in args) throw new QueryTextError(first.at, `a second ${what}`, 'one at most');
  args[field] = value;
}

/**
 * How the `query` tool is offered. `base`: one tool. `rationale`: it asks for a rationale first.
 * `per-collection`: one tool per collection, so that choosing the tool chooses the collection. `dsl`: its
 * single argument is a query text.
 */
export const QUERY_VARIANTS = ['base', 'rationale', 'per-collection', 'dsl'] as const;

/** The rationale argument; recorded, without effect. */
export const RATIONALE = 'tool_rationale';

/** The single argument of the `dsl` variant. */
export const QUERY_TEXT = 'query';

/** The tools of the `per-collection` variant, by name. */
export function collectionTools(collections: readonly string[]): ReadonlyMap<string, string> {
  const tools = new Map<string, string>();
  for (const collection of collections) {
    const plain = `query_${collection.replace(/\W+/g, '_')}`.slice(0, LONGEST_NAME);
    tools.set(freeToolName(plain, { has: (name) => tools.has(name) || name === QUERY_TOOL }), collection);
  }
  return tools;
}

interface NamedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** Translates a call of any variant to the equivalent call of the base tool. */
export function toBaseCall<Call extends NamedCall>(call: Call, tools: ReadonlyMap<string, string>): Call {
  const collection = tools.get(call.name);
  const args = call.arguments;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return call;
  const { [RATIONALE]: _, ...rest } = args as Readonly<Record<string, unknown>>;
  if (collection === undefined)
    return call.name === QUERY_TOOL ? { ...call, arguments: fromText(rest) } : call;
  return { ...call, name: QUERY_TOOL, arguments: { collection_name: collection, ...rest } };
}

/** The arguments that a query text stands for; unchanged if there is none, or if it cannot be parsed. */
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

/** Arguments of the `query` tool, checked without knowledge of its collections. */
export const queryArguments = z.strictObject({
  /** The rationale, in the variant that asks for it. */
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
export type QueryArguments = z.infer<typeof queryArguments>;

/** Prints a call's arguments as a query text, without the rationale. Throws ZodError for invalid arguments. */
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
    const suffix = isOfAnyType ? `: ${TYPE_WORDS[type]}` : '';
    // A limit has no meaning for any other metric.
    const most = limit === undefined || metrics !== 'TOP_OCCURRENCES' ? '' : `, ${limit}`;
    return [`${metrics}(${writeName(property_name)}${suffix}${most})`];
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
