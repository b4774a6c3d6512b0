import { Ajv, type ValidateFunction } from 'ajv';
import { Grammar } from '../gbnf.ts';
import type { Asked } from './model-server.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The reply of a server that holds a model to the schema or the grammar of a request: what the model would say if that
 * fits, else something that does.
 */
export function heldReply({ body }: Pick<Asked, 'body'>, said: string): string {
  const { response_format, structured_outputs, grammar, json_schema } = body as Partial<
    Record<string, Schema>
  >;
  const { json = json_schema ?? schemaIn(response_format), grammar: text = grammar } =
    structured_outputs ?? {};
  if (text !== undefined) {
    const rules = new Grammar(String(text));
    // The first alternative of each choice, and each repetition once more than needed.
    return rules.fits(said) ? said : rules.sentence((below) => Math.min(1, below - 1));
  }
  if (json === undefined) return said;
  return validatorOf(JSON.stringify(json))(parsed(said)) ? said : JSON.stringify(instanceOf(json));
}

/** Compiled once: there are schemas of a hundred tools. */
const VALIDATORS = new Map<string, ValidateFunction>();

function validatorOf(schema: string): ValidateFunction {
  const known = VALIDATORS.get(schema) ?? new Ajv({ allowUnionTypes: true }).compile(JSON.parse(schema));
  VALIDATORS.set(schema, known);
  return known;
}

function schemaIn(format: Schema | undefined): unknown {
  return (format?.json_schema as Schema | undefined)?.schema;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some value that the schema allows, with one item in each list. */
function instanceOf(schema: unknown): unknown {
  const { anyOf, enum: listed, properties, items, type, minItems = 1 }: Schema = Object(schema);
  if (Array.isArray(anyOf)) return instanceOf(anyOf[0]);
  if (Array.isArray(listed)) return listed[0];
  if (type === 'array') return Array.from({ length: Number(minItems) }, () => instanceOf(items));
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(Object(properties)).map(([name, value]) => [name, instanceOf(value)]),
    );
  return { integer: 1, number: 1, boolean: true, null: null }[String(type)] ?? 'text';
}
