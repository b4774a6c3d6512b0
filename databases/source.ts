import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** The text files one domain is grown from. */
export interface Source {
  /** The non-empty lines of a word list. */
  words(file: string): string[];
  /** The rows of a CSV file with a header, each as a lookup that fails on an unknown column. */
  rows(file: string): SourceRow[];
  /** Some columns of a CSV file as they are, an empty cell as NULL. */
  copy(file: string, columns: readonly string[]): (string | null)[][];
}

/** One row of a CSV source; an empty cell is an empty text. */
export type SourceRow = (column: string) => string;

/** Reads the sources in a domain's folder. */
export function openSource(folder: string): Source {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const rows = (file: string): SourceRow[] => {
    const records: Record<string, string>[] = parse(read(file), { columns: true });
    return records.map((record) => (column) => {
      const value = record[column];
      if (value === undefined) throw new Error(`${file}: no column "${column}"`);
      return value;
    });
  };
  return {
    words: (file) => read(file).split('\n').filter(Boolean),
    rows,
    copy: (file, columns) => rows(file).map((row) => columns.map((column) => row(column) || null)),
  };
}
