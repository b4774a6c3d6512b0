import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import { chooseTools, type Toolset } from './choose-tools.ts';
import type { ExportedFile } from './exported-file.ts';
import { exportedTasks } from './exported-tasks.ts';
import { questionText } from './question-text.ts';

export interface InspectExportOptions extends Toolset {
  readonly evidence: boolean;
}

/**
 * REST tasks as a Python package with an Inspect AI task, the samples and the tools that it reads. Run it with
 * `inspect eval rookery_farm/task.py -T base_url=http://localhost:8080`, with the farm served there.
 */
export function exportInspect(
  samples: readonly Sample[],
  universe: ToolUniverse,
  { evidence, ...toolset }: InspectExportOptions,
): ExportedFile[] {
  const tasks = exportedTasks(samples);
  const domains = new Map(tasks.map((sample) => [sample.dataset_name, sample]));
  const tools = [...domains].map(([db, sample]) => [db, domainTools(sample, universe)]);
  const written = (name: string) =>
    readFileSync(join(packageRoot, 'eval', 'export', 'inspect', name), 'utf8');
  const records = tasks.map((sample) => {
    const names = toolset.size === null ? null : chooseTools(sample, universe, toolset).map(([name]) => name);
    return `${printExactJson(record(sample, evidence, names))}\n`;
  });
  return [
    { path: 'pyproject.toml', content: written('pyproject.toml') },
    ...['__init__.py', 'task.py'].map((name) => ({ path: `${PACKAGE}/${name}`, content: written(name) })),
    { path: `${PACKAGE}/data/samples.jsonl`, content: records.join('') },
    {
      path: `${PACKAGE}/data/tools.json`,
      content: `${JSON.stringify(Object.fromEntries(tools), null, 1)}\n`,
    },
  ];
}

const PACKAGE = 'rookery_farm';

/** A record as Inspect's `json_dataset` reads it; `tools` are the names of those it offers, null for all of the domain. */
function record(sample: Sample, evidence: boolean, tools: readonly string[] | null) {
  const [call] = sample.output;
  return {
    id: sample.sample_id,
    input: questionText(sample, evidence),
    target: printExactJson(sample.gold_answer),
    metadata: {
      db: sample.dataset_name,
      difficulty: sample.difficulty,
      order_groups: sample.order_groups,
      tools,
      gold_call: { name: call?.name, arguments: call?.arguments },
    },
  };
}

function domainTools(sample: Sample, universe: ToolUniverse) {
  return [...universe.toolsFor(sample)].map(([name, tool]) => ({
    name,
    path: tool.path,
    description: tool.description ?? name,
    columns: tool.columns ?? [],
    parameters: {
      type: 'object',
      properties: tool.properties,
      required: tool.required,
      additionalProperties: false,
    },
  }));
}
