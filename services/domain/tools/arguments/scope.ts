import type { Catalog } from '../../../../contracts/catalog.ts';
import { didYouMean, nearestNames } from '../../../../contracts/wording.ts';
import { type ArgumentError, fieldError } from '../../../base/arguments/argument-error.ts';
import type { Plan, PlanColumn } from '../plan/plan.ts';

/** The names that a call can refer to. */
export interface Scope {
  readonly catalog: Catalog;
  /** The plan of a handle (or, in a sample, of a label); undefined when there is none. */
  readonly find: (name: string) => Plan | undefined;
  /** The meaning of the text `now` as a date; SQLite's clock when not given. */
  readonly referenceTime?: string;
}

/** The `x` of `$x$`, or null. */
export function referenceIn(text: string): string | null {
  return text.length > 2 && text.startsWith('$') && text.endsWith('$') ? text.slice(1, -1) : null;
}

/**
 * Whether a text given as a value can only mean an earlier result: one word between dollars, perhaps with a path into
 * it. As a mere text it would match nothing in the database, and an unknown name would go unnoticed.
 */
export function looksLikeReference(text: string): boolean {
  return /^\$[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+|\[\d+\])*\$(?:\.[\p{L}\p{N}_-]+|\[\d+\])*$/u.test(text);
}

/** The plan named by a field that must name one: `handle` or `$handle$`. Throws ArgumentError unknown_handle. */
export function resolveHandle(text: string, field: string, scope: Scope): Plan {
  const name = referenceIn(text) ?? text;
  const plan = scope.find(name);
  if (plan) return plan;
  throw unknownHandle(text, field);
}

/** What is said of a handle that stands for nothing. */
export function unknownHandle(text: string, field: string): ArgumentError {
  return fieldError(
    field,
    'unknown_handle',
    `there is no result ${text.slice(0, 80)} here, or it has expired: repeating the calls that made it gives it the same handle`,
  );
}

/** The plan's column of that name. Throws ArgumentError unknown_column with the nearest names. */
export function resolveColumn(plan: Plan, key: string, field: string): PlanColumn {
  const found =
    plan.columns.find((column) => column.key === key) ??
    plan.columns.find((column) => column.key.toLowerCase() === key.toLowerCase());
  if (found) return found;
  const suggestions = nearestColumns(
    key,
    plan.columns.map((column) => column.key),
  );
  const message = `${plan.handle} has no column ${key.slice(0, 80)}${didYouMean(suggestions)}`;
  throw fieldError(field, 'unknown_column', message, suggestions);
}

/** Columns called so in some table come before misspellings. */
function nearestColumns(key: string, keys: readonly string[]): string[] {
  const ending = `_${key.toLowerCase()}`;
  const same = keys.filter((known) => known.toLowerCase().endsWith(ending));
  return [...new Set([...same, ...nearestNames(key, keys)])].slice(0, 3);
}
