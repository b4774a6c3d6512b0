/** One of the paper's use cases: a database of three collections that have no keys between them. */
export interface UseCase {
  /** The database's name. */
  readonly db: string;
  /** What people use it for. */
  readonly overview: string;
  readonly collections: readonly Collection[];
}

/**
 * A collection with the paper's four properties (an identifier, a rich text, a number, a boolean), and two of ours: a
 * kind, which is a text with few values, and a second boolean. Without them, some combinations of operators would ask
 * nothing: how many of those that are open are open.
 */
export interface Collection {
  readonly name: string;
  /** What its items are, in the plural. */
  readonly items: string;
  readonly rows: number;
  /** Each first part goes with each second part. */
  readonly identifier: Property & { readonly parts: readonly [string, string] };
  /**
   * Facets, a line each: `form / form = term, term`. An item's text has two or three facets, each in one of its forms; the terms
   * are what people search for it by, and stand in no text.
   */
  readonly text: Property & { readonly facets: string };
  /** `Italian 5, Thai 3`: values with their weights. */
  readonly kind: Property & { readonly values: string };
  /** Bell-shaped. */
  readonly number: Property & { readonly mean: number; readonly spread: number; readonly digits: number };
  readonly boolean: Property & { readonly share: number };
  readonly second: Property & { readonly share: number };
}

interface Property {
  readonly name: string;
  /** What people call it. */
  readonly title: string;
}
