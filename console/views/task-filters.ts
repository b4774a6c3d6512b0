import { FORMULATION_NAMES } from '../../contracts/vocabulary.ts';

/** A filter of `GET /tasks`: typed, or chosen from a list. */
export interface TaskFilter {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly choices?: readonly (readonly [value: string, text: string])[];
}

export const MAIN_FILTERS: readonly TaskFilter[] = [
  {
    name: 'formulation',
    label: 'Formulation',
    choices: FORMULATION_NAMES.map((name) => [name, name.toUpperCase()] as const),
  },
  { name: 'db', label: 'Domain', hint: 'several with commas' },
  { name: 'difficulty', label: 'Difficulty', hint: 'such as simple' },
  { name: 'sample', label: 'Draw so many', hint: 'all unless given' },
];

export const MORE_FILTERS: readonly TaskFilter[] = [
  { name: 'seed', label: 'Seed of the draw', hint: '0' },
  { name: 'from', label: 'After so many drawn', hint: '0' },
  { name: 'flags', label: 'Flags', hint: 'such as -slow, or none' },
  { name: 'share', label: 'Share behind APIs', hint: 'of hybrid, such as 40' },
  { name: 'split', label: 'Split', hint: 'several with commas' },
  {
    name: 'band',
    label: 'Hardness (harness key)',
    choices: ['easy', 'medium', 'hard'].map((name) => [name, name] as const),
  },
  { name: 'tool', label: 'Tool of the gold (harness key)' },
  { name: 'also_in', label: 'Also asked in', hint: 'such as slot,sel' },
  {
    name: 'half',
    label: 'Half',
    choices: [
      ['train', 'to train on'],
      ['held_back', 'held back'],
    ],
  },
  { name: 'half_seed', label: 'Seed of the halves', hint: '0' },
  { name: 'all', label: 'Guessable ones', choices: [['true', 'too']] },
  { name: 'pairs', label: 'Of records', choices: [['true', 'pairs only']] },
  {
    name: 'unanswerable',
    label: 'Without one answer',
    choices: [
      ['only', 'these only'],
      ['mixed', 'as many as others'],
    ],
  },
];
