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
  const [, prefix = '', value = '', suffix = ''] = pattern.match(/^([%_]*)(.*?)([%_]*)$/s) ?? [];
  if (/[%_]/.test(value)) return whole;
  const role = ROLES[`${prefix} ${suffix}`];
  return role === undefined ? whole : { role, prefix, suffix, value };
}

const ROLES: Record<string, Role> = {
  ' ': 'like',
  '% %': 'contains',
  ' %': 'starts_with',
  '% ': 'ends_with',
};
