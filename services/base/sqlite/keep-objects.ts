import { createRequire } from 'node:module';

type Native = object & Record<string, unknown>;
const KEPT_RESULTS = ['prepare', 'backup', 'iterate'];

/** Those of this process; null before they are kept. */
let kept: Set<unknown> | null = null;

/**
 * Node.js 24 ends the process when an object of better-sqlite3 12 is garbage-collected (nodejs/node#65446); 13, of which
 * that is not true, does not run on Node.js 20. So there they are kept until the process ends. A closed database has let go
 * of what its statements hold, and of a statement that is used up little is left.
 */
export function keepObjects(): void {
  if (kept !== null || Number(process.versions.node.split('.')[0]) < 24) return;
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const all = new Set<unknown>();
  kept = all;
  const keepAllOf = (prototype: Native) => {
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || typeof method !== 'function') continue;
      prototype[name] = function (this: unknown, ...args: unknown[]) {
        all.add(this);
        const made = method.apply(this, args);
        if (KEPT_RESULTS.includes(name)) all.add(made);
        return made;
      };
    }
  };
  const database = new Database(':memory:');
  const [inner] = Object.getOwnPropertySymbols(database).map((symbol) => database[symbol] as Native);
  if (inner === undefined) throw new Error('better-sqlite3 has another shape than that of 12');
  const statement = database.prepare('SELECT 1');
  all.add(inner).add(statement);
  keepAllOf(Object.getPrototypeOf(inner));
  keepAllOf(Object.getPrototypeOf(statement));
}
