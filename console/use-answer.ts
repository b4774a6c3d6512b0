import { useEffect, useState } from 'preact/hooks';

/** What is known of an answer that was asked for. The last one stays while the next is awaited. */
export interface AsyncAnswer<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly loading: boolean;
}

/**
 * Asks for something whenever `key` changes, and keeps what was answered last. `again`: asks again after so many
 * milliseconds as it says of the answer; null: no more.
 */
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
    // The key says what is asked for.
  }, [key]);
  return asked;
}
