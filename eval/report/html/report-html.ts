import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'lossless-json';
import { packageRoot } from '../../../contracts/package-root.ts';
import type { Report } from '../../../contracts/report.ts';
import { chartsSection, errorsSection, failuresSection } from './charts.ts';
import { html, Markup } from './markup.ts';
import { pageSample } from './page-data.ts';
import { metricsSection, summarySection } from './summary.ts';

/** `report.html`: one self-contained file, with details of every sample. */
export function reportHtml(report: Report): string {
  const title = `${report.run.model ?? 'Predictions'} on ${report.farm.name}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${asset('style.css')}</style>
</head>
<body>
<main>
${summarySection(report)}
${chartsSection(report)}
<div class="columns">${errorsSection(report)}${metricsSection(report)}</div>
${failuresSection(report)}
<section id="samples" aria-label="Samples"></section>
</main>
<script type="application/json" id="data">${scriptData(report.samples.map(pageSample))}</script>
<script>${asset('page.js')}</script>
</body>
</html>
`.text;
}

function asset(name: string): Markup {
  return new Markup(readFileSync(join(packageRoot, 'eval', 'report', 'page', name), 'utf8'));
}

/** JSON inside a script element: nothing in it may look like the element's end, or open a comment. */
function scriptData(value: unknown): Markup {
  return new Markup((stringify(value) ?? '').replaceAll('<', '\\u003c'));
}
