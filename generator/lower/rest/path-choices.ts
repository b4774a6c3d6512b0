import { snake } from '../../english/names/snake.ts';
import type { Lexicon } from '../../english/words/lexicon.ts';
import type { Choice } from '../../template/choices/choice.ts';
import type { Template } from '../../template/template.ts';

/** Whether the choice at a canonical position of a template stands in the path of its endpoint. */
export type PathChoices = (template: Template, position: number) => boolean;

/** A column that a choice picks rows by. */
type Column = NonNullable<Choice['column']>;

/**
 * The column that a choice looks rows up by, which is what a path can name: the column has to equal one value, and no
 * other choice of the query is about it. null for bounds, lists, patterns, limits, alternatives and what is left out.
 */
export function lookedUpColumn(choice: Choice, all: readonly Choice[]): Column | null {
  const { role, clause, array, negated, removed, column } = choice;
  if (role !== 'equal' || clause !== 'filter' || array || negated || removed || column === null) return null;
  const isShared = all.some(
    (other) =>
      other !== choice && other.column?.table === column.table && other.column.column === column.column,
  );
  return isShared ? null : column;
}

/**
 * The segments before an endpoint's name: what the rows are that each parameter looks up, once for the parameters of one
 * table that follow each other, then the parameters. `clinics/{clinic_group}/pets/{species}/{breed}`
 */
export function pathSegments(
  parameters: readonly { readonly name: string; readonly choice: Choice }[],
  lexicon: Lexicon,
): string[] {
  const tables = parameters.map(({ choice }) => choice.column?.table ?? '');
  return parameters.flatMap(({ name }, i) => {
    const table = tables[i] ?? '';
    const noun = snake(lexicon.noun(table).many) || 'rows';
    return i > 0 && tables[i - 1] === table ? [`{${name}}`] : [noun, `{${name}}`];
  });
}
