import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Split, splitFormat } from '../contracts/split.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { loadFarm } from '../services/base/farm/load-farm.ts';

/** Whether a folder holds a farm. */
export function holdsFarm(folder: string): boolean {
  return existsSync(join(folder, 'farm.json'));
}

/** The split that a farm was made from, as far as the farm keeps it: its kept questions over the databases it serves. */
export async function splitOfFarm(folder: string, only?: readonly string[]): Promise<Split> {
  const { farm, samples } = readFarm(folder);
  const { domains } = await loadFarm(folder, only ? { only } : {});
  const questions = new Map(
    samples
      .filter((sample) => only?.includes(sample.dataset_name) ?? true)
      .map((sample) => [
        `${sample.dataset_name}\n${sample.question_id}`,
        {
          question_id: sample.question_id,
          db_id: sample.dataset_name,
          question: sample.input,
          evidence: sample.evidence,
          difficulty: sample.difficulty,
          sql: sample.query,
        },
      ]),
  );
  return {
    name: farm.split.name,
    format: splitFormat.parse(farm.split.format),
    content_hash: farm.split.content_hash,
    data_licence: domains[0]?.service.data_licence ?? 'unknown',
    questions: [...questions.values()],
    questions_file: join(folder, 'eval'),
    unread_files: [],
    domains: domains.map(({ service, database }) => ({
      db: service.db,
      file: database,
      catalog: service.catalog,
    })),
  };
}
