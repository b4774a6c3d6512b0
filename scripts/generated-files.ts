import { errorsPage } from './errors-page.ts';

/** A file of the repository that is made from others. */
export interface GeneratedFile {
  /** From the package root. */
  readonly path: string;
  readonly content: string;
}

/** All files that are generated and committed: written by `npm run generated`, compared by a test. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [{ path: 'docs/errors.md', content: errorsPage() }];
}
