import type { EndpointParameter } from '../../contracts/service.ts';
import { editText } from '../../generator/oracle/edit-text.ts';
import { quoteText, tokenize } from '../../sql/index.ts';

/**
 * SQL with the values of a call in the place of its named parameters; a list read by `json_each` becomes a list of
 * literals. Throws when the SQL names a parameter that there is not.
 */
export function fillParameters(
  sql: string,
  parameters: readonly EndpointParameter[],
  call: Readonly<Record<string, unknown>>,
): string {
  const lists = sql.replaceAll(/\(\s*SELECT\s+"?value"?\s+FROM\s+json_each\((:\w+)\)\s*\)/giu, '($1)');
  const edits = tokenize(lists)
    .filter(({ kind }) => kind === 'parameter')
    .map(({ text, start, end }) => {
      const parameter = parameters.find(({ name }) => name === text.slice(1));
      if (parameter === undefined) throw new Error(`the endpoint has no parameter ${text}`);
      const given = [call[parameter.name]].flat();
      return { start, end, text: given.map((value) => literal(value, parameter)).join(', ') };
    });
  return editText(lists, edits);
}

function literal(value: unknown, { type }: EndpointParameter): string {
  if (type === 'string') return quoteText(String(value));
  const digits = String(value);
  // With a space before a sign: two signs would begin a comment.
  return ` ${type === 'number' && /^-?\d+$/u.test(digits) ? `${digits}.0` : digits}`;
}
