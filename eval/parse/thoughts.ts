/** An output without what its model only thought, and what it thought last, if it never closed that. */
export interface WithoutThoughts {
  readonly visible: string;
  /** null where every thought is closed. */
  readonly unclosed: string | null;
}

/**
 * Leaves thoughts out: calls that a model only considered are not its answer. What follows the last closing mark is
 * visible; a mark that is opened after that and never closed splits the rest.
 */
export function withoutThoughts(output: string): WithoutThoughts {
  const closed = Math.max(0, ...MARKS.map(([, closing]) => endOfLast(output, closing)));
  const rest = output.slice(closed);
  const openings = MARKS.map(([opening]) => ({ opening, at: rest.indexOf(opening) })).filter(
    ({ at }) => at >= 0,
  );
  const [first] = openings.sort((a, b) => a.at - b.at);
  if (first === undefined) return { visible: rest, unclosed: null };
  return { visible: rest.slice(0, first.at), unclosed: rest.slice(first.at + first.opening.length) };
}

function endOfLast(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
}

/** How models mark their thoughts: most; Mistral; Kimi; Seed-OSS; Cohere; Apertus; Gemma 4. */
const MARKS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<seed:think>', '</seed:think>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought', '<channel|>'],
] as const;
