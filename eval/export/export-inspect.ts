import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printExactJson } from '../../contracts/exact-json.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { ExportedFile } from './exported-file.ts';
import { exportedTasks } from './exported-tasks.ts';
import { questionText } from './question-text.ts';

export interface InspectExportOptions {
  readonly evidence: boolean;
}

/**
 * REST tasks as an Inspect AI task: `rookery_farm.py`, the samples and the tools it reads. Run it with
 * `inspect eval rookery_farm.py -T base_url=http://localhost:8080`, with the farm served there.
 */
export function exportInspect(
  samples: readonly Sample[],
  universe: ToolUniverse,
  { evidence }: InspectExportOptions,
): ExportedFile[] {
  const tasks = exportedTasks(samples);
  const domains = new Map(tasks.map((sample) => [sample.dataset_name, sample]));
  const tools = [...domains].map(([db, sample]) => [db, domainTools(sample, universe)]);
  const task = readFileSync(join(packageRoot, 'eval', 'export', 'inspect', TASK), 'utf8');
  return [
    { path: TASK, content: task },
    {
      path: 'samples.jsonl',
      content: tasks.map((sample) => `${printExactJson(record(sample, evidence))}\n`).join(''),
    },
    { path: 'tools.json', content: `${JSON.stringify(Object.fromEntries(tools), null, 1)}\n` },
  ];
}

const TASK = 'rookery_farm.py';

/** A record as Inspect's `json_dataset` reads it. */
function record(sample: Sample, evidence: boolean) {
  const [call] = sample.output;
  return {
    id: sample.sample_id,
    input: questionText(sample, evidence),
    target: printExactJson(sample.gold_answer),
    metadata: {
      db: sample.dataset_name,
      difficulty: sample.difficulty,
      order_groups: sample.order_groups,
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
