import type { Catalog } from '../../../contracts/catalog.ts';
import type { Service } from '../../../contracts/service.ts';
import type { DatabaseVariant } from '../../variants/make-variants.ts';
import type { GoldAnswers } from '../../verify/gold-answers.ts';
import type { VariantApps } from '../../verify/play/variant-apps.ts';

/** A domain ready to be proven: its service, running over the original data and the neighbours'. */
export interface ProveContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  readonly service: Service;
  readonly goldAnswers: GoldAnswers;
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly apps: VariantApps;
  /** Questions proven at once. */
  readonly jobs: number;
  readonly signal?: AbortSignal;
  /** Called once for each candidate that is decided. */
  readonly onVerdict?: () => void;
}
