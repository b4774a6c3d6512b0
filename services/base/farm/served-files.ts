import { openapiFile } from '../../../contracts/openapi-file.ts';
import { formulation } from '../../../contracts/sample.ts';

/** The files of a farm that a domain's service reads, besides farm.json; not all of them need be there. */
export function servedFiles(db: string): string[] {
  const specs = formulation.options.map((kind) => `openapi/${openapiFile(db, kind)}`);
  return [`services/${db}.json`, `databases/${db}.sqlite`, ...specs];
}

/** The files of a domain that the process for agents reads, besides farm.json. */
export function agentFiles(db: string): string[] {
  return [`services/${db}.json`, taskFile(db), taskIndexFile(db)];
}

/** The file of a domain's tasks. */
export function taskFile(db: string): string {
  return `tasks/${db}.jsonl`;
}

/** The file of what they are chosen by; a farm of an older version has none. */
export function taskIndexFile(db: string): string {
  return `tasks/${db}.index.json`;
}
