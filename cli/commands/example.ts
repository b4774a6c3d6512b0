import { type Command, Option } from 'commander';
import { copyExample, EXAMPLES, type ExampleName } from '../copy-example.ts';

/** `rookery example <name>`: an agent to start from, as files of your own. */
export function register(program: Command): void {
  program
    .command('example')
    .description('copy an agent to start from into a folder')
    .argument('[name]', `one of ${Object.keys(EXAMPLES).join(', ')}; without it, what each of them is`)
    .addOption(new Option('-o, --out <folder>', 'where to').default('.'))
    .action((name: string | undefined, { out }: { out: string }) => {
      if (name === undefined) {
        for (const [each, { description }] of Object.entries(EXAMPLES))
          process.stdout.write(`${each}: ${description}\n`);
        return;
      }
      const { files, run } = copyExample(name as ExampleName, out);
      process.stdout.write(
        `${files.join('\n')}\nRun it with a farm served at http://127.0.0.1:8080:\n  ${run}\n`,
      );
    });
}
