import type { Report, Share } from '../../contracts/report.ts';
import { runConfig } from '../files/run-config.ts';
import type { RunHeader } from '../files/run-header.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** A run of ours and its report as a row. */
export function runRow(folder: string, header: RunHeader, report: Report): LeaderboardRow {
  const { metrics, ledger } = report;
  const { intent, slot, react, efficiency } = metrics;
  const latencies = report.samples.map(({ latency_s }) => latency_s).filter((seconds) => seconds !== null);
  return {
    model: header.config.model ?? header.config.agent,
    agent: header.config.agent,
    formulation: header.config.formulation,
    options: { ...unusual(header), ...worldOf(report) },
    split: header.farm.split ?? header.farm.name,
    n: metrics.completion.n === 0 ? metrics.relevance.n : metrics.completion.n,
    completion: metrics.completion.value,
    interval: metrics.completion.ci,
    intent: intent.prefix.n === 0 ? null : scoresOf(intent.prefix),
    slot: slot.canonical.n === 0 ? null : scoresOf(slot.canonical),
    relevance: metrics.relevance.value ?? metrics.category?.some_call.value ?? null,
    ast: header.config.category === null ? null : metrics.bfcl.fixed.value,
    exact_string: header.config.settings.reply === 'nested' ? metrics.exact_string.value : null,
    parts: metrics.category?.parts.value ?? null,
    no_call: metrics.category?.no_call.value ?? null,
    loops: react.loops.value,
    out_of_budget: react.out_of_budget.value,
    context_window: unlessNone(metrics.ended_by?.context_window),
    refused: unlessNone(metrics.ended_by?.refused),
    broken_arguments: unlessNone(metrics.ended_by?.broken_arguments),
    robust: robustOf(report),
    world_difference: null,
    stuck: react.stuck_name.value,
    unclassified: react.unclassified.value,
    latency_p50: quantile(latencies, 0.5),
    latency_p95: quantile(latencies, 0.95),
    input_tokens: efficiency.input_tokens.value,
    output_tokens: efficiency.output_tokens.value,
    cost: header.cost,
    infra_errors: ledger.infra_error,
    error_classes: report.error_classes.counts,
    source: null,
    run: folder,
  };
}

/** Which world it was run in: the start of the commitment to its seed. */
function worldOf({ farm }: Report): LeaderboardRow['options'] {
  return farm.world === null ? {} : { world: farm.world.commitment.slice(0, 8) };
}

function unlessNone(share: Share | undefined): number | null {
  return share === undefined || share.count === 0 ? null : share.value;
}

/** Completion without the passes that were luck; of those that no world judges, as many as of the others. */
function robustOf({ worlds, metrics }: Report): number | null {
  const { value } = metrics.completion;
  if (worlds === null || value === null || worlds.passes === 0) return null;
  return value * (1 - worlds.lucky / worlds.passes);
}

function scoresOf({
  precision,
  recall,
  f1,
}: {
  precision: number | null;
  recall: number | null;
  f1: number | null;
}) {
  return { precision, recall, f1 };
}

/** The options of a run that are not the usual ones, by name. */
function unusual({ config }: RunHeader): LeaderboardRow['options'] {
  const { agent, model, formulation, category } = config;
  const usual = runConfig.parse({ agent, model, formulation, category });
  const chosen: Record<string, string | number | boolean> = category === null ? {} : { category };
  const compare = (mine: object, theirs: object, left: readonly string[]) => {
    const other = new Map(Object.entries(theirs));
    for (const [name, value] of Object.entries(mine)) {
      const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (plain && value !== other.get(name) && !left.includes(name)) chosen[name] = value;
    }
  };
  compare(config, usual, ['base_url', 'transport', 'seed', 'shots_file']);
  if (config.select.all) chosen.all = true;
  compare(config.list, usual.list, ['seed']);
  compare(config.settings, usual.settings, ['system']);
  compare(config.decoding, usual.decoding, ['seed']);
  compare(config.budget, usual.budget, []);
  return chosen;
}

/** By the nearest rank; null without values. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
