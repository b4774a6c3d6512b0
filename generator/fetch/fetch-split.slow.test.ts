import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { breakAfter, serveFile } from '../../tests/support/file-server.ts';
import { hasPublished, publishedSplit, withPublished } from '../../tests/support/published-splits.ts';
import { mountSmallDisk } from '../../tests/support/small-disk.ts';
import { temporaryFolder, writeFiles } from '../../tests/support/split-fixture.ts';
import { makeZip, type ZipEntry } from '../../tests/support/zip-fixture.ts';
import { readSplit } from '../read/read-split.ts';
import type { FetchProgress } from './download.ts';
import { type FetchOptions, fetchSplit } from './fetch-split.ts';
import { walkFiles } from './unpack.ts';

function pets(): Buffer {
  const connection = new Database(':memory:');
  connection.exec('CREATE TABLE owner (id INTEGER PRIMARY KEY); INSERT INTO owner VALUES (1)');
  const bytes = connection.serialize();
  connection.close();
  return bytes;
}

const questions = JSON.stringify([
  { question_id: 7, db_id: 'pets', question: 'q', evidence: '', SQL: 'SELECT 1', difficulty: 'simple' },
]);
const database: ZipEntry = { name: 'dev_databases/pets/pets.sqlite', content: pets() };
const macOs: ZipEntry = { name: '__MACOSX/dev_databases/._pets', content: 'Finder was here' };

/** A zip as BIRD's: a folder, the questions, and a zip of the databases. */
function birdZip(inner: readonly ZipEntry[] = [database, macOs], extra: readonly ZipEntry[] = []): Buffer {
  return makeZip([
    { name: 'dev_2024/', content: '', stored: true, mode: 0o040755 },
    { name: 'dev_2024/dev.json', content: questions },
    { name: 'dev_2024/dev_databases.zip', content: makeZip(inner), stored: true },
    { name: '__MACOSX/dev_2024/._dev.json', content: 'Finder was here' },
    ...extra,
  ]);
}

/** A zip that takes more than one packet. */
function largeZip(): Buffer {
  return birdZip([database], [{ name: 'dev_2024/padding', content: randomBytes(600_000) }]);
}

const fetchFrom = (to: string, from: string, more: Partial<FetchOptions> = {}) =>
  fetchSplit({ what: 'bird-dev', to, from, retryDelay: 1, ...more });

function zipFile(content: Buffer): string {
  const file = join(temporaryFolder(), 'dev.zip');
  writeFileSync(file, content);
  return file;
}

/** The folder's content; also checks that nothing is beside it. */
function expectOnly(to: string, paths: readonly string[]): void {
  expect(readdirSync(dirname(to))).toEqual(existsSync(to) ? ['bird-dev'] : []);
  expect(existsSync(to) ? walkFiles(to).map((file) => file.path) : []).toEqual(paths);
}

/** A `Range` header; how much of the data had reached the disk depends on the system. */
const goingOn = expect.stringMatching(/^bytes=[1-9]\d*-$/);

const WHOLE = ['dev.json', 'dev_databases/pets/pets.sqlite', 'fetch.json'];
const target = () => join(temporaryFolder(), 'bird-dev');

describe('from an address', () => {
  test('downloads, unpacks the zip in the zip, records what came, and can be read', async () => {
    const server = await serveFile(birdZip());
    const to = target();
    const progress: FetchProgress[] = [];
    const { record, already } = await fetchFrom(to, server.url, { onProgress: (one) => progress.push(one) });
    expectOnly(to, WHOLE);
    expect(already).toBe(false);
    expect(record).toEqual({
      split: 'bird-dev',
      source: server.url,
      archive: {
        bytes: server.file.length,
        sha256: createHash('sha256').update(server.file).digest('hex'),
        etag: '"v1"',
        last_modified: null,
      },
      files: 2,
      bytes: questions.length + database.content.length,
      license: 'CC BY-SA 4.0',
      license_url: expect.stringContaining('creativecommons.org'),
      citation: expect.stringContaining('NeurIPS'),
    });
    expect(JSON.parse(readFileSync(join(to, 'fetch.json'), 'utf8'))).toEqual(record);
    const split = await readSplit(to);
    expect([split.name, split.format, split.questions.length]).toEqual(['bird-dev', 'bird', 1]);
    expect(new Set(progress.map(({ stage }) => stage))).toEqual(new Set(['download', 'checksum', 'unpack']));
    expect(progress.find(({ stage, done, total }) => stage === 'download' && done === total)).toBeTruthy();
  });

  test('is not done twice, unless asked for', async () => {
    const server = await serveFile(birdZip());
    const to = target();
    await fetchFrom(to, server.url);
    const second = await fetchFrom(to, server.url);
    expect([second.already, server.ranges.length]).toEqual([true, 1]);
    server.file = birdZip([database], [{ name: 'dev_2024/new.txt', content: '' }]);
    expect((await fetchFrom(to, server.url, { again: true })).already).toBe(false);
    expectOnly(to, [...WHOLE, 'new.txt'].sort());
  });

  test('a broken connection is gone on with where it broke', async () => {
    const server = await serveFile(largeZip());
    server.next.push(breakAfter(server, 300_000));
    const to = target();
    const { record } = await fetchFrom(to, server.url);
    expect(server.ranges).toEqual([null, goingOn]);
    expect(record.archive?.sha256).toBe(createHash('sha256').update(server.file).digest('hex'));
  });

  test('an interrupted download goes on the next time', async () => {
    const server = await serveFile(largeZip());
    const to = target();
    const stop = new AbortController();
    const onProgress = ({ done }: FetchProgress) => {
      if (done >= 200_000) setTimeout(() => stop.abort(), 100); // once the data have reached the disk
    };
    server.next.push((_, response) => {
      response.writeHead(200, { 'content-length': server.file.length, etag: '"v1"' });
      response.write(server.file.subarray(0, 200_000)); // and no more: the connection hangs
    });
    const fetching = fetchFrom(to, server.url, { signal: stop.signal, onProgress });
    await expect(fetching).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(existsSync(to)).toBe(false);
    await fetchFrom(to, server.url);
    expect(server.ranges).toEqual([null, goingOn]);
    expectOnly(to, ['dev.json', 'dev_databases/pets/pets.sqlite', 'fetch.json', 'padding']);
  });

  test('a file that changed in between is fetched from the start', async () => {
    const server = await serveFile(largeZip());
    const to = target();
    server.next.push(breakAfter(server, 300_000));
    server.next.push((_, response) => {
      server.file = birdZip();
      server.etag = '"v2"';
      response.destroy();
    });
    const { record } = await fetchFrom(to, server.url);
    expect(record.archive).toMatchObject({ bytes: server.file.length, etag: '"v2"' });
    expectOnly(to, WHOLE);
  });

  test('without an ETag there is nothing to go on with safely', async () => {
    const server = await serveFile(largeZip());
    server.etag = null;
    server.next.push(breakAfter(server, 300_000));
    await fetchFrom(target(), server.url);
    expect(server.ranges).toEqual([null, null]);
  });

  test('a page that asks for confirmation is answered once, as a browser would', async () => {
    const server = await serveFile(birdZip());
    const asked: (string | undefined)[] = [];
    server.next.push((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<form id="download-form" action="/download" method="get">
        <input type="submit" value="Download anyway"/>
        <input type="hidden" name="confirm" value="t"><input type="hidden" name="uuid" value="a&amp;b"></form>`);
    });
    server.next.push((request, response) => {
      asked.push(request.url);
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(server.file);
    });
    const to = target();
    await fetchFrom(to, server.url);
    expect(asked).toEqual(['/download?confirm=t&uuid=a%26b']);
    expectOnly(to, WHOLE);
  });

  test('servers that do not have it, are busy, or answer with a page', async () => {
    const server = await serveFile(birdZip());
    const to = target();
    server.next.push((_, response) => response.writeHead(404).end());
    await expect(fetchFrom(to, server.url)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      message: expect.stringMatching(/404 Not Found.*--from/),
    });
    server.next.push((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Quota exceeded</h1>'),
    );
    await expect(fetchFrom(to, server.url)).rejects.toThrow(
      /web page instead of an archive; open the address/,
    );
    for (let i = 0; i < 6; i++) server.next.push((_, response) => response.writeHead(503).end());
    await expect(fetchFrom(to, server.url)).rejects.toThrow(/503 .*run the same command again/);
    expect(existsSync(to)).toBe(false);
    server.next.push((_, response) => response.writeHead(503).end());
    await fetchFrom(to, server.url);
    expectOnly(to, WHOLE);
  });

  test('an archive that is no good is not kept', async () => {
    const server = await serveFile(birdZip().subarray(0, 500));
    const to = target();
    await expect(fetchFrom(to, server.url)).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
    expectOnly(to, []);
  });
});

describe('questions that are published apart from their databases', () => {
  const record = { db_id: 'pets', question: 'better', evidence: '', SQL: 'SELECT 2' };
  const asJson = JSON.stringify([{ question_id: 7, difficulty: 'simple', ...record }]);
  const textsIn = async (folder: string) =>
    (await readSplit(folder)).questions.map(({ question, sql }) => [question, sql]);

  test('replace those of the archive, and are recorded', async () => {
    const [archive, apart] = [await serveFile(birdZip()), await serveFile(Buffer.from(asJson))];
    const to = target();
    const { record: made } = await fetchFrom(to, archive.url, {
      what: 'bird-dev-corrected',
      questions: apart.url,
    });
    expectOnly(to, WHOLE);
    expect(await textsIn(to)).toEqual([['better', 'SELECT 2']]);
    const sha256 = createHash('sha256').update(asJson).digest('hex');
    expect(made).toMatchObject({ split: 'bird-dev-corrected', questions: [{ source: apart.url, sha256 }] });
    expect(JSON.parse(readFileSync(join(to, 'fetch.json'), 'utf8'))).toEqual(made);

    const again = (questions: string) =>
      fetchFrom(to, archive.url, { what: 'bird-dev-corrected', questions }).then(({ already }) => already);
    expect(await again(apart.url)).toBe(true);
    expect(await again((await serveFile(Buffer.from(asJson))).url)).toBe(false);
  });

  test('Mini-Dev has three dialects in a folder of a folder, and its questions apart', async () => {
    const zip = makeZip([
      { name: 'minidev/MINIDEV/mini_dev_sqlite.json', content: questions },
      { name: 'minidev/MINIDEV/mini_dev_mysql.json', content: '[]' },
      { name: 'minidev/MINIDEV/mini_dev_postgresql.json', content: '[]' },
      { name: 'minidev/MINIDEV/dev_tables.json', content: '[]' },
      { name: 'minidev/MINIDEV/dev_databases/pets/pets.sqlite', content: pets() },
      { name: 'minidev/MINIDEV_postgresql/BIRD_dev.sql', content: '' },
    ]);
    const to = target();
    const apart = join(temporaryFolder(), 'mini_dev_sqlite-00000-of-00001.json');
    writeFileSync(apart, asJson);
    await fetchFrom(to, zipFile(zip), { what: 'bird-mini-dev', questions: apart });
    expect(await textsIn(to)).toEqual([['better', 'SELECT 2']]);
  });

  test('the filtered train has a record a line, without ids', async () => {
    const train = makeZip([
      { name: 'train/train.json', content: questions },
      {
        name: 'train/train_databases.zip',
        content: makeZip([{ name: 'train_databases/pets/pets.sqlite', content: pets() }]),
        stored: true,
      },
    ]);
    const lines = [record, { ...record, SQL: 'SELECT 3' }]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('');
    const apart = await serveFile(Buffer.from(lines));
    const to = target();
    await fetchFrom(to, zipFile(train), { what: 'bird-train-filtered', questions: apart.url });
    expect(await textsIn(to)).toEqual([
      ['better', 'SELECT 2'],
      ['better', 'SELECT 3'],
    ]);
  });

  test('an archive without questions of its own, and files of questions that are no good', async () => {
    const to = target();
    const bare = zipFile(makeZip([database]));
    const apart = await serveFile(Buffer.from(asJson));
    await fetchFrom(to, bare, { questions: apart.url });
    expect(await textsIn(to)).toEqual([['better', 'SELECT 2']]);

    const archive = await serveFile(birdZip());
    const other = await serveFile(Buffer.from('{"version": 1}'));
    await expect(fetchFrom(to, archive.url, { questions: other.url })).rejects.toMatchObject({
      code: 'SPLIT_INVALID',
    });
    await expect(fetchFrom(to, archive.url, { questions: temporaryFolder() })).rejects.toThrow('is a folder');
    // The archive is not to blame, so it is not asked for again.
    await fetchFrom(to, archive.url, { questions: apart.url });
    expect(archive.ranges.length).toBe(1);
  });
});

describe('what stands in the way of a download', () => {
  test('a full disk: what has arrived is kept, and with room it goes on', async (context) => {
    const disk = mountSmallDisk(temporaryFolder()) ?? context.skip('mounting is not permitted');
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(3_600_000));
    const server = await serveFile(largeZip());
    const to = join(disk, 'bird-dev');
    await expect(fetchFrom(to, server.url)).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('disk is full'),
    });
    rmSync(filler);
    await fetchFrom(to, server.url);
    expect(server.ranges).toEqual([null, goingOn]);
    expectOnly(to, ['dev.json', 'dev_databases/pets/pets.sqlite', 'fetch.json', 'padding']);
  });

  test('too little room to unpack is noticed before anything is', async (context) => {
    const disk = mountSmallDisk(temporaryFolder()) ?? context.skip('mounting is not permitted');
    const zip = zipFile(
      birdZip([database, { name: 'dev_databases/zero', content: Buffer.alloc(6_000_000) }]),
    );
    const to = join(disk, 'bird-dev');
    await expect(fetchFrom(to, zip)).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/needs 60\d+ bytes but only \d+ are free/),
    });
    expect(readdirSync(disk)).toEqual([]);
  });

  test('another process that is at it; but not one that died', async () => {
    const server = await serveFile(birdZip());
    const to = target();
    const lock = join(dirname(to), '.bird-dev.download/lock');
    writeFiles(dirname(lock), { lock: String(process.ppid) });
    await expect(fetchFrom(to, server.url)).rejects.toThrow(`is being downloaded by process ${process.ppid}`);
    const child = spawn('true');
    await once(child, 'exit');
    writeFileSync(lock, String(child.pid));
    await fetchFrom(to, server.url);
    expectOnly(to, WHOLE);
  });
});

describe('from a file or folder on disk', () => {
  test('a zip', async () => {
    const to = target();
    const { record } = await fetchFrom(to, zipFile(birdZip()));
    expect(record).toMatchObject({ source: 'dev.zip', archive: { etag: null } });
    expectOnly(to, WHOLE);
  });

  test('a folder, with the databases still in their zip, or unpacked, or both', async () => {
    const from = join(temporaryFolder(), 'download');
    const split = join(from, 'dev_2024');
    writeFiles(split, { 'dev.json': questions, 'dev_databases.zip': makeZip([database]), '.git/HEAD': '' });
    const to = target();
    expect((await fetchFrom(to, from)).record).toMatchObject({ source: 'download', archive: null });
    expectOnly(to, WHOLE);
    writeFiles(split, { 'dev_databases/pets/pets.sqlite': pets() });
    await fetchFrom(to, split);
    expectOnly(to, WHOLE);
    rmSync(join(split, 'dev_databases.zip'));
    symlinkSync(split, join(split, 'dev_databases/circle'));
    await fetchFrom(to, split);
    expectOnly(to, WHOLE);
    expect(existsSync(join(split, '.git/HEAD'))).toBe(true);
  });

  test('an inner zip whose files do not begin with its name', async () => {
    const to = target();
    await fetchFrom(to, zipFile(birdZip([{ name: 'pets/pets.sqlite', content: pets() }])));
    expectOnly(to, WHOLE);
  });

  test('Spider has another layout', async () => {
    const record = { db_id: 'pets', question: 'q', query: 'SELECT 1' };
    const zip = makeZip([
      { name: 'spider_data/dev.json', content: JSON.stringify([record]) },
      { name: 'spider_data/tables.json', content: '[]' },
      { name: 'spider_data/database/pets/pets.sqlite', content: pets() },
    ]);
    const to = join(temporaryFolder(), 'spider');
    await fetchSplit({ what: 'spider', from: zipFile(zip), to });
    expect((await readSplit(to)).format).toBe('spider');
  });

  test('one that is not there, lies in the target, or is no split', async () => {
    const to = target();
    await expect(fetchFrom(to, '/nowhere/dev.zip')).rejects.toMatchObject({ code: 'SPLIT_NOT_FOUND' });
    await expect(fetchFrom(to, 'ftp://example.org/dev.zip')).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
    const folder = temporaryFolder();
    await expect(fetchFrom(join(folder, 'x'), folder)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await expect(fetchFrom(to, folder)).rejects.toMatchObject({ code: 'SPLIT_FORMAT_UNKNOWN' });
    const empty = zipFile(makeZip([{ name: 'notes.txt', content: 'hello' }]));
    await expect(fetchFrom(to, empty)).rejects.toMatchObject({ code: 'SPLIT_FORMAT_UNKNOWN' });
    const other = birdZip([{ name: 'dev_databases/cats/cats.sqlite', content: pets() }]);
    await expect(fetchFrom(to, zipFile(other))).rejects.toMatchObject({
      code: 'DATABASE_NOT_FOUND',
      message: expect.stringMatching(/^dev_databases\/pets\/pets.sqlite: is missing/),
    });
    expectOnly(to, []);
  });

  test('a folder that was not fetched is never replaced', async () => {
    const to = target();
    writeFiles(to, { 'thesis.txt': '' });
    await expect(fetchFrom(to, zipFile(birdZip()))).rejects.toThrow('holds files but is not a fetched split');
    expectOnly(to, ['thesis.txt']);
  });
});

describe('archives that are not safe are refused, and nothing of them is left', () => {
  const zero = { name: 'dev_databases/zero', content: Buffer.alloc(3_000_000) };
  const cases: readonly [string, RegExp, readonly ZipEntry[]][] = [
    ['a path that leads out', /invalid relative path/, [{ name: '../out', content: '' }]],
    ['the same with backslashes', /invalid relative path/, [{ name: '..\\out', content: '' }]],
    ['an absolute path', /absolute path/, [{ name: '/etc/out', content: '' }]],
    ['a drive letter', /absolute path/, [{ name: 'C:out', content: '' }]],
    ['a symbolic link', /is a link/, [{ name: 'link', content: '/etc', mode: 0o120777 }]],
    ['a device', /is a link or a device/, [{ name: 'pipe', content: '', mode: 0o010644 }]],
    ['an encrypted file', /encrypted/, [{ name: 'secret', content: 'x', encrypted: true }]],
    ['a NUL in a name', /no file name/, [{ name: 'a\0b', content: '' }]],
    ['two files of one name', /occurs twice/, [database, database]],
    ['two spellings of one name', /occurs twice/, [database, { ...database, name: `./${database.name}` }]],
    [
      'a file that is a folder too',
      /has a file as its folder/,
      [{ name: 'dev_databases', content: '' }, database],
    ],
    ['a wrong checksum', /wrong checksum/, [{ ...database, crc: 1 }]],
    ['more than declared', /too many bytes/, [{ ...zero, declaredSize: 10 }]],
    ['less than declared', /not enough bytes/, [{ ...database, declaredSize: 99_999 }]],
    ['a bomb', /likely zip bomb/, [zero]],
    [
      'too many files',
      /more than 20 files/,
      Array.from({ length: 25 }, (_, i) => ({ name: `${i}`, content: '' })),
    ],
  ];
  const limits = { entries: 20, bytes: 50_000_000, ratio: 50, free: 1_000_000 };

  test.each(cases)('%s', async (_name, message, entries) => {
    // Alone, and inside the archive in the archive.
    for (const zip of [makeZip(entries), birdZip(entries)]) {
      const to = target();
      await expect(fetchFrom(to, zipFile(zip), { limits })).rejects.toMatchObject({
        code: 'ARCHIVE_INVALID',
        message: expect.stringMatching(message),
      });
      expectOnly(to, []);
    }
  });

  test('a bomb that hides in archives within archives is measured as a whole', async () => {
    const content = makeZip([{ name: 'zero', content: Buffer.alloc(900_000) }]);
    const inner = Array.from({ length: 3 }, (_, i) => ({ name: `${i}.zip`, content, stored: true }));
    const to = target();
    const fetching = fetchFrom(to, zipFile(birdZip(inner)), { limits });
    await expect(fetching).rejects.toThrow('likely zip bomb');
    expectOnly(to, []);
  });

  test('interrupted while unpacking: nothing is left, and the next time it works', async () => {
    const server = await serveFile(largeZip());
    const to = target();
    const stop = new AbortController();
    const onProgress = ({ stage }: FetchProgress) => stage === 'unpack' && stop.abort();
    const fetching = fetchFrom(to, server.url, { signal: stop.signal, onProgress });
    await expect(fetching).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(readdirSync(dirname(to))).toEqual(['.bird-dev.download']);
    await fetchFrom(to, server.url);
    expect(server.ranges.length).toBe(1); // what had arrived was not asked for again
    expectOnly(to, ['dev.json', 'dev_databases/pets/pets.sqlite', 'fetch.json', 'padding']);
  });
});

describe('a published split', () => {
  const data = publishedSplit('bird-dev');
  test.skipIf(!hasPublished('bird-dev'))(withPublished('bird-dev', 'arrives as it was packed'), async () => {
    const entries = (prefix: string, keep: (path: string) => boolean) =>
      walkFiles(data)
        .filter(({ path }) => keep(path))
        .map(({ path }) => ({ name: prefix + path, content: readFileSync(join(data, path)) }));
    const isDatabase = (path: string) => path.startsWith('dev_databases/');
    const inner = makeZip(entries('', isDatabase));
    const zip = makeZip([
      ...entries('dev_20240627/', (path) => !isDatabase(path)),
      { name: 'dev_20240627/dev_databases.zip', content: inner, stored: true },
    ]);
    const server = await serveFile(zip);
    server.next.push(breakAfter(server, 1_000_000));
    const to = target();
    await fetchFrom(to, server.url);
    const [arrived, original] = [await readSplit(to), await readSplit(data)];
    expect(arrived.content_hash).toBe(original.content_hash);
    expect(arrived.questions).toEqual(original.questions);
  });
});
