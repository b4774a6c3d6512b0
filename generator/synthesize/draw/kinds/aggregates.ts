import type { Kind } from './kind.ts';

/** How many rows meet a condition. */
export const count: Kind = (scene) => {
  const where = scene.where();
  return where && `SELECT COUNT(*) ${scene.from} ${where}`;
};

/** How many different values there are. */
export const countDistinct: Kind = (scene) => {
  const column = scene.column(['category', 'name'], [scene.main]);
  const where = scene.where();
  return column && where ? `SELECT COUNT(DISTINCT ${column.sql}) ${scene.from} ${where}` : null;
};

/** A sum, a mean or an extreme of the rows that meet a condition. */
export const aggregate: Kind = (scene) => {
  const number = scene.column(['number'], [scene.main]);
  const where = scene.where();
  if (!number || !where) return null;
  const names = scene.random.sample(['AVG', 'SUM', 'MAX', 'MIN'], scene.random.chance(0.2) ? 2 : 1);
  return `SELECT ${names.map((name) => `${name}(${number.sql})`).join(', ')} ${scene.from} ${where}`;
};

/** The percentage of rows that meet a condition, of those that meet another. */
export const percentage: Kind = (scene) => {
  const condition = scene.condition(['category', 'category', 'number', 'date'], [scene.main]);
  if (condition === null) return null;
  const where = scene.seats.length > 1 ? scene.where() : scene.maybeWhere(0.5);
  if (where === null) return null;
  return `SELECT CAST(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) ${scene.from} ${where}`.trimEnd();
};

/** How many more rows meet one condition than another. */
export const difference: Kind = (scene) => {
  const column = scene.column(['category'], [scene.main]);
  const [one, other] = column ? scene.random.sample(column.column.common, 2) : [];
  if (!column || !one || !other || typeof one.value !== 'string' || typeof other.value !== 'string')
    return null;
  const [more, less] = one.share >= other.share ? [one, other] : [other, one];
  const sum = (value: string) =>
    `SUM(CASE WHEN ${column.sql} = '${value.replaceAll("'", "''")}' THEN 1 ELSE 0 END)`;
  const where = scene.seats.length > 1 ? scene.where() : scene.maybeWhere(0.5);
  if (where === null) return null;
  return `SELECT ${sum(String(more.value))} - ${sum(String(less.value))} ${scene.from} ${where}`.trimEnd();
};
