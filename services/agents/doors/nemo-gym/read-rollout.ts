import { FORMULATIONS } from '../../../../contracts/formulations/registry.ts';
import type { RunAnswer } from '../../../../contracts/run.ts';
import { readArguments, writeJson } from '../../../base/http/json-text.ts';
import { readProblem } from '../../backend/problem-answer.ts';
import { SUBMIT_ANSWER } from '../../mcp/submit-answer.ts';
import type { CallRecord } from '../../runs/run-records.ts';
import type { ToolList } from '../../tool-lists/tool-list.ts';
import { isCall, isCallOutput, isMessage, type OutputItem } from './nemo-messages.ts';

/** What was done in a rollout, as the record of a run has it. */
export interface Rollout {
  readonly calls: readonly CallRecord[];
  /** Of the tool that hands it in, else the model's last words; null where there are none. */
  readonly answer: Pick<RunAnswer, 'answer' | 'doubts'> | null;
}

/**
 * Reads the output of a model, with what its calls were answered, as a record. Calls that no server was asked for, since
 * their arguments are no JSON, are none; nor are those after the answer.
 */
export function readRollout(output: readonly OutputItem[], list: ToolList): Rollout {
  const outputs = new Map(
    output.filter(isCallOutput).map(({ call_id, output: text }) => [call_id, textOf(text)]),
  );
  const calls: CallRecord[] = [];
  for (const item of output.filter(isCall)) {
    const args = argumentsOf(item.arguments);
    if (args === null) continue;
    if (item.name === SUBMIT_ANSWER) {
      const { answer = null, doubts } = args;
      return { calls, answer: { answer, doubts: typeof doubts === 'string' ? doubts : null } };
    }
    calls.push(recordOf(item.name, args, outputs.get(item.call_id) ?? '', list, calls.length + 1));
  }
  const words = output.filter(isMessage).at(-1);
  const text = words ? textOf(words.content) : '';
  return { calls, answer: text === '' ? null : { answer: text } };
}

function recordOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  answered: string,
  list: ToolList,
  n: number,
): CallRecord {
  const refused = readProblem(answered);
  const real = list.isSearch(name) ? null : list.tryRealCall(name, args);
  const facts = refused || real === null ? null : FORMULATIONS[list.source.formulation].factsOf(answered);
  return {
    run_id: '',
    n,
    at: 0,
    tool: name,
    arguments: writeJson(args),
    real_tool: real?.name ?? null,
    real_arguments: real ? writeJson(real.arguments) : null,
    status: refused?.status ?? 200,
    code: refused?.code ?? null,
    row_count: facts?.rows ?? null,
    bytes: Buffer.byteLength(answered),
    latency_ms: 0,
    fault: null,
    handle: facts?.handle ?? null,
  };
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return readArguments(text);
  } catch {
    return null;
  }
}

/** The text of content that may come in parts. */
function textOf(content: string | readonly unknown[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('');
}
