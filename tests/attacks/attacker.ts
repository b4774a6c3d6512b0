import { z } from 'zod';

const problem = z.object({ code: z.string() });

/** Somebody who can send requests from an agent's address and has no key. */
export interface Attacker {
  send(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string; readonly headers: Record<string, string> }>;
  /** The code of the problem that was answered; '' when it was none. */
  code(...request: Parameters<Attacker['send']>): Promise<string>;
}

export function attackerAt(address: string): Attacker {
  const send: Attacker['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
  };
  return {
    send,
    async code(...request) {
      const { text } = await send(...request);
      try {
        return problem.parse(JSON.parse(text)).code;
      } catch {
        return '';
      }
    },
  };
}
