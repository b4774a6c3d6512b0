import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FarmFile } from '../../generator/write/farm-file.ts';
import { emitSitePage } from '../../services/base/pages/page.ts';
import type { BoardFiles } from './board-files.ts';
import { requireConsole } from './require-console.ts';

/** The files of a site that shows a board: the console, and the board's files below `data/`. Throws CONSOLE_NOT_BUILT. */
export function* siteFiles(
  title: string,
  board: BoardFiles,
  folder = requireConsole(),
): IterableIterator<FarmFile> {
  yield { path: 'index.html', content: emitSitePage(title) };
  for (const file of ['console.js', 'console.css'])
    yield { path: `console/${file}`, content: readFileSync(join(folder, file)) };
  for (const path of board.paths()) {
    const text = board.text(path);
    if (text !== undefined) yield { path: `data/${path}`, content: text };
  }
}
