import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HttpProblem, unknownDomain } from '../../base/http/problem.ts';
import { answers, type TypedApp, textAnswer } from '../../base/http/typed-routes.ts';
import type { AgentContext } from '../agent-context.ts';
import type { AgentSession } from '../toolsets/call-tool.ts';
import { printPython } from './python.ts';
import { domainModule, listModule, printIndex, type SdkModule } from './sdk.ts';
import { printDeclarations, printTypescript } from './typescript.ts';

const PRINTED = {
  'd.ts': { print: printDeclarations, type: 'text/plain' },
  ts: { print: printTypescript, type: 'text/plain' },
  py: { print: printPython, type: 'text/x-python' },
  txt: { print: printIndex, type: 'text/plain' },
} as const satisfies Readonly<Record<string, { print: (module: SdkModule) => string; type: string }>>;

export type SdkExtension = keyof typeof PRINTED;

export function printSdk(module: SdkModule, extension: SdkExtension): string {
  return PRINTED[extension].print(module);
}

const EXTENSIONS = Object.keys(PRINTED).join('|');
const DOMAIN_FILE = new RegExp(`^(.+?)\\.(${EXTENSIONS.replace('.', '[.]')})$`);

const described = {
  tags: ['sdk'],
  response: answers({ 200: textAnswer('A module of TypeScript or Python, or its index.', 'text/plain') }),
};

/** `GET /sdk/<db>.d.ts`, `.ts`, `.py`, `.txt`: a domain as a module of a program. */
export function sdkRoutes(app: TypedApp, { services }: AgentContext): void {
  app.get(
    '/sdk/:file',
    {
      config: { kind: 'tools' },
      schema: {
        ...described,
        operationId: 'get_sdk',
        summary:
          'A domain as a typed module: `<db>.d.ts` and `<db>.ts` for TypeScript, `<db>.py` for Python, `<db>.txt` with a line for each function.',
        params: z.object({ file: z.string() }),
      },
    },
    (request, reply) => {
      const [, db, extension] = DOMAIN_FILE.exec(request.params.file) ?? [];
      if (db === undefined || extension === undefined) throw noSuchFile(request.params.file);
      const service = services.get(db);
      if (!service) throw unknownDomain(db, services.keys());
      return send(reply, domainModule(service), extension as SdkExtension);
    },
  );
}

/** `GET /runs/<id>/sdk.d.ts` and so on: the tools of a run or a list as a module, under the names of the list. */
export function sessionSdkRoute(
  app: TypedApp,
  { prefix, name, access }: { readonly prefix: string; readonly name: string; readonly access: object },
  find: (id: string, request: Pick<FastifyRequest, 'isHarness'>) => AgentSession | Promise<AgentSession>,
): void {
  app.get(
    `${prefix}/sdk.:extension`,
    {
      config: { kind: 'tools', ...access },
      schema: {
        ...described,
        operationId: `get_${name}_sdk`,
        summary: `The tools of the ${name} as a typed module: \`sdk.d.ts\`, \`sdk.ts\`, \`sdk.py\`, \`sdk.txt\`.`,
        params: z.object({ id: z.string(), extension: z.string() }),
      },
    },
    async (request, reply) => {
      const { id, extension } = request.params;
      if (!Object.hasOwn(PRINTED, extension)) throw noSuchFile(`sdk.${extension}`);
      const { list } = await find(id, request);
      return send(reply, listModule(list), extension as SdkExtension);
    },
  );
}

function send(reply: Pick<FastifyReply, 'type'>, module: SdkModule, extension: SdkExtension): string {
  reply.type(`${PRINTED[extension].type}; charset=utf-8`);
  return printSdk(module, extension);
}

function noSuchFile(file: string): HttpProblem {
  const known = Object.keys(PRINTED).join(', ');
  return new HttpProblem('UNKNOWN_ROUTE', `There is no ${file.slice(0, 80)}: an SDK ends in one of ${known}`);
}
