import type { Cell, Row } from '../../contracts/value.ts';
import { isNumber, isObject, type Json, numberValue, parseJson } from '../json/lossless.ts';

/**
 * The ways in which an agent's answer can be read as rows, best first: rows (arrays or objects, also inside a REST
 * answer's `data`), columns by name, a list (one column, or one row), a scalar, or text. Text is itself one cell and,
 * where it spells JSON or a number, that too. Empty when it cannot be read as any of these.
 */
export function readAnswer(answer: Json): Row[][] {
  if (typeof answer === 'string') return readText(answer);
  if (Array.isArray(answer)) return readList(answer);
  if (isObject(answer)) return readObject(answer);
  const cell = toCell(answer);
  return cell === undefined ? [] : [[[cell]]];
}

function readText(text: string): Row[][] {
  const trimmed = text.trim();
  const readings: Row[][] = [[[text]]];
  if (trimmed !== text) readings.push([[trimmed]]);
  try {
    const parsed = parseJson(trimmed);
    if (typeof parsed !== 'string') readings.push(...readAnswer(parsed));
    else readings.push([[parsed]]);
  } catch {
    // Prose is not JSON: the text itself is the only reading.
  }
  return readings;
}

function readList(list: readonly Json[]): Row[][] {
  if (list.length === 0) return [[]];
  const rows = list.map(toRow);
  if (rows.every((row) => row !== null)) return [rows];
  const cells = list.map(toCell);
  if (cells.every((cell) => cell !== undefined)) return [cells.map((cell) => [cell]), [cells]];
  return [];
}

function readObject(object: { readonly [key: string]: Json }): Row[][] {
  const { data } = object;
  if (Array.isArray(data)) return readList(data);
  const values = Object.values(object);
  const columns = values.filter((value) => Array.isArray(value));
  if (columns.length > 0 && columns.length === values.length) return readColumns(columns);
  const row = toRow(object);
  return row === null ? [] : [[row]];
}

/** `{a: [1, 2], b: [3, 4]}` is the rows [1, 3] and [2, 4]. */
function readColumns(columns: readonly (readonly Json[])[]): Row[][] {
  const length = columns[0]?.length ?? 0;
  if (columns.some((column) => column.length !== length)) return [];
  return readList(Array.from({ length }, (_, i) => columns.map((column) => column[i] ?? null)));
}

function toRow(value: Json): Row | null {
  if (!Array.isArray(value) && !isObject(value)) return null;
  const cells = Object.values(value).map(toCell);
  return cells.every((cell) => cell !== undefined) ? cells : null;
}

function toCell(value: Json): Cell | undefined {
  if (isNumber(value)) return numberValue(value);
  // SQLite has no booleans: its comparisons give 1 and 0.
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null || typeof value === 'string' ? value : undefined;
}
