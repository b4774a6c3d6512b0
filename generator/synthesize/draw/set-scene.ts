import type { Random } from '../../variants/random.ts';
import type { Profile, ProfiledTable } from '../profile/profile.ts';
import type { Reference } from '../profile/references.ts';
import type { Seat } from './place.ts';
import { identifier, Scene } from './scene.ts';

/** A scene of one table, or of some joined along references. null when the database has none. */
export function setScene(profile: Profile, random: Random, joins: number): Scene | null {
  const path = drawPath(profile, random, joins);
  if (path === null) return null;
  const { start, steps } = path;
  if (steps.length === 0) {
    return new Scene(random, profile, [{ alias: '', table: start }], `FROM ${identifier(start.table.name)}`);
  }
  const tables = [start, ...steps.map(({ to }) => to)];
  const seats = tables.map((table, i): Seat => ({ alias: `T${i + 1}`, table }));
  const joined = steps.map(({ by, to }, i) => {
    const [child, parent] = [`T${i + 1}`, `T${i + 2}`];
    const name = identifier(to.table.name);
    return ` INNER JOIN ${name} AS ${parent} ON ${child}.${identifier(by.from.column)} = ${parent}.${identifier(by.to.column)}`;
  });
  return new Scene(random, profile, seats, `FROM ${identifier(start.table.name)} AS T1${joined.join('')}`);
}

interface Step {
  readonly by: Reference;
  readonly to: ProfiledTable;
}

function drawPath(
  profile: Profile,
  random: Random,
  joins: number,
): { readonly start: ProfiledTable; readonly steps: readonly Step[] } | null {
  const starts = profile.tables.filter(
    (table) =>
      table.columns.some(({ kind }) => kind !== 'key') &&
      (joins === 0 || stepsFrom(profile, table).length > 0),
  );
  const start = random.pick(starts);
  if (start === undefined) return null;
  const steps: Step[] = [];
  const seen = new Set([start]);
  for (let at = start; steps.length < joins; ) {
    const step = random.pick(stepsFrom(profile, at).filter(({ to }) => !seen.has(to)));
    if (step === undefined) break;
    steps.push(step);
    seen.add(step.to);
    at = step.to;
  }
  return joins > 0 && steps.length === 0 ? null : { start, steps };
}

/** The tables that a table refers to. */
export function stepsFrom({ references, tables }: Profile, { table }: ProfiledTable): Step[] {
  return references.flatMap((by) => {
    const to = tables.find((other) => other.table.name === by.to.table);
    return by.from.table === table.name && to !== undefined && to.table !== table ? [{ by, to }] : [];
  });
}
