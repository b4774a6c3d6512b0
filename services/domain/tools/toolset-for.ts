import { z } from 'zod';
import type { Catalog, CatalogColumn } from '../../../contracts/catalog.ts';
import type { Service } from '../../../contracts/service.ts';
import { toolRoot } from '../../../contracts/tool-chain.ts';
import {
  columnAnswer,
  type StartTable,
  type StartTableDefinition,
  tableAnswer,
  toolAnswer,
  valueAnswer,
} from '../../../contracts/tools.ts';
import { mapValues } from '../../base/arguments.ts';
import { cached, getOrInsert } from '../../base/concurrency.ts';
import { schemaOf as plainSchemaOf } from '../../base/http/api-document.ts';
import type { ToolDefinition } from './arguments.ts';
import { catalogTable, describeColumn, startColumns } from './plan.ts';
import { describeColumns, initializeActiveData } from './table-tools.ts';
import {
  describeMore,
  isMap,
  type JsonSchema,
  MOST_CHARACTERS,
  mapSchema,
  type ObjectSchema,
  type ToolSpec,
} from './tool-spec.ts';
import { hasGetters, TOOLBOXES, type Toolbox, type ToolFormulation } from './toolboxes.ts';

/** How much a toolset describes the columns of its start tables. */
interface Detail {
  /** Whether arguments that name a column are enums. */
  readonly named: boolean;
  /** Which tools describe them: all that take a column, only the first, or none but `describe_columns`. */
  readonly described: 'each' | 'first' | 'by_tool';
}

/** The maximum tokens of a toolset by `estimateTokens`, and the details to choose from, most detailed first. */
const DETAILS: Readonly<
  Record<ToolFormulation, { readonly maxTokens: number; readonly from: readonly Detail[] }>
> = {
  slot: {
    maxTokens: 8_500,
    from: [
      { named: true, described: 'each' },
      { named: true, described: 'first' },
      { named: false, described: 'first' },
      { named: false, described: 'by_tool' },
    ],
  },
  sel: {
    maxTokens: 40_000,
    from: [
      // Getters describe their column.
      { named: true, described: 'by_tool' },
      { named: false, described: 'by_tool' },
    ],
  },
};

/**
 * The tools of a task with the given start tables, in a fixed order. SLOT: the general tools. SEL: the general tools
 * and a getter per column. Columns are described as far as the toolset's size limit allows; if that is hardly at all,
 * there is a tool `describe_columns`. Without start tables: the general tools alone, with any column name. Throws
 * ArgumentError for start tables whose tables do not exist.
 */
export function toolsetFor(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): ToolSpec[] {
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const columns = offeredColumns(startTables, service.catalog);
  const { maxTokens, from } = DETAILS[formulation];
  const choices = toolsByDetail(service, formulation, startTables);
  let specs: ToolSpec[] = [];
  for (const [i, { named, described }] of from.entries()) {
    const tools = choices[i] ?? [];
    const first = tools.find(({ args }) => 'key_name' in args.shape);
    specs = tools.map((tool) =>
      toSpec(tool, {
        startTables,
        columns,
        nameColumns: named,
        describeColumns:
          !toolbox.madeForColumns && (described === 'each' || (described === 'first' && tool === first)),
      }),
    );
    if (estimateTokens(JSON.stringify(specs)) <= maxTokens) break;
  }
  return specs;
}

/** Tools at each level of detail. If a toolset does not describe its columns, it has a tool that does. */
function toolsByDetail(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): readonly (readonly ToolDefinition[])[] {
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const withTools = columnsWithTools(service, toolbox, startTables);
  const tools = toolbox.offered(withTools);
  const allHaveTools = withTools.length === offeredColumns(startTables, service.catalog).length;
  return DETAILS[formulation].from.map(({ described }) => {
    const told = toolbox.madeForColumns ? allHaveTools : described !== 'by_tool';
    return told ? tools : [...tools, describeColumns];
  });
}

const sizesOf = cached((_: Catalog) => new Map<string, number>());

/** The number of tools that `toolsetFor` returns, cached by start tables. */
export function toolsetSize(
  service: Pick<Service, 'catalog'>,
  formulation: ToolFormulation,
  startTables: readonly StartTable[],
): number {
  const key = [formulation, ...startTables.map(({ handle }) => handle)].join();
  return getOrInsert(sizesOf(service.catalog), key, () => countTools(service, formulation, startTables));
}

function countTools(...of: Parameters<typeof toolsetFor>): number {
  const counts = new Set(toolsByDetail(...of).map(({ length }) => length));
  const [only] = counts;
  // Otherwise the schemas decide, which are slow to build.
  return only !== undefined && counts.size === 1 ? only : toolsetFor(...of).length;
}

/** Every tool of a domain, for any start table: any column name, and the getters of all start tables. */
export function generalTools(
  service: Pick<Service, 'catalog' | 'start_tables'>,
  formulation: ToolFormulation,
): ToolSpec[] {
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const tools = toolbox.offered(columnsWithTools(service, toolbox, service.start_tables));
  const open: Offer = { startTables: [], columns: [], nameColumns: false, describeColumns: false };
  return [initializeActiveData, ...tools, describeColumns].map((tool) => toSpec(tool, open));
}

/** The columns that may have getters: those of start tables that are not too wide. */
function columnsWithTools(
  { catalog }: Pick<Service, 'catalog'>,
  { madeForColumns }: Toolbox,
  startTables: readonly StartTable[],
) {
  const some = madeForColumns ? startTables.filter((table) => hasGetters(table, catalog)) : startTables;
  return offeredColumns(some, catalog);
}

function toSpec(tool: ToolDefinition, offer: Offer): ToolSpec {
  return {
    name: tool.name,
    description: shorten(tool.description),
    parameters: argumentsSchema(tool, offer),
  };
}

/** Truncates to the length that one provider allows for a function's description. */
function shorten(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).trimEnd()}…`;
}

export interface Offer {
  readonly startTables: readonly StartTable[];
  readonly columns: readonly OfferedColumn[];
  readonly nameColumns: boolean;
  /** Whether they also describe the columns. */
  readonly describeColumns: boolean;
}

/** A tool's arguments as JSON Schema, with the start tables and columns on offer. */
export function argumentsSchema(tool: ToolDefinition, offer: Offer): ObjectSchema {
  const whole = schemaOf(tool);
  const properties = mapValues(whole.properties ?? {}, (property) => withOffer(property, offer));
  const clean = mapSchema({ ...whole, properties }, (schema) =>
    simplify(withoutMarks(tool.withoutRows ? withoutColumns(schema) : schema)),
  );
  return { required: [], ...clean } as ObjectSchema;
}

/** A tool's own schema, cached because it is slow to build. */
const schemaOf = cached(({ args }: ToolDefinition) => plainSchemaOf<JsonSchema>(args, { io: 'input' }));

/** The schema of a value that cannot be a column. */
function withoutColumns(schema: JsonSchema): JsonSchema {
  const isColumn = ({ properties = {} }: JsonSchema) => Object.keys(properties).join() === 'key_name';
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.filter((each) => !isColumn(each)) } : schema;
}

/** Only top-level arguments get enums. A column name nested deeper stays open, or the schema would be mostly names. */
function withOffer(property: JsonSchema, offer: Offer): JsonSchema {
  if (property['x-handle'] === true) return withStartTables(property, offer.startTables);
  const marked = [
    property,
    ...(property.anyOf ?? []),
    ...(property.anyOf ?? []).flatMap(({ items }): JsonSchema[] => (items ? [items] : [])),
  ];
  if (offer.columns.length === 0 || !marked.some((schema) => schema['x-key-name'] === true)) return property;
  const keys = offer.columns.map(({ key }) => key);
  const named = offer.nameColumns
    ? mapSchema(property, (schema) => (schema['x-key-name'] === true ? oneOf(schema, keys) : schema))
    : property;
  if (!offer.describeColumns) return named;
  const lines = offer.columns.map(
    ({ key, type, description }) => `\n- ${key} (${type})${description ? `: ${description}` : ''}`,
  );
  return describeMore(named, `. Columns of the start table:${lines.join('')}`);
}

/** A column of the start table, or one that an earlier call has made. */
function oneOf(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  const { type: _string, ...rest } = schema;
  const all = schema['x-all-rows'] === true ? ['*', ...keys] : keys;
  return {
    ...rest,
    anyOf: [
      { type: 'string', enum: all },
      { type: 'string', description: 'a column that an earlier call has made' },
    ],
  };
}

/** What a table or a result may be, in an argument's description, where no start table is known. */
export const ANY_RESULT = ' (a start table or an earlier result)';

function withStartTables(property: JsonSchema, startTables: readonly StartTable[]): JsonSchema {
  const handles = startTables.map(({ handle }) => `"${handle}"`);
  if (handles.length === 0) return describeMore(property, ANY_RESULT);
  return describeMore(property, ` (${handles.join(', ')} or an earlier result)`);
}

function withoutMarks(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !name.startsWith('x-')));
}

/**
 * Flattens nested unions, merges plain types of a union into one type list, drops bounds without effect, and closes
 * objects that are not maps.
 */
export function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, maximum, additionalProperties, propertyNames: _texts, ...rest } = schema;
  const bounded = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? rest : { ...rest, maximum };
  const closed =
    additionalProperties === undefined
      ? bounded
      : { ...bounded, additionalProperties: isMap(additionalProperties) ? additionalProperties : false };
  if (!anyOf) return closed;
  const flat = anyOf.flatMap((each) => (isBareUnion(each) ? (each.anyOf ?? []) : [each])).flatMap(splitTypes);
  const types = [...new Set(flat.flatMap((each) => (isPlain(each) ? [each.type] : [])))] as string[];
  const others = flat.filter((each) => !isPlain(each));
  const plain: JsonSchema[] =
    types.length === 0 ? [] : [{ type: types.length === 1 ? types[0] : types } as JsonSchema];
  const all = [...plain, ...others];
  return all.length === 1 ? { ...closed, ...all[0] } : { ...closed, anyOf: all };
}

const isPlain = (schema: JsonSchema): boolean =>
  typeof schema.type === 'string' && Object.keys(schema).length === 1;
const isBareUnion = (schema: JsonSchema): boolean =>
  schema.anyOf !== undefined && Object.keys(schema).length === 1;

/** Splits `{type: [a, b]}` into two schemas. */
function splitTypes(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.type) && Object.keys(schema).length === 1
    ? schema.type.map((type: string) => ({ type }))
    : [schema];
}

export interface OfferedColumn {
  readonly key: string;
  readonly description: string | null;
  readonly type: CatalogColumn['type'];
}

/** The columns of some start tables, without duplicate names. Throws ArgumentError for tables that do not exist. */
export function offeredColumns(definitions: readonly StartTableDefinition[], catalog: Catalog) {
  const columns = new Map<string, OfferedColumn>();
  for (const { key, origin } of definitions.flatMap((definition) => startColumns(definition, catalog))) {
    const column = catalogTable(catalog, origin.table).columns.find(({ name }) => name === origin.column);
    if (column && !columns.has(key))
      columns.set(key, { key, description: describeColumn(column), type: column.type });
  }
  return [...columns.values()];
}

const named = { kind: true, handle: true } as const;

/** A ToolAnswer as one object, for protocols that do not allow a union at the root. */
const anyAnswer = z.object({
  kind: z.enum(toolAnswer.options.map(({ shape }) => shape.kind.value)),
  handle: z.string(),
  ...columnAnswer.omit(named).partial().shape,
  ...tableAnswer.omit(named).partial().shape,
  ...valueAnswer.omit(named).partial().shape,
});

export const TOOL_ANSWER_SCHEMA = plainSchema(plainSchemaOf<JsonSchema>(anyAnswer));

/** Removes what clients do not need: the dialect, JavaScript's number bounds, additional properties. */
function plainSchema(schema: JsonSchema): ObjectSchema {
  return mapSchema(
    schema,
    ({ minimum: _least, maximum: _most, propertyNames: _texts, additionalProperties: _more, ...rest }) =>
      simplify(rest),
  ) as ObjectSchema;
}

/**
 * Estimates the tokens of a text, erring on the high side: one per six letters of a word, per three digits, and per run
 * of other characters. Cryptic names, which cost models most, are not underestimated.
 */
export function estimateTokens(text: string): number {
  return text.match(/[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]+/g)?.length ?? 0;
}

export function toolsetPath(
  service: Pick<Service, 'split' | 'db'>,
  formulation: ToolFormulation,
  startTables: readonly Pick<StartTable, 'handle'>[],
): string {
  const handles = startTables.map(({ handle }) => handle).join(',');
  return `${toolRoot(service, formulation)}/toolset?start_table=${handles}`;
}
