import type { CallOutcome } from '../../attempt/tool-caller.ts';

/** A program that a model wrote, and what it may do. */
export interface Program {
  /** JavaScript. */
  readonly code: string;
  /** Names of the functions that it may call. */
  readonly functions: readonly string[];
  /** Carries out a call; the arguments are JSON. */
  readonly call: (name: string, args: string) => Promise<CallOutcome>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What it printed, or why it printed nothing. */
export type ProgramOutcome = { readonly rows: unknown } | { readonly fault: string };

/** Runs programs where they can reach nothing but their functions. Throws what `call` throws. */
export type RunProgram = (program: Program) => Promise<ProgramOutcome>;
