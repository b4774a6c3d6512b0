import type { Command } from 'commander';
import { initSplit } from '../../generator/init/init-split.ts';

/** `rookery init <folder>`: a tiny split to begin with. */
export function register(program: Command): void {
  program
    .command('init')
    .description('write a tiny split of your own to begin with: one database, a few questions')
    .argument('<folder>', 'the folder to make, such as my-split')
    .action(async (folder: string) => {
      const { questions } = await initSplit(folder);
      process.stdout.write(
        `${questions} questions about one database written to ${folder}\n` +
          `Make a farm of it: rookery generate ${folder} --out my-farm\n`,
      );
    });
}
