import {
  type Formulation,
  Rookery,
  RookeryError,
  type ServedCatalog,
  type ServedEndpoint,
  type ServedGold,
  type ToolAnswer,
} from '../client/index.ts';

/** Parses JSON for display; integers beyond 2^53 keep their source text if possible. undefined for invalid JSON. */
export function parseToShow(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (context?.source ?? value)
        : value,
    );
  } catch {
    return undefined;
  }
}

const MOST_BROKEN = 2;

/** A JSON text with a line for each field and each row; its numbers keep all of their digits. */
export function indented(text: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]\s*/g, (token) => {
    const mark = token.trim();
    if (mark === ':') return ': ';
    if (mark === ',') return depth <= MOST_BROKEN ? `,${line()}` : ', ';
    if (mark === '{' || mark === '[') return ++depth <= MOST_BROKEN ? mark + line() : mark;
    if (mark === '}' || mark === ']') return depth-- <= MOST_BROKEN ? line() + mark : mark;
    return token;
  });
}

/** Keys for more access to a farm. Stored until the tab is closed, and nowhere else. */
export interface Keys {
  readonly apiKey: string;
  readonly harnessKey: string;
}

const KEPT = 'rookery-keys';

export function readKeys(): Keys {
  // What the harness may see was recorded.
  const none = { apiKey: '', harnessKey: recordedAnswers() === undefined ? '' : 'recorded' };
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
    return { ...none, ...(kept as Partial<Keys>) };
  } catch {
    return none;
  }
}

export function keepKeys(keys: Keys): void {
  sessionStorage.setItem(KEPT, JSON.stringify(keys));
}

/** The folder of recorded answers, on a site where no farm responds; undefined where one does. */
export function recordedAnswers(): string | undefined {
  return document.getElementById('console')?.dataset.answers;
}

/** Whether the server is one on which the words of a split are edited, and no farm. */
export function editsWords(): boolean {
  return document.getElementById('console')?.dataset.edits === 'words';
}

export function farm(): Rookery {
  const { apiKey, harnessKey } = readKeys();
  return new Rookery(location.origin, {
    apiKey: apiKey || undefined,
    harnessKey: harnessKey || undefined,
    ...(recordedAnswers() === undefined ? {} : { fetch: recorded }),
  });
}

let recordings: Promise<Readonly<Record<string, string>>> | undefined;

/** The recorded answer to a request: files by method, path and body. */
async function recorded(address: string | URL | Request, { method = 'GET', body = '' }: RequestInit = {}) {
  const folder = recordedAnswers();
  recordings ??= fetch(`${folder}/index.json`).then((answer) => answer.json());
  const file = (await recordings)[`${method} ${String(address).slice(location.origin.length)}${body}`];
  if (file !== undefined) return fetch(`${folder}/${file}`);
  const detail =
    'These pages show what a farm answered once, and this was not asked then. Start a farm of your own to ask anything.';
  return Response.json({ code: 'NOT_RECORDED', status: 404, detail }, { status: 404 });
}

/** The farm's response to a request, with exact numbers. Throws RookeryError. */
export async function exactJson<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await farm().send(path, init);
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as T;
}

const catalogs = new Map<string, Promise<ServedCatalog>>();

/** The catalog of a domain, read once. Throws RookeryError. */
export function catalogOf(db: string): Promise<ServedCatalog> {
  return askOnce(catalogs, db, () => farm().catalog(db));
}

/** The answer kept under a key, else asked for and kept. A failure is not kept: the server or a slow query may recover. */
export function askOnce<T>(kept: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = kept.get(key);
  if (known) return known;
  const asked = ask();
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  return asked;
}

/** Whether access to gold is refused: the server has none, or the key is missing. */
export function isGoldElsewhere(error: Error | undefined): boolean {
  const code = error instanceof RookeryError ? error.problem?.code : undefined;
  return code === 'SCORING_OFF' || code === 'HARNESS_ONLY';
}

/** The gold of a task, with exact numbers. Throws RookeryError. */
export function goldOf(sampleId: string): Promise<ServedGold> {
  return exactJson(`/tasks/${sampleId.split('/').map(encodeURIComponent).join('/')}/gold`);
}

/** The path of a domain's general tools. */
export function toolsPath(split: string, db: string, formulation: Formulation): string {
  return `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}/${formulation}`;
}

export type TableAnswer = Extract<ToolAnswer, { readonly kind: 'table' }>;

/** A whole table, opened by the general tools that every domain has; `base` is their address. Throws RookeryError. */
export async function openTable(split: string, db: string, table: string) {
  const base = toolsPath(split, db, 'slot');
  const { handle, columns } = await callTool<TableAnswer>(`${base}/initialize_active_data?preview=0`, {
    condition_sequence: [],
    alias_to_table_dict: { T1: { original_table_name: table, modified_table_name: table } },
  });
  return { base, handle, columns };
}

/** The response of a SLOT or SEL tool, with exact numbers. Throws RookeryError. */
export function callTool<T>(path: string, args: unknown): Promise<T> {
  return exactJson(path, { method: 'POST', body: JSON.stringify(args) });
}

/** One to begin with: the shortest summary of those that want a single value of a column, which can be filled in. */
export function invitingEndpoint(endpoints: readonly ServedEndpoint[]): ServedEndpoint | undefined {
  const [endpoint = endpoints[0]] = endpoints
    .filter(
      ({ parameters: [parameter, ...others] }) =>
        parameter?.column !== undefined && !parameter.array && others.length === 0,
    )
    .sort((a, b) => a.summary.length - b.summary.length);
  return endpoint;
}
