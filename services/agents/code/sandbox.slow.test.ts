import { describe, expect, test } from 'vitest';
import { runInSandbox } from './sandbox.ts';

const calls: string[] = [];

function run(code: string, { limitMs = 20_000 }: { readonly limitMs?: number } = {}) {
  calls.length = 0;
  return runInSandbox({
    code,
    style: 'return',
    functions: ['double', 'fail'].map((tool) => ({ name: tool, tool, makesResult: false, source: null })),
    call: async (name, args) => {
      calls.push(`${name} ${args}`);
      const { n } = JSON.parse(args) as { readonly n: number };
      return name === 'fail'
        ? { ok: false, text: '{"code":"UNKNOWN_TOOL","detail":"no such thing","status":404}' }
        : { ok: true, text: JSON.stringify({ n: 2 * n }) };
    },
    limitMs,
  });
}

const returned = async (code: string) => {
  const end = await run(code);
  return 'json' in end ? JSON.parse(end.json) : end.fault;
};

test('awaits its functions, one or several at once, returns a value and writes to the console', async () => {
  const code = `
    const { n } = await double({ n: 1 });
    const more = await Promise.all([2, 3].map((each) => double({ n: each })));
    console.log('so far', n, { more });
    return [n, ...more.map((each) => each.n)];`;
  expect(await run(code)).toEqual({ json: '[2,4,6]', logs: ['so far 2 {"more":[{"n":4},{"n":6}]}'] });
  expect(calls).toEqual(['double {"n":1}', 'double {"n":2}', 'double {"n":3}']);
  expect(
    await returned('try { await fail({ n: 1 }) } catch (e) { return [e.name, e.message, e.status] }'),
  ).toEqual(['RookeryError', 'UNKNOWN_TOOL: no such thing', 404]);
  expect(await returned('const nothing = 1;')).toBeNull();
});

test('no digit of a number is lost', async () => {
  const end = await runInSandbox({
    code: 'const { n, x, text } = await f({ n: 9007199254740993n }); console.log(n); return [n, n + 1n, 2 ** 53 - 1, x, text];',
    style: 'return',
    functions: [{ name: 'f', tool: 'f', makesResult: false, source: null }],
    call: async (_, args) => ({
      ok: true,
      text: args.replace('}', ',"x":0.9999999999999999,"text":"at 12345678901234567890"}'),
    }),
    limitMs: 20_000,
  });
  expect(end).toEqual({
    json: '[9007199254740993,9007199254740994,9007199254740991,0.9999999999999999,"at 12345678901234567890"]',
    logs: ['9007199254740993'],
  });
});

test('an error names its line', async () => {
  expect(await returned('const a = 1;\nnull.b;')).toMatch(/TypeError: .*\(line 2\)/);
  expect(await returned('await fail({ n: 1 });')).toMatch(/RookeryError: UNKNOWN_TOOL: no such thing/);
  expect(await returned('const x = {')).toMatch(/SyntaxError/);
});

/** Node.js has it from 22.13 on. */
const removesTypes = 'stripTypeScriptTypes' in (await import('node:module'));
test('types are removed where Node.js can, else the error says so', async () => {
  const typed = 'const n: number = (await double({ n: 1 })).n as number; return n;';
  if (removesTypes) expect(await returned(typed)).toBe(2);
  else expect(await returned(typed)).toMatch(/SyntaxError.*Write plain JavaScript/);
});

const NAMES = [
  'process',
  'require',
  'fetch',
  'Deno',
  'WebAssembly',
  'XMLHttpRequest',
  'std',
  'os',
  'setTimeout',
  'call',
  'done',
  'log',
  'globalThis.constructor.constructor("return this")().process',
  '(async () => {}).constructor("return this.process")()',
];
test('a program can reach nothing outside of the language', async () => {
  const types = NAMES.map(
    (name) =>
      `typeof (await (${name.startsWith('(') ? name : `(() => ${name.includes('.') ? name : `typeof ${name} === 'undefined' ? undefined : ${name}`})()`}))`,
  );
  expect(await returned(`return [${types.join(', ')}]`)).toEqual(NAMES.map(() => 'undefined'));
  expect(await returned('return (await import("fs")).readFileSync("/etc/passwd")')).toMatch(/failed/);
  expect(
    await returned(
      'return Object.keys(double).concat(Object.getOwnPropertyNames(globalThis)).includes("process")',
    ),
  ).toBe(false);
});

test('what a program does to the language is its own affair', async () => {
  const tricks = `
    const own = JSON.stringify;
    JSON.stringify = () => 'no JSON';
    JSON.parse = () => ({ n: 'forged' });
    Object.prototype.toJSON = undefined;
    Object.prototype.n = 'inherited';
    Array.prototype.map = () => 'mapped';
    Promise.prototype.then = undefined;
    String.prototype.slice = () => '0';
    return (await double({ n: 4 })).n;`;
  const end = await run(tricks);
  // Whatever comes of it, the calls were made with what the program gave them, and the answer is JSON or an error.
  expect(calls).toEqual(['double {"n":4}']);
  if ('json' in end) JSON.parse(end.json);
  expect(await returned('return (await double({ n: 4 })).n')).toBe(8);
  expect(await returned('double = () => 1; return 1')).toMatch(/TypeError/);
});

test('a program cannot leave its function', async () => {
  expect(
    await returned('}); globalThis.escaped = typeof process; (async () => { return globalThis.escaped'),
  ).toBe('undefined');
});

describe('bounds', () => {
  test.each<[string, RegExp]>([
    ['let text = "x"; for (;;) text += text;', /memory|string|too/i],
    ['const all = []; for (;;) all.push(new Array(1000).fill(1));', /memory/i],
    ['const f = () => f(); f();', /stack/i],
    ['await new Promise(() => {});', /never comes/],
    ['return "x".repeat(2_000_000);', /returned 2000002 characters/],
    ['await Promise.all(Array.from({ length: 101 }, () => double({ n: 1 })));', /at most 100 calls at once/],
    ['for (;;) await double({ n: 1 });', /at most 10000 calls/],
    ['const a = {}; a.a = a; return a;', /circular/i],
    ['throw { get stack() { throw 1 }, toString() { throw 2 } }', /no text/],
  ])('%s', async (code, why) => {
    expect(await returned(code)).toMatch(why);
  });

  test.each([
    'for (;;);',
    'while (true) {}',
    'for (;;) double({ n: 1 });',
    'await 1; for (;;);',
    'for (;;) await 1;',
    'throw { toString() { for (;;); } }',
  ])('%s is stopped at the limit', async (code) => {
    const end = await run(code, { limitMs: 1500 });
    expect('fault' in end && end.fault).toMatch(/stopped|interrupted/);
  });

  test('what is written to the console is cut', async () => {
    const end = await run('for (let i = 0; i < 2_000; i++) console.log("x".repeat(100)); return 1;');
    expect(end).toMatchObject({ json: '1' });
    expect(end.logs.join('\n').length).toBeLessThan(66_000);
    expect(end.logs.at(-1)).toMatch(/cut/);
  });

  test('nothing is kept for the next program', async () => {
    await run('globalThis.left = 1; Object.prototype.left = 2; return 1;');
    expect(await returned('return [typeof globalThis.left, {}.left ?? null]')).toEqual(['undefined', null]);
  });

  test('an aborted program ends', async () => {
    const leave = new AbortController();
    const end = runInSandbox({
      code: 'for (;;);',
      style: 'return',
      functions: [],
      call: async () => ({ ok: true, text: '1' }),
      limitMs: 20_000,
      signal: leave.signal,
    });
    setTimeout(() => leave.abort(new Error('left')), 300);
    await expect(end).rejects.toThrow('left');
  });

  test('what a call throws ends the program', async () => {
    const end = runInSandbox({
      code: 'try { await f() } catch {} for (;;);',
      style: 'return',
      functions: [{ name: 'f', tool: 'f', makesResult: false, source: null }],
      call: () => Promise.reject(new Error('the run is over')),
      limitMs: 20_000,
    });
    await expect(end).rejects.toThrow('the run is over');
  });
});
