import { expect, test } from 'vitest';
import { createProgram } from '../cli/program.ts';
import { FORMATS } from './formats.ts';

test.each(FORMATS)('$commands are what the module has', async ({ commands, load }) => {
  expect((await load()).commands.map(({ of, name }) => `${of} ${name}`)).toEqual(commands);
});

const ALL = FORMATS.flatMap(({ commands }) => commands.map((each) => each.split(' ')));

test.each(ALL)(
  'rookery %s %s has one command, loaded alone or with the others',
  async (of = '', name = '') => {
    const namesOf = async (args: readonly string[]) =>
      (await createProgram(args)).commands[0]?.commands.map((command) => command.name());
    const others = ALL.filter(([group]) => group === of).map(([, each]) => each);
    expect(await namesOf([of, name])).toContain(name);
    expect(await namesOf([of])).toEqual(others);
  },
);

test('a prediction file that is scored is not taken for a format', async () => {
  const [score] = (await createProgram(['score', 'my-farm', 'predictions.jsonl'])).commands;
  expect(score?.commands).toEqual([]);
});
