import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RookeryError } from '../../client/index.ts';
import { linkTo } from '../route.ts';

/** The state of an asynchronous request. The last value stays while the next is loading. */
interface AsyncAnswer<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
}

/** Fetches whenever `key` changes, keeping the last value meanwhile; `again` returns a polling delay in ms, or null. */
export function useAnswer<T>(
  key: string,
  ask: () => Promise<T>,
  again?: (value: T) => number | null,
): AsyncAnswer<T> {
  const [asked, setAsked] = useState<AsyncAnswer<T>>({ value: undefined, error: undefined });
  useEffect(() => {
    let wanted = true;
    let timer: number | undefined;
    const once = async () => {
      try {
        const value = await ask();
        if (!wanted) return;
        setAsked({ value, error: undefined });
        const pause = again?.(value) ?? null;
        if (pause !== null) timer = window.setTimeout(once, pause);
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause));
        if (wanted) setAsked({ value: undefined, error });
      }
    };
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
      {title !== undefined && <Header title={title} />}
      {error ? <Problem error={error} /> : <Loading />}
    </>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="hidden">Loading …</span>
    </div>
  );
}

export function Problem({ error }: { readonly error: Error }) {
  const problem = error instanceof RookeryError ? error.problem : undefined;
  return (
    <div class="notice bad" role="alert">
      <p>
        <Prose text={error.message} />
      </p>
      {problem?.code === 'HARNESS_ONLY' && <p>Give the harness key under “Keys”.</p>}
      {error instanceof TypeError && (
        <p>
          The server does not respond. <Button onClick={() => location.reload()}>Try again</Button>
        </p>
      )}
      {problem?.status === 404 && <p>{<a href={linkTo([])}>All domains</a>}</p>}
    </div>
  );
}

/** A button that submits no form. */
export function Button(props: ButtonHTMLAttributes) {
  return <button type="button" {...props} />;
}

interface EmptyProps {
  /** Where to go next. */
  readonly next?: readonly [text: string, link: string];
  readonly children: ComponentChildren;
}

/** An empty state, and its reason. */
export function Empty({ next, children }: EmptyProps) {
  return (
    <div class="empty">
      {next ? <p>{children}</p> : children}
      {next && (
        <a class="button" href={next[1]}>
          {next[0]}
        </a>
      )}
    </div>
  );
}

/** Text with code in backticks, as descriptions have it. */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>;
}

interface HeaderProps {
  readonly title: string;
  /** The views above this one. */
  readonly path?: readonly (readonly [text: string, link: string])[];
  readonly about?: ComponentChildren;
  /** What can be done here. */
  readonly actions?: ComponentChildren;
}

/** The head of a view: where it is, what it is, and what can be done. */
export function Header({ title, path = [], about, actions }: HeaderProps) {
  return (
    <header class="head">
      {path.length > 0 && (
        <nav class="path" aria-label="Path">
          {path.map(([text, link]) => (
            <a href={link}>{text}</a>
          ))}
        </nav>
      )}
      <div class="title">
        <div>
          <h1>
            <Prose text={title} />
          </h1>
          {about && <p class="about">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
    </header>
  );
}
