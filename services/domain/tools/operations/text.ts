import { sql } from '../sql/sql.ts';
import { given, type RowOperation } from './operation.ts';
import { substring, substringFrom } from './substring.ts';

const textOperation = (description: string, args: RowOperation['args'], write: RowOperation['sql']): RowOperation => ({
  scope: 'row',
  description,
  args,
  sql: write,
});

const characters = { characters: given.optionalOperand('the characters to remove; blanks unless given') };

export const TEXT_OPERATIONS = {
  substring,
  substring_from: substringFrom,
  upper: textOperation('the text in upper case (ASCII)', {}, (value) => sql`upper(${value})`),
  lower: textOperation('the text in lower case (ASCII)', {}, (value) => sql`lower(${value})`),
  length: textOperation('the number of characters', {}, (value) => sql`length(${value})`),
  trim: textOperation('the text without characters at both ends', characters, (value, args) => {
    const some = args.optionalOperand('characters');
    return some ? sql`trim(${value}, ${some})` : sql`trim(${value})`;
  }),
  trim_start: textOperation('the text without characters at its start', characters, (value, args) => {
    const some = args.optionalOperand('characters');
    return some ? sql`ltrim(${value}, ${some})` : sql`ltrim(${value})`;
  }),
  trim_end: textOperation('the text without characters at its end', characters, (value, args) => {
    const some = args.optionalOperand('characters');
    return some ? sql`rtrim(${value}, ${some})` : sql`rtrim(${value})`;
  }),
  replace: textOperation(
    'the text with every `from` replaced by `to`',
    { from: given.operand('the text to look for'), to: given.operand('the text to put in its place') },
    (value, args) => sql`replace(${value}, ${args.operand('from')}, ${args.operand('to')})`,
  ),
  position: textOperation(
    'the 1-based position of `text` in it, 0 when it is not there',
    { text: given.operand('the text to look for') },
    (value, args) => sql`instr(${value}, ${args.operand('text')})`,
  ),
  concatenate: textOperation(
    'the text followed by the operand',
    {
      operand: given.operand('the text to add'),
      reverse: given.flag('true: the operand comes first'),
    },
    (value, args) =>
      args.option('reverse') === true
        ? sql`(${args.operand('operand')} || ${value})`
        : sql`(${value} || ${args.operand('operand')})`,
  ),
  format: textOperation(
    'the value written by a printf pattern such as %.2f or %05d',
    { pattern: given.operand('the pattern, with one place for the value') },
    (value, args) => sql`printf(${args.operand('pattern')}, ${value})`,
  ),
  hexadecimal: textOperation('the bytes of the value as hexadecimal digits', {}, (value) => sql`hex(${value})`),
  stored_type: textOperation(
    'how the value is stored: integer, real, text, blob or null',
    {},
    (value) => sql`typeof(${value})`,
  ),
} as const satisfies Record<string, RowOperation>;
