import { z } from 'zod';
import type { ScalarApi } from '../../base/scalars/scalar-api.ts';
import type { ToolSpec } from '../live-tools/toolset/tool-spec.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { answerItem, MOST_ITEMS } from '../scalars/routes.ts';

/** A scalar API as a tool: of many inputs at once, as rows of the inputs and their value. */
export function scalarTool({ name, description, inputs, output }: ScalarApi): ToolSpec {
  const told = inputs.map((input) => `${input.name} ${input.type}`).join(', ');
  return {
    name,
    description: `${description} ${name}(${told}) → ${output.name} ${output.type === 'boolean' ? 'integer, 1 or 0' : output.type}, null where there is none.`,
    parameters: {
      type: 'object',
      properties: {
        inputs: {
          type: 'array',
          minItems: 1,
          maxItems: MOST_ITEMS,
          description: 'What is asked about, each by itself.',
          items: {
            type: 'object',
            properties: Object.fromEntries(
              inputs.map((input) => [
                input.name,
                {
                  type: input.type,
                  description: input.description,
                  ...(input.values ? { enum: [...input.values] } : {}),
                },
              ]),
            ),
            required: inputs.flatMap((input) => (input.usual === undefined ? [input.name] : [])),
            additionalProperties: false,
          },
        },
      },
      required: ['inputs'],
      additionalProperties: false,
    },
  };
}

/** Its arguments. */
export const scalarArguments = z.strictObject({
  inputs: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_ITEMS),
});

/** A row for each input, in their order; one without a value says why. Booleans are 1 and 0, as in SQL. */
export function scalarRows(
  api: ScalarApi,
  { inputs }: z.infer<typeof scalarArguments>,
  domain: ServedDomain,
): unknown {
  const data = inputs.map((given) => {
    const { error, ...item } = answerItem(api, given, domain);
    const cells = Object.entries(item).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? Number(value) : value,
    ]);
    return {
      ...Object.fromEntries(cells),
      ...(error ? { error: `${error.code}: ${error.detail}` } : {}),
    };
  });
  return { data, row_count: data.length, truncated: false };
}
