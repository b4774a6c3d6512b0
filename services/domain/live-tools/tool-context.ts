import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { LiveTools } from './live-tools.ts';

/** Context of the routes of SLOT and SEL. */
export interface ToolContext extends RuntimeContext {
  /** The tools of SLOT and SEL, and the handles of their results. */
  readonly tools: LiveTools;
}
