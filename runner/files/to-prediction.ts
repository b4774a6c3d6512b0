import type { EndedBy, Prediction, PredictionHeader } from '../../contracts/prediction.ts';
import type { RunHeader } from './run-header.ts';
import type { SampleRecord } from './sample-record.ts';

/** The first line of a run's predictions. */
export function predictionHeaderOf({ config, farm, prompts }: RunHeader): PredictionHeader {
  const { agent, model, category, list, settings, decoding, budget, epochs, faults, seed } = config;
  return {
    format: 'rookery-predictions/1',
    model: model ?? agent,
    ...(category === null ? {} : { category }),
    settings: { agent, ...list, ...settings, decoding, budget, epochs, faults, seed, prompts: prompts.pack },
    ...(farm.hash === null ? {} : { farm_hash: farm.hash }),
  };
}

/**
 * An attempt as `rookery score` reads it. One that ended early has no answer, so that calls which happened to be right
 * do not count; one that broke is an error of the run.
 */
export function toPrediction(record: SampleRecord, epochs: number): Prediction & Record<string, unknown> {
  const { outcome, error, reason, answer, composed } = record;
  // Of a conversation, calls and answers are those of its turns.
  const whole = composed?.turns == null;
  const all = {
    sample_id: record.sample_id,
    epoch: epochs > 1 ? record.epoch : null,
    parts: whole ? (composed?.parts ?? null) : null,
    turns: composed?.turns ?? null,
    calls: whole ? record.calls : null,
    recorded: whole && record.recorded ? true : null,
    answer: whole && outcome === 'answered' ? answer : null,
    sql: record.sql,
    raw_output: whole ? record.raw_output : null,
    loops: record.turns.length > 0 ? record.loops : null,
    latency_s: record.latency_s,
    model_s: record.api_use === null ? null : record.model_s,
    execution_s: record.api_use === null ? null : record.execution_s,
    api_use: record.api_use,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
    cached_tokens: record.cached_tokens,
    reasoning_tokens: record.reasoning_tokens,
    cost: record.cost,
    error: outcome === 'error' ? `${error?.kind}: ${error?.message}` : null,
    out_of_budget: outcome === 'out_of_budget' || outcome === 'loops' ? true : null,
    ended_by: outcome === 'answered' ? endingOf(record) : outcome,
    end_reason: outcome === 'answered' ? null : `${outcome}${reason === null ? '' : `: ${reason}`}`,
    withheld: record.withheld ? true : null,
    tools: record.tools,
    tools_checksum: record.tools_checksum,
  };
  const given = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
  return { sample_id: record.sample_id, ...Object.fromEntries(given) };
}

/** How an attempt ended that came to its own end: by what its last reply is. */
function endingOf({ turns, answer, calls, raw_output }: SampleRecord): EndedBy {
  const last = turns.at(-1);
  if (last?.stop === 'length') return 'length';
  const isSaid =
    last === undefined
      ? answer != null || raw_output !== null || (calls ?? []).length > 0
      : last.parts.some((part) => part.kind === 'call' || (part.kind === 'text' && part.text.trim() !== ''));
  return isSaid ? 'answer' : 'empty';
}
