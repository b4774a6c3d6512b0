import { z } from 'zod';
import { type CatalogColumn, type CatalogTable, cell, type Row } from './catalog.ts';
import { parameterText } from './exact-json.ts';
import {
  type CalledService,
  type CallFailure,
  type CallRequest,
  type FormulationContract,
  type ReplayContext,
  type Replayed,
  rowCount,
  type SentCall,
} from './formulation.ts';
import { domainPath } from './paths.ts';
import type { Call } from './sample.ts';

const rowValues = z.record(z.string(), cell);

/** One row that differs between two states of a domain. */
export const recordChange = z.object({
  table: z.string(),
  /** The key's values by column; `{"rowid": 5}` in a table without a key. */
  key: rowValues,
  /** null: the row did not exist. */
  before: rowValues.nullable(),
  /** null: the row exists no more. */
  after: rowValues.nullable(),
  /**
   * In a gold diff: the server made the key, so that another value is as good. The columns that refer to it, whose
   * values in other changes are then the same other value.
   */
  generated: z.array(z.object({ table: z.string(), column: z.string() })).optional(),
  /** In a gold diff: the columns that the task leaves open, where any value is as good. */
  open: z.array(z.string()).optional(),
});
export type RecordChange = z.infer<typeof recordChange>;

/**
 * The columns that tell a table's rows apart: its primary key, or else the first column that held another value in
 * each row when the farm was made. null if there are none, as in a view.
 */
export function keyOf({ view, columns }: CatalogTable): readonly CatalogColumn[] | null {
  if (view) return null;
  const declared = columns
    .filter(({ primary_key }) => primary_key > 0)
    .sort((a, b) => a.primary_key - b.primary_key);
  if (declared.length > 0) return declared;
  const unique = columns.find(({ statistics: { rows, nulls, distinct, storage } }) => {
    const isPlain = storage.integer === rows || storage.text === rows;
    return rows > 1 && nulls === 0 && distinct === rows && isPlain;
  });
  return unique ? [unique] : null;
}

/** Their names; none for a table without a key, and for an unknown one. */
export function keyNames(table: CatalogTable | undefined): readonly string[] {
  return (table && keyOf(table))?.map(({ name }) => name) ?? [];
}

/** The net changes of a run or of a gold SQL, by table and key: a row that is as it was before is not among them. */
export const recordDiff = z.array(recordChange);

/** What a task asks for, where the generator drew it. */
export const WRITE_KINDS = [
  'create',
  'change',
  'move',
  'delete',
  'arithmetic',
  'conditional',
  'transfer',
  'several',
  'correct',
  'set',
  'mixed',
] as const;
export type WriteKind = (typeof WRITE_KINDS)[number];

/** What a question that changes records may say beside its SQL. */
export const writeFacts = z.object({
  kind: z.enum(WRITE_KINDS).optional(),
  /** The same for two tasks that differ in one fact, so that one may be done and the other must not. */
  pair: z.string().optional(),
  /** The right thing is to change nothing: a constraint refuses it, or its condition does not hold. */
  refuse: z.boolean().optional(),
  /** Whether the service refuses what breaks a policy of the domain, or only the verdict does. */
  policies: z.enum(['enforced', 'recorded']).optional(),
  /** Columns whose values in the rows that it creates or changes are left open, each as `table.column`. */
  open: z.array(z.string()).optional(),
});
export type WriteFacts = z.infer<typeof writeFacts>;

export type PolicyMode = NonNullable<WriteFacts['policies']>;

/** What can be done with the records of a table: a tool each. */
export const RECORD_VERBS = ['list', 'create', 'get', 'update', 'delete'] as const;
export type RecordVerb = (typeof RECORD_VERBS)[number];

/** Longer names of tables are cut, so that no tool's name has more than 64 characters. */
export const LONGEST_RESOURCE = 57;

/** The argument of tools that names one record; the values of a key of several columns are separated by commas. */
export const RECORD_KEY = 'key';

/** Suffixes of the parameters of `list`: `price.gte=5` in an address, `price__gte` as an argument of a tool. */
export const RECORD_OPERATORS = ['ne', 'gt', 'gte', 'lt', 'lte', 'like', 'in', 'null'] as const;

/** Changed rows that a run may have at most. */
export const MOST_CHANGES = 1000;

/** The verb and the table's name in the API; null for a name that no such tool has. */
export function readRecordTool(
  name: string,
): { readonly verb: RecordVerb; readonly resource: string } | null {
  const [, verb, resource] = /^(list|get|create|update|delete)_(.+)$/s.exec(name) ?? [];
  return verb === undefined || resource === undefined ? null : { verb: verb as RecordVerb, resource };
}

/** Characters of an `Idempotency-Key`. */
export const LONGEST_IDEMPOTENCY_KEY = 255;

/** The first words of actions: what they do to the records that their conditions hold for. */
export const ACTION_VERBS = ['set', 'clear', 'raise', 'lower', 'change', 'update', 'delete'] as const;

/** Whether a tool of that name changes records. */
export function isWriteTool(name: string): boolean {
  const [verb = ''] = name.split('_');
  return verb === 'create' || ACTION_VERBS.some((each) => each === verb);
}

/** The text of a record's key in an address and as an argument: commas within a value are percent-encoded. */
export function recordKeyText(values: readonly unknown[]): string {
  if (values.length === 1) return parameterText(values[0]);
  return values
    .map((value) => parameterText(value).replace(/[%,]/g, (character) => encodeURIComponent(character)))
    .join(',');
}

/** The values in the text of a key with that many columns; null if it has another number of them. */
export function readRecordKey(text: string, columns: number): readonly string[] | null {
  if (columns === 1) return [text];
  const parts = text.split(',');
  if (parts.length !== columns) return null;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

const METHODS = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  update: 'PATCH',
  delete: 'DELETE',
} as const satisfies Record<RecordVerb, CallRequest['method']>;

function routeOf(service: CalledService, tool: string) {
  const { verb, resource } = readRecordTool(tool) ?? { verb: 'list' as const, resource: tool };
  const path = `${domainPath(service.split, service.db)}/records/${encodeURIComponent(resource)}`;
  const hasKey = verb !== 'list' && verb !== 'create';
  return { method: METHODS[verb], path: hasKey ? `${path}/{${RECORD_KEY}}` : path };
}

function requestOf(service: CalledService, { name, arguments: given }: SentCall): CallRequest {
  const { method, path } = routeOf(service, name);
  const { [RECORD_KEY]: key, ...rest } = Object.fromEntries(Object.entries(given ?? {}));
  const filled = path.replace(`{${RECORD_KEY}}`, () => encodeURIComponent(parameterText(key ?? '')));
  if (method === 'DELETE') return { method, path: filled, query: [] };
  if (method !== 'GET') return { method, path: filled, query: [], body: rest };
  const query = Object.entries(rest).flatMap(([field, value]) =>
    [value].flat().map((each) => [field.replace(OPERATOR, '.$1'), each] as const),
  );
  return { method, path: filled, query };
}

const OPERATOR = new RegExp(`__(${RECORD_OPERATORS.join('|')})$`);

/** The records of a domain's tables, which a run may change. */
export const records: FormulationContract = {
  name: 'records',
  title: 'Records',
  summary: 'The records of each table: list, get, create, update, delete',
  calls: 'single',
  everyQuestion: false,
  routeOf,
  requestOf,
  replay: (service, calls, context) => replayChanges(calls, context, (call) => requestOf(service, call)),
  factsOf: (body) => ({ rows: body.startsWith('{"data":[') ? rowCount(body, 'last') : null, handle: null }),
};

async function replayChanges(
  calls: readonly Call[],
  { send }: ReplayContext,
  requestFor: (call: Call) => CallRequest,
): Promise<Replayed> {
  let last: unknown = null;
  const refusals: (string | null)[] = [];
  for (const call of calls) {
    const answer: { readonly body: unknown } | CallFailure = await send(requestFor(call), call);
    refusals.push('failure' in answer ? answer.failure : null);
    if ('body' in answer) last = answer.body;
  }
  const failure = refusals.find((refusal) => refusal !== null) ?? null;
  const rows = rowsOf(last);
  return {
    rows,
    body: last,
    failure: rows === null ? (failure ?? 'No call was made.') : null,
    truncated: false,
    handles: [],
    refusals,
  };
}

const recordPage = z.object({ data: z.array(rowValues) });

/** The rows of a page, or the one row of a record; null for anything else. */
function rowsOf(body: unknown): Row[] | null {
  const page = recordPage.safeParse(body);
  if (page.success) return page.data.data.map((row) => Object.values(row));
  const one = rowValues.safeParse(body);
  return one.success ? [Object.values(one.data)] : null;
}

/** Operations on all records that meet the conditions of a task's SQL; records are read as in `records`. */
export const actions: FormulationContract = {
  name: 'actions',
  title: 'Actions',
  summary: 'One operation for each kind of change, and the records of each table to look at',
  calls: 'single',
  everyQuestion: false,
  routeOf(service, tool) {
    if (!isWriteTool(tool)) return routeOf(service, tool);
    const path = `${domainPath(service.split, service.db)}/actions/${encodeURIComponent(tool)}`;
    return { method: 'POST', path };
  },
  requestOf(service, call) {
    if (!isWriteTool(call.name)) return requestOf(service, call);
    return { ...actions.routeOf(service, call.name), query: [], body: call.arguments ?? {} };
  },
  replay: (service, calls, context) =>
    replayChanges(calls, context, (call) => actions.requestOf(service, call)),
  factsOf: records.factsOf,
};

/** Whether SQL changes rows: the first word of one of its statements says so. Strings and comments do not count. */
export function changesRecords(sql: string): boolean {
  const bare = sql.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g,
    ' ',
  );
  return bare
    .split(';')
    .some((statement) =>
      /^\s*(?:insert|update|delete|replace)\b|^\s*with\b[\s\S]*?\)\s*(?:insert|update|delete|replace)\s+(?!\()/i.test(
        statement,
      ),
    );
}
