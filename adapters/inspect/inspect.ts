import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printExactJson } from '../../contracts/exact-json.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { answerFormat } from '../../contracts/prediction.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import { toolRoot } from '../../contracts/tool-chain.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import { chooseTools, type ExportedFile, type FarmTasks, questionText, type Toolset } from '../exports.ts';

export interface InspectExportOptions extends Toolset {
  readonly evidence: boolean;
  /** The one formulation of the package's tasks. */
  readonly formulation: Formulation;
}

/**
 * Tasks of one formulation as a Python package with an Inspect AI task and its samples. The tools call the farm, which
 * must be running; it also lists the tools of SLOT and SEL, which differ between tasks. Tasks that change records are
 * runs of the farm, which judges them.
 */
export function exportInspect(
  samples: readonly Sample[],
  { universe, rulesOf }: Pick<FarmTasks, 'universe' | 'rulesOf'>,
  { evidence, formulation, ...toolset }: InspectExportOptions,
): ExportedFile[] {
  const { calls } = FORMULATIONS[formulation];
  const tasks = samples.filter((sample) => sample.formulation === formulation);
  const domains = new Map(tasks.map((sample) => [sample.dataset_name, sample]));
  const inRuns = isOfChanges(formulation);
  const endpoints = calls === 'single' && !inRuns ? [...domains] : [];
  const tools = endpoints.map(([db, sample]) => [db, domainTools(sample, universe)]);
  const written = (name: string) =>
    readFileSync(join(packageRoot, 'adapters', 'inspect', 'package', name), 'utf8');
  const rows = readFileSync(join(packageRoot, 'adapters', 'rows.py'), 'utf8');
  const records = tasks.map((sample) => {
    const names = toolset.size === null ? null : chooseTools(sample, universe, toolset).map(([name]) => name);
    const handles = universe.startHandles?.(sample) ?? new Map();
    const rules = inRuns ? rulesOf(sample) : [];
    return `${printExactJson(record(sample, { evidence, rules, names, handles }))}\n`;
  });
  const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
  return [
    { path: 'pyproject.toml', content: written('pyproject.toml') },
    ...MODULES.map((name) => ({ path: `${PACKAGE}/${name}`, content: written(name) })),
    { path: `${PACKAGE}/rows.py`, content: rows },
    {
      path: `${PACKAGE}/data/farm.json`,
      content: json({ formulation, calls: inRuns ? 'run' : calls, answer_format: answerFormat(formulation) }),
    },
    { path: `${PACKAGE}/data/samples.jsonl`, content: records.join('') },
    { path: `${PACKAGE}/data/tools.json`, content: json(Object.fromEntries(tools)) },
  ];
}

const PACKAGE = 'rookery_farm';
const MODULES = ['__init__.py', 'task.py', 'farm.py'];

interface RecordParts {
  readonly evidence: boolean;
  readonly rules: readonly string[];
  /** Names of the offered tools; null for all of the task. */
  readonly names: readonly string[] | null;
  /** Handles of its start tables, by label. */
  readonly handles: ReadonlyMap<string, string>;
}

/** A record for Inspect's `json_dataset`. */
function record(sample: Sample, { evidence, rules, names, handles }: RecordParts) {
  const { sample_id, dataset_name: db, formulation } = sample;
  const split = sample_id.slice(0, sample_id.indexOf('/'));
  return {
    id: sample_id,
    input: [questionText(sample, evidence, rules), ...beginning(handles)].join('\n\n'),
    target: printExactJson(sample.gold_answer),
    metadata: {
      db,
      difficulty: sample.difficulty,
      order_groups: sample.order_groups,
      tools: names,
      root: FORMULATIONS[formulation].calls === 'chain' ? toolRoot({ split, db }, formulation) : null,
      start_tables: [...handles].map(([label, handle]) => ({ label, handle })),
      ...(sample.gold_diff === undefined ? {} : { gold_diff: sample.gold_diff }),
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
