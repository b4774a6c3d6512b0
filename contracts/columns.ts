/** Objects with the same keys, each key written once. */
export interface Columns {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Objects as rows under the keys of the first: a fraction of the text that JSON has for them. */
export function packRows(objects: readonly object[]): Columns {
  const fields = Object.keys(objects[0] ?? {});
  return { fields, rows: objects.map((each) => packRow(each, fields)) };
}

function packRow(object: object, fields: readonly string[]): unknown[] {
  const values = new Map<string, unknown>(Object.entries(object));
  return fields.map((field) => values.get(field) ?? null);
}

/** The objects again. What they are like is up to whoever packed them. */
export function unpackRows<T>({ fields, rows }: Columns): T[] {
  return rows.map((row) => Object.fromEntries(fields.map((field, i) => [field, row[i]])) as T);
}
