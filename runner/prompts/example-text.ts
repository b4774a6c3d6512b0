import type { Call } from '../../contracts/sample.ts';

/** A worked example: a question and its gold calls. */
export interface Example {
  readonly id: string;
  readonly input: string;
  readonly output: readonly Pick<Call, 'name' | 'arguments' | 'label'>[];
}

/** Examples as a prompt has them: the question and the calls, without tools. */
export function exampleText(examples: readonly Example[]): string {
  return examples
    .map(({ input, output }, i) => {
      const calls = output.map(({ name, arguments: args, label }) => ({
        name,
        arguments: args,
        ...(label === undefined ? {} : { label }),
      }));
      return `\n#Example-${i + 1}\nInput: ${input}\nOutput: ${JSON.stringify(calls)}\n`;
    })
    .join('');
}
