import type { Rung } from '../../../contracts/report.ts';
import type { CallElement } from '../../calls/agent-call.ts';
import type { OfferedTools } from '../parsed-output.ts';

/** A way to write calls that one family of models was trained on, told by marks that nothing else has. */
export interface Dialect {
  readonly rung: Rung;
  /** The calls in the text, or null if it does not speak this dialect. Takes time linear in the text. */
  read(output: string, tools?: OfferedTools): readonly CallElement[] | null;
}

/** The texts that follow each match of a pattern (which must be global), up to the next match or the end. */
export function* partsAfter(
  text: string,
  opening: RegExp,
): Generator<{ match: RegExpExecArray; body: string }> {
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match !== null; ) {
    const start = match.index + match[0].length;
    opening.lastIndex = Math.max(start, match.index + 1);
    const next = opening.exec(text);
    yield { match, body: text.slice(start, next?.index) };
    match = next;
  }
}

/** The text before a mark, or all of it. */
export function before(text: string, ...marks: readonly string[]): string {
  const ends = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
