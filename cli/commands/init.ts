import type { Command } from 'commander';
import { ROOKERY } from '../../contracts/package-root.ts';
import { initSplit } from '../../generator/init/init-split.ts';
import { initUseCases } from '../init-use-cases.ts';

/** `rookery init <folder>`: a tiny split to begin with. */
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
