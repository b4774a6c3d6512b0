import type { Sample } from '../../contracts/sample.ts';

/** What a model is asked: the question and, if wanted, the split's hint. */
export function questionText({ input, evidence }: Sample, withEvidence: boolean): string {
  return withEvidence && evidence !== '' ? `${input}\n\nHint: ${evidence}` : input;
}
