import { z } from 'zod';
import { readTablesJson } from '../catalog/tables-json.ts';
import { databaseFolders, filesIn, spellings } from '../files/folder.ts';
import { readJsonQuestions } from '../questions/read-json-questions.ts';
import { chooseQuestionFiles } from './choose-question-files.ts';
import type { Layout } from './layout.ts';

/** Spider: `dev.json` (or `train_spider.json`, …), `tables.json`, `database/<db>/<db>.sqlite`. */
export const spider: Layout = {
  format: 'spider',
  looksFor: 'dev.json, train_spider.json, … beside tables.json and a folder database',

  recognises: (folder) => databaseFolders(folder).some((name) => /^(test_)?database$/.test(name)),

  questionFiles: (folder) =>
    chooseQuestionFiles(folder, ['dev.json', 'train_spider.json', 'train_others.json', 'test.json']),

  readQuestions: ({ questionsFile, confines }) =>
    readJsonQuestions(questionsFile, confines, spiderRecord, 'query').map((record) => ({
      question_id: record.question_id,
      db_id: record.db_id,
      question: record.question,
      evidence: '',
      difficulty: record.difficulty ?? null,
      sql: record.query,
    })),

  databaseFiles: ({ folder, questionsFile }, db) =>
    databaseFolders(folder, questionsFile).flatMap((name) => spellings(folder, name, db)),

  annotations: ({ folder, questionsFile, confines }, db) =>
    readTablesJson(filesIn(folder), questionsFile, db, confines),
};

const spiderRecord = z.object({
  question_id: z.union([z.number().int(), z.string().min(1)]).optional(),
  db_id: z.string().min(1),
  question: z.string(),
  query: z.string(),
  difficulty: z.string().nullish(),
});
