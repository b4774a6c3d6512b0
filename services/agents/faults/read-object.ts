import { parse } from 'lossless-json';

/** The JSON object that a text is, its numbers with all their digits; null for any other text. */
export function readObject(text: string): Record<string, unknown> | null {
  try {
    const value = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
