import type { Slot, UserScript } from './dialogue.ts';
import { capital, literalPattern } from './wording.ts';

export const ASK_USER = 'ask_user';
/** The name under which a run records messages to its user. */
export const SAY = 'say';

export const ASK_USER_TOOL = {
  name: ASK_USER,
  description:
    'Asks the user a question and answers with the reply. Ask only for what the user has not said and you need.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'the question, in plain words' } },
    required: ['question'],
    additionalProperties: false,
  },
} as const;

/** Whether a question was needed, asked for what was said or has no part in the turn, or was not understood. */
export type AskedKind = 'needed' | 'in_vain' | 'not_understood';

export interface Reply {
  readonly text: string;
  readonly kind: AskedKind;
}

/** The user of one dialogue: no model, only a script and rules. The same messages get the same replies. */
export class ScriptedUser {
  readonly #turns: readonly string[];
  readonly #script: UserScript;
  #turn = 1;
  /** Slots whose value the user has given when asked. */
  readonly #given = new Set<Slot>();
  /** Slots that a late user was asked for once. */
  readonly #putOff = new Set<Slot>();

  constructor(turns: readonly { readonly text: string }[], script: UserScript) {
    this.#turns = turns.map(({ text }) => text);
    this.#script = script;
  }

  /** The number of the turn, from 1; one more than there are once the dialogue is over. */
  get turn(): number {
    return this.#turn;
  }

  /** The turn's message; null once the dialogue is over. */
  get message(): string | null {
    return this.#turns[this.#turn - 1] ?? null;
  }

  /** The slots that this turn needs and that were neither said nor given. */
  get open(): readonly Slot[] {
    return this.#script.slots.filter(
      (slot) => slot.withheld && slot.turn <= this.#turn && !this.#given.has(slot),
    );
  }

  /** Takes the answer of the turn, and goes on to the next. */
  answer(): void {
    if (this.#turn <= this.#turns.length) this.#turn++;
  }

  /** Replies to a question, which may ask for several slots. */
  reply(question: string): Reply {
    const { temperament } = this.#script;
    const asked = this.#script.slots.filter((slot) => slot.turn <= this.#turn && asksFor(question, slot));
    const open = asked.filter((slot) => this.open.includes(slot));
    if (open.length > 0) {
      const late = open.filter((slot) => !this.#putOff.has(slot));
      if (temperament === 'late' && late.length > 0) {
        for (const slot of late) this.#putOff.add(slot);
        return { text: 'One moment, I have to look that up. Ask me again, please.', kind: 'needed' };
      }
      const revealed = temperament === 'partial' ? open.slice(0, 1) : open;
      for (const slot of revealed) this.#given.add(slot);
      return { text: this.#valuesOf(revealed), kind: 'needed' };
    }
    // The last value said is the one that holds.
    const known = asked.filter((slot) => !slot.withheld || this.#given.has(slot)).at(-1);
    if (known !== undefined) return { text: `${capital(known.said)}, as I said.`, kind: 'in_vain' };
    return { text: "I don't know.", kind: 'not_understood' };
  }

  #valuesOf(slots: readonly Slot[]): string {
    const [only, ...others] = slots;
    const text =
      others.length === 0
        ? capital(only?.said ?? '')
        : slots.map(({ name, said }) => `${capital(name)}: ${said}`).join('; ');
    const { temperament } = this.#script;
    if (temperament === 'terse') return text;
    return temperament === 'polite' ? `${text}, please. Thank you for asking!` : `${text}.`;
  }
}

/** Whether a question has one of the slot's words, or names one of its values. */
function asksFor(question: string, { words, values }: Slot): boolean {
  return [...words, ...values].some((text) => {
    const many = literalPattern(text).replace(/([^aeiou])y$/i, '$1(?:y|ie)');
    return new RegExp(`(?<![\\p{L}\\p{N}])${many}(s|es)?(?![\\p{L}\\p{N}])`, 'iu').test(question);
  });
}

/** A message to a user: a question, or the answer of a turn. */
export type Said = { readonly question: string } | { readonly answer: unknown };

/** A user in the state that these messages have left it in. */
export function userAfter(
  said: readonly Said[],
  { turns, user }: { readonly turns: readonly { readonly text: string }[]; readonly user: UserScript },
): ScriptedUser {
  const made = new ScriptedUser(turns, user);
  for (const one of said) {
    if ('question' in one) made.reply(one.question);
    else made.answer();
  }
  return made;
}
