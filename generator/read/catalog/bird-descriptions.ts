import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesIn } from '../files/folder.ts';
import type { Confines } from '../files/own-file.ts';
import { readLegacyText } from '../files/read-text.ts';
import { type Annotations, type ColumnAnnotation, NO_ANNOTATIONS } from './annotations.ts';
import { csvRecords } from './csv-records.ts';

const HEADERS = [
  'original_column_name',
  'column_name',
  'column_description',
  'data_format',
  'value_description',
];

/** Annotations from BIRD's `database_description/<table>.csv` beside a database; empty when there are none. */
export function readBirdDescriptions(databaseFile: string, confines: Confines): Annotations {
  const folder = join(dirname(databaseFile), 'database_description');
  if (!existsSync(folder)) return NO_ANNOTATIONS;
  const files = filesIn(folder).filter((file) => file.toLowerCase().endsWith('.csv'));
  return {
    files,
    tables: files.map((file) => ({
      table: basename(file).slice(0, -'.csv'.length),
      friendly_name: null,
      description: null,
      columns: csvRecords(readLegacyText(file, confines), HEADERS).flatMap(toColumn),
    })),
  };
}

function toColumn(record: (column: string) => string | null): ColumnAnnotation[] {
  const column = record('original_column_name');
  // A row without a column's name continues a note that was broken over two lines.
  if (column === null) return [];
  return [
    {
      column,
      friendly_name: record('column_name'),
      description: record('column_description'),
      value_description: record('value_description'),
    },
  ];
}
