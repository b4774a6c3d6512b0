import { createRequire } from 'node:module';

type Native = object & Record<string, unknown>;
const KEPT_RESULTS = ['prepare', 'backup', 'iterate'];

/** The objects kept in this process; empty until `keepObjects` has run. */
const kept = new Set<unknown>();

/**
 * Node.js 24 crashes when an object of better-sqlite3 12 is garbage-collected (nodejs/node#65446). Version 13 fixes that but
 * does not run on Node.js 20, so on Node.js 24 all objects are kept until the process ends. That costs little: closing a
 * database frees what its statements hold, and a finished statement is small.
 */
export function keepObjects(): void {
  if (kept.size > 0 || Number(process.versions.node.split('.')[0]) < 24) return;
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const keepAllOf = (prototype: Native) => {
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || typeof method !== 'function') continue;
      prototype[name] = function (this: unknown, ...args: unknown[]) {
        kept.add(this);
        const made = method.apply(this, args);
        if (KEPT_RESULTS.includes(name)) kept.add(made);
        return made;
      };
    }
  };
  const database = new Database(':memory:');
  const [inner] = Object.getOwnPropertySymbols(database).map((symbol) => database[symbol] as Native);
  if (inner === undefined) throw new Error('better-sqlite3 does not have the internals of version 12');
  const statement = database.prepare('SELECT 1');
  kept.add(inner).add(statement);
  keepAllOf(Object.getPrototypeOf(inner));
  keepAllOf(Object.getPrototypeOf(statement));
}
