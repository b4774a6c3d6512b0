import { type Dialogue, turnSampleId } from '../../contracts/dialogue.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';

/** Adds a sample for each dialogue whose turns were all kept in a formulation. Without dialogues, the samples as they are. */
export function withDialogues(samples: readonly Sample[], questions: readonly Question[]): readonly Sample[] {
  const turns = new Set(
    questions.flatMap(({ turn_of, question_id }) => (turn_of === undefined ? [] : [String(question_id)])),
  );
  if (turns.size === 0) return samples;
  const byId = new Map(samples.map((sample) => [sample.sample_id, sample]));
  const begun = new Map(
    questions.flatMap(({ dialogue, question_id }) =>
      dialogue ? [[String(question_id), dialogue] as const] : [],
    ),
  );
  return samples.flatMap((sample) => {
    if (!turns.has(String(sample.question_id))) return [sample];
    const turn: Sample = { ...sample, flags: [...sample.flags, 'turn'] };
    const dialogue = begun.get(String(sample.question_id));
    const whole = dialogue ? dialogueSample(sample, dialogue, byId) : null;
    return whole === null ? [turn] : [whole, turn];
  });
}

/** The sample of a whole dialogue, by that of its first turn; null where a turn was lost. */
function dialogueSample(
  first: Sample,
  { turns, user }: Dialogue,
  byId: ReadonlyMap<string, Sample>,
): Sample | null {
  const id = String(first.question_id).replace(/\.1$/, '');
  const idOf = (of: string) => first.sample_id.replace(`/${first.question_id}/`, `/${of}/`);
  const ids = turns.map((_, i) => turnSampleId(idOf(id), i + 1));
  const members = ids.map((each) => byId.get(each));
  // A run has the tools of one start table.
  const start = JSON.stringify(first.initialization_step);
  if (!members.every((each) => each && JSON.stringify(each.initialization_step) === start)) return null;
  const [{ text } = { text: '' }] = turns;
  return {
    ...first,
    sample_id: idOf(id),
    question_id: id,
    input: text,
    evidence: [...new Set(turns.map(({ evidence }) => evidence))].filter((each) => each !== '').join('; '),
    flags: [...first.flags, 'dialogue'],
    turns: turns.map(({ text, edit, refs, alone }, i) => ({
      text,
      edit,
      refs,
      alone,
      sample_id: ids[i] as string,
    })),
    user,
  };
}
