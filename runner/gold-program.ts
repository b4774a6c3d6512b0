import { mapReferences, referredLabel, usedLabels } from '../contracts/answer-rows.ts';
import { printExactJson } from '../contracts/exact-json.ts';
import { addressOf } from '../contracts/formulation.ts';
import { FORMULATIONS } from '../contracts/formulations.ts';
import type { Call, Formulation } from '../contracts/sample.ts';
import { EXECUTE, HTTP_REQUEST, programName, REQUESTS_GET } from '../contracts/sdk.ts';
import { isOfChanges } from '../contracts/vocabulary.ts';
import type { ModelTool } from './models/model.ts';

const DOING_TOOLS = [EXECUTE, HTTP_REQUEST, REQUESTS_GET] as const;
export type DoingTool = (typeof DOING_TOOLS)[number];

/** The offered tool that makes the calls of a list in its place; null where the list itself is offered. */
export function doingTool(tools: readonly Pick<ModelTool, 'name'>[]): DoingTool | null {
  return DOING_TOOLS.find((doing) => tools.some(({ name }) => name === doing)) ?? null;
}

export interface ProgramContext {
  readonly formulation: Formulation;
  /** Handles of the start tables, by label. */
  readonly starts: ReadonlyMap<string, string>;
}

/** Gold calls, under the names of the offered tools, as the body of a program that returns their rows. */
export function printProgram(calls: readonly Call[], { formulation, starts }: ProgramContext): string {
  if (FORMULATIONS[formulation].calls === 'single') {
    const lines = calls.map(({ name, arguments: args }) => `await ${programName(name)}(${literal(args)});`);
    // Changes of records are no rows.
    if (isOfChanges(formulation)) return [...lines, 'return [];'].join('\n');
    return [...lines.slice(0, -1), `const { data } = ${lines.at(-1)}`, 'return data;'].join('\n');
  }
  const used = usedLabels(calls);
  const results = new Map([...starts].map(([label, handle]) => [label, `table(${literal(handle)})`]));
  const final: string[] = [];
  const lines = calls.map(({ name, label, arguments: args }, i) => {
    const result = `r${i + 1}`;
    // The result that a call begins from is its first argument.
    const [[source = '', from] = []] = Object.entries(args);
    const { [source]: _, ...rest } = args;
    const own = referenceIn(from, results);
    const call =
      own === null
        ? `${programName(name)}(${written(args, results)})`
        : `${own}.${programName(name)}(${written(rest, results)})`;
    if (label !== undefined) results.set(label, result);
    if (label === undefined || !used.has(label)) final.push(result);
    return `const ${result} = ${call};`;
  });
  // A table among the last results gives no rows.
  return [...lines, `return rows(${final.join(', ')});`].join('\n');
}

/** Arguments in which `$label$` is a result of the program. */
function written(args: Call['arguments'], results: ReadonlyMap<string, string>): string {
  const inner: string[] = [];
  // A placeholder that no text of a call contains.
  const marked = mapReferences(args, (label) => {
    const result = results.get(label);
    if (result === undefined) return undefined;
    inner.push(result);
    return `\u0001${inner.length - 1}\u0001`;
  });
  return literal(marked).replace(/"\\u0001(\d+)\\u0001"/g, (_, at: string) => inner[Number(at)] as string);
}

function referenceIn(value: unknown, results: ReadonlyMap<string, string>): string | null {
  const label = referredLabel(value);
  return label === null ? null : (results.get(label) ?? null);
}

/** A value as an expression: JSON, with integers that numbers cannot hold as bigints. */
function literal(value: unknown): string {
  return printExactJson(value).replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `${token}n` : token,
  );
}

export interface RequestContext {
  readonly formulation: Formulation;
  readonly split: string;
  readonly db: string;
  /** Query string with the page of a long answer, or ''. */
  readonly view: string;
  /** Whether only GET can be sent. */
  readonly isGet: boolean;
}

/** An offered call as the arguments of `http_request` or `requests_get`; `path` is known only under an endpoint's own name. */
export function asRequest(
  { name, arguments: args, path }: Call,
  { formulation, split, db, view, isGet }: RequestContext,
): Readonly<Record<string, unknown>> {
  if (path !== undefined) {
    const service = { split, db, endpoints: [] };
    const request = FORMULATIONS[formulation].requestOf(service, { name, arguments: args, path });
    if (request.method === 'GET') return { ...(isGet ? {} : { method: 'GET' }), url: addressOf(request) };
  }
  const url = `/call/${encodeURIComponent(name)}${view === '' ? '' : `?${view}`}`;
  return { method: 'POST', url, body: args };
}
