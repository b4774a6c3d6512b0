/** What one plan may cost. */
export interface PlanLimits {
  readonly maxCalls: number;
  readonly maxRows: number;
  readonly timeoutMs: number;
  /** Calls under way at once. */
  readonly concurrency: number;
}

export const PLAN_LIMITS: PlanLimits = {
  maxCalls: 10_000,
  maxRows: 1_000_000,
  timeoutMs: 60_000,
  concurrency: 8,
};
