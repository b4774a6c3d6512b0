import type { Rejection } from './farm.ts';
import type { Question } from './split.ts';

/** The catalogue of all error codes: their titles, and the statuses of those that are sent as problem+json. */
export const ERRORS = {
  /** A question that cannot be kept; a value, recorded in coverage.json. */
  query: {
    SQL_NOT_EXECUTABLE: 'SQLite does not run the gold SQL',
    TOO_SLOW: 'The gold SQL, or a call, took more processor time than the limit',
    SQL_TOO_LARGE: 'The gold SQL returns more rows or bytes than an answer may hold',
    SQL_NOT_PARSED: 'The parser does not understand the gold SQL',
    SQL_NOT_BOUND: 'A name in the gold SQL could not be bound to the catalog',
    SQL_UNSUPPORTED: 'The gold SQL uses a construct that rookery does not read',
    UNSUPPORTED_CONSTRUCT: 'The formulation cannot express a construct of the gold SQL',
    NEEDS_SCALAR_APIS: 'The gold SQL calls scalar APIs, which only the formulation hybrid offers',
    NOT_AUGMENTABLE: 'The question has a form that no API can be added to',
    COLUMN_UNFIT: 'The values of no column are what an API asks for',
    COLUMN_UNCLEAR: 'A column cannot be put into words, or reads like another one',
    NOTHING_FOUND: 'The augmented query finds nothing',
    API_NOT_NEEDED: 'The answer is the same without one of the APIs',
    NONDETERMINISTIC: 'The gold SQL does not have one answer',
    WRONG_ROWS: 'The calls do not give the rows of the gold SQL',
    WRONG_ROWS_ON_NEIGHBOUR: 'The calls differ from the gold SQL on a neighbour database',
    WRONG_ROWS_FOR_OTHER_VALUES: 'The call differs from the gold SQL for other parameter values',
    WORLD_ANSWER_OPEN: 'In this world the gold SQL leaves open which rows it returns',
    WRONG_ROWS_IN_WORLD: 'The calls differ from the gold SQL in this world',
    NOTHING_CHANGED: 'The gold SQL changes nothing',
    CHANGES_TOO_MANY: 'The gold SQL changes more rows than a task may ask for',
    RECORD_WITHOUT_KEY: 'A changed row has no key by which a call could name it',
    WRONG_CHANGES: 'No calls change exactly what the gold SQL changes',
    WRONG_CHANGES_ON_NEIGHBOUR: 'On a neighbour database no calls change exactly what the gold SQL changes',
    REFERENCE_NOT_UNIQUE: 'A subquery that stands for one row of the gold SQL finds none or several',
    CHANGES_LEFT_OPEN: 'The gold SQL leaves open which rows it changes',
    IDLE_CLAUSE: 'The gold SQL changes the same without one of its conditions',
    NOT_REFUSED: 'The gold SQL changes rows, but the task is one to be refused',
    ANSWER_UNCHANGED: 'The answer is the same without the changes',
    NOT_REVERSIBLE: 'The inverse of the changes does not restore the start',
    CALL_FAILED: 'A gold call was answered with an error',
    NOT_UNANSWERABLE: 'A question without one answer has one, by its own SQL',
    GENERATOR_BUG: 'A bug in rookery itself; please report it',
  },
  /** Bad input to a command; one line, exit code 2. */
  user: {
    SPLIT_NOT_FOUND: 'There is no split at this place',
    SPLIT_FORMAT_UNKNOWN: 'The layout of the split was not recognised',
    SPLIT_INVALID: 'A file of the split does not have the form that its layout requires',
    SPLIT_LINK_REFUSED: 'A link points outside the folder of the split',
    DATABASE_NOT_FOUND: 'A database is missing',
    DATABASE_CORRUPT: 'A database cannot be read',
    FARM_NOT_FOUND: 'There is no farm at this place',
    FARM_INVALID: 'A file of the farm is not valid',
    FARM_CHANGED: 'The farm is not the one that the process was set up for',
    GENERATION_TOO_SLOW: 'A step that must end the same way on every machine did not end in time',
    OUTPUT_NOT_A_FARM: 'The output folder holds something that is not a farm',
    OUTPUT_FAILED: 'The output could not be written',
    FETCH_FAILED: 'A split could not be downloaded',
    ARCHIVE_INVALID: 'An archive is damaged, or unpacking it would not be safe',
    PREDICTIONS_NOT_FOUND: 'There is no prediction file at this place',
    PREDICTIONS_INVALID: 'A line of a prediction file is not valid',
    PREDICTIONS_FOR_OTHER_FARM: 'The predictions were made for another farm',
    REPORT_INVALID: 'A file is not a score report',
    IMPORT_INVALID: 'A result file is not in the format it should have',
    MODEL_UNKNOWN: 'There is no such model, or no way to reach it',
    MODEL_UNREACHABLE: 'Nothing answers at the address of the model',
    MODEL_REFUSED: 'The provider refuses every request: check key, model name and quota',
    PROMPTS_INVALID: 'A prompt pack or a file of examples is not valid',
    EXPERIMENT_INVALID: 'An experiment file is not valid',
    CONSOLE_NOT_BUILT: 'The console has not been built',
    RUN_INVALID: 'A folder holds no run, or another run',
    BFCL_FILE_INVALID: 'A file is not in the format of BFCL',
    PACKAGE_MISSING: 'An optional package that this needs is not installed',
    CORRECTIONS_INVALID: 'A file of corrections is not valid, or not for this split',
    NOTHING_TO_ASK: 'A database holds nothing that questions could be asked about',
    STATEMENT_FAILED: 'A statement cannot be read or carried out',
    OPTION_INVALID: 'An option has a value that cannot be used',
    INTERRUPTED: 'Stopped before the end; nothing was changed',
  },
  /** A response other than 2xx. */
  http: {
    UNKNOWN_ROUTE: [404, 'Not found'],
    UNKNOWN_DOMAIN: [404, 'Unknown domain'],
    UNKNOWN_TOOL: [404, 'Unknown tool'],
    UNKNOWN_HANDLE: [404, 'Unknown or expired handle'],
    UNKNOWN_ENDPOINT: [404, 'Unknown endpoint'],
    UNKNOWN_TASK: [404, 'Unknown task'],
    UNKNOWN_LIST: [404, 'Unknown tool list'],
    UNKNOWN_RUN: [404, 'Unknown run'],
    UNKNOWN_PLACE: [404, 'Unknown place'],
    UNKNOWN_TABLE: [404, 'Unknown table'],
    UNKNOWN_RECORD: [404, 'Unknown record'],
    WRITES_NEED_RUN: [403, 'Only a run that may write changes records'],
    POLICY: [403, 'Against a rule of the domain'],
    CONSTRAINT_CONFLICT: [409, 'In conflict with another record'],
    CONCURRENT_CHANGE: [409, 'Another client changes the record'],
    RECORD_CHANGED: [412, 'The record is not the one that was expected'],
    TOO_MANY_CHANGES: [413, 'The run has changed too many rows'],
    CONSTRAINT_VIOLATED: [422, 'The values break a rule of the table'],
    IDEMPOTENCY_KEY_REUSED: [422, 'The idempotency key belongs to another request'],
    RUN_OVER: [409, 'The run is over'],
    DIALOGUE_OVER: [409, 'The user of the dialogue has no further turn'],
    NO_USER: [409, 'The run is at no dialogue, so it has no user'],
    RUN_NOT_OVER: [409, 'The run is not over'],
    RUNS_OFF: [409, 'This server records no runs'],
    SCORING_OFF: [409, 'This server does not score'],
    HARNESS_ONLY: [403, 'Needs the harness key'],
    FOREIGN_ORIGIN: [403, 'Web pages of other sites may not do this'],
    METHOD_NOT_ALLOWED: [405, 'Method not allowed'],
    INVALID_PARAMETERS: [400, 'Invalid parameters'],
    REQUEST_TOO_LARGE: [413, 'Request too large'],
    URI_TOO_LONG: [414, 'Address too long'],
    HEADERS_TOO_LARGE: [431, 'Header fields too large'],
    NOT_ACCEPTABLE: [406, 'Not to be had in that media type'],
    UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported media type'],
    BAD_REQUEST: [400, 'Bad request'],
    UNBOUND_API_INPUT: [422, 'Nothing says for which values an API is to be called'],
    API_FAILED: [502, 'An API that a statement needs did not answer'],
    PLAN_TOO_LARGE: [422, 'The plan takes too many calls or rows'],
    QUERY_FAILED: [422, 'The query cannot be computed for these values'],
    QUERY_TOO_COMPLEX: [422, 'The query is too complex'],
    ANSWER_TOO_LARGE: [422, 'The answer is too large'],
    CALLER_GONE: [499, 'The caller hung up before the answer'],
    STORAGE_FULL: [507, 'There is no room to record this'],
    REPLICA_SILENT: [503, 'A replica that may know the handle does not answer'],
    NOT_READY: [503, 'Not ready'],
    QUERY_TIMEOUT: [504, 'The query ran longer than the limit'],
    OVERLOADED: [503, 'Too many slow queries at once'],
    UNAUTHORIZED: [401, 'An API key is required'],
    RATE_LIMITED: [429, 'Too many requests'],
    DOMAIN_UNAVAILABLE: [503, 'The service of this domain is not available'],
    AGENTS_UNAVAILABLE: [503, 'Tasks, tool lists, MCP and runs are not available'],
    BAD_GATEWAY: [502, 'The service behind this address broke off its answer'],
    GATEWAY_TIMEOUT: [504, 'The service behind this address did not answer in time'],
    INTERNAL: [500, 'Internal error'],
  },
} as const;

export type QueryErrorCode = keyof typeof ERRORS.query;
export type UserErrorCode = keyof typeof ERRORS.user;
export type HttpErrorCode = keyof typeof ERRORS.http;

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

/** The result of the work, or null if it throws a QueryError. */
export function unlessQueryError<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** Called for each bug that rejects a question. */
export type OnBug = (question: Question, error: unknown) => void;

/** Runs `step`. An error other than a QueryError is a bug: with `onBug` it rejects the question, else it is thrown. */
export function isolateBugs<T>(question: Question, onBug: OnBug | undefined, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof QueryError || !onBug) throw error;
    onBug(question, error);
    throw new QueryError('GENERATOR_BUG', error instanceof Error ? error.message : String(error));
  }
}
