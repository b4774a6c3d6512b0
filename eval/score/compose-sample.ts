import type { Sample } from '../../contracts/sample.ts';

/** Samples of one domain as one: the gold calls of all of them, and all their rows. Throws RangeError without any. */
export function composeSample(id: string, parts: readonly Sample[]): Sample {
  const [first] = parts;
  if (first === undefined) throw new RangeError(`${id} is composed of nothing`);
  const difficulties = new Set(parts.map(({ difficulty }) => difficulty));
  const lines = (of: (part: Sample) => string) => parts.map((part, i) => `${i + 1}. ${of(part)}`).join('\n');
  return {
    ...first,
    sample_id: id,
    question_id: parts.map(({ question_id }) => question_id).join('+'),
    input: lines(({ input }) => input),
    evidence: parts.some(({ evidence }) => evidence !== '') ? lines(({ evidence }) => evidence) : '',
    difficulty: difficulties.size === 1 ? first.difficulty : null,
    query: lines(({ query }) => query),
    gold_answer: parts.flatMap(({ gold_answer }) => gold_answer),
    gold_columns: parts.flatMap(({ gold_columns }) => gold_columns),
    ordered: false,
    order_groups: null,
    output: parts.flatMap(({ output }) => output),
    output_after_executing_api: null,
    flags: [...new Set(parts.flatMap(({ flags }) => flags))],
  };
}
