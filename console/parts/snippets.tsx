import { useState } from 'preact/hooks';
import type { ServedEndpoint, ToolFormats } from '../../client/index.ts';
import { farm } from '../farm.ts';
import { useAnswer } from '../use-answer.ts';
import { Answer } from './answer.tsx';
import { Scrolled } from './scrolled.tsx';
import { SNIPPETS, TOOL_FORMATS, toolNamed } from './snippet-texts.ts';

interface SnippetsProps {
  readonly db: string;
  readonly endpoint: ServedEndpoint;
  readonly given: URLSearchParams;
}

/** How programs of several kinds call the endpoint, with the arguments that the form has. */
export function Snippets({ db, endpoint, given }: SnippetsProps) {
  const kinds = [...Object.keys(SNIPPETS), ...Object.keys(TOOL_FORMATS)];
  const [kind, setKind] = useState(kinds[0] ?? '');
  const [copied, setCopied] = useState(false);
  const text = useAnswer(`${kind} ${endpoint.path} ${given}`, async () => {
    const snippet = SNIPPETS[kind];
    if (snippet) return snippet({ origin: location.origin, db, endpoint, given });
    const format = TOOL_FORMATS[kind as keyof typeof TOOL_FORMATS];
    return toolNamed(await toolsOf(db, format), endpoint.operation_id);
  });
  return (
    <>
      <fieldset class="tabs">
        <legend class="hidden">Kind of program</legend>
        {kinds.map((each) => (
          <button
            type="button"
            aria-pressed={each === kind}
            onClick={() => {
              setKind(each);
              setCopied(false);
            }}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <Answer asked={text}>
        {(shown) => (
          <>
            <Scrolled label="Snippet">
              <pre>{shown}</pre>
            </Scrolled>
            <button
              type="button"
              onClick={async () => {
                await navigator.clipboard.writeText(shown);
                setCopied(true);
              }}
            >
              Copy
            </button>{' '}
            <span class="note" role="status">
              {copied && 'Copied.'}
            </span>
          </>
        )}
      </Answer>
    </>
  );
}

async function toolsOf(db: string, format: keyof ToolFormats): Promise<readonly unknown[]> {
  const path = `/tools/${encodeURIComponent(db)}/rest?format=${format}`;
  return (await farm().get<{ readonly tools: readonly unknown[] }>(path)).tools;
}
