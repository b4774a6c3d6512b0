import type { Formulation } from '../../../contracts/sample.ts';

/** What a run keeps of an answer besides its size. */
export interface AnswerFacts {
  /** In a REST answer, a table or a column; 1 for a single value; null for what has none. */
  readonly rows: number | null;
  /** SLOT and SEL: the name of the result. */
  readonly handle: string | null;
}

/**
 * Reads rows and handle from the text of an answer without parsing it: some have millions of characters. Inside a
 * JSON text no quote stands alone, so a name with its quotes and colon is a name; in a REST answer the envelope's
 * comes after all rows, in a tool's before them.
 */
export function readAnswer(formulation: Formulation, body: string): AnswerFacts {
  if (formulation === 'rest') return { rows: countAt(body, body.lastIndexOf(ROW_COUNT)), handle: null };
  const handle = /^\{"kind":"\w+","handle":"([^"\\]*)"/.exec(body)?.[1] ?? null;
  if (body.startsWith('{"kind":"value"')) return { rows: 1, handle };
  return { rows: countAt(body, body.indexOf(ROW_COUNT)), handle };
}

const ROW_COUNT = '"row_count":';

function countAt(body: string, at: number): number | null {
  if (at < 0) return null;
  const start = at + ROW_COUNT.length;
  const digits = /^\d+/.exec(body.slice(start, start + 20))?.[0];
  return digits === undefined ? null : Number(digits);
}
