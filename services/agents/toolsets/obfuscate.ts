import type { Problem } from '../../../contracts/api.ts';
import { rewordProblem } from '../../base/http/problem.ts';
import { seededOrder } from '../../base/seeded-order.ts';
import { bareHandle } from '../../domain/tools/plan.ts';
import {
  type JsonSchema,
  mapSchema,
  type ObjectSchema,
  type ToolSpec,
} from '../../domain/tools/tool-spec.ts';

/** A tool under its alias; column names and other values are unchanged. */
export function obfuscateTool(tool: ToolSpec, alias: Alias, tools: ReadonlyMap<string, string>): ToolSpec {
  const names: HiddenNames = { tools, args: alias.args };
  return {
    name: alias.name,
    description: replaceNames(tool.description, names, 'names'),
    parameters: mapSchema(tool.parameters, (schema) => obfuscateSchema(schema, names)) as ObjectSchema,
    ...(tool.annotations ? { annotations: tool.annotations } : {}),
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

/** A problem reworded with the names of an obfuscated list, whose start tables keep their handles. */
export function obfuscateProblem(problem: Problem, names: HiddenNames, startTables: readonly string[]) {
  return rewordProblem(problem, (text) => bareHandles(replaceNames(text, names, 'everywhere'), startTables));
}

/** The arguments of an obfuscated call under their real names, and the names in it that are no aliases. */
export function realArguments(args: unknown, alias: Alias) {
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

/** Excludes class instances, such as numbers that keep their digits. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The names that replace a tool's own in an obfuscated list. */
export interface Alias {
  readonly name: string;
  readonly number: number;
  /** `ARG_0` by the argument's real name, nested arguments included. */
  readonly args: ReadonlyMap<string, string>;
}

/**
 * `FUNC_n` for every tool of a toolset, by its real name, numbered by the seed and, in an exam, its key; `ARG_n` for
 * its arguments, outer ones first. Numbers depend on the whole toolset, so a tool has the same name in a shortlist and
 * in the full list.
 */
export function makeAliases(
  toolset: readonly ToolSpec[],
  seed: number,
  scope: string,
  key: string | null,
): ReadonlyMap<string, Alias> {
  const order = seededOrder(toolset, seed, `obfuscate ${scope}`, ({ name }) => name, { key });
  return new Map(
    order.map(({ name, parameters }, n) => [
      name,
      { name: `FUNC_${n}`, number: n, args: aliasArguments(parameters) },
    ]),
  );
}

function aliasArguments(parameters: JsonSchema): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  let level: JsonSchema[] = [parameters];
  while (level.length > 0) {
    const next: JsonSchema[] = [];
    for (const schema of level) {
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        if (!aliases.has(name)) aliases.set(name, `ARG_${aliases.size}`);
        next.push(inner);
      }
      const { items, anyOf } = schema;
      if (typeof items === 'object' && items !== null) next.push(items as JsonSchema);
      if (Array.isArray(anyOf)) next.push(...(anyOf as JsonSchema[]));
    }
    level = next;
  }
  return aliases;
}

export interface HiddenNames {
  readonly tools: ReadonlyMap<string, string>;
  readonly args: ReadonlyMap<string, string>;
}

const WORD = /[A-Za-z0-9_]+/g;

/**
 * Replaces the real names in a text for agents. Many argument names are ordinary words too (`value`, `limit`), so in
 * prose they are replaced only where they are clearly names: with an underscore, quoted, or listed as in
 * `substring(start, length?)`. In texts about an invalid call they are replaced `everywhere`.
 */
export function replaceNames(text: string, names: HiddenNames, where: 'names' | 'everywhere'): string {
  const all = (part: string) =>
    part.replace(WORD, (word) => names.tools.get(word) ?? names.args.get(word) ?? word);
  if (where === 'everywhere') return all(text);
  return text
    .replace(/`[^`]*`|"[^"]*"|\b\w+\([^()]*\)/g, all)
    .replace(
      WORD,
      (word) => names.tools.get(word) ?? (word.includes('_') ? names.args.get(word) : null) ?? word,
    );
}

/** Shortens the handles in a text to their bare form, except `shown` ones: their words reveal what tools do. */
export function bareHandles(text: string, shown: readonly string[]): string {
  return text.replace(/\b[a-z][a-z0-9_]*_[0-9a-f]{12}\b/g, (handle) =>
    shown.includes(handle) ? handle : bareHandle(handle),
  );
}

/** The text of a ToolAnswer with its handle bare; table contents are unchanged. */
export function withBareHandle(answer: string): string {
  return answer.replace(
    /^(\{"kind":"\w+","handle":")([^"\\]*)/,
    (_all, before: string, handle: string) => `${before}${bareHandle(handle)}`,
  );
}
