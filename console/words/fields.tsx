import { useId, useState } from 'preact/hooks';
import type { ColumnWords, EditedColumn, EndpointWords, TableWords } from '../../contracts/words.ts';
import { Choice } from '../parts/choice.tsx';
import { printCodes, readCodes, readList } from './edits.ts';

/** A field of words: what it is for, by an example. */
interface WordField<Name> {
  readonly name: Name;
  readonly example: string;
  /** Absent: words on one line. */
  readonly kind?: 'codes' | 'list' | 'flag' | 'long';
}

export const TABLE_FIELDS: readonly WordField<keyof TableWords>[] = [
  { name: 'one', example: 'patient' },
  { name: 'many', example: 'patients' },
  { name: 'row', example: 'one animal treated at a clinic' },
  { name: 'called', example: 'name, species', kind: 'list' },
  { name: 'synonyms', example: 'animal, pet', kind: 'list' },
];

export const ENDPOINT_FIELDS: readonly WordField<keyof EndpointWords>[] = [
  { name: 'name', example: 'large_clinics_in_city' },
  { name: 'summary', example: 'Clinics in a city with more than a number of beds' },
  { name: 'description', example: 'Name of each clinic in `city`.', kind: 'long' },
];

/** The fields of a column that its type allows; the others are shown once they are written. */
export function columnFields({ type, references, nullable }: EditedColumn): {
  readonly usual: readonly WordField<keyof ColumnWords>[];
  readonly all: readonly WordField<keyof ColumnWords>[];
} {
  const isNumber = type !== 'string';
  const ofKey: readonly WordField<keyof ColumnWords>[] = [
    { name: 'verb', example: 'was born to' },
    { name: 'inverse', example: 'gave birth to' },
  ];
  const ofNumbers: readonly WordField<keyof ColumnWords>[] = [
    { name: 'unit', example: 'kilograms' },
    { name: 'quantity', example: 'weight, amount' },
    { name: 'counts', example: 'beds' },
    { name: 'highest', example: 'heaviest' },
    { name: 'lowest', example: 'lightest' },
    { name: 'above', example: 'heavier than' },
    { name: 'below', example: 'lighter than' },
  ];
  const ofNulls: readonly WordField<keyof ColumnWords>[] = [
    { name: 'missing', example: 'are still alive' },
    { name: 'present', example: 'have died' },
  ];
  const flags: readonly WordField<keyof ColumnWords>[] = [
    { name: 'sum', example: 'of weights', kind: 'flag' },
    { name: 'average', example: 'of weights', kind: 'flag' },
    { name: 'rank', example: 'by weight', kind: 'flag' },
  ];
  const isMeasure = isNumber && references === null;
  return {
    usual: [{ name: 'noun', example: 'date of birth' }, ...(references === null ? [] : ofKey)],
    all: [
      { name: 'noun', example: 'date of birth' },
      { name: 'nouns', example: 'dates of birth' },
      ...(references === null ? [] : ofKey),
      ...(isNumber ? [] : [{ name: 'when', example: 'was born' } as const]),
      ...(nullable ? ofNulls : []),
      ...(isMeasure ? ofNumbers : []),
      { name: 'codes', example: 'Y = open around the clock', kind: 'codes' },
      { name: 'synonyms', example: 'birthday', kind: 'list' },
      ...(isMeasure ? flags : []),
    ],
  };
}

interface WordInputProps {
  readonly field: WordField<string>;
  readonly value: unknown;
  /** What the rules say without it. */
  readonly guess: unknown;
  /** What is wrong with it. */
  readonly fault: string | undefined;
  /** undefined leaves it to the rules. */
  readonly onChange: (value: unknown) => void;
}

/** A field whose text is what a person wrote; what the rules guess shows through while it is empty. */
export function WordInput({ field, value, guess, fault, onChange }: WordInputProps) {
  const { name, example, kind } = field;
  const id = useId();
  // As typed: a space at the end is no part of the words, and must not vanish.
  const [draft, setDraft] = useState<string | null>(null);
  const label = (
    <>
      {name} <span class="note">such as {example}</span>
    </>
  );
  if (kind === 'flag')
    return (
      <Choice
        label={label}
        value={value === undefined ? '' : String(value)}
        none={guess === undefined ? 'by the rules' : `by the rules: ${guess ? 'yes' : 'no'}`}
        choices={[
          ['true', 'yes'],
          ['false', 'no'],
        ]}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === 'true')}
      />
    );
  const control = {
    id,
    placeholder: print(guess),
    value: draft ?? print(value),
    autocomplete: 'off',
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setDraft(currentTarget.value);
      onChange(READERS[kind ?? 'words'](currentTarget.value));
    },
    onBlur: () => setDraft(null),
  };
  return (
    <div class={kind === 'codes' || kind === 'long' ? 'whole' : undefined}>
      <label for={id}>{label}</label>
      {kind === 'codes' || kind === 'long' ? (
        <textarea rows={print(value ?? guess).split('\n').length + 1} {...control} />
      ) : (
        <input {...control} />
      )}
      {fault !== undefined && (
        <p class="problem" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

const READERS = {
  words: (text: string) => text.trim() || undefined,
  long: (text: string) => text.replace(/\s+/g, ' ').trim() || undefined,
  codes: readCodes,
  list: readList,
};

function print(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? printCodes(value as Record<string, string>) : String(value);
}
