import { parseExactJson } from '../../contracts/exact-json.ts';
import type { Program, ProgramOutcome } from '../../runner/agents/agent.ts';
import { AttemptEnd } from '../../runner/attempt/budget.ts';
import { runPython } from '../../services/agents/code/python-sandbox.ts';
import { LONGEST_PROGRAM_MS, runInSandbox } from '../../services/agents/code/sandbox.ts';

/** Runs a program where it has its functions and prints rows: JavaScript in the sandbox, Python in a container. */
export async function runConfined(
  { code, language, functions, call, timeoutMs, signal }: Program,
  pythonImage: string,
): Promise<ProgramOutcome> {
  const program = {
    code,
    functions: functions.map((name) => ({ name, tool: name, makesResult: false, source: null })),
    call,
    limitMs: timeoutMs,
    signal,
  };
  const end =
    language === 'python'
      ? await runPython(program, pythonImage)
      : await runInSandbox({ ...program, style: 'print' });
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
