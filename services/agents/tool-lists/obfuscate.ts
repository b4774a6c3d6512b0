import type { Problem } from '../../../contracts/problem.ts';
import { rewordProblem } from '../../base/http/reword-problem.ts';
import {
  type JsonSchema,
  mapSchema,
  type ObjectSchema,
} from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import type { Alias } from './aliases.ts';
import { bareHandles } from './bare-handles.ts';
import { type HiddenNames, replaceNames } from './hide-names.ts';

/** A tool under its alias; column names and other values stay as they are. */
export function obfuscateTool(tool: ToolSpec, alias: Alias, tools: ReadonlyMap<string, string>): ToolSpec {
  const names: HiddenNames = { tools, args: alias.args };
  return {
    name: alias.name,
    description: replaceNames(tool.description, names, 'names'),
    parameters: mapSchema(tool.parameters, (schema) => obfuscateSchema(schema, names)) as ObjectSchema,
  };
}

function obfuscateSchema(schema: JsonSchema, names: HiddenNames): JsonSchema {
  const rename = (name: string) => names.args.get(name) ?? name;
  const { description, properties, required } = schema;
  return {
    ...schema,
    ...(description === undefined ? {} : { description: replaceNames(description, names, 'names') }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [rename(name), inner]),
          ),
        }),
    ...(required === undefined ? {} : { required: required.map(rename) }),
  };
}

/** What is wrong with a call, in the words of an obfuscated list, whose start tables keep their handles. */
export function obfuscateProblem(
  problem: Problem,
  names: HiddenNames,
  startTables: readonly string[],
): Problem {
  return rewordProblem(problem, (text) => bareHandles(replaceNames(text, names, 'everywhere'), startTables));
}

/** The arguments of an obfuscated call under their real names, and the names in it that are no aliases. */
export function realArguments(
  args: unknown,
  alias: Alias,
): { readonly args: unknown; readonly unknown: readonly string[] } {
  const real = new Map([...alias.args].map(([name, shown]) => [shown, name]));
  const unknown: string[] = [];
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const name = real.get(key);
        if (name === undefined) unknown.push(key);
        return [name ?? key, rename(inner)];
      }),
    );
  };
  return { args: rename(args), unknown };
}

/** Not a number that keeps its digits, or the like. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
