import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** `fetch.json`, beside the data: where a split came from, and the files received. */
export const fetchRecord = z.object({
  split: z.string(),
  /** The address; or the name of the file or folder that was given. */
  source: z.string(),
  /** What arrived, or null when it was a folder. */
  archive: z
    .object({
      bytes: z.number().int(),
      sha256: z.string(),
      etag: z.string().nullable(),
      last_modified: z.string().nullable(),
    })
    .nullable(),
  /** The files present now, except this one. */
  files: z.number().int(),
  bytes: z.number().int(),
  license: z.string(),
  license_url: z.string(),
  citation: z.string(),
});
export type FetchRecord = z.infer<typeof fetchRecord>;

export const FETCH_RECORD = 'fetch.json';

/** The record in a fetched folder, or null for any other folder. */
export function readFetchRecord(folder: string): FetchRecord | null {
  try {
    return fetchRecord.parse(JSON.parse(readFileSync(join(folder, FETCH_RECORD), 'utf8')));
  } catch {
    return null;
  }
}
