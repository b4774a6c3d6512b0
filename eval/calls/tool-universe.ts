import { isNumeric, sameNumber } from '../../contracts/answer-rows.ts';
import { parameterText, readInteger, readNumber } from '../../contracts/exact-json.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Endpoint, EndpointParameter, Service } from '../../contracts/service.ts';
import { initializationArguments, type StartTableDefinition } from '../../contracts/tools.ts';
import { isNumber, isObject, type Json, numberValue } from '../json/lossless.ts';

/** The part of a parameter's JSON schema that scoring uses. */
export interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: { readonly type?: string };
  readonly anyOf?: readonly PropertySchema[];
  /** Whether it takes one column name or several; the service treats one as a list of one. */
  readonly 'x-key-name'?: boolean;
}

/** A tool as offered to an agent. */
export interface ToolSchema {
  readonly description?: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, PropertySchema>>;
  /** REST: the path on a farm. */
  readonly path?: string;
  /** REST: the keys of each row of the response, in the order of the gold's columns. */
  readonly columns?: readonly string[];
}

/** The tools that exist for a task, to distinguish wrong tools from invented ones. */
export interface ToolUniverse {
  /** Every tool offered for the sample, by name; equal toolsets share one map. */
  toolsFor(sample: Sample): ReadonlyMap<string, ToolSchema>;
  /** The handles of the sample's start tables on a live farm, by label. */
  startHandles?(sample: Sample): ReadonlyMap<string, string>;
}

/** Whether an argument takes a text or a list of texts, a single text meaning a list of one. */
export function takesOneOrSeveral(schema: PropertySchema | undefined): boolean {
  return (schema?.anyOf ?? []).some((option) => option['x-key-name'] === true);
}

/** Whether null is a value of the argument, rather than a way to omit it. */
export function takesNull(schema: PropertySchema): boolean {
  return typesOf(schema).includes('null') || (schema.anyOf ?? []).some(takesNull);
}

export function wireOf(schema: ToolSchema | undefined): Wire {
  return schema?.path === undefined ? 'body' : 'query';
}

/** The types that a parameter's schema allows; empty if unspecified. */
export function typesOf(schema: PropertySchema | undefined): readonly string[] {
  if (schema?.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** The REST tools of a farm, one per endpoint, from the services' descriptions. */
export function restUniverse(services: Iterable<Service>): ToolUniverse {
  const tools = new Map<string, ReadonlyMap<string, ToolSchema>>();
  for (const { db, endpoints } of services) {
    tools.set(db, new Map(endpoints.map((endpoint) => [endpoint.operation_id, toTool(endpoint)])));
  }
  return { toolsFor: ({ dataset_name }) => tools.get(dataset_name) ?? new Map() };
}

function toTool(endpoint: Endpoint): ToolSchema {
  return {
    description: endpoint.description || endpoint.summary,
    path: endpoint.path,
    columns: endpoint.columns.map(({ name }) => name),
    required: endpoint.parameters.map(({ name }) => name),
    properties: Object.fromEntries(
      endpoint.parameters.map((parameter) => [parameter.name, toProperty(parameter)]),
    ),
  };
}

function toProperty({ type, array, description }: EndpointParameter): PropertySchema {
  return array ? { type: 'array', items: { type }, description } : { type, description };
}

/** A start table of a task, with the label by which its calls refer to it. */
export interface LabelledStart {
  readonly label: string;
  readonly definition: StartTableDefinition;
}

/** The start tables of a sample, the main one first; none for REST. */
export function startTablesOf({ initialization_step }: Pick<Sample, 'initialization_step'>): LabelledStart[] {
  const read = initializationArguments.safeParse(initialization_step?.arguments);
  const label = initialization_step?.label;
  if (!read.success || label === undefined) return [];
  const { additional_tables = [], ...main } = read.data;
  const others = additional_tables.map(({ label: own, ...definition }) => ({ label: own, definition }));
  return [{ label, definition: main }, ...others];
}

export function startLabels(sample: Pick<Sample, 'initialization_step'>): string[] {
  return startTablesOf(sample).map(({ label }) => label);
}

/**
 * How arguments reach the service. `query`: as text in query parameters, so that `"5"` and `5` are the same
 * and the parameter's type decides how the text is read. `body`: as JSON, without type conversion.
 */
export type Wire = 'query' | 'body';

/**
 * Whether the service treats two argument values alike: numbers by value (integers exactly, reals within
 * 1e-9), objects in any key order, a lone element as a list of one if the parameter takes both.
 */
export function sameValue(
  gold: Json,
  predicted: Json,
  schema?: PropertySchema,
  wire: Wire = 'body',
): boolean {
  if (Array.isArray(gold) !== Array.isArray(predicted) && takesEither(schema, wire)) {
    return sameValue(asList(gold), asList(predicted), schema, wire);
  }
  if (Array.isArray(gold) || Array.isArray(predicted)) {
    return (
      Array.isArray(gold) &&
      Array.isArray(predicted) &&
      gold.length === predicted.length &&
      gold.every((item, i) => sameValue(item, predicted[i] as Json, schema?.items, wire))
    );
  }
  if (isObject(gold) || isObject(predicted)) {
    return isObject(gold) && isObject(predicted) && sameObject(gold, predicted);
  }
  const types = typesOf(schema);
  if (wire === 'query' && types.length === 1) return sameParameter(gold, predicted, types[0] as string);
  if (!isNumber(gold) || !isNumber(predicted)) return gold === predicted;
  const [a, b] = [numberValue(gold), numberValue(predicted)];
  return sameNumber(a, b) && (!types.includes('integer') || types.includes('number') || isWhole(b));
}

function sameObject(gold: { [key: string]: Json }, predicted: { [key: string]: Json }): boolean {
  const keys = Object.keys(gold);
  return (
    keys.length === Object.keys(predicted).length &&
    keys.every((key) => Object.hasOwn(predicted, key) && sameValue(gold[key] as Json, predicted[key] as Json))
  );
}

/** A query parameter may be repeated or given once; in a body only a few take a text or a list of texts. */
function takesEither(schema: PropertySchema | undefined, wire: Wire): boolean {
  return wire === 'query' ? typesOf(schema).includes('array') : takesOneOrSeveral(schema);
}

function asList(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

/** Compares two scalars as the service reads their text. null is not a text. */
function sameParameter(gold: Json, predicted: Json, type: string): boolean {
  if (gold === null || predicted === null) return gold === predicted;
  const [a, b] = [readAs(type, parameterText(gold)), readAs(type, parameterText(predicted))];
  if (a === null || b === null) return false;
  return isNumeric(a) && isNumeric(b) ? sameNumber(a, b) : a === b;
}

function readAs(type: string, text: string): string | number | bigint | null {
  if (type === 'integer') {
    const integer = readInteger(text);
    return integer !== null && Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  }
  return type === 'number' ? readNumber(text) : text;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}
