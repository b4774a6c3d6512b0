import type { FastifyInstance } from 'fastify';
import { HttpProblem } from './problem.ts';

/**
 * Answers what no route took: OPTIONS and 405 with the methods that the address has, else 404. Covers every
 * route registered after it, those of plugins too.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  app.addHook('onRoute', ({ url, method }) => {
    // Of CORS, for every address.
    if (url === '*') return;
    const route = routes.get(url) ?? { pattern: toPattern(url), methods: new Set(['OPTIONS']) };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
  });

  // Before the body is read: a post to a wrong address gets its 404 however large the body is. With a
  // callback, since a promise here would cost every request a turn of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.raw.url?.split('?', 1)[0] ?? '';
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((r) => [...r.methods]);
    if (methods.length === 0) return done(new HttpProblem('UNKNOWN_ROUTE', `There is nothing at ${path}`));
    const allow = [...new Set(methods)].sort().join(', ');
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
    const detail = `${request.method} is not possible here; use ${allow}`;
    done(new HttpProblem('METHOD_NOT_ALLOWED', detail, { headers: { allow } }));
  });

  // Never reached, but without it fastify's own answer would be.
  app.setNotFoundHandler(() => {
    throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  });
}

/** `/v1/:split/:db?` or `/x/*` as a regular expression. */
function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped
    .replace(/\/:[A-Za-z0-9_]+\?/g, '(?:/[^/]+)?')
    .replace(/:[A-Za-z0-9_]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${pattern}$`);
}
