import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stubDocker } from '../../../tests/support/stub-docker.ts';
import { PYTHON_IMAGE, requirePythonImage, runPython } from './python-sandbox.ts';

// The limits of containers are tested in containers (tests/programs.long.test.ts).
beforeEach(() => stubDocker(PYTHON_IMAGE));

const calls: unknown[] = [];
const run = (code: string) =>
  runPython(
    {
      code,
      functions: ['get_boats', 'fail'].map((name) => ({
        name,
        tool: name,
        makesResult: false,
        source: null,
      })),
      call: async (name, args) => {
        calls.push([name, JSON.parse(args)]);
        return name === 'fail'
          ? { ok: false, text: 'no such thing' }
          : { ok: true, text: '{"data":[{"id":9007199254740993,"name":"Tërn"}]}' };
      },
      limitMs: 30_000,
    },
    PYTHON_IMAGE,
  );

describe('a Python program', () => {
  test('calls functions by name and prints its answer last, no digit lost', async () => {
    const code = `
import json
rows = get_boats(owner="Åsa", limit=2)["data"]
print("so far", len(rows))
print(json.dumps([[row["id"], row["name"]] for row in rows]))`;
    expect(await run(code)).toEqual({ json: '[[9007199254740993, "T\\u00ebrn"]]', logs: [] });
    expect(calls).toEqual([['get_boats', { owner: 'Åsa', limit: 2 }]]);
  });

  test('sees the error of a call', async () => {
    const code = 'try:\n    fail()\nexcept RuntimeError as error:\n    print([str(error)])';
    expect(await run(code)).toEqual({ json: "['no such thing']", logs: [] });
  });

  test.each([
    ['fail()', 'The program failed: RuntimeError: no such thing (line 1)'],
    ['rows = []\nrows[3]', 'The program failed: IndexError: list index out of range (line 2)'],
    ['x = 1', 'The program printed nothing.'],
    ['import os\nos._exit(3)', 'The program ended without an answer (exit 3).'],
    ['import sys\nsys.exit("bye")', 'The program failed: SystemExit: bye (line 2)'],
  ])('%s is a fault', async (code, fault) => {
    expect(await run(code)).toEqual({ fault, logs: [] });
  });

  test('may end early', async () => {
    expect(await run('import sys\nprint("[[1]]")\nsys.exit()')).toEqual({ json: '[[1]]', logs: [] });
  });
});

test('without its image, Python is refused with what to do', async () => {
  await expect(requirePythonImage('python:2')).rejects.toThrow(
    /No such image: python:2; start Docker and `docker pull python:2`/,
  );
  vi.stubEnv('PATH', '');
  await expect(requirePythonImage('python:3-slim')).rejects.toThrow('docker is not installed');
});
