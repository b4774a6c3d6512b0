import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';

/** A column that tools may be made for. */
export interface ToolColumn {
  readonly key: string;
  /** A description for people, or null. */
  readonly description: string | null;
}

/** The tools of a formulation whose calls are tools on handles. */
export interface Toolbox {
  /** Those that a task with these columns is offered, in a fixed order; all but `describe_columns`. */
  offered(columns: readonly ToolColumn[]): readonly ToolDefinition[];
  /** The tool of that name; `keys` are the columns of the table that the call names as its data source. */
  find(name: string, keys: readonly string[]): ToolDefinition | undefined;
  /** The names that can be called, to suggest one for a mistyped name. */
  names(keys: readonly string[]): readonly string[];
  /** Whether some tools are made for columns, so that they can only be found by the data source of a call. */
  readonly madeForColumns: boolean;
}
