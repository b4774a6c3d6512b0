import type { Farm } from '../../../contracts/farm.ts';
import { servedFiles } from '../../../services/base/farm.ts';

/** Without hidden tables. */
const served = (db: string) => servedFiles(db).filter((path) => !path.endsWith('.hybrid.json'));

export function farmOfDomains(dbs: readonly string[]): Farm {
  const hash = '0'.repeat(64);
  const paths = dbs.flatMap((db) => [...served(db), `tasks/${db}.jsonl`, `eval/${db}.jsonl`]);
  return {
    format_version: 1,
    name: 'some farm',
    split: { name: 'some', format: 'rookery', content_hash: hash },
    generator_version: '0.0.0',
    reference_time: '2025-01-01 00:00:00',
    domains: dbs.map((db) => ({
      db,
      title: db,
      questions: 1,
      endpoints: 1,
      start_tables: 1,
      samples: { rest: 1, slot: 1, sel: 1, query: 0, hybrid: 0, records: 0, actions: 0 },
    })),
    files: Object.fromEntries(['coverage.json', ...paths].map((path) => [path, hash])),
  };
}
