import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { packageRoot } from '../../contracts/package-root.ts';

/** Files that take a minute or more, the slowest first. */
const SLOW = [
  'start.long',
  'real-splits.long',
  'hybrid.long',
  'synthesize.long',
  'docs.long',
  'gold-calls.long',
  'cli-farms.long',
  'runner/harness',
  'runner/perfect-agents.long',
].map((name) => `tests/${name}.test.ts`);

/**
 * Begins with what takes longest, so that no worker is left alone with it at the end. The tests beside the code come
 * next, since all others would wait for the farm that the first file makes.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const path = relative(packageRoot, moduleId);
  const at = SLOW.indexOf(path);
  if (at >= 0) return at;
  return SLOW.length + (path.startsWith('tests/') ? 1 : 0);
}
