import { LosslessNumber, stringify } from 'lossless-json';
import type { Sample } from '../../contracts/sample.ts';
import type { AgentCall } from '../calls/agent-call.ts';
import type { ToolSchema, ToolUniverse } from '../calls/tool-universe.ts';
import { isNumber, type Json, type JsonObject, numberText } from '../json/lossless.ts';
import { pythonType } from '../json/python.ts';
import { toBfclAnswer, toBfclFunction } from '../metrics/bfcl/from-tool.ts';
import type { BfclFunction } from '../metrics/bfcl/types.ts';
import { chooseTools, type Toolset } from './choose-tools.ts';
import type { ExportedFile } from './exported-file.ts';
import { exportedTasks } from './exported-tasks.ts';
import { pythonSafe } from './python-names.ts';
import { questionText } from './question-text.ts';

/**
 * The category names: BFCL chooses the checker by what a name contains, and silently skips names that contain `rest`,
 * `exec` or `sql`.
 */
export const BFCL_CATEGORIES = { call: 'farm_multiple', withheld: 'farm_irrelevance' } as const;

export interface BfclExportOptions extends Toolset {
  readonly evidence: boolean;
}

/** One line of `farm_samples.jsonl`: which sample a question is. */
export interface BfclSampleLine {
  readonly id: string;
  readonly sample_id: string;
  readonly withheld: boolean;
}

/**
 * REST tasks as BFCL question and answer files: `farm_multiple` (several functions, one call) and `farm_irrelevance`
 * (the same without the gold function). BFCL joins questions and answers by line. SLOT and SEL sequences have no
 * place in the format and are left out.
 */
export function exportBfcl(
  samples: readonly Sample[],
  universe: ToolUniverse,
  options: BfclExportOptions,
): ExportedFile[] {
  const tasks = exportedTasks(samples);
  const questions: string[] = [];
  const answers: string[] = [];
  const irrelevant: string[] = [];
  const map: BfclSampleLine[] = [];
  for (const [i, sample] of tasks.entries()) {
    const call = sample.output[0] as Sample['output'][number];
    const tools = chooseTools(sample, universe, options);
    const gold = tools.find(([name]) => name === call.name)?.[1];
    if (gold === undefined) continue;
    const question = [[{ role: 'user', content: questionText(sample, options.evidence) }]];
    const ids = { call: `${BFCL_CATEGORIES.call}_${i}`, withheld: `${BFCL_CATEGORIES.withheld}_${i}` };
    questions.push(line({ id: ids.call, question, function: tools.map(toFunction) }));
    const others = tools.filter(([name]) => name !== call.name);
    irrelevant.push(line({ id: ids.withheld, question, function: others.map(toFunction) }));
    answers.push(
      line({ id: ids.call, ground_truth: [groundTruth(call.name, call.arguments as JsonObject, gold)] }),
    );
    map.push({ id: ids.call, sample_id: sample.sample_id, withheld: false });
    map.push({ id: ids.withheld, sample_id: sample.sample_id, withheld: true });
  }
  return [
    { path: `BFCL_v4_${BFCL_CATEGORIES.call}.json`, content: questions.join('') },
    { path: `possible_answer/BFCL_v4_${BFCL_CATEGORIES.call}.json`, content: answers.join('') },
    { path: `BFCL_v4_${BFCL_CATEGORIES.withheld}.json`, content: irrelevant.join('') },
    { path: 'farm_samples.jsonl', content: map.map(line).join('') },
  ];
}

function toFunction([name, tool]: readonly [string, ToolSchema]): BfclFunction {
  const { parameters, ...rest } = toBfclFunction(name, tool);
  const properties = Object.entries(parameters.properties).map(([key, property]) => [
    pythonSafe(key),
    property,
  ]);
  return {
    ...rest,
    parameters: {
      type: 'dict',
      properties: Object.fromEntries(properties),
      required: parameters.required.map(pythonSafe),
    },
  };
}

function groundTruth(
  name: string,
  args: JsonObject,
  tool: ToolSchema,
): Record<string, Record<string, Json[]>> {
  const call: AgentCall = { name, arguments: args, label: null };
  const { properties } = toBfclFunction(name, tool).parameters;
  const parameters = Object.entries(toBfclAnswer(call, tool).parameters).map(
    ([key, values]): [string, Json[]] => {
      const property = properties[key];
      const isFloat = property?.type === 'float';
      const hasFloats = property?.items?.type === 'float';
      const typed = (value: Json): Json => {
        if (isFloat) return asFloat(value);
        return hasFloats && Array.isArray(value) ? value.map(asFloat) : value;
      };
      return [pythonSafe(key), values.map(typed)];
    },
  );
  return { [name]: Object.fromEntries(parameters) };
}

/** Python reads `5` as an int, which is not what a float parameter's answer should be. */
function asFloat(value: Json): Json {
  return isNumber(value) && pythonType(value) === 'int'
    ? new LosslessNumber(`${numberText(value)}.0`)
    : value;
}

function line(value: object): string {
  return `${stringify(value)}\n`;
}
