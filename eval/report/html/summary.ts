import {
  type F1Score,
  type Ledger,
  type Mean,
  outcome,
  type Report,
  type Share,
  type Spread,
} from '../../../contracts/report.ts';
import { percent } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** The top of the page: what was scored, the four main figures, and the outcomes of all samples. */
export function summarySection(report: Report): Markup {
  const { completion, intent, slot, execution_accuracy: execution } = report.metrics;
  return html`<header>
    <p class="kicker">rookery score</p>
    <h1>${report.run.model ?? 'Predictions'} <span>on ${report.farm.name}</span></h1>
    <p class="meta">${describeRun(report)}</p>
  </header>
  <section class="tiles">
    ${tile('Completion', completion.value, completion.ci, `${completion.count} of ${completion.n} samples`)}
    ${tile('Intent F1', intent.prefix.f1, intent.prefix.ci, `prefix, ${intent.prefix.n} samples`)}
    ${tile('Slot F1', slot.canonical.f1, slot.canonical.ci, `${slot.pairs} pairs of calls`)}
    ${tile('Execution accuracy', execution.value, execution.ci, `${execution.count} of ${execution.n}`)}
  </section>
  ${ledgerBar(report.ledger)}`;
}

/** Every metric with its interval and its N. */
export function metricsSection({ metrics: m, options }: Report): Markup {
  const rows = [
    share(
      'Completion',
      m.completion,
      options.legacy ? 'of every sample, as the paper compares' : 'of every sample',
    ),
    share('Completion of those run', m.completion_of_run, 'as the paper counts'),
    share('Completion without broken runs', m.completion_without_infra_errors, 'infra errors left out'),
    f1('Intent F1, prefix', m.intent.prefix, 'longest common prefix of names'),
    f1('Intent F1, position', m.intent.position, 'names index by index'),
    f1('Intent F1, multiset', m.intent.multiset, 'names in any order'),
    f1('Slot F1, canonical', m.slot.canonical, 'arguments by meaning'),
    f1('Slot F1, raw', m.slot.raw, 'arguments as text'),
    share('Execution accuracy', m.execution_accuracy, `columns ${options.columns}`),
    share('Exact string', m.exact_string, 'final call, nested'),
    share('BFCL AST', m.bfcl.faithful, 'REST only'),
    share('BFCL AST, fixed', m.bfcl.fixed, 'defaults accepted'),
    share('Relevance detection', m.relevance, 'gold tool withheld'),
    mean('Loops', m.react.loops, 2, `budget ${options.budget}`),
    share('Out of budget', m.react.out_of_budget, 'failed, no answer'),
    share('Stuck, same function', m.react.stuck_name, 'failed'),
    share('Stuck, same call', m.react.stuck_exact, 'failed'),
    share('Failed otherwise', m.react.unclassified, ''),
    mean('Calls', m.efficiency.calls, 2, `gold ${m.efficiency.gold_calls.value?.toFixed(2) ?? '–'}`),
    mean('Redundant calls', m.efficiency.redundant_calls, 2, 'same call again'),
    mean('Input tokens', m.efficiency.input_tokens, 0, ''),
    mean('Output tokens', m.efficiency.output_tokens, 0, ''),
    spread('Latency, s', m.efficiency.latency_s, 2),
    spread('Latency of a call, ms', m.efficiency.call_latency_ms, 1),
    mean('Cost', m.efficiency.cost, 5, costNote(m.efficiency)),
  ].flatMap((row) => row ?? []);
  return html`<section><h2>Metrics</h2><table class="metrics">
    <thead><tr><th>Metric</th><th class="n">Value</th><th class="n">95 % interval</th><th class="n">Of</th><th>How</th></tr></thead>
    <tbody>${rows}</tbody></table></section>`;
}

function tile(title: string, value: number | null, ci: Share['ci'], note: string): Markup {
  const interval = ci === null ? '' : ` · 95 % ${percent(ci[0], '')}–${percent(ci[1])}`;
  return html`<div class="tile"><h2>${title}</h2><p class="figure">${percent(value)}</p><p class="note">${note}${interval}</p></div>`;
}

function ledgerBar(ledger: Ledger): Markup {
  const shown = outcome.options.filter((name) => ledger[name] > 0);
  return html`<section class="ledger" aria-label="What became of the samples">
    <div class="stack">${shown.map((name) => html`<i class="${name}" style="flex-grow:${ledger[name]}" title="${ledger[name]} ${label(name)}"></i>`)}</div>
    <p>${outcome.options.map((name) => html`<span><i class="${name}"></i><b>${ledger[name]}</b> ${label(name)}</span>`)}</p>
  </section>`;
}

function describeRun({ farm, run, options }: Report): string {
  const settings = Object.entries(run.settings ?? {}).map(
    ([key, value]) => `${key} ${JSON.stringify(value)}`,
  );
  return [
    `split ${farm.split}, generator ${farm.generator_version}, farm ${farm.hash.slice(0, 12)}, ${farm.samples} samples`,
    `${options.parse} parser`,
    ...(options.legacy ? ['completion as the paper compares'] : []),
    ...settings,
  ].join(' · ');
}

function label(name: string): string {
  return name.replace('_', ' ');
}

function share(name: string, { value, count, n, ci }: Share, how: string): Markup | null {
  if (n === 0) return null;
  return row(name, percent(value), ci, `${count} of ${n}`, how);
}

function f1(name: string, { f1: value, precision, recall, n, ci }: F1Score, how: string): Markup | null {
  if (n === 0) return null;
  return row(name, percent(value), ci, String(n), `P ${percent(precision)}, R ${percent(recall)} · ${how}`);
}

function mean(name: string, { value, n }: Mean, digits: number, how: string): Markup | null {
  return value === null ? null : row(name, value.toFixed(digits), null, String(n), how);
}

function spread(name: string, { value, n, p50, p95 }: Spread, digits: number): Markup | null {
  const how = `p50 ${p50?.toFixed(digits)}, p95 ${p95?.toFixed(digits)}`;
  return value === null ? null : row(name, value.toFixed(digits), null, String(n), how);
}

function costNote(costs: Report['metrics']['efficiency']): string {
  const parts: [string, number | null][] = [
    ['total', costs.total_cost],
    ['1,000 calls', costs.cost_per_1000_calls],
    ['a pass', costs.cost_per_pass],
  ];
  return parts.flatMap(([name, cost]) => (cost === null ? [] : `${name} ${cost.toFixed(4)}`)).join(', ');
}

function row(name: string, value: string, ci: Share['ci'], of: string, how: string): Markup {
  const interval = ci === null ? '' : `${percent(ci[0], '')} – ${percent(ci[1], '')}`;
  return html`<tr><th>${name}</th><td class="n">${value}</td><td class="n">${interval}</td><td class="n">${of}</td><td class="how">${how}</td></tr>`;
}
