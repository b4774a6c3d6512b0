import { describe, expect, test } from 'vitest';
import { runInChild } from '../cli/run/program.ts';

describe('a program', () => {
  const calls: string[] = [];
  const run = (code: string, timeoutMs = 60_000) =>
    runInChild({
      code,
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
    });

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
