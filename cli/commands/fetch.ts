import { type Command, InvalidArgumentError } from 'commander';
import { ROOKERY } from '../../contracts/package-root.ts';
import { fetchPrompts, type PromptsName, publishedPrompts } from '../../generator/fetch/fetch-prompts.ts';
import {
  fetchSplit,
  licenceNotice,
  type PublishedName,
  publishedSplits,
} from '../../generator/fetch/fetch-split.ts';
import { interruptSignal, withProgress } from '../terminal.ts';

interface FetchFlags {
  readonly from?: string;
  readonly questions?: string;
  readonly to?: string;
  readonly again: boolean;
}

type Name = PublishedName | PromptsName;
const NAMES = [...Object.keys(publishedSplits), ...Object.keys(publishedPrompts)] as Name[];

/** `rookery fetch <name>`: downloads a published split, or published prompts. */
export function register(program: Command): void {
  program
    .command('fetch')
    .description('download a published split, or unpack one from a zip or folder; or published prompts')
    .argument('<name>', NAMES.join(', '), publishedName)
    .option('--from <source>', 'an address, zip or folder (default: where its authors publish it)')
    .option(
      '--questions <source>',
      'an address or file of questions in place of those of the archive (default: where its authors publish them apart)',
    )
    .option('--to <folder>', 'the folder to make (default: the name)')
    .option('--again', 'fetch it again even if it exists', false)
    .action((what: Name, flags: FetchFlags) =>
      what in publishedPrompts
        ? bringPrompts(what as PromptsName, flags)
        : bringSplit(what as PublishedName, flags),
    );
}

async function bringSplit(
  what: PublishedName,
  { from, questions, to = what, again }: FetchFlags,
): Promise<void> {
  process.stderr.write(`${licenceNotice(what)}\n`);
  const { already } = await withProgress((update) =>
    fetchSplit({
      what,
      to,
      again,
      from,
      questions,
      signal: interruptSignal(),
      onProgress: ({ stage, done, total }) => update(stage, done, total ?? done),
    }),
  );
  process.stdout.write(
    `${already ? `${what} is already in ${to}` : `${what} is in ${to}`}\nMake a farm of it: ${ROOKERY} generate ${to} --out ${to}-farm\n`,
  );
}

async function bringPrompts(what: PromptsName, { from, to = what }: FetchFlags): Promise<void> {
  const published = publishedPrompts[what];
  process.stderr.write(
    `${published.title}: by their authors (${published.homepage}), ${published.license}.\n`,
  );
  await fetchPrompts({ published, from, to, signal: interruptSignal() });
  const value = published.convert === undefined ? `${to}/prompts.json` : to;
  process.stdout.write(
    `${what} is in ${to}\nUse them: ${ROOKERY} run <farm> --agent direct --prompts ${value}\n`,
  );
}

function publishedName(text: string): Name {
  const found = NAMES.find((name) => name === text);
  if (!found)
    throw new InvalidArgumentError(`Give one of ${NAMES.join(', ')}; --from names a zip or folder of it.`);
  return found;
}
