import { identifier, type Scene } from '../scene.ts';
import { stepsFrom } from '../set-scene.ts';
import type { Kind } from './kind.ts';

/** A reference to another table, from the side of that table. */
function parentOf(scene: Scene) {
  const step = scene.random.pick(stepsFrom(scene.profile, scene.main.table));
  const label = step?.to.label;
  if (scene.seats.length > 1 || !step || !label) return null;
  return {
    parent: identifier(step.to.table.name),
    child: identifier(scene.main.table.table.name),
    label: identifier(label.column.name),
    key: identifier(step.by.to.column),
    reference: identifier(step.by.from.column),
    seat: { alias: 'T2', table: scene.main.table },
  };
}

/** Rows that some row refers to. */
export const exists: Kind = (scene) => {
  const found = parentOf(scene);
  const condition = found && scene.condition(['category', 'number', 'year', 'date'], [found.seat]);
  if (!found || !condition) return null;
  const { parent, child, label, key, reference } = found;
  return `SELECT T1.${label} FROM ${parent} AS T1 WHERE EXISTS (SELECT 1 FROM ${child} AS T2 WHERE T2.${reference} = T1.${key} AND ${condition})`;
};

/** Rows that no row, or none of some, refers to. */
export const without: Kind = (scene) => {
  const found = parentOf(scene);
  if (!found) return null;
  const condition = scene.condition(['category', 'number', 'year', 'date'], [found.seat]);
  const { parent, child, label, key, reference } = found;
  const rest = condition ? ` AND ${condition}` : '';
  return `SELECT T1.${label} FROM ${parent} AS T1 WHERE NOT EXISTS (SELECT 1 FROM ${child} AS T2 WHERE T2.${reference} = T1.${key}${rest})`;
};

/** Rows whose key is among those that a condition picks. */
export const among: Kind = (scene) => {
  const found = parentOf(scene);
  const condition =
    found && scene.condition(['category', 'number', 'year'], [{ alias: '', table: scene.main.table }]);
  if (!found || !condition) return null;
  const { parent, child, label, key, reference } = found;
  return `SELECT ${label} FROM ${parent} WHERE ${key} IN (SELECT ${reference} FROM ${child} WHERE ${condition})`;
};

/** What two conditions have in common, together, or apart. */
export const combined: Kind = (scene) => {
  const label =
    scene.seats.length > 1 ? scene.label(scene.last) : (scene.column(['category'], [scene.main]) ?? null);
  const seats = [scene.main];
  const [one, other] = [
    scene.condition(['category', 'number', 'year'], seats),
    scene.condition(['category', 'number', 'date'], seats),
  ];
  if (!label || !one || !other) return null;
  const op = scene.random.pick(['INTERSECT', 'EXCEPT', 'UNION']) ?? 'UNION';
  return `SELECT ${label.sql} ${scene.from} WHERE ${one} ${op} SELECT ${label.sql} ${scene.from} WHERE ${other}`;
};
