import { type Options, parse } from 'csv-parse/sync';

/** A row of a CSV file, by header; a cell that is missing, or blank, is null. */
export type CsvRecord = (column: string) => string | null;

/**
 * The rows of a CSV file written by hand: headers are compared in lower case with `_` for spaces, rows may
 * be short or long, semicolons or tabs may stand for commas, and a file whose quotes do not balance is read line by line with quotes as they are.
 */
export function csvRecords(text: string, headers: readonly string[]): CsvRecord[] {
  const [first, ...rows] = parseRows(text);
  if (first === undefined) return [];
  const written = first.map((header) => header.trim().toLowerCase().replace(/\s+/g, '_'));
  // Without the first header this is not a known header line, and columns are taken by position.
  const known = written.includes(headers[0] ?? '');
  const position = new Map(headers.map((header, i) => [header, known ? written.indexOf(header) : i]));
  return (known ? rows : [first, ...rows]).map((row) => (column) => {
    const cell = row[position.get(column) ?? -1]?.trim();
    return cell === undefined || cell === '' ? null : cell;
  });
}

/** What the first line is separated by; spreadsheets write semicolons where a comma is in numbers. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  return header.includes(',') ? ',' : (/[;\t]/.exec(header)?.[0] ?? ',');
}

function parseRows(text: string): string[][] {
  const options = {
    bom: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    skip_empty_lines: true,
  } satisfies Options;
  try {
    return parse(text, { ...options, relax_quotes: true });
  } catch {
    return parse(text, { ...options, quote: false });
  }
}
