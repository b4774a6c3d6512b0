import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../contracts/report.ts';
import { emitSinglePage } from '../../services/base/pages/single-page.ts';
import { BoardFiles } from './board-files.ts';
import { sourcesOfReport } from './board-source.ts';
import { requireConsole } from './require-console.ts';

/** A score report as one file to open in a browser: the console, with the gold. Throws CONSOLE_NOT_BUILT. */
export function reportPage(report: Report, folder = requireConsole()): string {
  const title = `${report.run.model ?? 'Predictions'} on ${report.farm.name}`;
  const board = new BoardFiles(sourcesOfReport(report), { title, gold: true, published: [] });
  const files = [...board.paths()].map((path) => [path, board.text(path) ?? 'null'] as const);
  const [script, style] = ['console.js', 'console.css'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  return emitSinglePage(title, { script: script ?? '', style: style ?? '', files });
}
