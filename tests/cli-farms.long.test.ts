import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOKERY } from '../contracts/package-root.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { builtCommand, QUESTION, rookery, shopSplit } from './support/built-package.ts';
import { temporaryFolder, writeDatabase } from './support/split-fixture.ts';

describe('generate', () => {
  it('rejects a question whose SQL fails and keeps the others', async () => {
    const bad = { ...QUESTION, question_id: 2, sql: 'SELECT nothing FROM nowhere' };
    const folder = shopSplit({ 'questions.jsonl': `${JSON.stringify(QUESTION)}\n${JSON.stringify(bad)}\n` });
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
    const folder = shopSplit({
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
    const folder = shopSplit({
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
    const folder = shopSplit();
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
    expect((await rookery(['generate', shopSplit(), '--out', out])).code).toBe(0);
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
    expect((await rookery(['generate', shopSplit(), '--out', out])).code).toBe(0);
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
    const folder = shopSplit({
      'questions.jsonl': asked.map((each) => `${JSON.stringify(each)}\n`).join(''),
    });
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
    const child = spawn(process.execPath, [await builtCommand(), ...args], { cwd });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
    await expect.poll(() => child.exitCode !== null || hasOpen(child.pid ?? 0, file)).toBe(true);
    expect(err).not.toContain('    at ');
    child.kill('SIGTERM');
    return { code: await ended, written: readdirSync(cwd), err };
  }

  it.each(COMMANDS)('heeds SIGTERM: %s', async (_, args) => {
    const folder = shopSplit();
    writeDatabase(folder, 'shop.sqlite', SLOW);
    const { code, written } = await stopAtFile(args(folder), join(folder, 'shop.sqlite'));
    // A server keeps runs, and the domains proven so far.
    expect(written.filter((name) => !/^out(-runs\.|\.growing$)/.test(name))).toEqual([]);
    expect(code).toBe(130);
  });

  it('heeds SIGTERM: stats', async () => {
    const farm = join(temporaryFolder(), 'farm');
    expect((await rookery(['generate', shopSplit(), '--out', farm])).code).toBe(0);
    const file = join(farm, 'databases', 'shop.sqlite');
    rmSync(file);
    writeDatabase(join(farm, 'databases'), 'shop.sqlite', ENDLESS.replace('endless', 'item'));
    const { code } = await stopAtFile(['stats', farm], file);
    expect(code).toBe(null);
  });
});
