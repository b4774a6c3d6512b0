import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RookeryError } from '../../client/index.ts';

/** The state of an asynchronous request. The last value stays while the next is loading. */
export interface AsyncAnswer<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly loading: boolean;
}

/** Fetches whenever `key` changes, keeping the last value meanwhile; `again` returns a polling delay in ms, or null. */
export function useAnswer<T>(
  key: string,
  ask: () => Promise<T>,
  again?: (value: T) => number | null,
): AsyncAnswer<T> {
  const [asked, setAsked] = useState<AsyncAnswer<T>>({ value: undefined, error: undefined, loading: true });
  useEffect(() => {
    let wanted = true;
    let timer: number | undefined;
    const once = async () => {
      try {
        const value = await ask();
        if (!wanted) return;
        setAsked({ value, error: undefined, loading: false });
        const pause = again?.(value) ?? null;
        if (pause !== null) timer = window.setTimeout(once, pause);
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        if (wanted) setAsked({ value: undefined, error, loading: false });
      }
    };
    setAsked((last) => ({ ...last, loading: true }));
    void once();
    return () => {
      wanted = false;
      window.clearTimeout(timer);
    };
    // The key identifies the request.
  }, [key]);
  return asked;
}

/** Sets the document title, for tabs, bookmarks and history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · rookery`;
  }, [title]);
}

interface AnswerProps<T> {
  /** For a view that consists of this value: its heading while loading. */
  readonly title?: string;
  readonly asked: AsyncAnswer<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Renders a fetched value, a loading indicator, or the problem. */
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

export function Problem({ error }: { readonly error: Error }) {
  const code = error instanceof RookeryError ? error.problem?.code : undefined;
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {code === 'HARNESS_ONLY' && <p>Give the harness key under “Keys”, at the top.</p>}
      {error instanceof TypeError && <p>The server does not respond.</p>}
    </div>
  );
}
