import type { Rung } from '../../contracts/report.ts';
import type { CallElement } from '../calls/agent-call.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';

/** The calls read from a model's text, and the step of the ladder that read them. */
export interface ParsedOutput {
  readonly calls: readonly CallElement[];
  readonly rung: Rung;
  /** Calls stood as arguments of others: what comes first is how it was written, not what was meant. */
  readonly nested?: boolean | undefined;
}

/** The tools offered, by name, where they are known: what a name, a position or a bare text in a call stands for. */
export type OfferedTools = ReadonlyMap<string, ToolSchema>;
