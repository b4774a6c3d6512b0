import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type ToolSchema, type ToolUniverse, typesOf } from '../../eval/calls/tool-universe.ts';
import { groupBy } from '../../eval/metrics/figures.ts';
import {
  chooseTools,
  DRAWING,
  type DrawingFlags,
  drawn,
  type ExportedFile,
  type ExportFlags,
  exportCommand,
  exportedTasks,
  questionText,
  type Toolset,
} from '../exports.ts';

/** A tool in the format of OpenAI-compatible services. */
export function toOpenAiTool([name, tool]: readonly [string, ToolSchema]) {
  return {
    type: 'function',
    function: { name, description: tool.description ?? name, parameters: toSchema(tool) },
  };
}

/** A tool in Anthropic's format. */
export function toAnthropicTool([name, tool]: readonly [string, ToolSchema]) {
  return { name, description: tool.description ?? name, input_schema: toSchema(tool) };
}

function toSchema({ properties, required }: ToolSchema) {
  return { type: 'object', properties, required, additionalProperties: false };
}

export interface PromptfooExportOptions extends Toolset {
  readonly evidence: boolean;
  /** Ids of promptfoo providers, such as `openai:chat:gpt-4o-mini`. */
  readonly providers: readonly string[];
}

/**
 * REST tasks as promptfoo configurations, one per domain because tools belong to the provider: `<db>.yaml`, its tools,
 * and the assertion that compares the call with the gold. With a `size`, each test has its own tools.
 */
export function exportPromptfoo(
  samples: readonly Sample[],
  universe: ToolUniverse,
  options: PromptfooExportOptions,
): ExportedFile[] {
  const byDomain = groupBy(exportedTasks(samples), ({ dataset_name }) => dataset_name);
  const formats = [...new Set(options.providers.map(formatOf))];
  const files = [...byDomain].flatMap(([db, tasks]): ExportedFile[] => {
    const lists =
      options.size === null
        ? [[...universe.toolsFor(tasks[0] as Sample)]]
        : tasks.map((task) => chooseTools(task, universe, options));
    return [
      {
        path: `${db}.yaml`,
        content: SCHEMA_COMMENT + stringify(configuration(db, tasks, universe, options), QUOTED),
      },
      ...formats.flatMap((format) =>
        lists.map((tools, task) => ({
          path: toolsFile(db, format, options.size === null ? null : task),
          content: `${JSON.stringify(tools.map(FORMATS[format].tool), null, 1)}\n`,
        })),
      ),
    ];
  });
  const assertion = readFileSync(join(packageRoot, 'adapters', 'promptfoo', 'assert-call.cjs'), 'utf8');
  return [...files, { path: ASSERTION, content: assertion }];
}

/** Quotes every text: promptfoo's YAML parser takes a plain 2012-08-25 for a date. */
const QUOTED = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;

const ASSERTION = 'assert-call.cjs';
const SCHEMA_COMMENT = '# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n';

function configuration(
  db: string,
  tasks: readonly Sample[],
  universe: ToolUniverse,
  { evidence, providers, size }: PromptfooExportOptions,
) {
  return {
    description: `${db}: REST tasks of a rookery farm`,
    prompts: ['{{question}}'],
    providers: providers.map((id) => {
      const format = formatOf(id);
      return {
        id,
        config: {
          tools: `file://${toolsFile(db, format, size === null ? null : '{{task}}')}`,
          tool_choice: FORMATS[format].choice,
        },
      };
    }),
    tests: tasks.map((sample, task) => ({
      description: sample.sample_id,
      vars: {
        question: templateSafe(questionText(sample, evidence)),
        // Part of the path of the provider's tools file.
        ...(size === null ? {} : { task: String(task) }),
      },
      metadata: { sample_id: sample.sample_id, difficulty: sample.difficulty ?? 'unknown' },
      assert: [
        {
          type: 'javascript',
          value: `file://${ASSERTION}`,
          config: goldCall(sample, universe),
        },
      ],
    })),
  };
}

function goldCall(sample: Sample, universe: ToolUniverse) {
  const [{ name, arguments: args } = { name: '', arguments: {} }] = sample.output;
  const properties = Object.entries(universe.toolsFor(sample).get(name)?.properties ?? {});
  // For a list, the type of its elements, since a query string repeats the parameter.
  const types = properties.map(([key, schema]) => [key, typesOf(schema.items ?? schema)[0]]);
  return { name, arguments: exactly(args), types: Object.fromEntries(types) };
}

/** Arguments that survive a YAML parser: an integer that no double represents becomes `{integer: <its digits>}`. */
function exactly(args: object): object {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? value.map(exactValue) : exactValue(value),
    ]),
  );
}

function exactValue(value: unknown): unknown {
  return typeof value === 'bigint' ? { integer: String(value) } : value;
}

/** Tool formats of providers; all but Anthropic's own use OpenAI's. */
const FORMATS: Readonly<
  Record<Format, { tool: (tool: readonly [string, ToolSchema]) => object; choice: unknown }>
> = {
  openai: { tool: toOpenAiTool, choice: 'auto' },
  anthropic: { tool: toAnthropicTool, choice: { type: 'auto' } },
};
type Format = 'openai' | 'anthropic';

function formatOf(provider: string): Format {
  return provider.startsWith('anthropic:') ? 'anthropic' : 'openai';
}

/** Path of the tools file of a domain, or of one of its tasks. */
function toolsFile(db: string, format: Format, task: number | string | null): string {
  return task === null ? `tools/${db}.${format}.json` : `tools/${db}.${format}/${task}.json`;
}

/** Escapes templates in a question, since promptfoo expands variables too. */
function templateSafe(text: string): string {
  return /\{[{%#]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}

type PromptfooFlags = ExportFlags & DrawingFlags & { readonly provider?: readonly string[] };

export const commands = [
  exportCommand({
    name: 'promptfoo',
    description: 'promptfoo configurations, one per domain',
    options: [
      { flags: '--provider <id>', description: 'provider to test (may be repeated)', takes: 'list' },
      ...DRAWING,
    ],
    emit: ({ samples, universe }, { provider = ['openai:chat:gpt-4o-mini'], ...flags }: PromptfooFlags) =>
      exportPromptfoo(samples, universe, { ...drawn(flags), providers: provider }),
  }),
];
