import type { Random } from '../../variants/random.ts';
import type { Profile } from '../profile/profile.ts';
import { KIND_NAMES, KINDS, type KindName } from './kinds/index.ts';
import { setScene } from './set-scene.ts';
import type { Style } from './styles.ts';

/** A query that was drawn; whether it is worth asking is not known yet. */
export interface DrawnQuery {
  readonly kind: KindName;
  readonly sql: string;
}

/** Draws one query; null when the database does not offer what was drawn. */
export function drawQuery(profile: Profile, random: Random, style: Style): DrawnQuery | null {
  const kind = weighted(
    random,
    KIND_NAMES,
    KIND_NAMES.map((name) => style.weights[name]),
  );
  const joins = weighted(random, [0, 1, 2], style.joins);
  const scene = setScene(profile, random, joins);
  const sql = scene && KINDS[kind](scene);
  return sql ? { kind, sql: sql.replaceAll(/ +/g, ' ').trim() } : null;
}

function weighted<T>(random: Random, items: readonly T[], weights: readonly number[]): T {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return items[Math.max(0, index)] as T;
}
