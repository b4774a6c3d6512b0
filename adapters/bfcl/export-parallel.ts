import type { Call, Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { RunTask } from '../../runner/categories/composition.ts';
import { chooseTools, type ExportedFile, type FarmTasks, questionText } from '../exports.ts';
import {
  type BfclExportOptions,
  type BfclSampleLine,
  categoryFiles,
  groundTruth,
  line,
  toFunction,
} from './export.ts';

/** BFCL has as many questions in each of these categories. */
const MOST = 200;
/** Functions that a request to several is offered. */
const FUNCTIONS = 4;

/**
 * Two or three questions in one request, with a call for each: `farm_parallel` has one function, the calls of
 * `farm_parallel_multiple` have each their own.
 */
export async function exportParallel(
  samples: readonly Sample[],
  universe: ToolUniverse,
  composed: FarmTasks['composed'],
  { size, seed, evidence }: BfclExportOptions,
): Promise<ExportedFile[]> {
  const byId = new Map(samples.map((sample) => [sample.sample_id, sample]));
  const requests = await composed({ seed, evidence, count: MOST });
  const files: ExportedFile[] = [];
  for (const kind of ['parallel', 'parallel_multiple'] as const) {
    const category = `farm_${kind}`;
    const questions: string[] = [];
    const answers: string[] = [];
    const map: BfclSampleLine[] = [];
    for (const task of requests[kind]) {
      const due = callsOf(task, byId);
      const [first] = due;
      if (first === undefined) continue;
      const id = `${category}_${questions.length}`;
      const output = due.map(({ call }) => call);
      const offered = chooseTools({ ...first.sample, sample_id: task.sample_id, output }, universe, {
        size: kind === 'parallel' ? 1 : (size ?? FUNCTIONS),
        seed,
      });
      const tools = new Map(offered);
      const truth = due.flatMap(({ call, sample }) => {
        const tool = tools.get(call.name);
        return tool ? [groundTruth(call, tool, sample.accepted_values)] : [];
      });
      const content = questionText({ input: task.question, evidence: task.evidence ?? '' }, evidence);
      const question = [[{ role: 'user', content }]];
      questions.push(line({ id, question, function: offered.map(toFunction) }));
      answers.push(line({ id, ground_truth: truth }));
      const parts = task.composition?.parts.map(({ tools: _, ...part }) => part);
      map.push({ id, sample_id: task.sample_id, withheld: false, ...(parts ? { parts } : {}) });
    }
    files.push(...categoryFiles(category, questions, answers), {
      path: 'farm_samples.jsonl',
      content: map.map(line).join(''),
    });
  }
  return files;
}

/** The call of each question of a request; with other values than its sample's, no other spellings are proven. */
function callsOf(
  { composition }: RunTask,
  byId: ReadonlyMap<string, Sample>,
): { readonly call: Call; readonly sample: Sample }[] {
  return (composition?.parts ?? []).flatMap(({ sample_id, arguments: args }) => {
    const sample = byId.get(sample_id);
    const [call] = sample?.output ?? [];
    if (!sample || !call) return [];
    if (!args) return [{ call, sample }];
    return [{ call: { ...call, arguments: args }, sample: { ...sample, accepted_values: undefined } }];
  });
}
