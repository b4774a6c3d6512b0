import { DEFAULT_LIMITS } from '../../base/limits.ts';

/** What one plan may cost. */
export interface PlanLimits {
  readonly maxCalls: number;
  readonly maxRows: number;
  /** By the clock. */
  readonly timeoutMs: number;
  /** Calls under way at once. */
  readonly concurrency: number;
}

export const PLAN_LIMITS: PlanLimits = {
  maxCalls: 10_000,
  maxRows: 1_000_000,
  timeoutMs: DEFAULT_LIMITS.planMs,
  concurrency: 8,
};
