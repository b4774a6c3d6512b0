import type { ServedTools, ToolFormats } from '../contracts/served-tools.ts';

export interface CallResult {
  /** Whether the call was carried out. */
  readonly ok: boolean;
  readonly status: number;
  /** The body as it came. */
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
  readonly retryAfter: string | null;
  /** The faults injected into this run: shown with the harness key only, never to an agent. */
  readonly fault: string | null;
}

/** A list of tools in one format. */
export type ToolListOf<Format extends keyof ToolFormats> = Omit<ServedTools, 'tools'> & {
  readonly tools: readonly ToolFormats[Format][];
};
