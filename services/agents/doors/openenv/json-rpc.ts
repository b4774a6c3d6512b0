import { z } from 'zod';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { Episodes } from '../episodes.ts';
import { listed, type Player, reset } from './environment.ts';

const request = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string(), z.number()]).nullish(),
});
const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/** Codes of JSON-RPC 2.0. */
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const SERVER_ERROR = -32_000;

/**
 * A request of JSON-RPC for the tools of an episode: of a connection's own, else of the one that `session_id` names. Such a
 * session is begun by `openenv/session/create`, whose parameters are those of a reset. Never rejects for what is wrong with
 * the request.
 */
export async function answerRpc(episodes: Episodes, given: unknown, player: Player, session?: string) {
  const parsed = request.safeParse(given);
  if (!parsed.success) return failure(null, INVALID_REQUEST, 'This is no request of JSON-RPC 2.0');
  const { method, params, id = null } = parsed.data;
  const own = session ?? (typeof params.session_id === 'string' ? params.session_id : undefined);
  try {
    if (method === 'openenv/session/create') {
      const session_id = own ?? (await reset(episodes, params, player)).id;
      return success(id, { session_id });
    }
    if (own === undefined) return failure(id, INVALID_PARAMS, 'session_id is missing');
    if (method === 'openenv/session/close') {
      await episodes.end(own, null);
      return success(id, { session_id: own, closed: true });
    }
    if (method === 'tools/list') return success(id, { tools: await listed(episodes, own) });
    if (method === 'tools/call') {
      const call = callParams.safeParse(params);
      if (!call.success) return failure(id, INVALID_PARAMS, 'name is missing');
      const { answer } = await episodes.step(own, { ...call.data, headers: player.headers });
      const content = [{ type: 'text', text: answer.body }];
      return success(id, { content, isError: answer.status >= 400 });
    }
    return failure(id, METHOD_NOT_FOUND, `There is no method ${method.slice(0, 80)}`);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const code = error.status === 400 || error.status === 404 ? INVALID_PARAMS : SERVER_ERROR;
    return failure(id, code, error.message);
  }
}

type RpcId = string | number | null;

function success(id: RpcId, result: unknown) {
  return { jsonrpc: '2.0' as const, id, result };
}

function failure(id: RpcId, code: number, message: string) {
  return { jsonrpc: '2.0' as const, id, error: { code, message, data: null } };
}
