import { parseExactJson } from '../../contracts/exact-json.ts';
import type { Program, ProgramOutcome } from '../../runner/agents/agent.ts';
import { AttemptEnd } from '../../runner/attempt/budget.ts';
import { LONGEST_PROGRAM_MS, runInSandbox } from '../../services/agents/code/sandbox.ts';

/** Runs a program in the sandbox, where it has its functions and prints rows. */
export async function runInChild({
  code,
  functions,
  call,
  timeoutMs,
  signal,
}: Program): Promise<ProgramOutcome> {
  const end = await runInSandbox({
    code,
    style: 'print',
    functions: functions.map((name) => ({ name, tool: name, makesResult: false, source: null })),
    call,
    limitMs: timeoutMs,
    signal,
  });
  if ('json' in end) return read(end.json);
  if (end.timedOut && timeoutMs <= LONGEST_PROGRAM_MS) throw new AttemptEnd('out_of_budget', end.fault);
  return { fault: end.fault };
}

function read(json: string): ProgramOutcome {
  try {
    return { rows: parseExactJson(json) };
  } catch {
    return { fault: 'The program printed something that has no form as JSON.' };
  }
}
