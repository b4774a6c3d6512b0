import type { Sample } from '../../contracts/sample.ts';
import type { Wire } from './same-value.ts';

/** The part of a parameter's JSON schema that scoring looks at. */
export interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: { readonly type?: string };
  readonly anyOf?: readonly PropertySchema[];
  /** The name of a column, or several: the service takes one as a list of one. */
  readonly 'x-key-name'?: boolean;
}

/** A tool as offered to an agent. */
export interface ToolSchema {
  readonly description?: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, PropertySchema>>;
  /** REST: the address on a farm, without the host. */
  readonly path?: string;
  /** REST: the keys of each row of the answer, in the order of the gold's columns. */
  readonly columns?: readonly string[];
}

/** Which tools exist for a task: what tells a wrong tool from one that was made up. */
export interface ToolUniverse {
  /** Every tool offered for the sample, by name; the same map for equal toolsets. */
  toolsFor(sample: Sample): ReadonlyMap<string, ToolSchema>;
  /** The handles of the sample's start tables on a live farm, by label. */
  startHandles?(sample: Sample): ReadonlyMap<string, string>;
}

/** Whether an argument may be a text, or a list of such texts that means the same when it has one element. */
export function takesOneOrSeveral(schema: PropertySchema | undefined): boolean {
  return (schema?.anyOf ?? []).some((option) => option['x-key-name'] === true);
}

/** Whether null is a value of the argument, rather than a way to leave it out. */
export function takesNull(schema: PropertySchema): boolean {
  return typesOf(schema).includes('null') || (schema.anyOf ?? []).some(takesNull);
}

/** How the tool's arguments reach the service. */
export function wireOf(schema: ToolSchema | undefined): Wire {
  return schema?.path === undefined ? 'body' : 'query';
}

/** The types that a parameter's schema allows, as a list; empty when it says nothing. */
export function typesOf(schema: PropertySchema | undefined): readonly string[] {
  if (schema?.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}
