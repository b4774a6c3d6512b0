import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../contracts/wording.ts';
import { writeFolder } from '../../generator/write/write-folder.ts';
import { openBoard, siteFiles } from '../board.ts';
import { choice } from '../options.ts';
import { PUBLISHED, type Published } from '../run/find-runs.ts';

interface PublishFlags {
  readonly out: string;
  readonly gold: boolean;
  readonly title: string;
  readonly published: Published;
}

/** `rookery publish <runs> --out <folder>`: the console with runs as a static site. */
export function register(program: Command): void {
  program
    .command('publish')
    .description('write a leaderboard with its trajectories as a static site')
    .argument('<runs...>', 'folders that `rookery run` wrote, or folders of them')
    .requiredOption('-o, --out <folder>', 'where to; an older site there is replaced')
    .option('--gold', 'tell the gold too: SQL, rows and calls, beside what agents did', false)
    .option('--title <text>', 'what the leaderboard is called', 'Leaderboard')
    .addOption(
      choice(
        '--published <rows>',
        'rows of papers: those of the runs’ split, all, or none',
        PUBLISHED,
        'fitting',
      ),
    )
    .action(async (places: string[], { out, gold, title, published }: PublishFlags) => {
      const board = openBoard(places, { title, gold, published });
      const target = {
        isOurs: (folder: string) => existsSync(join(folder, 'data', 'board.json')),
        what: 'a published site',
      };
      await writeFolder(out, target, () => ({ files: siteFiles(title, board) }));
      process.stdout.write(
        `${counted(board.runs, 'run')}, ${gold ? 'with' : 'without'} the gold, in ${out}; any server of files can host it\n`,
      );
    });
}
