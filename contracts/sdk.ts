import { freeName } from './wording.ts';

/** Words that are reserved in JavaScript, in Python, or by an SDK itself. */
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield arguments eval undefined ' +
    'False None True and as assert async def del elif except from global is lambda nonlocal not or pass raise ' +
    'self table rows records connect answer values api Answer Cell Result RookeryError'
  ).split(' '),
);

/** The name of a tool, or of one of its parameters, in a program. */
export function programName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
  return RESERVED.has(plain) ? `${plain}_` : plain;
}

/** The distinct names of functions in a program, by the tools that they call, in the order of the tools. */
export function programNames(tools: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(tools.map((tool) => [tool, freeName(programName(tool), taken)]));
}

/** The tool that shows the functions of a farm, or its addresses, that fit some words. */
export const SEARCH_DOCS = 'search_docs';
/** The tool that runs a program. */
export const EXECUTE = 'execute';
/** The tool that sends a request to the farm. */
export const HTTP_REQUEST = 'http_request';
/** The same in the form of BFCL's `requests.get`. */
export const REQUESTS_GET = 'requests_get';

/** The name of the first parameter if it takes the table or earlier result that a call begins from; else null. */
export function sourceParameter(
  calls: 'single' | 'chain',
  parameters: { readonly properties?: unknown },
): string | null {
  if (calls === 'single') return null;
  const [first] = Object.entries(
    (parameters.properties ?? {}) as Record<string, { readonly type?: unknown }>,
  );
  return first !== undefined && [first[1].type].flat().includes('string') ? first[0] : null;
}
