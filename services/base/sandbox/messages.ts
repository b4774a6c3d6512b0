import { UserError } from '../../../contracts/errors.ts';

/** What a pool tells its child. */
export type ToChild<Request> = { kind: 'init'; init: unknown } | { kind: 'run'; request: Request };

/** What a child tells its pool: `ready` once, then any notes and one answer a request. */
export type FromChild<Reply> =
  | ({ kind: 'ready' } & Used)
  | { kind: 'note'; note: unknown }
  | ({ kind: 'reply'; reply: Reply } & Used)
  | ({ kind: 'error'; error: WireError } & Used);

/** Processor time that the child has used since its start, in milliseconds. */
interface Used {
  readonly cpuMs: number;
}

/** What ends a request. */
export type Answer<Reply> = Extract<FromChild<Reply>, { kind: 'reply' | 'error' }>;

/** An error as it crosses the process boundary. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
  /** Of a UserError. */
  readonly user?: Pick<UserError, 'code' | 'file'>;
}

/** Flattens anything thrown into what can be sent. */
export function toWire(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) {
    return { name: 'Error', message: String(thrown), code: undefined, stack: undefined };
  }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  const user = thrown instanceof UserError ? { user: { code: thrown.code, file: thrown.file } } : {};
  return { name: thrown.name, message: thrown.message, code, stack: thrown.stack, ...user };
}

/** An Error with the name, message, code and stack that were thrown in the child; a UserError for one. */
export function fromWire(wire: WireError): Error {
  const { user, message } = wire;
  const error = user ? new UserError(user.code, user.file, message) : new Error(message);
  error.name = wire.name;
  if (wire.stack !== undefined) error.stack = wire.stack;
  return wire.code === undefined ? error : Object.assign(error, { code: wire.code });
}
