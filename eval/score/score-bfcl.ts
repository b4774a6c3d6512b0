import { FORMULATIONS } from '../../contracts/formulations/registry.ts';
import type { SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type AgentCall, type CallElement, isCall, isMalformed } from '../calls/agent-call.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { checkBfcl, checkBfclFixed } from '../metrics/bfcl/bfcl.ts';
import { toBfclAnswer, toBfclFunction } from '../metrics/bfcl/from-tool.ts';
import type { BfclVerdict } from '../metrics/bfcl/types.ts';

/** BFCL scores single calls; chains of labelled results have no place in its format. */
export function scoreBfcl(
  sample: Sample,
  calls: readonly CallElement[] | null,
  gold: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): SampleScore['bfcl'] {
  const [call, ...others] = gold;
  const tool = call === undefined ? undefined : tools.get(call.name);
  if (
    FORMULATIONS[sample.formulation].calls !== 'single' ||
    call === undefined ||
    tool === undefined ||
    others.length > 0
  )
    return null;
  const undecodable =
    calls === null ? 'decoder_failed' : calls.some(isMalformed) ? 'decoder_wrong_output_format' : null;
  if (undecodable !== null)
    return { faithful: `ast_decoder:${undecodable}`, fixed: `ast_decoder:${undecodable}` };
  const input = {
    functions: [toBfclFunction(call.name, tool)],
    calls: (calls ?? []).filter(isCall),
    answers: [toBfclAnswer(call, tool)],
    category: 'multiple' as const,
  };
  return { faithful: verdictText(checkBfcl(input)), fixed: verdictText(checkBfclFixed(input)) };
}

function verdictText(verdict: BfclVerdict): string {
  return verdict.valid ? 'ok' : verdict.errorType;
}
