import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { dialogue } from '../../contracts/dialogue.ts';
import { UserError } from '../../contracts/errors.ts';
import { notFound } from '../../contracts/not-found.ts';
import { writeFacts } from '../../contracts/records.ts';
import { augmentation, type Question, type SplitFormat } from '../../contracts/split.ts';
import { counted } from '../../contracts/wording.ts';
import {
  type Annotations,
  readBirdDescriptions,
  readTableDescriptions,
  readTablesJson,
} from './descriptions.ts';
import { type Confines, databaseFolders, filesIn, foldersIn, isDatabaseName, spellings } from './files.ts';
import { type RawQuestion, readJsonlQuestions, readJsonQuestions, turnsAsQuestions } from './questions.ts';

/** To add a layout, write it below and add it to `layouts`. */
export interface Layout {
  readonly format: SplitFormat;
  readonly looksFor: string;
  /** Judged by file names alone. */
  recognises(folder: string): boolean;
  /** Best first; UserError when the best one cannot be determined. */
  questionFiles(folder: string): string[];
  /** In file order. UserError names file, record and field. */
  readQuestions(place: SplitLocation): RawQuestion[];
  /** Possible SQLite files of a database, best first. */
  databaseFiles(place: SplitLocation, db: string): string[];
  annotations(place: SplitLocation, db: string, databaseFile: string): Annotations;
}

/** A split's folder and its questions file, both absolute. */
interface SplitLocation {
  readonly folder: string;
  readonly questionsFile: string;
  /** Must contain every file, except one named by the caller. */
  readonly confines: Confines;
}

/** BIRD: `dev.json`, `dev_tables.json`, `dev_databases/<db>/<db>.sqlite`, `database_description/*.csv`. */
export const bird: Layout = {
  format: 'bird',
  looksFor: 'dev.json or train.json beside a folder dev_databases, train_databases, …',

  recognises: (folder) => databaseFolders(folder).some((name) => name.endsWith('_databases')),

  questionFiles: (folder) => chooseQuestionFiles(folder, ['dev.json', 'train.json'], 'sqlite'),

  readQuestions: ({ questionsFile, confines }) =>
    readJsonQuestions(questionsFile, confines, birdRecord, 'SQL').map(({ SQL: sql, ...record }) => ({
      ...record,
      sql,
    })),

  databaseFiles: filesInDatabaseFolders,

  annotations: ({ folder, questionsFile, confines }, db, databaseFile) => {
    const descriptions = readBirdDescriptions(databaseFile, confines);
    const names = readTablesJson(filesIn(folder), questionsFile, db, confines);
    return {
      files: [...descriptions.files, ...names.files],
      tables: [...descriptions.tables, ...names.tables],
    };
  },
};

/** Fields of a question in every layout; BIRD and rookery have hints, too. */
const common = {
  question_id: z.union([z.number().int(), z.string().min(1)]).optional(),
  db_id: z.string().min(1),
  question: z.string(),
  difficulty: z
    .string()
    .nullish()
    .transform((label) => label ?? null),
};
const evidence = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

const birdRecord = z.object({ ...common, evidence, SQL: z.string() });

function filesInDatabaseFolders({ folder, questionsFile }: SplitLocation, db: string): string[] {
  return databaseFolders(folder, questionsFile).flatMap((name) => spellings(folder, name, db));
}

/** rookery's own, the simplest: `questions.jsonl`, `<db>.sqlite`, optionally `descriptions/<db>.csv`. */
export const rookery: Layout = {
  format: 'rookery',
  looksFor: 'questions.jsonl beside <db>.sqlite',

  recognises: (folder) => existsSync(join(folder, 'questions.jsonl')),

  questionFiles: (folder) => [join(folder, 'questions.jsonl')].filter(existsSync),

  readQuestions: ({ questionsFile, confines }) =>
    readJsonlQuestions(questionsFile, confines, rookeryRecord).flatMap(
      ({ dialogue: turns, ...record }, i): RawQuestion[] => {
        const { db_id, origin, canary, question_id = i } = record;
        return turns ? turnsAsQuestions({ db_id, origin, canary }, turns, question_id) : [record];
      },
    ),

  databaseFiles: ({ folder }, db) => [
    join(folder, `${db}.sqlite`),
    ...['.', 'databases'].flatMap((name) => spellings(folder, name, db)),
  ],

  annotations: ({ folder, confines }, db) =>
    readTableDescriptions(join(folder, 'descriptions', `${db}.csv`), confines),
};

const rookeryRecord = z.object({
  ...common,
  evidence,
  sql: z.string(),
  origin: absent(z.string()),
  canary: absent(z.string()),
  query_arguments: absent(z.record(z.string(), z.unknown())),
  augmentation: absent(augmentation),
  ...writeFacts.shape,
  dialogue: absent(dialogue),
});

/** A field that may be null or left out. */
function absent<T>(schema: z.ZodType<T>) {
  return schema.nullish().transform((value) => value || undefined);
}

/** Spider: `dev.json` (or `train_spider.json`, …), `tables.json`, `database/<db>/<db>.sqlite`. */
export const spider: Layout = {
  format: 'spider',
  looksFor: 'dev.json, train_spider.json, … beside tables.json and a folder database',

  recognises: (folder) => databaseFolders(folder).some((name) => /^(test_)?database$/.test(name)),

  questionFiles: (folder) =>
    chooseQuestionFiles(folder, ['dev.json', 'train_spider.json', 'train_others.json', 'test.json']),

  readQuestions: ({ questionsFile, confines }) =>
    readJsonQuestions(questionsFile, confines, spiderRecord, 'query').map(({ query: sql, ...record }) => ({
      ...record,
      evidence: '',
      sql,
    })),

  databaseFiles: filesInDatabaseFolders,

  annotations: ({ folder, questionsFile, confines }, db) =>
    readTablesJson(filesIn(folder), questionsFile, db, confines),
};

const spiderRecord = z.object({ ...common, query: z.string() });

/** In the order in which they are tried. */
export const layouts: Readonly<Record<SplitFormat, Layout>> = { rookery, bird, spider };

/** `byDefault` is false when the caller named a questions file that is not the default. */
export interface FoundLayout {
  readonly layout: Layout;
  readonly place: SplitLocation;
  /** The folder's other questions files, if none was named. */
  readonly unread: readonly string[];
  readonly byDefault: boolean;
  readonly named: boolean;
}

/** Detects the layout of a folder (or of a questions file in it), unless `format` is given. */
export function findLayout(path: string, format?: SplitFormat, followLinks = false): FoundLayout {
  const isFile = statKind(path) === 'file';
  const absolute = resolve(path);
  if (isFile && isDatabaseName(absolute)) throw onlyDatabases(path);
  const folder = isFile ? dirname(absolute) : absolute;
  const confines = followLinks ? null : realpathSync(folder);
  const layout = format === undefined ? recognise(folder, absolute) : layouts[format];

  if (isFile) {
    const place = { folder, questionsFile: absolute, confines };
    return { layout, place, unread: [], byDefault: isDefault(layout, folder, absolute), named: true };
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
    const fix = `serve it with \`rookery serve ${path}\`, or give the split that it was made from`;
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

/** Points users who have databases but no questions to `synthesize`. */
function onlyDatabases(path: string): UserError {
  const fix =
    'have some made with `rookery synthesize`, or write your own (docs/splits.md, "The smallest split"; ' +
    '`rookery init my-split` writes one to begin with)';
  return new UserError('SPLIT_FORMAT_UNKNOWN', path, `holds a database and no questions with SQL: ${fix}`);
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

/** The SQLite file of each database. UserError for missing ones. */
export function findDatabases(
  { layout, place }: FoundLayout,
  questions: readonly Question[],
): Map<string, string> {
  const names = [...new Set(questions.map((question) => question.db_id))].sort();
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const db of names) {
    const candidates = layout.databaseFiles(place, db);
    const file = candidates.find((one) => isThere(one));
    if (file !== undefined) found.set(db, file);
    else missing.push(candidates[0] ?? db);
  }
  const [first, ...others] = missing;
  if (first !== undefined) {
    const mentioned = questions.filter((question) => !found.has(question.db_id)).length;
    const more =
      others.length > 0
        ? `, and so ${others.length === 1 ? 'is' : 'are'} ${counted(others.length, 'more database')}`
        : '';
    const asking = `${counted(mentioned, 'question')} ${mentioned === 1 ? 'asks' : 'ask'}`;
    const fix = `${asking} for it; put the file there, or leave the questions out`;
    throw new UserError('DATABASE_NOT_FOUND', first, `is missing${more}; ${fix}`);
  }
  return found;
}

/** Whether anything but a folder has the path; a folder may have a database's name. */
function isThere(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isDirectory();
}

/** Well-known names first, else the only file, else the only one with the hint in its name. */
function chooseQuestionFiles(folder: string, known: readonly string[], hint?: string): string[] {
  const all = filesIn(folder).filter((file) => isQuestionsFile(basename(file)));
  const json = all.filter((file) => file.endsWith('.json'));
  // Where both exist, they hold the same questions.
  const files = json.length > 0 ? json : all;
  const best = known.flatMap((name) => files.filter((file) => basename(file).replace(/l$/, '') === name));
  if (best.length > 0 || files.length <= 1) return best.length > 0 ? best : files;

  const hinted = hint === undefined ? [] : files.filter((file) => basename(file).includes(hint));
  if (hinted.length === 1) return hinted;
  const names = files.map((file) => basename(file)).join(', ');
  const fault = `holds several questions files (${names}); give the path of one of them instead of the folder`;
  throw new UserError('SPLIT_FORMAT_UNKNOWN', folder, fault);
}

/** `dev_tables.json` holds schemas; `fetch.json` is the record of fetching. */
function isQuestionsFile(name: string): boolean {
  return /\.jsonl?$/.test(name) && !/(^|_)tables\.jsonl?$/.test(name) && name !== 'fetch.json';
}
