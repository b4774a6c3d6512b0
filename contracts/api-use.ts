import { z } from 'zod';

const count = z.number().int().nonnegative();

/** What an attempt at a `hybrid` task took of APIs, as its runner saw it. */
export const apiUse = z.strictObject({
  /** Requests of hidden tables and scalar APIs, those that `run_sql` made among them. */
  calls: count,
  pages: count,
  /** Rows and values that came. */
  rows: count,
  /** Values of arguments that stand neither in the question nor in anything that was answered before. */
  invented: count,
  /** Calls that looked for data where they are not: SQL of a hidden table, the API of a visible one. */
  misrouted: count,
  /** Statements that use an API without its inputs. */
  unbound: count,
});
export type ApiUse = z.infer<typeof apiUse>;
