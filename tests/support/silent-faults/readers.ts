import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import type { OtherEndpoint, QuestionFact } from '../../../contracts/faults.ts';
import type { InjectableApp, InjectedAnswer } from '../../../generator/verify/verify-candidate.ts';

type Request = Parameters<InjectableApp['inject']>[0];

/** What a scripted agent makes of the answers that it gets; one for each run. */
export interface Reader {
  /** The answer that it goes on with. */
  read(request: Request, ask: () => Promise<InjectedAnswer>): Promise<InjectedAnswer>;
  /** What it could not clear up. */
  doubts(): string | null;
}

/** Takes every answer as it comes. */
export function trustingReader(): Reader {
  return { read: (_, ask) => ask(), doubts: () => null };
}

export interface CheckingOptions {
  /** Whether it asks for every list of rows again, fitting or not. */
  readonly twice: boolean;
  /** What it has read in the question, of the last answer. */
  readonly facts?: readonly QuestionFact[] | undefined;
  /** How many calls it is going to make. */
  readonly calls: number;
  /** Another endpoint that, as its description says, reads the same rows. */
  readonly other?:
    | (Pick<OtherEndpoint, 'tells' | 'columns'> & { readonly ask: () => Promise<InjectedAnswer> })
    | undefined;
}

/**
 * Holds every answer against what an agent has anyway: its own `row_count`, the endpoint's specification, the table
 * that a column was read from, the question, another endpoint. What does not fit is asked for again. With `twice`, so is every other list of rows.
 */
export function checkingReader(
  specification: object,
  { twice, calls, facts = [], other }: CheckingOptions,
): Reader {
  const tables = new Map<string, Body>();
  const schemas = new Ajv2020({ strict: false, validateSchema: false, logger: false }).addSchema(
    specification,
    'api',
  );
  const doubts: string[] = [];
  let made = 0;

  const fits = async (request: Request, text: string): Promise<boolean> => {
    const body = parseExactJson(text) as Body;
    if (body.kind === 'table') tables.set(body.handle as string, body);
    const rows = body.data ?? body.values;
    if (!Array.isArray(rows)) return true;
    if (body.truncated !== true && rows.length !== body.row_count) return false;
    const known = body.data ? fitsSchema(request, text) : fitsTable(request, body, rows);
    return known && fitsQuestion(body.data, rows) && (await fitsOther(body.data, rows));
  };
  const fitsQuestion = (data: unknown, rows: readonly unknown[]): boolean =>
    made < calls ||
    facts.every((fact) => {
      if (fact.kind === 'at_most') return rows.length <= fact.rows;
      if (fact.kind === 'distinct') return new Set(rows.map(keyOf)).size === rows.length;
      return rows.every((row) => {
        const value = data ? (row as Body)[fact.column ?? ''] : row;
        return value !== null && COMPARE[fact.op](value as number, fact.value as number);
      });
    });
  const fitsOther = async (data: unknown, rows: readonly unknown[]): Promise<boolean> => {
    if (!other || !data) return true;
    const found = (parseExactJson((await other.ask()).body) as Body).data as Body[];
    if (other.tells === 'count') return Number(Object.values(found[0] ?? {})[0]) === rows.length;
    const sorted = (all: readonly unknown[], name: string) =>
      all
        .map((row) => keyOf((row as Body)[name]))
        .sort()
        .join();
    return (
      found.length === rows.length &&
      other.columns.every((column) => sorted(rows, column.own) === sorted(found, column.other))
    );
  };
  const fitsSchema = ({ method, url }: Request, text: string): boolean => {
    const path = (url.split('?')[0] as string).replaceAll('~', '~0').replaceAll('/', '~1');
    const at = `api#/paths/${path}/${method.toLowerCase()}/responses/200/content/application~1json/schema`;
    return schemas.validate({ $ref: at }, JSON.parse(text)) === true;
  };
  const fitsTable = ({ payload = '{}' }: Request, { column }: Body, values: readonly unknown[]): boolean => {
    const { data_source, distinct, limit = -1, offset = 0 } = JSON.parse(payload) as Record<string, unknown>;
    const table = tables.get(String(data_source).replaceAll('$', ''));
    if (!table || distinct === true || limit !== -1 || offset !== 0) return true;
    const shown = table.preview as Record<string, unknown>[];
    return (
      (table.row_count === null || table.row_count === values.length) &&
      shown.every((row, i) => !((column as string) in row) || row[column as string] === values[i])
    );
  };

  return {
    async read(request, ask) {
      made++;
      const first = await ask();
      if (first.statusCode !== 200) return first;
      const fine = await fits(request, first.body);
      if (fine && !(twice && isList(first.body))) return first;
      const second = await ask();
      // Two that differ: one of them was wrong, and a third shows which.
      const last = second.body === first.body ? second : await ask();
      if (!(await fits(request, last.body))) doubts.push(`${request.url} contradicts what else is known`);
      return last;
    },
    doubts: () => (doubts.length === 0 ? null : doubts.join('; ')),
  };
}

type Body = Record<string, unknown>;

type Op = Extract<QuestionFact, { kind: 'bound' }>['op'];
const COMPARE: Readonly<Record<Op, (value: number, bound: number) => boolean>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: large integers come as bigints.
  '=': (value, bound) => value == bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

function keyOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

function isList(text: string): boolean {
  const body = parseExactJson(text) as Body;
  return Array.isArray(body.data) || Array.isArray(body.values);
}
