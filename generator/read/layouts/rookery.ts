import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { augmentation } from '../../../contracts/augmentation.ts';
import { readTableDescriptions } from '../catalog/table-descriptions.ts';
import { spellings } from '../files/folder.ts';
import { readJsonlQuestions } from '../questions/read-jsonl-questions.ts';
import type { Layout } from './layout.ts';

/** rookery's own, the simplest: `questions.jsonl`, `<db>.sqlite`, optionally `descriptions/<db>.csv`. */
export const rookery: Layout = {
  format: 'rookery',
  looksFor: 'questions.jsonl beside <db>.sqlite',

  recognises: (folder) => existsSync(join(folder, 'questions.jsonl')),

  questionFiles: (folder) => [join(folder, 'questions.jsonl')].filter(existsSync),

  readQuestions: ({ questionsFile, confines }) =>
    readJsonlQuestions(questionsFile, confines, rookeryRecord).map((record) => ({
      question_id: record.question_id,
      db_id: record.db_id,
      question: record.question,
      evidence: record.evidence ?? '',
      difficulty: record.difficulty ?? null,
      sql: record.sql,
      ...(record.origin ? { origin: record.origin } : {}),
      ...(record.canary ? { canary: record.canary } : {}),
      ...(record.query_arguments ? { query_arguments: record.query_arguments } : {}),
      ...(record.augmentation ? { augmentation: record.augmentation } : {}),
    })),

  databaseFiles: ({ folder }, db) => ['.', 'databases'].flatMap((name) => spellings(folder, name, db)),

  annotations: ({ folder, confines }, db) =>
    readTableDescriptions(join(folder, 'descriptions', `${db}.csv`), confines),
};

const rookeryRecord = z.object({
  question_id: z.union([z.number().int(), z.string().min(1)]).optional(),
  db_id: z.string().min(1),
  question: z.string(),
  evidence: z.string().nullish(),
  sql: z.string(),
  difficulty: z.string().nullish(),
  origin: z.string().nullish(),
  canary: z.string().nullish(),
  query_arguments: z.record(z.string(), z.unknown()).nullish(),
  augmentation: augmentation.nullish(),
});
