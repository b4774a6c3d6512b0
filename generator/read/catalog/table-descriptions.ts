import { existsSync } from 'node:fs';
import type { Confines } from '../files/own-file.ts';
import { readLegacyText } from '../files/read-text.ts';
import { type Annotations, NO_ANNOTATIONS, type TableAnnotation } from './annotations.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';

const HEADERS = ['table', 'column', 'name', 'description', 'value_description'];

/** Annotations from rookery's `descriptions/<db>.csv`; a row with an empty column describes the table itself. */
export function readTableDescriptions(file: string, confines: Confines): Annotations {
  if (!existsSync(file)) return NO_ANNOTATIONS;
  return { files: [file], tables: csvRecords(readLegacyText(file, confines), HEADERS).flatMap(toTable) };
}

function toTable(record: CsvRecord): TableAnnotation[] {
  const table = record('table');
  if (table === null) return [];
  const column = record('column');
  const named = { friendly_name: record('name'), description: record('description') };
  if (column === null) return [{ table, ...named, columns: [] }];
  const columns = [{ column, ...named, value_description: record('value_description') }];
  return [{ table, friendly_name: null, description: null, columns }];
}
