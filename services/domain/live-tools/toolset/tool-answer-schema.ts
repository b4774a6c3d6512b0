import { z } from 'zod';
import { toJsonSchema } from '../../../../contracts/json-schema.ts';
import { columnAnswer, tableAnswer, toolAnswer, valueAnswer } from '../../../../contracts/tools.ts';
import { simplify } from './arguments-schema.ts';
import { type JsonSchema, mapSchema, type ObjectSchema } from './json-schema.ts';

const named = { kind: true, handle: true } as const;

/** A ToolAnswer as one object, since a protocol that wants an object has no place for a union at the root. */
const anyAnswer = z.object({
  kind: z.enum(toolAnswer.options.map(({ shape }) => shape.kind.value)),
  handle: z.string(),
  ...columnAnswer.omit(named).partial().shape,
  ...tableAnswer.omit(named).partial().shape,
  ...valueAnswer.omit(named).partial().shape,
});

/** The schema of what every SLOT and SEL tool answers; the same for all tools. */
export const TOOL_ANSWER_SCHEMA = plainSchema(toJsonSchema(anyAnswer) as JsonSchema);

/** Without details that clients do not need: the dialect, the bounds of JavaScript's numbers, additional properties. */
function plainSchema({ $schema: _dialect, ...schema }: JsonSchema): ObjectSchema {
  return mapSchema(
    schema,
    ({ minimum: _least, maximum: _most, propertyNames: _texts, additionalProperties: _more, ...rest }) =>
      simplify(rest),
  ) as ObjectSchema;
}
