import { z } from 'zod';

/**
 * One cell of a result as it appears in JSON: SQLite's integers and reals are numbers, text is a string,
 * NULL is null, and a blob is its upper-case hex digits. An infinite real, which JSON cannot write, is null.
 * An integer that a double cannot hold is a bigint, and only such an integer: read and write it with exact-json.ts.
 */
export const cell = z.union([z.string(), z.number(), z.bigint(), z.null()]);
export type Cell = z.infer<typeof cell>;

/** A result row, by position. */
export const row = z.array(cell);
export type Row = z.infer<typeof row>;
