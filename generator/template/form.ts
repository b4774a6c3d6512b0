import type { Literal } from '../../sql/index.ts';
import type { Choice } from './choices/choice.ts';

/**
 * A piece of SQL in canonical writing: equal text means equal meaning but for the values chosen. `choices`
 * are those that stand in the text as `?`, in its order.
 */
export interface Form {
  readonly text: string;
  readonly choices: readonly Choice[];
}

/** A form of plain text and forms, in order: form`(= ${left} ${right})`. */
export function form(parts: TemplateStringsArray, ...values: readonly (string | Form)[]): Form {
  let text = parts[0] ?? '';
  const choices: Choice[] = [];
  values.forEach((value, i) => {
    if (typeof value === 'string') text += value;
    else {
      text += value.text;
      choices.push(...value.choices);
    }
    text += parts[i + 1] ?? '';
  });
  return { text, choices };
}

export function joined(forms: readonly Form[], separator = ' '): Form {
  return {
    text: forms.map((one) => one.text).join(separator),
    choices: forms.flatMap((one) => one.choices),
  };
}

/** The forms in the order of their texts; equal texts keep theirs. */
export function sorted(forms: readonly Form[]): readonly Form[] {
  return [...forms].sort(byText);
}

export function byText(a: Form, b: Form): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

/** A literal that stays as it is. */
export function fixedForm(literal: Literal): Form {
  return form`${literal.type}:${literal.type === 'real' ? literal.text : JSON.stringify(String(literal.value))}`;
}
