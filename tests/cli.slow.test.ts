import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createProgram } from '../cli/program.ts';
import { reportError } from '../cli/terminal.ts';
import { ROOKERY } from '../contracts/package-root.ts';
import { QUESTION, rookery, shopSplit } from './support/built-package.ts';
import { temporaryFolder, writeFiles } from './support/split-fixture.ts';

/** A command line run in this process, since starting one takes a second: its exit code, and what it writes. */
async function runHere(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text;
      return true;
    }),
  );
  const end = (code: number, message = '') => ({
    code,
    out: written.stdout,
    err: `${written.stderr}${message}`,
  });
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
    return end(0);
  } catch (error) {
    const { exitCode, message } = reportError(error);
    return end(exitCode, message);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('the command line', () => {
  it('shows help for every command', async () => {
    const { out } = await rookery(['--help']);
    const commands = [...out.matchAll(/^ {2}(\w+) (?:\[options\]|<)/gm)].map(([, name = '']) => name);
    expect(commands).toEqual(expect.arrayContaining(['start', 'generate', 'serve', 'coverage', 'score']));
    for (const command of commands) {
      const program = await createProgram([command, '--help']);
      expect(program.commands.map((each) => each.name())).toEqual([command]);
      expect(program.commands[0]?.helpInformation()).toContain(`Usage: ${ROOKERY} ${command}`);
    }
    const help = await runHere(['generate', '--help']);
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`Usage: ${ROOKERY} generate`) });
  });

  it('shows the options of a run in groups, the seldom ones when all are asked for', async () => {
    const [some, all] = [await runHere(['run', '--help']), await rookery(['run', '--help=all'])];
    const optionsIn = ({ out }: { out: string }) =>
      [...out.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name);
    expect([some.code, all.code]).toEqual([0, 0]);
    expect(some.out).toContain('--help=all');
    expect(optionsIn(some)).toEqual(
      expect.arrayContaining(['agent', 'model', 'sample', 'out', 'cost-limit']),
    );
    expect(optionsIn(some)).not.toContain('on-bad-arguments');
    expect(optionsIn(all)).toEqual(expect.arrayContaining([...optionsIn(some), 'on-bad-arguments']));
    for (const group of ['Model and agent', 'Tasks', 'Tools offered', 'Budget of an attempt'])
      expect(some.out).toContain(`\n${group}:\n`);
  });

  it.each([
    ['an unknown command', ['nope'], /unknown command 'nope'/],
    ['a missing option', ['generate', 'x'], /required option '-o, --out <folder>'/],
    ['an option that does not fit', ['serve', 'x', '--port', 'http'], /a whole number from 0 to 65535/],
    [
      'a split that is not there',
      ['generate', '/nowhere', '--out', '/tmp/x'],
      /^\/nowhere: SPLIT_NOT_FOUND/m,
    ],
    ['a farm that is not there', ['serve', '/nowhere'], /^\/nowhere: FARM_NOT_FOUND/m],
    ['a farm without coverage', ['coverage', '/nowhere'], /^\/nowhere: FARM_NOT_FOUND/m],
    ['a folder’s name with a slip', ['generate', 'databses', '--out', '/tmp/x'], /did you mean databases\?/],
    [
      'an unknown formulation',
      ['run', 'x', '--formulation', 'rst'],
      /--formulation: .* must be one of rest, slot/,
    ],
    ['an unknown variant', ['run', 'x', '--variant', 'foo'], /--variant: .* must be one of base, /],
    ['unknown faults', ['run', 'x', '--faults', 'chaoss'], /'--faults <profile>'.* Give one of none, flaky/],
    ['no number', ['run', 'x', '--temperature', 'hot'], /'--temperature <t>'.* Give a number from 0 to 2/],
    ['a farm that does not answer', ['run', 'http://127.0.0.1:9'], /ECONNREFUSED.*`\S.* serve` prints/],
    ['an experiment that is not there', ['run', '/nowhere.yaml'], /EXPERIMENT_INVALID .*docs\/running\.md/],
    ['a split that is not published', ['fetch', 'x.zip'], /Give one of bird-dev.* --from names a zip/],
    ['a connection to no farm', ['connect', '/nowhere'], /FARM_NOT_FOUND/],
  ])('ends with 2 and one line for %s', async (_, args, message) => {
    const { code, err } = await runHere(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain('    at ');
  });

  it.each([
    ['an unknown command', ['nope'], /^error: unknown command 'nope'/],
    ['a command', ['serve', '/nowhere'], /^\/nowhere: FARM_NOT_FOUND .*\n$/],
    [
      'a command in a process of its own',
      ['generate', '/nowhere', '--out', '/tmp/x'],
      /^\/nowhere: SPLIT_NOT_FOUND .*\n$/,
    ],
    [
      'a database that is not there',
      ['start', '/nowhere.sqlite'],
      /DATABASE_NOT_FOUND .* give a SQLite file/,
    ],
    [
      'a domain that is not bundled',
      ['start', '--only', 'zoo'],
      /no bundled domain zoo; choose from \w+, .*…/,
    ],
  ])('so does its process, of %s', async (_, args, message) => {
    const { code, err } = await rookery(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('says of a farm that it is no split, and of a split that it is no farm, with the command to give', async () => {
    const folder = shopSplit();
    expect((await runHere(['serve', folder])).err).toContain(
      `is a split, not a farm; make a farm of it with \`${ROOKERY} generate ${folder} --out my-farm\``,
    );
    const farm = temporaryFolder();
    writeFiles(farm, { 'farm.json': '{}' });
    expect((await runHere(['generate', farm, '--out', join(farm, 'out')])).err).toContain(
      `is a farm, not a split: serve it with \`${ROOKERY} serve ${farm}\``,
    );
  });

  it('names commands in help as they are called here', async () => {
    const { out } = await runHere(['coverage', '--help']);
    expect(out).toContain(`\`${ROOKERY} generate\``);
    expect(out).not.toMatch(/`rookery /);
  });
});

describe('generate', () => {
  it.each([
    ['broken JSON', { 'questions.jsonl': '{"question_id": 1,' }, /questions\.jsonl.*: SPLIT_INVALID/],
    [
      'a field that is missing',
      { 'questions.jsonl': '{"question_id":1,"db_id":"shop"}\n' },
      /SPLIT_INVALID.*/,
    ],
    [
      'a database that is missing',
      { 'questions.jsonl': JSON.stringify({ ...QUESTION, db_id: 'gone' }) },
      /DATABASE_NOT_FOUND/,
    ],
    [
      'a database that is none',
      { 'shop.sqlite': 'not a database, but long enough to be read as one' },
      /shop\.sqlite: DATABASE_CORRUPT/,
    ],
  ])('says what is wrong with %s, and writes nothing', async (_, files, message) => {
    const out = join(temporaryFolder(), 'farm');
    const { code, err } = await runHere(['generate', shopSplit(files), '--out', out]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });

  it('keeps out of a folder that is not a farm', async () => {
    const out = temporaryFolder();
    writeFileSync(join(out, 'thesis.txt'), 'mine');
    const { code, err } = await rookery(['generate', shopSplit(), '--out', out]);
    expect(err).toContain('OUTPUT_NOT_A_FARM');
    expect(code).toBe(2);
    expect(readdirSync(out)).toEqual(['thesis.txt']);
  });
});
