import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { ExportedFile } from './exported-file.ts';
import { toOpenAiTool } from './openai-tool.ts';
import { questionText } from './question-text.ts';

export interface PromptfooExportOptions {
  readonly evidence: boolean;
  /** Ids of promptfoo's providers, such as `openai:chat:gpt-4o-mini`. */
  readonly providers: readonly string[];
}

/**
 * REST tasks as promptfoo configurations, one a domain because the tools belong to the provider: `<db>.yaml`, its tools,
 * and the assertion that compares the call with the gold.
 */
export function exportPromptfoo(
  samples: readonly Sample[],
  universe: ToolUniverse,
  options: PromptfooExportOptions,
): ExportedFile[] {
  const byDomain = new Map<string, Sample[]>();
  for (const sample of samples) {
    if (sample.formulation !== 'rest' || sample.output.length !== 1) continue;
    const domain = byDomain.get(sample.dataset_name);
    if (domain === undefined) byDomain.set(sample.dataset_name, [sample]);
    else domain.push(sample);
  }
  const files = [...byDomain].flatMap(([db, tasks]): ExportedFile[] => {
    const tools = [...universe.toolsFor(tasks[0] as Sample)].map(toOpenAiTool);
    return [
      {
        path: `${db}.yaml`,
        content: SCHEMA_COMMENT + stringify(configuration(db, tasks, options), { lineWidth: 0 }),
      },
      { path: `tools/${db}.json`, content: `${JSON.stringify(tools, null, 1)}\n` },
    ];
  });
  const assertion = readFileSync(join(packageRoot, 'eval', 'export', 'promptfoo', ASSERTION), 'utf8');
  return [...files, { path: ASSERTION, content: assertion }];
}

const ASSERTION = 'assert-call.cjs';
const SCHEMA_COMMENT = '# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n';

function configuration(
  db: string,
  tasks: readonly Sample[],
  { evidence, providers }: PromptfooExportOptions,
) {
  return {
    description: `${db}: REST tasks of a rookery farm`,
    prompts: ['{{question}}'],
    providers: providers.map((id) => ({
      id,
      config: { tools: `file://tools/${db}.json`, tool_choice: 'auto' },
    })),
    tests: tasks.map((sample) => ({
      description: sample.sample_id,
      vars: { question: templateSafe(questionText(sample, evidence)) },
      metadata: { sample_id: sample.sample_id, difficulty: sample.difficulty ?? 'unknown' },
      assert: [
        {
          type: 'javascript',
          value: `file://${ASSERTION}`,
          config: { name: sample.output[0]?.name, arguments: sample.output[0]?.arguments },
        },
      ],
    })),
  };
}

/** Variables are templates themselves: a question may not open one. */
function templateSafe(text: string): string {
  return /\{[{%#]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}
