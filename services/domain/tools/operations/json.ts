import { bind, type Sql, sql } from '../sql/sql.ts';
import { given, type RowOperation } from './operation.ts';

/** What `json_extract` can tell of the place that a path leads to. */
const PARTS = {
  value: (json, path) => sql`json_extract(${json}, ${path})`,
  json: (json, path) => sql`(${json} -> ${path})`,
  type: (json, path) => sql`json_type(${json}, ${path})`,
  length: (json, path) => sql`json_array_length(${json}, ${path})`,
  // json_type fails where the text is no JSON.
  valid: (json, path) =>
    sql`(CASE json_valid(${json}) WHEN 1 THEN json_type(${json}, ${path}) IS NOT NULL ELSE json_valid(${json}) END)`,
} as const satisfies Record<string, (json: Sql, path: Sql) => Sql>;

type Part = keyof typeof PARTS;

export const JSON_OPERATIONS = {
  json_extract: {
    scope: 'row',
    description:
      'the value at a path of a JSON text, NULL where there is none; or, as `part` says, its JSON text, its type, the ' +
      'length of the array there, or 1 where the text is valid JSON with something there and else 0',
    args: {
      path: given.jsonPath(
        'where to look: $ is the whole, $.a.b a field, $.list[0] an element; $ unless given',
      ),
      part: given.optionalChoice(
        ['value', 'json', 'type', 'length', 'valid'],
        'what to answer; value unless given',
      ),
    },
    sql: (value, args) => {
      const part = (args.option('part') ?? 'value') as Part;
      return PARTS[part](value, bind(String(args.option('path') ?? '$')));
    },
  },
} as const satisfies Record<string, RowOperation>;
