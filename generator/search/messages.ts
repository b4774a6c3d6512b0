import type { Change } from '../variants/change.ts';
import type { SharpenRequest } from '../variants/make-variants.ts';

/** Changes to be made after those of the last plan. */
export type SharpenReply = readonly Change[];

/** Finds changes by which the last of some neighbours tells more mutants apart. */
export type Sharpen = (request: SharpenRequest) => Promise<SharpenReply>;
