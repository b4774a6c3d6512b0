import type { Rung } from '../../contracts/report.ts';
import type { CallElement } from '../calls/agent-call.ts';

/** The calls read from a model's text, and the step of the ladder that read them. */
export interface ParsedOutput {
  readonly calls: readonly CallElement[];
  readonly rung: Rung;
}
