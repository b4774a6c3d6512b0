import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printExactJson } from '../../contracts/exact-json.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { ANSWER_FORMAT } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { toolRoot } from '../../contracts/tool-chain.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { chooseTools, type ExportedFile, questionText, type Toolset } from '../exports.ts';

export interface InspectExportOptions extends Toolset {
  readonly evidence: boolean;
  /** The one formulation of the package's tasks. */
  readonly formulation: Formulation;
}

/**
 * Tasks of one formulation as a Python package with an Inspect AI task and its samples. The tools call the farm, which
 * must be running; it also lists the tools of SLOT and SEL, which differ between tasks.
 */
export function exportInspect(
  samples: readonly Sample[],
  universe: ToolUniverse,
  { evidence, formulation, ...toolset }: InspectExportOptions,
): ExportedFile[] {
  const { calls } = FORMULATIONS[formulation];
  const tasks = samples.filter((sample) => sample.formulation === formulation);
  const domains = new Map(tasks.map((sample) => [sample.dataset_name, sample]));
  const endpoints = calls === 'single' ? [...domains] : [];
  const tools = endpoints.map(([db, sample]) => [db, domainTools(sample, universe)]);
  const written = (name: string) =>
    readFileSync(join(packageRoot, 'adapters', 'inspect', 'package', name), 'utf8');
  const rows = readFileSync(join(packageRoot, 'adapters', 'rows.py'), 'utf8');
  const records = tasks.map((sample) => {
    const names = toolset.size === null ? null : chooseTools(sample, universe, toolset).map(([name]) => name);
    const handles = universe.startHandles?.(sample) ?? new Map();
    return `${printExactJson(record(sample, { evidence, names, handles }))}\n`;
  });
  const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
  return [
    { path: 'pyproject.toml', content: written('pyproject.toml') },
    ...MODULES.map((name) => ({ path: `${PACKAGE}/${name}`, content: written(name) })),
    { path: `${PACKAGE}/rows.py`, content: rows },
    {
      path: `${PACKAGE}/data/farm.json`,
      content: json({ formulation, calls, answer_format: ANSWER_FORMAT }),
    },
    { path: `${PACKAGE}/data/samples.jsonl`, content: records.join('') },
    { path: `${PACKAGE}/data/tools.json`, content: json(Object.fromEntries(tools)) },
  ];
}

const PACKAGE = 'rookery_farm';
const MODULES = ['__init__.py', 'task.py', 'farm.py'];

interface RecordParts {
  readonly evidence: boolean;
  /** Names of the offered tools; null for all of the task. */
  readonly names: readonly string[] | null;
  /** Handles of its start tables, by label. */
  readonly handles: ReadonlyMap<string, string>;
}

/** A record for Inspect's `json_dataset`. */
function record(sample: Sample, { evidence, names, handles }: RecordParts) {
  const { sample_id, dataset_name: db, formulation } = sample;
  const split = sample_id.slice(0, sample_id.indexOf('/'));
  return {
    id: sample_id,
    input: [questionText(sample, evidence), ...beginning(handles)].join('\n\n'),
    target: printExactJson(sample.gold_answer),
    metadata: {
      db,
      difficulty: sample.difficulty,
      order_groups: sample.order_groups,
      tools: names,
      root: FORMULATIONS[formulation].calls === 'chain' ? toolRoot({ split, db }, formulation) : null,
      start_tables: [...handles].map(([label, handle]) => ({ label, handle })),
      gold_calls: sample.output.map(({ name, arguments: args, label }) => ({ name, arguments: args, label })),
    },
  };
}

function beginning(handles: ReadonlyMap<string, string>): string[] {
  const names = [...handles.values()].map((handle) => `\`${handle}\``);
  return names.length === 0 ? [] : [`Begin from the table ${names.join(' and ')}.`];
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
