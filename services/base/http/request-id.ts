import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A maker of request ids: the caller's own when it is harmless in a header and a log, else a new one. */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given;
    return `${prefix}-${(++count).toString(36)}`;
  };
}
