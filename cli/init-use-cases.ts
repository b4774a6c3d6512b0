import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeUseCases } from '../databases/write-split.ts';
import { openOutputFolder } from '../generator/write/write-folder.ts';

/**
 * Writes the split of DBGorilla's five use cases into a folder that is new or empty, whole or not at all. UserErrors of
 * writing: OUTPUT_NOT_A_FARM, OUTPUT_FAILED.
 */
export async function initUseCases(folder: string): Promise<void> {
  const output = await openOutputFolder(folder, { isOurs: () => false, what: 'an empty folder' });
  try {
    const built = join(output.scratch, 'split');
    mkdirSync(built);
    writeUseCases(built);
    const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    await output.write(
      files.map((entry) => {
        const moveFrom = join(entry.parentPath, entry.name);
        return { path: moveFrom.slice(built.length + 1), moveFrom };
      }),
    );
  } finally {
    output.close();
  }
}
