import type { ComponentChildren } from 'preact';
import { RookeryError } from '../../client/index.ts';
import type { AsyncAnswer } from '../use-answer.ts';

interface AnswerProps<T> {
  /** Of a view that is nothing without it: what its heading is meanwhile. */
  readonly title?: string;
  readonly asked: AsyncAnswer<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Something that was asked for: shown when it is there, else that it is on its way, or what is wrong. */
export function Answer<T>({ title, asked: { value, error }, children }: AnswerProps<T>) {
  if (value !== undefined) return <>{children(value)}</>;
  return (
    <>
      {title !== undefined && <h1>{title}</h1>}
      {error ? (
        <Problem error={error} />
      ) : (
        <p class="note" role="status">
          Loading …
        </p>
      )}
    </>
  );
}

/** What went wrong, and what can be done about it. */
export function Problem({ error }: { readonly error: Error }) {
  const code = error instanceof RookeryError ? error.problem?.code : undefined;
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {code === 'HARNESS_ONLY' && <p>Give the harness key under “Keys”, at the top.</p>}
      {error instanceof TypeError && <p>The server does not answer.</p>}
    </div>
  );
}
