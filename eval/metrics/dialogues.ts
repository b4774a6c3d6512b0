import { z } from 'zod';
import { EDITS, edit } from '../../contracts/dialogue.ts';
import type { Sample } from '../../contracts/sample.ts';
import { ASK_USER, ScriptedUser } from '../../contracts/scripted-user.ts';
import { count, percent, type ReportTable } from './figures.ts';

/** What a turn of a dialogue was, and how the agent dealt with its user. */
export const turnFacts = z.object({
  /** From 1. */
  turn: count,
  edit,
  /** Whether the answer is that of an earlier turn instead. */
  memory_error: z.boolean(),
  /** Whether the turn leaves out a value, and whether the agent asked for it before answering. */
  missing: z.boolean(),
  asked: z.boolean(),
  /** Questions for what was said or not needed, and questions that were not understood. */
  in_vain: count,
  not_understood: count,
});
export type TurnFacts = z.infer<typeof turnFacts>;

const figure = z.object({ n: count, passed: count });

export const dialogueFigures = z.object({
  dialogues: figure,
  turns: z.array(figure.extend({ turn: count })),
  edits: z.array(figure.extend({ edit })),
  /** Of the failed turns, those with the answer of an earlier turn. */
  memory_errors: figure,
  /** Of the turns that leave out a value. */
  asked_when_needed: figure,
  /** Missing values that were guessed right: the rows are right, nothing was asked. */
  guessed: count,
  asked_in_vain: count,
  not_understood: count,
});
export type DialogueFigures = z.infer<typeof dialogueFigures>;

/** What was asked in each turn, by the calls of `ask_user`, with the user's reaction. */
export function askedIn(
  { turns = [], user }: Pick<Sample, 'turns' | 'user'>,
  callsOf: (turn: number) => readonly unknown[],
): readonly Pick<TurnFacts, 'missing' | 'asked' | 'in_vain' | 'not_understood'>[] {
  if (user === undefined) return [];
  const talk = new ScriptedUser(turns, user);
  return turns.map((_, i) => {
    const missing = user.slots.some(({ withheld, turn }) => withheld && turn === i + 1);
    const replies = callsOf(i).flatMap((call) => {
      const question = questionOf(call);
      return question === null ? [] : [talk.reply(question).kind];
    });
    const asked = missing && talk.open.length === 0;
    talk.answer();
    const times = (kind: (typeof replies)[number]) => replies.filter((each) => each === kind).length;
    return { missing, asked, in_vain: times('in_vain'), not_understood: times('not_understood') };
  });
}

const asking = z.object({ name: z.literal(ASK_USER), arguments: z.object({ question: z.string() }) });

/** The question of a call of `ask_user`; null for other calls. */
export function questionOf(call: unknown): string | null {
  return asking.safeParse(call).data?.arguments.question ?? null;
}

interface JudgedDialogue {
  readonly parts:
    | readonly { readonly passes: boolean; readonly dialogue?: TurnFacts | null | undefined }[]
    | null;
}

/** null where no dialogue was scored. */
export function summarizeDialogues(samples: readonly JudgedDialogue[]): DialogueFigures | null {
  const dialogues = samples.flatMap(({ parts }) => {
    const turns = (parts ?? []).flatMap(({ passes, dialogue }) =>
      dialogue ? [{ passes, ...dialogue }] : [],
    );
    return turns.length > 0 ? [turns] : [];
  });
  if (dialogues.length === 0) return null;
  const all = dialogues.flat();
  const of = (some: readonly { readonly passes: boolean }[]) => ({
    n: some.length,
    passed: some.filter(({ passes }) => passes).length,
  });
  const failed = all.filter(({ passes }) => !passes);
  const needed = all.filter(({ missing }) => missing);
  return {
    dialogues: of(dialogues.map((turns) => ({ passes: turns.every(({ passes }) => passes) }))),
    turns: [...new Set(all.map(({ turn }) => turn))]
      .sort((a, b) => a - b)
      .map((turn) => ({ turn, ...of(all.filter((each) => each.turn === turn)) })),
    edits: EDITS.map((edit) => ({ edit, ...of(all.filter((each) => each.edit === edit)) })).filter(
      ({ n }) => n > 0,
    ),
    memory_errors: of(failed.map(({ memory_error }) => ({ passes: memory_error }))),
    asked_when_needed: of(needed.map(({ asked }) => ({ passes: asked }))),
    guessed: needed.filter(({ passes, asked }) => passes && !asked).length,
    asked_in_vain: all.reduce((sum, { in_vain }) => sum + in_vain, 0),
    not_understood: all.reduce((sum, { not_understood }) => sum + not_understood, 0),
  };
}

export function dialogueTables(figures: DialogueFigures | null): ReportTable[] {
  if (figures === null) return [];
  const share = ({ n, passed }: { readonly n: number; readonly passed: number }) => [
    n,
    passed,
    n === 0 ? '–' : percent(passed / n),
  ];
  const head = ['n', 'right', 'share'];
  return [
    {
      title: 'Dialogues by turn',
      head: ['turn', ...head],
      rows: [
        ...figures.turns.map((each) => [`turn ${each.turn}`, ...share(each)]),
        ['whole dialogues', ...share(figures.dialogues)],
      ],
    },
    {
      title: 'Turns by kind of edit',
      head: ['edit', ...head],
      rows: figures.edits.map((each) => [each.edit, ...share(each)]),
    },
    {
      title: 'Memory and questions to the user',
      head: ['', 'n', 'of them', 'share'],
      rows: [
        ['failed turns with the answer of an earlier turn', ...share(figures.memory_errors)],
        ['asked when needed', ...share(figures.asked_when_needed)],
        ['guessed right instead of asking', figures.guessed, '', ''],
        ['questions in vain', figures.asked_in_vain, '', ''],
        ['questions not understood', figures.not_understood, '', ''],
      ],
    },
  ].map((table) => ({ ...table, rows: table.rows.map((row) => row.map(String)) }));
}
