import type { Place } from '../place.ts';
import { identifier, type Scene } from '../scene.ts';
import { stepsFrom } from '../set-scene.ts';
import type { Kind } from './kind.ts';

/** A category of the main table, or what the rows of the last one are called, which a key keeps apart. */
function groupBy(scene: Scene): { readonly shown: string; readonly keys: string } | null {
  if (scene.seats.length > 1) {
    const label: Place | null = scene.label(scene.last);
    const key = scene.key(scene.last);
    return label && key ? { shown: label.sql, keys: key } : null;
  }
  const column = scene.column(['category'], [scene.main]);
  return column && { shown: column.sql, keys: column.sql };
}

/** How many rows each group has. */
export const countPerGroup: Kind = (scene) => {
  const group = groupBy(scene);
  if (group === null) return null;
  const where = scene.random.chance(0.5)
    ? scene.condition(['category', 'number', 'date'], [scene.main])
    : null;
  const having = scene.random.chance(0.35)
    ? ` HAVING COUNT(*) >= ${scene.random.pick([2, 3, 5, 10, 20])}`
    : '';
  return `SELECT ${group.shown}, COUNT(*) ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${group.keys}${having}`;
};

/** A mean, a sum or an extreme of each group. */
export const aggregatePerGroup: Kind = (scene) => {
  const group = groupBy(scene);
  const number = scene.column(['number'], [scene.main]);
  if (!group || !number) return null;
  const name = scene.random.pick(['AVG', 'SUM', 'MAX', 'MIN']) ?? 'AVG';
  const where = scene.random.chance(0.6) ? scene.condition(['category', 'date', 'year'], [scene.main]) : null;
  const order = scene.random.chance(0.3) ? ` ORDER BY ${name}(${number.sql}) DESC` : '';
  return `SELECT ${group.shown}, ${name}(${number.sql}) ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${group.keys}${order}`;
};

/** The group with most rows, or with the highest sum. */
export const topGroup: Kind = (scene) => {
  const group = groupBy(scene);
  if (group === null) return null;
  const number = scene.random.chance(0.4) ? scene.column(['number'], [scene.main]) : null;
  const by = number ? `${scene.random.chance(0.5) ? 'SUM' : 'AVG'}(${number.sql})` : 'COUNT(*)';
  const where = scene.random.chance(0.4)
    ? scene.condition(['category', 'date', 'number'], [scene.main])
    : null;
  const limit = scene.random.chance(0.7) ? 1 : 3;
  return `SELECT ${group.shown} ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${group.keys} ORDER BY ${by} DESC LIMIT ${limit}`;
};

/** How many rows fall into each year. */
export const perYear: Kind = (scene) => {
  const date = scene.column(['date'], [scene.main]);
  if (date === null) return null;
  const where = scene.random.chance(0.6) ? scene.condition(['category', 'number']) : null;
  const year = `strftime('%Y', ${date.sql})`;
  return `SELECT ${year}, COUNT(*) ${scene.from}${where ? ` WHERE ${where}` : ''} GROUP BY ${year} ORDER BY ${year}`;
};

/** How many rows lie below, within and above two bounds. */
export const bands: Kind = (scene) => {
  const number = scene.column(['number'], [scene.main]);
  const [, low, , , , high] = number?.column.steps ?? [];
  if (!number || low === undefined || high === undefined || low === high) return null;
  const [a, b] = [Math.round(Number(low)), Math.round(Number(high))];
  if (a === b) return null;
  const where = scene.maybeWhere(0.5);
  const band = `CASE WHEN ${number.sql} < ${a} THEN 'low' WHEN ${number.sql} <= ${b} THEN 'medium' ELSE 'high' END`;
  return `SELECT ${band} AS band, COUNT(*) ${scene.from} ${where}${where ? ' AND' : 'WHERE'} ${number.sql} IS NOT NULL GROUP BY band`;
};

/** The mean number of rows that a row above has. */
export const meanPerParent: Kind = (scene) => {
  const [step] = stepsFrom(scene.profile, scene.main.table);
  if (scene.seats.length > 1 || step === undefined) return null;
  const where = scene.where();
  const key = identifier(step.by.from.column);
  return (
    where &&
    `WITH per_${identifierPart(step.to.table.name)} AS (SELECT ${key}, COUNT(*) AS n ${scene.from} ${where} GROUP BY ${key}) SELECT AVG(n) FROM per_${identifierPart(step.to.table.name)}`
  );
};

/** How many rows each row above has, none included. */
export const countWithNone: Kind = (scene) => {
  const step = scene.random.pick(stepsFrom(scene.profile, scene.main.table));
  const parent = step?.to;
  if (scene.seats.length > 1 || !step || !parent?.label || !parent.key) return null;
  const own = scene.condition(['category', 'number', 'year'], [{ alias: 'T2', table: scene.main.table }]);
  const label = `T1.${identifier(parent.label.column.name)}`;
  const key = `T1.${identifier(parent.key)}`;
  return (
    `SELECT ${label}, COUNT(T2.${identifier(step.by.from.column)}) FROM ${identifier(parent.table.name)} AS T1 ` +
    `LEFT JOIN ${identifier(scene.main.table.table.name)} AS T2 ON T2.${identifier(step.by.from.column)} = T1.${identifier(step.by.to.column)}` +
    `${own ? ` AND ${own}` : ''} GROUP BY ${key}`
  );
};

function identifierPart(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}
