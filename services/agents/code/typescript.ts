import type { JsonSchema, ObjectSchema } from '../../domain/tools/tool-spec.ts';
import {
  ownParameters,
  plainFunctions,
  printIndex,
  type SdkFunction,
  type SdkModule,
  takesResult,
  union,
} from './sdk.ts';

/** A module: its functions carry calls out over HTTP. It compiles with `tsc --strict`, and needs `fetch` alone. */
export function printTypescript(module: SdkModule): string {
  return print(module, false);
}

export function printDeclarations(module: SdkModule): string {
  return print(module, true);
}

function print(module: SdkModule, declared: boolean): string {
  const { functions, title, version } = module;
  const plain = plainFunctions(module);
  const methods = functions.filter(({ source }) => source !== null);
  const records = functions.filter(({ isRecord }) => isRecord);
  const parts = [
    [`// ${oneLine(title)}. Made by rookery ${version}.`, ...comments(printIndex(module))].join('\n'),
    TYPES,
    declared ? CONNECTION.declared : CONNECTION.defined(module.root),
    ...plain.map((each) => `${jsdoc(each, '')}export ${functionText(each, declared)}`),
    ...(functions.some(({ makesResult }) => makesResult) ? [resultText(module, methods, declared)] : []),
    ...(records.length > 0 ? [recordsText(records, declared)] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const ANSWER_TYPE = `/** What an endpoint answers; \`truncated\` when there are more rows than it holds. */
export interface Answer<Row> {
  data: Row[];
  row_count: number;
  truncated: boolean;
}`;

const TYPES = `export type Cell = string | number | null;\n\n${ANSWER_TYPE}`;

const CONNECTION = {
  declared: `/** A call that was refused. */
export class RookeryError extends Error {
  readonly status: number;
  readonly problem: unknown;
}

/** Sets where calls go: the address of a farm, http://127.0.0.1:8080 unless set, or of a run, http://…/runs/<id>. */
export function connect(address: string, options?: { apiKey?: string }): void;`,
  defined: (root: string) => `/** A call that was refused. */
export class RookeryError extends Error {
  readonly status: number;
  readonly problem: unknown;

  constructor(status: number, text: string) {
    super(\`\${status}: \${text.slice(0, 500)}\`);
    this.name = 'RookeryError';
    this.status = status;
    try {
      this.problem = JSON.parse(text);
    } catch {
      this.problem = null;
    }
  }
}

let base = 'http://127.0.0.1:8080';
let headers: Record<string, string> = {};

/** Sets where calls go: the address of a farm, http://127.0.0.1:8080 unless set, or of a run, http://…/runs/<id>. */
export function connect(address: string, options: { apiKey?: string } = {}): void {
  base = address.replace(/\\/+$/, '');
  headers = options.apiKey === undefined ? {} : { authorization: \`Bearer \${options.apiKey}\` };
}

// Integers that numbers cannot hold are bigints: no digit of them gets lost.
function parse(json: string): unknown {
  if (!/\\d{16}/.test(json)) return JSON.parse(json);
  const marked = json.replace(/"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*/g, (token) =>
    !/^-?\\d{16,}$/.test(token) || Number.isSafeInteger(Number(token)) ? token : \`"\\\\u0001\${token}"\`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && /^\\x01-?\\d+$/.test(value) ? BigInt(value.slice(1)) : value,
  );
}

function print(value: unknown): string {
  const json = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? \`\\x01\${each}\` : each));
  return json.replace(/"\\\\u0001(-?\\d+)"/g, '$1');
}

async function send<T>(method: string, template: string, args: object, view = ''): Promise<T> {
  const left = new Map<string, unknown>(Object.entries(args));
  const names = [...template.matchAll(/\\{(\\w+)\\}/g)].map(([, name = '']) => name);
  let path = template;
  // Empty segments get lost, dots are resolved, and long ones are refused: the plain address takes every value.
  if (names.every((name) => !/^(?:\\.{0,2}|[^]{300,})$/.test(String(left.get(name) ?? '')))) {
    for (const name of names) path = path.replace(\`{\${name}}\`, () => encodeURIComponent(String(left.get(name))));
    for (const name of names) left.delete(name);
  } else path = \`${root}/\${template.split('/').at(-1)}\`;
  const hasBody = method === 'POST' || method === 'PATCH';
  const query = new URLSearchParams(view);
  for (const [name, value] of hasBody ? [] : left)
    for (const item of [value].flat())
      if (item !== null && item !== undefined) query.append(name, String(item));
  const response = await fetch(\`\${base}\${path}\${query.size > 0 ? \`?\${query}\` : ''}\`, {
    method,
    headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(hasBody ? { body: print(Object.fromEntries(left)) } : {}),
  });
  const body = await response.text();
  if (!response.ok) throw new RookeryError(response.status, body);
  return (body === '' ? { deleted: true } : parse(body)) as T;
}`,
};

const RESULT_TYPES = `/** What a call has made: a table with its columns and first rows, a column with its first values, or a value. */
export interface ToolAnswer {
  kind: 'table' | 'column' | 'value';
  handle: string;
  columns?: string[];
  preview?: Record<string, Cell>[];
  column?: string;
  values?: Cell[];
  value?: Cell;
  row_count?: number | null;
  truncated?: boolean;
  next_offset?: number | null;
}`;

const RESULT_DOC =
  '/** A table, a column or a value. Its call is made when something is first read from it, and once. */';
const TABLE_DOC = '/** A table that calls begin from, or an earlier result, by its handle. */';
const ROWS_DOC = '/** Columns of equal length, or values, side by side: a list of rows. */';
const ANSWER_DOC = '  /** What the call answers. */';
const VALUES_DOC = '  /** All values of a column in row order; of a value, that one. */';

function resultText({ starts }: SdkModule, methods: readonly SdkFunction[], declared: boolean): string {
  const handle = starts.length === 0 ? 'string' : `${starts.map(literal).join(' | ')} | (string & {})`;
  const table = `table(handle: ${handle}): Result`;
  const rows = 'rows(...results: Result[]): Promise<Cell[][]>';
  const own = methods.map((each) => `${jsdoc(each, '  ')}  ${methodText(each, declared)}`);
  if (declared) {
    return [
      RESULT_TYPES,
      `${TABLE_DOC}\nexport function ${table};`,
      `${ROWS_DOC}\nexport function ${rows};`,
      [
        `${RESULT_DOC}\nexport class Result {`,
        `${ANSWER_DOC}\n  answer(): Promise<ToolAnswer>;\n\n${VALUES_DOC}\n  values(): Promise<Cell[]>;\n`,
        `${own.join('\n\n')}\n}`,
      ].join('\n'),
    ].join('\n\n');
  }
  return [
    RESULT_TYPES,
    `${TABLE_DOC}\nexport function ${table} {\n  return new Result(() => Promise.resolve({ kind: 'table', handle }), async () => ({ kind: 'table', handle }));\n}`,
    `${ROWS_DOC}
export async function ${rows} {
  const columns: Cell[][] = [];
  for (const result of results) columns.push(await result.values());
  const length = columns[0]?.length ?? 0;
  if (columns.some((column) => column.length !== length)) throw new RangeError('the columns differ in length');
  return Array.from({ length }, (_, at) => columns.map((column) => column[at] ?? null));
}`,
    `async function handles(value: unknown): Promise<unknown> {
  if (value instanceof Result) return \`$\${(await value.answer()).handle}$\`;
  if (Array.isArray(value)) return Promise.all(value.map(handles));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) entries.push([name, await handles(inner)]);
  return Object.fromEntries(entries);
}

function result(path: string, args: object): Result {
  const read = async (view: string) => send<ToolAnswer>('POST', path, (await handles(args)) as object, view);
  return new Result(() => read(''), (offset) => read(\`offset=\${offset}&limit=100000\`));
}`,
    `${RESULT_DOC}
export class Result {
  #first: Promise<ToolAnswer> | undefined;
  readonly #make: () => Promise<ToolAnswer>;
  readonly #page: (offset: number) => Promise<ToolAnswer>;

  constructor(make: () => Promise<ToolAnswer>, page: (offset: number) => Promise<ToolAnswer>) {
    this.#make = make;
    this.#page = page;
  }

${ANSWER_DOC}
  answer(): Promise<ToolAnswer> {
    this.#first ??= this.#make();
    return this.#first;
  }

${VALUES_DOC}
  async values(): Promise<Cell[]> {
    let answer = await this.answer();
    if (answer.kind === 'value') return [answer.value ?? null];
    const values = [...(answer.values ?? [])];
    while (answer.next_offset !== null && answer.next_offset !== undefined) {
      answer = await this.#page(answer.next_offset);
      values.push(...(answer.values ?? []));
    }
    return values;
  }

${own.join('\n\n')}
}`,
  ].join('\n\n');
}

function recordsText(functions: readonly SdkFunction[], declared: boolean): string {
  const own = functions.map((each) => {
    const { name, method, path } = each;
    const head = `${jsdoc(each, '  ')}  ${name}(${argumentsText(each, '  ')}): ${returned(each)}`;
    return declared
      ? `${head};`
      : `${head} {\n    return send(${literal(method)}, ${literal(path)}, args ?? {});\n  },`;
  });
  const doc = '/** The records of each table. A run may change them; elsewhere they are read only. */';
  return `${doc}\nexport const records${declared ? ':' : ' ='} {\n${own.join('\n\n')}\n};`;
}

/** Some functions as an agent reads them before it writes a program, with what they have in common. */
export function printDocs({ functions, starts }: SdkModule, some: readonly SdkFunction[]): string {
  const shared = functions.some(({ makesResult }) => makesResult)
    ? [
        RESULT_TYPES,
        `${TABLE_DOC}\nfunction table(handle: ${starts.length === 0 ? 'string' : starts.map(literal).join(' | ')}): Result;`,
        `${ROWS_DOC}\nfunction rows(...results: Result[]): Promise<Cell[][]>;`,
        `${RESULT_DOC}\nclass Result {\n${ANSWER_DOC}\n  answer(): Promise<ToolAnswer>;\n${VALUES_DOC}\n  values(): Promise<Cell[]>;\n}`,
      ]
    : [ANSWER_TYPE];
  const own = some.map(
    (each) =>
      `${jsdoc(each, '')}${each.source === null ? functionText(each, true) : `Result.${methodText(each, true)}`}`,
  );
  return [...shared, ...own].join('\n\n').replaceAll('export ', '');
}

/** `function name(args: {…}): Promise<…>`, with its body unless it is declared only. */
function functionText(each: SdkFunction, declared: boolean): string {
  const { name, method, path, makesResult } = each;
  const head = `function ${name}(${argumentsText(each, '')}): ${returned(each)}`;
  if (declared) return `${head};`;
  const body = makesResult
    ? `result(${literal(path)}, args ?? {})`
    : `send(${literal(method)}, ${literal(path)}, args ?? {})`;
  return `${head} {\n  return ${body};\n}`;
}

function methodText(each: SdkFunction, declared: boolean): string {
  const { name, path, source } = each;
  const head = `${name}(${argumentsText(each, '  ')}): Result`;
  return declared
    ? `${head};`
    : `${head} {\n    return result(${literal(path)}, { ${key(source ?? '')}: this, ...args });\n  }`;
}

function returned({ makesResult, answer }: SdkFunction): string {
  return makesResult ? 'Result' : `Promise<${answerType(answer())}>`;
}

function answerType({ properties, ...rest }: ObjectSchema): string {
  const { data, row_count, truncated, ...others } = properties;
  if (data?.items === undefined || row_count === undefined || truncated === undefined)
    return typeText({ properties, ...rest });
  const rows = `Answer<${typeText(data.items)}>`;
  return Object.keys(others).length === 0
    ? rows
    : `${rows} & ${typeText({ type: 'object', properties: others, required: Object.keys(others) })}`;
}

function argumentsText(each: SdkFunction, indent: string): string {
  const parameters = ownParameters(each);
  if (parameters.length === 0) return 'args?: Record<string, never>';
  const isOptional = parameters.every(({ required }) => !required);
  const inner = parameters.map(({ name, schema, required }) => {
    const type = argumentType(schema, each.makesResult);
    const doc = schema.description ? `${indent}  /** ${inComment(oneLine(schema.description))} */\n` : '';
    return `${doc}${indent}  ${key(name)}${required ? '' : '?'}: ${type};`;
  });
  return `args${isOptional ? '?' : ''}: {\n${inner.join('\n')}\n${indent}}`;
}

/** The type of an argument: at any depth also a bigint, and a result where the tool takes handles. */
function argumentType(schema: JsonSchema, takesResults: boolean): string {
  const own = takesResults && takesResult(schema) ? ' | Result' : '';
  return typeText(schema, (inner) => argumentType(inner, takesResults), BASIC_ARGUMENT) + own;
}

/** A schema as a type; `inside` prints the types of properties. */
function typeText(
  schema: JsonSchema,
  inside: (schema: JsonSchema) => string = (each) => typeText(each),
  basic = BASIC,
): string {
  const { type, enum: values, anyOf, properties, required = [], items, additionalProperties } = schema;
  const same = (each: JsonSchema) => typeText(each, inside, basic);
  if (values !== undefined) return union(values.map((value) => JSON.stringify(value)));
  if (anyOf !== undefined) return union(anyOf.map(same));
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(
      ([name, inner]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${inside(inner)}`,
    );
    return fields.length === 0 ? 'object' : `{ ${fields.join('; ')} }`;
  }
  if (items !== undefined) return `${inParentheses(same(items))}[]`;
  if (typeof additionalProperties === 'object') return `Record<string, ${same(additionalProperties)}>`;
  if (type === undefined) return 'Cell';
  return union([type].flat().map((each) => basic[each] ?? 'unknown'));
}

const BASIC: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
  array: 'unknown[]',
};

/** Numbers of answers are typed as what they nearly always are. */
const BASIC_ARGUMENT = { ...BASIC, number: 'number | bigint', integer: 'number | bigint' };

function inParentheses(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
}

function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** The description of a tool as a comment; '' if it has none. */
function jsdoc({ tool }: Pick<SdkFunction, 'tool'>, indent: string): string {
  const lines = inComment(tool.description).split('\n');
  if (tool.description === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function inComment(text: string): string {
  return text.replaceAll('*/', '*\\/');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function comments(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `//   ${line}`);
}
