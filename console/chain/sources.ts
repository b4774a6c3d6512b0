import type { ToolAnswer } from '../../client/index.ts';
import { aboutAnswer } from './about-answer.ts';
import type { ChainCall, Start } from './chain.ts';
import type { CallStep } from './chain-service.ts';

/** A result that an argument may name, and what its columns are. */
export interface Source {
  readonly label: string;
  /** undefined until it is answered. */
  readonly handle: string | undefined;
  readonly columns: readonly string[];
  /** Columns that hold text, as far as the first rows tell. */
  readonly texts: ReadonlySet<string>;
  /** A few words: what it is and how many rows it has. */
  readonly about: string;
}

/** What the start tables and the calls of a chain have come to; shorter than the chain while it is carried out. */
export interface ChainRun {
  readonly starts: readonly ToolAnswer[];
  readonly steps: readonly CallStep[];
}

/** Everything in a chain that can be referred to, in order: start tables, then the result of each call. */
export function sourcesOf(starts: readonly Start[], calls: readonly ChainCall[], run: ChainRun): Source[] {
  return [
    ...starts.map(({ label }, i) => sourceOf(label, run.starts[i])),
    ...calls.map(({ label }, i) => {
      const step = run.steps[i];
      return sourceOf(label, step && 'answer' in step ? step.answer : undefined);
    }),
  ];
}

function sourceOf(label: string, answer: ToolAnswer | undefined): Source {
  if (!answer) return { label, handle: undefined, columns: [], texts: new Set(), about: '' };
  const about = aboutAnswer(answer);
  const { handle } = answer;
  if (answer.kind === 'table') {
    const isText = (name: string) => answer.preview.some((row) => typeof row[name] === 'string');
    return { label, handle, columns: answer.columns, texts: new Set(answer.columns.filter(isText)), about };
  }
  if (answer.kind === 'value') return { label, handle, columns: [], texts: new Set(), about };
  const texts = answer.values.some((value) => typeof value === 'string') ? [answer.column] : [];
  return { label, handle, columns: [answer.column], texts: new Set(texts), about };
}
