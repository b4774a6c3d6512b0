import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type AgentCall, type CallElement, isCall, isMalformed } from '../calls/agent-call.ts';
import { asksEndpoints } from '../calls/asks-endpoints.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { checkBfcl, checkBfclFixed } from '../metrics/bfcl/bfcl.ts';
import { toBfclAnswer, toBfclFunction } from '../metrics/bfcl/from-tool.ts';
import type { BfclVerdict } from '../metrics/bfcl/types.ts';

/** BFCL scores calls that do not depend on each other; chains of labelled results have no place in its format. */
export function scoreBfcl(
  sample: Sample,
  calls: readonly CallElement[] | null,
  gold: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): SampleScore['bfcl'] {
  if (FORMULATIONS[sample.formulation].calls !== 'single' || gold.length === 0) return null;
  // Its checker knows no objects in arguments.
  if (!asksEndpoints(sample)) return null;
  const due = gold.flatMap((call) => {
    const tool = tools.get(call.name);
    return tool === undefined ? [] : [{ call, tool }];
  });
  if (due.length < gold.length) return null;
  const undecodable =
    calls === null ? 'decoder_failed' : calls.some(isMalformed) ? 'decoder_wrong_output_format' : null;
  if (undecodable !== null)
    return { faithful: `ast_decoder:${undecodable}`, fixed: `ast_decoder:${undecodable}` };
  const input = {
    functions: due.map(({ call, tool }) => toBfclFunction(call.name, tool)),
    calls: (calls ?? []).filter(isCall),
    answers: due.map(({ call, tool }) => toBfclAnswer(call, tool)),
    category: due.length > 1 ? ('parallel' as const) : ('multiple' as const),
  };
  return { faithful: verdictText(checkBfcl(input)), fixed: verdictText(checkBfclFixed(input)) };
}

function verdictText(verdict: BfclVerdict): string {
  return verdict.valid ? 'ok' : verdict.errorType;
}
