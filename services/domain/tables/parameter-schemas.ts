import {
  PAGE_ROWS,
  TABLE_AGGREGATES,
  TABLE_OPERATORS,
  type TableApiStyle,
  type TableOperator,
} from '../../../contracts/table-api.ts';
import type { JsonSchema } from '../live-tools/toolset/json-schema.ts';
import type { ApiColumn, TableApi } from './table-apis.ts';

/** The arguments of an API by name, none of them required. */
export function parameterSchemas(api: TableApi, style: TableApiStyle): Readonly<Record<string, JsonSchema>> {
  const equal = api.columns.map((column) => [column.name, equality(column)] as const);
  if (style === 'paper') return Object.fromEntries(equal);
  if (style === 'plain') return Object.fromEntries([...equal, ...Object.entries(PAGES)]);
  const compared = api.columns.flatMap((column) =>
    TABLE_OPERATORS.map((operator) => [`${column.name}__${operator}`, comparison(column, operator)] as const),
  );
  return Object.fromEntries([...equal, ...compared, ...Object.entries(shape(api)), ...Object.entries(PAGES)]);
}

function equality({ column }: ApiColumn): JsonSchema {
  const { name, friendly_name, description } = column;
  const what = [friendly_name, description].filter((text) => text !== null && text !== '');
  return {
    type: column.type,
    description: `Rows whose ${name} is this.${what.map((t) => ` ${t}.`).join('')}`,
  };
}

const WORDS: Readonly<Record<TableOperator, string>> = {
  gt: 'is greater than this',
  ge: 'is this or greater',
  lt: 'is less than this',
  le: 'is this or less',
  ne: 'is not this',
  like: 'fits this pattern of SQL, with % and _',
  in: 'is one of these',
  is_null: 'is missing (true) or there (false)',
};

function comparison({ column }: ApiColumn, operator: TableOperator): JsonSchema {
  const description = `Rows whose ${column.name} ${WORDS[operator]}.`;
  if (operator === 'is_null') return { type: 'boolean', description };
  if (operator === 'like') return { type: 'string', description };
  if (operator === 'in') return { type: 'array', items: { type: column.type }, description };
  return { type: column.type, description };
}

function shape({ columns }: TableApi): Readonly<Record<string, JsonSchema>> {
  const names = { type: 'string', enum: columns.map(({ name }) => name) };
  return {
    select: { type: 'array', items: names, description: 'Only these columns; all unless given.' },
    distinct: { type: 'boolean', description: 'Each row once.' },
    order_by: {
      type: 'array',
      items: { type: 'string' },
      description: 'Columns to sort by, the first first; one with - before it descends.',
    },
    aggregate: { type: 'string', enum: TABLE_AGGREGATES, description: 'One figure over the rows.' },
    aggregate_column: { ...names, description: 'The column that is aggregated; count takes none too.' },
    group_by: {
      type: 'array',
      items: names,
      description: 'One row for each of their values, with the aggregate if there is one.',
    },
  };
}

const PAGES: Readonly<Record<string, JsonSchema>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: PAGE_ROWS.most,
    description: `Rows of a page; ${PAGE_ROWS.default} unless given.`,
  },
  offset: {
    type: 'integer',
    minimum: 0,
    description: 'Rows to pass over: next_offset of the page before.',
  },
};
