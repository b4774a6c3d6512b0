import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packageRoot, packageVersion } from '../../../contracts/package-root.ts';
import { etagOf, isFresh } from '../http/etag.ts';
import { HttpProblem } from '../http/problem.ts';

const TYPES: Readonly<Record<string, string>> = {
  'console.js': 'text/javascript; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
};

const ROUTE = '/console/:file';

/**
 * The folder of the console as it ships, or undefined where it has not been built: from source. `ROOKERY_CONSOLE` names
 * another one.
 */
export function builtConsole(): string | undefined {
  const { ROOKERY_CONSOLE } = process.env;
  const folders = [...(ROOKERY_CONSOLE ? [ROOKERY_CONSOLE] : []), join(packageRoot, 'dist', 'console')];
  // A bundle that was built elsewhere has it beside itself.
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) folders.push(join(at, 'console'));
  return folders.find((folder) => existsSync(join(folder, 'console.js')));
}

/** `/console/…`: the files of the console, which the index page then loads. */
export function serveConsole(app: FastifyInstance, folder: string): void {
  const files = new Map<string, { readonly text: string; readonly etag: string }>();
  app.get<{ Params: { file: string } }>(ROUTE, { config: { kind: 'page' } }, (request, reply) => {
    const { file } = request.params;
    const type = Object.hasOwn(TYPES, file) ? TYPES[file] : undefined;
    if (type === undefined) throw new HttpProblem('UNKNOWN_ROUTE', `There is no file ${file.slice(0, 80)}`);
    const text = files.get(file)?.text ?? readFileSync(join(folder, file), 'utf8');
    const etag = files.get(file)?.etag ?? etagOf(packageVersion, text);
    files.set(file, { text, etag });
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isFresh(request, etag)) return reply.code(304).send();
    return reply.header('content-type', type).send(text);
  });
}

/** Whether an app serves the console. */
export function hasConsole(app: FastifyInstance): boolean {
  return app.hasRoute({ method: 'GET', url: ROUTE });
}
