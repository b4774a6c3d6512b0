import type { ComponentChildren, InputHTMLAttributes } from 'preact';

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

interface FieldProps extends Omit<InputHTMLAttributes, 'onChange' | 'onInput'> {
  readonly label: string;
  readonly onChange: (text: string) => void;
}

/** A labelled field that reports its text as it is typed. */
export function Field({ label, onChange, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input {...input} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

/** What a field with this `list` suggests. */
export function Suggestions({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option value={value} />
      ))}
    </datalist>
  );
}

interface TabsProps {
  readonly tables: readonly { readonly name: string }[];
  readonly shown: { readonly name: string } | undefined;
  readonly linkTo: (table: string) => string;
}

export function TableTabs({ tables, shown, linkTo }: TabsProps) {
  return (
    <nav class="tabs" aria-label="Tables">
      {tables.map(({ name }) => (
        <a href={linkTo(name)} aria-current={name === shown?.name ? 'true' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Options for stored names, with readable labels. */
export function namesToChoose(names: readonly string[]): (readonly [string, string])[] {
  return names.map((name) => [name, name.replaceAll('_', ' ')]);
}
