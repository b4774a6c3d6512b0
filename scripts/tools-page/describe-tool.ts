import { argumentsSchema } from '../../services/domain/live-tools/toolset/arguments-schema.ts';
import type { JsonSchema } from '../../services/domain/live-tools/toolset/json-schema.ts';
import type { ToolDefinition } from '../../services/domain/tools/arguments/tool-definition.ts';

/** A tool's arguments as a Markdown table. */
export function describeArguments(tool: ToolDefinition): string {
  const { properties, required } = argumentsSchema(tool, {
    startTables: [],
    columns: [],
    nameColumns: false,
    describeColumns: false,
  });
  const rows = Object.entries(properties).map(([name, schema]) => {
    const needed = required.includes(name) ? 'yes' : 'no';
    return `| \`${name}\` | ${typeOf(schema)} | ${needed} | ${meaningOf(name, schema)} |`;
  });
  return `| argument | type | required | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return 'one of several';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === 'object') return schema.properties?.key_name ? '`{"key_name": …}`' : 'object';
  return [schema.type ?? []].flat().join(', ');
}

/** Its description, and where it is one of several the values. The operations have tables of their own. */
function meaningOf(name: string, schema: JsonSchema): string {
  const usual =
    schema.default === undefined || typeof schema.default === 'object'
      ? ''
      : ` (${JSON.stringify(schema.default)} unless given)`;
  if (name === 'operation_type') return 'what to compute: see [operations](#operations)';
  if (name === 'operation_args') return 'the arguments of the operation: see [operations](#operations)';
  const values = schema.enum ? `: ${schema.enum.map((value) => `\`${value}\``).join(', ')}` : '';
  return `${(schema.description ?? '').replaceAll('|', '\\|')}${values}${usual}`;
}
