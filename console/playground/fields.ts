/** The input for a tool's argument. */
type FieldKind = 'handle' | 'column' | 'columns' | 'choice' | 'yes_no' | 'whole' | 'json' | 'value';

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  /** For a choice. */
  readonly choices: readonly string[];
  /** Whether it is rarely needed because it has a default. */
  readonly aside: boolean;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
}

/** The fields of a tool, from the JSON Schema of its arguments. */
export function fieldsOf(parameters: Readonly<Record<string, unknown>>): Field[] {
  const { properties = {}, required = [] } = parameters as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const kind = kindOf(name, schema);
    const hasDefault = 'default' in schema || schema.type === 'string';
    return {
      name,
      kind,
      description: schema.description ?? '',
      required: required.includes(name),
      choices: kind === 'choice' ? (schema.enum ?? []) : [],
      aside: !required.includes(name) && hasDefault && kind !== 'json',
    };
  });
}

/** Common arguments have the same names in all tools. */
function kindOf(name: string, schema: Schema): FieldKind {
  if (/(^|_)(data_source|unique_array|truncate_array)$/.test(name)) return 'handle';
  if (/(^|_)key_name$/.test(name)) return takesList(schema) ? 'columns' : 'column';
  if (schema.enum) return 'choice';
  if (schema.type === 'boolean') return 'yes_no';
  if (schema.type === 'integer') return 'whole';
  if (schema.type === 'object' || schema.type === 'array') return 'json';
  return 'value';
}

function takesList({ type, anyOf = [] }: Schema): boolean {
  return type === 'array' || anyOf.some(takesList);
}

/**
 * Interprets typed text as a value: JSON if it is a list, an object, or (unless the column is text) any other
 * JSON; else text. undefined for nothing.
 */
export function readValue(text: string, isText: boolean): unknown {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (isText && !/^[[{]/.test(typed)) return text;
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? typed
      : value;
  } catch {
    return text;
  }
}

/** A value as it would be typed. */
export function printValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
