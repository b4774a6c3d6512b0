import { type Command, InvalidArgumentError } from 'commander';
import { ROOKERY } from '../../contracts/package-root.ts';
import {
  fetchSplit,
  licenceNotice,
  type PublishedName,
  publishedSplits,
} from '../../generator/fetch/fetch-split.ts';
import { interruptSignal, withProgress } from '../terminal.ts';

interface FetchFlags {
  readonly from?: string;
  readonly to?: string;
  readonly again: boolean;
}

const NAMES = Object.keys(publishedSplits);

/** `rookery fetch <split>`: downloads a published split. */
export function register(program: Command): void {
  program
    .command('fetch')
    .description('download a published split, or unpack one from a zip or folder')
    .argument('<split>', NAMES.join(', '), publishedName)
    .option('--from <source>', 'an address, zip or folder (default: where its authors publish it)')
    .option('--to <folder>', 'the folder to make (default: the name of the split)')
    .option('--again', 'fetch it again even if it exists', false)
    .action(async (what: PublishedName, { from, to = what, again }: FetchFlags) => {
      process.stderr.write(`${licenceNotice(what)}\n`);
      const { already } = await withProgress((update) =>
        fetchSplit({
          what,
          to,
          again,
          from,
          signal: interruptSignal(),
          onProgress: ({ stage, done, total }) => update(stage, done, total ?? done),
        }),
      );
      process.stdout.write(
        `${already ? `${what} is already in ${to}` : `${what} is in ${to}`}\nMake a farm of it: ${ROOKERY} generate ${to} --out ${to}-farm\n`,
      );
    });
}

function publishedName(text: string): PublishedName {
  const found = NAMES.find((name): name is PublishedName => name === text);
  if (!found)
    throw new InvalidArgumentError(`Give one of ${NAMES.join(', ')}; --from names a zip or folder of it.`);
  return found;
}
