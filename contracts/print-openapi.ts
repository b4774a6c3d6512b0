import { printExactJson } from './exact-json.ts';

/**
 * JSON text of an OpenAPI document: one line for each path, component and other field, so that the file is small and two
 * versions of it can be compared. Ends with a newline.
 */
export function printOpenapi(document: object): string {
  return `${printObject(document, (key, value) => {
    if (key === 'paths') return printObject(value, print);
    if (key === 'components') return printObject(value, (_section, entries) => printObject(entries, print));
    return printExactJson(value);
  })}\n`;
}

const print = (_key: string, value: unknown): string => printExactJson(value);

function printObject(value: unknown, printValue: (key: string, value: unknown) => string): string {
  const entries = Object.entries(value as object);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, each]) => `${JSON.stringify(key)}:${printValue(key, each)}`).join(',\n')}\n}`;
}
