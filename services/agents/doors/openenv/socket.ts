import type { WebSocket } from 'ws';
import { readJson, writeJson } from '../../../base/http/json-text.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { Episodes } from '../episodes.ts';
import { type Player, reset, stateOf, step } from './environment.ts';
import { answerRpc } from './json-rpc.ts';
import { incoming, type Outgoing } from './openenv-messages.ts';

type ErrorCode = Extract<Outgoing, { type: 'error' }>['data']['code'];

const TYPES: readonly unknown[] = incoming.options.map(({ shape }) => shape.type.value);

/** Plays the episodes of a connection, one at a time; its messages are answered in their order. */
export function playSocket(socket: WebSocket, episodes: Episodes, player: Player): void {
  let episode: string | undefined;
  let last: Promise<void> = Promise.resolve();

  socket.on('message', (data) => {
    last = last.then(async () => {
      const message = await answer(String(data)).catch(failed);
      if (message === null) socket.close();
      else if (socket.readyState === socket.OPEN) socket.send(writeJson(message));
    });
  });
  // The connection is gone: whoever made the episode made its end too.
  socket.on('error', () => socket.terminate());

  async function answer(text: string): Promise<Outgoing | null> {
    const given = readMessage(text);
    if (given === undefined) return problem('INVALID_JSON', 'The message is not JSON');
    const parsed = incoming.safeParse(given);
    if (!parsed.success) {
      const type = typeof given === 'object' && given !== null && 'type' in given ? given.type : undefined;
      if (!TYPES.includes(type))
        return problem(
          'UNKNOWN_TYPE',
          `Unknown message type: ${typeof type === 'string' ? type : 'no text'}`,
        );
      return problem('VALIDATION_ERROR', 'Invalid message', { errors: parsed.error.issues });
    }
    const message = parsed.data;
    switch (message.type) {
      case 'reset': {
        const { id, observed } = await reset(episodes, message.data, player);
        episode = id;
        return { type: 'observation', data: observed };
      }
      case 'step':
        if (episode === undefined) return problem('SESSION_ERROR', 'Send reset first');
        return { type: 'observation', data: await step(episodes, episode, message.data, player) };
      case 'state':
        if (episode === undefined) return { type: 'state', data: { episode_id: null, step_count: 0 } };
        return { type: 'state', data: await stateOf(episodes, episode) };
      case 'mcp':
        return { type: 'mcp', data: await answerRpc(episodes, message.data, player, episode) };
      case 'close':
        return null;
    }
  }
}

function readMessage(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function failed(error: unknown): Outgoing {
  if (!(error instanceof HttpProblem)) return problem('EXECUTION_ERROR', 'The server failed');
  const code = error.code === 'INVALID_PARAMETERS' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR';
  return problem(code, error.message, { errors: error.errors });
}

function problem(code: ErrorCode, message: string, more: object = {}): Outgoing {
  return { type: 'error', data: { message, code, ...more } };
}
