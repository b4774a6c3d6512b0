import * as nodeModule from 'node:module';
import variant from '@jitl/quickjs-singlefile-mjs-release-asyncify';
import {
  type CustomizeVariantOptions,
  newQuickJSAsyncWASMModuleFromVariant,
  newVariant,
  type QuickJSAsyncContext,
  type QuickJSHandle,
  shouldInterruptAfterDeadline,
} from 'quickjs-emscripten-core';
import type { FromSandbox, ProgramFunction, SandboxEnd, ToSandbox } from './sandbox.ts';

/** Memory of the interpreter, in pages of 64 kB: the build's first 16 MB, and 128 MB at most. */
const PAGES = { initial: 256, maximum: 2048 };
const PAGE = 64 * 1024;
/** WebAssembly.Memory, which Node's types lack. */
type WasmMemory = NonNullable<Exclude<CustomizeVariantOptions['wasmMemory'], (...args: never) => unknown>> & {
  readonly buffer: ArrayBuffer;
};
const { Memory } = (
  globalThis as unknown as { WebAssembly: { Memory: new (pages: typeof PAGES) => WasmMemory } }
).WebAssembly;
const STACK = 128 * 1024;
/** Limits in characters on what a program prints as its answer, returns, and writes to the console. */
const MOST_PRINTED = 16 * 1024 * 1024;
const MOST_RETURNED = 1024 * 1024;
const MOST_LOGGED = 64 * 1024;
const MOST_CALLS = 10_000;
const MOST_AT_ONCE = 100;

type Answer = Extract<ToSandbox, { kind: 'answer' }>;
type Asked = Extract<ToSandbox, { kind: 'program' }>;

const waiting = new Map<number, (answer: Answer) => void>();
let calls = 0;
/** The last id of a call, over all programs of the process. */
let lastId = 0;

process.on('message', (message: ToSandbox) => {
  if (message.kind === 'answer') {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    return;
  }
  waiting.clear();
  calls = 0;
  void (message.style === 'print' ? runPrinting(message) : runReturning(message)).then((end) =>
    say({ kind: 'end', end }),
  );
});
process.on('disconnect', () => process.exit());

function say(message: FromSandbox): void {
  process.send?.(message);
}

function ask(name: string, args: string, view: string): Promise<Answer> {
  const id = ++lastId;
  calls++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    say({ kind: 'call', id, name, arguments: args, view });
  });
}

/** A new interpreter with its own memory, whose size limits it: QuickJS's own limit does not count allocations. */
async function newContext(limitMs: number, wasmMemory = new Memory(PAGES)): Promise<QuickJSAsyncContext> {
  const quickjs = await newQuickJSAsyncWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
  const context = quickjs.newContext();
  context.runtime.setMaxStackSize(STACK);
  context.runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + limitMs));
  return context;
}

/** A program whose calls block the interpreter until their results arrive, so that it needs no promises. */
async function runPrinting({ code, functions, limitMs }: Asked): Promise<SandboxEnd> {
  const context = await newContext(limitMs);
  let printed: string | null = null;
  const define = (name: string, value: QuickJSHandle) => {
    context.setProp(context.global, name, value);
    value.dispose();
  };
  define(
    '__call',
    context.newAsyncifiedFunction('__call', async (name, args) => {
      const { ok, text } = await ask(context.getString(name), context.getString(args), '');
      return context.newString(`${ok ? 1 : 0}${text}`);
    }),
  );
  define(
    '__print',
    context.newFunction('__print', (text) => {
      printed = context.getString(text);
    }),
  );
  const result = await context.evalCodeAsync(`${printingPrelude(functions)}\n${code}`, 'program.js');
  if ('error' in result && result.error) {
    const thrown: unknown = context.dump(result.error);
    return fault(`The program failed: ${describe(thrown)}`);
  }
  const json = printed as string | null;
  if (json === null) return fault('The program printed nothing.');
  if (json.length > MOST_PRINTED) return fault('The program printed too much.');
  return { json, logs: [] };
}

function fault(message: string, logs: readonly string[] = []): SandboxEnd {
  return { fault: message.slice(0, 2000), logs };
}

const OUT_OF_MEMORY = 'The program failed: out of memory';

function describe(error: unknown): string {
  if (error === null) return 'out of memory';
  if (typeof error !== 'object' || error === null) return String(error);
  const { name = 'Error', message = '' } = error as { readonly name?: string; readonly message?: string };
  return `${name}: ${message}`;
}

function printingPrelude(functions: readonly ProgramFunction[]): string {
  const named = functions.map(
    ({ name, tool }) => `globalThis[${JSON.stringify(name)}] = of(${JSON.stringify(tool)});`,
  );
  return `((call, print) => {
    const of = (name) => (args = {}) => {
      const answer = call(name, JSON.stringify(args));
      if (answer[0] === '0') throw new Error(answer.slice(1, 500));
      return JSON.parse(answer.slice(1));
    };
    ${named.join('\n    ')}
    globalThis.print = (rows) => print(JSON.stringify(rows));
    delete globalThis.__call;
    delete globalThis.__print;
  })(globalThis.__call, globalThis.__print);`;
}

/** A program that is the body of an async function: its calls are promises, and it returns its answer. */
async function runReturning({ code, functions, limitMs }: Asked): Promise<SandboxEnd> {
  const memory = new Memory(PAGES);
  const context = await newContext(limitMs, memory);
  const { runtime } = context;
  const logs: string[] = [];
  let logged = 0;
  /** Calls whose answers the program has not taken; several may arrive together. */
  let open = 0;
  return new Promise<SandboxEnd>((resolve) => {
    const fail = (message: string) => resolve(fault(message, logs));
    const host = {
      call: context.newFunction('call', (name, args, view) => {
        if (calls >= MOST_CALLS) throw new RangeError(`a program makes at most ${MOST_CALLS} calls`);
        if (open >= MOST_AT_ONCE)
          throw new RangeError(`a program waits for at most ${MOST_AT_ONCE} calls at once`);
        open++;
        const deferred = context.newPromise();
        void ask(context.getString(name), context.getString(args), context.getString(view)).then(
          ({ ok, text }) => {
            open--;
            try {
              context.newString(`${ok ? 1 : 0}${text}`).consume((value) => deferred.resolve(value));
              deferred.dispose();
              goOn();
            } catch (error) {
              fail(`The program failed: ${describe(error)}`);
            }
          },
        );
        return deferred.handle;
      }),
      log: context.newFunction('log', (text) => {
        if (logged >= MOST_LOGGED) return;
        const line = context.getString(text).slice(0, MOST_LOGGED - logged);
        logged += line.length + 1;
        logs.push(logged >= MOST_LOGGED ? `${line}… (cut)` : line);
      }),
      done: context.newFunction('done', (text) => {
        const marked = context.getString(text);
        const json = marked.slice(1);
        if (marked[0] === '0') return fail(`The program failed: ${json}`);
        if (json.length > MOST_RETURNED) {
          return fail(
            `The program returned ${json.length} characters of JSON; at most ${MOST_RETURNED} are possible.`,
          );
        }
        resolve({ json, logs });
      }),
    };
    /** Runs the program on, until it ends or waits for calls. */
    const goOn = () => {
      const ran = runtime.executePendingJobs();
      if (ran.error) fail(`The program failed: ${describe(context.dump(ran.error))}`);
      else if (open === 0 && !runtime.hasPendingJob()) {
        // Once memory runs out, there is none left for an error.
        const isFull = memory.buffer.byteLength > (PAGES.maximum * PAGE) / 2;
        fail(isFull ? OUT_OF_MEMORY : 'The program waits for something that never comes.');
      }
    };
    const main = compile(context, code);
    if ('message' in main) return fail(main.message);
    const prelude = context.unwrapResult(context.evalCode(RETURNING, 'prelude.js'));
    const given = context.newString(JSON.stringify(functions));
    const began = context.callFunction(
      prelude,
      context.undefined,
      given,
      main.value,
      host.call,
      host.log,
      host.done,
    );
    if (began.error) return fail(`The program failed: ${describe(context.dump(began.error))}`);
    goOn();
  });
}

/** The program as a function, which has not run yet. */
function compile(
  context: QuickJSAsyncContext,
  code: string,
): { readonly value: QuickJSHandle } | { readonly message: string } {
  const wrapped = `(async () => {\n${code}\n})`;
  const first = context.evalCode(wrapped, 'program.js', { strict: true });
  if (!first.error) return { value: first.value };
  const message = `The program failed: ${describe(context.dump(first.error))}`;
  const { stripTypeScriptTypes } = nodeModule as { stripTypeScriptTypes?: (code: string) => string };
  if (stripTypeScriptTypes === undefined)
    return { message: `${message}. Write plain JavaScript: this server cannot remove types.` };
  try {
    const second = context.evalCode(stripTypeScriptTypes(wrapped), 'program.js', { strict: true });
    return second.error ? { message } : { value: second.value };
  } catch {
    return { message };
  }
}

/**
 * Defines functions, `table`, `rows` and `console`, then runs the program. What it needs of the language is taken before
 * the program can change it; `call`, `log` and `done` are in no scope of the program.
 */
const RETURNING = `(functions, main, call, log, done) => {
  const { parse: parsePlain, stringify: stringifyPlain } = JSON;
  const { isSafeInteger } = Number;
  const { defineProperty, entries, fromEntries } = Object;
  const { isArray } = Array;
  const text = String;

  // Integers that numbers cannot hold are BigInts: no digit of them gets lost.
  const parse = (json) => {
    if (!/\\d{16}/.test(json)) return parsePlain(json);
    const marked = json.replace(/"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*/g, (token) =>
      !/^-?\\d{16,}$/.test(token) || isSafeInteger(+token) ? token : '"\\\\u0001' + token + '"');
    return parsePlain(marked, (_, value) =>
      typeof value === 'string' && /^\\x01-?\\d+$/.test(value) ? BigInt(value.slice(1)) : value);
  };
  const stringify = (value) => {
    const json = stringifyPlain(value, (_, each) => (typeof each === 'bigint' ? '\\x01' + each : each));
    return json && json.replace(/"\\\\u0001(-?\\d+)"/g, '$1');
  };

  class RookeryError extends Error {
    constructor(body) {
      let problem = null;
      try { problem = parse(body); } catch {}
      super(problem && problem.code ? problem.code + ': ' + problem.detail : body.slice(0, 500));
      this.name = 'RookeryError';
      this.status = problem && problem.status;
      this.problem = problem;
    }
  }

  class Result {
    #make;
    #page;
    #first;
    constructor(make, page) { this.#make = make; this.#page = page; }
    answer() { return (this.#first ??= this.#make()); }
    async values() {
      let answer = await this.answer();
      if (answer.kind === 'value') return [answer.value];
      const values = [...(answer.values ?? [])];
      while (answer.next_offset != null) {
        answer = await this.#page(answer.next_offset);
        values.push(...answer.values);
      }
      return values;
    }
  }

  const handles = async (value) => {
    if (value instanceof Result) return '$' + (await value.answer()).handle + '$';
    if (isArray(value)) {
      const all = [];
      for (const each of value) all.push(await handles(each));
      return all;
    }
    if (typeof value !== 'object' || value === null) return value;
    const all = [];
    for (const [name, each] of entries(value)) all.push([name, await handles(each)]);
    return fromEntries(all);
  };
  const send = async (tool, args, view) => {
    const answer = await call(tool, stringify(args ?? {}) ?? '{}', view);
    if (answer[0] === '0') throw new RookeryError(answer.slice(1));
    return answer.length === 1 ? { deleted: true } : parse(answer.slice(1));
  };
  const result = (tool, args) => {
    const read = async (offset) => send(tool, await handles(args ?? {}), 'offset=' + offset + '&limit=100000');
    return new Result(() => read(0), read);
  };
  const define = (name, value) => defineProperty(globalThis, name, { value });
  for (const { name, tool, makesResult, source } of parse(functions)) {
    define(name, makesResult ? (args) => result(tool, args) : (args) => send(tool, args, ''));
    if (source !== null)
      Result.prototype[name] = function (args) { return result(tool, { [source]: this, ...args }); };
  }
  define('RookeryError', RookeryError);
  define('table', (handle) => new Result(async () => ({ kind: 'table', handle }), () => {}));
  define('rows', async (...results) => {
    const columns = [];
    for (const each of results) columns.push(await each.values());
    if (columns.some((column) => column.length !== columns[0].length))
      throw new RangeError('the columns differ in length');
    return (columns[0] ?? []).map((_, at) => columns.map((column) => column[at]));
  });
  const shown = (value) => (typeof value === 'string' ? value : stringify(value) ?? text(value));
  const print = (...values) => log(values.map(shown).join(' '));
  define('console', { log: print, info: print, warn: print, error: print, debug: print });

  const describe = (error) => {
    if (error === null) return 'out of memory';
    try {
      const line = /program[.]js:(\\d+)/.exec(error.stack ?? '');
      return text(error) + (line === null ? '' : ' (line ' + (line[1] - 1) + ')');
    } catch {
      return 'it threw something that has no text';
    }
  };
  (async () => {
    try {
      const value = await main();
      if (value instanceof Result) return done('1' + stringify(await value.answer()));
      done('1' + (stringify(value === undefined ? null : value) ?? 'null'));
    } catch (error) {
      done('0' + describe(error));
    }
  })();
}`;
