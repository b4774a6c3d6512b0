import { existsSync } from 'node:fs';
import type { Facet } from '../../../contracts/catalog.ts';
import type { Confines } from '../files/own-file.ts';
import { readLegacyText } from '../files/read-text.ts';
import { type Annotations, NO_ANNOTATIONS, type TableAnnotation } from './annotations.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';

const HEADERS = ['table', 'column', 'name', 'description', 'value_description', 'facets'];

/**
 * Annotations from rookery's `descriptions/<db>.csv`; a row with an empty column describes the table itself. What the texts of
 * a column may be about stands in `facets`.
 */
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
  const facets = facetsIn(record('facets'));
  const about = facets.length > 0 ? { facets } : {};
  const columns = [{ column, ...named, value_description: record('value_description'), ...about }];
  return [{ table, friendly_name: null, description: null, columns }];
}

/** A facet a line: `phrase / phrase = term, term`. */
function facetsIn(cell: string | null): Facet[] {
  return (cell ?? '').split('\n').flatMap((line) => {
    const [said = '', searched = ''] = line.split(' = ');
    const phrases = partsOf(said, ' / ');
    return phrases.length > 0 ? [{ phrases, terms: partsOf(searched, ',') }] : [];
  });
}

function partsOf(text: string, separator: string): string[] {
  return text.split(separator).flatMap((part) => part.trim() || []);
}
