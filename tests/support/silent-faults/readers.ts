import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import type { InjectableApp, InjectedAnswer } from '../../../generator/verify/play/play-calls.ts';

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

/**
 * Holds every answer against what an agent has anyway: its own `row_count`, the endpoint's specification, the table
 * that a column was read from. What does not fit is asked for again. With `twice`, so is every other list of rows.
 */
export function checkingReader(specification: object, { twice }: { readonly twice: boolean }): Reader {
  const tables = new Map<string, Body>();
  const schemas = new Ajv2020({ strict: false, validateSchema: false, logger: false }).addSchema(
    specification,
    'api',
  );
  const doubts: string[] = [];

  const fits = (request: Request, text: string): boolean => {
    const body = parseExactJson(text) as Body;
    if (body.kind === 'table') tables.set(body.handle as string, body);
    const rows = body.data ?? body.values;
    if (!Array.isArray(rows)) return true;
    if (body.truncated !== true && rows.length !== body.row_count) return false;
    return body.data ? fitsSchema(request, text) : fitsTable(request, body, rows);
  };
  const fitsSchema = ({ url }: Request, text: string): boolean => {
    const path = (url.split('?')[0] as string).replaceAll('~', '~0').replaceAll('/', '~1');
    const at = `api#/paths/${path}/get/responses/200/content/application~1json/schema`;
    return schemas.validate({ $ref: at }, JSON.parse(text)) === true;
  };
  const fitsTable = ({ payload = {} }: Request, { column }: Body, values: readonly unknown[]): boolean => {
    const { data_source, distinct, limit = -1, offset = 0 } = payload as Record<string, unknown>;
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
      const first = await ask();
      if (first.statusCode !== 200) return first;
      const fine = fits(request, first.body);
      if (fine && !(twice && isList(first.body))) return first;
      const second = await ask();
      // Two that differ: one of them was wrong, and a third tells which.
      const last = second.body === first.body ? second : await ask();
      if (!fits(request, last.body)) doubts.push(`${request.url} contradicts what else is known`);
      return last;
    },
    doubts: () => (doubts.length === 0 ? null : doubts.join('; ')),
  };
}

type Body = Record<string, unknown>;

function isList(text: string): boolean {
  const body = parseExactJson(text) as Body;
  return Array.isArray(body.data) || Array.isArray(body.values);
}
