import type { ModelTool } from '../model/model.ts';

/** A parameter of a tool, as far as agents without a model look at it. */
export interface ToolParameter {
  readonly name: string;
  /** The first of the types that the schema allows. */
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  /** What it may be, where the schema lists that. */
  readonly values: readonly unknown[];
}

type Schema = Readonly<Record<string, unknown>>;

/** The parameters of a tool in the schema's order. */
export function parametersOf({ parameters }: Pick<ModelTool, 'parameters'>): ToolParameter[] {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return Object.entries(asSchema(parameters.properties)).map(([name, schema]) => {
    const inner = asSchema(schema);
    const alternatives = Array.isArray(inner.anyOf) ? inner.anyOf.map(asSchema) : [];
    const all = [inner, ...alternatives];
    const { enum: listed = [] } = all.find((each) => Array.isArray(each.enum)) ?? {};
    return {
      name,
      type: all.map(typeOf).find((type) => type !== null) ?? 'string',
      description: typeof inner.description === 'string' ? inner.description : '',
      required: required.includes(name),
      values: Array.isArray(listed) ? listed : [],
    };
  });
}

function typeOf({ type }: Schema): string | null {
  if (typeof type === 'string') return type;
  return Array.isArray(type) && typeof type[0] === 'string' ? type[0] : null;
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
