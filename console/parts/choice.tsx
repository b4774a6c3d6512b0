import type { ComponentChildren } from 'preact';

interface SelectProps {
  readonly id?: string;
  readonly value: string;
  /** Label of the empty choice; without it a value is always selected. */
  readonly none?: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

export function Select({ id, value, none, choices, onChange }: SelectProps) {
  return (
    <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {choices.map(([choice, text]) => (
        <option value={choice} selected={choice === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ChoiceProps extends SelectProps {
  readonly label: ComponentChildren;
  readonly class?: string;
}

export function Choice({ label, class: look, ...select }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Select renders the control.
    <label class={look}>
      {label}
      <Select {...select} />
    </label>
  );
}

/** Options for stored names, with readable labels. */
export function namesToChoose(names: readonly string[]): (readonly [string, string])[] {
  return names.map((name) => [name, name.replaceAll('_', ' ')]);
}
