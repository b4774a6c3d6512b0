import type { Rejection } from './farm.ts';

/**
 * The catalogue of all error codes.
 * - `query`: a question that cannot be kept; a value, recorded in coverage.json.
 * - `user`: bad input to a command; one line, exit code 2.
 * - `http`: a problem+json response with the given status.
 */
export const ERRORS = {
  // query
  SQL_NOT_EXECUTABLE: { kind: 'query', title: 'SQLite does not run the gold SQL' },
  TOO_SLOW: { kind: 'query', title: 'The gold SQL, or a call, took more processor time than the limit' },
  SQL_TOO_LARGE: { kind: 'query', title: 'The gold SQL returns more rows or bytes than an answer may hold' },
  SQL_NOT_PARSED: { kind: 'query', title: 'The parser does not understand the gold SQL' },
  SQL_NOT_BOUND: { kind: 'query', title: 'A name in the gold SQL could not be bound to the catalog' },
  SQL_UNSUPPORTED: { kind: 'query', title: 'The gold SQL uses a construct that rookery does not read' },
  UNSUPPORTED_CONSTRUCT: {
    kind: 'query',
    title: 'The formulation cannot express a construct of the gold SQL',
  },
  NEEDS_SCALAR_APIS: {
    kind: 'query',
    title: 'The gold SQL calls scalar APIs, which only the formulation hybrid offers',
  },
  NOT_AUGMENTABLE: { kind: 'query', title: 'The question has a form that no API can be added to' },
  COLUMN_UNFIT: { kind: 'query', title: 'The values of no column are what an API asks for' },
  COLUMN_UNCLEAR: { kind: 'query', title: 'A column cannot be told in words, or not from another' },
  NOTHING_FOUND: { kind: 'query', title: 'The augmented query finds nothing' },
  API_NOT_NEEDED: { kind: 'query', title: 'The answer is the same without one of the APIs' },
  NONDETERMINISTIC: { kind: 'query', title: 'The gold SQL does not have one answer' },
  WRONG_ROWS: { kind: 'query', title: 'The calls do not give the rows of the gold SQL' },
  WRONG_ROWS_ON_NEIGHBOUR: {
    kind: 'query',
    title: 'The calls differ from the gold SQL on a neighbour database',
  },
  WRONG_ROWS_FOR_OTHER_VALUES: {
    kind: 'query',
    title: 'The call differs from the gold SQL for other parameter values',
  },
  WORLD_ANSWER_OPEN: {
    kind: 'query',
    title: 'In this world the gold SQL leaves open which rows it returns',
  },
  WRONG_ROWS_IN_WORLD: { kind: 'query', title: 'The calls differ from the gold SQL in this world' },
  NOTHING_CHANGED: { kind: 'query', title: 'The gold SQL changes nothing' },
  CHANGES_TOO_MANY: { kind: 'query', title: 'The gold SQL changes more rows than a task may ask for' },
  RECORD_WITHOUT_KEY: { kind: 'query', title: 'A changed row has no key by which a call could name it' },
  WRONG_CHANGES: { kind: 'query', title: 'No calls change exactly what the gold SQL changes' },
  WRONG_CHANGES_ON_NEIGHBOUR: {
    kind: 'query',
    title: 'On a neighbour database no calls change exactly what the gold SQL changes',
  },
  REFERENCE_NOT_UNIQUE: {
    kind: 'query',
    title: 'A subquery that stands for one row of the gold SQL finds none or several',
  },
  CHANGES_LEFT_OPEN: { kind: 'query', title: 'The gold SQL leaves open which rows it changes' },
  IDLE_CLAUSE: { kind: 'query', title: 'The gold SQL changes the same without one of its conditions' },
  NOT_REFUSED: { kind: 'query', title: 'The gold SQL changes rows, but the task is one to be refused' },
  ANSWER_UNCHANGED: { kind: 'query', title: 'The answer is the same without the changes' },
  NOT_REVERSIBLE: { kind: 'query', title: 'The inverse of the changes does not restore the start' },
  CALL_FAILED: { kind: 'query', title: 'A gold call was answered with an error' },
  NOT_UNANSWERABLE: { kind: 'query', title: 'A question without one answer has one, by its own SQL' },
  GENERATOR_BUG: { kind: 'query', title: 'A bug in rookery itself; please report it' },

  // user
  SPLIT_NOT_FOUND: { kind: 'user', title: 'There is no split at this place' },
  SPLIT_FORMAT_UNKNOWN: { kind: 'user', title: 'The layout of the split was not recognised' },
  SPLIT_INVALID: {
    kind: 'user',
    title: 'A file of the split does not have the form that its layout requires',
  },
  SPLIT_LINK_REFUSED: { kind: 'user', title: 'A link points outside the folder of the split' },
  DATABASE_NOT_FOUND: { kind: 'user', title: 'A database is missing' },
  DATABASE_CORRUPT: { kind: 'user', title: 'A database cannot be read' },
  FARM_NOT_FOUND: { kind: 'user', title: 'There is no farm at this place' },
  FARM_INVALID: { kind: 'user', title: 'A file of the farm is not valid' },
  FARM_CHANGED: { kind: 'user', title: 'The farm is not the one that the process was set up for' },
  GENERATION_TOO_SLOW: {
    kind: 'user',
    title: 'A step that must end the same way on every machine did not end in time',
  },
  OUTPUT_NOT_A_FARM: { kind: 'user', title: 'The output folder holds something that is not a farm' },
  OUTPUT_FAILED: { kind: 'user', title: 'The output could not be written' },
  FETCH_FAILED: { kind: 'user', title: 'A split could not be downloaded' },
  ARCHIVE_INVALID: { kind: 'user', title: 'An archive is damaged, or unpacking it would not be safe' },
  PREDICTIONS_NOT_FOUND: { kind: 'user', title: 'There is no prediction file at this place' },
  PREDICTIONS_INVALID: { kind: 'user', title: 'A line of a prediction file is not valid' },
  PREDICTIONS_FOR_OTHER_FARM: { kind: 'user', title: 'The predictions were made for another farm' },
  REPORT_INVALID: { kind: 'user', title: 'A file is not a score report' },
  IMPORT_INVALID: { kind: 'user', title: 'A result file is not in the format it should have' },
  MODEL_UNKNOWN: { kind: 'user', title: 'There is no such model, or no way to reach it' },
  MODEL_UNREACHABLE: { kind: 'user', title: 'Nothing answers at the address of the model' },
  MODEL_REFUSED: {
    kind: 'user',
    title: 'The provider refuses every request: check key, model name and quota',
  },
  PROMPTS_INVALID: { kind: 'user', title: 'A prompt pack or a file of examples is not valid' },
  EXPERIMENT_INVALID: { kind: 'user', title: 'An experiment file is not valid' },
  CONSOLE_NOT_BUILT: { kind: 'user', title: 'The console has not been built' },
  RUN_INVALID: { kind: 'user', title: 'A folder holds no run, or another run' },
  BFCL_FILE_INVALID: { kind: 'user', title: 'A file is not in the format of BFCL' },
  PACKAGE_MISSING: { kind: 'user', title: 'An optional package that this needs is not installed' },
  CORRECTIONS_INVALID: { kind: 'user', title: 'A file of corrections is not valid, or not for this split' },
  NOTHING_TO_ASK: { kind: 'user', title: 'A database holds nothing that questions could be asked about' },
  STATEMENT_FAILED: { kind: 'user', title: 'A statement cannot be read or carried out' },
  OPTION_INVALID: { kind: 'user', title: 'An option has a value that cannot be used' },
  INTERRUPTED: { kind: 'user', title: 'Stopped before the end; nothing was changed' },

  // http
  UNKNOWN_ROUTE: { kind: 'http', status: 404, title: 'Not found' },
  UNKNOWN_DOMAIN: { kind: 'http', status: 404, title: 'Unknown domain' },
  UNKNOWN_TOOL: { kind: 'http', status: 404, title: 'Unknown tool' },
  UNKNOWN_HANDLE: { kind: 'http', status: 404, title: 'Unknown or expired handle' },
  UNKNOWN_ENDPOINT: { kind: 'http', status: 404, title: 'Unknown endpoint' },
  UNKNOWN_TASK: { kind: 'http', status: 404, title: 'Unknown task' },
  UNKNOWN_LIST: { kind: 'http', status: 404, title: 'Unknown tool list' },
  UNKNOWN_RUN: { kind: 'http', status: 404, title: 'Unknown run' },
  UNKNOWN_PLACE: { kind: 'http', status: 404, title: 'Unknown place' },
  UNKNOWN_TABLE: { kind: 'http', status: 404, title: 'Unknown table' },
  UNKNOWN_RECORD: { kind: 'http', status: 404, title: 'Unknown record' },
  WRITES_NEED_RUN: { kind: 'http', status: 403, title: 'Only a run that may write changes records' },
  POLICY: { kind: 'http', status: 403, title: 'Against a rule of the domain' },
  CONSTRAINT_CONFLICT: { kind: 'http', status: 409, title: 'In conflict with another record' },
  CONCURRENT_CHANGE: { kind: 'http', status: 409, title: 'Another client changes the record' },
  RECORD_CHANGED: { kind: 'http', status: 412, title: 'The record is not the one that was expected' },
  TOO_MANY_CHANGES: { kind: 'http', status: 413, title: 'The run has changed too many rows' },
  CONSTRAINT_VIOLATED: { kind: 'http', status: 422, title: 'The values break a rule of the table' },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'http',
    status: 422,
    title: 'The idempotency key belongs to another request',
  },
  RUN_OVER: { kind: 'http', status: 409, title: 'The run is over' },
  DIALOGUE_OVER: { kind: 'http', status: 409, title: 'The user of the dialogue has no further turn' },
  NO_USER: { kind: 'http', status: 409, title: 'The run is at no dialogue, so it has no user' },
  RUN_NOT_OVER: { kind: 'http', status: 409, title: 'The run is not over' },
  RUNS_OFF: { kind: 'http', status: 409, title: 'This server records no runs' },
  SCORING_OFF: { kind: 'http', status: 409, title: 'This server does not score' },
  HARNESS_ONLY: { kind: 'http', status: 403, title: 'Needs the harness key' },
  FOREIGN_ORIGIN: { kind: 'http', status: 403, title: 'Web pages of other sites may not do this' },
  METHOD_NOT_ALLOWED: { kind: 'http', status: 405, title: 'Method not allowed' },
  INVALID_PARAMETERS: { kind: 'http', status: 400, title: 'Invalid parameters' },
  REQUEST_TOO_LARGE: { kind: 'http', status: 413, title: 'Request too large' },
  URI_TOO_LONG: { kind: 'http', status: 414, title: 'Address too long' },
  HEADERS_TOO_LARGE: { kind: 'http', status: 431, title: 'Header fields too large' },
  NOT_ACCEPTABLE: { kind: 'http', status: 406, title: 'Not to be had in that media type' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'http', status: 415, title: 'Unsupported media type' },
  BAD_REQUEST: { kind: 'http', status: 400, title: 'Bad request' },
  UNBOUND_API_INPUT: {
    kind: 'http',
    status: 422,
    title: 'Nothing says for which values an API is to be called',
  },
  API_FAILED: { kind: 'http', status: 502, title: 'An API that a statement needs did not answer' },
  PLAN_TOO_LARGE: { kind: 'http', status: 422, title: 'The plan takes too many calls or rows' },
  QUERY_FAILED: { kind: 'http', status: 422, title: 'The query cannot be computed for these values' },
  QUERY_TOO_COMPLEX: { kind: 'http', status: 422, title: 'The query is too complex' },
  ANSWER_TOO_LARGE: { kind: 'http', status: 422, title: 'The answer is too large' },
  CALLER_GONE: { kind: 'http', status: 499, title: 'The caller hung up before the answer' },
  STORAGE_FULL: { kind: 'http', status: 507, title: 'There is no room to record this' },
  REPLICA_SILENT: { kind: 'http', status: 503, title: 'A replica that may know the handle does not answer' },
  NOT_READY: { kind: 'http', status: 503, title: 'Not ready' },
  QUERY_TIMEOUT: { kind: 'http', status: 504, title: 'The query ran longer than the limit' },
  OVERLOADED: { kind: 'http', status: 503, title: 'Too many slow queries at once' },
  UNAUTHORIZED: { kind: 'http', status: 401, title: 'An API key is required' },
  RATE_LIMITED: { kind: 'http', status: 429, title: 'Too many requests' },
  DOMAIN_UNAVAILABLE: { kind: 'http', status: 503, title: 'The service of this domain is not available' },
  AGENTS_UNAVAILABLE: {
    kind: 'http',
    status: 503,
    title: 'Tasks, tool lists, MCP and runs are not available',
  },
  BAD_GATEWAY: { kind: 'http', status: 502, title: 'The service behind this address broke off its answer' },
  GATEWAY_TIMEOUT: {
    kind: 'http',
    status: 504,
    title: 'The service behind this address did not answer in time',
  },
  INTERNAL: { kind: 'http', status: 500, title: 'Internal error' },
} as const satisfies Record<
  string,
  | { kind: 'query'; title: string }
  | { kind: 'user'; title: string }
  | { kind: 'http'; status: number; title: string }
>;

type Catalogue = typeof ERRORS;
type CodesOf<K extends string> = {
  [C in keyof Catalogue]: Catalogue[C]['kind'] extends K ? C : never;
}[keyof Catalogue];

export type QueryErrorCode = CodesOf<'query'>;
export type UserErrorCode = CodesOf<'user'>;
export type HttpErrorCode = CodesOf<'http'>;

/** Bad input to a command, printed as `<file>: <CODE> <message>`, exit code 2. */
export class UserError extends Error {
  readonly code: UserErrorCode;
  readonly file: string;

  constructor(code: UserErrorCode, file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
    this.code = code;
    this.file = file;
  }
}

/** An invalid command-line option. */
export class OptionError extends UserError {
  constructor(option: string, message: string, options?: ErrorOptions) {
    super('OPTION_INVALID', option, message, options);
  }
}

/** Thrown inside a stage that processes one query; caught at the stage's edge and turned into a value. */
export class QueryError extends Error {
  readonly code: QueryErrorCode;
  /** The SQL fragment that caused it, or null. */
  readonly clause: string | null;

  constructor(code: QueryErrorCode, reason: string, clause: string | null = null) {
    super(reason);
    this.name = 'QueryError';
    this.code = code;
    this.clause = clause;
  }

  toRejection(): Rejection {
    return { code: this.code, reason: this.message, clause: this.clause };
  }
}
