import { describe, expect, test } from 'vitest';
import { runConfined } from '../cli/run/program.ts';
import { PYTHON_IMAGE, runPython } from '../services/agents/code/python-sandbox.ts';
import { composeCommand, docker } from './support/docker.ts';

describe('a program', () => {
  const calls: string[] = [];
  const run = (code: string, timeoutMs = 60_000) =>
    runConfined(
      {
        code,
        language: 'javascript',
        functions: ['double', 'fail'],
        call: async (name, args) => {
          calls.push(name);
          const { n } = JSON.parse(args) as { readonly n: number };
          return name === 'fail'
            ? { ok: false, text: 'no such thing', handle: null }
            : { ok: true, text: JSON.stringify({ data: [{ n: 2 * n }] }), handle: null };
        },
        timeoutMs,
        signal: new AbortController().signal,
      },
      PYTHON_IMAGE,
    );

  test('calls its functions one after the other and prints rows', async () => {
    const code = 'const rows = [1, 2].map((n) => [double({ n }).data[0].n]); print(rows);';
    expect(await run(code)).toEqual({ rows: [[2], [4]] });
    expect(calls).toEqual(['double', 'double']);
    const caught = 'try { fail({ n: 1 }) } catch (error) { print([[error.message]]) }';
    expect(await run(caught)).toEqual({ rows: [['no such thing']] });
  });

  const NAMES = [
    'process',
    'require',
    'fetch',
    'Deno',
    'WebAssembly',
    'XMLHttpRequest',
    '__call',
    'std',
    'os',
    'setTimeout',
    'console',
    'globalThis.constructor.constructor("return this")().process',
  ];
  test('can reach nothing outside of the language', async () => {
    const types = NAMES.map((name) => `[typeof (${name})]`).join(', ');
    expect(await run(`print([${types}])`)).toEqual({ rows: NAMES.map(() => ['undefined']) });
  });

  test.each<[string, RegExp]>([
    ['import("fs").then(() => print([["read"]]))', /printed nothing/],
    ['throw new TypeError("mine")', /TypeError: mine/],
    ['const x = {', /SyntaxError/],
    ['1 + 1', /printed nothing/],
    ['let text = "x"; for (;;) text += text;', /memory|failed|string/i],
    ['const f = () => f(); f();', /stack|failed/i],
  ])('%s is a fault', async (code, told) => {
    expect(await run(code)).toEqual({ fault: expect.stringMatching(told) });
  });

  test('is stopped at its limit', async () => {
    await expect(run('for (;;);', 1500)).rejects.toThrow(/stopped after 1.5 seconds/);
  });
});

/** It has Python, and the other tests in containers need it too. */
const IMAGE = 'node:22-bookworm';

describe.skipIf(composeCommand === null)(
  composeCommand ? 'a Python program in a container' : 'a Python program in a container (needs Docker)',
  () => {
    const run = (code: string, limitMs = 30_000) =>
      runPython(
        {
          code,
          functions: [{ name: 'double', tool: 'double', makesResult: false, source: null }],
          call: async (_, args) => ({ ok: true, text: String(2 * JSON.parse(args).n) }),
          limitMs,
        },
        IMAGE,
      );
    const printed = (value: unknown) => ({ json: JSON.stringify(value), logs: [] });

    test('has its functions and the standard library', async () => {
      expect(
        await run('import json, statistics\nprint(json.dumps([[double(n=statistics.mean([2, 4]))]]))'),
      ).toEqual(printed([[6]]));
    });

    test('reaches no network, writes to no file but temporary ones, and runs without privileges', async () => {
      const code = `
import json, os, socket
found = []
for attempt in (
    lambda: socket.create_connection(("1.1.1.1", 53), 2),
    lambda: open("/usr/x", "w"),
    lambda: os.setuid(0),
):
    try:
        attempt()
        found.append("done")
    except OSError as error:
        found.append(type(error).__name__)
open("/tmp/x", "w").write("x")
print(json.dumps([found, os.getuid(), sorted(os.listdir("/sys/class/net"))]))`;
      const end = await run(code);
      const [found, user, networks] = JSON.parse('json' in end ? end.json : '[]');
      expect(found).not.toContain('done');
      expect([user, networks]).toEqual([65534, ['lo']]);
    });

    test.each([
      ['memory', 'x = bytearray(2 * 1024 ** 3)\nprint(1)', /MemoryError|without an answer/],
      [
        'processes',
        'import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(20)\n        os._exit(0)',
        /BlockingIOError/,
      ],
    ])('has a limit of %s', async (_, code, fault) => {
      expect(await run(code)).toEqual({ fault: expect.stringMatching(fault), logs: [] });
    });

    test('is stopped at its limit, and its container with it', async () => {
      const end = await run('while True: pass', 1_000);
      expect(end).toMatchObject({ fault: expect.stringContaining('stopped after 1 second'), timedOut: true });
      expect(
        await docker('ps', '--all', '--quiet', '--filter', `ancestor=${IMAGE}`, '--filter', 'name=rookery-'),
      ).toBe('');
    });
  },
);
