import { z } from 'zod';
import { SECURITY, SECURITY_SCHEMES } from './openapi-parts.ts';

const response = z.looseObject({ description: z.string() });
const operation = z.looseObject({ summary: z.string(), responses: z.record(z.string(), response) });

/** The document that is made of the routes, as far as it is completed. */
export const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Document = z.infer<typeof documentSchema>;

/** What the tags of routes stand for. */
const TAGS: Readonly<Record<string, string>> = {
  service: 'What is served, and whether it is well',
  tasks: 'Questions, and the tools to answer them with',
  runs: 'For whoever gives tasks to agents: runs, their records and scores',
  run: 'For an agent: one run, complete in itself',
  lists: 'Lists of tools at addresses of their own',
  mcp: 'The same tools by the Model Context Protocol',
};

const PROBLEM = {
  description: 'What is wrong (RFC 9457).',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const PROBLEM_REFERENCE = { $ref: '#/components/responses/Problem' };

/** The document with what routes need not repeat: who may ask, what tags mean, and the one form of every error. */
export function completeDocument({ paths, components, ...rest }: Document) {
  return {
    ...rest,
    security: SECURITY,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, complete(each)])),
      ]),
    ),
    components: { securitySchemes: SECURITY_SCHEMES, ...components, responses: { Problem: PROBLEM } },
  };
}

function complete({ summary, responses, ...rest }: z.infer<typeof operation>) {
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  return {
    ...rest,
    summary: summary.replace(/\.$/, ''),
    description: summary,
    responses: {
      ...Object.fromEntries(
        successes.map(([status, each]) => [
          status,
          // The library's words for an answer of which nothing more is said than its schema.
          each.description === 'Default Response' ? { ...each, description: 'The answer.' } : each,
        ]),
      ),
      400: PROBLEM_REFERENCE,
      default: PROBLEM_REFERENCE,
    },
  };
}
