import type { PriceTable } from '../eval/metrics/trajectory.ts';
import type { FarmTasks } from './exports.ts';

export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

export interface FormatOption {
  readonly flags: string;
  readonly description: string;
  readonly default?: unknown;
  readonly choices?: readonly string[];
  readonly required?: boolean;
  /** How the value is read: a list, a price table, or a whole number from `min`; by default, it is a text. */
  readonly takes?: 'list' | 'prices' | { readonly min: number };
}

/** `--prices`, as `takes: 'prices'` reads it. */
export type Prices = PriceTable | undefined;

export interface FormatTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What a command writes, and then prints. */
export interface FormatOutcome {
  readonly files: readonly WrittenFile[];
  readonly print?: readonly (string | FormatTable)[];
  readonly warnings?: readonly string[];
}

export interface FormatContext {
  /** Opens the tasks of a farm, or those of the domains in `only`. Throws FARM_NOT_FOUND or FARM_INVALID. */
  openTasks(folder: string, only: readonly string[] | undefined): Promise<FarmTasks>;
  onProgress(done: number, total: number): void;
}

/** A command of a format: `rookery export <name>`, `rookery import <name>` or `rookery score <name>`. */
export interface FormatCommand<Args extends readonly unknown[] = readonly unknown[], Flags = object> {
  readonly of: 'export' | 'import' | 'score';
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly (readonly [name: string, description: string])[];
  readonly options: readonly FormatOption[];
  run(args: Args, flags: Flags, context: FormatContext): FormatOutcome | Promise<FormatOutcome>;
}
