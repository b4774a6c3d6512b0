/** A file of an output folder: its `/`-separated path in it, and its content or a finished file to move there. */
export type FarmFile =
  | { readonly path: string; readonly content: string | Buffer }
  | { readonly path: string; readonly moveFrom: string };

/** Files as they become ready, in any order. */
export type FarmFiles = Iterable<FarmFile> | AsyncIterable<FarmFile>;
