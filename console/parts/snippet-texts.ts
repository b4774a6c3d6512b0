import type { ServedEndpoint } from '../../client/index.ts';
import { argumentsOf, type GivenArguments, pathOfCall } from './endpoint-call.ts';

export interface SnippetSubject {
  /** `http://127.0.0.1:8321` */
  readonly origin: string;
  readonly db: string;
  readonly endpoint: ServedEndpoint;
  readonly given: GivenArguments;
}

/** The programs that a call is shown for, each with its text. */
export const SNIPPETS: Readonly<Record<string, (subject: SnippetSubject) => string>> = {
  curl: (subject) => `curl ${shellQuoted(addressOf(subject))}`,
  TypeScript: (subject) => `const answer = await fetch(${JSON.stringify(addressOf(subject))});
if (!answer.ok) throw new Error(await answer.text());
const { data } = await answer.json();`,
  Python: (subject) => `import json, urllib.request

with urllib.request.urlopen(${JSON.stringify(addressOf(subject))}) as answer:
    data = json.load(answer)["data"]`,
  MCP: ({ origin, db, endpoint, given }) =>
    json({
      mcpServers: { [db]: { type: 'http', url: `${origin}/mcp/${encodeURIComponent(db)}/rest` } },
    }) +
    '\n\n' +
    json({
      method: 'tools/call',
      params: { name: endpoint.operation_id, arguments: argumentsOf(endpoint, given) },
    }),
};

/** Formats in which the farm itself describes its tools to models. */
export const TOOL_FORMATS = { OpenAI: 'openai', Anthropic: 'anthropic' } as const;

/** The description of one tool of a list, in whichever format it is. */
export function toolNamed(tools: readonly unknown[], name: string): string {
  const found = tools.find((tool) => {
    const { name: own, function: inner } = tool as { name?: string; function?: { name?: string } };
    return (own ?? inner?.name) === name;
  });
  return json(found ?? null);
}

function addressOf({ origin, endpoint, given }: SnippetSubject): string {
  return `${origin}${pathOfCall(endpoint, given)}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
