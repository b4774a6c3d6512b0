import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { FARM_FORMAT_VERSION } from '../../contracts/farm.ts';
import { mountSmallDisk } from '../../tests/support/small-disk.ts';
import { temporaryFolder, writeFiles } from '../../tests/support/split-fixture.ts';
import { type FarmFile, isFarm, printJson, writeFolder } from './write-folder.ts';

const isOurs = (folder: string) => existsSync(join(folder, 'mark'));

/** A parent with a folder `out` in it that is ours and holds `old`. */
function withOldFolder(): { parent: string; out: string } {
  const parent = temporaryFolder('parent');
  const out = join(parent, 'out');
  writeFiles(out, { mark: '', old: 'old' });
  return { parent, out };
}

function expectUntouched({ parent, out }: { parent: string; out: string }): void {
  expect(readdirSync(parent)).toEqual(['out']);
  expect(readdirSync(out).sort()).toEqual(['mark', 'old']);
}

describe('a complete folder', () => {
  test('is made with its parents: text, bytes, and files that were built aside', async () => {
    const parent = temporaryFolder();
    const out = join(parent, 'a/b/out');
    await writeFolder(out, { isOurs }, async (scratch) => {
      new Database(join(scratch, 'built')).exec('CREATE TABLE t (x)').close();
      const files = [
        { path: 'text', content: 'é' },
        { path: 'deep/er/bytes', content: Buffer.from([0, 255]) },
        { path: 'deep/db.sqlite', moveFrom: join(scratch, 'built') },
      ];
      return { files };
    });
    expect(readFileSync(join(out, 'text'), 'utf8')).toBe('é');
    expect([...readFileSync(join(out, 'deep/er/bytes'))]).toEqual([0, 255]);
    expect(statSync(join(out, 'deep/db.sqlite')).mode & 0o777).toBe(0o644);
    expect(readdirSync(dirname(out))).toEqual(['out']);
  });

  test('replaces an older one of ours whole, and an empty one', async () => {
    const { parent, out } = withOldFolder();
    await writeFolder(out, { isOurs }, () => ({ files: [{ path: 'new', content: '' }] }));
    expect(readdirSync(out)).toEqual(['new']);
    mkdirSync(join(parent, 'empty'));
    await writeFolder(join(parent, 'empty'), { isOurs }, () => ({ files: [{ path: 'new', content: '' }] }));
    expect(readdirSync(join(parent, 'empty'))).toEqual(['new']);
    expect(readdirSync(parent).sort()).toEqual(['empty', 'out']);
  });

  test('goes where a link leads', async () => {
    const { parent, out } = withOldFolder();
    const link = join(parent, 'link');
    symlinkSync(out, link);
    await writeFolder(link, { isOurs }, () => ({ files: [{ path: 'new', content: '' }] }));
    expect(realpathSync(link)).toBe(realpathSync(out));
    expect(readdirSync(out)).toEqual(['new']);
  });
});

describe('what is there stays as it was', () => {
  test('when it is not ours', async () => {
    const parent = temporaryFolder('parent');
    writeFiles(parent, { 'out/thesis.txt': 'years of work' });
    let asked = false;
    const produce = () => {
      asked = true;
      return { files: [] };
    };
    await expect(writeFolder(join(parent, 'out'), { isOurs }, produce)).rejects.toMatchObject({
      code: 'OUTPUT_NOT_A_FARM',
      file: join(parent, 'out'),
    });
    await expect(writeFolder(join(parent, 'out/thesis.txt'), { isOurs }, produce)).rejects.toMatchObject({
      code: 'OUTPUT_NOT_A_FARM',
    });
    expect(asked).toBe(false); // told before the work is done
    expect(readdirSync(parent)).toEqual(['out']);
  });

  test('when the producer fails', async () => {
    const place = withOldFolder();
    const failing = async () => {
      throw new RangeError('from the producer');
    };
    await expect(writeFolder(place.out, { isOurs }, failing)).rejects.toThrow(RangeError);
    expectUntouched(place);
  });

  test('when a path leads out of the folder, or comes twice', async () => {
    const place = withOldFolder();
    for (const path of ['../x', '/x', 'a/../../x', './x', 'a//b', 'a\\b', 'a/', '']) {
      const writing = writeFolder(place.out, { isOurs }, () => ({ files: [{ path, content: '' }] }));
      await expect(writing, path).rejects.toThrow('not a path inside');
    }
    const twice = [
      { path: 'x', content: '' },
      { path: 'x', content: '' },
    ];
    await expect(writeFolder(place.out, { isOurs }, () => ({ files: twice }))).rejects.toThrow(
      'x is written twice',
    );
    expectUntouched(place);
  });

  test('when it is interrupted between two files: the producer can tidy up', async () => {
    const place = withOldFolder();
    const stop = new AbortController();
    let tidied = false;
    const filesOf = function* (): Generator<FarmFile> {
      try {
        yield { path: 'a', content: '' };
        stop.abort();
        yield { path: 'b', content: '' };
      } finally {
        tidied = true;
      }
    };
    const produce = () => ({ files: filesOf() });
    const writing = writeFolder(place.out, { isOurs, signal: stop.signal }, produce);
    await expect(writing).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(tidied).toBe(true);
    expectUntouched(place);
  });

  test('when it is interrupted while files are made', async () => {
    const place = withOldFolder();
    const stop = new AbortController();
    const produce = async () => {
      stop.abort();
      await setTimeout(600_000, undefined, { ref: false });
      return { files: [{ path: 'a', content: '' }] };
    };
    const writing = writeFolder(place.out, { isOurs, signal: stop.signal }, produce);
    await expect(writing).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expectUntouched(place);
  });

  test('when it is interrupted, whatever the producer comes to', async () => {
    const place = withOldFolder();
    const stop = new AbortController();
    const failing = () =>
      new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(new Error('the producer noticed, too')));
        stop.abort();
      });
    const writing = writeFolder(place.out, { isOurs, signal: stop.signal }, failing);
    await expect(writing).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expectUntouched(place);
  });

  test('when the producer finds the disk full', async () => {
    const place = withOldFolder();
    const full = Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    const writing = writeFolder(place.out, { isOurs }, () => Promise.reject(full));
    await expect(writing).rejects.toMatchObject({ code: 'OUTPUT_FAILED' });
    expectUntouched(place);
  });

  test('when the signal was given before', async () => {
    const place = withOldFolder();
    const writing = writeFolder(place.out, { isOurs, signal: AbortSignal.abort() }, () => ({ files: [] }));
    await expect(writing).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expectUntouched(place);
  });

  test('when a part of the path is a file', async () => {
    const parent = temporaryFolder();
    writeFiles(parent, { file: '' });
    await expect(
      writeFolder(join(parent, 'file/out'), { isOurs }, () => ({ files: [] })),
    ).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
    });
  });
});

describe('a full disk', () => {
  test('fails clearly and leaves nothing behind', async (context) => {
    const disk = mountSmallDisk(temporaryFolder()) ?? context.skip('mounting is not permitted');
    const place = { parent: join(disk, 'parent'), out: join(disk, 'parent/out') };
    writeFiles(place.out, { mark: '', old: 'old' });
    const files = Array.from({ length: 100 }, (_, i) => ({
      path: `big-${i}`,
      content: Buffer.alloc(1 << 18),
    }));
    const tooMuch = () => ({ files });
    await expect(writeFolder(place.out, { isOurs }, tooMuch)).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringMatching(/disk is full \(ENOSPC\); free some space/),
    });
    expectUntouched(place);

    // The same when a database that is built aside does not fit.
    const database = (scratch: string) => {
      const built = new Database(join(scratch, 'built'));
      try {
        built.exec('CREATE TABLE t AS SELECT randomblob(9000000)');
      } finally {
        built.close();
      }
      return { files: [{ path: 'db.sqlite', moveFrom: join(scratch, 'built') }] };
    };
    await expect(writeFolder(place.out, { isOurs }, database)).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
    });
    expectUntouched(place);
  });

  test('a mount point cannot be replaced, and this is said at once', async (context) => {
    const out = mountSmallDisk(temporaryFolder()) ?? context.skip('mounting is not permitted');
    await expect(writeFolder(out, { isOurs }, () => ({ files: [] }))).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('mount point'),
    });
  });
});

describe('a writer that was killed', () => {
  test('half way: the old folder is whole, and the next writer clears up', async () => {
    const place = withOldFolder();
    const script = `
      import { writeFolder } from ${JSON.stringify(join(import.meta.dirname, 'write-folder.ts'))};
      await writeFolder(${JSON.stringify(place.out)}, { isOurs: () => true }, async () => {
        console.log('half way');
        await new Promise((resolve) => setTimeout(resolve, 60000));
        return { files: [] };
      });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const partial = `.out.partial-${child.pid}`;
    expect(readdirSync(place.parent)).toContain(partial);

    // As long as it lives, another writer leaves its work alone.
    await writeFolder(join(place.parent, 'out'), { isOurs }, () => ({
      files: [{ path: 'mark', content: '' }],
    }));
    expect(readdirSync(place.parent)).toContain(partial);

    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readdirSync(place.out)).toEqual(['mark']);
    await writeFolder(place.out, { isOurs }, () => ({ files: [{ path: 'mark', content: 'next' }] }));
    expect(readdirSync(place.parent)).toEqual(['out']);
  });

  test('between the two renames: the old folder comes back', async () => {
    const place = withOldFolder();
    const dead = await deadPid();
    renameSync(place.out, join(place.parent, `.out.old-${dead}`));
    mkdirSync(join(place.parent, `.out.partial-${dead}`));
    writeFileSync(join(place.parent, `.out.partial-${dead}.txt`), 'not a leftover');
    const failing = () => {
      throw new Error('no farm this time');
    };
    await expect(writeFolder(place.out, { isOurs }, failing)).rejects.toThrow('no farm this time');
    expect(readdirSync(place.out).sort()).toEqual(['mark', 'old']);
    expect(readdirSync(place.parent).sort()).toEqual([`.out.partial-${dead}.txt`, 'out']);
  });
});

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid as number;
}

test('a farm is known by its farm.json, of this format or an earlier one', () => {
  const folder = temporaryFolder();
  const says = (content: unknown) => {
    writeFiles(folder, { 'farm.json': content });
    return isFarm(folder);
  };
  expect(isFarm(folder)).toBe(false);
  expect(says({ format_version: FARM_FORMAT_VERSION, name: 'x', generator_version: '0' })).toBe(true);
  expect(says({ format_version: FARM_FORMAT_VERSION + 1, name: 'x', generator_version: '0' })).toBe(false);
  expect(says({ name: 'a place with animals' })).toBe(false);
  expect(says('{')).toBe(false);
});

test('keys stay in their order, with a newline at the end', () => {
  expect(printJson({ b: 1, a: [1, 2] })).toBe('{\n  "b": 1,\n  "a": [\n    1,\n    2\n  ]\n}\n');
  expect(printJson({ b: 1, a: [1, 2] }, { compact: true })).toBe('{"b":1,"a":[1,2]}\n');
});

test('what JSON would turn into something else is refused', () => {
  expect(() => printJson({ x: [Number.NaN] })).toThrow(TypeError);
  expect(() => printJson({ x: Number.POSITIVE_INFINITY })).toThrow('Infinity at "x"');
  expect(() => printJson(undefined)).toThrow(TypeError);
});
