/**
 * JSON values, column by column: the values of one field of all objects stand together, in which brotli finds more that is
 * alike. A list has values without parts.
 */
export type Columns =
  | readonly unknown[]
  | { readonly shapes: string[][]; readonly at: number[]; readonly fields: Record<string, Columns> }
  | { readonly lengths: number[]; readonly items: Columns }
  | { readonly printed: Columns }
  | { readonly kinds: number[]; readonly parts: readonly Columns[] };

/** In a list: the same text as before. */
const AGAIN: readonly never[] = [];

export function toColumns(values: readonly unknown[]): Columns {
  const kinds = values.map(kindOf);
  const [first = KINDS.scalar] = kinds;
  if (kinds.some((kind) => kind !== first)) {
    const parts = Object.values(KINDS).map((kind) => toColumns(values.filter((_, i) => kinds[i] === kind)));
    return { kinds, parts };
  }
  switch (first) {
    case KINDS.array:
      return columnsOfArrays(values as unknown[][]);
    case KINDS.object:
      return columnsOfObjects(values as JsonObject[]);
    case KINDS.printed:
      return { printed: toColumns(values.map((text) => JSON.parse(text as string))) };
    default:
      return values.map((value, i) => (isAgain(value, values[i - 1]) ? AGAIN : toScalar(value)));
  }
}

export function fromColumns(columns: Columns): unknown[] {
  if (isList(columns)) {
    let last: unknown;
    return columns.map((value) => {
      if (!Array.isArray(value)) last = value;
      else if (value.length > 0) last = BigInt(value[0]);
      return last;
    });
  }
  if ('kinds' in columns) {
    const parts = columns.parts.map(reader);
    return columns.kinds.map((kind) => parts[kind]?.());
  }
  if ('printed' in columns) return fromColumns(columns.printed).map((value) => JSON.stringify(value));
  if ('lengths' in columns) {
    const next = reader(columns.items);
    return columns.lengths.map((length) => Array.from({ length }, next));
  }
  const next = new Map(Object.entries(columns.fields).map(([key, field]) => [key, reader(field)]));
  return columns.at.map((at) =>
    Object.fromEntries(columns.shapes[at]?.map((key) => [key, next.get(key)?.()]) ?? []),
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A value without parts, an array, an object, or a text that JSON.stringify prints of one of these. */
const KINDS = { scalar: 0, array: 1, object: 2, printed: 3 } as const;

function kindOf(value: unknown): number {
  if (typeof value === 'string') return isPrinted(value) ? KINDS.printed : KINDS.scalar;
  if (typeof value !== 'object' || value === null) return KINDS.scalar;
  return Array.isArray(value) ? KINDS.array : KINDS.object;
}

function isPrinted(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

function columnsOfArrays(values: readonly (readonly unknown[])[]): Columns {
  return { lengths: values.map(({ length }) => length), items: toColumns(values.flat()) };
}

function columnsOfObjects(values: readonly JsonObject[]): Columns {
  const shapes = new Map<string, number>();
  const fields = new Map<string, unknown[]>();
  const at = values.map((value) => {
    for (const [key, part] of Object.entries(value)) {
      const field = fields.get(key);
      if (field) field.push(part);
      else fields.set(key, [part]);
    }
    const shape = JSON.stringify(Object.keys(value));
    const known = shapes.get(shape) ?? shapes.size;
    shapes.set(shape, known);
    return known;
  });
  return {
    shapes: [...shapes.keys()].map((shape) => JSON.parse(shape)),
    at,
    fields: Object.fromEntries([...fields].map(([key, field]) => [key, toColumns(field)])),
  };
}

/** Gives one value after the other. */
function reader(columns: Columns): () => unknown {
  const values = fromColumns(columns);
  let i = 0;
  return () => values[i++];
}

const isList = (columns: Columns): columns is readonly unknown[] => Array.isArray(columns);

const isAgain = (value: unknown, before: unknown) =>
  typeof value === 'string' && value.length > 2 && value === before;

/** In a list, a bigint is an array with its digits, since JSON has none. */
const toScalar = (value: unknown) => (typeof value === 'bigint' ? [`${value}`] : value);
