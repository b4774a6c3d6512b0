import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Endpoint, Service } from '../../contracts/service.ts';
import { lowerRest } from '../../generator/lower/lower-rest.ts';
import { Random } from '../../generator/variants/random.ts';
import { parseQuery, quoteIdentifier, quoteText } from '../../sql/index.ts';

/** How many queries are drawn for each endpoint that is wanted: many have the same template. */
const DRAWS = 12;

/**
 * The service with so many endpoints in all: seeded queries over its own tables, described as the generator describes
 * those of questions. Endpoints that it has already are not made again. They are for being searched, never for being
 * called. Fewer where its tables give no more.
 */
export function withMoreEndpoints(service: Service, wanted: number): Service {
  const { split, db, title, catalog, reference_time: referenceTime } = service;
  const random = new Random(`more endpoints of ${split}/${db}`);
  const missing = Math.max(0, wanted - service.endpoints.length);
  const queries = Array.from({ length: missing * DRAWS }, (_, i) => {
    const sql = drawQuery(catalog, random);
    if (sql === null) return [];
    const question = { question_id: i, db_id: db, question: '', evidence: '', difficulty: null, sql };
    return [{ question, query: parseQuery(sql, { catalog, referenceTime }) }];
  }).flat();
  const known = new Set(service.endpoints.map(withoutNames));
  const names = new Set(service.endpoints.map(({ operation_id }) => operation_id));
  const { endpoints } = lowerRest(queries, { split, db, title, catalog });
  const fresh = endpoints.filter((endpoint) => !known.has(withoutNames(endpoint))).slice(0, missing);
  return {
    ...service,
    endpoints: [
      ...service.endpoints,
      ...fresh.map((endpoint) => {
        const free = names.has(endpoint.operation_id)
          ? `${endpoint.operation_id}_more`
          : endpoint.operation_id;
        names.add(free);
        return { ...endpoint, operation_id: free };
      }),
    ],
  };
}

/** The SQL of an endpoint, whatever its parameters and results are called. */
function withoutNames({ sql }: Endpoint): string {
  return sql.replace(/:\w+/g, ':').replace(/ AS "[^"]*"/g, '');
}

/** What analysts ask most: rows and counts by a value, averages, extremes, groups, over one table or two. */
function drawQuery(catalog: Catalog, random: Random): string | null {
  const table = random.pick(catalog.tables.filter(({ rows }) => rows > 0));
  if (!table) return null;
  const joined = random.chance(0.5) ? joinOf(catalog, table, random) : null;
  const columns = [...columnsOf('a', table), ...(joined ? columnsOf('b', joined.table) : [])];
  const shown = random.pick(columns);
  const compared = random.pick(columns.filter(({ column }) => column.statistics.min !== null));
  const number = random.pick(
    columns.filter(({ column }) => column.type !== 'string' && column.primary_key === 0),
  );
  if (!shown || !compared) return null;
  const from = `FROM ${quoteIdentifier(table.name)} AS a${joined?.sql ?? ''}`;
  const where = `WHERE ${conditionOn(compared, random)}`;
  const kinds = [
    `SELECT ${shown.sql} ${from} ${where}`,
    `SELECT count(*) ${from} ${where}`,
    `SELECT ${compared.sql}, count(*) ${from} GROUP BY ${compared.sql}`,
    ...(number
      ? [
          `SELECT ${random.pick(['avg', 'sum', 'max', 'min'])}(${number.sql}) ${from} ${where}`,
          `SELECT ${shown.sql} ${from} ${where} ORDER BY ${number.sql} ${random.pick(['ASC', 'DESC'])} LIMIT 1`,
          `SELECT ${compared.sql}, avg(${number.sql}) ${from} GROUP BY ${compared.sql}`,
        ]
      : []),
  ];
  return random.pick(kinds) ?? null;
}

interface DrawnColumn {
  readonly sql: string;
  readonly column: CatalogColumn;
}

function columnsOf(alias: string, { columns }: CatalogTable): DrawnColumn[] {
  return columns.map((column) => ({ sql: `${alias}.${quoteIdentifier(column.name)}`, column }));
}

function joinOf(catalog: Catalog, { foreign_keys }: CatalogTable, random: Random) {
  const key = random.pick(foreign_keys.filter(({ columns }) => columns.length === 1));
  const table = catalog.tables.find(({ name }) => name === key?.references_table);
  if (!key || !table) return null;
  const [from = '', to = ''] = [key.columns[0], key.references_columns[0]];
  const on = `a.${quoteIdentifier(from)} = b.${quoteIdentifier(to)}`;
  return { table, sql: ` JOIN ${quoteIdentifier(table.name)} AS b ON ${on}` };
}

function conditionOn({ sql, column: { statistics } }: DrawnColumn, random: Random): string {
  const { min } = statistics;
  const value = typeof min === 'number' ? String(min) : quoteText(String(min));
  const relation = typeof min === 'number' ? random.pick(['=', '>', '<']) : '=';
  return `${sql} ${relation} ${value}`;
}
