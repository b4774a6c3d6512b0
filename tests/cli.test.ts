import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../cli/program.ts';
import { ROOKERY } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { builtCommand } from './support/built-package.ts';
import { temporaryFolder, writeDatabase, writeFiles } from './support/split-fixture.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** As it ships: bundled. */
let command: string;

beforeAll(async () => {
  command = await builtCommand();
});

/** Runs the command line, and sends Ctrl-C once it has written `interruptAfter` to its error stream. */
function rookery(args: readonly string[], interruptAfter?: string): Promise<Ended> {
  const child = spawn(process.execPath, [command, ...args]);
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => {
    const before = err;
    err += text;
    if (interruptAfter && !before.includes(interruptAfter) && err.includes(interruptAfter))
      child.kill('SIGINT');
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const QUESTION = { question_id: 1, db_id: 'shop', question: 'How many?', sql: 'SELECT COUNT(*) FROM item' };

function split(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = temporaryFolder('split');
  writeFiles(folder, { 'questions.jsonl': `${JSON.stringify(QUESTION)}\n`, ...files });
  if (!('shop.sqlite' in files)) {
    writeDatabase(
      folder,
      'shop.sqlite',
      'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, NULL)',
    );
  }
  return folder;
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
    const help = await rookery(['generate', '--help']);
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`Usage: ${ROOKERY} generate`) });
  });

  it('shows the options of a run in groups, the seldom ones when all are asked for', async () => {
    const [some, all] = [await rookery(['run', '--help']), await rookery(['run', '--help=all'])];
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
      'a database that is not there',
      ['start', '/nowhere.sqlite'],
      /DATABASE_NOT_FOUND .* give a SQLite file/,
    ],
    [
      'a domain that is not bundled',
      ['start', '--only', 'zoo'],
      /no bundled domain zoo; choose from \w+, .*…/,
    ],
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
    const { code, err } = await rookery(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain('    at ');
  });

  it('says of a farm that it is no split, and of a split that it is no farm, with the command to give', async () => {
    const folder = split();
    expect((await rookery(['serve', folder])).err).toContain(
      `is a split, not a farm; make a farm of it with \`${ROOKERY} generate ${folder} --out my-farm\``,
    );
    const farm = temporaryFolder();
    writeFiles(farm, { 'farm.json': '{}' });
    expect((await rookery(['generate', farm, '--out', join(farm, 'out')])).err).toContain(
      `is a farm, not a split: serve it with \`${ROOKERY} serve ${farm}\``,
    );
  });

  it('names commands in help as they are called here', async () => {
    const { out } = await rookery(['coverage', '--help']);
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
    const { code, err } = await rookery(['generate', split(files), '--out', out]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });

  it('keeps out of a folder that is not a farm', async () => {
    const out = temporaryFolder();
    writeFileSync(join(out, 'thesis.txt'), 'mine');
    const { code, err } = await rookery(['generate', split(), '--out', out]);
    expect(err).toContain('OUTPUT_NOT_A_FARM');
    expect(code).toBe(2);
    expect(readdirSync(out)).toEqual(['thesis.txt']);
  });

  it('rejects a question whose SQL fails and keeps the others', async () => {
    const bad = { ...QUESTION, question_id: 2, sql: 'SELECT nothing FROM nowhere' };
    const folder = split({ 'questions.jsonl': `${JSON.stringify(QUESTION)}\n${JSON.stringify(bad)}\n` });
    const out = join(temporaryFolder(), 'farm');
    expect(await rookery(['generate', folder, '--out', out])).toMatchObject({ code: 0 });
    const { verdicts } = JSON.parse(readFileSync(join(out, 'coverage.json'), 'utf8'));
    expect(verdicts).toHaveLength(2 * 3 + 1);
    for (const { question_id, kept, rejection } of verdicts) {
      expect(kept).toBe(question_id === 1);
      if (!kept)
        expect(rejection).toMatchObject({
          code: 'SQL_NOT_EXECUTABLE',
          reason: expect.stringMatching(/nowhere|nothing/),
        });
    }
    expect((await rookery(['coverage', out])).out).toContain('SQL_NOT_EXECUTABLE');
  });

  it('says that nothing was kept, and ends with 1', async () => {
    const folder = split({
      'questions.jsonl': JSON.stringify({ ...QUESTION, sql: 'SELECT 1 FROM nowhere' }),
    });
    const out = join(temporaryFolder(), 'farm');
    const ended = await rookery(['generate', folder, '--out', out]);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain(
      `No question was kept, so there is nothing to serve; see why: ${ROOKERY} coverage ${out}`,
    );
    expect(ended.out).not.toContain('Serve it');
    expect((await rookery(['coverage', out])).out).toContain('SQL_NOT_EXECUTABLE');
  });

  it('serves a database whatever its file is called', async () => {
    const names = ['%2e%2e', 'a#b', 'a?b', '100%', '%00', 'ä b', '{x}', '--only', '"q"'];
    const folder = split({
      'questions.jsonl': names
        .map((db_id) => `${JSON.stringify({ ...QUESTION, question_id: db_id, db_id })}\n`)
        .join(''),
    });
    for (const name of names) copyFileSync(join(folder, 'shop.sqlite'), join(folder, `${name}.sqlite`));
    const out = join(temporaryFolder(), 'farm');
    expect((await rookery(['generate', folder, '--out', out])).code).toBe(0);
    const { domains } = JSON.parse(readFileSync(join(out, 'farm.json'), 'utf8'));
    const kept = domains.map(({ db, samples }: { db: string; samples: object }) => [db, samples]);
    expect(kept).toEqual(
      [...names].sort().map((db) => [db, { rest: 1, slot: 1, sel: 1, query: 1, hybrid: 0 }]),
    );
  });

  it('gives the same bytes twice, and replaces an older farm', async () => {
    const folder = split();
    const [first, second] = [join(temporaryFolder(), 'farm'), join(temporaryFolder(), 'farm')];
    for (const out of [first, second, second])
      await rookery(['generate', folder, '--out', out, '--name', 'same']);
    for (const file of readdirSync(first, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!file.includes('.')) continue;
      expect(readFileSync(join(second, file)).equals(readFileSync(join(first, file))), file).toBe(true);
    }
  });

  it('leaves the old farm, and nothing beside it, when it is interrupted', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'farm');
    expect((await rookery(['generate', split(), '--out', out])).code).toBe(0);
    const before = readFileSync(join(out, 'farm.json'), 'utf8');
    const bundled = await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true });
    const { code, err } = await rookery(['generate', bundled, '--out', out], 'read 3/3');
    expect(err).toContain('INTERRUPTED');
    expect(code).toBe(130);
    expect(readFileSync(join(out, 'farm.json'), 'utf8')).toBe(before);
    expect(readdirSync(folder)).toEqual(['farm']);
  });

  it('makes its output folder with what leads to it', async () => {
    const out = join(temporaryFolder(), 'a', 'b', 'farm');
    mkdirSync(join(out, '..'), { recursive: true });
    expect((await rookery(['generate', split(), '--out', out])).code).toBe(0);
    expect(existsSync(join(out, 'databases', 'shop.sqlite'))).toBe(true);
  });
});

const ENDLESS =
  'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
const SILENT =
  'CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0';

describe('a view without an end', () => {
  it('is left out and named, with the questions about it; the others are kept', async () => {
    const asked = ['item', 'endless', 'silent', 'broken'].map((name, i) => ({
      ...QUESTION,
      question_id: i + 1,
      sql: `SELECT COUNT(*) FROM ${name}`,
    }));
    const folder = split({ 'questions.jsonl': asked.map((each) => `${JSON.stringify(each)}\n`).join('') });
    writeDatabase(
      folder,
      'shop.sqlite',
      `${ENDLESS}; ${SILENT}; CREATE VIEW broken AS SELECT json('{') AS j FROM item`,
    );
    const out = join(temporaryFolder(), 'farm');
    const { code, err } = await rookery([
      'generate',
      folder,
      '--out',
      out,
      '--timeout',
      '1',
      '--hidden',
      '50',
    ]);
    expect(err).toContain('left out with the questions about them: shop.endless, shop.silent, shop.broken');
    expect(code).toBe(0);
    const { verdicts } = JSON.parse(readFileSync(join(out, 'coverage.json'), 'utf8'));
    for (const { question_id, formulation, kept } of verdicts)
      if (formulation === 'rest') expect(kept, question_id).toBe(question_id === 1);
    const { catalog } = JSON.parse(readFileSync(join(out, 'services', 'shop.json'), 'utf8'));
    expect(catalog.tables.map(({ name }: { name: string }) => name)).toEqual(['item']);
  });
});

/** Whether a process, or one that it started, has a file open. Linux only. */
function hasOpen(pid: number, file: string): boolean {
  const readOr = (path: string, read: (path: string) => string[]) => {
    try {
      return read(path);
    } catch {
      return []; // It has ended.
    }
  };
  const folder = `/proc/${pid}`;
  const open = readOr(`${folder}/fd`, readdirSync).flatMap((fd) =>
    readOr(`${folder}/fd/${fd}`, (path) => [readlinkSync(path)]),
  );
  const children = readOr(`${folder}/task/${pid}/children`, (path) =>
    readFileSync(path, 'utf8').trim().split(' ').filter(Boolean),
  );
  return open.includes(file) || children.some((child) => hasOpen(Number(child), file));
}

describe.runIf(process.platform === 'linux')('a command that reads a database for ever', () => {
  // Each value of the generated column takes a while, so that one statement on the table takes hours.
  const SLOW = `DROP TABLE item;
    CREATE TABLE item (id INTEGER PRIMARY KEY);
    INSERT INTO item WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT i FROM n;
    ALTER TABLE item ADD COLUMN size AS (length(replace(hex(zeroblob(4000000 + id % 2)), '0', 'ab')))`;
  const COMMANDS: readonly (readonly [string, (folder: string) => string[]])[] = [
    ['generate', (folder) => ['generate', folder, '--out', 'out']],
    ['audit', (folder) => ['audit', folder]],
    ['augment', (folder) => ['augment', folder, '--out', 'out']],
    ['synthesize', (folder) => ['synthesize', join(folder, 'shop.sqlite'), '--out', 'out']],
    ['start', (folder) => ['start', join(folder, 'shop.sqlite'), '--farm', 'out', '--port', '0']],
  ];

  /** Sends SIGTERM once the file is open; answers how it ended and what was written. */
  async function stopAtFile(args: readonly string[], file: string) {
    const cwd = temporaryFolder();
    const child = spawn(process.execPath, [command, ...args], { cwd });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
    await expect.poll(() => child.exitCode !== null || hasOpen(child.pid ?? 0, file)).toBe(true);
    expect(err).not.toContain('    at ');
    child.kill('SIGTERM');
    return { code: await ended, written: readdirSync(cwd), err };
  }

  it.each(COMMANDS)('heeds SIGTERM: %s', async (_, args) => {
    const folder = split();
    writeDatabase(folder, 'shop.sqlite', SLOW);
    const { code, written } = await stopAtFile(args(folder), join(folder, 'shop.sqlite'));
    // A server keeps runs, and the domains proven so far.
    expect(written.filter((name) => !/^out(-runs\.|\.growing$)/.test(name))).toEqual([]);
    expect(code).toBe(130);
  });

  it('heeds SIGTERM: stats', async () => {
    const farm = join(temporaryFolder(), 'farm');
    expect((await rookery(['generate', split(), '--out', farm])).code).toBe(0);
    const file = join(farm, 'databases', 'shop.sqlite');
    rmSync(file);
    writeDatabase(join(farm, 'databases'), 'shop.sqlite', ENDLESS.replace('endless', 'item'));
    const { code } = await stopAtFile(['stats', farm], file);
    expect(code).toBe(null);
  });
});
