import type { Augmenter } from '../../contracts/augmentation.ts';
import type { Column, CompareOp } from '../../sql/index.ts';
import type { Composition, Fixed } from './composition.ts';

/** What the value of a composition is compared with; nothing where it is a boolean. */
export interface Test {
  readonly op: Extract<CompareOp, '=' | '<' | '<=' | '>'>;
  readonly value: Fixed;
}

/** How the values of all rows together are told. */
export type Together = 'max' | 'min' | 'avg' | 'sum';

/** A way to make another question of one: which APIs are asked about which column, and what becomes of their value. */
export interface Idea {
  readonly augmenter: Augmenter;
  readonly column: Column;
  readonly composition: Composition;
  /** Of a filter by anything but a boolean. */
  readonly test: Test | null;
  /** Of an order. */
  readonly direction: 'asc' | 'desc';
  /** Of an aggregation. */
  readonly together: Together;
}
