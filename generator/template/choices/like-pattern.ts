import type { Role } from './choice.ts';

export interface LikeShape {
  readonly role: Role;
  /** Wildcards that stay in the SQL. */
  readonly prefix: string;
  readonly suffix: string;
  readonly value: string;
}

/**
 * What of a LIKE pattern a user chooses: the text between its wildcards, or the whole pattern when there are
 * wildcards inside. Null for a pattern without a letter or digit: it tells a format, not a value.
 */
export function shapeOfPattern(pattern: string, hasEscape: boolean): LikeShape | null {
  if (!/[\p{L}\p{N}]/u.test(pattern)) return null;
  const whole: LikeShape = { role: 'pattern', prefix: '', suffix: '', value: pattern };
  if (hasEscape) return whole;
  return plainPattern(pattern) ?? whole;
}

/** A pattern that only asks what a text begins with, ends with, holds or is; null for any other. */
export function plainPattern(pattern: string): (LikeShape & { readonly role: PlainRole }) | null {
  const [, prefix = '', value = '', suffix = ''] = pattern.match(/^([%_]*)(.*?)([%_]*)$/s) ?? [];
  const role = ROLES[`${prefix} ${suffix}`];
  return role === undefined || value === '' || /[%_]/.test(value) ? null : { role, prefix, suffix, value };
}

type PlainRole = 'like' | 'contains' | 'starts_with' | 'ends_with';

const ROLES: Record<string, PlainRole> = {
  ' ': 'like',
  '% %': 'contains',
  ' %': 'starts_with',
  '% ': 'ends_with',
};
