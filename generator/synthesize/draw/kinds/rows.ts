import type { Place } from '../place.ts';
import { identifier, type Scene } from '../scene.ts';
import type { Kind } from './kind.ts';

const DETAILS = ['category', 'number', 'year', 'date', 'name'] as const;

/** What rows are called, and up to two details of them. */
function shown(scene: Scene, details: number): string[] {
  const label = scene.people(scene.main);
  const more = Array.from({ length: details }, () => scene.column(DETAILS, [scene.main]));
  const places = [...label, ...more].filter((place): place is Place => place !== null);
  return places.map(({ sql }) => sql);
}

/** Rows that meet a condition. */
export const rows: Kind = (scene) => {
  const columns = shown(scene, scene.random.below(2) + (scene.main.table.label ? 0 : 1));
  const where = scene.where();
  return columns.length > 0 && where ? `SELECT ${columns.join(', ')} ${scene.from} ${where}` : null;
};

/** The first few rows by a number or a date. */
export const top: Kind = (scene) => {
  const columns = shown(scene, 0);
  const by = scene.column(['number', 'date', 'year'], [scene.main]);
  if (columns.length === 0 || by === null) return null;
  const where = scene.seats.length > 1 ? scene.where() : scene.maybeWhere(0.5);
  if (where === null) return null;
  const direction = scene.random.chance(0.75) ? ' DESC' : '';
  const limit = scene.random.chance(0.5) ? 1 : 2 + scene.random.below(5);
  const known =
    by.column.nulls > 0 && direction === '' ? `${where ? ' AND' : 'WHERE'} ${by.sql} IS NOT NULL` : '';
  const list = limit > 1 && scene.random.chance(0.5) ? [...columns, by.sql] : columns;
  return `SELECT ${list.join(', ')} ${scene.from} ${where}${known} ORDER BY ${by.sql}${direction} LIMIT ${limit}`;
};

/** The different values of a category. */
export const distinct: Kind = (scene) => {
  const column = scene.column(['category', 'name'], [scene.main]);
  const where = scene.where();
  return column && where
    ? `SELECT DISTINCT ${column.sql} ${scene.from} ${where} ORDER BY ${column.sql}`
    : null;
};

/** Rows above or below the average of all. */
export const beyondAverage: Kind = (scene) => {
  const columns = shown(scene, 0);
  const number = scene.column(['number'], [scene.main]);
  if (columns.length === 0 || number === null) return null;
  const { name } = scene.main.table.table;
  const average = `(SELECT AVG(${identifier(number.column.column.name)}) FROM ${identifier(name)})`;
  const op = scene.random.chance(0.7) ? '>' : '<';
  const where = scene.seats.length > 1 ? scene.where() : scene.maybeWhere(0.6);
  if (where === null) return null;
  return `SELECT ${columns.join(', ')} ${scene.from} ${where ? `${where} AND` : 'WHERE'} ${number.sql} ${op} ${average}`;
};

/** Rows above the average of their own category. */
export const beyondOwnAverage: Kind = (scene) => {
  if (scene.seats.length > 1) return null;
  const seat = { alias: 'T1', table: scene.main.table };
  const label = scene.label(seat);
  const number = scene.column(['number'], [seat]);
  const category = scene.column(['category'], [seat]);
  const condition = scene.condition(['category', 'date', 'year'], [seat]);
  if (!label || !number || !category) return null;
  const name = identifier(seat.table.table.name);
  const [n, c] = [number, category].map(({ column }) => identifier(column.column.name));
  const own = `SELECT AVG(T2.${n}) FROM ${name} AS T2 WHERE T2.${c} = ${category.sql}`;
  const rest = condition ? ` AND ${condition}` : '';
  return `SELECT ${label.sql} FROM ${name} AS T1 WHERE ${number.sql} > (${own})${rest}`;
};

/** The rank of rows within their category. */
export const ranked: Kind = (scene) => {
  const columns = shown(scene, 0);
  const number = scene.column(['number'], [scene.main]);
  const category = scene.column(['category'], [scene.main]);
  const where = scene.where();
  if (columns.length === 0 || !number || !category || !where) return null;
  const window = `RANK() OVER (PARTITION BY ${category.sql} ORDER BY ${number.sql} DESC)`;
  return `SELECT ${[...columns, category.sql].join(', ')}, ${window} AS place ${scene.from} ${where}`;
};
