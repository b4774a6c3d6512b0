import { ModelError } from '../model/model-error.ts';

/** What the failure of a connection means, whatever wraps it. */
export function readNetworkFailure(error: unknown): ModelError {
  const causes = [...causesOf(error)];
  const codes = causes.map((cause) => ('code' in cause ? String(cause.code) : ''));
  const said = causes.map(({ message }) => message).findLast((message) => message !== '') ?? String(error);
  const code = codes.find((each) => each !== '') ?? '';
  const unreachable = codes.some((each) => UNREACHABLE.test(each));
  // What OpenSSL says has addresses and line numbers in it.
  const reason = said.includes(':error:') ? (said.split(':')[5] ?? said) : said;
  const message = code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
  return new ModelError(unreachable ? 'unreachable' : 'network', message, { cause: error });
}

/** Nobody listens, there is no such name, or what answers cannot be trusted or speaks no TLS. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ERR_INVALID_URL|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|EPROTO)$/;

function* causesOf(error: unknown): Generator<Error> {
  let cause = error;
  // A chain may be a circle.
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    yield cause;
    // A name with several addresses: each was tried.
    cause = cause.cause ?? (cause instanceof AggregateError ? cause.errors[0] : undefined);
  }
}
