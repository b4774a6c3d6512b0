import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../services/domain/app/app.ts';
import type { ToolDefinition } from '../../services/domain/tools/arguments/tool-definition.ts';
import type { Operation } from '../../services/domain/tools/operations/operation.ts';
import { OPERATIONS, ROW_OPERATIONS } from '../../services/domain/tools/operations/operations.ts';
import { AGGREGATIONS } from '../../services/domain/tools/plan/aggregations.ts';
import { CONDITIONS } from '../../services/domain/tools/plan/conditions.ts';
import { SLOT_TOOLS } from '../../services/domain/tools/registry.ts';
import { SEL_TOOLS } from '../../services/domain/tools/sel/sel-tools.ts';
import { initializeActiveData } from '../../services/domain/tools/tools/initialize-active-data.ts';
import { describeArguments } from './describe-tool.ts';
import { exampleShop } from './example-shop.ts';
import { BOTH, EXAMPLES } from './examples.ts';
import { type Played, playExample } from './play-example.ts';

/** docs/tools.md: every tool from its own file, with an example that has been carried out. */
export async function toolsPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-tools-page-'));
  const { bytes, service, tables } = exampleShop();
  const database = join(folder, 'vet.sqlite');
  writeFileSync(database, bytes);
  const app = await buildApp({ domains: [{ service, database, version: 'example' }], logger: false });
  try {
    const tools = [...Object.values(SLOT_TOOLS), initializeActiveData];
    const sections: string[] = [];
    for (const tool of tools) sections.push(await describeTool(tool, app));
    return `${INTRODUCTION}${tables}\n# SLOT\n\n${sections.join('\n')}\n${CONDITIONS_PART}\n${AGGREGATIONS_PART}\n${OPERATIONS_PART}\n${await describeSel(app)}`;
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const INTRODUCTION = `# Tools

This page is generated from the files in \`services/domain/tools/\`; its examples are carried out when it is written.

A task in the SLOT or SEL formulation begins from one or more *start tables*, joins of the domain's tables. A call is
\`POST /v1/<split>/<db>/slot/<tool>\` (or \`/sel/<tool>\`) with its arguments as a JSON object. It answers one of three things:

| \`kind\` | what it is | what it shows |
|---|---|---|
| \`table\` | rows and columns | its columns, how many rows it has, the first three (\`?preview=0\` to \`100\`) |
| \`column\` | the values of one column, in row order | its first 100 values; the next ones by the argument \`offset\`, or in pages (\`?offset=\` and \`?limit=\`) |
| \`value\` | a single value | the value |

Each answer has a *handle*, the name of the result in later calls: as a \`data_source\`, with or without dollar signs, or as
\`$handle$\` wherever a value fits (of a column its first) or a list. A handle is made from what the result is, so the same call
always answers the same handle. One that is not known, or no longer, is answered with \`UNKNOWN_HANDLE\`; repeating the calls
that made it makes it again. A value such as \`$word$\` always means a result: where nothing is called so, the call is refused.

A column result is all of its values, however many an answer shows: in later calls, and where answers are put together from
calls, as scoring does. Where there are more than shown, \`truncated\` is true, \`more\` says how to go on, and a call that
only reads on is part of the first one's result.

Nothing is computed until rows are asked for, and nothing is changed: a result stays what it was, whatever is made from it.
Rows keep the order of the tables they come from until they are sorted. Values compare, convert and sort as in SQLite: NULL is
neither equal nor unequal to anything, and sorts first. Columns are called \`<table>_<column>\`.

A list of tools has a bounded length (some 8,000 tokens in SLOT, 40,000 in SEL) however wide its tables are: the more
columns there are, the less it says of each. Where it no longer names them, \`describe_columns\` tells; a start table of
more than 100 columns has no getters in SEL, and its columns are read by \`get_computed_column\`.

The tools for one start table, with its columns in their arguments, come from
\`GET /v1/<split>/<db>/slot/toolset?start_table=<handle>,…&format=openapi|openai|anthropic|anthropic-strict|gemini|mcp\`; the start tables of a farm from
\`GET /v1/<split>/<db>/slot/start_tables\`.

The examples use these tables, and the start tables \`pets\`, \`owners\` and their join \`owned\`:

`;

async function describeTool(tool: ToolDefinition, app: FastifyInstance): Promise<string> {
  const calls = EXAMPLES[tool.name];
  if (!calls) throw new Error(`${tool.name} has no example`);
  const played = await playExample(app, 'slot', calls);
  const before = played.slice(0, -1);
  const after = before.length === 0 ? '' : `After\n\n${before.map(emitCall).join('\n')}\n`;
  return `## ${tool.name}\n\n${tool.description}\n\n${describeArguments(tool)}\n${after}${emitPlayed(played.at(-1) as Played)}`;
}

function emitCall({ path, arguments: args, answer }: Played): string {
  return `\`\`\`http\nPOST ${path}  ${JSON.stringify(args)}\n→ ${(answer as { handle: string }).handle}\n\`\`\`\n`;
}

function emitPlayed({ path, arguments: args, answer }: Played): string {
  return `\`\`\`http\nPOST ${path}\n${JSON.stringify(args, null, 2)}\n\`\`\`\n\n\`\`\`json\n${emitAnswer(answer)}\n\`\`\`\n`;
}

/** One line a field, and one a row of a preview. */
function emitAnswer(answer: unknown): string {
  const fields = Object.entries(answer as Record<string, unknown>).map(([name, value]) => {
    const rows = name === 'preview' && Array.isArray(value) && value.length > 0;
    const text = rows
      ? `[\n${value.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`
      : JSON.stringify(value);
    return `  "${name}": ${text}`;
  });
  return `{\n${fields.join(',\n')}\n}`;
}

const TAKES = {
  one: 'a value',
  two: '`[low, high]`',
  list: 'a list, or a column result',
  none: 'nothing',
} as const;

const CONDITIONS_PART = `## Conditions

What \`condition\` may be, for rows and in operations. A row is kept when the condition is true: not when it is unknown, as
comparisons with NULL are.

| condition | \`value\` | keeps rows whose value … |
|---|---|---|
${Object.entries(CONDITIONS)
  .map(([name, { arity, description }]) => `| \`${name}\` | ${TAKES[arity]} | ${description} |`)
  .join('\n')}
`;

const AGGREGATIONS_PART = `## Aggregations

What \`aggregation_type\` may be. NULL takes no part in any of them.

| aggregation | computes | of groups too |
|---|---|---|
${Object.entries(AGGREGATIONS)
  .map(([name, { description, perGroup }]) => `| \`${name}\` | ${description} | ${perGroup ? 'yes' : 'no'} |`)
  .join('\n')}
`;

const OPERATIONS_PART = `## Operations

What \`operation_type\` may be, and its \`operation_args\`. Those that look at one row serve \`calculate\` too.

| operation | arguments | the new value is … |
|---|---|---|
${emitOperations(ROW_OPERATIONS)}

Those that look at the other rows, for \`transform_data\` only:

| operation | arguments | the new value is … |
|---|---|---|
${emitOperations(Object.fromEntries(Object.entries(OPERATIONS).filter(([name]) => !(name in ROW_OPERATIONS))))}
`;

function emitOperations(operations: Readonly<Record<string, Operation>>): string {
  return Object.entries(operations)
    .map(([name, { args, description }]) => {
      const given = Object.entries(args).map(
        ([argument, { optional }]) => `\`${argument}${optional ? '?' : ''}\``,
      );
      return `| \`${name}\` | ${given.join(', ')} | ${description.replaceAll('|', '\\|')} |`;
    })
    .join('\n');
}

async function describeSel(app: FastifyInstance): Promise<string> {
  const [slot, sel] = [await playExample(app, 'slot', BOTH.slot), await playExample(app, 'sel', BOTH.sel)];
  const name = (played: Played) =>
    `\`${played.path.split('/').pop()}\` \`${JSON.stringify(played.arguments)}\``;
  const rows = slot.map(
    (played, i) =>
      `| ${name(played)} | ${(i < 2 ? sel.slice(i, i + 1) : sel.slice(i)).map(name).join('<br>')} |`,
  );
  return `# SEL

The same operations with every argument that is one of several bound into a tool of its own, and a getter for each column
of the start table, \`get_<table>_<columns>\`. A SEL call makes the same plan as the SLOT call it stands for, so its handle is
the same too. The heaviest pet in Lund, in both:

| SLOT | SEL |
|---|---|
${rows.join('\n')}

${Object.keys(SEL_TOOLS).length} tools besides the getters:

${Object.keys(SEL_TOOLS)
  .map((tool) => `\`${tool}\``)
  .join(', ')}
`;
}
