import type { Gazetteer } from './places.ts';

/** A value of an API: booleans are 1 and 0 in SQL. */
export type ScalarValue = string | number | bigint | boolean | null;

/** An input of a scalar API. */
export interface ScalarInput {
  readonly name: string;
  readonly type: 'string' | 'number';
  readonly description: string;
  /** The texts that it may be. */
  readonly values?: readonly string[];
  /** Of an input that may be left out: what stands for it. */
  readonly usual?: string;
}

/** An API that answers one value for its inputs. */
export interface ScalarApi {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly ScalarInput[];
  readonly output: { readonly name: string; readonly type: 'integer' | 'number' | 'string' | 'boolean' };
  /** The value for inputs of the right types, none of them null. */
  compute(inputs: readonly (string | bigint)[], places: Gazetteer): ScalarValue | NoPlace | ChosenPlace;
}

/** The value for one of several places of that name: the largest. */
export class ChosenPlace {
  readonly value: ScalarValue;

  constructor(value: ScalarValue) {
    this.value = value;
  }
}

/** There is no such place, or several. */
export class NoPlace {
  readonly place: string;
  readonly reason: 'no_place' | 'several_places';

  constructor(place: string, reason: 'no_place' | 'several_places') {
    this.place = place;
    this.reason = reason;
  }
}
