import { errorClass, type Group, type Report } from '../../../contracts/report.ts';
import { formulation } from '../../../contracts/sample.ts';
import { failureTables, repeatedTables } from '../failure-tables.ts';
import { percent, width } from './figures.ts';
import { html, type Markup } from './markup.ts';

/** Bars of completion, intent F1 and slot F1 for each part of the samples. */
export function chartsSection({ groups }: Report): Markup {
  const charts = [
    chart('By formulation', groups.formulation),
    chart('By difficulty', groups.difficulty),
    chart('By number of gold calls', groups.gold_calls),
    chart('By domain', groups.domain),
    chart('By SQL construct', groups.construct),
    chart('By gold answer', groups.gold_kind),
  ];
  return html`<section class="charts">${charts}</section>`;
}

/** How often samples failed for each reason, in each formulation. */
export function errorsSection({ error_classes: { n, counts, without_trajectory }, samples }: Report): Markup {
  if (n + without_trajectory === 0) return html``;
  const most = Math.max(1, ...Object.values(counts));
  const used = formulation.options.filter((name) => samples.some((sample) => sample.formulation === name));
  const of = (cls: string, name: string) =>
    samples.filter((s) => s.error_class === cls && s.formulation === name && !s.withheld).length;
  const rows = errorClass.options.map(
    (cls) => html`<tr><th><button type="button" data-error="${cls}">${cls.replaceAll('_', ' ')}</button></th>
      <td class="bar"><span class="track"><i class="fail" style="width:${width(counts[cls] / most)}"></i></span></td>
      <td class="n">${counts[cls]}</td><td class="n">${n === 0 ? '–' : percent(counts[cls] / n)}</td>
      ${used.map((name) => html`<td class="n">${of(cls, name)}</td>`)}</tr>`,
  );
  const unknown =
    without_trajectory === 0
      ? ''
      : ` ${without_trajectory} more failed with an answer alone; their calls are not known.`;
  return html`<section><h2>Why samples failed</h2>
    <p class="note">One class a failing sample, first hit from the top; ${n} failing samples.${unknown}</p>
    <table class="errors"><thead><tr><th>Class</th><th></th><th class="n">Samples</th><th class="n">Share</th>
      ${used.map((name) => html`<th class="n">${name.toUpperCase()}</th>`)}</tr></thead><tbody>${rows}</tbody></table></section>`;
}

function chart(title: string, groups: readonly Group[]): Markup {
  if (groups.length === 0) return html``;
  return html`<figure><figcaption>${title}</figcaption><table class="bars">
    <thead><tr><th></th><th>Completion</th><th class="n"></th><th class="n">N</th><th>Intent F1</th><th class="n"></th><th>Slot F1</th><th class="n"></th></tr></thead>
    <tbody>${groups.map(groupRow)}</tbody></table></figure>`;
}

function groupRow({ key, few, completion, intent, slot }: Group): Markup {
  const { ci } = completion;
  const whisker =
    ci === null ? null : html`<b style="left:${width(ci[0])};width:${width(ci[1] - ci[0])}"></b>`;
  return html`<tr class="${few ? 'few' : ''}"><th>${key}</th>
    <td class="bar"><span class="track"><i class="pass" style="width:${width(completion.value)}"></i>${whisker}</span></td>
    <td class="n">${percent(completion.value)}</td><td class="n">${completion.n}</td>
    <td class="bar"><span class="track"><i class="intent" style="width:${width(intent.f1)}"></i></span></td><td class="n">${percent(intent.f1)}</td>
    <td class="bar"><span class="track"><i class="slot" style="width:${width(slot.f1)}"></i></span></td><td class="n">${percent(slot.f1)}</td></tr>`;
}

/** Why models fail, in the tables of the terminal. */
export function failuresSection(report: Report): Markup {
  const tables = [...repeatedTables(report), ...failureTables(report)].map(
    ({ title, head, rows }) => html`<figure><figcaption>${title}</figcaption><table class="metrics">
      <thead><tr>${head.map((text, i) => html`<th class="${i === 0 ? '' : 'n'}">${text.trim()}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((text, i) => (i === 0 ? html`<th>${text}</th>` : html`<td class="n">${text.trim()}</td>`))}</tr>`)}</tbody></table></figure>`,
  );
  return tables.length === 0 ? html`` : html`<section class="charts">${tables}</section>`;
}
