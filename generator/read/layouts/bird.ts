import { z } from 'zod';
import { readBirdDescriptions } from '../catalog/bird-descriptions.ts';
import { readTablesJson } from '../catalog/tables-json.ts';
import { databaseFolders, filesIn, spellings } from '../files/folder.ts';
import { readJsonQuestions } from '../questions/read-json-questions.ts';
import { chooseQuestionFiles } from './choose-question-files.ts';
import type { Layout } from './layout.ts';

/** BIRD: `dev.json`, `dev_tables.json`, `dev_databases/<db>/<db>.sqlite` with `database_description/*.csv`. */
export const bird: Layout = {
  format: 'bird',
  looksFor: 'dev.json or train.json beside a folder dev_databases, train_databases, …',

  recognises: (folder) => databaseFolders(folder).some((name) => name.endsWith('_databases')),

  questionFiles: (folder) => chooseQuestionFiles(folder, ['dev.json', 'train.json'], 'sqlite'),

  readQuestions: ({ questionsFile, confines }) =>
    readJsonQuestions(questionsFile, confines, birdRecord, 'SQL').map((record) => ({
      question_id: record.question_id,
      db_id: record.db_id,
      question: record.question,
      evidence: record.evidence ?? '',
      difficulty: record.difficulty ?? null,
      sql: record.SQL,
    })),

  databaseFiles: ({ folder, questionsFile }, db) =>
    databaseFolders(folder, questionsFile).flatMap((name) => spellings(folder, name, db)),

  annotations: ({ folder, questionsFile, confines }, db, databaseFile) => {
    const descriptions = readBirdDescriptions(databaseFile, confines);
    const names = readTablesJson(filesIn(folder), questionsFile, db, confines);
    return {
      files: [...descriptions.files, ...names.files],
      tables: [...descriptions.tables, ...names.tables],
    };
  },
};

const birdRecord = z.object({
  question_id: z.union([z.number().int(), z.string().min(1)]).optional(),
  db_id: z.string().min(1),
  question: z.string(),
  evidence: z.string().nullish(),
  SQL: z.string(),
  difficulty: z.string().nullish(),
});
