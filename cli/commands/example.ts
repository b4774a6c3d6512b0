import { constants, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { didYouMean, nearestNames } from '../../contracts/wording.ts';

/** `rookery example <name>`: copies a sample agent to start from. */
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

/** Sample agents: the files of `examples/` that each needs, and the command to run it. */
export const EXAMPLES = {
  'openai-loop': {
    description: 'a tool loop against any OpenAI-compatible chat endpoint, one recorded run a task',
    files: ['openai-loop.ts', 'chat.ts'],
    // The running package itself: it is not in a registry.
    run: `npm install ${packageRoot} tsx && OPENAI_API_KEY=… npx tsx openai-loop.ts`,
  },
  'mcp-agent': {
    description: 'an agent that speaks MCP and knows nothing of rookery',
    files: ['mcp-agent.ts', 'chat.ts'],
    run: 'npm install @modelcontextprotocol/client tsx && OPENAI_API_KEY=… npx tsx mcp-agent.ts',
  },
  'plain-http-agent': {
    description: 'a whole agent in the standard library of Python',
    files: ['plain_http_agent.py'],
    run: 'python3 plain_http_agent.py',
  },
  train: {
    description: 'a training loop in the standard library of Python: episodes, rewards and their mean',
    files: ['train.py'],
    run: 'python3 train.py',
  },
} as const satisfies Readonly<Record<string, Example>>;

interface Example {
  readonly description: string;
  readonly files: readonly string[];
  readonly run: string;
}

export type ExampleName = keyof typeof EXAMPLES;

/** Copies an example into a folder without overwriting files. Throws OPTION_INVALID, OUTPUT_FAILED. */
export function copyExample(name: string, to: string): { readonly files: string[]; readonly run: string } {
  const names = Object.keys(EXAMPLES);
  const example: Example | undefined = Object.hasOwn(EXAMPLES, name)
    ? EXAMPLES[name as ExampleName]
    : undefined;
  if (!example) {
    const hint = didYouMean(nearestNames(name, names)) || `: there are ${names.join(', ')}`;
    throw new OptionError(name, `is not an example${hint}`);
  }
  makeFolder(to);
  const files = example.files.map((file) => {
    const target = join(to, file);
    try {
      copyFileSync(join(packageRoot, 'examples', file), target, constants.COPYFILE_EXCL);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      throw new UserError('OUTPUT_FAILED', target, 'exists already; give another folder with --out', {
        cause,
      });
    }
    return target;
  });
  return { files, run: example.run };
}
