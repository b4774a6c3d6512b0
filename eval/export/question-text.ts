import type { Sample } from '../../contracts/sample.ts';

/** The prompt: the question and, if requested, the split's hint. */
export function questionText({ input, evidence }: Sample, withEvidence: boolean): string {
  return withEvidence && evidence !== '' ? `${input}\n\nHint: ${evidence}` : input;
}
