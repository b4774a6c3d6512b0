import type { Rule } from '../rule.ts';
import { bareColumn } from './bare-column.ts';
import { caseCounted } from './case-counted.ts';
import { fanOut } from './fan-out.ts';
import { idleCondition } from './idle-condition.ts';
import { integerDivision } from './integer-division.ts';
import { limitTie } from './limit-tie.ts';
import { misspeltLiteral } from './misspelt-literal.ts';
import { notInNull } from './not-in-null.ts';
import { nullFirst } from './null-first.ts';
import { repeatedRows } from './repeated-rows.ts';
import { textAsNumber } from './text-as-number.ts';
import { unknownLiteral } from './unknown-literal.ts';

/** Every rule of the audit, in the order of reports. */
export const RULES: readonly Rule[] = [
  fanOut,
  bareColumn,
  limitTie,
  nullFirst,
  notInNull,
  unknownLiteral,
  misspeltLiteral,
  textAsNumber,
  integerDivision,
  caseCounted,
  repeatedRows,
  idleCondition,
];
