import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';
import { notFound } from '../../../contracts/not-found.ts';
import type { SplitFormat } from '../../../contracts/split.ts';
import { filesIn, foldersIn, isDatabaseName } from '../files/folder.ts';
import type { Layout, SplitPlace } from './layout.ts';
import { layouts } from './layouts.ts';

/** A split's layout and place; `byDefault` is false when a questions file was named that would not be chosen. */
export interface FoundLayout {
  readonly layout: Layout;
  readonly place: SplitPlace;
  /** Names of the folder's other questions files, if none was named. */
  readonly unread: readonly string[];
  readonly byDefault: boolean;
  /** Whether the questions file was named, and not found in a folder. */
  readonly named: boolean;
}

/**
 * Detects the layout of a folder (or of a questions file in it), unless `format` is given. Links out of the folder are
 * refused when its files are read, unless `followLinks` is set.
 */
export function findLayout(path: string, format?: SplitFormat, followLinks = false): FoundLayout {
  const isFile = statKind(path) === 'file';
  const absolute = resolve(path);
  if (isFile && isDatabaseName(absolute)) throw onlyDatabases(path);
  const folder = isFile ? dirname(absolute) : absolute;
  const confines = followLinks ? null : realpathSync(folder);
  const layout = format === undefined ? recognise(folder, absolute) : layouts[format];

  if (isFile) {
    return {
      layout,
      place: { folder, questionsFile: absolute, confines },
      unread: [],
      byDefault: isDefault(layout, folder, absolute),
      named: true,
    };
  }
  const [questionsFile, ...others] = layout.questionFiles(folder);
  if (questionsFile === undefined) {
    const fix = `a split in the ${layout.format} layout holds ${layout.looksFor}`;
    throw new UserError('SPLIT_FORMAT_UNKNOWN', folder, `holds no questions file; ${fix}`);
  }
  const unread = others.map((file) => basename(file));
  return { layout, place: { folder, questionsFile, confines }, unread, byDefault: true, named: false };
}

function statKind(path: string): 'file' | 'folder' {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    const fix =
      'give the folder of a split: `rookery init my-split` writes one, `rookery fetch bird-dev` downloads one';
    throw notFound('SPLIT_NOT_FOUND', path, fix);
  }
  return stat.isDirectory() ? 'folder' : 'file';
}

function recognise(folder: string, path: string): Layout {
  const found = Object.values(layouts).find((layout) => layout.recognises(folder));
  if (found !== undefined) return found;

  const files = filesIn(folder);
  if (files.includes(join(folder, 'farm.json'))) {
    const fix = `serve it with \`rookery serve ${path}\`, or give the split that it was made of`;
    throw new UserError('SPLIT_FORMAT_UNKNOWN', path, `is a farm, not a split: ${fix}`);
  }
  if (files.some(isDatabaseName) && !files.some((file) => /\.(jsonl?|csv)$/i.test(file)))
    throw onlyDatabases(path);
  const looked = Object.values(layouts).map((layout) => `${layout.format}: ${layout.looksFor}`);
  const inner = foldersIn(folder).find((name) =>
    Object.values(layouts).some((layout) => layout.recognises(join(folder, name))),
  );
  const fix =
    inner === undefined
      ? 'give the folder that holds these, or force a layout with --format'
      : `did you mean ${join(folder, inner)}?`;
  throw new UserError('SPLIT_FORMAT_UNKNOWN', path, `looked for ${looked.join('; ')}; ${fix}`);
}

/** Whoever has a database and no questions is told how to get there. */
function onlyDatabases(path: string): UserError {
  return new UserError(
    'SPLIT_FORMAT_UNKNOWN',
    path,
    'holds a database and no questions with SQL: have some made with `rookery synthesize`, or write your own ' +
      '(docs/splits.md, "The smallest split"; `rookery init my-split` writes one to begin with)',
  );
}

/** A folder with several equally good files has no default. */
function isDefault(layout: Layout, folder: string, file: string): boolean {
  try {
    return basename(layout.questionFiles(folder)[0] ?? '') === basename(file);
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
