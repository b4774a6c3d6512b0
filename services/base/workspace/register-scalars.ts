import type Database from 'better-sqlite3';
import { readScalarInputs } from '../scalars/read-scalar-inputs.ts';
import { SCALAR_APIS } from '../scalars/registry.ts';
import type { ScalarApi } from '../scalars/scalar-api.ts';
import type { SqlValue } from '../sqlite/driver.ts';

/** The value of an API for inputs by position; undefined: not known yet. */
export type ScalarValues = (api: ScalarApi, inputs: readonly SqlValue[]) => SqlValue | undefined;

/** A virtual table was read without one of its inputs: nothing says for which values the API is to be called. */
export class UnboundInputError extends Error {
  constructor(api: string, input: string) {
    super(`${api} is read without ${input}: join or compare it with a value`);
    this.name = 'UnboundInputError';
  }
}

/**
 * Gives a connection the scalar APIs as functions, and as virtual tables under the same names whose inputs are columns
 * that must be joined or compared. A table of the database hides the virtual one of its name.
 */
export function registerScalars(db: Database.Database, values: ScalarValues): void {
  const taken = new Set(
    db
      .prepare<[], { name: string }>('SELECT lower(name) AS name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  );
  for (const api of SCALAR_APIS) {
    const lookUp = (inputs: readonly SqlValue[]): SqlValue => values(api, inputs) ?? null;
    const options = { deterministic: true, varargs: true, safeIntegers: true, directOnly: true };
    db.function(api.name, options, (...inputs: unknown[]) => lookUp(inputs as SqlValue[]));
    if (!taken.has(api.name)) db.table(api.name, virtualTable(api, lookUp));
  }
}

function virtualTable(api: ScalarApi, lookUp: (inputs: readonly SqlValue[]) => SqlValue) {
  return {
    columns: [api.output.name],
    parameters: api.inputs.map(({ name }) => name),
    directOnly: true,
    safeIntegers: true,
    *rows(...given: unknown[]): Generator<SqlValue[]> {
      // What nothing binds is undefined; NULL, which equals nothing, does not come here.
      api.inputs.forEach(({ name, usual }, i) => {
        if (given[i] === undefined && usual === undefined) throw new UnboundInputError(api.name, name);
      });
      const inputs = given.map((value) => (value === undefined ? null : value) as SqlValue);
      const read = readScalarInputs(api, inputs);
      if ('faults' in read) return;
      const value = lookUp(inputs);
      // An API that knows no value has no row.
      if (value !== null) yield [value];
    },
  };
}
