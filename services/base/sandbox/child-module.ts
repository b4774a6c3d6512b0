import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How to fork a module: its file and the flags Node needs for it. */
export interface ChildModule {
  readonly file: string;
  readonly execArgv: readonly string[];
}

/**
 * Where a child's entry really is. Callers write `new URL('./x-child.ts', import.meta.url)`; compiled, that
 * file is `x-child.js`, and from source Node needs tsx to read it.
 */
export function resolveChildModule(module: URL): ChildModule {
  const compiled = !import.meta.url.endsWith('.ts');
  const file = fileURLToPath(module);
  if (compiled) return { file: file.replace(/\.ts$/, '.js'), execArgv: [] };
  if (!file.endsWith('.ts')) return { file, execArgv: [] };
  // By URL, so that it is found whatever the working directory is.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { file, execArgv: ['--import', tsx] };
}
