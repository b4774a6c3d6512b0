import variant from '@jitl/quickjs-singlefile-mjs-release-asyncify';
import { newQuickJSAsyncWASMModuleFromVariant, shouldInterruptAfterDeadline } from 'quickjs-emscripten-core';
import type { FromProgramChild, ToProgramChild } from './program.ts';

/** Memory limit of the interpreter for the program's values. */
const MEMORY = 128 * 1024 * 1024;
const STACK = 128 * 1024;
const MOST_PRINTED = 16 * 1024 * 1024;

type Answer = Extract<ToProgramChild, { kind: 'answer' }>;
type Asked = Extract<ToProgramChild, { kind: 'program' }>;

let answered: (answer: Answer) => void = () => {};

process.on('message', (message: ToProgramChild) => {
  if (message.kind === 'answer') answered(message);
  else void run(message).then(say);
});
process.on('disconnect', () => process.exit());

function say(message: FromProgramChild): void {
  process.send?.(message);
}

/** A call blocks the interpreter until its result arrives, so programs need no promises. */
function ask(name: string, args: string): Promise<Answer> {
  return new Promise((resolve) => {
    answered = resolve;
    say({ kind: 'call', name, arguments: args });
  });
}

async function run({ code, functions, limitMs }: Asked): Promise<FromProgramChild> {
  const quickjs = await newQuickJSAsyncWASMModuleFromVariant(variant);
  const context = quickjs.newContext();
  context.runtime.setMemoryLimit(MEMORY);
  context.runtime.setMaxStackSize(STACK);
  context.runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + limitMs));
  let printed: string | null = null;
  const define = (name: string, value: ReturnType<typeof context.newFunction>) => {
    context.setProp(context.global, name, value);
    value.dispose();
  };
  define(
    '__call',
    context.newAsyncifiedFunction('__call', async (name, args) => {
      const { ok, text } = await ask(context.getString(name), context.getString(args));
      return context.newString(`${ok ? 1 : 0}${text}`);
    }),
  );
  define(
    '__print',
    context.newFunction('__print', (text) => {
      printed = context.getString(text);
    }),
  );
  const result = await context.evalCodeAsync(`${prelude(functions)}\n${code}`, 'program.js');
  if ('error' in result && result.error) {
    const thrown: unknown = context.dump(result.error);
    return { kind: 'fault', message: `The program failed: ${describe(thrown)}`.slice(0, 2000) };
  }
  const json = printed as string | null;
  if (json === null) return { kind: 'fault', message: 'The program printed nothing.' };
  if (json.length > MOST_PRINTED) return { kind: 'fault', message: 'The program printed too much.' };
  return { kind: 'printed', json };
}

function describe(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name = 'Error', message = '' } = error as { readonly name?: string; readonly message?: string };
  return `${name}: ${message}`;
}

/** Defines the program's functions in JavaScript. */
function prelude(functions: readonly string[]): string {
  const named = functions.map((name) => `globalThis[${JSON.stringify(name)}] = of(${JSON.stringify(name)});`);
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
