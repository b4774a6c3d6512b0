import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { LiveTools } from './live-tools.ts';

/** What the routes of SLOT and SEL need. */
export interface ToolContext extends RuntimeContext {
  /** The tools of SLOT and SEL, and the handles of their results. */
  readonly tools: LiveTools;
}
