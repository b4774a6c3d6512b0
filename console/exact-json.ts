/**
 * JSON as a value to show: integers beyond 2^53 are kept as the text that they were written as, where the browser tells
 * it. undefined for text that is no JSON.
 */
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
