import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ROOKERY } from '../../contracts/package-root.ts';
import { writeUseCases } from '../../databases/write-split.ts';
import { initSplit } from '../../generator/init-split.ts';
import { writeFolder } from '../../generator/write/write-folder.ts';

/** `rookery init <folder>`: a tiny split to start with. */
export function register(program: Command): void {
  program
    .command('init')
    .description('write a tiny split of your own to begin with: one database, a few questions')
    .argument('<folder>', 'the folder to make, such as my-split')
    .option(
      '--use-cases',
      'instead: the five use cases of DBGorilla with rows, and their questions for the query tool',
    )
    .action(async (folder: string, { useCases }: { readonly useCases?: boolean }) => {
      if (useCases) {
        await initUseCases(folder);
        process.stdout.write(
          `Five databases of three collections written to ${folder}, with their questions for the query tool\n` +
            `Make a farm of it: ${ROOKERY} generate ${folder} --out my-farm\n`,
        );
        return;
      }
      const { questions } = await initSplit(folder);
      process.stdout.write(
        `${questions} questions about one database written to ${folder}\n` +
          `Make a farm of it: ${ROOKERY} generate ${folder} --out my-farm\n`,
      );
    });
}

/** Writes the split of DBGorilla's five use cases into a new or empty folder. Throws the errors of writeFolder. */
export async function initUseCases(folder: string): Promise<void> {
  await writeFolder(folder, { isOurs: () => false, what: 'an empty folder' }, (scratch) => {
    const built = join(scratch, 'split');
    mkdirSync(built);
    writeUseCases(built);
    const entries = readdirSync(built, { recursive: true, withFileTypes: true });
    const files = entries.flatMap((entry) => {
      const moveFrom = join(entry.parentPath, entry.name);
      return entry.isFile() ? [{ path: moveFrom.slice(built.length + 1), moveFrom }] : [];
    });
    return { files };
  });
}
