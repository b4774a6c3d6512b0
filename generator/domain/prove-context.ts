import type { Catalog } from '../../contracts/catalog.ts';
import type { Service } from '../../contracts/service.ts';
import type { GoldBook } from '../verify/gold-book.ts';
import type { World } from '../verify/world.ts';
import type { WorldApps } from './world-apps.ts';

/** A domain ready to be proven: its service, running over the original data and the neighbours'. */
export interface ProveContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  readonly service: Service;
  readonly book: GoldBook;
  readonly worlds: readonly [World, ...World[]];
  readonly apps: WorldApps;
  /** Questions under way at once. */
  readonly jobs: number;
  readonly signal?: AbortSignal;
  /** Called once for each candidate that is decided. */
  readonly onVerdict?: () => void;
}
