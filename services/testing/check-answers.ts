import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/**
 * Has every JSON answer of an app compared with the schema that its route declares for its status: what the server
 * does not do for speed, the tests do. An answer that does not fit becomes a 500 that says why.
 */
export function checkAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const schema = answerSchema(request.routeOptions.schema?.response, reply.statusCode);
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!schema || isPage || typeof payload !== 'string') return payload;
    const checked = schema.safeParse(JSON.parse(payload));
    if (checked.success) return payload;
    reply.code(500);
    return `${request.method} ${request.url} does not answer as it is described: ${checked.error.message}`;
  });
}

function answerSchema(declared: unknown, status: number): z.ZodType | undefined {
  if (typeof declared !== 'object' || declared === null) return undefined;
  const byStatus = new Map(Object.entries(declared));
  const found: unknown = byStatus.get(String(status)) ?? byStatus.get(`${String(status)[0]}xx`);
  if (found instanceof z.ZodType) return found;
  const content = z.object({ content: z.record(z.string(), z.object({ schema: z.custom<z.ZodType>() })) });
  const [type, described] = Object.entries(content.safeParse(found).data?.content ?? {})[0] ?? [];
  return type?.includes('json') && !type.includes('jsonl') ? described?.schema : undefined;
}
