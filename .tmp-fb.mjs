var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};

// contracts/package-root.ts
import { readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
function findRoot(folder) {
  if (readManifest(folder)?.name === "rookery") return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("the package.json of rookery was not found");
  return findRoot(parent);
}
function readManifest(folder) {
  try {
    const { name: name3, version } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8")
    );
    return typeof name3 === "string" && typeof version === "string" ? { name: name3, version } : null;
  } catch {
    return null;
  }
}
var packageRoot, packageVersion, ROOKERY;
var init_package_root = __esm({
  "contracts/package-root.ts"() {
    "use strict";
    packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));
    packageVersion = readManifest(packageRoot)?.version ?? "0.0.0";
    ROOKERY = packageRoot.includes(`${sep}node_modules${sep}`) ? "npx rookery" : "npm run rookery --";
  }
});

// ../../scratch/unseen3/fastb.mts
import { readFileSync as readFileSync2, writeFileSync } from "node:fs";
import { deserialize } from "node:v8";

// contracts/split.ts
import { z as z5 } from "zod";

// contracts/catalog.ts
import { z as z2 } from "zod";

// contracts/words.ts
import { z } from "zod";
var phrase = z.string().regex(/^[^\n]*[^\s.](?:\.[a-z])*[^\n]*$/, "must be words on one line").refine((text2) => text2 === text2.trim() && text2 !== "" && !/[.;:]$/.test(text2), {
  message: "must be words on one line, without a period at the end"
});
var noun = phrase.regex(
  /^\p{L}[\p{L}\p{N}]*(?:[ '’-]+[\p{L}\p{N}]+)*$/u,
  "must be letters, digits, spaces and hyphens, and begin with a letter"
);
var predicate = phrase;
var flag = z.boolean();
var drafted = z.boolean();
var columnWords = z.strictObject({
  noun,
  /** The plural, if it is irregular; the noun itself for mass nouns. */
  nouns: noun,
  /** What happened to a row at this moment: `was opened`. */
  when: predicate,
  /** What the column is a number of: `beds`. */
  counts: phrase,
  /** The unit of its numbers, in the plural: `kilograms`. */
  unit: phrase,
  /** The word for a threshold: `amount`, `weight`. */
  quantity: phrase,
  /** Superlatives before the table's noun: `heaviest`, `lightest`. */
  highest: phrase,
  lowest: phrase,
  /** Predicates of a row with a threshold: `heavier than`, `lighter than`. */
  above: phrase,
  below: phrase,
  sum: flag,
  average: flag,
  rank: flag,
  /** What NULL means, and what a value means, of several rows: `are still alive`, `have died`. */
  missing: predicate,
  present: predicate,
  /** The meaning of each stored code. */
  codes: z.record(z.string(), phrase),
  /** For a foreign key: this row → the other, and back: `was born to`, `gave birth to`. */
  verb: predicate,
  inverse: predicate,
  synonyms: z.array(phrase),
  drafted
}).partial().refine(({ missing, present: present2 }) => missing === void 0 === (present2 === void 0), {
  message: "has only one of missing and present; write both or neither"
});
var tableWords = z.strictObject({
  one: noun,
  many: noun,
  /** What a row is: `one animal seen once at a clinic`. */
  row: phrase,
  /** Columns by which people identify a row. */
  called: z.array(z.string()).min(1),
  synonyms: z.array(phrase),
  drafted
}).partial();
var prose = z.string().trim().regex(/^\P{C}+$/u, "must be one line");
var endpointWords = z.strictObject({
  /** The last part of its path; its tool is `get_<name>`. */
  name: z.string().regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, "must be words of a-z and 0-9, joined by _").max(60),
  summary: prose.max(240),
  /** The tables are added to it. */
  description: prose.max(1e3),
  /** The beginning of the SHA-256 of the SQL that was described. The words of another query are not used. */
  sql: z.string().regex(/^[0-9a-f]{12}$/, "must be the first 12 digits of the SHA-256 of the SQL"),
  drafted
}).partial();
function isWorded({ name: name3, summary, description } = {}) {
  return (name3 ?? summary ?? description) !== void 0;
}
function namesIn(text2) {
  return [...text2.matchAll(/`([^`]*)`/g)].map(([, name3 = ""]) => name3);
}
var vocabulary = z.strictObject({
  /** By the id of a question that the endpoint answers. */
  endpoints: z.record(z.string(), endpointWords).optional(),
  tables: z.record(
    z.string(),
    z.strictObject({ ...tableWords.shape, columns: z.record(z.string(), columnWords).optional() })
  ).default({})
});

// contracts/catalog.ts
var cell = z2.union([z2.string(), z2.number(), z2.bigint(), z2.null()]);
var row = z2.array(cell);
function declaredAffinity(declaredType) {
  const type = declaredType.toUpperCase();
  if (type.includes("INT")) return "integer";
  if (/CHAR|CLOB|TEXT/.test(type)) return "text";
  if (type === "" || type.includes("BLOB")) return "blob";
  return /REAL|FLOA|DOUB/.test(type) ? "real" : "numeric";
}
var columnStatistics = z2.object({
  rows: z2.number().int(),
  nulls: z2.number().int(),
  /** Distinct values other than NULL. */
  distinct: z2.number().int(),
  min: cell,
  max: cell,
  /** Number of values in each SQLite storage class. */
  storage: z2.object({
    integer: z2.number().int(),
    real: z2.number().int(),
    text: z2.number().int(),
    blob: z2.number().int()
  })
});
var facet = z2.object({
  /** Phrases that indicate the topic; each occurs verbatim in the data. */
  phrases: z2.array(z2.string().min(1)).min(1),
  /** Additional words by which people search for it. */
  terms: z2.array(z2.string().min(1))
});
var catalogColumn = z2.object({
  /** As spelled in the database. */
  name: z2.string(),
  /** As declared: `TEXT`, `varchar(20)`, or ''. */
  declared_type: z2.string(),
  /** The API type, from the declared type and the values. */
  type: z2.enum(["integer", "number", "string"]),
  not_null: z2.boolean(),
  /** Present if its values are computed from those of other columns. */
  generated: z2.literal(true).optional(),
  /** 1-based position in the primary key, or 0. */
  primary_key: z2.number().int(),
  /** Declared collation, upper case; BINARY unless declared. */
  collation: z2.string(),
  /** A friendly name from the split's metadata (`average score in Math`), or null. */
  friendly_name: z2.string().nullable(),
  description: z2.string().nullable(),
  value_description: z2.string().nullable(),
  /** For a text column with few values: all of them, sorted. Only in a farm. */
  values: z2.array(z2.string()).optional(),
  /** Topics of its texts, which the query tool's search uses. */
  facets: z2.array(facet).optional(),
  statistics: columnStatistics,
  /** The vocabulary's words for it. */
  words: columnWords.optional()
});
var foreignKey = z2.object({
  columns: z2.array(z2.string()),
  references_table: z2.string(),
  references_columns: z2.array(z2.string())
});
var catalogTable = z2.object({
  name: z2.string(),
  friendly_name: z2.string().nullable(),
  description: z2.string().nullable(),
  rows: z2.number().int(),
  columns: z2.array(catalogColumn),
  foreign_keys: z2.array(foreignKey),
  /** False for WITHOUT ROWID tables and views. */
  has_rowid: z2.boolean(),
  view: z2.boolean(),
  /** For a view: every table and view named in its SQL, a superset of those it reads. Absent in older farms. */
  reads: z2.array(z2.string()).optional(),
  /** The vocabulary's words for its rows. */
  words: tableWords.optional()
});
var servedPolicy = z2.object({
  id: z2.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be words in kebab-case, such as closed-months"),
  rule: z2.string().trim().min(1).max(500),
  /** The table whose rows it looks at, and the kinds of changes, or `read`. */
  table: z2.string(),
  on: z2.array(z2.enum(["create", "update", "delete", "read"])).min(1)
});
var policy = z2.strictObject({
  ...servedPolicy.shape,
  /** A condition on the rows `before` and `after` that a change must not meet, in SQL; or on rows that stay hidden. */
  forbid: z2.string().trim().min(1).optional(),
  /** Rows of the table that a run may change at most, or rows of an answer from it. */
  at_most: z2.number().int().positive().optional(),
  /** `read` only: columns on which no answer may depend. */
  columns: z2.array(z2.string()).min(1).optional()
}).refine(
  (rule) => [rule.forbid, rule.at_most, rule.columns].filter((each) => each !== void 0).length === 1,
  {
    path: ["forbid"],
    message: "must be there, or at_most instead of it (or, to read, columns)"
  }
).refine(({ on, columns }) => on.includes("read") ? on.length === 1 : columns === void 0, {
  path: ["on"],
  message: 'is ["read"] alone, with columns or without, or has changes, without columns'
});
var domainDocument = z2.object({ name: z2.string(), text: z2.string() });
var catalog = z2.object({
  db: z2.string(),
  tables: z2.array(catalogTable),
  /** What the domain's people mean by their words, as Markdown: `glossary/<db>.md` of the split. */
  glossary: z2.string().optional(),
  /** What may not be changed or disclosed: `policies/<db>.jsonl` of the split. */
  policies: z2.array(policy).optional(),
  /** Other texts about the domain, as Markdown: `documents/<db>/<name>.md` of the split. */
  documents: z2.array(domainDocument).optional()
});

// contracts/dialogue.ts
import { z as z4 } from "zod";

// contracts/records.ts
import { z as z3 } from "zod";

// contracts/exact-json.ts
import { isLosslessNumber, parse, stringify } from "lossless-json";
function exactNumber(text2) {
  const value = Number(text2);
  if (Number.isSafeInteger(value) || text2.length > LONGEST_INTEGER || !INTEGER.test(text2)) return value;
  const integer = BigInt(text2);
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}
function printExactJson(value, space) {
  let isPlain2 = true;
  const look = (key2, part) => {
    if (typeof part === "number" && !Number.isFinite(part)) {
      throw new TypeError(`${part} at "${key2}" has no JSON form`);
    }
    if (typeof part === "bigint" || isLargeWhole(part) || isLosslessNumber(part)) isPlain2 = false;
    return typeof part === "bigint" ? null : part;
  };
  const text2 = JSON.stringify(value, look, space);
  if (isPlain2) return text2;
  return stringify(value, null, space, [{ test: isLargeWhole, stringify: realText }]) ?? text2;
}
function isLargeWhole(value) {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
function realText(value) {
  return value.toExponential();
}
var INTEGER = /^-?\d+$/;
var LONGEST_INTEGER = 20;
var DEEPEST_VALUE = 100;
var DEEPEST_LINE = DEEPEST_VALUE + 10;
function parameterText(value) {
  if (typeof value === "string") return value;
  if (!isLosslessNumber(value)) return String(value);
  const number3 = exactNumber(value.value);
  return Number.isFinite(Number(number3)) ? String(number3) : value.value;
}

// contracts/formulation.ts
import { isLosslessNumber as isLosslessNumber2, stringify as stringify2 } from "lossless-json";
var ROW_COUNT = '"row_count":';
function rowCount(body, which2) {
  const at = which2 === "first" ? body.indexOf(ROW_COUNT) : body.lastIndexOf(ROW_COUNT);
  if (at < 0) return null;
  const start = at + ROW_COUNT.length;
  const digits = /^\d+/.exec(body.slice(start, start + 20))?.[0];
  return digits === void 0 ? null : Number(digits);
}

// contracts/paths.ts
import { isLosslessNumber as isLosslessNumber3 } from "lossless-json";
function domainPath(split, db) {
  return `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}`;
}
var MOST_CHARACTERS = 1e3;
function pathParameters(template) {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name3]) => name3);
}
function fitsInPath(text2) {
  if (text2 === "" || text2 === "." || text2 === ".." || text2.includes("\0")) return false;
  return !/\p{Surrogate}/u.test(text2) && encodeURIComponent(text2).length <= MOST_CHARACTERS;
}
function fillPath(template, args) {
  let path = template;
  for (const name3 of pathParameters(template)) {
    const text2 = textOf(args[name3]);
    if (text2 === null || !fitsInPath(text2)) return null;
    path = path.replace(`{${name3}}`, () => encodeURIComponent(text2));
  }
  return path;
}
function textOf(value) {
  if (value === null || value === void 0) return null;
  return typeof value !== "object" || isLosslessNumber3(value) ? parameterText(value) : null;
}

// contracts/records.ts
var rowValues = z3.record(z3.string(), cell);
var recordChange = z3.object({
  table: z3.string(),
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
  generated: z3.array(z3.object({ table: z3.string(), column: z3.string() })).optional(),
  /** In a gold diff: the columns that the task leaves open, where any value is as good. */
  open: z3.array(z3.string()).optional()
});
var recordDiff = z3.array(recordChange);
var WRITE_KINDS = [
  "create",
  "change",
  "move",
  "delete",
  "arithmetic",
  "conditional",
  "transfer",
  "several",
  "correct",
  "set",
  "mixed"
];
var writeFacts = z3.object({
  kind: z3.enum(WRITE_KINDS).optional(),
  /** The same for two tasks that differ in one fact, so that one may be done and the other must not. */
  pair: z3.string().optional(),
  /** The right thing is to change nothing: a constraint refuses it, or its condition does not hold. */
  refuse: z3.boolean().optional(),
  /** Whether the service refuses what breaks a policy of the domain, or only the verdict does. */
  policies: z3.enum(["enforced", "recorded"]).optional(),
  /** Columns whose values in the rows that it creates or changes are left open, each as `table.column`. */
  open: z3.array(z3.string()).optional()
});
var RECORD_KEY = "key";
var RECORD_OPERATORS = ["ne", "gt", "gte", "lt", "lte", "like", "in", "null"];
function readRecordTool(name3) {
  const [, verb, resource] = /^(list|get|create|update|delete)_(.+)$/s.exec(name3) ?? [];
  return verb === void 0 || resource === void 0 ? null : { verb, resource };
}
var ACTION_VERBS = ["set", "clear", "raise", "lower", "change", "update", "delete"];
function isWriteTool(name3) {
  const [verb = ""] = name3.split("_");
  return verb === "create" || ACTION_VERBS.some((each) => each === verb);
}
var METHODS = {
  list: "GET",
  get: "GET",
  create: "POST",
  update: "PATCH",
  delete: "DELETE"
};
function routeOf(service2, tool) {
  const { verb, resource } = readRecordTool(tool) ?? { verb: "list", resource: tool };
  const path = `${domainPath(service2.split, service2.db)}/records/${encodeURIComponent(resource)}`;
  const hasKey = verb !== "list" && verb !== "create";
  return { method: METHODS[verb], path: hasKey ? `${path}/{${RECORD_KEY}}` : path };
}
function requestOf(service2, { name: name3, arguments: given }) {
  const { method, path } = routeOf(service2, name3);
  const { [RECORD_KEY]: key2, ...rest2 } = Object.fromEntries(Object.entries(given ?? {}));
  const filled = path.replace(`{${RECORD_KEY}}`, () => encodeURIComponent(parameterText(key2 ?? "")));
  if (method === "DELETE") return { method, path: filled, query: [] };
  if (method !== "GET") return { method, path: filled, query: [], body: rest2 };
  const query2 = Object.entries(rest2).flatMap(
    ([field, value]) => [value].flat().map((each) => [field.replace(OPERATOR, ".$1"), each])
  );
  return { method, path: filled, query: query2 };
}
var OPERATOR = new RegExp(`__(${RECORD_OPERATORS.join("|")})$`);
var records = {
  name: "records",
  title: "Records",
  summary: "The records of each table: list, get, create, update, delete",
  calls: "single",
  everyQuestion: false,
  routeOf,
  requestOf,
  replay: (service2, calls, context) => replayChanges(calls, context, (call2) => requestOf(service2, call2)),
  factsOf: (body) => ({ rows: body.startsWith('{"data":[') ? rowCount(body, "last") : null, handle: null })
};
async function replayChanges(calls, { send }, requestFor) {
  let last = null;
  const refusals = [];
  for (const call2 of calls) {
    const answer = await send(requestFor(call2), call2);
    refusals.push("failure" in answer ? answer.failure : null);
    if ("body" in answer) last = answer.body;
  }
  const failure = refusals.find((refusal) => refusal !== null) ?? null;
  const rows = rowsOf(last);
  return {
    rows,
    body: last,
    failure: rows === null ? failure ?? "No call was made." : null,
    truncated: false,
    handles: [],
    refusals
  };
}
var recordPage = z3.object({ data: z3.array(rowValues) });
function rowsOf(body) {
  const page = recordPage.safeParse(body);
  if (page.success) return page.data.data.map((row2) => Object.values(row2));
  const one2 = rowValues.safeParse(body);
  return one2.success ? [Object.values(one2.data)] : null;
}
var actions = {
  name: "actions",
  title: "Actions",
  summary: "One operation for each kind of change, and the records of each table to look at",
  calls: "single",
  everyQuestion: false,
  routeOf(service2, tool) {
    if (!isWriteTool(tool)) return routeOf(service2, tool);
    const path = `${domainPath(service2.split, service2.db)}/actions/${encodeURIComponent(tool)}`;
    return { method: "POST", path };
  },
  requestOf(service2, call2) {
    if (!isWriteTool(call2.name)) return requestOf(service2, call2);
    return { ...actions.routeOf(service2, call2.name), query: [], body: call2.arguments ?? {} };
  },
  replay: (service2, calls, context) => replayChanges(calls, context, (call2) => actions.requestOf(service2, call2)),
  factsOf: records.factsOf
};
function changesRecords(sql2) {
  const bare3 = sql2.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g,
    " "
  );
  return bare3.split(";").some(
    (statement) => /^\s*(?:insert|update|delete|replace)\b|^\s*with\b[\s\S]*?\)\s*(?:insert|update|delete|replace)\s+(?!\()/i.test(
      statement
    )
  );
}

// contracts/dialogue.ts
var EDITS = [
  "ask",
  "add_condition",
  "change_condition",
  "drop_condition",
  "count",
  "aggregate",
  "open",
  "add_column",
  "exchange_column",
  "sort",
  "cut",
  "reverse",
  "group",
  "hop",
  "compare",
  "undo",
  "change_mind",
  "write"
];
var edit = z4.enum(EDITS);
var TEMPERAMENTS = ["plain", "late", "partial", "corrected", "terse", "polite"];
var temperament = z4.enum(TEMPERAMENTS);
var reference = z4.object({ words: z4.string(), turn: z4.number().int().positive() });
var slot = z4.object({
  /** What people call it: `city`. */
  name: z4.string(),
  /** Words of questions that ask for it, in lower case. */
  words: z4.array(z4.string()).min(1),
  /** The value as the user says it. */
  said: z4.string(),
  /** Values of its column; a question that names one asks for this slot. */
  values: z4.array(z4.string()),
  /** The turn that needs it, from 1. */
  turn: z4.number().int().positive(),
  /** Whether the turn's words leave it out. */
  withheld: z4.boolean()
});
var dialogueTurn = z4.object({
  /** What the user says. */
  text: z4.string(),
  /** The same as a question that needs no earlier turn. */
  question: z4.string(),
  evidence: z4.string(),
  /** The domain that it is asked in; absent for the dialogue's own. */
  db_id: z4.string().min(1).optional(),
  /** A query, or statements that change records; empty for a turn that only takes back. */
  sql: z4.string(),
  /** The turn whose changes it takes back, before making its own. */
  takes_back: z4.number().int().positive().optional(),
  edit,
  refs: z4.array(reference),
  /** What the words mean without the earlier turns; null if they mean nothing. */
  alone: z4.string().nullable()
});
var userScript = z4.object({ temperament, slots: z4.array(slot) });
var dialogue = z4.object({
  turns: z4.array(dialogueTurn).min(2).max(8).refine(takesBackOnce, {
    error: "takes_back must name an earlier turn that changes records, each once"
  }).refine(staysWhereItMust, {
    error: "db_id is for later turns of a dialogue that changes no records"
  }),
  user: userScript,
  /** The question of the split that it begins with; absent where that was drawn. */
  question_id: z4.union([z4.number().int(), z4.string()]).optional()
});
function takesBackOnce(turns) {
  const taken = turns.flatMap(({ takes_back }) => takes_back ?? []);
  return new Set(taken).size === taken.length && turns.every(
    ({ takes_back, sql: sql2 }, i) => takes_back === void 0 ? sql2 !== "" : takes_back <= i && changesRecords(turns[takes_back - 1]?.sql ?? "")
  );
}
function staysWhereItMust(turns) {
  const away = turns.findIndex(({ db_id }) => db_id !== void 0);
  return away < 0 || away > 0 && statementsHolding(turns) === null;
}
function statementsHolding(turns) {
  if (!turns.some(({ sql: sql2 }) => changesRecords(sql2))) return null;
  return turns.map((_, last) => {
    const said2 = turns.slice(0, last + 1);
    const taken = new Set(said2.map(({ takes_back }) => takes_back));
    return said2.flatMap(({ sql: sql2 }, i) => changesRecords(sql2) && !taken.has(i + 1) ? [sql2] : []);
  });
}
var sampleTurn = dialogueTurn.pick({ text: true, edit: true, refs: true, alone: true, takes_back: true }).extend({
  sample_id: z4.string(),
  /** The tools of its gold calls, as a run of the dialogue names them. */
  tools: z4.array(z4.string()).optional()
});

// contracts/vocabulary.ts
var ERROR_CLASSES = [
  "instruction_alignment_failure",
  "wrong_func_count",
  "wrong_func_format",
  "hallucinated_func_name",
  "wrong_func_name",
  "missing_required_parameter",
  "unexpected_param",
  "value_error",
  "right_calls_wrong_answer"
];
var ENDINGS = [
  "empty",
  "length",
  "loops",
  "out_of_budget",
  "context_window",
  "refused",
  "content_filter",
  "broken_arguments",
  "unreadable"
];
var FAILURE_CLASSES = [...ERROR_CLASSES, ...ENDINGS];
var FORMULATION_NAMES = ["rest", "slot", "sel", "query", "hybrid", "records", "actions"];
var PLAN_CLASSES = ["none", "db_only", "mixed", "api_only"];
var API_CLASSES = ["lexical", "numeric", "geographic"];
var SILENT_FAULT_KINDS = [
  /** The rows of another state of the database. */
  "stale_rows",
  /** A column's values are shifted down one row: the first is null, the last is gone. */
  "shifted_rows",
  "duplicated_rows",
  "dropped_rows",
  /** A column's numbers are divided by 1000. */
  "wrong_unit",
  /** The first half of the rows, with `truncated: false`. */
  "hidden_truncation"
];

// contracts/split.ts
var DEFAULT_REFERENCE_TIME = "2025-01-01 00:00:00";
var AUGMENTERS = ["filter", "projection", "aggregation", "order"];
var augmentation = z5.object({
  original: z5.object({
    question_id: z5.union([z5.number().int(), z5.string()]),
    question: z5.string(),
    sql: z5.string()
  }),
  augmenter: z5.enum(AUGMENTERS),
  /** Class of the first API, whose input is a column's value. */
  class: z5.enum(API_CLASSES),
  depth: z5.number().int().min(1).max(3),
  /** In order of application. */
  apis: z5.array(z5.string()).min(1),
  /** The input column of the first API. */
  column: z5.object({ table: z5.string(), name: z5.string() }),
  /** The same query with each API as a virtual table of its inputs and value. */
  virtual_sql: z5.string()
});
var correction = z5.strictObject({
  /** Version of this format. */
  version: z5.literal(1),
  db_id: z5.string().min(1),
  question_id: z5.union([z5.number().int(), z5.string().min(1)]),
  sql: z5.string().min(1).optional(),
  question: z5.string().min(1).optional(),
  evidence: z5.string().optional(),
  reason: z5.string().min(1),
  author: z5.string().optional(),
  /** Audit rules that it resolves. */
  rules: z5.array(z5.string()).optional()
});
var appliedCorrection = correction.pick({ reason: true, author: true }).extend({
  original: z5.object({
    sql: z5.string().optional(),
    question: z5.string().optional(),
    evidence: z5.string().optional()
  })
});
var unanswered = z5.strictObject({
  question_id: z5.union([z5.number().int(), z5.string().min(1)]),
  db_id: z5.string().min(1),
  question: z5.string().min(1),
  evidence: z5.string().default(""),
  canary: z5.string().optional()
});
var reading = z5.strictObject({ meaning: z5.string().min(1), sql: z5.string().min(1) });
var unanswerableKind = z5.enum(["ambiguous", "false_premise", "not_in_data", "forbidden"]);
var ambiguous = {
  kind: z5.literal("ambiguous"),
  /** The question to be asked in return. */
  clarification: z5.string().min(1)
};
var falsePremise = {
  kind: z5.literal("false_premise"),
  premise: z5.string().min(1),
  refutation: z5.string().min(1),
  /** Finds no row, since the premise is false. */
  check_sql: z5.string().min(1)
};
var notInData = {
  kind: z5.literal("not_in_data"),
  missing: z5.string().min(1),
  /** What the data have instead. */
  nearest: z5.string().min(1)
};
var forbidden = {
  kind: z5.literal("forbidden"),
  /** The id of the rule that forbids the answer. */
  policy: z5.string().min(1),
  /** Finds what must not be disclosed. */
  sql: z5.string().min(1)
};
var unanswerableQuestion = z5.discriminatedUnion("kind", [
  unanswered.extend({ ...ambiguous, readings: z5.array(reading).min(2) }),
  unanswered.extend(falsePremise),
  unanswered.extend(notInData),
  unanswered.extend(forbidden)
]);
var unanswerable = z5.discriminatedUnion("kind", [
  z5.object({
    ...ambiguous,
    /** Each with its rows, any of which is an accepted answer. */
    readings: z5.array(
      reading.extend({
        gold_answer: z5.array(row),
        gold_columns: z5.array(z5.string()),
        order_groups: z5.array(z5.number().int()).nullable(),
        tied_rows: z5.array(z5.object({ group: z5.number().int(), rows: z5.array(row) })).optional()
      })
    )
  }),
  z5.object(falsePremise),
  z5.object(notInData),
  z5.object({ ...forbidden, rule: z5.string() })
]);
var splitFormat = z5.enum(["bird", "spider", "rookery"]);
var question = z5.object({
  /** As given, or the 0-based position in the file. Unique in the split. */
  question_id: z5.union([z5.number().int(), z5.string()]),
  db_id: z5.string(),
  question: z5.string(),
  evidence: z5.string(),
  difficulty: z5.string().nullable(),
  /** Gold SQL exactly as given. */
  sql: z5.string(),
  /** Its origin, if known: `synthesized` for those of `rookery synthesize`. */
  origin: z5.string().optional(),
  /** A canary string, for filtering data derived from this question out of training sets. */
  canary: z5.string().optional(),
  /** Arguments of the `query_database` call that answers it, if known; it then only has the formulation `query`. */
  query_arguments: z5.record(z5.string(), z5.unknown()).optional(),
  /** How `rookery augment` derived it from another question. */
  augmentation: augmentation.optional(),
  /** The turns of a dialogue that this question begins, itself the first. */
  dialogue: dialogue.optional(),
  /** The id of the dialogue that it is a turn of. */
  turn_of: z5.union([z5.number().int(), z5.string()]).optional(),
  /** A turn of a dialogue that changes records: the statements that hold after it, in whose state `sql` asks. */
  holding: z5.array(z5.string()).optional(),
  /** Present if a corrections file changed it. */
  correction: appliedCorrection.optional(),
  /** What a person wrote about the endpoint that answers it. */
  endpoint_words: endpointWords.optional(),
  ...writeFacts.shape
});

// contracts/errors.ts
var QueryError = class extends Error {
  code;
  /** The SQL fragment that caused it, or null. */
  clause;
  constructor(code, reason, clause = null) {
    super(reason);
    this.name = "QueryError";
    this.code = code;
    this.clause = clause;
  }
  toRejection() {
    return { code: this.code, reason: this.message, clause: this.clause };
  }
};

// sql/ir.ts
function node(fields) {
  return Object.freeze(fields);
}
function integerLiteral(value, span = null) {
  return node({ kind: "literal", pinned: false, span, type: "integer", value });
}
function realLiteral(text2, span = null) {
  return node({ kind: "literal", pinned: false, span, type: "real", value: Number(text2), text: text2 });
}
function textLiteral(value, span = null) {
  return node({ kind: "literal", pinned: false, span, type: "text", value });
}
function pinnedLiteral(value) {
  return node({ kind: "literal", pinned: true, span: null, type: "text", value });
}
function blobLiteral(hex, span = null) {
  return node({ kind: "literal", pinned: false, span, type: "blob", value: hex });
}
var NULL_LITERAL = node({
  kind: "literal",
  pinned: false,
  span: null,
  type: "null",
  value: null
});
function conjunction(items) {
  return connect("and", items);
}
function disjunction(items) {
  return connect("or", items);
}
function connect(kind2, items) {
  const flat = items.flatMap((item) => item.kind === kind2 ? item.items : [item]);
  const [first] = flat;
  if (first !== void 0 && flat.length === 1) return first;
  return node({ kind: kind2, items: Object.freeze(flat) });
}
function negate(expr) {
  switch (expr.kind) {
    case "is_null":
    case "between":
    case "like":
    case "in_list":
    case "in_query":
    case "exists":
      return node({ ...expr, negated: !expr.negated });
    default:
      return node({ kind: "not", expr });
  }
}
function childExprs(expr) {
  switch (expr.kind) {
    case "literal":
    case "column":
    case "output":
    case "exists":
    case "scalar_query":
      return [];
    case "row":
    case "and":
    case "or":
      return expr.items;
    case "unary":
    case "not":
    case "is_null":
    case "cast":
    case "collate":
    case "in_query":
      return [expr.expr];
    case "binary":
    case "compare":
      return [expr.left, expr.right];
    case "between":
      return [expr.expr, expr.low, expr.high];
    case "like":
      return [expr.expr, expr.pattern, ...present(expr.escape)];
    case "in_list":
      return [expr.expr, ...expr.items];
    case "case":
      return [
        ...present(expr.operand),
        ...expr.whens.flatMap(({ when, result }) => [when, result]),
        ...present(expr.else)
      ];
    case "call":
      return expr.args;
    case "aggregate":
      return [...expr.args, ...present(expr.filter), ...termExprs(expr.orderBy)];
    case "window":
      return [
        ...expr.args,
        ...present(expr.filter),
        ...expr.partitionBy,
        ...termExprs(expr.orderBy),
        ...expr.frame ? [...boundExprs(expr.frame.start), ...boundExprs(expr.frame.end)] : []
      ];
  }
}
function subqueryOf(expr) {
  return expr.kind === "in_query" || expr.kind === "exists" || expr.kind === "scalar_query" ? expr.query : null;
}
function queryExprs(query2) {
  switch (query2.kind) {
    case "values":
      return query2.rows.flat();
    case "set_operation":
      return [...termExprs(query2.orderBy), ...limitExprs(query2)];
    case "select":
      return [
        ...query2.columns.map((column2) => column2.expr),
        ...query2.from.flatMap((item) => present(item.on)),
        ...present(query2.where),
        ...query2.groupBy,
        ...present(query2.having),
        ...termExprs(query2.orderBy),
        ...limitExprs(query2)
      ];
  }
}
function childQueries(query2) {
  const ctes = query2.with.map((cte) => cte.query);
  switch (query2.kind) {
    case "values":
      return ctes;
    case "set_operation":
      return [...ctes, query2.left, query2.right];
    case "select":
      return [
        ...ctes,
        ...query2.from.flatMap(({ source }) => source.kind === "derived" ? [source.query] : [])
      ];
  }
}
function visitQuery(query2, visitor) {
  visitor.query?.(query2);
  for (const inner of childQueries(query2)) visitQuery(inner, visitor);
  for (const expr of queryExprs(query2)) visitExpr(expr, visitor);
}
function visitExpr(expr, visitor) {
  if (visitor.expr?.(expr) === false) return;
  const query2 = subqueryOf(expr);
  for (const inner of childExprs(expr)) visitExpr(inner, visitor);
  if (query2) visitQuery(query2, visitor);
}
function present(expr) {
  return expr === null ? [] : [expr];
}
function termExprs(terms) {
  return terms.map((term) => term.expr);
}
function limitExprs(query2) {
  return query2.limit ? [query2.limit.count, ...present(query2.limit.offset)] : [];
}
function boundExprs(bound) {
  return "offset" in bound ? [bound.offset] : [];
}
function rewriteExprs(tree, rewrite) {
  return rebuild(tree, (node2, within2) => (isExpr(node2) ? rewrite(node2) : null) ?? within2());
}
function rebuild(tree, step) {
  if (typeof tree !== "object" || tree === null) return tree;
  return step(tree, () => rebuildParts(tree, step));
}
function rebuildParts(tree, step) {
  if (Array.isArray(tree)) {
    const items = tree.map((item) => rebuild(item, step));
    return items.some((item, i) => item !== tree[i]) ? Object.freeze(items) : tree;
  }
  const before = Object.entries(tree);
  const fields = before.map(([name3, value]) => [name3, rebuild(value, step)]);
  const same2 = fields.every(([, value], i) => value === before[i]?.[1]);
  return same2 ? tree : Object.freeze(Object.fromEntries(fields));
}
var OTHER_KINDS = /* @__PURE__ */ new Set([
  "select",
  "set_operation",
  "values",
  "table",
  "derived",
  "cte"
]);
function isExpr(node2) {
  return "kind" in node2 && !OTHER_KINDS.has(node2.kind);
}
var keys = /* @__PURE__ */ new WeakMap();
function exprKey(expr) {
  const known = keys.get(expr);
  if (known !== void 0) return known;
  const key2 = textOf2(expr);
  keys.set(expr, key2);
  return key2;
}
function sameExpr(a, b) {
  return a === b || exprKey(a) === exprKey(b);
}
function textOf2(value) {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf2).join()}]`;
  const fields = Object.entries(value).filter(([name3]) => name3 !== "span" && name3 !== "pinned");
  return `{${fields.sort(([a], [b]) => a < b ? -1 : 1).map(([name3, part]) => `${name3}:${textOf2(part)}`).join()}}`;
}
function conjuncts(expr) {
  if (expr === null) return [];
  return expr.kind === "and" ? expr.items : [expr];
}

// sql/analyse.ts
var DATE_FUNCTIONS = new Set("date time datetime julianday unixepoch strftime timediff".split(" "));
var TEXT_FUNCTIONS = new Set(
  "instr length lower ltrim printf format replace rtrim substr substring trim upper".split(" ")
);
function holdsAggregate(expr) {
  return expr.kind === "aggregate" || childExprs(expr).some(holdsAggregate);
}
function isAggregated(select) {
  return select.groupBy.length > 0 || select.having !== null || [...select.columns, ...select.orderBy].some(({ expr }) => holdsAggregate(expr));
}
function affinityOf(expr, origins) {
  switch (expr.kind) {
    case "column": {
      const origin = origins.of(expr);
      if (origin.kind === "column") return declaredAffinity(origin.column.declared_type);
      return origin.kind === "computed" ? affinityOf(origin.expr, origins) : "none";
    }
    case "cast":
      return declaredAffinity(expr.type);
    case "collate":
      return affinityOf(expr.expr, origins);
    case "scalar_query": {
      const { query: query2 } = expr;
      const first = query2.kind === "select" ? query2.columns[0]?.expr : void 0;
      return first === void 0 ? "none" : affinityOf(first, origins);
    }
    default:
      return "none";
  }
}
function isNumeric(affinity) {
  return affinity === "numeric" || affinity === "integer" || affinity === "real";
}
var CONDITIONS = [
  "compare",
  "and",
  "or",
  "not",
  "is_null",
  "between",
  "like",
  "in_list",
  "in_query",
  "exists"
];
var KINDS = new Set(CONDITIONS);
function isCondition(expr) {
  return KINDS.has(expr.kind);
}
function literalTruth(literal) {
  switch (literal.type) {
    case "integer":
      return literal.value !== 0n;
    case "real":
      return literal.value !== 0;
    case "text":
      return Number(NUMBER.exec(literal.value)?.[0] ?? 0) !== 0;
    case "null":
      return false;
    case "blob":
      return null;
  }
}
var NUMBER = /^[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
var MIRRORED = {
  "=": "=",
  is: "is",
  "!=": "!=",
  is_not: "is_not",
  ">=": "<=",
  ">": "<",
  "<=": ">=",
  "<": ">"
};
function exprsWithin(expr) {
  const found = [];
  visitExpr(expr, { expr: (part) => found.push(part) });
  return found;
}
function* ownExprs(expr) {
  yield expr;
  for (const child2 of childExprs(expr)) yield* ownExprs(child2);
}
function exprsOf(query2) {
  const found = [];
  visitQuery(query2, { expr: (part) => found.push(part) });
  return found;
}
function queriesOf(query2) {
  const found = [];
  visitQuery(query2, { query: (inner) => found.push(inner) });
  return found;
}
function selectsOf(query2) {
  return queriesOf(query2).filter((one2) => one2.kind === "select");
}
function innerQueries(query2) {
  const subqueries = queryExprs(query2).flatMap(
    (clause) => [...ownExprs(clause)].flatMap((expr) => subqueryOf(expr) ?? [])
  );
  return [...childQueries(query2), ...subqueries];
}
function columnsOf(expr) {
  return exprsWithin(expr).filter((part) => part.kind === "column");
}
function columnsOfQuery(query2) {
  return exprsOf(query2).filter((part) => part.kind === "column");
}
function isInner({ join: join3 }) {
  return join3 === "from" || join3 === "inner" || join3 === "cross";
}
var UNKNOWN = { kind: "unknown" };
var Origins = class {
  catalog;
  #sources = /* @__PURE__ */ new Map();
  #ctes = /* @__PURE__ */ new Map();
  #tables;
  constructor(query2, catalog2) {
    this.catalog = catalog2;
    this.#tables = new Map(catalog2.tables.map((table) => [table.name, table]));
    for (const one2 of queriesOf(query2)) {
      for (const cte of one2.with) this.#ctes.set(cte.name, cte);
      if (one2.kind !== "select") continue;
      for (const { source } of one2.from) this.#sources.set(source.id, { source, select: one2 });
    }
  }
  /** The SELECT whose FROM holds the source. */
  selectOf(source) {
    return this.#sources.get(source)?.select ?? null;
  }
  sourceOf(source) {
    return this.#sources.get(source)?.source ?? null;
  }
  /** null for derived tables and CTEs. */
  tableOf(id) {
    const source = this.#sources.get(id)?.source;
    return source?.kind === "table" ? this.#tables.get(source.table) ?? null : null;
  }
  tableNamed(name3) {
    return this.#tables.get(name3) ?? null;
  }
  /** null for base tables. */
  queryOf(source) {
    switch (source.kind) {
      case "table":
        return null;
      case "derived":
        return source.query;
      case "cte":
        return this.#ctes.get(source.name)?.query ?? null;
    }
  }
  /** As `queryOf`, by the source's id. */
  queryAt(id) {
    const source = this.sourceOf(id);
    return source === null ? null : this.queryOf(source);
  }
  /** In order; null for base tables. */
  outputNames(id) {
    const source = this.sourceOf(id);
    if (source === null || source.kind === "table") return null;
    if (source.kind === "cte") return this.#ctes.get(source.name)?.columns ?? null;
    const first = leftmost(source.query);
    return first.kind === "values" ? null : first.columns.map((column2) => column2.name);
  }
  of(column2) {
    return this.#follow(column2, 0);
  }
  /** Followed through derived tables; null for anything computed. */
  baseColumn(expr) {
    if (expr.kind !== "column") return null;
    const origin = this.of(expr);
    return origin.kind === "column" ? origin : null;
  }
  #follow(column2, depth) {
    const source = this.#sources.get(column2.source)?.source;
    if (source === void 0 || depth > 50) return UNKNOWN;
    if (source.kind === "table") {
      const table = this.#tables.get(source.table);
      const found = table?.columns.find((one2) => one2.name === column2.name);
      if (table === void 0 || found === void 0) return UNKNOWN;
      return { kind: "column", table, column: found, source: source.id };
    }
    const query2 = this.queryOf(source);
    if (query2 === null) return UNKNOWN;
    const at = this.outputNames(source.id)?.indexOf(column2.name) ?? -1;
    const first = leftmost(query2);
    const expr = first.kind === "values" ? void 0 : first.columns[at]?.expr;
    if (expr === void 0) return UNKNOWN;
    return expr.kind === "column" ? this.#follow(expr, depth + 1) : { kind: "computed", expr };
  }
};
function outputNames(query2) {
  const first = leftmost(query2);
  if (first.kind === "select") return first.columns.map(({ name: name3 }) => name3);
  return (first.rows[0] ?? []).map((_, i) => `column${i + 1}`);
}
function leftmost(query2) {
  return query2.kind === "set_operation" ? leftmost(query2.left) : query2;
}
function keyTable(expr, origins) {
  const base = origins.baseColumn(expr);
  if (base === null) return null;
  const { table, column: column2 } = base;
  if (soleKey(table) === column2) return table;
  for (const key2 of table.foreign_keys) {
    if (key2.columns.length !== 1 || key2.columns[0] !== column2.name) continue;
    const other = origins.tableNamed(key2.references_table);
    const referred = other?.columns.find(({ name: name3 }) => name3 === key2.references_columns[0]);
    if (other !== null && referred !== void 0 && isUnique(other, referred)) return other;
  }
  return null;
}
function soleKey(table) {
  const [key2, ...others] = table.columns.filter(({ primary_key }) => primary_key > 0);
  return others.length === 0 ? key2 ?? null : null;
}
function rowidAlias(table) {
  const key2 = table.has_rowid ? soleKey(table) : null;
  return key2?.declared_type.toUpperCase() === "INTEGER" ? key2 : null;
}
function isUnique(table, column2) {
  const keys2 = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (column2.primary_key > 0) return keys2.length === 1;
  const { rows, nulls, distinct } = column2.statistics;
  return keys2.length === 0 && rows > 1 && nulls === 0 && distinct === rows;
}
var Determined = class {
  #select;
  #tables;
  #own;
  #known;
  #columns = /* @__PURE__ */ new Set();
  #fixed = /* @__PURE__ */ new Set();
  constructor(select, catalog2, known) {
    this.#select = select;
    this.#tables = new Map(
      select.from.flatMap(({ source }) => {
        const table = source.kind === "table" && catalog2.tables.find(({ name: name3 }) => name3 === source.table);
        return table ? [[source.id, table]] : [];
      })
    );
    this.#own = new Set(select.from.map(({ source }) => source.id));
    this.#known = known.filter((expr) => !this.#folds(expr));
    for (const expr of this.#known) this.#learn(expr);
    this.#close();
  }
  /** Whether every source gives at most one row. */
  get singleRow() {
    return [...this.#own].every((id) => this.#fixed.has(id));
  }
  /** Whether the expression can have only one value. */
  has(expr) {
    if (this.#known.some((each) => sameExpr(each, expr))) return true;
    if (expr.kind === "column") return !this.#own.has(expr.source) || this.#columns.has(keyOf(expr));
    if (expr.kind === "aggregate" || expr.kind === "window") return false;
    const query2 = subqueryOf(expr);
    return childExprs(expr).every((part) => this.has(part)) && (query2 === null || columnsOfQuery(query2).every((column2) => this.has(column2)));
  }
  #learn(expr) {
    if (expr.kind !== "column" || this.#columns.has(keyOf(expr)) || !this.#own.has(expr.source)) return false;
    if (this.#folds(expr)) return false;
    this.#columns.add(keyOf(expr));
    return true;
  }
  /** Whether equal values may be different texts: under NOCASE or RTRIM. */
  #folds(expr) {
    if (expr.kind === "collate") return expr.collation.toUpperCase() !== "BINARY";
    if (expr.kind === "cast" || expr.kind === "unary") return this.#folds(expr.expr);
    if (expr.kind !== "column") return false;
    const column2 = this.#tables.get(expr.source)?.columns.find(({ name: name3 }) => name3 === expr.name);
    return column2 !== void 0 && column2.collation !== "BINARY";
  }
  #close() {
    for (let grown = true; grown; ) {
      grown = false;
      for (const [id, table] of this.#tables) {
        if (!this.#fixed.has(id) && this.#hasKey(id, table)) {
          grown = true;
          this.#fixed.add(id);
          for (const { name: name3 } of [...table.columns, { name: "rowid" }]) this.#columns.add(`${id}\0${name3}`);
        }
      }
      for (const [from, to] of this.#equalities()) if (this.has(from) && this.#learn(to)) grown = true;
    }
  }
  #hasKey(id, table) {
    if (table.has_rowid && this.#columns.has(`${id}\0rowid`)) return true;
    const key2 = table.columns.filter(({ primary_key }) => primary_key > 0);
    const unique = key2.length > 0 && key2.every(({ statistics }) => statistics.nulls === 0);
    return unique && key2.every(({ name: name3 }) => this.#columns.has(`${id}\0${name3}`));
  }
  /** Pairs where the first value determines the second. */
  *#equalities() {
    for (const condition2 of conjuncts(this.#select.where)) yield* bothWays(condition2);
    for (const { join: join3, on, source } of this.#select.from) {
      for (const condition2 of conjuncts(on)) {
        for (const [from, to] of bothWays(condition2)) {
          if (join3 === "inner" || join3 === "cross" || join3 === "from") yield [from, to];
          if (join3 === "left" && to.kind === "column" && to.source === source.id) yield [from, to];
        }
      }
    }
  }
};
function bothWays(condition2) {
  if (condition2.kind === "is_null" && !condition2.negated) return [];
  if (condition2.kind !== "compare" || condition2.op !== "=" && condition2.op !== "is") return [];
  const { left: left2, right: right2 } = condition2;
  return [
    [left2, right2],
    [right2, left2]
  ];
}
function keyOf({ source, name: name3 }) {
  return `${source}\0${name3}`;
}

// sql/parse.ts
import "sqlglot-ts/dialects/sqlite";
import { Dialect, TokenType } from "sqlglot-ts";
import { SQLiteParser } from "sqlglot-ts/dialects/sqlite";
import { DPipe, Expression } from "sqlglot-ts/expressions";
var TokenCursor = class {
  sql;
  tokens;
  out = [];
  frames = [{ opener: "other", cases: 0, limit: false, wrapped: false }];
  /** Whether the last token ended an operand, so that an operator or alias follows. */
  operandEnded = false;
  at = 0;
  constructor(sql2, tokens) {
    this.sql = sql2;
    this.tokens = tokens;
  }
  get frame() {
    return this.frames.at(-1);
  }
  peek(offset) {
    return this.tokens[this.at + offset];
  }
  peekIs(offset, ...words2) {
    const token = this.peek(offset);
    return token !== void 0 && (token.kind === "word" || token.kind === "operator") && words2.includes(token.upper);
  }
  unsupported(what) {
    const token = this.tokens[this.at];
    return new QueryError(
      "SQL_UNSUPPORTED",
      `${what} is not read`,
      this.sql.slice(token.start, token.end + 30)
    );
  }
  isCteName() {
    let depth = 0;
    for (let offset = 1; ; offset++) {
      const token = this.peek(offset);
      if (token === void 0) return false;
      if (token.kind !== "operator") continue;
      if (token.text === "(") depth++;
      if (token.text === ")" && --depth === 0) {
        return this.peekIs(offset + 1, "AS") && this.peekIs(offset + 2, "(", "NOT", "MATERIALIZED");
      }
    }
  }
  closing(open) {
    let depth = 0;
    for (let at = open; at < this.tokens.length; at++) {
      const { kind: kind2, text: text2 } = this.tokens[at];
      if (kind2 === "operator" && text2 === "(") depth++;
      if (kind2 === "operator" && text2 === ")" && --depth === 0) return at;
    }
    return this.tokens.length;
  }
  isJoinWord() {
    return this.operandEnded || JOIN_WORDS.has(this.tokens[this.at - 1]?.upper ?? "") ? this.peekIs(1, "JOIN", ...JOIN_WORDS) : false;
  }
  isPatternOperator() {
    if (this.peekIs(1, "(") && !this.operandEnded && !this.peekIs(-1, "NOT")) return false;
    return this.operandEnded || this.peekIs(-1, "NOT") && this.tokens[this.at - 2] !== void 0;
  }
  isContextualKeyword(word) {
    switch (word) {
      case "BY":
        return this.peekIs(-1, "GROUP", "ORDER", "PARTITION");
      case "END":
        return this.frame.cases > 0 && this.operandEnded;
      case "ASC":
      case "DESC":
        return this.operandEnded && this.endsOrderTerm(1);
      case "NULLS":
        return this.peekIs(1, "FIRST", "LAST");
      case "FIRST":
      case "LAST":
        return this.peekIs(-1, "NULLS") && this.out.at(-1) === "NULLS";
      case "WITH":
        return this.at === 0 || this.peekIs(-1, "(", "AS");
      case "RECURSIVE":
        return this.peekIs(-1, "WITH") && this.peek(1)?.kind !== "operator" && !this.peekIs(1, "AS");
      case "OFFSET":
        return this.operandEnded && this.frame.limit;
      case "OVER":
      case "FILTER":
        return this.peekIs(-1, ")") && this.peekIs(1, "(");
      case "PARTITION":
        return this.peekIs(-1, "(") && this.peekIs(1, "BY");
      case "MATERIALIZED":
        return this.peekIs(-1, "AS", "NOT") && this.peekIs(1, "(");
      default:
        return FRAME_WORDS.has(word) && this.frame.opener === "window" && this.isFrameWord(word);
    }
  }
  isFrameWord(word) {
    if (["ROWS", "RANGE", "GROUPS"].includes(word)) {
      return this.peekIs(1, "BETWEEN", "UNBOUNDED", "CURRENT") || this.peek(1)?.kind === "number";
    }
    return this.out.slice(this.out.lastIndexOf("OVER")).some((text2) => ["ROWS", "RANGE", "GROUPS"].includes(text2));
  }
  endsOrderTerm(offset) {
    return this.peek(offset) === void 0 || this.peekIs(
      offset,
      ",",
      ")",
      "LIMIT",
      "NULLS",
      "ROWS",
      "RANGE",
      "GROUPS",
      "UNION",
      "INTERSECT",
      "EXCEPT"
    );
  }
};
var ExactParser = class extends SQLiteParser {
  static TERM = new Map([...SQLiteParser.TERM].filter(([type]) => type !== TokenType.DPIPE));
  static EXPONENT = /* @__PURE__ */ new Map([[TokenType.DPIPE, DPipe]]);
};
var ExactDialect = class extends Dialect {
  static name = "sqlite-exact";
  static ParserClass = ExactParser;
};
Dialect.register(ExactDialect);
function parseCarrier(carrier) {
  try {
    return Dialect.getOrThrow("sqlite-exact").parseOne(carrier.text);
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new QueryError("SQL_NOT_PARSED", reason.replace(/\. Line \d+, Col: \d+\.$/, ""));
  }
}
function child(node2, key2) {
  const value = node2.args[key2];
  return value instanceof Expression ? value : null;
}
function need(node2, key2) {
  const value = child(node2, key2);
  if (value === null) throw new QueryError("SQL_NOT_PARSED", `${node2.key} without ${key2}`);
  return value;
}
function children(node2, key2) {
  const value = node2.args[key2];
  if (!Array.isArray(value)) return [];
  return value.filter((item) => item instanceof Expression);
}
function textOf3(node2, key2) {
  const value = node2.args[key2];
  return typeof value === "string" ? value : "";
}
function unwrap(node2) {
  return node2.key === "paren" ? unwrap(need(node2, "this")) : node2;
}
var PATTERNS = [
  ["space", /(?:[ \t\n\f\r\ufeff]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/y],
  ["blob", /[xX]'(?:[0-9a-fA-F]{2})*'/y],
  ["string", /'(?:[^']|'')*'/y],
  ["quoted", /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ["number", /0[xX][0-9a-fA-F]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
  ["parameter", /\?\d*|[:@$][A-Za-z_0-9]+/y],
  ["word", /[A-Za-z_\u0080-\uffff][A-Za-z_0-9$\u0080-\uffff]*/y],
  ["operator", /->>|->|\|\||<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=.,();]/y]
];
function tokenize(sql2) {
  const tokens = [];
  let at = 0;
  while (at < sql2.length) {
    const [kind2, raw] = match(sql2, at);
    if (kind2 !== "space") tokens.push(toToken(kind2, raw, at));
    at += raw.length;
  }
  return tokens;
}
function match(sql2, at) {
  for (const [kind2, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(sql2);
    if (found) return [kind2, found[0]];
  }
  throw new QueryError("SQL_NOT_PARSED", unreadable(sql2[at] ?? ""), sql2.slice(at, at + 20));
}
function unreadable(character) {
  return /['"`[]/.test(character) ? `a ${character} that is never closed` : `unexpected character ${character}`;
}
function toToken(kind2, raw, start) {
  const text2 = decode(kind2, raw);
  return {
    kind: kind2,
    text: text2,
    upper: kind2 === "word" ? text2.toUpperCase() : text2,
    quote: kind2 === "quoted" ? quoteOf(raw) : null,
    start,
    end: start + raw.length
  };
}
function decode(kind2, raw) {
  if (kind2 === "string") return raw.slice(1, -1).replaceAll("''", "'");
  if (kind2 === "blob") return raw.slice(2, -1).toUpperCase();
  if (kind2 !== "quoted") return raw;
  const quote = quoteOf(raw);
  const inside = raw.slice(1, -1);
  return quote === "[" ? inside : inside.replaceAll(quote + quote, quote);
}
function quoteOf(raw) {
  return raw[0] === '"' ? '"' : raw[0] === "`" ? "`" : "[";
}
var RESERVED = new Set(
  `ALL ALTER AND AS BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE DISTINCT
   DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN
   LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES SELECT SET TABLE THEN TO TRANSACTION UNION
   UNIQUE UPDATE USING VALUES WHEN WHERE`.split(/\s+/)
);
var JOIN_WORDS = /* @__PURE__ */ new Set(["CROSS", "FULL", "INNER", "LEFT", "NATURAL", "OUTER", "RIGHT"]);
var PATTERN_WORDS = /* @__PURE__ */ new Set(["LIKE", "GLOB", "REGEXP", "MATCH"]);
var FRAME_WORDS = new Set(
  "ROWS RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING CURRENT ROW EXCLUDE NO OTHERS TIES".split(" ")
);
var CURRENT_WORDS = /* @__PURE__ */ new Set(["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"]);
function swapLimits(out2) {
  const result = [...out2];
  for (let at = result.indexOf("LIMIT"); at >= 0; at = result.indexOf("LIMIT", at + 1)) {
    let depth = 0;
    let comma = -1;
    let word = -1;
    let end = at + 1;
    for (; end < result.length; end++) {
      if (result[end] === "(") depth++;
      if (result[end] === ")" && depth-- === 0) break;
      if (result[end] === "," && depth === 0) comma = end;
      if (result[end] === "OFFSET" && depth === 0) word = end;
    }
    const between = Math.max(comma, word);
    if (between < 0) {
      result.splice(at + 1, end - at - 1, ...bracketed(result.slice(at + 1, end)));
      continue;
    }
    const first = bracketed(result.slice(at + 1, between));
    const second = bracketed(result.slice(between + 1, end));
    const [count3, offset] = comma < 0 ? [first, second] : [second, first];
    result.splice(at + 1, end - at - 1, ...count3, "OFFSET", ...offset);
  }
  return result;
}
function bracketed(tokens) {
  return tokens.length > 1 ? ["(", ...tokens, ")"] : tokens;
}
function expandWindows(tokens) {
  let result = [...tokens];
  for (let at = result.findLastIndex(isClause); at >= 0; at = result.findLastIndex(isClause)) {
    const { windows, end } = readClause(result, at);
    const start = selectBefore(result, at);
    const stop = endOfSelect(result, end);
    const select = [...result.slice(start, at), ...result.slice(end, stop)];
    result = [...result.slice(0, start), ...useIn(select, windows), ...result.slice(stop)];
  }
  return result;
}
function isClause(token, at, tokens) {
  return token.kind === "word" && token.upper === "WINDOW" && isName(tokens[at + 1]) && tokens[at + 2]?.upper === "AS" && tokens[at + 3]?.text === "(";
}
function readClause(tokens, at) {
  const windows = [];
  let next = at + 1;
  for (; ; ) {
    const name3 = tokens[next]?.text ?? "";
    const close = closing(tokens, next + 2);
    const definition = based(tokens.slice(next + 3, close), windows);
    windows.push({ name: name3.toLowerCase(), definition });
    next = close + 1;
    if (tokens[next]?.text !== ",") return { windows, end: next };
    next++;
  }
}
function endOfSelect(tokens, from) {
  let depth = 0;
  const end = tokens.findIndex((token, i) => {
    if (i < from || token.kind !== "operator") return false;
    if (token.text === "(") depth++;
    return token.text === ")" && depth-- === 0;
  });
  return end < 0 ? tokens.length : end;
}
function selectBefore(tokens, from) {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token.kind === "operator" && token.text === ")") depth++;
    if (token.kind === "operator" && token.text === "(") depth--;
    if (depth === 0 && token.kind === "word" && token.upper === "SELECT") return at;
  }
  return 0;
}
function useIn(tokens, windows) {
  const result = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    result.push(token);
    if (token.kind !== "word" || token.upper !== "OVER" || tokens[at - 1]?.text !== ")") continue;
    const next = tokens[at + 1];
    if (next?.text === "(" && next.kind === "operator") {
      const close = closing(tokens, at + 1);
      result.push(next, ...based(tokens.slice(at + 2, close), windows), tokens[close]);
      at = close;
    } else if (next !== void 0 && isName(next)) {
      const named = windows.find(({ name: name3 }) => name3 === next.text.toLowerCase());
      if (!named) throw new QueryError("SQL_NOT_BOUND", `no window is called ${next.text}`, next.text);
      result.push(bracket("(", next), ...named.definition, bracket(")", next));
      at++;
    }
  }
  return result;
}
function based(definition, windows) {
  const [first, ...rest2] = definition;
  const base = isName(first) && windows.find(({ name: name3 }) => name3 === first.text.toLowerCase());
  return base ? [...base.definition, ...rest2] : definition;
}
function closing(tokens, open) {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at];
    if (token.kind !== "operator") continue;
    if (token.text === "(") depth++;
    if (token.text === ")" && --depth === 0) return at;
  }
  throw new QueryError("SQL_NOT_PARSED", "unbalanced parenthesis", "(");
}
function isName(token) {
  return token?.kind === "word" || token?.kind === "quoted";
}
function bracket(text2, { start, end }) {
  return { kind: "operator", text: text2, upper: text2, quote: null, start, end };
}
function carry(sql2) {
  const written = tokenize(sql2);
  while (written.at(-1)?.text === ";" && written.at(-1)?.kind === "operator") written.pop();
  const tokens = expandWindows(written);
  const writer = new Writer(sql2, tokens);
  return { text: writer.write(), tokens, castTypes: writer.castTypes };
}
var Writer = class extends TokenCursor {
  castTypes = /* @__PURE__ */ new Map();
  /** Where the rows of VALUES end that are carried as a table. */
  valuesEnd = -1;
  write() {
    while (this.at < this.tokens.length) {
      const token = this.tokens[this.at];
      switch (token.kind) {
        case "string":
          this.string(token);
          break;
        case "number":
        case "blob":
          this.emit(String(this.at), true);
          break;
        case "quoted":
          this.name(token);
          break;
        case "word":
          this.word(token);
          break;
        case "operator":
          this.operator(token);
          break;
        case "parameter":
          throw this.unsupported("a parameter");
      }
      if (this.at === this.valuesEnd) this.emit(")", true);
      this.at++;
    }
    return swapLimits(this.out).join(" ");
  }
  emit(text2, operandEnded) {
    this.out.push(text2);
    this.operandEnded = operandEnded;
  }
  /** One at a time, since parentheses are counted later. */
  emitEach(texts, operandEnded) {
    for (const text2 of texts.split(" ")) this.emit(text2, operandEnded);
  }
  /** A string is a literal, but a name where only a name is allowed: as a table or an alias, or next to a dot. */
  string(token) {
    const isTable = ["FROM", "JOIN"].includes(this.out.at(-1) ?? "");
    if (isTable || this.operandEnded || this.peekIs(-1, "AS", ".") || this.peekIs(1, ".")) this.name(token);
    else this.emit(String(this.at), true);
  }
  name(token) {
    if (this.peekIs(1, "(") && !this.peekIs(-1, ".") && !this.operandEnded && !this.isCteName()) {
      this.emit(`f_${token.text.toLowerCase()}`, false);
      return;
    }
    const mark = token.quote === '"' ? "d" : "i";
    this.emit(`"${mark}${this.at}:${token.text.replaceAll('"', "'")}"`, true);
  }
  operator(token) {
    switch (token.text) {
      case "(": {
        const opener = this.openerKind();
        const wrapped = this.peekIs(1, "WITH") && !this.peekIs(-1, "FROM", "JOIN", "AS", "MATERIALIZED");
        this.frames.push({ opener, cases: 0, limit: false, wrapped });
        if (this.peekIs(-1, "IN") && this.peekIs(1, ")")) return this.emitEach("( f_nothing ( )", false);
        const opening = opener === "in_query" ? "( f_query ( (" : opener === "join" ? "" : "(";
        return this.emitEach(wrapped ? `${opening} SELECT * FROM (` : opening, false);
      }
      case ")": {
        const frame = this.frames.pop();
        if (frame === void 0 || this.frames.length === 0) {
          throw new QueryError("SQL_NOT_PARSED", "unbalanced parenthesis", ")");
        }
        const closing2 = frame.opener === "in_query" ? ") ) )" : frame.opener === "join" ? "" : ")";
        return this.emitEach(frame.wrapped ? `) ${closing2}` : closing2, true);
      }
      case ";":
        throw this.unsupported("more than one statement");
      case "->":
      case "->>":
        return this.emit(`|| f_arrow ( ${this.at} ) ||`, false);
      case "+":
        if (this.operandEnded) return this.emit("+", false);
        if (this.peek(1)?.kind === "number") return;
        return this.emit("|/", false);
      case "*":
        return this.emit("*", !this.operandEnded);
      case "==":
        return this.emit("=", false);
      case "<>":
        return this.emit("!=", false);
      default:
        return this.emit(token.text, false);
    }
  }
  openerKind() {
    const previous = this.tokens[this.at - 1];
    const isFirst = previous?.upper === "FROM" || previous?.text === "(" && this.frame.opener === "join";
    if (isFirst && !this.peekIs(1, "SELECT", "WITH", "VALUES")) return "join";
    if (previous?.kind !== "word") return "other";
    if (previous.upper === "CAST") return "cast";
    if (previous.upper === "IN" && this.peekIs(1, "SELECT", "WITH", "VALUES")) return "in_query";
    return previous.upper === "OVER" && this.out.at(-1) === "OVER" ? "window" : "other";
  }
  word(token) {
    if (this.peekIs(-1, ".") || this.peekIs(1, ".")) return this.name(token);
    const word = token.upper;
    if (RESERVED.has(word)) return this.reserved(word);
    if (JOIN_WORDS.has(word) && this.isJoinWord()) return this.emit(word, false);
    if (PATTERN_WORDS.has(word) && this.isPatternOperator()) {
      if (word === "MATCH") throw this.unsupported("MATCH");
      return this.emit(word === "REGEXP" ? "RLIKE" : word, false);
    }
    if (word === "CAST" && this.peekIs(1, "(")) return this.emit("f_cast", false);
    if (CURRENT_WORDS.has(word) && !this.operandEnded) {
      this.emit(`f_${word.toLowerCase()}()`, true);
      return;
    }
    if (this.isContextualKeyword(word)) return this.contextual(word);
    this.name(token);
  }
  reserved(word) {
    switch (word) {
      case "CASE":
        this.frame.cases++;
        return this.emit(word, false);
      case "NULL":
        return this.emit(word, true);
      case "DISTINCT":
        if (this.out.at(-1) === "(" && this.out.at(-2)?.startsWith("f_")) {
          return this.emit("f_distinct ( ) ,", false);
        }
        return this.emit(word, false);
      case "LIMIT":
        this.frame.limit = true;
        return this.emit(word, false);
      case "ISNULL":
        return this.emit("IS NULL", true);
      case "NOTNULL":
        return this.emit("IS NOT NULL", true);
      case "NOT":
        if (this.operandEnded && this.peekIs(1, "NULL")) {
          this.at++;
          return this.emit("IS NOT NULL", true);
        }
        if (this.operandEnded && this.peekIs(1, "INDEXED")) {
          this.at++;
          return;
        }
        return this.emit(word, false);
      case "VALUES":
        return this.values();
      case "IS":
        return this.is();
      case "COLLATE":
        return this.collate();
      case "AS":
        if (this.frame.opener === "cast" && this.frame.cases === 0) return this.castType();
        return this.emit(word, false);
      default:
        return this.emit(word, false);
    }
  }
  /** sqlglot reads VALUES only as a table; elsewhere it becomes a SELECT from one. */
  values() {
    if (this.peekIs(-1, "(") && !this.peekIs(-2, "AS", "MATERIALIZED")) return this.emit("VALUES", false);
    let last = this.at;
    do
      last = this.closing(last + 1);
    while (this.tokens[last + 1]?.text === ",");
    this.valuesEnd = last;
    this.emitEach("SELECT * FROM ( VALUES", false);
  }
  /** sqlglot has IS only before NULL; elsewhere ILIKE, which SQLite lacks, carries it. */
  is() {
    let negated2 = false;
    if (this.peekIs(1, "NOT")) {
      negated2 = true;
      this.at++;
    }
    if (this.peekIs(1, "DISTINCT") && this.peekIs(2, "FROM")) {
      negated2 = !negated2;
      this.at += 2;
    }
    const operator = this.peekIs(1, "NULL") ? negated2 ? "IS NOT" : "IS" : negated2 ? "NOT ILIKE" : "ILIKE";
    this.emit(operator, false);
  }
  /** `x || f_collate(n)`, n being the token of the collation. */
  collate() {
    this.at++;
    this.emit(`|| f_collate ( ${this.at} )`, true);
  }
  /** `f_cast(x, n)`, n being the AS token. */
  castType() {
    const as = this.at;
    let depth = 0;
    let end = as + 1;
    for (; end < this.tokens.length; end++) {
      const text2 = this.tokens[end]?.text;
      if (text2 === "(") depth++;
      if (text2 === ")" && depth-- === 0) break;
    }
    const last = this.tokens[end - 1];
    this.castTypes.set(as, this.sql.slice(this.tokens[as + 1].start, last.end).toUpperCase());
    this.emit(`, ${as}`, true);
    this.at = end - 1;
  }
  contextual(word) {
    if (word === "END") this.frame.cases--;
    if (word === "GROUPS" || word === "EXCLUDE") throw this.unsupported(`${word} in a window frame`);
    if (word === "MATERIALIZED") {
      if (this.peekIs(-1, "NOT")) this.out.pop();
      return;
    }
    this.emit(word, word === "END" || word === "ROW" || word === "ASC" || word === "DESC");
  }
};
function readName(carrier, identifier2) {
  const found = /^([id])(\d+):/.exec(textOf3(identifier2, "this"));
  const token = carrier.tokens[Number(found?.[2])];
  if (!found || !token) throw new QueryError("SQL_NOT_PARSED", "a name was expected", identifier2.sql());
  return { name: token.text, doubleQuoted: found[1] === "d", token };
}
function readToken(carrier, literal) {
  const token = carrier.tokens[Number(textOf3(literal, "this"))];
  if (!token) throw new QueryError("SQL_NOT_PARSED", "a literal was expected", literal.sql());
  return token;
}
function readFunction(node2) {
  if (node2.key !== "anonymous") return null;
  const name3 = textOf3(node2, "this");
  return name3.startsWith("f_") ? name3.slice(2) : null;
}

// sql/bind-expr.ts
function bindExpr(tree, context) {
  const handler = HANDLERS[tree.key];
  if (!handler) throw new QueryError("SQL_UNSUPPORTED", `the expression ${tree.key} is not read`, tree.key);
  return handler(tree, context);
}
var binary = (op) => (tree, context) => node({ kind: "binary", op, left: left(tree, context), right: right(tree, context) });
var compare = (op) => (tree, context) => node({ kind: "compare", op, left: left(tree, context), right: right(tree, context) });
var like = (op) => (tree, context) => node({
  kind: "like",
  op,
  expr: left(tree, context),
  pattern: right(tree, context),
  escape: optional(tree, "escape", context),
  negated: false
});
var HANDLERS = {
  paren: (tree, context) => left(tree, context),
  literal: (tree, { binder }) => bindLiteral(readToken(binder.carrier, tree)),
  null: () => NULL_LITERAL,
  boolean: (tree) => integerLiteral(tree.args.this === true ? 1n : 0n),
  column: bindColumn,
  identifier: bindColumn,
  tuple: (tree, context) => node({ kind: "row", items: children(tree, "expressions").map((item) => bindExpr(item, context)) }),
  neg: (tree, context) => node({ kind: "unary", op: "-", expr: left(tree, context) }),
  // `|/` carries the unary plus.
  sqrt: (tree, context) => node({ kind: "unary", op: "+", expr: left(tree, context) }),
  bitwisenot: (tree, context) => node({ kind: "unary", op: "~", expr: left(tree, context) }),
  not: bindNot,
  and: (tree, context) => conjunction([left(tree, context), right(tree, context)]),
  or: (tree, context) => disjunction([left(tree, context), right(tree, context)]),
  add: binary("+"),
  sub: binary("-"),
  mul: binary("*"),
  div: binary("/"),
  mod: binary("%"),
  bitwiseand: binary("&"),
  bitwiseor: binary("|"),
  bitwiseleftshift: binary("<<"),
  bitwiserightshift: binary(">>"),
  dpipe: bindConcatenation,
  eq: compare("="),
  neq: compare("!="),
  lt: compare("<"),
  lte: compare("<="),
  gt: compare(">"),
  gte: compare(">="),
  // ILIKE carries IS before anything but NULL.
  ilike: (tree, context) => bindIs(tree, false, context),
  is: (tree, context) => node({ kind: "is_null", expr: left(tree, context), negated: false }),
  between: (tree, context) => node({
    kind: "between",
    expr: left(tree, context),
    low: bindExpr(need(tree, "low"), context),
    high: bindExpr(need(tree, "high"), context),
    negated: false
  }),
  like: like("like"),
  glob: like("glob"),
  regexplike: like("regexp"),
  in: bindIn,
  exists: (tree, context) => node({ kind: "exists", query: subquery(need(tree, "this"), context), negated: false }),
  subquery: (tree, context) => node({ kind: "scalar_query", query: subquery(tree, context) }),
  select: (tree, context) => node({ kind: "scalar_query", query: subquery(tree, context) }),
  case: bindCase,
  anonymous: bindAnonymous,
  filter: (tree, context) => {
    const aggregate = left(tree, context);
    if (aggregate.kind !== "aggregate") throw new QueryError("SQL_UNSUPPORTED", "FILTER needs an aggregate");
    return node({ ...aggregate, filter: bindExpr(filterCondition(tree), context) });
  },
  window: bindWindow
};
function left(tree, context) {
  return bindExpr(need(tree, "this"), context);
}
function right(tree, context) {
  return bindExpr(need(tree, "expression"), context);
}
function optional(tree, key2, context) {
  const found = child(tree, key2);
  return found ? bindExpr(found, context) : null;
}
function subquery(tree, context) {
  return bindQuery(tree, { binder: context.binder, outer: context.scope, ctes: context.ctes });
}
function bindColumn(tree, { binder, scope }) {
  const identifier2 = tree.key === "identifier" ? tree : need(tree, "this");
  const qualifier = tree.key === "identifier" ? null : child(tree, "table");
  const { name: name3, doubleQuoted, token } = readName(binder.carrier, identifier2);
  const table = qualifier ? readName(binder.carrier, qualifier).name : null;
  const found = scope.resolve(table, name3);
  if (found !== null) return found;
  if (table === null && doubleQuoted) {
    return textLiteral(name3, { start: token.start, end: token.end });
  }
  if (table === null && /^(true|false)$/i.test(name3)) return integerLiteral(/^t/i.test(name3) ? 1n : 0n);
  const clause = table === null ? name3 : `${table}.${name3}`;
  const reason = table !== null && !scope.hasSource(table) ? `no table is called ${table}` : `no column ${clause}`;
  throw new QueryError("SQL_NOT_BOUND", reason, clause);
}
function bindNot(tree, context) {
  const inner = need(tree, "this");
  if (inner.key === "ilike") return bindIs(inner, true, context);
  return negate(bindExpr(inner, context));
}
function bindIs(tree, negated2, context) {
  const op = negated2 ? "is_not" : "is";
  const operand2 = need(tree, "expression");
  const value = right(tree, context);
  if (operand2.key !== "column" || value.kind !== "literal" || value.type !== "integer") {
    return node({ kind: "compare", op, left: left(tree, context), right: value });
  }
  const counts2 = node({ kind: "not", expr: left(tree, context) });
  return node({ kind: "compare", op, left: counts2, right: integerLiteral(1n - value.value) });
}
function bindConcatenation(tree, context) {
  const before = need(tree, "this");
  const arrow = before.key === "dpipe" ? need(before, "expression") : null;
  if (arrow?.key === "anonymous" && readFunction(arrow) === "arrow") {
    const written = children(arrow, "expressions")[0];
    const op = written && readToken(context.binder.carrier, written).text;
    if (op !== "->" && op !== "->>") throw new QueryError("SQL_NOT_PARSED", "an arrow without its token");
    return node({ kind: "binary", op, left: left(before, context), right: right(tree, context) });
  }
  const operand2 = need(tree, "expression");
  if (operand2.key === "anonymous" && readFunction(operand2) === "collate") {
    const name3 = children(operand2, "expressions")[0];
    if (!name3) throw new QueryError("SQL_NOT_PARSED", "a COLLATE without a name");
    const collation = readToken(context.binder.carrier, name3).text.toUpperCase();
    return node({ kind: "collate", expr: left(tree, context), collation });
  }
  return node({ kind: "binary", op: "||", left: left(tree, context), right: right(tree, context) });
}
function bindIn(tree, context) {
  const expr = left(tree, context);
  const items = children(tree, "expressions");
  const [first] = items;
  if (first?.key === "anonymous" && readFunction(first) === "query") {
    const [query2] = children(first, "expressions");
    if (!query2) throw new QueryError("SQL_NOT_PARSED", "an IN without a query");
    const bound = subquery(unwrap(query2), context);
    const items2 = literalsOf(bound);
    return items2 === null ? node({ kind: "in_query", expr, query: bound, negated: false }) : node({ kind: "in_list", expr, items: items2, negated: false });
  }
  if (first?.key === "anonymous" && readFunction(first) === "nothing") {
    return node({ kind: "in_list", expr, items: [], negated: false });
  }
  if (child(tree, "field") || child(tree, "unnest")) {
    throw new QueryError("SQL_UNSUPPORTED", "IN with a table is not read", "IN");
  }
  return node({ kind: "in_list", expr, items: items.map((item) => bindExpr(item, context)), negated: false });
}
function literalsOf(query2) {
  if (query2.kind !== "values" || query2.with.length > 0) return null;
  const items = query2.rows.flatMap((row2) => row2.length === 1 ? row2 : []);
  return items.length === query2.rows.length && items.every(({ kind: kind2 }) => kind2 === "literal") ? items : null;
}
function bindCase(tree, context) {
  return node({
    kind: "case",
    operand: optional(tree, "this", context),
    whens: children(tree, "ifs").map(
      (branch) => node({
        when: bindExpr(need(branch, "this"), context),
        result: bindExpr(need(branch, "true"), context)
      })
    ),
    else: optional(tree, "default", context)
  });
}
function bindAnonymous(tree, context) {
  const name3 = readFunction(tree);
  if (name3 === null) throw new QueryError("SQL_NOT_PARSED", "a function without a name");
  return bindCall(name3, tree, context);
}
var AGGREGATES = new Set(
  "avg count group_concat json_group_array json_group_object max min string_agg sum total median percentile percentile_cont percentile_disc".split(" ")
);
var CURRENT = {
  current_date: [0, 10],
  current_time: [11, 19],
  current_timestamp: [0, 19]
};
var TIME_VALUE_AT = {
  date: 0,
  time: 0,
  datetime: 0,
  julianday: 0,
  unixepoch: 0,
  strftime: 1
};
var RANDOM = new Set("random randomblob changes last_insert_rowid total_changes sqlite_version".split(" "));
function bindCall(name3, call2, context) {
  const { binder } = context;
  const given = children(call2, "expressions");
  const order = given.find((arg) => arg.key === "order");
  const args = given.map((arg) => arg.key === "order" ? need(arg, "this") : arg);
  if (name3 === "cast") {
    const as = args[1];
    const type = as && binder.carrier.castTypes.get(binder.carrier.tokens.indexOf(readToken(binder.carrier, as)));
    if (!args[0] || !type) throw new QueryError("SQL_NOT_PARSED", "a CAST without a type");
    return node({ kind: "cast", expr: bindExpr(args[0], context), type });
  }
  const current = CURRENT[name3];
  if (current) return pinnedLiteral(binder.referenceTime.slice(...current));
  if (RANDOM.has(name3)) throw new QueryError("NONDETERMINISTIC", `${name3}() has no one answer`, name3);
  const distinct = args[0]?.key === "anonymous" && readFunction(args[0]) === "distinct";
  const plain4 = args.slice(distinct ? 1 : 0).filter((arg) => arg.key !== "star");
  if (isAggregate(name3, plain4.length)) {
    return node({
      kind: "aggregate",
      name: name3,
      args: plain4.map((arg) => bindExpr(arg, context)),
      star: args.some((arg) => arg.key === "star"),
      distinct,
      filter: null,
      orderBy: order ? bindOrderTerms(order, (term) => bindExpr(term, context)) : []
    });
  }
  if (order) throw new QueryError("SQL_NOT_PARSED", "ORDER BY needs an aggregate", "ORDER BY");
  const bound = plain4.map((arg) => bindExpr(arg, context));
  if (name3 === "iif" || name3 === "if") return bindIif(bound);
  if (name3 in TIME_VALUE_AT)
    return node({ kind: "call", name: name3, args: pinTime(name3, bound, binder.referenceTime) });
  return node({ kind: "call", name: name3, args: bound });
}
function isAggregate(name3, args) {
  if (!AGGREGATES.has(name3)) return false;
  return args === 1 || name3 !== "min" && name3 !== "max";
}
function bindIif(args) {
  const whens = [];
  for (let i = 0; i + 1 < args.length; i += 2)
    whens.push({ when: args[i], result: args[i + 1] });
  return node({
    kind: "case",
    operand: null,
    whens,
    else: args.length % 2 === 1 ? args.at(-1) : null
  });
}
function pinTime(name3, args, referenceTime) {
  const at = TIME_VALUE_AT[name3] ?? 0;
  const value = args[at];
  const pinned = pinnedLiteral(referenceTime);
  if (value === void 0) return [...args, pinned];
  const isNow = value.kind === "literal" && value.type === "text" && value.value.toLowerCase() === "now";
  return isNow ? args.map((arg, i) => i === at ? pinned : arg) : [...args];
}
function filterCondition(filter2) {
  const where = child(filter2, "expression");
  const condition2 = where && child(where, "this");
  if (!condition2) throw new QueryError("SQL_NOT_PARSED", "a FILTER without a condition");
  return condition2;
}
function bindWindow(over, context) {
  const filter2 = need(over, "this").key === "filter" ? need(over, "this") : null;
  const call2 = filter2 ? need(filter2, "this") : need(over, "this");
  const name3 = readFunction(call2);
  if (name3 === null) throw new QueryError("SQL_NOT_PARSED", "a window without a function");
  const args = children(call2, "expressions");
  const order = child(over, "order");
  const spec = child(over, "spec");
  return node({
    kind: "window",
    name: name3,
    args: args.filter((arg) => arg.key !== "star").map((arg) => bindExpr(arg, context)),
    star: args.some((arg) => arg.key === "star"),
    filter: filter2 ? bindExpr(filterCondition(filter2), context) : null,
    partitionBy: children(over, "partition_by").map((expr) => bindExpr(expr, context)),
    orderBy: order ? bindOrderTerms(order, (expr) => bindExpr(expr, context)) : [],
    frame: spec ? bindFrame(spec, context) : null
  });
}
function bindOrderTerms(order, bindTerm) {
  return children(order, "expressions").map((term) => {
    const ordered2 = term.key === "ordered";
    const descending = ordered2 && term.args.desc === true;
    const nullsFirst = ordered2 ? term.args.nulls_first === true : true;
    const nulls = nullsFirst === !descending ? null : nullsFirst ? "first" : "last";
    return node({
      expr: bindTerm(ordered2 ? need(term, "this") : term),
      direction: descending ? "desc" : "asc",
      nulls
    });
  });
}
function bindFrame(spec, context) {
  const mode = textOf3(spec, "kind").toLowerCase();
  if (mode !== "rows" && mode !== "range" && mode !== "groups") {
    throw new QueryError("SQL_UNSUPPORTED", "this window frame is not read", mode);
  }
  const start = bindBound(spec, "start", context) ?? { at: "unbounded_preceding" };
  const end = bindBound(spec, "end", context) ?? { at: "current_row" };
  const exclude = textOf3(spec, "exclude").toLowerCase().replace(" ", "_");
  return node({
    mode,
    start,
    end,
    exclude: exclude === "current_row" || exclude === "group" || exclude === "ties" ? exclude : null
  });
}
function bindBound(spec, key2, context) {
  const side = textOf3(spec, `${key2}_side`).toLowerCase();
  const offset = child(spec, key2);
  if (offset)
    return { at: side === "following" ? "following" : "preceding", offset: bindExpr(offset, context) };
  const text2 = textOf3(spec, key2).toUpperCase();
  if (text2 === "CURRENT ROW") return { at: "current_row" };
  if (text2 === "UNBOUNDED")
    return { at: side === "following" ? "unbounded_following" : "unbounded_preceding" };
  return null;
}
var MAX_INTEGER = 2n ** 63n - 1n;
function bindLiteral(token) {
  const span = { start: token.start, end: token.end };
  switch (token.kind) {
    case "string":
    case "quoted":
      return textLiteral(token.text, span);
    case "blob":
      return blobLiteral(token.text, span);
    case "number": {
      const digits = token.text.replaceAll("_", "");
      if (/^0x/i.test(digits)) return integerLiteral(BigInt.asIntN(64, BigInt(digits)), span);
      if (!/^\d+$/.test(digits)) return realLiteral(digits, span);
      const value = BigInt(digits);
      return value <= MAX_INTEGER ? integerLiteral(value, span) : realLiteral(digits, span);
    }
    default:
      throw new QueryError("SQL_NOT_PARSED", "a literal was expected", token.text);
  }
}
var Binder = class {
  carrier;
  /** `YYYY-MM-DD HH:MM:SS`. */
  referenceTime;
  tables;
  cteNames = /* @__PURE__ */ new Set();
  sources = 0;
  constructor(carrier, catalog2, referenceTime) {
    this.carrier = carrier;
    this.referenceTime = referenceTime;
    this.tables = new Map(catalog2.tables.map((table) => [foldName(table.name), table]));
  }
  table(name3) {
    return this.tables.get(foldName(name3)) ?? null;
  }
  nextSource() {
    this.sources++;
    return `T${this.sources}`;
  }
  /** The name itself unless another CTE or a table has it. */
  uniqueCteName(name3) {
    let unique = name3;
    for (let n = 2; this.cteNames.has(foldName(unique)) || this.table(unique) !== null; n++)
      unique = `${name3}_${n}`;
    this.cteNames.add(foldName(unique));
    return unique;
  }
};
var ROWIDS = /* @__PURE__ */ new Set(["rowid", "oid", "_rowid_"]);
var Scope = class {
  parent;
  sources = [];
  merged = [];
  /** Result columns by folded alias, once they are bound. */
  aliases = /* @__PURE__ */ new Map();
  constructor(parent) {
    this.parent = parent;
  }
  /** As SQLite resolves the name, here or in an enclosing scope; null when there is none. */
  resolve(table, name3) {
    for (let scope = this; scope !== null; scope = scope.parent) {
      const found = scope.resolveHere(table, name3);
      if (found !== null) return found;
    }
    return null;
  }
  /** Whether the name qualifies columns here or outside. */
  hasSource(alias) {
    return this.sources.some((source) => same(source.alias, alias)) || (this.parent?.hasSource(alias) ?? false);
  }
  /** The columns of `*` or `table.*`. */
  star(table) {
    const sources = this.sources.filter((source) => table === null || same(source.alias, table));
    if (sources.length === 0) throw new QueryError("SQL_NOT_BOUND", `no table for ${table ?? ""}*`, table);
    return sources.flatMap(
      (source) => source.columns.filter((name3) => table !== null || !this.isMerged(source.id, name3)).map((name3) => column(source.id, name3))
    );
  }
  isMerged(source, name3) {
    return this.merged.some((item) => item.right === source && same(item.name, name3));
  }
  resolveHere(table, name3) {
    const candidates = this.sources.filter((source) => table === null || same(source.alias, table));
    const matches = candidates.flatMap((source) => {
      const found = source.columns.find((column2) => same(column2, name3));
      if (found === void 0 || table === null && this.isMerged(source.id, name3)) return [];
      return [column(source.id, found)];
    });
    const [first] = matches;
    if (first !== void 0) return first;
    const [only2] = candidates;
    if (ROWIDS.has(name3.toLowerCase()) && candidates.length === 1 && only2?.table?.has_rowid) {
      return column(only2.id, "rowid");
    }
    return table === null ? this.aliases.get(foldName(name3)) ?? null : null;
  }
};
function column(source, name3) {
  return node({ kind: "column", source, name: name3 });
}
function same(a, b) {
  return foldName(a) === foldName(b);
}
function foldName(name3) {
  return name3.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

// sql/bind-query.ts
function bindQuery(tree, context) {
  const body = unwrapQuery(tree);
  const { ctes, bound } = bindCtes(body, context);
  const inner = { ...context, ctes };
  switch (body.key) {
    case "select":
      return bindSelect(body, bound, modifiersOf(body), inner);
    case "values":
      return bindValues(body, bound, inner);
    case "union":
    case "intersect":
    case "except":
      return bindSetOperation(body, bound, inner);
    default:
      throw new QueryError("SQL_UNSUPPORTED", `a statement of kind ${body.key} is not read`, body.key);
  }
}
function bindLimit({ limit, offset }, context) {
  if (!limit) return null;
  const { binder, ctes } = context;
  const bindCount = (tree) => bindExpr(need(tree, "this"), { binder, scope: new Scope(null), ctes });
  return node({ count: bindCount(limit), offset: offset ? bindCount(offset) : null });
}
function unwrapQuery(tree) {
  const body = unwrap(tree);
  if (body.key === "subquery" && !child(body, "order") && !child(body, "limit"))
    return unwrapQuery(need(body, "this"));
  return body;
}
function modifiersOf(tree) {
  return { order: child(tree, "order"), limit: child(tree, "limit"), offset: child(tree, "offset") };
}
var SET_OPERATORS = {
  union: "union",
  intersect: "intersect",
  except: "except"
};
function bindSetOperation(tree, ctes, context) {
  const right2 = unwrapQuery(need(tree, "expression"));
  const left2 = bindQuery(need(tree, "this"), context);
  const op = tree.key === "union" && tree.args.distinct === false ? "union_all" : SET_OPERATORS[tree.key] ?? "union";
  const own = modifiersOf(tree);
  const modifiers = own.order || own.limit ? own : modifiersOf(right2);
  const rightQuery = right2.key === "select" ? bindSelect(right2, [], { order: null, limit: null, offset: null }, context) : bindQuery(right2, context);
  return node({
    kind: "set_operation",
    with: ctes,
    op,
    left: left2,
    right: rightQuery,
    orderBy: modifiers.order ? bindSetOrder(modifiers.order, left2, rightQuery, context) : [],
    limit: bindLimit(modifiers, context)
  });
}
function bindValues(tree, ctes, { binder, outer, ctes: known }) {
  const context = { binder, scope: new Scope(outer), ctes: known };
  const rows = children(tree, "expressions").map(
    (row2) => (row2.key === "tuple" ? children(row2, "expressions") : [unwrap(row2)]).map(
      (cell2) => bindExpr(cell2, context)
    )
  );
  return node({ kind: "values", with: ctes, rows });
}
function bindCtes(body, context) {
  const clause = child(body, "with_");
  if (!clause) return { ctes: context.ctes, bound: [] };
  const { binder } = context;
  const reach = new Map(context.ctes);
  const bound = [];
  for (const item of children(clause, "expressions")) {
    const alias = need(item, "alias");
    const written = readName(binder.carrier, need(alias, "this")).name;
    const renamed2 = children(alias, "columns").map((name4) => readName(binder.carrier, name4).name);
    const name3 = binder.uniqueCteName(written);
    const query2 = need(item, "this");
    const recursive = clause.args.recursive === true && refersTo(query2, written, binder);
    if (recursive) {
      const columns2 = renamed2.length > 0 ? renamed2 : outputNames(bindQuery(firstBranch(query2), { ...context, ctes: reach }));
      reach.set(foldName(written), { name: name3, columns: columns2 });
    }
    const boundQuery = bindQuery(query2, { ...context, ctes: reach });
    const columns = renamed2.length > 0 ? renamed2 : outputNames(boundQuery);
    reach.set(foldName(written), { name: name3, columns });
    bound.push(node({ name: name3, recursive, columns, query: boundQuery }));
  }
  return { ctes: reach, bound };
}
function firstBranch(tree) {
  const body = unwrapQuery(tree);
  return body.key in SET_OPERATORS ? firstBranch(need(body, "this")) : body;
}
function refersTo(tree, name3, binder) {
  for (const found of tree.bfs()) {
    if (found.key !== "table") continue;
    const identifier2 = child(found, "this");
    if (identifier2 && foldName(readName(binder.carrier, identifier2).name) === foldName(name3)) return true;
  }
  return false;
}
function bindSelect(tree, ctes, modifiers, query2) {
  if (child(tree, "windows") || children(tree, "windows").length > 0) {
    throw new QueryError("SQL_UNSUPPORTED", "a WINDOW clause is not read", "WINDOW");
  }
  const scope = new Scope(query2.outer);
  const context = { binder: query2.binder, scope, ctes: query2.ctes };
  const from = bindFrom(tree, context);
  const columns = bindColumns(children(tree, "expressions"), context);
  for (const { alias, expr } of columns) {
    if (alias !== null && !scope.aliases.has(foldName(alias))) scope.aliases.set(foldName(alias), expr);
  }
  const group = child(tree, "group");
  return node({
    kind: "select",
    with: ctes,
    distinct: tree.args.distinct !== void 0 && tree.args.distinct !== null && tree.args.distinct !== false,
    columns,
    from,
    where: condition(tree, "where", context),
    groupBy: group ? children(group, "expressions").map((term) => bindGroupTerm(term, columns, context)) : [],
    having: condition(tree, "having", context),
    orderBy: modifiers.order ? bindOrderTerms(modifiers.order, (term) => bindOrderTerm(term, columns, context)) : [],
    limit: bindLimit(modifiers, query2)
  });
}
function condition(tree, key2, context) {
  const clause = child(tree, key2);
  return clause ? bindExpr(need(clause, "this"), context) : null;
}
function bindColumns(trees, context) {
  const columns = trees.flatMap((tree) => {
    if (tree.key === "star") return context.scope.star(null).map((expr) => ({ expr, alias: null }));
    if (tree.key === "column" && child(tree, "this")?.key === "star") {
      const table = readName(context.binder.carrier, need(tree, "table")).name;
      return context.scope.star(table).map((expr) => ({ expr, alias: null }));
    }
    if (tree.key === "alias") {
      const alias = readName(context.binder.carrier, need(tree, "alias")).name;
      return [{ expr: bindExpr(need(tree, "this"), context), alias }];
    }
    return [{ expr: bindExpr(tree, context), alias: null }];
  });
  const taken = /* @__PURE__ */ new Set();
  return columns.map(({ expr, alias }, i) => {
    const wanted = alias ?? (expr.kind === "column" ? expr.name : `c${i + 1}`);
    let name3 = wanted;
    for (let n = 1; taken.has(foldName(name3)); n++) name3 = `${wanted}:${n}`;
    taken.add(foldName(name3));
    return node({ expr, name: name3, alias });
  });
}
function bindGroupTerm(term, columns, context) {
  return positional(term, columns, context) ?? bindExpr(term, context);
}
function bindOrderTerm(term, columns, context) {
  const position = positional(term, columns, context);
  if (position) return position;
  if (term.key === "column" && !child(term, "table")) {
    const { name: name3 } = readName(context.binder.carrier, need(term, "this"));
    const found = columns.find(({ alias }) => alias !== null && foldName(alias) === foldName(name3));
    if (found) return found.expr;
  }
  return bindExpr(term, context);
}
function positional(term, columns, { binder }) {
  if (term.key !== "literal") return null;
  const token = readToken(binder.carrier, term);
  if (token.kind !== "number" || !/^\d+$/.test(token.text)) return null;
  return columns[Number(token.text) - 1]?.expr ?? null;
}
function bindFrom(select, context) {
  const from = child(select, "from_");
  if (!from) return [];
  const { sources } = context.scope;
  const items = [
    node({ join: "from", source: bindSource(need(from, "this"), context), on: null })
  ];
  const joins = children(select, "joins").map((join3) => {
    const left2 = [...sources];
    const source = bindSource(need(join3, "this"), context);
    return { join: join3, source, merged: mergedCondition(join3, left2, sources.at(-1), context) };
  });
  for (const { join: join3, source, merged: merged2 } of joins)
    items.push(node({ join: joinKind(join3), source, on: merged2 ?? onCondition(join3, context) }));
  return withConditionsInPlace(items);
}
function withConditionsInPlace(items) {
  const place2 = new Map(items.map(({ source }, i) => [source.id, i]));
  const moved2 = [];
  const kept2 = items.map((item, i) => {
    if (item.on === null || !isInner(item)) return item;
    const own = conjuncts(item.on).filter((condition2) => {
      const named = columnsOf(condition2).flatMap(({ source }) => place2.get(source) ?? []);
      const to = Math.max(i, ...named);
      const stays = to === i || !items.slice(i, to + 1).every(isInner);
      if (!stays) moved2.push({ to, condition: condition2 });
      return stays;
    });
    return own.length === 0 ? node({ ...item, on: null }) : node({ ...item, on: conjunction(own) });
  });
  if (moved2.length === 0) return [...items];
  return kept2.map((item, i) => {
    const here = moved2.flatMap(({ to, condition: condition2 }) => to === i ? [condition2] : []);
    return here.length === 0 ? item : node({ ...item, join: "inner", on: conjunction([...conjuncts(item.on), ...here]) });
  });
}
function joinKind(join3) {
  const side = textOf3(join3, "side").toUpperCase();
  const kind2 = textOf3(join3, "kind").toUpperCase();
  if (side === "LEFT") return "left";
  if (side === "RIGHT") return "right";
  if (side === "FULL") return "full";
  if (kind2 === "SEMI" || kind2 === "ANTI")
    throw new QueryError("SQL_UNSUPPORTED", `${kind2} JOIN is not read`, kind2);
  const comma = kind2 === "" && !child(join3, "on") && !textOf3(join3, "method") && children(join3, "using").length === 0;
  return kind2 === "CROSS" || comma ? "cross" : "inner";
}
function mergedCondition(join3, left2, right2, context) {
  const using = children(join3, "using").map((name3) => readName(context.binder.carrier, name3).name);
  if (using.length > 0) return mergeColumns(using, left2, right2, context);
  if (textOf3(join3, "method").toUpperCase() !== "NATURAL") return null;
  const shared = right2.columns.filter((name3) => left2.some((source) => find(source, name3) !== null));
  return shared.length > 0 ? mergeColumns(shared, left2, right2, context) : null;
}
function onCondition(join3, context) {
  const on = child(join3, "on");
  return on && on.key !== "boolean" ? bindExpr(on, context) : null;
}
function mergeColumns(names2, left2, right2, { scope }) {
  const equalities2 = names2.map((name3) => {
    const leftSource = left2.find((source) => find(source, name3) !== null);
    const leftName = leftSource && find(leftSource, name3);
    const rightName = find(right2, name3);
    if (!leftSource || leftName == null || rightName === null) {
      throw new QueryError("SQL_NOT_BOUND", `no column ${name3} on both sides of the join`, name3);
    }
    scope.merged.push({ name: rightName, right: right2.id });
    return node({
      kind: "compare",
      op: "=",
      left: node({ kind: "column", source: leftSource.id, name: leftName }),
      right: node({ kind: "column", source: right2.id, name: rightName })
    });
  });
  return conjunction(equalities2);
}
function find(source, name3) {
  return source.columns.find((column2) => foldName(column2) === foldName(name3)) ?? null;
}
function bindSource(tree, context) {
  if (tree.key === "alias") {
    const alias2 = readName(context.binder.carrier, need(tree, "alias")).name;
    return bindNamedSource(need(tree, "this"), alias2, context);
  }
  const alias = child(tree, "alias");
  const name3 = alias && (alias.key === "identifier" ? alias : child(alias, "this"));
  return bindNamedSource(tree, name3 ? readName(context.binder.carrier, name3).name : null, context);
}
function bindNamedSource(tree, alias, context) {
  const { binder, scope, ctes } = context;
  const id = binder.nextSource();
  if (tree.key === "table") {
    const call2 = need(tree, "this");
    if (call2.key === "anonymous") {
      const called = readFunction(call2) ?? "";
      throw new QueryError("SQL_UNSUPPORTED", `the function ${called}() is not read as a table`, called);
    }
    const { name: name3 } = readName(binder.carrier, need(tree, "this"));
    const cte = child(tree, "db") ? void 0 : ctes.get(foldName(name3));
    if (cte) {
      scope.sources.push({ id, alias: alias ?? name3, columns: cte.columns, table: null });
      return node({ kind: "cte", id, name: cte.name, alias: alias ?? name3 });
    }
    const table = binder.table(name3);
    if (!table) throw new QueryError("SQL_NOT_BOUND", `no table is called ${name3}`, name3);
    scope.sources.push({
      id,
      alias: alias ?? name3,
      columns: table.columns.map((column2) => column2.name),
      table
    });
    return node({ kind: "table", id, table: table.name, alias: alias ?? name3 });
  }
  if (tree.key === "subquery" || tree.key === "values" || tree.key === "paren") {
    const query2 = bindQuery(tree, { binder, outer: scope.parent, ctes });
    scope.sources.push({ id, alias: alias ?? "", columns: outputNames(query2), table: null });
    return node({ kind: "derived", id, query: query2, alias: alias ?? "" });
  }
  throw new QueryError("SQL_UNSUPPORTED", `a source of kind ${tree.key} is not read`, tree.key);
}
function bindSetOrder(order, left2, right2, context) {
  const sides = [...branches(left2), ...branches(right2)];
  return bindOrderTerms(order, (term) => {
    for (const side of sides) {
      const index = positionOf(term, side, context);
      if (index >= 0) return output(index);
    }
    throw new QueryError(
      "SQL_UNSUPPORTED",
      "ORDER BY of a set operation must name a result column",
      "ORDER BY"
    );
  });
}
function positionOf(term, side, context) {
  const { carrier } = context.binder;
  if (term.key === "literal") {
    const token = readToken(carrier, term);
    return token.kind === "number" ? Number(token.text) - 1 : -1;
  }
  const identifier2 = term.key === "column" ? child(term, "this") : null;
  if (identifier2) {
    const name3 = readName(carrier, identifier2).name;
    const index = outputNames(side).findIndex((column2) => foldName(column2) === foldName(name3));
    if (index >= 0) return index;
  }
  return side.kind === "select" ? repeatedColumn(term, side, context) : -1;
}
function repeatedColumn(term, select, { binder, outer, ctes }) {
  const scope = new Scope(outer);
  for (const { source } of select.from) {
    if (source.kind !== "table") return -1;
    const table = binder.table(source.table);
    const columns = table?.columns.map((column2) => column2.name) ?? [];
    scope.sources.push({ id: source.id, alias: source.alias, columns, table });
  }
  try {
    const wanted = bindExpr(term, { binder, scope, ctes });
    return select.columns.findIndex(({ expr }) => sameExpr(expr, wanted));
  } catch (error) {
    if (error instanceof QueryError) return -1;
    throw error;
  }
}
function branches(query2) {
  return query2.kind === "set_operation" ? [...branches(query2.left), ...branches(query2.right)] : [query2];
}
function output(index) {
  return node({ kind: "output", index });
}
function parseQuery(sql2, { catalog: catalog2, referenceTime }) {
  const carrier = carry(sql2);
  const tree = parseCarrier(carrier);
  const binder = new Binder(carrier, catalog2, referenceTime);
  return bindQuery(tree, { binder, outer: null, ctes: /* @__PURE__ */ new Map() });
}

// sql/print.ts
function printQuery(query2, options = {}) {
  return print(query2, options, options.outputNames ?? null);
}
function printSubquery(query2, options, named) {
  return print(query2, options, named ? namesOf(query2) : null);
}
function namesOf(query2) {
  if (query2.kind === "select") return query2.columns.map((column2) => column2.name);
  return query2.kind === "set_operation" ? namesOf(query2.left) : null;
}
function print(query2, options, names2) {
  const clauses = [printWith(query2.with, options)];
  switch (query2.kind) {
    case "select":
      clauses.push(printSelect(query2, options, names2));
      break;
    case "set_operation":
      clauses.push(
        printOperand(query2.left, options, names2),
        SET_OPERATORS2[query2.op],
        printOperand(query2.right, options, null)
      );
      break;
    case "values":
      clauses.push(
        `VALUES ${query2.rows.map((row2) => `(${row2.map((cell2) => printExpr(cell2, options)).join(", ")})`).join(", ")}`
      );
      break;
  }
  if (query2.kind !== "values")
    clauses.push(printOrder(query2.orderBy, options), printLimit(query2.limit, options));
  return clauses.filter((clause) => clause !== "").join(" ");
}
var SET_OPERATORS2 = {
  union: "UNION",
  union_all: "UNION ALL",
  intersect: "INTERSECT",
  except: "EXCEPT"
};
function printOperand(query2, options, names2) {
  const bare3 = query2.with.length === 0 && (query2.kind === "values" || query2.orderBy.length === 0 && query2.limit === null);
  const text2 = print(query2, options, names2);
  return bare3 ? text2 : `SELECT * FROM (${text2})`;
}
function printWith(ctes, options) {
  if (ctes.length === 0) return "";
  const items = ctes.map(({ name: name3, columns, query: query2 }) => {
    const list2 = columns.map(quoteIdentifier).join(", ");
    return `${quoteIdentifier(name3)}(${list2}) AS (${print(query2, options, null)})`;
  });
  return `WITH ${ctes.some((cte) => cte.recursive) ? "RECURSIVE " : ""}${items.join(", ")}`;
}
function printSelect(select, options, names2) {
  const columns = select.columns.map(({ expr }, i) => {
    const name3 = names2?.[i];
    const text2 = printExpr(expr, options);
    return name3 === void 0 ? text2 : `${text2} AS ${quoteIdentifier(name3)}`;
  });
  const clauses = [`SELECT ${select.distinct ? "DISTINCT " : ""}${columns.join(", ")}`];
  if (select.from.length > 0) clauses.push(printFrom(select.from, options));
  if (select.where) clauses.push(`WHERE ${printExpr(select.where, options)}`);
  if (select.groupBy.length > 0) {
    clauses.push(`GROUP BY ${select.groupBy.map((term) => printTerm(term, options)).join(", ")}`);
  }
  if (select.having) clauses.push(`HAVING ${printExpr(select.having, options)}`);
  return clauses.join(" ");
}
function printFrom(from, options = {}) {
  return `FROM ${from.map((item) => printFromItem(item, options)).join(" ")}`;
}
var JOINS = {
  from: "",
  inner: "JOIN ",
  cross: "CROSS JOIN ",
  left: "LEFT JOIN ",
  right: "RIGHT JOIN ",
  full: "FULL JOIN "
};
function printFromItem({ join: join3, source, on }, options) {
  const keyword = join3 === "cross" && on === null ? ", " : JOINS[join3];
  const condition2 = on ? ` ON ${printExpr(on, options)}` : "";
  return `${keyword}${printSource(source, options)}${condition2}`;
}
function printSource(source, options) {
  const alias = quoteIdentifier(source.id);
  switch (source.kind) {
    case "table":
      return `${quoteIdentifier(source.table)} AS ${alias}`;
    case "cte":
      return `${quoteIdentifier(source.name)} AS ${alias}`;
    case "derived":
      return `(${printSubquery(source.query, options, true)}) AS ${alias}`;
  }
}
function printOrder(terms, options) {
  if (terms.length === 0) return "";
  const items = terms.map(({ expr, direction, nulls }) => {
    const order = direction === "desc" ? " DESC" : "";
    return `${printTerm(expr, options)}${order}${nulls === null ? "" : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return `ORDER BY ${items.join(", ")}`;
}
function printTerm(expr, options) {
  if (expr.kind !== "literal" || expr.type !== "integer") return printExpr(expr, options);
  return printExpr(node({ kind: "cast", expr, type: "INTEGER" }), options);
}
function printLimit(limit, options) {
  if (!limit) return "";
  const offset = limit.offset ? ` OFFSET ${printExpr(limit.offset, options, LOOSEST)}` : "";
  return `LIMIT ${printExpr(limit.count, options, LOOSEST)}${offset}`;
}
var OR = 1;
var AND = 2;
var NOT = 3;
var EQUALITY = 4;
var COMPARISON = 5;
var BITWISE = 6;
var SUM = 7;
var PRODUCT = 8;
var CONCATENATION = 9;
var COLLATE = 10;
var UNARY = 11;
var ATOM = 12;
var LOOSEST = OR;
var BINARY = {
  "&": BITWISE,
  "|": BITWISE,
  "<<": BITWISE,
  ">>": BITWISE,
  "+": SUM,
  "-": SUM,
  "*": PRODUCT,
  "/": PRODUCT,
  "%": PRODUCT,
  "||": CONCATENATION,
  "->": CONCATENATION,
  "->>": CONCATENATION
};
var COMPARE = {
  "=": ["=", EQUALITY],
  "!=": ["<>", EQUALITY],
  is: ["IS", EQUALITY],
  is_not: ["IS NOT", EQUALITY],
  "<": ["<", COMPARISON],
  "<=": ["<=", COMPARISON],
  ">": [">", COMPARISON],
  ">=": [">=", COMPARISON]
};
function printExpr(expr, options = {}, binding = LOOSEST) {
  const replaced = options.expr?.(expr) ?? null;
  if (replaced !== null) return replaced;
  const printer = {
    options,
    at: (inner, operand2) => printExpr(operand2, options, inner),
    list: (exprs) => exprs.map((item) => printExpr(item, options)).join(", ")
  };
  const [text2, own] = printKind(expr, printer);
  return own < binding ? `(${text2})` : text2;
}
function printKind(expr, printer) {
  const print2 = PRINTERS[expr.kind];
  return print2(expr, printer);
}
var PRINTERS = {
  literal: (literal, { options }) => {
    const text2 = options.literal?.(literal) ?? printLiteral(literal);
    return [text2, text2.startsWith("-") ? UNARY : ATOM];
  },
  column: ({ source, name: name3 }) => [`${quoteIdentifier(source)}.${quoteIdentifier(name3)}`, ATOM],
  output: ({ index }) => [String(index + 1), ATOM],
  row: ({ items }, p) => [`(${p.list(items)})`, ATOM],
  unary: ({ op, expr }, p) => [`${op}${p.at(ATOM, expr)}`, UNARY],
  binary: ({ op, left: left2, right: right2 }, p) => {
    const binding = BINARY[op];
    return [`${p.at(binding, left2)} ${op} ${p.at(binding + 1, right2)}`, binding];
  },
  compare: ({ op, left: left2, right: right2 }, p) => {
    const [text2, binding] = COMPARE[op];
    return [`${p.at(binding + 1, left2)} ${text2} ${p.at(binding + 1, right2)}`, binding];
  },
  and: ({ items }, p) => [items.map((item) => p.at(NOT, item)).join(" AND "), AND],
  or: ({ items }, p) => [items.map((item) => p.at(AND, item)).join(" OR "), OR],
  not: ({ expr }, p) => [`NOT ${p.at(EQUALITY, expr)}`, NOT],
  is_null: ({ expr, negated: negated2 }, p) => [`${p.at(COMPARISON, expr)} IS ${negated2 ? "NOT " : ""}NULL`, EQUALITY],
  between: ({ expr, low, high, negated: negated2 }, p) => {
    const range = `${p.at(BITWISE, low)} AND ${p.at(BITWISE, high)}`;
    return [`${p.at(BITWISE, expr)} ${negated2 ? "NOT " : ""}BETWEEN ${range}`, EQUALITY];
  },
  like: ({ op, expr, pattern, escape: escapeChar, negated: negated2 }, p) => {
    const operator = `${negated2 ? "NOT " : ""}${op.toUpperCase()}`;
    const tail = escapeChar ? ` ESCAPE ${p.at(BITWISE, escapeChar)}` : "";
    return [`${p.at(BITWISE, expr)} ${operator} ${p.at(BITWISE, pattern)}${tail}`, EQUALITY];
  },
  in_list: ({ expr, items, negated: negated2 }, p) => [
    `${p.at(BITWISE, expr)} ${negated2 ? "NOT " : ""}IN (${p.list(items)})`,
    EQUALITY
  ],
  in_query: ({ expr, query: query2, negated: negated2 }, p) => [
    `${p.at(BITWISE, expr)} ${negated2 ? "NOT " : ""}IN (${printSubquery(query2, p.options, false)})`,
    EQUALITY
  ],
  exists: ({ query: query2, negated: negated2 }, p) => [
    `${negated2 ? "NOT " : ""}EXISTS (${printSubquery(query2, p.options, false)})`,
    negated2 ? NOT : ATOM
  ],
  scalar_query: ({ query: query2 }, p) => [`(${printSubquery(query2, p.options, false)})`, ATOM],
  case: (expr, p) => [printCase(expr, p), ATOM],
  cast: ({ expr, type }, p) => [`CAST(${p.at(LOOSEST, expr)} AS ${type})`, ATOM],
  collate: ({ expr, collation }, p) => [
    `${p.at(COLLATE, expr)} COLLATE ${quoteIdentifier(collation)}`,
    COLLATE
  ],
  call: ({ name: name3, args }, p) => [`${printFunctionName(name3)}(${p.list(args)})`, ATOM],
  aggregate: (expr, p) => [printAggregate(expr, p), ATOM],
  window: (expr, p) => [printWindow(expr, p), ATOM]
};
function printLiteral(literal) {
  switch (literal.type) {
    case "integer":
      return literal.value.toString();
    case "real":
      return literal.text;
    case "text":
      return quoteText(literal.value);
    case "blob":
      return `x'${literal.value}'`;
    case "null":
      return "NULL";
  }
}
function printFunctionName(name3) {
  return /^[a-z_][a-z0-9_]*$/.test(name3) ? name3 : quoteIdentifier(name3);
}
function printCase({ operand: operand2, whens, else: otherwise }, p) {
  const head = operand2 ? `CASE ${p.at(LOOSEST, operand2)}` : "CASE";
  const branches2 = whens.map(
    ({ when, result }) => ` WHEN ${p.at(LOOSEST, when)} THEN ${p.at(LOOSEST, result)}`
  );
  return `${head}${branches2.join("")}${otherwise ? ` ELSE ${p.at(LOOSEST, otherwise)}` : ""} END`;
}
function printAggregate({ name: name3, args, star, distinct, filter: filter2, orderBy }, p) {
  const order = orderBy.length > 0 ? ` ${printOrder(orderBy, p.options)}` : "";
  const inside = star ? "*" : `${distinct ? "DISTINCT " : ""}${p.list(args)}${order}`;
  return `${printFunctionName(name3)}(${inside})${filter2 ? ` FILTER (WHERE ${p.at(LOOSEST, filter2)})` : ""}`;
}
function printWindow({ name: name3, args, star, filter: filter2, partitionBy, orderBy, frame }, p) {
  const over = [
    partitionBy.length > 0 ? `PARTITION BY ${p.list(partitionBy)}` : "",
    printOrder(orderBy, p.options),
    frame ? printFrame(frame, p) : ""
  ];
  const call2 = `${printFunctionName(name3)}(${star ? "*" : p.list(args)})`;
  const condition2 = filter2 ? ` FILTER (WHERE ${p.at(LOOSEST, filter2)})` : "";
  return `${call2}${condition2} OVER (${over.filter((part) => part !== "").join(" ")})`;
}
function printFrame({ mode, start, end, exclude }, p) {
  const range = `${mode.toUpperCase()} BETWEEN ${printBound(start, p)} AND ${printBound(end, p)}`;
  return exclude ? `${range} EXCLUDE ${exclude.toUpperCase().replace("_", " ")}` : range;
}
function printBound(bound, p) {
  const side = bound.at.toUpperCase().replaceAll("_", " ");
  return "offset" in bound ? `${p.at(BITWISE, bound.offset)} ${side}` : side;
}
function quoteIdentifier(name3) {
  return `"${name3.replaceAll('"', '""')}"`;
}
function quoteText(text2) {
  return `'${text2.replaceAll("'", "''")}'`;
}

// contracts/wording.ts
import { distance } from "fastest-levenshtein";
function article(text2) {
  if (text2.startsWith("other ")) return `an${text2}`;
  return `${takesAn(text2) ? "an" : "a"} ${text2}`;
}
var SHOUTED_WORD = /^[FHLMNRSX][AEIOU][A-Z]{2,}/;
function takesAn(text2) {
  const [first = ""] = text2.split(/[ -]/);
  if (/^[A-Z]{2,}/.test(first) && !/[aeiou]/.test(first))
    return /^[AEFHILMNORSX]/.test(first) && !SHOUTED_WORD.test(first);
  if (/^(hour|honor|honour|heir|honest)/i.test(first)) return true;
  return /^[aeiou]/i.test(first) && !/^(uni([^nm]|ted)|use|usu|user|eur|one\b|once|url|ut)/i.test(first);
}
function capital(text2) {
  return text2.charAt(0).toUpperCase() + text2.slice(1);
}
function literalPattern(text2) {
  return text2.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

// services/base/arguments.ts
import { z as z6 } from "zod";

// services/base/plain-letters.ts
import anyAscii from "any-ascii";
var LETTERS = {
  \u00DF: "ss",
  \u00F8: "o",
  \u00D8: "O",
  \u00E6: "ae",
  \u00C6: "Ae",
  \u0153: "oe",
  \u0152: "Oe",
  \u0142: "l",
  \u0141: "L",
  \u0111: "d",
  \u0110: "D",
  \u00F0: "d",
  \u00FE: "th",
  \u0131: "i"
};
var UMLAUTS = { \u00E4: "ae", \u00F6: "oe", \u00FC: "ue", \u00C4: "Ae", \u00D6: "Oe", \u00DC: "Ue" };
var MICRO = /(?<!\p{Script=Greek})[\u00b5\u03bc](?!\p{Script=Greek})/gu;
var OTHER_SCRIPTS = /(?:(?!\p{Script=Latin})\p{L}\p{M}*)+/gu;
function withoutAccents(text2) {
  const whole = text2.normalize("NFC").replace(MICRO, "u");
  const spelled = whole.replace(/[äöüÄÖÜ]/g, (letter, at) => {
    const two2 = UMLAUTS[letter] ?? letter;
    const beside = /\p{L}/u.test(whole[at + 1] ?? "") ? whole[at + 1] : whole[at - 1];
    return /\p{Lu}/u.test(letter) && /\p{Lu}/u.test(beside ?? "") ? two2.toUpperCase() : two2;
  });
  let plain4 = "";
  let end = 0;
  for (const { 0: other, index } of spelled.matchAll(OTHER_SCRIPTS)) {
    plain4 += bare(spelled.slice(end, index)) + other.normalize("NFKC");
    end = index + other.length;
  }
  return plain4 + bare(spelled.slice(end));
}
function bare(text2) {
  return text2.normalize("NFKD").replace(/\p{M}/gu, "");
}
function spellOut(text2, other) {
  return text2.replace(
    /\P{ASCII}/gu,
    (letter) => LETTERS[letter] ?? (OF_A_SCRIPT.test(letter) ? letter : other)
  );
}
var OF_A_SCRIPT = /(?!\p{Script=Latin})[\p{L}\p{M}]/u;
function romanised(text2) {
  return text2.replace(OTHER_SCRIPTS, (run) => {
    const letters = anyAscii(run).replace(/[^A-Za-z]/g, "");
    return /\p{Lu}|\p{Ll}/u.test(run) ? letters : letters.toLowerCase();
  });
}

// services/domain/tools/plan.ts
function codeText([code, meaning]) {
  return code === meaning ? code : `${code} = ${meaning}`;
}

// generator/english/words.ts
import pluralize2 from "pluralize";

// contracts/getters.ts
import pluralize from "pluralize";
var MASS = `weather equipment software hardware furniture traffic luggage advice knowledge feedback homework money
  machinery clothing merchandise inventory management maintenance employment`;
var UNCHANGED = new Set(
  `data info staff personnel media trans sales goods news series species sat cms greatest least gdp usd eur cm mm km kg lb lbs mhz mph
  ${MASS}`.split(/\s+/)
);
var MASS_NOUNS = new Set(MASS.split(/\s+/));
function pluralOf(word) {
  const lower2 = word.toLowerCase();
  if (UNCHANGED.has(lower2) || !/[a-z]{2}$/i.test(word)) return word;
  if (/[A-Z]$/.test(word) || lower2 === "id") return `${word}s`;
  return pluralize.plural(word);
}
var PREPOSITION = /^(of|in|on|at|for|to|by|from|with|per)$/;
var PARTICIPLE = /^(?!(?:seed|speed|breed|feed|bed|need|weed|deed|shed|red|hundred)$)(?:.*ed|spent|given|taken|drawn|shown|due|paid|sold|made|won|lost|left|born|built|held|began|begun|blown|broken|written|seen|known|done|put|went|gone|came|bought|lent|sent|flown|hidden|unsold|remaining|pending)$/i;
var ADVERBIAL = /^(down|up|out|off|over|back|away)$/i;

// generator/english/words.ts
function sameWords(a, b) {
  return a.join(" ").toLowerCase() === b.join(" ").toLowerCase();
}
function endsWith(words2, tail) {
  return tail.length > 0 && sameWords(words2.slice(-tail.length), tail);
}
function joinedAnd(lists) {
  const tail = commonTail(lists);
  const lead = commonLead(lists.map((words2) => words2.slice(0, words2.length - tail.length)));
  const middles = lists.map((words2) => words2.slice(lead.length, words2.length - tail.length));
  return [...lead, ...conjoined(middles), ...tail];
}
function conjoined(lists) {
  return lists.flatMap((words2, i) => i > 0 && i === lists.length - 1 ? ["and", ...words2] : words2);
}
function commonTail(lists) {
  return commonLead(lists.map((words2) => words2.toReversed())).toReversed();
}
function commonLead(lists) {
  const [first = [], ...others] = lists;
  if (others.length === 0) return [];
  let length = 0;
  while (length < first.length - 1) {
    const word = first[length];
    if (!others.every((words2) => words2.length > length + 1 && words2[length] === word)) break;
    length++;
  }
  return first.slice(0, length);
}
function lower(words2) {
  return words2.join(" ").toLowerCase();
}
function withoutStart(text2, start) {
  return text2.startsWith(`${start} `) ? text2.slice(start.length + 1) : text2;
}
function qualify(noun3, words2) {
  const last = noun3.at(-1)?.toLowerCase() ?? "";
  const lowered = words2.map((word) => word.toLowerCase());
  if (lowered.includes(last) || lowered.includes(lower(singular([last])))) return words2;
  const [first = "", ...rest2] = lowered;
  if (rest2.length > 0 && first.length > 3 && last.endsWith(first)) return [...noun3, ...words2.slice(1)];
  return [...noun3, ...words2];
}
function listed(items, conjunction2 = "and") {
  if (items.length <= 1) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${conjunction2} ${items.at(-1)}`;
}
function listedOnce(items) {
  const lists = items.map((item) => item.split(" "));
  const lead = commonLead(lists);
  if (lead.length < 2 || /\([^)]*$/.test(lead.join(" "))) return listed(items);
  return `${lead.join(" ")} ${listed(lists.map((words2) => words2.slice(lead.length).join(" ")))}`;
}
var FIRST = /(^| )(first ?name|forename|given ?name|fname|vor ?name|nombre|prenom)( \d+)?$/i;
var LAST = /(^| )(last ?name|surname|family ?name|lname|nach ?name|apellidos?)( \d+)?$/i;
var MIDDLE = /(^| )(middle ?name|middle ?initial)( \d+)?$/i;
function personOf(words2) {
  const text2 = words2.join(" ");
  for (const part of [FIRST, LAST, MIDDLE]) {
    const found = text2.match(part);
    if (found === null) continue;
    const whose = text2.slice(0, found.index).trim();
    return { whose: whose === "" ? [] : whose.split(" "), number: (found.at(-1) ?? "").trim() };
  }
  return null;
}
function isPersonName(columns) {
  const names2 = columns.map((words2) => words2.join(" "));
  return names2.some((one2) => FIRST.test(one2)) && names2.some((one2) => LAST.test(one2));
}
function upTo(most, words2, otherwise) {
  return words2.length <= most ? words2 : otherwise;
}
function commonWords(lists) {
  const [first = [], ...others] = lists;
  return first.filter((word) => others.every((words2) => words2.includes(word)));
}
var words = (text2) => new Set(text2.trim().split(/\s+/));
var COMMON_WORDS = words(`
  id ids uuid guid url uri name names first last middle full maiden nick user title label code codes key keys
  type types kind class category categories group status state flag level grade rank ranking position order
  date time datetime timestamp year month week day hour minute second created updated deleted start end
  begin finish number num no nr count total sum amount avg average min max mean rate ratio percent percentage
  score scores points value values size length width height weight depth area volume age gender sex birth
  death price cost fee tax discount budget revenue income salary wage balance payment paid currency quantity
  unit units stock email mail phone fax mobile cell zip postal address street city town county region
  country continent state province district location latitude longitude language nationality
  description details detail note notes comment comments text body content message subject remark remarks
  source target destination origin parent child owner author creator editor manager customer client employee
  person people member student teacher staff company department office branch store shop product item
  invoice account card bank loan transaction school college university course event race team player match
  game season film movie song album artist book page version result results record records history log info
  data is has active open closed valid public private default main primary secondary new old high low home
  away front back left right north south east west kg cm mm km lb lbs usd eur gdp gnp ssn isbn iso pdf
  under over plus at and or of
  html xml json sql api ip http sat act gpa
  classroom bathroom bedroom roommate teammate workplace birthplace birthday weekday weekend timestamp timezone deadline
  lifespan database website homepage username password keyword network framework warehouse bookstore textbook notebook
  newspaper playlist soundtrack airport airline airplane aircraft railway highway headquarters football basketball
  baseball volleyball laptop smartphone download upload rainfall snowfall sunrise sunset wildlife landmark
  branch credit term default opened closed interest contract supplier vendor booking site limit shipped weight job trip car
`);
function dictionary(pairs) {
  return new Map(
    pairs.split(/,\s*/).map((pair) => {
      const [short = "", ...full] = pair.split(" ");
      return [short, full];
    })
  );
}
var ABBREVIATIONS = dictionary(
  `fname first name,lname last name,mname middle name,fnm first name,lnm last name,nm name,nme name,dt date,
  dob date of birth,cd code,desc description,descr description,dscr description,qty quantity,amt amount,addr address,
  yr year,yrs years,mth month,mos months,hrs hours,nbr number,pct percent,lat latitude,lon longitude,lng longitude,
  dept department,emp employee,stu student,cust customer,acct account,mgr manager,pt patient,phys physician,
  appt appointment,rx prescription,insur insurance,diag diagnosis,prj project,proj project,
  sal salary,strt start,loc location,dest destination,src source,inv invoice,ord order,typ type,cert certification,stat status,iss issued,
  prod product,supp supplier,veh vehicle,val value,lang language,txn transaction,trx transaction,dur duration,
  bal balance,pmt payment,ctry country,tel telephone,univ university,ind indicator,eml email,rt rate,cty city,
  scr score,trm term,sts status,wgt weight,hgt height,lmt limit,tot total,unt unit,prc price,shp shipped,itm item,prd product,
  crd credit,crt created,upd updated,req requested,whs warehouse,whse warehouse,pur purchase,hdr header,dtl detail,seq sequence,
  grp group,lvl level,usr user,flg flag,msg message,lbl label,tkt ticket,tsk task,vst visit`
);
var PAIRS = new Map(
  "cur bal current,cur amt current,int rt interest,int rate interest,st cd state,st code state".split(",").map((line) => line.split(" ")).map((line) => [line.slice(0, -1).join(" "), line.slice(-1)])
);
function skeleton(word) {
  return word[0] + word.slice(1).replace(/[aeiou]/g, "").replace(/(.)\1/g, "$1");
}
var SKELETONS = new Map(
  [...COMMON_WORDS].toReversed().filter((word) => !word.endsWith("s")).map((word) => [skeleton(word), word])
);
function withVowels(word) {
  const full = /^.[^aeiou\d]{3,}$/.test(word) ? SKELETONS.get(word.replace(/(.)\1/g, "$1")) : void 0;
  return full === void 0 || full === word ? void 0 : [full];
}
function abbreviates(word, full) {
  let at = 0;
  for (const letter of full) if (letter === word[at]) at++;
  return word[0] === full[0] && word.length < full.length && at === word.length;
}
var FOREIGN = dictionary(
  `kunde customer,kundin customer,auftrag order,bestellung order,fahrzeug vehicle,mitarbeiter employee,person person,
  teil part,artikel article,lieferant supplier,rechnung invoice,lager warehouse,abteilung department,schueler student,
  lehrer teacher,klasse class,fach subject,nachname last name,vorname first name,bezeichnung name,ort city,firma company,
  stadt city,strasse street,plz postal code,geburtsdatum birth date,datum date,dat date,preis price,betrag amount,land country,
  menge quantity,anzahl number,bestand stock,wert value,gehalt salary,baujahr build year,marke brand,kennzeichen license plate,
  beschreibung description,eintritt entry,eintrittsdatum entry date,stundenlohn hourly wage,gewicht weight,farbe color,
  jahrgang year group,jahr year,standort location,projekt project,stunde hour,stunden hours,vorgesetzter supervisor,gebaeude building,
  raum room,zimmer room,gast guest,buchung booking,ware product,kasse till,schicht shift,zahlung payment,konto account,annahme acceptance,fertig completion,hersteller manufacturer,note grade,nummer number,
  titel title,sprache language,verlag publisher,beginn start,ende end,groesse size,laenge length,hoehe height,dauer duration,
  cliente customer,pedido order,producto product,libro book,autor author,socio member,prestamo loan,empleado employee,
  factura invoice,nombre name,apellido last name,fecha date,precio price,importe amount,cantidad quantity,existencia stock,
  estado status,ciudad city,pais country,direccion address,titulo title,pagina page,idioma language,anio year,ano year,
  publicacion publication,nacionalidad nationality,nacimiento birth,alta registration,devolucion return,multa fine,
  activo active,telefono phone,correo email,numero number,proveedor supplier,almacen warehouse,sueldo salary,peso weight,
  categoria category,tienda store,medico doctor,paciente patient,cita appointment,huesped guest,habitacion room,reserva booking,tipo type,planta floor,noche night,entrada arrival,
  salida departure,tarifa rate,cuenta account,pago payment,saldo balance,venta sale,compra purchase,edad age,sexo sex,inicio start,fin end,
  commande order,produit product,prix price,ville city,pays country,nom name,prenom first name,quantite quantity,
  montant amount,facture invoice,adresse address,naissance birth,salarie employee,fournisseur supplier,annee year`
);
function translated(word) {
  const stems = [0, 1, 2].map((letters) => word.slice(0, word.length - letters)).filter((stem) => stem.length > 2);
  return stems.map((stem) => FOREIGN.get(stem)).find((found) => found !== void 0);
}
var GENERIC_WORDS = words(`
  id name title label code key type kind class category group status state flag level grade date time datetime
  timestamp number num no value size amount count score points url uri link email phone description details
  note notes comment comments text body content message subject remark remarks source position location
  address result rank version order index data info other role section start end
`);
var FUNCTION_WORDS = words(
  "a an the of in on at for to by from with and or as is are was were per its their"
);
var KEY_WORDS = words("id ids code key uuid guid no number num nr fk pk ref");
var SYMBOLS = [
  [/%/g, " percent "],
  [/#/g, " number "],
  [/&/g, " and "],
  [/\+\/-/g, " "],
  [/\+/g, " plus "],
  [/@/g, " at "],
  [/[$€£]/g, " amount "],
  [/<=?/g, " under "],
  [/>=?/g, " over "],
  [/\(?\b[Yy]\/[Nn]\b\)?/g, " "],
  [/\b([A-Z])-(\d+)\b/g, "$1$2"],
  [/(\p{L})['’]s\b/gu, "$1"],
  [/['’]/g, ""]
];
function splitWords(text2) {
  let plain4 = withoutAccents(text2);
  for (const [symbol, words3] of SYMBOLS) plain4 = plain4.replace(symbol, words3);
  plain4 = spellOut(plain4, " ");
  plain4 = plain4.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replace(
    /(?<![A-Z])([A-Z]+)([A-Z][a-z])/g,
    (whole, caps, word) => (
      // The plural of an acronym (`IDs`) stays one word.
      word.length === 2 && word.endsWith("s") ? whole : `${caps} ${word}`
    )
  );
  const words2 = plain4.split(/[^\p{L}\p{M}\d]+/u).filter((word) => word !== "");
  return words2.filter((word, i) => word.toLowerCase() !== words2[i - 1]?.toLowerCase());
}
function lowerWords(text2) {
  return splitWords(text2).map((word) => word.toLowerCase());
}
var ENDINGS2 = /* @__PURE__ */ new Set(["id", "no"]);
var CODES = /* @__PURE__ */ new Set(["eur", "usd", "gbp", "gdp", "gnp"]);
var MOST = 3;
var MOST_LETTERS = 100;
function segment(word, vocabulary2) {
  if (word.length > MOST_LETTERS || !/^[a-z]+$/.test(word) || vocabulary2.has(word)) return null;
  for (let count3 = 2; count3 <= MOST; count3++) {
    const found = into(word, count3, vocabulary2);
    if (found !== null) return found;
  }
  return null;
}
function into(rest2, count3, vocabulary2) {
  if (count3 === 1) return isPart(rest2, vocabulary2, true) ? [rest2] : null;
  for (let at = rest2.length - 2; at >= 3; at--) {
    const first = rest2.slice(0, at);
    if (!isPart(first, vocabulary2, false)) continue;
    const others = into(rest2.slice(at), count3 - 1, vocabulary2);
    if (others !== null) return [first, ...others];
  }
  return null;
}
function isPart(word, vocabulary2, last) {
  return word.length >= 3 && vocabulary2.has(word) && !FUNCTION_WORDS.has(word) && !CODES.has(word) || last && ENDINGS2.has(word);
}
var COUNTS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
  " "
);
var ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
function ordinal(skipped) {
  if (skipped < ORDINALS.length) return skipped === 0 ? "" : ORDINALS[skipped] ?? "";
  const place2 = skipped + 1;
  const end = /1[123]$/.test(String(place2)) ? void 0 : ["st", "nd", "rd"][place2 % 10 - 1];
  return `${place2}${end ?? "th"}`;
}
function isMassNoun(word) {
  return MASS_NOUNS.has(word.toLowerCase()) || /^(data|info|information|content|staff)$/i.test(word);
}
var VERBS = new Set(
  `has have is are takes teaches undergoes prescribes owns writes contains belongs attends enrolls participates lives
  manages includes requires serves sells buys performs directs employs operates speaks knows cites arranges
  teach undergo prescribe own write contain belong attend enroll participate manage include require serve sell buy
  perform employ operate cite arrange`.split(/\s+/)
);
function isCountable(words2) {
  const lowered = words2.map((word) => word.toLowerCase());
  const [first = "", last = ""] = [lowered[0], lowered.at(-1)];
  return headOf(lowered) >= 0 && !VERBS.has(first) && !VERBS.has(last) && !MASS_NOUNS.has(last) && !PARTICIPLE.test(last);
}
var PEOPLE = new Set(
  `person people user member customer client employee worker manager student pupil teacher professor instructor player
  driver rider pilot singer artist actor author writer editor director owner patient doctor physician nurse vet candidate
  superhero character guest visitor passenger donor farmer chef trainer coach man woman child friend voter contestant
  sailor captain officer agent seller buyer tenant landlord resident scientist researcher winner schooler individual
  policyholder subscriber applicant borrower reviewer reader lecturer musician dancer athlete politician judge lawyer
  engineer conductor composer employer attendee delegate professional expert specialist inspector technician hero leader participant husband wife spouse mother father brother sister son daughter follower followee founder host supervisor`.split(
    /\s+/
  )
);
function isPerson(thing) {
  return PEOPLE.has(thing?.one.at(-1)?.toLowerCase() ?? "");
}
function plural(words2) {
  return inflected(words2, pluralOf);
}
function pluralValues(words2) {
  const last = words2.at(-1) ?? "";
  if (words2.length === 2 && PREPOSITION.test(last)) return words2;
  if (ADVERBIAL.test(last) && words2.length > 1) return [...pluralValues(words2.slice(0, -1)), last];
  if (!PARTICIPLE.test(last)) return plural(words2);
  return words2.length === 1 ? words2 : [...plural(words2.slice(0, -1)), last];
}
function singular(words2) {
  return inflected(
    words2,
    (word) => UNCHANGED.has(word.toLowerCase()) || /^[^aeiou][aeiou]s$/i.test(word) ? word : pluralize2.singular(word)
  );
}
var ADJECTIVE = /^(active|effective|valid|open|available|eligible|responsible)$/i;
function headOf(words2) {
  if (/^(how|when|where|why|what|who|which|whether)$/i.test(words2[0] ?? "")) return -1;
  if (/^percentage$/i.test(words2[0] ?? "")) return 0;
  const last = words2.length - 1;
  const preposition = words2.findIndex(
    (word, i) => i > 0 && (PREPOSITION.test(word) || word.startsWith("(") && /^[a-z]+$/i.test(words2[i - 1] ?? ""))
  );
  if (preposition < 0) return last;
  const before = words2[preposition - 1] ?? "";
  if (!ADJECTIVE.test(before) && !PARTICIPLE.test(before)) return preposition - 1;
  if (preposition > 1) return preposition - 2;
  return preposition < last ? last : -1;
}
function inflected(words2, inflect) {
  const head = headOf(words2);
  return words2.map((word, i) => i === head ? inflect(word) : word);
}

// generator/english/catalog-prose.ts
var LONGEST = 180;
function columnProse(column2, text2, guard) {
  const pieces = [...piecesOf(column2.description), ...unitsOf(column2.value_description)];
  const kept2 = [];
  for (const piece of pieces) {
    const known = [text2, column2.name, ...kept2].some((other) => repeats(piece, other));
    if (!known && !BARE_QUESTION.test(piece) && !guard.holdsValue(piece)) kept2.push(piece);
  }
  const { unit } = column2.words ?? {};
  const inUnit2 = unit === void 0 || repeats(unit, [text2, ...kept2].join(" ")) ? [] : [`In ${unit}`];
  return [...kept2.slice(0, 3), ...inUnit2, ...legendOf(column2, guard)].map(asSentence).join(" ");
}
var BARE_QUESTION = /^(who|what|when|where|why|how)\W*$/i;
function legendOf({ words: words2 }, guard) {
  const codes = Object.entries(words2?.codes ?? {});
  if (codes.length < 2) return [];
  const pairs = codes.map(codeText);
  if (!pairs.some((pair) => guard.holdsValue(pair))) return [pairs.join(", ")];
  const meanings = codes.map(([, meaning]) => meaning);
  return meanings.some((one2) => guard.holdsValue(one2)) ? [] : [`Stored as a code: ${listed(meanings, "or")}`];
}
function repeats(piece, text2) {
  const words2 = new Set(lowerWords(text2));
  return lowerWords(piece).every((word) => words2.has(word) || /^(the|a|an|of|in|is|this|for)$/.test(word));
}
function piecesOf(description) {
  const [own = ""] = (description ?? "").split(/commonsense evidence/i);
  const sentences = own.replace(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[A-Z])|[•·]|\s-\s/).map((sentence2) => sentence2.trim()).filter((sentence2) => /\p{L}/u.test(sentence2));
  let length = 0;
  return sentences.filter((sentence2) => {
    length += sentence2.length;
    return length <= LONGEST;
  });
}
function unitsOf(notes) {
  return (notes ?? "").split(/[\n.;]+/).map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line.length <= 60 && /\b(unit|in the form|format|measured in)\b/i.test(line)).slice(0, 1);
}
function asSentence(text2) {
  const clean = text2.replace(/[\s,;:]+$/, "");
  const capital2 = clean.charAt(0).toUpperCase() + clean.slice(1);
  return /[.!?]$/.test(capital2) ? capital2 : `${capital2}.`;
}
function formatOf({ statistics: { min, max } }) {
  if (typeof min !== "string" || typeof max !== "string") return "";
  const written = FORMATS.find(([pattern, , last = pattern]) => pattern.test(min) && last.test(max));
  return written?.[1] ?? "";
}
var FORMATS = [
  [/^\d{4}-\d{2}-\d{2}$/, "YYYY-MM-DD"],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, "YYYY-MM-DD HH:MM:SS"],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d$/, "YYYY-MM-DD HH:MM:SS.S"],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+$/, "YYYY-MM-DD HH:MM:SS.SSS"],
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, "YYYY-MM-DD HH:MM"],
  [/^\d{2}\.\d{2}\.\d{4}$/, "DD.MM.YYYY"],
  [/^\d{2}\.\d{2}\.\d{4} \d{2}:\d{2}$/, "DD.MM.YYYY HH:MM"],
  [/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, "YYYY-MM-DDTHH:MM:SS"],
  [/^\d{4}-\d{2}$/, "YYYY-MM"],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, "YYYY/MM/DD"],
  [/^\d{2}\/\d{2}\/\d{4}$/, "DD/MM/YYYY", /^(1[3-9]|[23]\d)\/\d{2}\/\d{4}$/],
  [/^\d{1,2}\/\d{1,2}\/\d{4}$/, "MM/DD/YYYY"],
  [/^\d{1,2}\.? \p{L}+ \d{4}$/u, "D month YYYY"],
  [/^\d{8}$/, "eight digits"],
  [/^\d{6}$/, "six digits"],
  [/^\d{2}:\d{2}:\d{2}$/, "HH:MM:SS"],
  [/^\d{2}:\d{2}$/, "HH:MM"]
];
function placeOf(table, column2) {
  return `${table.name}.${column2.name}`;
}

// generator/english/column-text.ts
function eventOf(words2) {
  const [word = "", ...others] = words2.map((one2) => one2.toLowerCase()).filter((one2) => !/^(date|day|time|timestamp|year|month|of|at|on)$/.test(one2));
  const found = EVENTS.find(([, ...nouns]) => nouns.includes(word))?.[0];
  const verb = found ?? (/ed$/.test(word) && PARTICIPLE.test(word) && !NOT_YET.test(word) ? word : null);
  return others.length > 0 || verb === null ? null : ACTIVE.test(verb) ? verb : `was ${verb}`;
}
var EVENTS = `created creation,born birth birthday dob born,died death,released release,published publication,registered registration,
  hired hiring hire,founded founding foundation,opened opening open,closed closing,built construction built,arrived arrival,
  departed departure,left departure,started start,ended end,adopted adoption,received receipt,issued issue,completed completion,
  joined join joining,admitted admission,discharged discharge,shipped shipping shipment,delivered delivery,signed signing,
  updated update,retired retirement,graduated graduation,enrolled enrollment enrolment,purchased purchase,returned return`.split(/,\s*/).map((event) => event.split(" "));
var ACTIVE = /^(died|left|joined|started|ended|expired|arrived|departed|retired|graduated|happened|occurred|resigned|returned|landed|enrolled|moved)$/;
var NOT_YET = /^(estimated|expected|scheduled|planned|needed|required|used|elapsed|proposed|promised)$/;
function columnText({ table, column: column2 }, lexicon, words2) {
  const own = lexicon.column(table.name, column2.name);
  const written = lexicon.columnText(table.name, column2.name);
  const flag3 = flagText(written, column2);
  const text2 = column2.words?.noun === void 0 ? withUnit(asNoun(flag3, column2)) : flag3;
  if (lower(words2) === lower(own)) return text2;
  const at = words2.length - own.length;
  return at > 0 && lower(words2.slice(at)) === lower(own) ? `${words2.slice(0, at).join(" ")} ${text2}` : words2.join(" ");
}
function flagText(text2, column2) {
  const flag3 = text2.match(/^(?:is|has|if|whether) (.+)$/)?.[1] ?? (isFlag(text2, column2) ? text2 : null);
  return flag3 === null ? text2 : `${flag3} status`;
}
function isFlag(text2, column2) {
  const last = text2.split(" ").at(-1) ?? "";
  return isYesNo(column2) && !/s$/.test(last) && !QUANTITY.test(last);
}
function isYesNo({ statistics: { min, max, distinct } }) {
  return distinct === 2 && YES_NO.has(`${min} ${max}`.toLowerCase());
}
var YES_NO = /* @__PURE__ */ new Set(["0 1", "n y", "no yes", "f t", "false true"]);
var QUANTITY = /^(flag|indicator|id|count|number|num|quantity|amount|total|size|score|level|grade|rank|index|value|code|type|class|position|order|stage|round|status|state|group|category|month|day|version|rate|ratio|age|length|gender|sex|result|answer|label)$/i;
function withUnit(text2) {
  return text2.replace(UNIT, (_, unit) => ` in ${UNITS[unit] ?? unit}`);
}
var UNIT = /(?<=\S) ((?<=\b(?:duration|time|length|delay|wait|played|term|period) )(?:min|sec|days|weeks|months|years)|(?<=\b(?:length|height|width|depth|distance|altitude|elevation|diameter|radius) )m|(?<=\b(?:volume|capacity|quantity|usage|consumption) )l|(?<=\b(?:weight|mass) )[gt]|cm|mm|km|kg|lbs?|mph|kph|kmh|kwh|kw|mw|usd|eur|gbp|ms|secs?|mins|millions|thousands|celsius|fahrenheit|hectares|sqm|sqft|km2|m2|[kmg]b)$/i;
var UNITS = {
  sec: "seconds",
  secs: "seconds",
  min: "minutes",
  mins: "minutes"
};
var AGENTS = new Map(
  `written writer,directed director,produced producer,created creator,composed composer,edited editor,designed designer,
  published publisher,developed developer,made maker,built builder,owned owner,managed manager,taught teacher,
  approved approver`.split(/,\s*/).map((pair) => pair.split(" "))
);
function happening(verb) {
  return EVENTS.find(([first]) => first === verb)?.[1];
}
function asNoun(text2, column2) {
  const words2 = text2.split(" ");
  const last = words2.at(-1) ?? "";
  const agent = /^by$/i.test(last) && words2.length === 2 ? AGENTS.get(words2[0] ?? "") : void 0;
  if (agent !== void 0) return agent;
  const moment = words2.slice(0, -1).join(" ").toLowerCase();
  const event = /^(date|time|year)( of)?$/.test(moment) ? happening(last.toLowerCase()) : void 0;
  if (event !== void 0) return `${event} ${words2[0]?.toLowerCase() ?? ""}`;
  const { min, max } = column2.statistics;
  const isCode = [min, max].every((one2) => typeof one2 === "string" && one2.length > 0 && one2.length < 3);
  if (isCode && /^[a-z]+(al|ive|ous|able|ible)$/.test(text2)) return `${text2} status`;
  const asks = /^(how|who|what|when|where|why|which)$/i.test(words2[0] ?? "");
  const dangling = asks || words2.length > 1 && (PREPOSITION.test(last) || isPhrasalVerb(words2));
  if (!dangling && !(words2.length === 1 && (PARTICIPLE.test(last) || ADVERB.test(last)))) return text2;
  const [, end, way] = /^([a-z]+) (to|from)$/.exec(text2) ?? [];
  if (end !== void 0 && column2.type === "string" && kindOf(column2) === "value" && !PARTICIPLE.test(end) && !/^(start|end|date|time|period|valid)$/.test(end))
    return `${way === "to" ? "destination" : "source"} ${end}`;
  const kind2 = kindOf(column2);
  if (/^\w+ (at|on)$/.test(text2) && PARTICIPLE.test(words2[0] ?? ""))
    return `${happening(words2[0] ?? "") ?? words2[0]} ${/date|time/.test(kind2) ? kind2 : last === "on" ? "date" : "time"}`;
  return `${dangling ? `"${text2}"` : text2} ${kind2 === "number" && MONEY.test(last) ? "amount" : kind2}`;
}
function isPhrasalVerb(words2) {
  return words2.length === 2 && PARTICIPLE.test(words2[0] ?? "") && ADVERBIAL.test(words2[1] ?? "");
}
var MONEY = /^(spent|paid|owed|earned|raised|remaining|left)$/i;
var ADVERB = /^(since|until|from|to|by|before|after|active|open)$/i;
function kindOf(column2) {
  const { min, max, distinct } = column2.statistics;
  if (isDate(column2) || typeof min === "string" && DATES.test(min) || typeof max === "string" && DATES.test(max))
    return "date";
  if (isEpoch(column2) || [min, max].every((one2) => typeof one2 === "string" && TIMES.test(one2))) return "time";
  if (isCompactDate(column2) || formatOf(column2).includes("YYYY")) return "date";
  if (distinct > 0 && distinct <= 2) return "status";
  if (column2.type === "string") return "value";
  return hasYears(column2) ? "year" : "number";
}
function hasYears({ statistics: { min, max } }) {
  return [min, max].every((one2) => /^(1\d\d\d|2[01]\d\d)$/.test(String(one2)));
}
function isYear(column2, text2) {
  const { max } = column2.statistics;
  const short = /^year$/i.test(column2.name) && typeof max === "number" && max >= 50 && max < 2200;
  return (hasYears(column2) || short) && /^year\b|\byear$/i.test(text2);
}
var DATES = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/;
var TIMES = /^\d{1,2}:\d{2}(:\d{2})?$/;
function isDate(column2) {
  const { min, max } = column2.statistics;
  const iso = /^\d{4}-\d{2}(-\d{2})?([ T]\d{2}:\d{2}.*)?$/;
  if (typeof min === "string" && typeof max === "string") return iso.test(min) && iso.test(max);
  return min === null && /DATE|TIMESTAMP/i.test(column2.declared_type);
}
function isMonth({ name: name3, statistics: { min, max } }) {
  const month = /month|period/i.test(name3) ? /^(1[89]|20)\d\d-?(0[1-9]|1[0-2])$/ : /^(1[89]|20)\d\d-(0[1-9]|1[0-2])$/;
  return [min, max].every((one2) => month.test(String(one2)));
}
function isCompactDate({ type, statistics: { min, max } }) {
  const day = /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/;
  return type === "integer" && [min, max].every((one2) => day.test(String(one2)));
}
function isEpoch({ name: name3, type, statistics: { min, max } }) {
  if (type !== "integer" || typeof min !== "number" || typeof max !== "number") return false;
  const within2 = (low, high) => min >= low && max < high;
  return (within2(1e8, 5e9) || within2(1e11, 5e12)) && MOMENT.test(name3);
}
var MOMENT = /(^|[_ ])(at|on|time|timestamp|ts|epoch|date|since|until|when|unix)([_ ]|$)|(At|On|Time|Ts|Date)$/;
function looksNumeric({ statistics: { min, max } }) {
  const quantity = /^[+-]?\.?\d/;
  return typeof min === "string" && typeof max === "string" && (min === "" || quantity.test(min)) && quantity.test(max);
}

// generator/english/patterns.ts
function bare2(expr) {
  return stripped(expr, TRANSPARENT);
}
function barely(expr) {
  return stripped(expr, ROUNDED);
}
function stripped(expr, calls) {
  const bare3 = (inner) => stripped(inner, calls);
  switch (expr.kind) {
    case "cast":
    case "collate":
      return bare3(expr.expr);
    case "unary":
      return expr.op === "+" ? bare3(expr.expr) : expr;
    case "binary": {
      const same2 = unchanged(expr);
      return same2 === null ? expr : bare3(same2);
    }
    case "call": {
      const [first, ...others] = /^(printf|format)$/.test(expr.name) ? expr.args.slice(1) : expr.args;
      const form2 = others.every((other) => bare3(other).kind === "literal");
      const kept2 = expr.name !== "nullif" || others.every(isNothing);
      return first !== void 0 && form2 && kept2 && calls.has(expr.name) ? bare3(first) : expr;
    }
    default:
      return expr;
  }
}
function unchanged({ op, left: left2, right: right2 }) {
  const isJust = (expr, number3) => expr.kind === "literal" && /^(integer|real)$/.test(expr.type) && Number(expr.value) === number3;
  if (op === "*") return isJust(right2, 1) ? left2 : isJust(left2, 1) ? right2 : null;
  if (op === "/") return isJust(right2, 1) ? left2 : null;
  if (op === "+") return isJust(right2, 0) ? left2 : isJust(left2, 0) ? right2 : null;
  return null;
}
function isNothing(expr) {
  const inner = bare2(expr);
  return inner.kind === "literal" && (inner.value === "" || Number(inner.value) === 0);
}
var TRANSPARENT = new Set(
  "round coalesce ifnull nullif lower upper trim ltrim rtrim printf format replace floor ceil ceiling".split(
    " "
  )
);
var ROUNDED = new Set(
  "round nullif printf format replace floor ceil ceiling ltrim rtrim".split(" ")
);
function numberLiteral(expr) {
  const inner = bare2(expr);
  return inner.kind === "literal" && (inner.type === "integer" || inner.type === "real") ? inner : null;
}
function testIn(expr) {
  const inner = bare2(expr);
  if (inner.kind === "case" && (inner.else === null || isNull(inner.else))) return null;
  return countedCondition(inner);
}
function countedCondition(expr) {
  const inner = bare2(expr);
  if (isCondition(inner)) return inner;
  const only2 = onlyWhen(inner);
  if (only2 === null || !isValue(only2.result, 1)) return null;
  return only2.else === null || isValue(only2.else, 0) || isNull(only2.else) ? only2.when : null;
}
function conditionalCount(expr) {
  const inner = bare2(expr);
  if (inner.kind !== "aggregate") return null;
  const [arg] = inner.args;
  if (inner.name === "count" && inner.filter !== null) return inner.filter;
  if (arg === void 0) return null;
  if (inner.name === "sum" || inner.name === "total") return inner.distinct ? null : countedCondition(arg);
  if (inner.name !== "count") return null;
  const only2 = onlyWhen(arg);
  return only2 !== null && (only2.else === null || isNull(only2.else)) ? only2.when : null;
}
function conditionalValue(expr, orZero = true) {
  const only2 = onlyWhen(expr);
  if (only2 === null || only2.result.kind === "literal") return null;
  const nothing2 = only2.else === null || isNull(only2.else) || orZero && isNothing(only2.else);
  return nothing2 ? { when: only2.when, value: only2.result } : null;
}
function onlyWhen(expr) {
  const inner = bare2(expr);
  if (inner.kind !== "case" || inner.whens.length !== 1) return null;
  const [only2] = inner.whens;
  if (only2 === void 0) return null;
  const { operand: operand2 } = inner;
  const when = operand2 === null ? only2.when : node({ kind: "compare", op: "=", left: operand2, right: only2.when });
  return { when, result: only2.result, else: inner.else };
}
function isCount(expr) {
  return asAggregate(expr)?.name === "count";
}
function asAggregate(expr) {
  const inner = bare2(expr);
  return inner.kind === "aggregate" ? inner : null;
}
function isValue(expr, value) {
  const inner = bare2(expr);
  return inner.kind === "literal" && inner.type !== "text" && Number(inner.value) === value;
}
function isNull(expr) {
  return expr.kind === "literal" && expr.type === "null";
}
function flatten(expr, op) {
  const inner = bare2(expr);
  if (inner.kind !== "binary" || inner.op !== op) return [inner];
  return [...flatten(inner.left, op), ...flatten(inner.right, op)];
}
function isRecursive(query2, origins) {
  return query2.kind === "set_operation" && selectsOf(query2.right).some(({ from }) => from.some(({ source }) => origins.queryOf(source) === query2));
}
function isPiece(expr) {
  const parts2 = exprsWithin(expr);
  return parts2.some((part) => part.kind === "call" && /^(substr|substring|strftime|instr)$/.test(part.name)) && parts2.every(isInOrder);
}
function isInOrder(part) {
  if (part.kind === "compare") return part.op !== "=" || part.right.kind !== "literal";
  if (part.kind !== "binary" || !/^[-/]$/.test(part.op)) return true;
  const [left2, right2] = [part.left, part.right].map(
    (side) => side.kind === "call" ? side.args[1] : void 0
  );
  const isTurned = left2?.kind === "literal" && left2.value === ":" && right2?.kind === "literal" && right2.value === ".";
  return part.left.kind !== "literal" && !isTurned;
}

// generator/english/dates.ts
function dateTerm(expr, scope) {
  const found = datePart(expr, (of2) => writtenAs(of2, scope));
  if (found === null) return null;
  const of = movedBy(scope.term(epochOf(found.of)), found.modifiers, scope);
  if (of.kind === "constant") return of;
  return of.kind === "moved" && /^(date|time)$/.test(found.part) ? of : partOf(found.part, of);
}
function epochOf(expr) {
  const inner = bare2(expr);
  const thousand = inner.kind === "binary" && inner.op === "/" && Number(numberLiteral(inner.right)?.value) === 1e3;
  return thousand ? inner.left : expr;
}
function partOf(part, of) {
  const isDay2 = of.kind === "date_part" && of.part === "date";
  return { kind: "date_part", part, of: isDay2 ? of.of : of };
}
function movedGiven(expr, given, scope) {
  const part = expr.kind === "call" ? datePart(expr, () => "") : null;
  return part === null ? given : { ...given, shifts: shiftsOf(part.modifiers, scope) };
}
function movedBy(of, modifiers, scope) {
  const shifts = shiftsOf(modifiers, scope);
  return shifts.length === 0 ? of : { kind: "moved", of, shifts };
}
function shiftsOf(modifiers, scope) {
  return modifiers.flatMap((modifier) => shiftOf(bare2(modifier), scope) ?? []);
}
function shiftOf(modifier, scope) {
  if (modifier.kind !== "literal" || scope.context.choiceOf.has(modifier)) {
    return { kind: "term", by: scope.term(modifier) };
  }
  const written = String(modifier.value).trim().toLowerCase();
  if (FORMS.test(written)) return null;
  const start = written.match(/^start of (day|month|year)$/)?.[1];
  if (start !== void 0) return { kind: "start", unit: start };
  const weekday = written.match(/^weekday (\d)$/)?.[1];
  if (weekday !== void 0) return { kind: "weekday", day: Number(weekday) };
  const [, sign, count3, unit] = written.match(/^([+-]?)\s*(\d+(?:\.\d+)?)\s*(day|hour|minute|second|month|year)s?$/) ?? [];
  if (count3 === void 0 || unit === void 0) return { kind: "term", by: scope.term(modifier) };
  return {
    kind: "by",
    sign: sign === "-" ? "minus" : "plus",
    count: count3,
    unit: count3 === "1" ? unit : `${unit}s`
  };
}
var FORMS = /^(auto|unixepoch|julianday|subsec|subsecond|localtime|utc|ceiling|floor)$/;
function writtenAs(expr, { context }) {
  const base = context.origins.baseColumn(bare2(expr));
  if (base === null) return "";
  if (isDate(base.column)) return "YYYY-MM-DD HH:MM:SS";
  const written = formatOf(base.column);
  return compactFormat(base.column) || (written.startsWith("D") ? written : "");
}
function durationTerm(later, earlier, scope) {
  const whole = fullYears(later, earlier, scope);
  if (whole !== null) return whole;
  const [a, b] = [momentOf(later, scope), momentOf(earlier, scope)];
  if (a === null || b === null || a.unit !== b.unit || a.fixed && b.fixed) return null;
  const [to, from] = [scope.term(a.expr), scope.term(b.expr)];
  if (a.unit === "years" && isBirth(from) && a.fixed)
    return { kind: "age", of: from, on: to, years: "calendar" };
  return { kind: "duration", unit: a.unit, from, to, full: false };
}
function fullYears(left2, right2, scope) {
  const [years, over] = [bare2(left2), bare2(right2)];
  if (years.kind !== "binary" || years.op !== "-" || over.kind !== "compare" || over.op !== "<") return null;
  if (![over.left, over.right].every(isDayOfYear)) return null;
  const of = durationTerm(years.left, years.right, scope);
  if (of === null || of.kind === "duration" && of.unit !== "years") return null;
  return of.kind === "age" ? { ...of, years: "full" } : { ...of, full: true };
}
function isDayOfYear(expr) {
  const inner = bare2(expr);
  const [format] = inner.kind === "call" && inner.name === "strftime" ? inner.args : [];
  return format?.kind === "literal" && /^%m-?%d$/.test(String(format.value));
}
function isBirth(of) {
  return of.kind === "property" && /birth|\bdob\b|\bborn\b/i.test(of.full.words.join(" "));
}
function momentOf(expr, scope) {
  const inner = bare2(expr);
  if (inner.kind === "literal") return inner.pinned ? { unit: "years", expr: inner, fixed: true } : null;
  if (inner.kind === "column") {
    const base = scope.context.origins.baseColumn(inner);
    if (base === null || !(isDate(base.column) || isEpoch(base.column))) return null;
    const seconds = isEpoch(base.column) && Number(base.column.statistics.max) < 1e11;
    if (isEpoch(base.column) && !seconds) return null;
    return { unit: seconds ? "seconds" : "years", expr: inner, fixed: false };
  }
  if (inner.kind !== "call") return null;
  const found = datePart(inner, (of2) => writtenAs(of2, scope));
  if (found === null || shiftsOf(found.modifiers, scope).length > 0) return null;
  const unit = unitOf(inner.name, found.part, found.format, inner.args[0]);
  if (unit === null) return null;
  const of = bare2(found.of);
  return { unit, expr: of, fixed: of.kind === "literal" };
}
function unitOf(name3, part, format, first) {
  if (name3 === "julianday") return "days";
  if (name3 === "unixepoch") return "seconds";
  if (name3 === "strftime" && first?.kind === "literal") {
    if (first.value === "%J") return "days";
    if (first.value === "%s") return "seconds";
  }
  if (part === "year") return "years";
  return part === "date" && format.startsWith("YYYY") ? "years" : null;
}
function datePart(expr, formatOf2) {
  const [first, second, third] = expr.args;
  if (first === void 0) return null;
  if (expr.name === "strftime") {
    if (second === void 0 || first.kind !== "literal") return null;
    const format = first.type === "text" ? first.value : "";
    const [part, written] = FORMATS2.get(format) ?? ["date", ""];
    return { part, format: written, of: second, modifiers: expr.args.slice(2) };
  }
  const whole = WHOLES[expr.name];
  if (whole !== void 0)
    return { part: whole[0], format: whole[1], of: first, modifiers: expr.args.slice(1) };
  if (expr.name !== "substr" && expr.name !== "substring") return null;
  const slice = sliceOf(formatOf2(first), second, third);
  return slice === null ? null : { part: slice[0], format: slice[1], of: first, modifiers: [] };
}
var FORMATS2 = new Map(
  Object.entries({
    "%Y": ["year", "YYYY"],
    "%m": ["month", "MM"],
    "%d": ["day", "DD"],
    "%H": ["hour", "HH"],
    "%M": ["minute", "MM"],
    "%S": ["second", "SS"],
    "%w": ["weekday", "0 for Sunday to 6"],
    "%W": ["week", "00 to 53"],
    "%j": ["day of year", "001 to 366"],
    "%J": ["date", ""],
    "%s": ["seconds since 1970", ""],
    "%Y-%m": ["month", "YYYY-MM"],
    "%Y%m": ["month", "YYYYMM"],
    "%m-%d": ["day", "MM-DD"],
    "%Y-%m-%d": ["date", "YYYY-MM-DD"],
    "%H:%M": ["time", "HH:MM"],
    "%H:%M:%S": ["time", "HH:MM:SS"]
  })
);
var WHOLES = {
  date: ["date", "YYYY-MM-DD"],
  datetime: ["date", "YYYY-MM-DD HH:MM:SS"],
  time: ["time", "HH:MM:SS"],
  julianday: ["date", ""],
  unixepoch: ["seconds since 1970", ""]
};
function sliceOf(format, from, length) {
  const start = numberOf(from);
  if (format === "" || start === null) return null;
  const at = start > 0 ? start - 1 : start < 0 ? format.length + start : 0;
  const count3 = length === void 0 ? format.length : numberOf(length);
  if (count3 === null || count3 <= 0 || at < 0) return null;
  const cut = format.slice(at, at + count3 - (start === 0 ? 1 : 0));
  const part = PARTS.get(cut.replace(/[^A-Z]/g, ""));
  const clean = /^[A-Z].*[A-Z]$/.test(cut);
  const before = format[at - 1] !== cut[0] && format[at + cut.length] !== cut.at(-1);
  if (part === void 0 || !clean || !before) return null;
  return [cut === "MM" && at > format.indexOf("HH") && format.includes("HH") ? "minute" : part, cut];
}
var PARTS = /* @__PURE__ */ new Map([
  ["YYYY", "year"],
  ["MM", "month"],
  ["DD", "day"],
  ["HH", "hour"],
  ["SS", "second"],
  ["YYYYMM", "month"],
  ["MMYYYY", "month"],
  ["MMDD", "day"],
  ["YYYYMMDD", "date"],
  ["DDMMYYYY", "date"],
  ["MMDDYYYY", "date"],
  ["HHMM", "time"],
  ["HHMMSS", "time"]
]);
function numberOf(expr) {
  return expr?.kind === "literal" && expr.type === "integer" ? Number(expr.value) : null;
}
function compactFormat({ type, statistics: { min, max } }) {
  const written = [min, max].map(String);
  if (type !== "string" && type !== "integer") return "";
  if (written.every((one2) => /^[0-2]\d:[0-5]\d(:[0-5]\d.*)?$/.test(one2))) return "HH:MM:SS";
  if (written.every((one2) => /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])$/.test(one2))) return "YYYYMM";
  return written.every((one2) => /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(one2)) ? "YYYYMMDD" : "";
}

// generator/english/clause.ts
function combinationOf(things) {
  if (things.length < 2) return null;
  const [one2, many] = things.length === 2 ? ["pair", "pairs"] : ["combination", "combinations"];
  const different = things.filter(
    (thing, i) => things.findIndex((other) => other.one.join() === thing.one.join()) === i
  );
  const words2 = different.flatMap((thing) => thing.one);
  const text2 = listed(different.map((thing) => (different.length === 1 ? thing.many : thing.one).join(" ")));
  return {
    one: [...words2, one2],
    many: [...words2, many],
    text: { one: `${one2} of ${text2}`, many: `${many} of ${text2}` }
  };
}
function sameThing(a, b) {
  return a !== null && b !== null && a.one.join(" ") === b.one.join(" ");
}
function manyOf({ many, text: text2 }) {
  return text2?.many ?? many.join(" ");
}
function oneOf({ one: one2, many, text: text2 }) {
  return text2?.one ?? (many.at(-1) === "records" && one2.at(-1) !== "record" ? `${one2.join(" ")} record` : one2.join(" "));
}
function wordsFor(term) {
  if (term.kind !== "property" || term.base === null) return {};
  const { own, owner, scale, base } = term;
  const [text2 = "", unit] = withoutStart(own.text, owner?.one.join(" ") ?? "").toLowerCase().split(" in ");
  const { highest, lowest, ...compared } = MEASURED[text2] ?? {};
  const common2 = scale === "number" && QUANTITY2.test(text2) ? { ...unit === void 0 ? { quantity: text2, ...compared } : {}, highest, lowest } : scale === "date" && BIRTH.test(text2) ? { highest: "youngest", lowest: "oldest" } : {};
  return { ...common2, ...base.column.words };
}
var MEASURED = {
  age: { highest: "oldest", lowest: "youngest", above: "older than", below: "younger than" },
  weight: {
    highest: "heaviest",
    lowest: "lightest",
    above: "heavier than",
    below: "lighter than"
  },
  price: { highest: "most expensive", lowest: "cheapest" }
};
var BIRTH = /^(birth ?dates?|birthday|date of birth|dob)$/;
var QUANTITY2 = /^(amount|price|age|weight|height|altitude|depth|temperature|distance|size)$/;
function isReferring({ table, column: column2 }) {
  return table.foreign_keys.some(({ columns }) => columns.length === 1 && columns[0] === column2.name);
}
function visitNodes(tree, see) {
  if (typeof tree !== "object" || tree === null) return;
  if (!Array.isArray(tree)) see(tree);
  for (const [key2, part] of Object.entries(tree)) {
    if (key2 !== "choice" && key2 !== "base") visitNodes(part, see);
  }
}
function columnsWithin(term) {
  const found = [];
  visitNodes(term, (node2) => {
    if (node2.kind === "property") found.push(node2);
  });
  return found;
}
function choicesWithin(tree) {
  const found = [];
  visitNodes(tree, (node2) => {
    if (node2.kind === "given") found.push(node2.choice);
  });
  return found;
}
function sameTerm(a, b) {
  if (a.kind === "property" && b.kind === "property") {
    const [one2, other] = [a.base, b.base];
    return one2?.source === other?.source && one2?.column === other?.column && a.own.text === b.own.text;
  }
  return a.kind === b.kind && signature(a) === signature(b);
}
function signature(node2) {
  const seen = [];
  return JSON.stringify(node2, (key2, value) => {
    if (typeof value === "bigint") return String(value);
    if (key2 === "base" && typeof value === "object" && value !== null && "column" in value) {
      const { table, column: column2, source } = value;
      return [table.name, column2.name, source];
    }
    if (key2 !== "choice") return value;
    if (!seen.includes(value)) seen.push(value);
    return seen.indexOf(value);
  });
}

// generator/english/relations.ts
var RELATIONS = {
  equal: {
    sign: "=",
    is: "is",
    isDated: "is",
    after: "equal to",
    afterDated: "equal to",
    many: "exactly",
    name: ["", "", ""],
    versus: "matching",
    opposite: "not_equal"
  },
  not_equal: {
    sign: "!=",
    is: "is not",
    isDated: "is not",
    after: "other than",
    afterDated: "other than",
    many: "other than",
    name: ["excluded", "excluded", "excluded"],
    versus: "other than",
    opposite: "equal"
  },
  above: {
    sign: ">",
    is: "is above",
    isDated: "is after",
    after: "above",
    afterDated: "after",
    many: "more than",
    name: ["above", "above", "after"],
    versus: "above",
    opposite: "at_most"
  },
  at_least: {
    sign: ">=",
    is: "is at least",
    isDated: "is on or after",
    after: "of at least",
    afterDated: "on or after",
    many: "at least",
    name: ["min", "from", "from"],
    versus: "at least",
    opposite: "below"
  },
  below: {
    sign: "<",
    is: "is below",
    isDated: "is before",
    after: "below",
    afterDated: "before",
    many: "fewer than",
    name: ["below", "below", "before"],
    versus: "below",
    opposite: "at_least"
  },
  at_most: {
    sign: "<=",
    is: "is at most",
    isDated: "is on or before",
    after: "of at most",
    afterDated: "on or before",
    many: "at most",
    name: ["max", "to", "to"],
    versus: "at most",
    opposite: "above"
  }
};
var PATTERN = "% stands for any text and _ for any one character";
var GLOB = "* stands for any text, ? for any one character and [abc] for one of these";
var MATCHES = {
  contains: {
    is: ["contains", "does not contain"],
    after: ["containing", "not containing"],
    what: "text",
    parameter: ["text that it contains, ignoring case", "text that it does not contain, ignoring case"],
    name: "contains"
  },
  starts_with: {
    is: ["starts with", "does not start with"],
    after: ["starting with", "not starting with"],
    what: "text",
    parameter: ["text that it starts with, ignoring case", "text that it does not start with, ignoring case"],
    name: "prefix"
  },
  ends_with: {
    is: ["ends with", "does not end with"],
    after: ["ending with", "not ending with"],
    what: "text",
    parameter: ["text that it ends with, ignoring case", "text that it does not end with, ignoring case"],
    name: "suffix"
  },
  like: {
    is: ["is", "is not"],
    after: ["equal to", "other than"],
    what: "value",
    parameter: ["exact match, ignoring case", "anything but this value, ignoring case"],
    name: ""
  },
  pattern: {
    is: ["matches", "does not match"],
    after: ["matching", "not matching"],
    what: "pattern",
    parameter: [`pattern that it matches; ${PATTERN}`, `pattern that it does not match; ${PATTERN}`],
    name: "pattern"
  },
  glob: {
    is: ["matches", "does not match"],
    after: ["matching", "not matching"],
    what: "pattern",
    parameter: [`pattern that it matches; ${GLOB}`, `pattern that it does not match; ${GLOB}`],
    name: "pattern"
  }
};
function isRelation(role) {
  return role in RELATIONS;
}
function isMatch(role) {
  return role in MATCHES;
}
function isMoment(scale) {
  return scale === "date" || scale === "month" || scale === "year";
}
function relationWords(relation, scale) {
  const { is, isDated, after, afterDated } = RELATIONS[relation];
  if (!isMoment(scale)) return { is, after };
  const [isThen, then] = [isDated, afterDated].map(
    (words2) => scale === "date" ? words2 : words2.replace("on or", "in or")
  );
  return { is: isThen ?? is, after: then ?? after };
}
var SUPERLATIVES = {
  number: ["lowest", "highest"],
  count: ["fewest", "most"],
  date: ["earliest", "latest"],
  month: ["earliest", "latest"],
  year: ["earliest", "latest"],
  text: ["first", "last"]
};
var EXTREMES = [
  [/(^| )(population|area|size|capacity|amount|volume|quantity)( in .*)?$/i, "smallest", "largest"],
  [/(^| )(duration|length|distance|runtime)( in .*)?$/i, "shortest", "longest"],
  [/(^| )(height|width|depth|breadth)( in .*)?$/i, "smallest", "greatest"]
];
function superlative(scale, direction) {
  return SUPERLATIVES[scale][direction === "asc" ? 0 : 1];
}
function extreme(scale, direction, noun3 = "") {
  const own = scale === "number" ? EXTREMES.find(([nouns]) => nouns.test(noun3)) : void 0;
  return own?.[direction === "asc" ? 1 : 2] ?? superlative(scale === "count" ? "number" : scale, direction);
}
function orderText(scale, direction, noun3) {
  if (scale === "text") return direction === "asc" ? "" : "in descending order";
  return `${extreme(scale, direction, noun3)} first`;
}

// generator/english/noun-phrase.ts
function noun2(text2, more = {}) {
  return {
    lead: "",
    head: text2.split(" "),
    tail: "",
    owner: null,
    scale: "number",
    counted: null,
    value: "",
    whole: true,
    ...more
  };
}
function fixedText(text2, more = {}) {
  return noun2("", { head: [], tail: text2, ...more });
}
function singularText({ lead, head, tail }) {
  return joinTexts(lead, head.join(" "), tail);
}
function pluralText({ lead, head, tail }) {
  return joinTexts(lead, pluralValues(head).join(" "), tail);
}
function isPlain({ tail }) {
  return tail === "";
}
function behind(np, text2) {
  return { ...np, tail: joinTexts(np.tail, text2), counted: null, value: "" };
}
function withArticle(np) {
  const text2 = singularText(np);
  if (np.head.length === 0) return text2;
  const superlative2 = /^(highest|lowest|latest|earliest|most|fewest)\b/.test(np.lead);
  if (superlative2) return `the ${text2}`;
  return isUncounted(np) ? text2 : article(text2);
}
function valueWord(np) {
  const { value, scale } = np;
  if (value !== "" && np.head.join(" ") !== value) return value;
  return isMoment(scale) ? scale : scale === "count" ? "number" : "value";
}
function presentNoun(np, subject) {
  return subject !== null && singularText(np) === subject.one.join(" ") ? noun2("name") : np;
}
function isUncounted({ head }) {
  const preposition = head.findIndex((word, i) => i > 0 && PREPOSITION.test(word));
  const own = preposition < 0 ? head : head.slice(0, preposition);
  return isMassNoun(own.at(-1) ?? "") || isPlural(own);
}
function isOrAre(np) {
  return np.lead === "" && np.tail === "" && isPlural(np.head) ? "are" : "is";
}
function isPlural(head) {
  const last = head.at(-1) ?? "";
  return /[a-z]s$/.test(last) && !/(ss|us|is|ies)$/.test(last) && plural(head).join(" ") === head.join(" ");
}
function countedPlural(np) {
  if (np.counted !== null) return np.counted;
  const [first, second, ...rest2] = np.head;
  if (np.lead !== "" || np.tail !== "" || np.scale !== "number") return null;
  if (first === "number" && second === "of") return rest2.join(" ");
  return np.whole && isPlural(np.head) && !isMassNoun(np.head.at(-1) ?? "") ? np.head.join(" ") : null;
}
function rankedPlural(np) {
  const isNumber = np.head[0] === "number" && np.head[1] === "of";
  const isScored = np.whole && np.scale === "number" && SCORED.test(np.head.at(-1) ?? "");
  return np.lead === "" && (np.counted !== null || isNumber || isScored) ? countedPlural(np) : null;
}
var SCORED = /^(wins|losses|points|goals|assists|votes|views|likes|laps|medals|pages|seats|beds|rooms|floors|tickets|visitors|passengers|students|employees|players|followers|downloads|crimes|deaths|books|copies)$/i;
function joinTexts(...parts2) {
  return parts2.filter((part) => part !== "").join(" ");
}
function theText(text2) {
  return /^(a given|the) /.test(text2) ? text2 : `the ${text2}`;
}

// services/base/scalars/workspace.ts
import Database2 from "better-sqlite3";

// services/base/sqlite/better-sqlite3.ts
import Database from "better-sqlite3";
import { LRUCache } from "lru-cache";

// services/base/sqlite/driver.ts
var MIB = 1024 * 1024;

// services/base/sqlite/keep-objects.ts
import { createRequire } from "node:module";
var KEPT_RESULTS = ["prepare", "backup", "iterate"];
var kept = /* @__PURE__ */ new Set();
function keepObjects() {
  if (kept.size > 0 || Number(process.versions.node.split(".")[0]) < 24) return;
  const Database4 = createRequire(import.meta.url)("better-sqlite3");
  const keepAllOf = (prototype) => {
    for (const [name3, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name3 === "constructor" || typeof method !== "function") continue;
      prototype[name3] = function(...args) {
        kept.add(this);
        const made = method.apply(this, args);
        if (KEPT_RESULTS.includes(name3)) kept.add(made);
        return made;
      };
    }
  };
  const database = new Database4(":memory:");
  const [inner] = Object.getOwnPropertySymbols(database).map((symbol) => database[symbol]);
  if (inner === void 0) throw new Error("better-sqlite3 does not have the internals of version 12");
  const statement = database.prepare("SELECT 1");
  kept.add(inner).add(statement);
  keepAllOf(Object.getPrototypeOf(inner));
  keepAllOf(Object.getPrototypeOf(statement));
}

// services/base/sqlite/better-sqlite3.ts
keepObjects();
var MMAP_BYTES = 1 << 30;

// services/base/scalars/gazetteer.ts
function withoutMarks(text2) {
  return text2.normalize("NFD").replace(/\p{M}/gu, "");
}

// services/base/scalars/read-statement.ts
var ALLOWED_FUNCTIONS = new Set(
  [
    // values
    "abs ceil ceiling coalesce floor glob ifnull instr length like likelihood likely lower ltrim max min mod nullif octet_length",
    "replace round rtrim sign substr substring trim trunc typeof unicode unlikely upper hex quote soundex char concat concat_ws",
    "acos acosh asin asinh atan atan2 atanh cos cosh degrees exp ln log log10 log2 pi pow power radians sin sinh sqrt tan tanh",
    // dates and times
    "date datetime julianday strftime time timediff unixepoch",
    // JSON
    "json json_array json_array_length json_extract json_object json_quote json_type json_valid",
    // aggregates
    "avg count group_concat json_group_array json_group_object median percentile percentile_cont percentile_disc string_agg sum",
    "total",
    // window functions
    "cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number"
  ].flatMap((line) => line.split(" "))
);

// services/base/scalars/syllables.json
var syllables_default = [
  "",
  "aches aisle aisles alles b'rith ba'ath balle balles banque basque basques begue beijer belle belles berle berle's berles bille billes birle bisque blech's bloch's bogue bolle bolles bonet bourque bowles braille brailles braque brusque burges c'est calle calles carles charle charles cheque cheques cinque cirque clague clique cliques colle creque croix's crowle d'oeuvre d'oeuvres d'or dague delle dengue digges dille disque dolle dower dowers dralle drawer drawers dreher drogue dulle duque dwelle earle earles ehle elle esque foret forgue freda fugue fugues galle galles gasque gaulle gelles gille gilles gnarle golle grahams grelle grille hague halle haque helle hille hoelle hogue holle i've illes isle isles jacque jacques jaques kahle kalthoff kille knowles koelle kolle kreher l'eggs lague lange's league league's leagues lille logue louque luelle luque m'bow ma'am maher maille malle marque marques meagher melle merle mille molle morgue morgues mosque mosques n'dour ne'er nelle nelles nilles paille paque pasque pearle pelle perle pigue pille pique piqued plague plagued plagues plaque plaques pogue prague prague's pralle quarles rague rawles reher reich's rocque roelle rogue rogues rolle roque rowles salle sarles schnelle scholle searle searle's searles segue selle sha'ath sirles sowle sowles sperle sprague sprague's staehle stelle stille stolle strehle t'ang tague teague tech's telles there've they're they've tigges tigue tilles toelle tolle tolles tongue tongued tongues torque towle towle's vague valle valles vaughan vaughan's vigue ville ville's vogue volle wahle walle walles warez we're we've welle welles werle who've wille willes wolle wyden y'all yelle yongue you're you've yuille z's zelle",
  "abbe abbeville abed abled ac acecomm achmed acme acme's acne acre acres addled adelle afmed ageless agne agnes ahmed airedale airedales aires akre aldeburgh aldred alehouse aleman alewife alewine alewives alfre alfred alleman allred alred alves ambled amesville amr amre andes andre andres angelle angled ante antes anthes antique antiques aoi aon aoun aoun's ap apelike aravind arbed ardelle arnelle arnelle's arsehole artes ashe's asheville ashville aspirin aspirin's aspnes astred auel auen auer aug authement auyeung av ave averaged awesome awestruck awfully ayars ayer ayers ayerst aylesworth ayo ayon ayotte ayoub ayyad ayyad's ayyash ba ba'athism ba'athist ba'athists babbled bache's bachelors backaches baez baffled baie baier baiul baiul's bakeman bakeware bakewell baleful balmes banville barbre barefoot barely barkeley baroque barre bartl baseball baseball's baseballs baseboard baseboards baseless baseline baselines baseman basement basements bastille bateman batesville batres battelle battelle's battled bauer bauers bayar bayard bayer bayer's bayers baying bayog bayonne bayou bayous bayouth bayuk bayul bayus bazemore bc bealeton beaupre bebe bebe's bedke beebe beebe's beebes begeman beier being being's beings belge belgique belgique's belleville bellevue bellville beltsville belville bene benes beresford bergeman bergemann berkeley berkeley's bertke betke bette bettes beuys beville beyer beyers beyond bias biased biaz bio bio's biome biomes bios birkeland bitesize blakeley blakeley's blakely blakely's blakeman blakemore blakeney blakeney's blakeslee blakesley blameless blamestrorm bleier blithely bloodshed bloyer blueeyed blueing blueish bluer bluest bluey bluing bluish boa boas boaz bobbled bobsled bocce boehmke boeing boeing's boggled boise boleware bonebrake boneless bonenfant bonesteel bonville booe booee booing boonville boredom borneman bornemann boseman bottled bouie bournewood boutelle boutique boutiques bouyer bovespa boyack boyan boyar boyer boyers boyett boyette boyish boyleston boyleston's boyum bozeman bp bracelet bracelets bracewell bradtke brakebill brakefield brakeman brakemen brandl brauer braveheart bravely brayer brca brcko brcko's breastfed breezeway breier breneman brenneman breon breuer breyer breyer's bria brian brian's briand briant briar bridegroom bridegroom's bridesburg bridesmaid bridesmaid's bridesmaids bridgeford bridgeforth bridgehead bridgeman bridgeport bridgestone bridgestone's bridgeton bridgetown bridled brieant brien brier brietzke brio brioche brion briquemont bristled broer broers bronte bronte's brookehill brooksville brooksville's brownsville broyard bruegge brueggeman brueggemann bruer bruggeman bruin bruin's bruins brunelle brunjes brusquely brutsche bruyette bruynes bryan bryan's bryans bryant bryars bryen bryer bryon bs bt bua bubbled buckled budke buell buer buffeted buick buick's buicks buie buil buist bundled bungled bunzl buoy buoyant buoyed buoying buoys burbled burlesque buseman business buttke buyer buyer's buyers buying buyout buyouts byam byars byas byer byers byus cabinet's cabled cacique cacld cadre cadres cafe cafes caillebotte calfed's calmes cambre camera's camille cantrelle caouette capehart capelle capetown carefree careful careless caremark caremark's careplus carleton carlisle carville carville's casebolt caseload casework castille catharine catharines catherine's catherines catholic catholics causeway causeways caveman cawsl caya cayenne cayer cb cc cd cds ce ceaseless centre centres ceres chaim chaos chapelle chappelle chargeback chargebacks charles's charleston charleston's charlestown chartres chasm chayon cheesecake cheeseman chemed cheong cheyenne cheyenne's cheyennes chia chiat chiffre childener childener's childres chile chile's chism chloe chloe's chmiel chocolat chocolate chocolates choir chokehold chortled chromecast chrzan chua chuah chuan chuckled chui circled claremont clarksville clayey cleah cleaveland cleo cleveland cleveland's clevetrust cliche cliched client client's clients clinique clio cloer cloey closedown closedowns closely closeness clotheshorse clothestime clouatre cloying cluett clyatt clydesdale cmos cmx cnet coate coates coatesville cobbled cobre coddled codebase coed coeds coen coerce coerced coey cogema coia coitsville colebank colebreath colebrook colegrove coleman coleman's coleridge coleslaw colestock coleville colleague colleague's colleagues colleville colleville's colonel colonel's colonels colville comeback comebacks comedown comely comfed conehead coneheads conely connely conville cooing copeland copeland's copeman corestate corestates coretech cornelle corteland cortes cotelle couey couldn't coupled courtemanche courville coville coyer crackled cranesbill cranesbills crayon crayons create creates creole creoles crier crippled critique critiqued critiques croat croat's croats croce crocheted crooked crossville crovl crovls crownx crudely cruel cruey crumbled crumpled cryan cryer crying cspan cuddeback cuddled cuing cureton cuteness cutesy cv cyacq cyan cycled cyert cygne d'affaires d'alene d'alene's d'allest d'arcy d'estaing d'etat d'etats d'etre d'etude d'ivoire d'orsay da's dabbled dadeland daiei daigre damewood danelle dangled dansville dansville's dante dante's danville daphne daphne's daresay darnedest darrelle darville dashville dateline dateline's datelines dauer daya daya's dayan dazzled dbase dc deathbed debora debuted decelle decelles declerque declerque's dederichs degaulle degaulle's deidre deidre's deion deirdre deist delbosque delisle delmed delmed's densely dente deo deon descartes's desperate despres desselle deuel deutschemark deutschemark's deutschemarks devalle develle devilish deville deville's dewbre deyo deyoe deyoung dhaharan dhia dia diab dial dial's dialed dials dian diane diane's dianne dias diaz dibbled didn't diedre dienes dier diers diet diet's dietl diets dietze diez dikeman dimpled dinehart diode diodes dion dione dionne dior dios dively dixville dj dk doers doesn't doing doings dokely dolce doleful domangue domingue doubled dougl dour douville dovecote dovecotes dovetail dovetailed dovetails doyal doyel doyen doyenne doyon drakeford drayer dreier dreyer dribbled drier driest driveway driveways druid druids dryer dryers drying dual duals duarte duarte's dubuque dubuque's dueitt duel dueled duels duer duet duets duey duis dukedom dukeman dumke duo duong dupre dwindled dwyer dyad dyal dyan dyane dyar dyas dyeing dyer dyess dying dykeman dziak dziuk easement eavesdrop ebbed eckl edgecomb edgecombe edgemon edgeway edgeways edgewise edgewood edgeworth ehmke ehrlich's eiseman eisemann ekkehard eldred ellesmere elsewhere embed emerald emeralds endres engeman ente entre eoff eon eons eos ertl este estelle estes eu euan euchre euchred eveland evening evening's evenings eyeing eyer eyetech's ezelle fabled fabre facebook facebook's facedown faceless facelift fadely fahnestock faist faivre falsehood falsehoods falsely fanech's fangled farewell farewells farquhar fateful fatigue fatigued fatigues favre fayanne fayard fayette fayez febres fejes fenceless fencl feuer fiat fiat's fibre fibres fiddled fiercely fiest filegate filename filenet fimbres fineberg finefrock finegold finely fineman finestone finevest fire fire's firebaugh firebombed firebombs fired firefight firefights fireman fireman's firemen fires firestone firestone's firestorm firewall firework fireworks firstfed fischbach's fischl fivecoat fivefold fizzled flaharty flaherty flatbed fleeing flickr flier fliers flores floresheim flour flours fluent fluid fluids fluitt fluor fluor's flyer flyers flying fm foia foiles fondled fontes fonville forbeses forceful forebear forebears forebode forebrain forecast forecasts foreclose foreclosed forefoot forefront forego foregone foreground forehand forehands forehead foreheads forelimb forelimbs foreman foremen foremost foreplay forero foresaw foresee foreseen foresees foresight foreskin foresman foresta forestall forestalled forestalls foretaste foretastes foretell forethought foretold forewarn forewarned forewarns forewing forewings foreword forte fortes fouad foyer framework frameworks francaises frankl frayer fraying frazzled freckled frederic frederick frederick's fredericks freeing freer freest freia freier freon freons freya freyer friar friars frias friedl frier frizzled fruin fryar fryer fryers frying fua fuel fuel's fueled fuelled fuels fuente fuentes fumbled gabehart gabled gaea gagne gaia gaier gainesville galesburg gambled gameboy gamecock gamecocks gamely gameplay gameshow gameshows gamesman gangl garbled gardiner gared gaspe gately gateway gateway's gateways gatewood gatx gauer gauerke gayer gazelle gazelles geddes geeing geers geffre geier genre genres geo geoid geon georg georgetown gerdeman gergely gerke gerleman geyer ghio gia's gian giang giant giant's giants giap giard giggled gimme gioia giselle giuffre giuffre's giveback givebacks gladje glanville glazebrook glenfed glenfed's glenville glidewell glocester gloucester glyndebourne gm gmail goa goates gobbled goer goers goettl goetzke going goings goleman gomes gooey googled goosefish goosefoot gottesman gouache goya goya's goyer goyette goyim graceful graceland graceless grandpre granville granville's grapefruit grapefruits grapeshot grapevine grapevines grappled grassl grateful grauel grauer graveline gravelle gravely graveside gravesite gravestone gravestones grayer grayest graying grayish greasewood greear greenville greuel greying grier grier's griest grizzled groene groer grosvenor grotesque groupement groveman grua gruel gruet gruis grumbled grunebaum grzyb gschwind gsell gtech guidebook guidebooks guideline guidelines guidepost guideposts guier guiffre guileless guion guisewite guseman guyer guyett guyette guyon guyot h's ha'aretz hackl hades hadn't hafeman hageman hagemann hagewood haggled haist haldeman haldeman's halebopp halteman hamre handke handled hanemann hanneman hannemann hansche hapeman hapke harangue harangued harangues hardebeck hardeman hardtke harebrained harewood hartje hartke hartl hartsville harville haseman hasn't hassled hateful hatheway hatred hauer havelock haveman hawkiness haydn haydn's hayek hayen hayer haying haynesworth hbox headaches heckled hedgecock hedgehog hedgehogs hedgepath hedtke heer hegeman heideman heidemann heier heigl heikes heileman heileman's heindl heineman heinemann heinl henceforth henneman henrique henske heon hereby herendeen herewith hermes herpes heuer heuer's heyer heying hiam hiatt hiatt's hicksville hidebound hier hileman hilemon hilemon's hilgeman hilke hinely hineman hiott hire hired hires hitzeman hively hjort hoarseness hobbes hobbled hodgepodge hoeing hoene hoeveler hoey holdeman holeman holleman hombre homebound homeboys homecare homeclub homefront homegrown homeland homeland's homelands homeless homelike homely homemade homepage homerun homeruns homesick homesley homespun homestake homestake's homestate homestead homestead's homesteads homestretch hometown hometowns homeward homewood homework homeworld hooey hopeful hopefuls hopeless hopewell horehound horseback horseflesh horsehead horsely horseman horsemen horseplay horseshit horseshoe horseshoes horsetail horsetails hotbed hottelet hottelet's houdaille hour hour's hours houseboat houseboats houseful houseguest houseguests household household's households houseknecht houseman houseman's houseware housewares housewife housewives housework houseworth housewright houy hoyer hoying hoyos hp hr hrncir hsieh hsiung hua huddled huettl huey hugely hui huie huish humbled humke huml hundred hundred's huntsville huot huseman hustled huyett hyams hyatt hyatt's hybl hybl's hyer hyers hyun ia iain iams ian ibn iceberg icebergs icebox icefish iceland iceman iceskate ickes idled ids iiams iie imbed imre inbred ines innes interest interests intrigue intrigued intrigues io ion ions ios iott ip iq iq's ireland's irelands ironton isaly iseman ism isms isn't istre it'd it'll iyer jaffe jaime jaime's jaimes jakeway jameson jamestown jamesway janelle janesville janeway jangled jared jaya jayme jaymes jeanerette jefferies jere jesse jia jian jiang's jiar joann joanne joao jocelin joceline jocelyn jocelyne jocylan jocylan's joel joel's joers joette joey joey's jokebook jokebooks jokester joneses jonestown jorge jose joske's jostled jouett joyal joycelyn joycelyn's joying joyous jr jua judgement judgements judgeship judgeships juedes juenemann juggled jukebox jumbled juppe juul kamke kaseman kaske kastl katharine kauai kauer kaya kayak kayaks kayo kcal kcop keay keio keleman kelemen kennebeck kennemore kente keo keogh keough keown kerrville keville keying khaled kia kiam kian kiechl kiev kiev's kimche kindled kindred kingsville kiosk kiosks kious kirmse klauer kleier klier klitzke kmart kmart's kmetz kmiec knauer kneeing knicely knifelike knifepoint knipl knisely kniveton knoxville knuckled kobe kobe's koetje kooi kooy kottke kovach's koyo kraai krajina krajina's kratzke kresge krier krone kruckeberg kruer kubes kukje kuo kuow kupres kvamme kyer l'alma l'amour l'enfant l'express l'heureux labelle labrecque lacefield lacewell ladled laing lakeberg lakefield lakefront lakeland lakeman lakeshore lakeside lakeview lakewood lamely lamke lampl lancelet lanehart laos lapre larche largely largeness larocque laroque lasalle latelies lately lateness latte laue lauer lavelle lavely layah layer layered layers laying layoff layoffs layout layouts leadville leah leann leant leaseback leasebacks leasehold leaseway leaseway's leavelle lebed lebed's lebegue legged leia leicester leier leist leitzke lembcke lemcke lemelle lemke lemme lendl lenke leo leo's leoine leon leon's leone leonelle leones leos lepre leveille leveque levesque lewke leya lia lia's liam liam's liane lianne liao liar liars liau liebl liedtke liedtke's lieske lietzke lifeblood lifeboat lifeboats lifeco lifeguard lifeguards lifeless lifelike lifeline lifelines lifelong lifespan lifespans lifestyle lifestyles lifetime lifetime's lifetimes likely likeness likewise limehouse limelight limestone limestones lindeman lineback lineman linemen linkedin linneman linnemann linville lion lion's lions liou lire litke lively liveried livestock lodestar lodestone lodgepole loepfe loess loew loewe loibl lois loise loiselle lonely lonesome lonetree longpre looart loosely loosestrife loosestrifes lopeman louanne louart louie louis louise louvre loveday lovegrove lovejoy lovelace lovelan loveland loveless lovely loveridge lovewell loville lowekamp lowndes loya loyal loyall loyer lp ls lua luane luau lucille ludcke ludeman ludemann ludke ludtke lueck luedke luedtke luepke luers lui luis lukehart lukewarm luong lustre lutzke luu lyall lyanne lyell lying lyon lyon's lyons mabelle macaques macmahon madelle madl madre madres maeve maez mahe maia maier maiers mainville maio maish maitre makefield makegood makegoods makepeace makeshift mandl manfre manfred mangement mangled manrique manville manville's maoist maoists marbled marcelle marcille marseille martelle marvelle masefield mathes matthes mattke matzke maue mauer maui mawr maya mayall mayan mayans maybe maybelle mayeaux mayer mayer's mayers mayeux mayo mayon mayor mayor's mayors mayotte mayville mbank mcan mcbain mcbane mcbay mcbean mcbeath mcbee mcbeth mcbreen mcbride mcbridge mcbroom mcbryde mccaa mccabe mccade mccaig mccain mccain's mccall mccall's mccan mccance mccane mccann mccann's mccants mccard mccarl mccarn mccart mccartt mccaul mccaw mccaw's mccay mcclain mcclaine mcclam mcclane mcclard mcclave mcclay mccleaf mcclean mccleave mcclees mccleese mcclish mccloud mccloy mccluer mcclune mcclung mcclure mcclurg mccoig mccoin mccole mccoll mccolm mccomb mccombs mccone mcconn mccook mccool mccord mccort mccosh mccoun mccourt mccown mccoy mccoys mccrae mccraw mccray mccrea mccree mccreight mccright mccrone mccrum mccrumb mccue mccuen mccune mccur mcdade mcdade's mcdaid mcdeal mcdill mcdole mcdow mcduff mcfall mcfalls mcfann mcfate mcfaul mcfee mcfly mcfly's mcfun mcfun's mcgagh mcgann mcgarr mcgath mcgaugh mcgaw mcgee mcgee's mcgeorge mcgeough mcghee mcghie mcgill mcginn mcginnes mcgirr mcgirt mcglade mcglaun mcglinn mcgloin mcglone mcglynn mcgoff mcgols mcgough mcgown mcgrail mcgrain mcgrane mcgrath mcgraw mcgray mcgreal mcgrew mcgriff mcguane mcgue mcguinn mcguire mcguirk mcguirt mcgurk mcgurn mchale mcham mchan mchone mchugh mckaig mckain mckane mckay mckeag mckean mckeand mckee mckee's mckeel mckeen mckell mckern mckey mckids mckie mckim mcknew mcknight mckone mckown mckoy mckree mckune mclain mclamb mclane mclay mclean mclean's mclear mclees mcleish mcleod mclin mclinn mclish mcloud mclouth mclure mcmains mcmann mcmath mcmeans mcmeen mcmil mcminn mcmunn mcnab mcnabb mcnair mcnall mcnatt mcnaught mcnay mcneal mcnear mcnease mcnee mcneece mcneel mcneer mcnees mcneese mcneff mcneice mcneil mcneill mcneish mcnett mcnew mcniel mcniff mcninch mcnish mcnitt mcnutt mcorp mcorp's mcpeak mcpeake mcpeck mcpeek mcphail mcphaul mcphee mcphie mcpike mcquade mcquaid mcquaide mcquaig mcquain mcquay mcqueen mcquigg mcquinn mcquire mcquown mcrae mcray mcree mcright mcroy mcshan mcshane mcshea mcsleep mcstay mcswain mcsween mcteer mctighe mcvay mcvea mcveigh mcveigh's mcvey mcvoy mcwain mcwhirt mcwhite mcwright mczeal md medved meer meers meidl meier meier's meincke meindl meiyuh melville mendes menschville meo meow merely merengue mertes merwe mesched messrs mestre metre metres meyer meyer's meyers meyo mg mh mhm mia micheaux's michelle michelle's michener michener's michl miears mielke mier miers miert mieske mightn't mildred milestone milestones mincemeat minecraft minefield minefields minehart mingled minogue mion mione miot mirelle misled mitre mizelle mj's moab moates moers moet moishe molehill molelike molesworth monarch's monique monte monte's montes montville mooers moonves moorehead moorehouse moorestown moosehead morehead morehouse moreland moreman mores moseley moselle mosely moseman moshe moshe's motl mottl mottled moua moueix mousehole mousepad mousetrap moutse movement movement's movements moya moyer moyer's moyers mozelle mpeg mr mrs mssrs mtel muddled muehlebach muffled mui mulvehill mumbled munich's munkres murdoch's murrelet muscled mustn't muzzled myatt myer myers myette mystique naim naish naive naked nameless namely nameplate nameplates namesake namesakes narjes nashville nashville's nasr natzke nauer nauert nayyar ndau nedved needled needn't neidl neier neitzke neo neon neons nepl nestled nettled neue neuer neuville neville newville neyer ngo ngor ngos nguyen niad niaid nial niam niamh nibbled nicely niceness nicolle nier nietzsche nike nike's ninefold nineteen nineteenth nineties ninety ninety's ninneman nitze noa noaa noah noah's noel noel's nonesuch norsemen norske norville nosebleed nosedive nosedived notebook notebooks notepad notepads noteware notre nouvelle nuance nuanced nueyung numed nyack o'beirne o'boyle o'byrne o'five o'glove o'hare o'kane o'keefe o'keeffe o'keeffe's o'lague o'rourke o'toole oakville oblique ochre oest oeuvre ogled ogre oien oj ok olague omelet omelets onecomm oneness oneself onetime opaque opera opera's operas orville osred oubre oughtn't our ours ovalle oyen oyer ozelle paceway paddled padre padres paean paeans paez pai painesville paiute paone passe patzke pavement pavements pay'n payan payee payee's payer payer's payers payette payeur paying payoff payoffs payout payouts pc pc's pcs peaceful peacenik peacetime peddled peeing pele penske peon peons peopled pepe peres petr petre petteway pevehouse peyot ph phebe phetteplace phoebe phonemate phooey phua phuong physique pia piatt pickled picower piecemeal piecework pierre pierre's piet pinterest pio pion pious pipefish pipeline pipeline's pipelines pipetec pirkl pitre pius pj's placemat placement placements placeway plaia planeload planeloads platelet platelets platelike platinum playa player player's players playing playoff playoffs pleiad pleiads pliant plier pliers plying pm poage poel poem poems poer poeschl poet poet's poets pokeweed polecat polecats poleward polje ponce ponsolle pontes popejoy popejoy's porsche porsche's posse postrelle pottebaum poutre powercise powertrain poyer pr prattled prattville praying prchal prechtl preempt preempts preyer preying priam priam's priceless pridemore priebke prier prieur primebank primeco primenews primestar primetime princely princeton princeton's princeville prindl prior priors prism prisms pritzl prius privilege privileged priyam prizm proia prologue pruer pruette pruiett pruitt prunedale pryer prying pryor pryor's psyche ptyon puat puentes pulte purebreds purely puzzled pyatt pyeatt pyre pyres qasr qian qiao qmax quaffed quarters's queuing quiet quiets quiles rabes racehorse raceman racetrack racetracks raceway rachelle radke radtke raffety ragged rahe rai raia rainville rakestraw rambled rankled raoul raoux rapeseed rarely rareness rateliff rathje rathke rattled rauen rauer rauls raya rayon rayos react reacts reale rearm rebbe rebbe's refsnes reichl reier reincke reindl reish reist rene renfred reo repr rettke reum reuse reused revelle reville reyer reyes rhea rhinehardt rhinehart rhineland rhineman rhineman's rhinesmith rhinestone rhinestones rhythm rhythms ria riad rial riceville riddled ridgecrest ridgefield ridgely ridgeway ridgewood riedl rieth rifled rijn rinehardt rinehart rio rio's rion rios riot riots rippled riyad riyadh riyals roa robl roche's rochelle rochelle's rockne rockville roderick roderick's rodeway rodrigue roedl romelle romesburg roquemore roseboom rosebrock rosebrook rosebrough rosebud rosebush rosecrans rosekrans roseland roselawn roselawn's roseline roseman rosemead rosemond rosemont rosenau rosevear roseville rosewicz rosewood rosewood's roukema rousselle rouyn royal royal's royale royall royals royer royex rozelle rua ruam ruane ruark rudelle rudely rudeness ruffled rugged ruin ruined ruins ruis ruiz rulebook rumbled rumpled ruoff ryal ryall ryals ryan ryan's ryans ryave ryen ryer ryon sabre sabres sackville sacred saddled saeed safecard safecard's safeco safeguard safeguards safehouse safely safeties safety safety's safeway safeway's sagebrush saia saif salesforce salesman salesman's salesmen salesmen's sambre samelle sameness sampled sampre sante sanville saone sartre sathre satre saucepan sauer sauers sauey saute savely saville savings's savr sawtelle sayad sayad's sayed sayegh sayer sayers sayiid saying sayings sayyid scapegoat scapegoats scarcely scarecrow scarecrow's scarecrows sceptre schaer schauer scheier scheuer scheunemann schier schiewe schipke schism schisms schleyer schmidl schmidtke schmoyer schneier schnier schnittke schoene schoepke schoneman schreier schrier schroedl schroer schroyer schryer schulke schuneman schwendeman schwier science scifres scimed scion scios scism scoreboard scorecard scorecards scoreless scour scoured scours scoville scrambled scribbled scrivener scsi scuffled scuttled seabed seance sedgewick seeing seidl seier seiyu seles senseless sentelle seo seow seow's serres sese settled seve several seville seychelles seyer seyi sgt shackled shaer shakedown shakedowns shakespeare shakespeare's shameful shameless shamelle shapeless shapely shaquille sharecrop shareware sheneman shevtl shia shiah shias shier shiite shiites shiong shirelle shively shorebird shoreham shoreline shoreward shouldn't shoveling shreveport shrikelike shroyer shryock shuart shuey shuffled shui shuttled shying siad siam sian sibelle sibille sidebar sidebars sidekick sideline sidelined sidelines sideman sideshow sideshows sidestep sidestepped sidesteps sidestream sidetrack sidetracked sidewalk sidewalks sideways sidewise sidled siegecraft siemens's siese sigl singled sire sisemore siu sizeler sizelove sizemore sizzled skateboard skeoch skiers skiing skopje slayer slaying slayings sleeveless smokeless smokescreen smokestack smokestacks smoyer smuggled smyers snakebite snakebites snakelike snarled snavely snia snively snuggled soares soledad solesbee someday somehow someplace something something's somethings sometime sometimes somewhat somewhere somewheres sooy sophomore sophomores sorely souers sour sourcebook soured sours sovereign sovereigns soya soyars soyuz spaceball spaceballs spaceband spacebands spacecraft spacecraft's spacehab spacelink spacenet spaceport spaceports spaceship spaceships spacesuit spacesuits spacewalk spacewalks spadework spangled sparkled sparsely spasm spasms speckled spectre speier spektr spektr's speyer spiceland spier spiers spineless spiteful spokesman spokesmen spongebob spongeform spoonemore sporophyte sporophytes sprayer sprayers spraying sprinkled spying squabbled squarely squier squiers squires sr srdan srpska ss stagecoach stagecraft stagehand stagehands stai stalemate standre stangl stapled startled statecraft statehood statehouse stateless stately statement statement's statements stateside statesman statesman's statesmen stateswest statewide stavely stayer staying stefl stegeman stegemann stegemeier steidl steier stelljes steuart steuer steyer stier stiers stifled stineman stirewalt stiteler stitely stjohn stoia stoic stoics stokely stoneback stoneberg stoneham stonehenge stonehill stonehouse stoneking stoneman stoneridge stonerock stonestreet stonewall stonewalled stoneware storefront storefronts storehouse storeroom stoyer straddled straggled strangelove strangely strangeness strangled strayer straying strnad strobl struggled stuard stuart stuart's stuarts studeman stumbled stutesman stuteville styer styers suard sucre suey suez sui suing suon surely svp swavely swaying swier swindled swinehart swoveland swoyer swyers sybille syers szekely tabled tackled taing taiyo takecare tamke tamres tangeman tangled taoiseach's taoist taoists tarleton tasm tasteful tasteless tattled tauer tb teate technique techniques teeing tele tempe temperate tensely teo terre tersely terseness testes th that'd that'll thayer thayer's thayers thea thenceforth theo theo's theon theone there'll thereby therefore thereto thielemann thier this'll thoene throttled tia tickled tiedeman tiedemann tiein tieing tieu tilde timbre timeframe timeless timeline timelines timely timepiece timeplex timeshare timewise timezone tinkled tire tired tires titled toa tocqueville tocqueville's toeing toenjes toews toggled tonjes tonnesen toppled torres totzke tourville toya toying toyo toyoo trademark trademarked trademarks tradesmen trampled trayer trebled tregre trembled treml treon triad triad's triads triage trial trial's trials triarc tribesman tribesmen trickled trier trimedyne trio trio's triomphe tripled trism triumph triumphed triumphs trnka troia troubled troyan troyat troyer troyu truant truax truell truer truest truex trundled tryart trygve trying tryon tryout tryouts ts tsetse tsui tt's tumbled tumblr tumblr's tuneful tunkelang turbeville turville tussled tv tv's tvs tvsat twinkled tyer tyers tying tyo typecast typeface typeset tyres uart udelle ui uk ul ulfred unique unwed urquhart useful useful's useless usenet utke uv uy uys vaguely vagueness valdes vallely vardeman vares vaudeville veltre vengeful venneman ventre ventres verde verdes versailles verville vesely via viag viag's vial viall vials vian viar viars viau viceroy vieau viet vieth vigeland vigeland's vineland vingmed viole visx vlcek vogl voiceless voicemail voicework voiceworks voyage voyaged voyer voyeur vp vrba vs vsel vuong vying waage waffled wageman waidelich wakefield wakeham wakeland wakeley wakely wakeman waleson walfred wallich's wangled wante warbled warehime warehouse warehoused warncke warnke wasn't wasteful wasteland wattled waveform waveforms wavelength wavelengths wavetek wayans waynesville webre wedgestone wedgewood wedgewood's wedgeworth wednesday wednesday's wednesdays wedtech's weers weiand weide weideman weidemann weier weigl weist wellesley wentzville wenzl werdesheim werewolf werewolves werne wesely weseman wesemann westfed westtech's weyand weyandt weyant weyer weyers what'd what'll when'll whereby wherefore whistled whitebread whitefield whitefish whiteford whitehair whitehall whitehall's whitehead whitehead's whitehill whitehorn whitehorse whitehouse whitehurst whitehurst's whitelaw whiteley whitelock whitely whiteman whitemont whitenack whiteneir whitener whiteness whitenight whitesel whitesell whiteside whitesides whitestone whitetail whitewash whitewashed whittemore whittled wholeness wholesale wholesales wholesome whorehouse wian wiant wiard wiatt wicked widdled widely wideman widespread wieand wiebke wiedeman wiedemann wiesemann wiest wiggled wildeman wildflowers wileman wilfred willke willse wineberg wineheim wineland wineman winfred wion wire wired wireless wireline wireman wires wiretaps wisecrack wisecracks wisecup wiseguy wisehart wisely wiseman witteman wittke witzke wm wobbled wodehouse wolpe woodke woodshed wooing worcester wouldn't wrangled wrestled wretched wrinkled writedown writedowns wuest wurdeman wuttke wyan wyand wyant wyatt wyatt's wyer wyers wyeth xbox xers xiang xiaoyun xscribe xtra yangtze yeates yene yentl yeo yerkes yohe youell youville yoyo yoyos yuan yuan's yuletide yunde zaire zaire's zayac zayas zayed zayre's zeien zeos zeringue zewe zia zia's ziad ziahe zion zions ziyad ziyang zoe zoete zoey zooey zurich's",
  "aaa aaliyah aba abare abatement abatements abc abc's abcs abd abeyance abiam abiam's abio abler aboveboard abridgement abs abshier acc accion accrual accruals accruing aceves ach achaean achebe achievement achievements achoa achoa's acm acquiesce acquiesced acquire acquired acquires acreage actively actual actuate acutely acuteness adabelle adame addeo adia adine adios adlai admired adobe adobe's adrda adrea adria adrian adriance adrienne advancement advancements adversely advisement aegean aeneas aeneid aeolus aerial aerials aerien aeriens affiant affluence affluent afl aforesaid aforethought afsane afsane's agache's agius agreeing aguayo aguiar aguirre aguirre's aichi aida aiello aiguebelle aircoa airlia aisa aiton ajaj's akao akio albea albeit albemarle albertville albion albrightsville alcoa alcoa's aldape aldenville alegre aleo algeo alguire alias alien aliens alire aliyah alkermes allante allaying allele alleles allende alleyoop allgaier allgeier allgeyer alliance alliant alliant's allianz allying almonte aloia altaic alteon althea altier altmeyer alvares alyea ama amabelle amante amaya amazement ambiance ambien ambience ambient ambling amc amd ameche amiot amnio amrhein amusement amusements analogue anaya andante andean andrea andrea's andreae andreas andren andria angeles angelique angier angio anglen anglia angove angrier angriest aniak anime anion anions annabelle annese announcement announcements annoyance annoying annual annuals annuit anstine antares antaya anthea anthiel antioch antone antunes anyon anyone anyone's anzio aoki aol aorta aortic aouzou aoyama apache apache's apc apc's api apia apnea apo aponte appeasement appia appian appleyard appliance appling applying aprea aqueous arabe arai araya arborville arceo archaic archetypal archibeque ardine arduous area area's areas arguing aria arial arian ariane arias ariel arispe arkansas's armine arnolphe arnone arrangement arrangements arraying arroyo arroyo's artale aryan asea asean asheboro asiain asiel askren aspires assante assayer assembled astilbe astutely astuteness atheism atheist atheists ati atm atonement atp atria atrium atriums attache atteberry attebury attire atv atx audia audience audio audrie auerbach aurea aureole aureus auria austerely austria austria's austrian austrians authier autism auxier average's averages averaging avia aviall avian aviles avions awareness awesomely awesomeness axial axiom axioms ayako ayala ayende aylesbury aylesbury's ayodhya ayuso baa babbio babbling babiak babiarz babler babyak babyish bachmeier backfired backfires badeah badia baffling baggio baggio's baglio bahia baidoa baidoa's baidoan baidoan's baidoans baidoas baio balboa balian baliles balliet ballplayer ballplayers balyeat bania baoguang baptism baptisms baptistery barbian barbier barboursville barium barlettesville barrier barriere barriers barrio barrios bartlesville bartone basayev basically baskerville basler basore batiste battiste battling baudouin bauerle bauerlein bauernfeind baumhauer baumler bayanjou bayerische bayonet bayonets bbc bbc's bbq beachler beata beato beatrice beaumier beautifully bechtelsville beckius beckmeyer bedouin bedouins bedoya bedraggled beforehand befuddled begnoche beidaihe beidler beierle beitler belgarde belittled bellante bellone bellyache belmonte belote belvia belyea belyeu belying bemusement bendure bentonville beowulf bercier berdine berea bereavement berghuis beria berjaya berlioz bermea bernauer bernia bernier berrian berrien berrier berrios bertling bertone besler bessire bethea betrayal betrayals betraying beucler beumer beutler beverages bevier beyonce biaggi biagi bialas bialek bialik bialkin bialy biamby biamby's biana bianca bianchi bianco biases biasi bibler bichler bicycled biegler bieniek biennale bierbauer bierbauer's biggio bigler bihac's bilbaoan bilbaoans bilious billiad billiot billmeyer bilyeu biochem biocine biocraft biogen biogen's biomass biomed biomed's biomet biondi biondo bionic biopharm biopic biopsies biopsy biosis biosphere biosphere's biospheres biosys biotech biotechs biotin biotite biovest birchler birchmeier bitler blasia blasier blasier's blasio blasius blazier bloodier bloodiest blotchier blotchiest blowdryer blowdryers blowdrying blowier blowiest blvd bobier boccio bockius bodine bodziak bodziak's boening boggio boggling boheme bolio bollier bonecrusher bonecutter bonfire bonfires bonine bonior bonneville bonnevilles bonnibelle boolean boozier borgmeyer borneo borocce boroian bosler bosnia bosnia's bosnian bosnian's bosnians bosnias bossier bossler bottling bottone bougainville bouillon boulier bourcier bournias bournonville bouvier boyea boyertown boyington bozian braaten brachia brachii brallier brammeier brandeberry brashier brazier brazzaville brazzaville's breglio breitling brenneke brethauer bretthauer briana briana's briancon brianna brianna's bricklayer bricklayers bridgewater brierley brierly brigante brigode brinkmeier brinkmeyer briody briones briony briony's bristling brittian brixius broadacre brockmeier brockmeyer broerman bronchial brookshier brosious brosius brouhard bruella bruington bruinsma bruzzese bta bubbling bubier buchler buckler budai buddhism buddier buddiers buechler buendia buffone bugling bukkake bulkier bullying bulthuis bumbling bundling bundren bungling buoyancy burgio burial burials burian burrier burriss burying busier busiest business's businesses businessland businesslike businessman businessman's businessmen businessphone businessphones busler bussiere bustling butare butare's buttonville byassee byerley byerly byington byu cabinetry cableone cabler cabrales cacao caceres cackling caddying cadieux cadmium caiazzo caillier caiola calame calcium calcote calia callier cambior cambria cambrian cambrian's cambridgeport cambridgeside cameo cameos camire campfire campfires campion canace canale canape canapes cancienne cancio candia candler canipe cannone canoeing canoeist cansler cantone cantv caprese caprio capua caravelle carcione cardia cardiac cardio cardoen cardone carefully carefulness caregiver caregivers caregiving carelessly carelessness caretaker caretakers carine carlone carlyon carmean carnine carpio carreon carrere carrian carrian's carrier carrier's carriere carriers carrion carryanne carrying cartaya cartersville cartier casale casares cascio cascone caseworker caseworkers caseze casias casio casler caspian cassese cassia cassone castine castio castorena casual casuals catalogue catalogued catalogues cathmor cation caveat caveats caviar caviar's cayuses cazares cazier cbc cbs ccd ccs cdc cdrom cdroms cea ceaselessly cecere cedrone celaya celebre celio celium cellio celsius centerville ceo cercone cereal cereals cerio cerone cerrone cervantes cervone cesare cesium cespedes cevaxs cfo cgi chadian chaidez chairez champion champion's championed champions chaotic chappuis charcuterie chariot chariots charlier charlottesville charlottetown charlotteville charmian charmion charrier chartier chechnya chechnya's chechnyan chechnyan's chechnyans cheerier cheeriest cheerio cheerios cheeseburger cheeseburgers cheesier cheesiest chemically cherrier cheshier chesler cheviot cheviots chianti chiapas chiarnim chiaro chiasso chiasson chideya chikane chilean chileans chiles's chillier chilliest chimayo chiodo chisler chiyoda chmura choiniere chopsuey chortling christabelle christiaan christiane christianne chromium chronicled churchgoer churchgoers churchgoing cia ciaccio cialis ciancio ciano ciccone cicio cifuentes ciliates cio cioffi ciolek circling circumference cisler cit cityfed ciudad clairvoyance clairvoyant clarabelle clarion classically classier claudia claudian claudio claudius clemente clemente's clementes clevelander clevelanders cliantha clientele clo clouthier cloutier cmu cnn cnn's coalesce coalesced coauthor coauthored coauthors cobia cobian cobler cochlea cochlear coddling codebreaker codebreakers coelho coello coenen coenzyme coequal coercing coercion coercive coexist cohea coincide coincides coldren colestipol coleus colier coline collegeville collyer colombe colorfully colyer comanche commencement commerical commingled completely completeness compliance compliant complying compuadd comrie concierge concisely concretely condren condry conduit conduits coneflower conferencing confinement confluence confluent congruence congruent conspire conspired conversely conveyance conveyer conveying conveyor coogler coolio copier copiers copious coplen copying corabelle cordiant cordiant's cordier cordry corea coria corier corio corleone cormier cornea corneas cornia corporatewatch corrales correa correale corrente cortese corzine cosio costlier costliest cothren cotler cotrone cottier cottone coulombe courier courier's couriers cournoyer courteous courtier courtiers covia coyote coyotes cozier cozine cozying cps cpu cradling cranium crary crawfordsville crazier craziest creager creamier creamiest created creating creation creations creative creator creators creolize creolized creosote crevier crimea crippling criscione crisler crm crnkovich croatia croatia's croatian croatian's croatians crotonville cruea cruikshank crumbling crumpler cryolite cryonics crysler csi csv cuadra cuajone cubism cuccio cuello cumbia cumbias cuneo curare curcio curio curios curious currier currying curzio cutaia cutesiness cutrone cwiertnia cxc cyanide cyclades cycling cyclist cyclists cynthia cynthia's cyprian cypriot cypriots czerniak d'alessi d'amato d'amato's d'amico d'artagnan d'aubuisson d'escoto dabbling dacia daiichi dairying daleo dalgleish dalian dalliance daloia dalpiaz damian damien damien's dampier dandrea danese dangler dangling daponte daredevil daredevils daria darien dario darius daseke datapower dauria davia davide davio's dazzling ddt deadlier deadliest dealba deana deanda deandrade deandrea deandrea's deanna debasement debian deboer deboers debruin decaying decorative decorte decoste decrying dedios defenseless defeo defiance defiant defrates defying degeorge degrace degrasse degrave deguire deharbe dehere dehoyos deibler deified deify deisher deism deities deity delaying delbene delcambre delcine delconte deleeuw deleo deleon delfine delgrande delial deline delio delmonte delores delorme delouis delphia delphine delponte delrio deltaic deluise demagogue demagogues demayo demeo demetre demeyer demonte demurely denboer dengler denial denials denio denoyer denying deorbit depace deploying deponte dercole desai deschler desio desire desired desires desnoyers destroyer destroyers destroying detienne detore dettore deubler devere deviance deviant deviants deviate deviates devious devour devoured devours dezeeuw diabase diablo diadem diagnose diagnosed diagram diagrammed diagrams dialect dialects dialing dialog dialtone diamant diana diana's dianna diantha dianthe diapers diaphragm diapsid diaries diary diasa diasa's diastase diatoms diatribe diatribes diazo diceon dichroic dicier dickmeyer dicomed didier didion didion's diego diego's dierking dieters dieting differently digioia diianni dildine dileo dimare dimeo dingler dinius diocese diona diorite dios's dioxide dioxides dioxin dioxins dirtier dirtiest disabled disbursement disbursements discotheque discotheques disgorgement disgraceful disgruntled disloyal dismantled dismaying displacement displacements displaying disquiet distasteful diurnal divinely dizzying dlouhy dlugos dlugosz dmitri dmz dna dnase dnc dns doable dobias dobler dobmeier doebler doerfler doering dolores domeier domine dominique donia donmoyer doomsayer doomsayers doomsaying doonesbury doraville dorea doria dorian dorians dorine dorio dorion dorthea doshier dosia dosier doubling doubtfire doubtfire's doubtfires downplaying dozier drastically drechsler dressier dribbling drizzling droessler druella dsouza dss dsv dualist duana dubious dudayev dudayev's dudziak duelist duena duenas duesler dui dulcea dulcibelle dullea dumire dunmire dupler duramed durante durio duryea dushyanth dvd dvds dwarfism dwindling dyana dyansen dyatron dyazide dyspnea dzialo dziuba eagleye eap earlier earlier's earliest easier easiest easudes eavesdropping eblen ebling echoing edouard edrea eeo effluence effluent eichler eickmeyer eifler eightieth eiichi eissler ekk elaborate electrique eletr elia eliades elias elio eliot eliot's eliott elliot elliott elliott's elouise elsea elvia embattled embezzled embryo embryos emigre emigres empire empire's empires emplacement emplacements employee employee's employees employer employer's employers employing emptier emptying ems emslie emuil emuil's enabled encircled endorsement endorsements enea enfeebled enforcement enforcement's enforcements engagement engagements englbred engler engler's enhancement enhancements eniac enjoying enlargement enlargements ennea ennobled ennui enquire enslavement enslen ensuing entangled entebbe entebbe's entendre enticement enticements entire entitled envious eocene eos's epa epilogue equion ercole erion erria escapement esler especially essayist esselte estatehood esteves estrangement ethier ethnically ethyol etienne euclea euphrates europewide euroyen evadne evansville everyday everyman everyman's everyplace everything everything's everythings everytime everywhere evian excellencies excellency excitement excoa expiate expires extremely eyerly eyerman fabia fabian fabio factual faiella faiola falcone falzone fancier fanciers fanciest faneuil fansler farace farese faria farias farrier farrior fascism fasone fatuous faubion favale favia fayanjuu fayetteville faymonville fazio fazzio fbi fbi's fcc fcc's fda fealty featherbed featureless fediay feinauer feldmeier femia fenian fenjves feodor feola feria fermium fernandes ferrante ferrier ferriers ferrone ferrying fesler feuerborn feuerman feuerstein fiacco fiala fiance fiancee fianna fiasco fiascos fiato fiddler fiddler's fiddlers fidler fiennes fieros fiery fiesta fiftieth figler figurehead fijian fijians filial fillauer filyaw finale financement findling finian finian's finklea fiola fiona fiore fiori firearm firearms firebush's firefighter firefighting firepower fischler fisler fithian fizzling flamboyance flamboyant flamemaster flammia flashier flashiest flavia flavio flavius fleischauer flightier flightiest flightsafety flimsiest florea floria florian florio florio's fluctuate fluctuates fluency fluently fluffier fluffiest fluvial foggiest fogler foglia foglio foliate folio fondling fondren fontainebleau foraying forcefully forcefulness forcier forebearance foreboding forecasted forecaster forecasters forecasting forecloses foreclosing foreclosure foreclosures forefather forefathers forefinger forefingers foreperson forerunner forerunners foreshadow foreshadowed foreshadows forestalling forestville foretelling forewarning forewoman forewomen forgione forgiveness forgoing fortier fortier's fortieth fosler fourier fournier fragale fraioli francese francisville franklinville franzese franzone frappier fredericksburg freemyer fregia freiermuth freudian freyermuth friary friendlier friendliest friona frohnmayer froio fruition ftp fujian fujii fujio fujiya fukui fulvia fumbling fumio funnier funniest fuoco furia furious furrier furriers furtively furuya fustian fuzzier gabbroic gabele gabler gabriel gabriel's gabriele gabrys gaccione gaglio gagnier galante galea galleon galleons gallier gallium galyean galyen galyon gambale gambia gambling gamboa gamekeeper gamekeepers gamesmanship gananoque ganglia ganglion gaona garcia garcia's garcias gardea garnier garriott gaseous gasior gatekeeper gatekeepers gaudier gaudio gaussian gauthier gautier gdp gebauer gebbia gebler gedeon gemayel gemayel's genentech's genoa gensia gensler gentlest genuine geodyne geoffroy geordie georgi georgienne georgio geotek geoworks gerace gertler gessler gettler geyelin gfeller ghanaian ghanaians ghettoize giacobbe giambrone giangrande giannone giardi gibian gibian's gibler gideon giebler giesler gigante giggling giggly giglia giglio giguere gilchrest gilcrest gildea gilliam gillian gilliand gilliard gilliatt gionet giorgio girdler girouard gisler giudice giulio giuseppe glaciate gladieux glassmeyer glazier globetrotter globetrotters gloomier gloria gloriane glorious glossier gnc gnp gobbler gobblers gobbling gobioff gochnauer goeas goemon goering goewey goglia goliath goliaths goncalves gonia gonium gonsalves gonzales gooseberries gooseberry goradze gorazde gorazde's gordeyev gordian goria gorniak gorospe gorriak gouvea gouveia govea govier govpx gps gracefully gracias gradient gradients gradual graduate graduates graffeo graffius grandiose granier graphically grassia gratefully grazier greedier greediest greeleyville greelieville greeniaus grenier griesa grilliot grobian groening grooviest grotesquely grueling grumbling grumblings grumpier grzelak grzywacz guardia guardian guardian's guardians gubler guccio guccione guercio guerneville guerrier guettler guiana guidone guidry guilliams gumaer gundry gunfire gunia gurgling gurian gurion gurria gurtler gusler gustave gutierres guyana guzzler's guzzlers guzzling habeas hackler hadler hadoya hadria hadrian hadrian's haering hafnia hafnium haggling hajime halcion halcion's halcyon halcyone halfacre hallauer hamblen hamler hamtramck hanauer handier handiest handsomely happier happiest harare hardacre hardier hardiest hardwired harleysville harmeyer harrier harriet harriette harriott haruo hasler hassling hatler hauenstein hausauer hausler haussler hawaii hawaii's hawaiian hawaiians hayashi hayenga hazier hbo healthier healthiest heartier heartiest heavier heaviest hebrides heftier heftiest heidler heinlen heishman heisler heitmeyer helbling helios helium hellyer hempfling hendren hendrie henneberger henneberry henrie henriette hensler hercules heretofore hermia hermias hernia herniate herniates heroic heroics heroin heroin's heroine heroines heroize heroized herriage herriott hertzler hesiod hesler hessling hestia heuerman heuermann hevia heyboer hgh hiaasen hiatus hideo hideous hiester highflier highfliers highflying hillier hillyer hilyer hirai hiriart hirose hisao hiv hobbling hobbyist hobbyists hoefler hoefling hofbauer hoffler hoffmeier hoffmeyer hoffpauir hoium holdren holian holien holier holiest hollier holmium holyoak holyoke holzhauer homebuilder homebuilder's homebuilders homebuilding homecoming homelessness homemaker homemakers homemaking homeporting homesickness homesteaded homesteader homesteaders homeworker homeworkers homeyer honea hopefully hopefulness hopelessly hopelessness horsemanship horsepower horseradish hosea hosea's hosler hossler hotwire hotwired hourglass housebroken housecleaning householder householders housekeeper housekeepers housekeeping houseraising housewarming hovious hrdlicka hrubik hubler huddling hudler huetta hufbauer humanely humbler humblest humbling humfry humphries hungrier hurdler hurdling hurrying hustler hustlers hustling hutcheon hyacinth hyacinthe hyacinths hyades hyannis hydea hydeia hydropower hyena hyenas hygeia iago ialla ianni iantha ianthe iason ibm icebreaker icebreakers icelandair icelandic iceskating idea idea's ideas idiom idioms idiot idiots idler idling iezzi igneous ijames ikea iliad illinois's imageries imagery immensely immunetech impious implying impoverish impoverished improvement improvements imrie inbio inchoate incitement incitements india india's indian indian's indians indifferent indium inducement inducements infante influence influenced infrared infringement infringements ingalsbe inglish ingria innately inoue inouye inquired inquires inscore inspired intensely interbred interested interesting intuit intuit's inversely involvement involvements iodice iodide iodide's iodides iodine iola iole iona ione ionic ionics ionize iosif iosue iota iou iowa iowa's iowan iowans irian irs isabelle isaiah ishii isolde israel issuance issuer issuer's issuers issuing ixion jacksdeit jacksonville jacksonville's jainism janiak janvier jarvia jasmer javier jeanlouis jeanniot jeanpierre jefferies's jerboas jerrome jersian jersians jesmer jesuit jesuits jfk jiggling jillian jna joachim joachim's joachims joanna jockeying joffrion johannes joliet jollier jolliest jollying jonesboro jopling jorio joshua joshua's josiah jostling journeying jovial jovian joyoni jozwiak judea judeo judgemental juggler jugglers juggling juicier juiciest juilliard jukeboxes julian juliann julianne julien juliet juliette julio juliusz julliard jumonville junia junius junkier junkiest kabler kadrmas kahane kailua kaisertech's kakuei kalinske kalliel kallio kallmeyer kamler kammeyer kampschulte kanade kanghua kania kansian kantian kapler kaprayoon karate kasese kasler kasmer kasprzak kasprzyk kasriel katayan katia kawai kawate kaweske kayaker kayakers kayaking kayapo kazuo keanu keiichi keisler keisling keister keisuke kellyanne kendzior kenoyer kensler keohane keokuk keresztes kerien kerouac kesler kesling keteyian keteyian's kettler keziah kgb kgori kiawah kiester kigale kigale's kiichi kilian kimbriel kimler kindler kingry kinsler kirouac kisler kisling kismayu kittler kiyoshi kizziah kkk klingler kmiecik knievel knoedler knowledgeware koala koalas kobler kodiak koegler koernke koffler kofler kogler kohlmeier kohlmeyer koichi kokate kokate's kollmeyer kooiker kooiman kooistra kooyman kopischke korea korea's korean koreans koreas kosier kostmayer koteles kotler kouri kouyate koyama koziol kraprayoon krasnoyarsk kreidler kreisher kroening krygier krysiak kubiak kubler kuchler kudrna kuebler kuechler kuenheim kuenstler kuenzi kugler kumbaya kunayev kunio kurian kurkjian kusiak kusler kuznia kwiatek kyoko kyoshi l'expansion labarre labine labranche labrie labrioche labrosse lacasse lacayo lacaze lacerte lachapelle lacombe laconte lacorte lacosse ladnier laduke lafalce lafavre lafayette lafeyette lafler lafuente lagace lagarde lagasse lagrone laity lalande lallier lalonde lalone lamaist lamarche lamarre lamere lamia lamorte lamphier landauer landfried lanese langone lanius lanoue lanouette lanthier laotian lapalme laphroaig lapier lapierre lapine laplante laprade laraia lariat larine larios laroche's larochelle larose larrea lashua lastrapes latanze latecomer latecomers latorre latoya latoya's latticework latvia latvia's latvian latvians lauerman lauinger launius laureate laureates lauria lauriat's lauriats lavere lavine lawrenceburg lawrenceville layaway layering layover layovers lazare lazier laziest lcb lcs lealia leander leandro leanza leccese leconte lecrone lecuyer lefebre lefebvre lefevre leftism legare legendre leggio leibfried leilia leino leisurely leithia lemaitre lemire lenient lenius lentine leoma leona leonel leonerd leonhard leoni leonid leonore leontine leontyne leopold leotard lepere lepine lepore lequire lereah lesabre lesabres lesane lesbian lesbians lesiak lesieur lesniak lesuer lesueur letendre lethia lettiere leveraging levien levying liable liacos liaison liaisons liamine liana lianna liason liasson liberte libya libya's libyan libyans licea licio liebling lifecycle lifesaver lifesavers lifesaving liggio likelihood likenesses lilia lilian liliane lilias lilien lillian lillian's lilyan lindauer lineage lineal linear linear's linebacker linebackers lineberger lineberry lineweaver linguine linnea liomine lionel lionheart lionize lionized liotta lithium littler littlest liuzza liuzzi livelihood livelihoods liveliness livia llc llorente llovio lobbia lobbying lobbyist lobbyists loconte loella loewen loftier loggia logically lohmeier lohmeyer loiseau loneliness longacre longenecker longmeyer longmeyer's longshoremen longshoremen's lorean loria lorio losoya lothian louanna louella louima louima's louis's louisa louisan louvier louviere lovemaking loverde loyalist loyalists loyally loyalties loyalton loyalty loyola lozier lozoya lpn lsd ltd lti lti's luaka luallen luana luanda luanda's lucasville lucchese lucente lucianne lucien lucienne lucier lucio luckier luckiest luella luera luigi luigi's luisa lumia luoma luongo luria luscombe lussier luzier lydia lyerla lyerly lyondell lyonnais lyonnaise lyons's lyphomed lyphomed's lyrically mabry macabre macchia macchio machete machetes machinegun machineguns macias maciejewski macinnes macioce macrame madia madlen madore madyun maeda maenza maestri maffeo maffia mafia mafia's mafias maggio maglio magnone maiello maietta maiolo maione majeske majure malabre malave malayan malia maline malkiel mallia management management's managements mandeville mangine mangione mangling mangone mangope manhandled mania maniac maniacs manier manioc mantua manual manuals maoris maranville marchese marchio marcial marciante marcone maria maria's mariah mariam marian marian's marianne mariel marier mariette marife marineland mario mario's marion marion's marius marliave marmion marriott marriott's marrone marrying martinique martinsville martire martone marui maruyu marxism maryann maryanne marylebone marysville maryville masai masao masaya mascio masius maslen massacre massacred massacres massieu massively mataya mateo mathai mathea mathia mathias matriarch matsui matsuo matteo matthea matthia matthias maurine mawyer maxion maxzide mayaguez mayeda mayernik mayerson mayonnaise mayoral mayorga maziarz mazzei mazzeo mazzone mba mbira mcabee mcadam mcadams mcadoo mcadow mcafee mcaffee mcaleer mcaleese mcallen mcaloon mcalpin mcalpine mcamis mcandrew mcandrews mcaninch mcardle mcarthur mcartor mcatee mcateer mcaulay mcauley mcauliff mcauliffe mcauliffe's mcavoy mcbirney mcbrayer mcbrearty mcbrien mcbryar mcburnett mcburney mccadden mccaffrey mccaffrey's mccaghren mccahill mccaleb mccalip mccalla mccallen mccalley mccallie mccallion mccallon mccallum mccalmont mccamant mccambridge mccamey mccamish mccammon mccampbell mccamy mccandless mccandlish mccanless mccanna mccannon mccardell mccardle mccarey mccargar mccargo mccarley mccarney mccarran mccarrell mccarren mccarrick mccarroll mccarron mccarry mccarson mccartan mccarten mccarter mccartha mccarthy mccarthy's mccartin mccartney mccartney's mccarty mccarver mccary mccaskey mccaskill mccasland mccaslin mccaughey mccauley mccaulley mccausland mccauslin mccauthy mccawley mcchesney mcchristian mcclaflin mcclaran mcclaren mcclarnon mcclarty mcclary mcclaskey mcclatchey mcclatchy mccleary mccleary's mccleery mcclellan mcclelland mcclellen mcclements mcclendon mcclenny mccleskey mcclimans mcclintic mcclintick mcclintock mcclinton mcclory mccloskey mcclosky mccluney mcclurkin mccluskey mccolgan mccollam mccolley mccolloch mccollom mccollough mccollum mccomas mccomber mccombie mccommon mccommons mccomsey mcconkey mcconnel mcconnel's mcconnell mcconnell's mcconnon mccooey mccorkel mccorkell mccorkle mccormac mccormack mccormick mccormick's mccorry mccorvey mccoskey mccotter mccovey mccowan mccowen mccowin mccracken mccrackin mccrady mccraney mccranie mccrary mccravy mccreadie mccready mccreary mccredie mccreedy mccreery mccreless mccrickard mccrillis mccrimmon mccrocklin mccrorey mccrory mccroskey mccrossen mccrudden mccrystal mccuan mccubbin mccubbins mccuin mccuistion mccuiston mcculla mccullagh mccullah mccullar mccullars mccullen mcculler mccullers mcculley mcculloch mcculloh mccullough mccullum mccully mccumber mccurdy mccurley mccurry mccusker mccutchan mccutchen mccutcheon mccuvey mcdanel mcdaniel mcdaniels mcdannel mcdaris mcdavid mcdavitt mcdearmon mcdermid mcdermitt mcdermot mcdermott mcdermott's mcdevitt mcdiarmid mcdivett mcdivitt mcdonagh mcdonald mcdonald's mcdonalds mcdonell mcdonnel mcdonnel's mcdonnell mcdonnell's mcdonough mcdorman mcdougal mcdougal's mcdougald mcdougall mcdougals mcdougle mcdowall mcdowell mcduffee mcduffie mcduffy mcdugal mcdurman mcdyess mceachern mceachin mcelfresh mcelhone mcelrath mcelreath mcelroy mcelvain mcelvaine mcelveen mcelwain mcelwaine mcelwee mcelyea mcendree mcenroe mcentee mcentire mcentyre mcerlean mceuen mcever mcevers mcevoy mcewan mcewen mcfadden mcfadden's mcfaddin mcfadin mcfalland mcfarlan mcfarland mcfarlane mcfarlane's mcfarlin mcfarling mcfarren mcfatridge mcfatter mcfayden mcfeely mcfeeters mcferran mcferren mcferrin mcferron mcfetridge mcgaffey mcgaha mcgahan mcgahee mcgahey mcgalley mcgalley's mcgannon mcgarrah mcgarry mcgarvey mcgary mcgaughey mcgaughy mcgauley mcgavin mcgavock mcgeachy mcgeary mcgeean mcgeean's mcgeehan mcgeever mcgegan mcgehee mcgibbon mcgillen mcgillis mcgilton mcgilvray mcginess mcginley mcginness mcginnis mcginniss mcginty mcgivern mcgivney mcglashan mcglasson mcglaughlin mcglinchey mcglocklin mcglory mcglothen mcglothin mcglothlin mcgoey mcgoldrick mcgourty mcgovern mcgovern's mcgowan mcgowan's mcgowen mcgowin mcgrady mcgreevey mcgreevy mcgregor mcgrevin mcgroarty mcgrogan mcgrory mcgruder mcguckin mcguffee mcguffey mcguffie mcguffin mcguigan mcguiness mcguinness mcguyer mcgwire mcgyver mchaffie mchaney mchatton mchenry mcilrath mcilroy mcilvain mcilvaine mcilveen mcilwain mcingvale mcinnes mcinnis mcinroy mcintee mcintire mcintosh mcinturf mcinturff mcintyre mcinvale mcisaac mciver mcivor mcjunkin mcjunkins mckamey mckanie mckanna mckarrick mckechnie mckeegan mckeehan mckeeman mckeesport mckeever mckeithan mckeithen mckellan mckellar mckeller mckellips mckelvey mckelvie mckelvy mckemie mckendree mckendrick mckendry mckenna mckenney mckennon mckenny mckenrick mckenzie mckeon mckeone mckeough mckeown mckercher mckernan mckesson mckesson's mckethan mckevitt mckibben mckibbin mckibbon mckiernan mckillip mckillop mckimmey mckimmy mckiness mckinlay mckinley mckinney mckinney's mckinnie mckinnis mckinnon mckinny mckinny's mckinsey mckinstry mckinzie mckissack mckissic mckissick mckitrick mckittrick mcklatchy mckneely mckowen mclachlan mclaren mclarney mclarty mclarty's mclauchlin mclaughlin mclaurin mclaury mclawhorn mcleary mcleland mclellan mclelland mclemore mclendon mclennan mcleroy mclerran mclester mclinden mclucas mcluckie mcluhan mcmackin mcmahan mcmahen mcmahill mcmahon mcmaken mcmakin mcmanis mcmannis mcmansion mcmanus mcmartin mcmaster mcmasters mcmeekin mcmichael mcmichen mcmickle mcmillan mcmillen mcmiller mcmillian mcmillin mcmillion mcmillon mcmoran mcmorran mcmorris mcmorrow mcmuffin mcmullan mcmullen mcmullin mcmurdo mcmurphy mcmurray mcmurrey mcmurry mcmurtrey mcmurtry mcnairy mcnalley mcnally mcnally's mcnamee mcnamer mcnaney mcnary mcnaughton mcneally mcnealy mcneary mcneeley mcneely mcneilly mcnelis mcnellis mcnelly mcnemar mcnerney mcnevin mcnichol mcnichols mcnickle mcnicol mcnorton mcnuggets mcnulty mcomber mcpaper mcparland mcpartland mcpartlin mcpeters mcphatter mcphearson mcpheeters mcpheron mcpherson mcphillips mcquarrie mcquary mcqueary mcqueeney mcquerry mcquethy mcquethy's mcquilkin mcquillan mcquillen mcquillin mcquiston mcquitty mcrainey mcraney mcreynolds mcroberts mcrorie mcsherry mcsorley mcspadden mcsweeney mctaggart mctavish mcternan mctier mctiernan mcvicar mcvicker mcwaters mcwatters mcweeney mcwethy mcwherter mcwhinney mcwhirter mcwhorter mcwilliam mcwilliams mealo meander meandered meanders measurement measurements meatier meciar meddling medea media media's medial median mediate medically medio medium mediums meeuwsen meinecke meineke meiosis meisler mejia mejias melamed melchior meleis melia melius meloche melone mengele menial menoyo menstrual menstruate meola mercedes mercier meriam merieux merion merriam merrier merriott mesler messagepad messiaen messiaen's messiah messiahs messier metagogue metagogued meteor meteors metoyer meunier meyerbeer meyerhoff meyering meyerman meyerson meyohas mfume mgm miami miami's miano miara miasma miata miazga micale micciche miccio michio mickey'll microage microaire middling mightier mightiest mignone mijares milbauer mildrid milian milius milliet minea mineo minesweeper minesweepers mineworker mineworkers mingling minier ministering minium minjares minniear minoan mintier minuet minutely minuteman minutemen miocene miotke mirabelle mireles miriam mischler miscreant miscreants misfire mishandled misiak misstatement misstatements mistrial mistrials mit mitsui mitsui's miura miyake miyako mkhatshwa mladic's mme moammar mobius moccio moebius moening moerman moesha mogayon mogayon's moglia mohamed mohammed moiety mojave momayez moncayo moncure mondeo mondrian monforte monier monism monisms monkeying monnier monologue monologues monroeville montante montgomery montgomery's montiel montien montieth montmartre montone montoya montreal montreal's montrouis morace morante morea morgante moria morial morine moriya morones morpheus morreale morrisville morrisville's morrone mortgagepower mortier mosaic mosaicked mosaics moshier mosler mothershed mottling mozambique mpg mph mri msgr mtv muammar muccio muddier muddling muddying muehlbauer mugabe mugabe's mughniyeh mugniyah muhamed muhamed's muhammed muhammed's muhlbauer mukai multiyear mumbling mumia munguia munier muoio murguia murial murias muriel murkier murnian musante muscling museum museum's museums musial musically mutual mutual's muzio myelin myers's mynhier myopic myosin myreon myriad myriam n'djamena nacchio nacobre nadler nagai nagao nagoya nahmias nakai nakao namaste nania naoki naoma naomi napea naperville napier nappier narayan nardone narnia narvaez nashua nashua's nastier nastiest natale natchitoches natively natsios naturedly nausea nauseate nauta naysayer naysayers nazism nba nbc nbc's nechayev nedlloyd needier neediest needler neglia neibauer neimeyer neisler nekia nelia nemean neoax neola neolith neoma neophyte neophytes neoprene neoprobe neorx nepenthe nerio nervion nesler nesler's nestea nestler netterville neubauer neuendorf neuenfeldt neumaier neumayer neumeier neumeyer nevius newbauer newfangled newgateway newlywed newmeyer newmyer nfc nfl ngema ngueppe niacin nibbling niebauer niebling niemeier niemeyer nienhuis nieves niobite nkohse nmr nobuo nodine nogales noisier noisiest nokia nokia's nonbusiness noncorporate nonetheless noninterest nonpaying nordine nordio nordling nordmeyer noseworthy noteholder noteholders notetaker notetakers noteworthy novia novoa noyola npr npr's nuala nuances nubian nuccio nuclear nuclei nucleic nucleus nuncio nunemaker nunzio nureyev nutria nutrient nutrients nuzzling nvhome nvhomes nvryan nydia nyenhuis nyerere nyeri nyina o'brian o'briant o'brien o'brien's o'bryan o'bryant o'guin oad oahu oas oases oasis obeying obliquely oboist obrian obriant obrien obryan obryant obviate obviates obvious ocain occhoa occhoa's ochoa odea odele odeon odiaum odiaun odier odious odp odwyer oeien ofc officemax ogier oguin ohio ohio's oishi okabe oken olathe olayan olea oleo oleoyl oleoyls oleske oncale ondaatje oneok ongoing onofre opiate opiates opium optically orabelle orangeburg orea oreo orestes organelles orgasm orgasms orient oriole orioles orion orion's orlean orlean's orleans ornately orpheum orpheus osake osmer osmium ostia ostling otiose ouelette ouellet ouellette ourself ourselves outdoing outgoing outler outlier outliers outlying outplacement overfed oviatt oviatt's oyama oyola ozier paccione pacemaker pacemakers pacesetter paddling padua pagemaker paglia painewebber painewebber's palau's palauans paleo palese pallante pallone pancreas pannier pannone panthea pantheon papale papaya papayas papua paredes parente pariah pariahs parlaying parlier parmele parriott parthian partying pascua pascual paseo pasquale passageway passaic passante passively patese patio patios patnaude patriarch patriarchs patrie patriot patriot's patriots patrone pautler pavese pavia payable payables payola pdf peacefully peacefulness peacekeeper peacekeepers peacekeeping peacemaker peacemaker's peacemakers peacemaking pecore peddling pedone pelaez pelayo peltier penoyer pensiveness penthea pentium pentiums peonies peony perales perea peres's peria peria's perine period period's periods permeate permeates permiam permian perrier perrine perrone perseus perusse perversely petrea petrone pettine peyote pga pga's pgm phantasm phd phileas phileo philippe phineas phobia phobias photoop php phrygian physio piaget piaget's piana pianist pianist's pianists pianka piano piano's pianos piascik piatek piazza picante picaresque picayune piccione piccone pickier pickler pickren picturesque picturetel piddling pierie pierie's pieties pietism pietro pietrzak pietrzyk piety pignone pilates pineal pineo pinneo pioneer pioneer's pioneered pioneers piontek piotter piously pipefishes piraeus pirouette pirouettes pirrone pitying plaintively plaisted plateauing pleasantville plebeian plebeians pleiades pleonasm pliable plinius pliocene pluvial pociask pocius podium podiums poetic poetics poetry poirier poirrier policeman policeman's policemen polio politely politeness pollio pommier pompeo pontbriand pontiac pontiac's pontiacs pontikes pontius ponzio poppea porchia portales porteous portier portrayal portrayals portraying porzio postponement postponements pothier potier pouliot pourciau powerfully pozniak ppm practically praiseworthy preamble prearrange prearranged precisely preempted preempting preemption preemptive preexist preexists preisler premium premiums prentnieks preordain preordained preordered preorders prepaying preponderance prescience prescient presler pretrial prettier prettiest previous preyista preyistas pricier priciest principally principe principled prindiville priola prioleau priolo priore priori priory privately privileges proactive procreate procreates procurement procurements profusely proietti pronouncement pronouncements prosaic protean protease protege proteome protium provincetown provine prunier prurient przybyl przybysz psyllium ptovsky publically puccio puglia puipoe puleo pulliam punctual punctuate purposeful purposeless purposely pursuant pursuer pursuers pursueth pursuing purveying purveyor purveyors purviance putzier puzio puzzling pvc pythia qiaotou quadrupled quaglia quagmire quarante quarrying quassia quattrone quenneville quibbling quiescent quieted quieter quietest quieting quietist quietly quietness quinoa quintupled quirion quixote racehorses racier raciest racism rademaker radial radials radiance radiant radiate radiates radically radio radio's radioed radios radium radius radler rafael rafuse raggio ragone rainger rainiest rakiya rallying ramires ramseyer rania ransier raphael rapier rapprochement rasia ratatouille ratio ratios rattler rautio rayonier rayovac raytheon raytheon's rca reabsorb reabsorbed reacquire reacquired reacted reacting reaction reactions reactive reactor reactor's reactors readier readjust readmit readying reaffirm reaffirmed reaffirms reaganesque reagent reagents realign realigned realise realised realism realist realists realize realized realtime realtor realtor's realtors realty realty's reappear reappeared reappears reapply reappoint reappraise reappraised rearming rearrange rearranged rearrest reassert reasserts reassess reassessed reassign reassigned reassume reassumed reassure reassured reassures reatta reattach reattached recchia recine recio recipe recipe's recipes recore recovery recreate recreates recycled redial redoing redoubled reelect reemerge reemerged reenact reenacts reenter reentered reentry reexport reexports refenes refinement refinements refuel refueled refusenik refuseniks reggio regier regnier rehired reichart reichling reierson reignite reimburse reimbursed reimpose reimposed reina reinecke reinforce reinforced reinspect reinstall reinstalled reinstalls reinstate reinsure reinsured reinvent reinvest reinvests reinvite reissue reissued reister reitmeier reitmeyer rekindled relaying reliance reliant relying remorseful remorseless remotely remoteness renate renier renschler rentier reoccur reoffend reoffer reoffered reopen reopened reopens reorder repaying replacement replacements replaying replying requiem require required requirement requirements requires rescuer rescuers rescuing resembled resende resettled reshuffled resourceful restatement restatements restauranteur restauranteurs restiveness retirement's retirements retracement retrial retrying reunion reunions reunite reunites reusing reveles revier rewire rewired rezendes rhodia rhodium rhythmically riady riadys ricaurte riccio ricocheted riester riggio rightmyer rigler rinehimer ringler riojas riolo riopel rioted rioter rioters rioting riotous rippeon rippling riskier riskiest ritual rituals ritziest riunite riverbed riviere rivieres rna roanoke robare robia robitaille robling rocchio rock'n'roll rodeo rodeos rodier rodine roesler roessler roethler roever roggio rolemodel rolemodels romanesque romeo romeo's romeos romine romuald roomier rosabelle roseate roseberry roseboro roseborough rosemarie rosemary rosiak rosier rosine rossiya rossler rotea rothbauer rototilles rounsaville routhier routier routinely royalist royally royalties royalty royex's rozier rpf rpm rte ruano rubbia rubia rubio rubios rueda ruella ruffling ruining ruinous rulemaking rumbling rumbling's rumblings ruocco rupiah russellville rustier rustiest rustlers rwanda rwanda's rwandan rwandan's rwandans rwandese ryanair ryava ryobi ryohei ryuzo rzasa rzepka sabia saccone saddler saddling sadism sadlier safeguarded safeguarding safekeeping safian sagraves sakai sakau salesmanship salespeople salesperson saleswoman saleswomen salient salisbury salome saltier salvia salyer salyers samoa samoan samuels sandia sandmeyer sanjuan sanrio sansui sansui's santone santore santoyo sanzone saouma sapia sapiens sapoa sapone sapphire sapphires sarcasm sarine sassone satire satires saucier saudia sauerkraut sauerteig sauerwein saulnier saunier sauter savagely savio savion savoia savviest sawaya sayito sba sbf scalese scalia scalia's scandia scania scapegoated scapegoating scarier scariest scarpone schadler schaedler schaufler schedler scheffler scheidler schettler scheuerman scheuermann scheufler schiano schiappa schiavi schiavo schiavo's schickler schickling schiffbauer schiffler schildknecht schisler schissler schloesser schlotzhauer schmierer schmutzler schnettler schoeffler schoening schollmeyer schouten schreffler schubring schuerman schuermann schwegler schwoerer scialdone sciarra sciclone science's sciences scientist scientist's scientists scioli scioto scipio sciulli sciullo sciuto sconiers sconyers scorekeeper scorekeepers scorekeeping scorpio scorpion scorpions scorpius scouring scrambling scribbling scs scuffling scurrying scuttling scythian sczechuan sdn seagoing seattle seattle's secchia sechrest sechrist secrest secrist securely sedately sedore segraves segrest seifried seigler seiyaku selia sellmeyer semele semones sensual sensuous sepia sequoia sequoias sequoyah serbia serbia's serbian serbian's serbians serbias seria serial serials serio serious serviceman servicemen servicemen's serviou sesame sesler settler settling severally severely severeville sexauer sexier sexiest sexism sexual seyfried shahian shakier shakiest shamelessly shaolin sharecropper sharecroppers shareholder shareholder's shareholders shareholding shareholdings sharia sharpeville shashoua shelbyville shidler shigeo shiremanstown shisler shiyuan shoichi shoshone showiest shuffler shufflers shuttling siamese siano sidestepping sidewater sidewinder sidler sidling sienko sienna sienna's sierchio sierra sierra's sierras siesta sifuentes sightseeing sightseer sightseers sigler signore sileo silhouette silhouettes sillier silliest silvestre silvia silvio silvius simeon simeone simian simion simler simpler sincerely sinead singler singling siniard sirius sirrine sisler sistare sitler situate siuda sixtieth sizzling skandia skateboarding skimpier skimpiest skinnier skinniest skrzypek sledgehammer slepian sloppier sloppiest slushayete smoggiest smokejumper smokejumpers sms snappiest snazzier sniffier sniffiest socio socrates sodium sofia sofia's sofian sofians sohio sokaiya solares soloist soloists somebody somebody's somerville sommerville sonier sonnier soothsayer soothsayers sophia soria sos sosuke soulier soulliere souring sovereignty soviet soviet's soviets soyuz's sozio spacewalking spanbauer spangler speciale specialities speedier spellmeyer spellmeyer's spengler spiering spinale spindler spitale spokespeople spokesperson spokespersons spokeswoman spokeswomen sponsler sportier spracklen springerville spurious spurrier sql squabbling squillante ssn stabler stablest stadia stadium stadium's stadiums stakeholder stakeholders stalemated stangler staniar stapler staplers stapling starace stasiak stasio statehouses statesborough statesmanship statism statuette statuettes stayover stayovers stds steadier stealthier stealthiest steamier steamiest stegmaier steinbauer steinhauer steinmeyer stelian stephenville stepien stereo stereos steubenville steuerwald stickier stickiest stickler stingier stoever stoneberger stoneburner stonecipher stonecutter stonecutters stonehocker stonesifer stonewalling storagetek storehouse's storehouses storekeeper storekeepers stormiest strangling strenio strenuous stricklen strikebreaker strikebreakers strohmaier strohmeier strohmeyer strontium strozier struggling studio studio's studios studious studying stumbling sturdier stygian suata suata's subduing subia subnotebook subtitled subtler subtly sudafed sudler suez's suicide suicides summerville summitville sunia sunobe sunobe's superx supplier supplier's suppliers supplying surace surfaceness surveying surveyor surveyor's surveyors suspenseful suu suv suv's suvs swiatek swindler swingler sylvestre sylvia sylvia's sylvio sylvio's symbion symbion's synagogue synagogues syncope syria syria's syrian syrians szczesniak tabares tabler tabling tac taddeo tadeusz tafoya taira takao takeo tallying tamales tamayo tanabe taoism tapeie tapeie's tapia tapias tashjian tassone tastefully tastier tattooing tavares taxiing taxpayer taxpayer's taxpayers taxpaying tedious tedium tegtmeier tegtmeyer tellier temperament temperaments temperature temperatures templer templers tenuous terrien terrier terriers terrio tertius teruya terzian tesler tesmer tessier tetsuo textual thaddea thaddeus thallium theater theater's theaters theatre theatre's theatres theism theobald theodor theodore theodric theola theora theorbo theorist theorists theorize theorized therapists's theriault theriot therriault theseus thespian thiamin thiokol thiokol's thirtieth thomasville thordia thorium thorniest thoroughbred thriftier throneberry throttling tiaacref tiaacref's tianjin tiano tiara tiaras tibia ticklish tidewater tiemeyer timeliness timetable timetables timpone tingler tingling tinier tiniest tinkler tinkling tipler tiptoeing tirelessly tiremaker tischler titusville tlc tobia tobias tobler tokio tokuo tokyo tokyo's tolanthe toldrian tolkien toluene tomeo tonia toppling torchia toria torian torreon tortuous toshio touareg tourism touvier touvier's tovia toyama toyobo toyoda toyota toyota's toyotas tozier trachea tracheal tragically tramiel tramonte transience transients transpire transpired transpires travelogue trbovich treglia treichler trembling triana triangle triangle's triangles triano triassic triathlon trickier trickiest triola triolo tripling trisler tritium triumphal triumphant trivia trivial troiani tropea trottier troubling trousdale troyanos truancy trudia truglio truism trulove trusler trzaska trzcinski tsuneo tuberville tuinstra tuition tuitions tullia tullier tullio tullius tumbling turberville twentieth twinkling twinkly typecasting typefaces typesetting typewriter typewriters typewriting typewritten typically uarco ueki ufo ufo's ufos ugalde ugarte uglier ugliest uinta ulloa umbria umpire umpires unbiased unbridled unbundled undoing undying uneo unforeseen ungrateful unionfed uniquely uniqueness unleveraged unlikely unreasoning unruffled unsettled unshackled untimely untroubled unwisely urdiales urea urian urias uribe url urls urrea usa usa's usaid usair usair's usb usefully usefulness uss ustrust usual uyeda uyeno vacaville vacuous valade valea valente valeo valiente valium valliant vallier valliere vallone valmeyer valores valuing valverde vandewalle vanevery vania vanier vanliew vanmatre vanmetre vannguyen vanscoyoc vanscyoc vantine varian variance variant variants various varrone varying vastine vaudevillian vecchio vegetable vegetables velarde venier venturesome verbiage verdier verdone verduin verine vernier veroa veronique verrier versace versluis vertically vescio vetoing viable viacom viacom's viaduct viaducts viagene viagra viana viani viano viansa viator vicente vicomte vidales vidartes video video's videos vieira viejo vienna vienna's viennese vietcong vietnam vietnam's vietti vieyra vilhauer vilnius vincennes vincente viola violas violate violates violence violent violet violets violett violette violin violins violist violist's violists vip vip's vips virkler virtual virtuous visual vitale vitiate vitreous vitriol vivian vivien vivienne vivier viyella vizcaya volante volio vosler vossler voyager voyager's voyagers voyages vremya vuolo w w's waggling wahine wahines wainio wannabe wannabes warbling warehouses warehousing warrior warriors warshauer wasiyu wasmer wastebasket wastebaskets wastefulness wastepaper wastewater waterbed watershed waterville watling watsonville waynesboro wealthier wealthiest wearying wegrzyn wehmeier wehmeyer weidler weimeyer wellbeing wengler wermiel wesler wesleyan weslia wessling westmoreland whampoa wherewithal whimsically whitacre whitecotton whitescarver whitewater whitewater's whitmoyer whitmyer whittier whoever whoever's wholehearted wholesaler wholesaler's wholesalers wholesaling wholesomeness wiacek wiater widebody widmaier widmayer wiedmeyer wiggling wiggly wildfire wildfires wiliams wilkesboro willabelle winegarden winemiller wingler winifred wischmeyer wisecarver wisecracking wisler wismer wittmeyer wobbling wobbly wodehouse's woitschatzke wojciak worcestershire worrier worriers worrying worthier worthiest wotring wozniak wrangler wranglers wrangling wranglings wrestler wrinkling wrongdoer wrongdoers wrongdoing wrongdoings wynia wyoming wyoming's xenia xiamen xinhua xinjiang xml xylia yamane yarbrough yarmulke yarmulkes yasuo yediyat yehiya yerian yessuey yingling yogiism yogiisms yoichi yongchaiyudh yoshio yttrium yukio yulian zaccone zairean zairean's zaireans zambia zambia's zambian zaniest zanoyan zappia zappone zarcone zaria zeebrugge zeidler zeigler zeisler zeitler zelaya zelia zenia zeoli zeroing zeroual ziemian ziesmer zigler zilvia zimbabwe zimbabwe's zingale zingler zinia zinnia zinnias ziobro ziomek zionist zionists zodiac zorine zouabri zubia",
  "abalone abalones abbreviate abbreviates abbruzzese abiola abiola's abiomed abkhazian abkhazians abruzzese absolutely absoluteness abuladze acadia accentuate accentuates accompaniment accompaniments accordion accordions accurately ackermanville acknowledgement acknowledgements acordia acoustically acquaintanceship acquiescence acquiescent acquiescing acquirer acquirer's acquirers activism actmedia actualize actually actuaries actuary actuator actuators acuity adagio adalia adelphia adelphia's adequately adhd adonia adorabelle adriana adriano adriatic adsl adventuresome adverbial advertisement advertisements aerobically aeroscience aerovias aesthetically affectively affiliate affiliate's affiliates aforementioned afterhours aggrandizement aggressively aggressiveness agnosio agnostically agoglia agrarian agreeable agregious agribusiness agrosiand akiyama akkadian alachua alatorre albanese albania albania's albanian albanians albinia alchemically alegria alejandre aleksandr alenia aleria aleshire alessio alethea alexandre alexia alfiero alfonsine algebraic algeria algeria's algerian algerians algodones algonquian algorithm algorithms aliano alianza aliases alicea alienates alioto alirio alithia alleluia allender alleviate alleviates alliance's alliances allianz's alluvial alluvium almeria aloisia aloisio aloysia aloysius alternately altomare altruism altruistic alveolar alveoli alyeska alysia amadea amadeo amadeus amalea amarante ambiguous ambriano ambrogio ambrosine ambrosio ambrosius ameline amelio amerine ameritech's amezcua amiable amiably amilia amityville ammonium amnesiac amniotic amphibian amphibians amphibious amplifier amplifiers amplifying anacortes anania andersonville andonian andreana andreani andreano andreini andreoli andreoni andreotti andreozzi andriana andriano andriola anemia anemias aneurism aneurysm angeles's angelically angelone angermeier angiogram anglemyer anguiano animism ankerium annoyances annualize annualized annually annuities annuity annunzio anopheles ansonia anterior antiaircraft antigone antigone's antigones antiochus antipodes antkowiak antonia antonio antonio's antonios antoniou antoniu antoniu's antonius anxieties anxiety anyone'll anytime'll anzaldua aphorism aphorisms aphrodite aphrodite's aphrodites apostrophe apostrophes appliances appreciate appreciates apprenticeship apprenticeships appropriate appropriates apriori aquarium aquariums aquarius arabia arabia's arabian arabians aramaic arboreal arcadia arcadian arcadians archdiocese archimedes ardelia arduini arguable arguably ariadne ariana arianna arianna's arias's ariela ariella ariola armbrister armenia armenia's armenian armenians arreola arrhythmia arrhythmias arriaga arriola arsenio arslanian arterial arthurian artistically asap ascencio aseltine asencio asexual asiatic aslanian asmodeus asphyxiate asphyxiates assembling assertively assertiveness associate associate's associates assyria assyrian assyrians astoria atalaya atalia atamian atavism ataxia ataxia's atencio athalia atheistic athenaeum athenaios athenian athenians athletically attentively attentiveness attenuate attenuates attractively attractiveness atypia audience's audiences audiophile audiophiles audiotape audiotapes audiotex audiovox aurelio autenrieth authentically autoeurope avakian aveline aviacion aviano aviano's aviaries aviary aviation aviation's aviator aviators avionic avionics avolio ayacucho ayatollah ayatollah's ayatollahs ayrshire azalia azelia azpurua bachailian backfiring bacteria bacteria's bacterial bacterium bagdikian bahamian bahrainian baldassare baldassarre balentine ballentine balodia banasiak bancario barbarian barbarians barbarism barbecueing barbecuing barbequeing barberio barentine barganier barsamian bartkowiak basaldua basilia basilio batavia battaglia battiato batuigas bauermeister bavaria bavaria's bavarian beatified beatify beatrice's belafonte belefiville belfiore belittling bellavia bellyaching benavente benavides benevides benveniste berberian berkemeier berlascone berlascone's berthiaume beryllium bespectacled betabia biaggini biagini bialecki bialkowski biamonte bianchini bianconi bianculli biannual biaxial bicycling biennial bilzerian bilzerian's binomial biochemist biocontrol biodiverse bioethics biofeedback biographer biographers biographies biography biohazard biohazards biologic biologics biologist biologists biology biology's biometric bionetic bionetics biophysics bioscience biosensor biosensors biosystem biosystems bisceglia bisexual bisexuals bisiani biviano blasingame blassingame bochicchio bohemia bohemian bolivia bolivia's bolivian bolivians bolognese bolshevism bonadio bonaduce bonavia bonfiglio bonsignore boosterism borealis borowiak bostonian bostonians botulism bouthillier boutilier boyajian bracamonte bracamonte's bracamontes brachiopod brachiopods braggiotti bramalea brancaccio brendlinger brentlinger briguglio britannia brittania brizendine bugliosi bugliosi's bulemia bulgaria bulgaria's bulgarian bulgarians bulimia buonocore burciaga burgundian burgundians buscaglia businesspeople businessperson businesswoman businesswomen bustamante byzantium cabriolet caccavale cacciatore caesarea cafiero caggiano cagliari calabrese calabria caladiums calamia calderone caliendo calliope calliopes cambodia cambodia's cambodian cambodians cammermeyer campanale campione campofrio canadian canadian's canadians canadienne cananea candiotti candiotti's cangiano caniglia capernaum caplinger caporale cappiello cappuccio capriati capriati's capriotti capuano caradine caraveo cardassian cardassians cardinale careerism caribbean cariello carioca carnevale carpentier carribean carriers's carrizales caruana carusone casagrande casciano casebier casiano cassavetes castiglia casually casualness casualties casualty cataclysm catanese catastrophe catastrophes catechism cattaneo cavaliere cctv cdebaca celestine celosia cenozoic centennial centennial's centerior centimetre centimetres centralia centralism centurion cerelia ceridian cerniglia certifying cesario chameleon championing championship championship's championships chauvinism chavarria chevrier chianese chiapparone chiappetta chiappone chiarella chiarelli chiarello chiarenza chiavetta chicagoans chiusano chlamydia chmielewski chombiono choreograph choreographed chrismer christiana christianna christiano chrzanowski chujitsuya ciaccia cicalese cicippio cimaglia cipriani cipriano circadian circuitous ciriaco ciriello cirincione cirrincione clandestinely clarifying classicism classifying cleopatra cleopatra's clodoveo cmudict cnbc's coagulate coalescence coalesces coalescing coalition coalition's coalitions coauthoring coaxial codifying coefficient coefficients coexisted coexistence coexisting cogliano cohesively cohesiveness coincided coincidence coincident coinciding coinsurance colaianni colglazier colicchio coliseum collectively collegial collodion colloquial colloquium collosio collosio's colombia colombia's colombian colombians colonia colonial colonial's colonials colosio colosio's colosseum coluccio columbia columbia's columbian columbians comandante comandantes combativeness comedian comedian's comedians comedienne commemorative commercebancorp commerciale commerciale's commingling commodious communism communism's companhia compania company'll compaore compatriot compatriots compendium complementary compulsively compusa compusa's comunale concepcion conceptual conclusively congruity coniglio conscientious consensual consiglio consortium consortium's conspicuous constituent constituents constructively contemptuous contextual contiguous continual continuance continuing continuous continuum contractual contrarian contrarians convivial cooperate cooperates coordinate coordinates copytele cordelia coriander corinthian corinthians cornacchia cornelio cornelious corporatewide correia corsiglia cosmetically costeira cotroneo countersuing couturier covariance coviello cracchiolo crasnianski crecelius cristiani cristiani's cristiano criteria criterion criticism criticisms cronyism cryogenic cryogenics cspi cuadrado cuauhtemoc cucchiara cuneiform curiale curiouser curiously cusiana custodial custodian custodians custodio cutaneous cuyahoga cyanamid cyanamid's cyanazine cyanuric cyclopean cydonia cynicism cyrenius cytherea cytoplasm d'agostino d'agostino's d'alessandra d'alessandro d'alessandro's d'america daddario dalesio dalessio daloisio dambrosia dambrosio damelio damiani damiano damianos damietta dandelion dandelions dandyism daniello dannunzio dantonio darwinian darwinism dattilio dauenhauer davidian davidian's davidians deactivate deangelis debiase deblasio decandia decaprio decapua decennial deceptively decesare deciduous decisively decisiveness deductively deemphasize defabio defazio defeatism defensively defensiveness defiantly definitely defiore defoliant defoliants defterios degeneres degidio degrazia degutare degutare's dejulio delafuente delatorre delbianco delgaudio delguercio delicately delineate delineates delirious delirium delisio dellolio delorean deloria delosreyes delozier delpriore delsignore delvecchio demaggio demaio demaria demario dematteo dementia demetria demetrio demetriou demetrius demilio demirjian denarius denatale denlinger denunzio deodorant deodorants depascale depasquale deployable depreciate depreciates depriest derderian derflinger derisively derosia derosier desaulniers desimone desiring deslauriers desperately despotism desrosier desrosiers destructiveness deukmejian deukmejian's deuterium devaluate devaluing deviancy deviated deviating deviation deviations devonian devouring dhlakama diabasic diabetes diabetic diabetics diaconate diacritic diacritics diagnoses diagnosing diagnosis diagnostek diagnostic diagnostics diagonal diagonals diagraming dialectic dialysis diamandis diamanta diamante diameter diamono dianetics diangelo dianthia diaphanous diario diarrhea diarrheas diarrhoea diasonic diasonics diaspora diastole diastolic diathermy diatomic diatonic dibiase diblasio dicaprio dicesare dichiara dicioccio dickensian diclemente didemeyer didemeyer's didinium dielectric dietary dietetic dietician dietitian dietitian's dietitians difabio difazio difiore digilio digiorgio digiulio digiuseppe digrazia diiorio dilithium dilorio diltiazem diluzio dimaggio dimaio dimaria dimario dimarzio dimascio dimatteo dimeglio dimichele dimitrios dimitrius dimorphism dimperio dimuzio dinatale dinmukhamed dinunzio diocesan diodati diodato dioguardi diorio dipaola dipaolo dipasquale diphtheria dipiazza directv disabling disagreeing disassembled discouragement disengagement disfigurement disgruntling disimone disinterested disloyalty dismantling disobeying disorient disquieting dissociate distasio distinctively distinctiveness ditullio diuretic diuretics diurnally divisiveness dobrzynski doerflinger dogmatically dogmatism domestically dominiak donadio donapria dondlinger donofrio dorazio dorelia dorothea dottavio dovidio dqalpha draconian dramatically druidism dualism dualisms dualistic duality dubiously dulcinea duodenal duodenum duopoly dupriest durflinger dynamically dynamism dyslexia easygoing ecstatically edifying edinburgh edrington edwardian effectively effectiveness effectuate effusively eggemeyer egoism egotism eisenhauer elaborately elefante elementary eliason eliassen eligaya elinore elitism elizalde elusiveness elyria elysia elysium emaciate emaciates emanuel embezzler embezzlers embezzling embodying embolism embolisms embryonic emdr emeryville emilia emilio eminase emmaline emmanuel emotionally emphatically employable emporia emporium enabler enabling encinias encircling encomium encomiums encouragement enjoyable enjoyably ensminger enthusiast enthusiasts entitling entringer entsminger enunciate enviable enviously eohippus eolande epitome equestrian ergotism eritrea eritrean erminia erratically erroneous escalante escambia escapism eslinger espionage espn esthetically estonia estonian estonians estuaries estuary etc ethereal etzioni eudosia eudoxia eugenia eugenia's eugenio eugenio's euphemia euphemism euphemisms euphoria european europeans europium eusebio eustachian evacuate evacuee evacuees evaluate evaluates eventual everybody everybody'd everybody's evildoer evildoers excelsior excessively exclusively excoriate exfoliate exhaustively exorcism exorcisms expatriate expatriates expedia expedience expedient expensively experience experienced explosively expropriate exquisitely extensively extenuate exterior exteriors extraneous extremism fabiani fabiano fabrizio fabrizius facciola facemire faciane facsimile facsimiles factually fallopian falsifying fantastically faraone fariello fasciano fastidious fatalism feb february february's felgenhauer fellatio felonious feminism fenoglio feodora ferraioli ferrario fetishism fettuccine feudalism fialkowski fiduciares figaroa figaroa's figueroa filipiak fillingame finocchio fiorella fiorelli fiorello fiorenza fioretti fiorillo fiorina fiorini fiorino fiorito fiorucci fitzhenry fiumara flamboyantly flaminian flonorial floridian floridians fluctuated fluctuating fluctuation fluctuations fluidity fnma focaccia foliation foppiano forensically foreshadowing formalism formulaic forseeable forsythia forsythias fortifier fortifiers fortifying fortuitous fortunately franckowiak frediani fresenius fruitopia fujioka fujiyama fukuoka fukuyama fulgencio fullilove furiouser furiously futurism g'vanni's gaboriault gabriela gabriella gabrielli gagliano gagliardi gagliardo gaglione galatea galentine galeria galerias galiano galicia galilean galileo galileo's galioto gallentine galleria galliano galluccio ganglionic gardinier gargantuan gastonia gaudioso gaviotas gaviria gaxiola geagea gelasia generales generically genetically gentrifying geocentric geodesic geodesy geodetic geoffrion geographer geographic geographic's geography geologic geologist geologists geology geometric geometrics geometries geometry georgiades georgiadis georgiana geostrophic geosyncline geotaxis geothermal geotropic geranium geraniums geremia geriatric geriatrics germania gervasio gesualdi getulio giacalone giaconda giaconda's giacone giamatti giammalva giancana giancarlo giannino gigliotti gilbertine ginocchio giovanni giovanni's giuliani giuliani's giuliano glaciated glaciation gladiator gladiators gladiolus gloriana glorifying glorioso gloriously gnosticism gonorrhea gordinier gorgonian graciano gradualist gradually graduated graduating graduation graduations gratifying gratuities gratuitous gratuity graziani graziano grbavica gregarious gregoria gregorian gregorio grismer gronemeyer grzesiak grzybowski grzywinski guacamole guagliardo guaranteeing guardianship guardiola guariglia guarnaccia guayabera guderian guglielmi guglielmo gugliotta gugliotti gugliuzza guiliani guiliano gumucio gurganious gusciora gvaryahu gymnasia gymnasium gymnasiums habitual hacienda hagemeier hagemeyer hagopian hanseatic harclerode harmonia harmonious harmonium harpootlian hasenauer hayashida hces hedonism hegelian heliotrope hellenism helminiak helotism henrietta heradia herbarium herbariums herculean heredia hermenio herminia hermione heroism hfdf hiaa hialeah hiawatha hibernia hibernia's hideaki hideously hierarchy hilaria hilario hilarious himalaya himalayan himalayas hinduism hirayama hiroaki hiroyuki historian historians histrionic histrionics hochstedler hochstetler honoria horacia horacio horatio's horiuchi horrifying hosseini hostetler hostettler hostutler hourglasses houstonian hovnanian hovsepian hsbc html http huckelby'll huffstetler huffstutler hufstedler hufstetler humanism humiliate humiliates hungarian hungarians hyacintha hyacinthie hyannisport hybrienko hymeneal hyperbole hyperion hypnotism hypnotism's hypoxia hysteria hysterically iacocca iacocca's iacona iacono iafrate iakovos iannelli iannello iannone iannotti iannucci iannuzzi ianthina iberia iberia's iberian idealism idealized ideation idiocy idiopath idiotic idonia ieee ierardi iglesia iglesias ignacio ignacio's ignasiak ileana iliano iliescu illustrious illyrian imburgia immediate impassively imperia imperial imperial's imperious impervious impoverishes impoverishing impoverishment impressively impulsively incipient inclusiveness incongruous incorvaia indiaia indiana indiana's indosuez indubious industria industrial industrial's industrials industrier industrious inebriate inebriates infatuate infatuates inferior infinitely influences influencing influential influenza infuriate infuriates ingenuous inglorious ingoglia ingratiate ingredient ingredients initiate initiates initio injurious innocuous innuendo innuendoes innuendos inquiries inquiring insidious insignia insinuate insinuates insomnia insomniac insouciance instantiate instantiates instinctively intensively interior interiors intermingled interrante intimately intricately intrusiveness intuition intuitive invariance invariant inventiveness invidious inviolate iolande iolanthe iomega ionarde ionics's ionizer ionizers ionizing ionosphere iorio iovine iovino iranian iranians irianese iridium ironically irradiate isadore isbn iscariot ischemia islamically islamiya islandia isosceles issuable issuances italia ivorian ivorians izaguirre izvestia jabaliya jacksonian jacksonians jacobean jahanian jakubiak jambalaya jankowiak janowiak jansenism january january's jaskowiak jayachandra jayashankar jeremia jeremiad jeremiah jeroboam jeyaretnam jeziorski jingoism jingoistic jordanian jordanians journalism journalism's judaism judaism's juliana juliano julietta juniata junwuxiyan justifying kachigian kageyama kajuahar kamakau kamakau's kamikaze kaniewski kanouse kaohsiung karaoke karbassioun karelian kariotis kasabian kashiyama kasparian kataoka katayama kazanjian kazarian kazarian's kenealy kentuckian kentuckians keplinger kerkorian kerkorian's kerpedjiev kervorkian keshishian kevorkian kevorkian's kganakga khachigian kightlinger kilauea killilea kilometre kilometres kinzlmaier kiplinger kiyohida kiyotaka knbc knin kobayashi kociemba kociolek koninklijke koreagate koreatown koscielniak kostrzewa kostrzewski kpmg krikorian kryptonian kubisiak kumagai kuriansky kuriyama kwiatkowski labianca labianca's laboratories laboratory laboratory's laborious labossiere labriola lacoursiere laferriere lafreniere laguardia laliberte lamacchia lambiase lamirande lancastrian lanceolate lapaglia lapd lapd's lapiana lareina lariviere laryngeal lascivious latiolais latonia lattanzio latulippe lavecchia laverdiere laverdure laviolette lawrencium legalism lehenbauer lemercier lemercier's leninism leominster leonardo leonidas leonora leopoldine leopoldo lesbianism letellier letitia letizia leucadia leucadia's leuenberger leukemia levario leverone leviathan liberace liberia liberia's liberian liberians librarian librarians liliana lilliana lineages linearly linguistically linoleum lionberger lionetti liotier listeria loaiza lobianco locadia locascio logarithm logarithms logistically loiacano loiacono longoria loschiavo lovecchio luciano luetkemeyer luevano lugubrious luxuriant luxurious lyonnais's lyricism maccabean macfadyen machinea maciolek mackiewicz mackowiak mademoiselle madonia maekawa magarian magliano magliocco magliolo maglione magnesium magnetism magnifier magnifiers magnifying mahalia mahayana mainichi maiorana maiorano maiorino malaria malarial malathion malizia malleable mammalian manchuria mandracchia mangiapane maniacal maniaci maniatis mannerism mannerisms manocchio manoogian mantione manually manzanares manzione maraline marcelia marcelline marchione marciano marcilio marciniak margarethe margeotes mariachi mariana marianas mariani marianna mariano marietta marietta's mariotta mariotti mariucci mariusa markarian markovian marsiglia marsupial marsupials maruyama maryalice masaaki masayoshi masayuki masiello masochism massacring massingale massmutual mastandrea mastrianni mastriano mastroianni matarese material materials materiel materiels mathiasen mathiason matriarchal matriarchy matsuoka matsuura mattioli matusiak mauricio mauriello mauritius maurizio mausoleum mayoralty mazziotti mcadory mcafferty mcaleese's mcalister mcallester mcallister mcanally mcanany mcanelly mcannally mcanulty mcavinchey mcavity mccafferty mccalister mccallister mccarthyite mcclafferty mcclanahan mcclaugherty mcclenaghan mcclenahan mcclenathan mccollister mcconaghy mcconaha mcconahay mcconahy mcconathy mcconaughey mcconaughy mcconico mcconnaughey mccorkindale mccorquodale mcelderry mceldowney mcelhaney mcelhannon mcelhany mcelheney mcelheny mcelhiney mcelhinney mcelhinny mcelligott mcelmurray mcelmurry mcelravy mcenaney mcenany mcenerney mcenery mcevilly mcfadyen mcgalliard mcgarity mcgarrigle mcgarrity mcgettigan mcgillivray mcgilvery mcginnity mcglamery mcgonagle mcgonigal mcgonigle mcgranahan mcgregory mcilhenny mcinerney mcinerny mckrinkowski mclafferty mclanahan mcmanama mcmanaman mcmanamon mcmanaway mcmanigal mcmenamin mcmenamy mcmenemy mcmennamin mcmonagle mcmonigle mcmurtrie mcnamara mcnamara's meandering mechanically mechanism mechanisms medaglia mediamark medianews mediaset mediated mediating mediation mediator mediators mediocre mehitabelle mehrabian melchiorre melikian melkonian melodious memorial memorials menapace menasion menasion's mendiola mendolia menstruation menzione mercadante mercurial mercurio meridian meridian's meridien meserole mesmerism mesozoic messianic messineo meteoric meteorite methodism methodisms metivier mevarachs meyerowitz microbial microcosm micrografx migliore millennia millennial millennium millenniums millilitre millilitres millimetre millimetres mimeograph minamide minebea mineola minestrone miniature miniatures minutia minutiae miraglia miramontes misapplying miscayuna miscayuna's misconstruing miscreation miscreations misdiagnose misdiagnosed misiaszek mismanagement missildine missourian missourians miyagawa miyahara miyamori miyamoto miyasaki miyasato miyashiro miyazaki miyazawa miyazawa's moawiya mobilia modalism moderately modernism modestine modifier modifiers modifying moldavia moldavian moldenhauer mollenhauer mongolia mongolian monrovia monteforte montemayor monteverde montpelier montpelier's montrealer montrealer's montrealers mooradian moralism moravian moriarty morioka morphonios mortification mortuary mosaical mouradian moviegoer moviegoers moviegoing mozartean muavenet multiethnic multilayer multilayered multiplayer multiplier multiplying multiuser mummifying muraoka muratore murayama murayama's musacchio mustachio mustachioed mutually mycenaean myopia myotrophin mysterious mysterium mysticism mystifying nacional naclerio naivete najarian nakasone nakasone's nakayama nalbandian namibia namibia's namibian napoleon napoleon's narayanan narcissism nardiello nasional nathalia nathania nationale nationales nativism nauseated nauseating nazarbayev nazarian nazario neanderthal neanderthals nederlandsche nederlandse nefarious negatively negotiate negotiates nehemiah neidlinger nelliana neoclassic neolithic neonatal neonazi neonazis neoplasm neopolis neotenic neoteny nephridium nepotism neptunium nestorian neuenschwander neugebauer neuroscience neutralism newtonian nicolai nicoline nicosia niedermeier niedermeyer nigeria nigeria's nigerian nigerians nihilism niobium nishioka nishiyama niziolek nobelium nobuaki nobuyuki nonaccrual nonaccruing noncompliance nonlinear nonmanagement nonnuclear nonviolence nonviolent noriega noriega's noriegas notestine notifying notorious nucleation nucleoli nucleonic nucleonics nucleotide nucleotides nullifying numerically numidia nunziata nunziato nvidia nypd o'hanian obadiah obedience obedient obelia obermeier obermeyer objectively oblinger oblivion oblivious obsequious obsessively obsidian obviated obviating obviously ocasio occupier occupiers occupying oceana oceangoing oceania oceanic octavia octavio octavius odelia odilia odiorne odysseus oecd ofelia offensively officeholder officeholders officiate officiates officio ofilia ognibene ohanian ohbayashi ohioan ohioans oleander oleandrin oleaster oleksiak olivares olivia olivia's olivier olokuei olokuei's olympia olympia's olympiad olympiads olympian olympians olympias omelia omonia oncogenes onofrio ontario ontario's oplinger opprobrium optimism oralia orelia organically organism organism's organisms oriana oriental orientals oriented oriola ortenzio orwellian osceola osorio ostermeier ostermeyer ostracism othilia ourada ovarian overdoing overflying overleverage overleveraged overlying overmyer overpaying overplaying overpowering overreact overreacts overseeing overseer overseers overstatement overstatements oviedo pacifier pacifiers pacifism paduano paganism pagliaro pagliuca pagliuca's pagurian palacio palacios paleocene palladium palliative palliatives palmatier palmieri palmstierna palomares palonius panacea pancreatic paniagua pantaleo pantheistic panzhihua paolella paoletti paolillo paolini paolino paolucci paonessa papaleo papalia papandrea papandreou papania papazian pappadio paraguayan paranoia paranoiac paratore parazoa pariagua parietal parisians parisienne parmentier parochial parthenia parziale passafiume passionately pastorius patriarca patriarchal patriarchate patriarchy patricio patriotic patrizio pavlovian pecksniffian pedestrian pedestrians pediatric pediatrics peinado pelagia pelagian pelagians pelissier pellecchia penelope pennacchio penurious peoria peoria's peragine peraino perceptual percipient perennial perennials periodic permanente permeable permeated permeating permenante permissiveness peronism perpetua perpetual perpetuals perpetuate perpetuates perricone perriello persuasively persuasiveness perugia peruvian peruvians pervasiveness perzigian pescatore pessimism petraglia petralia petroleos petroleum petroleum's petrolia petronia petronio petunia petunias pfiesteria pharaonic pharmacia philistia phlcorp phonetically piacente piasecki piasio piatkowski piazzolla picciano pictorial pietruski pingitore pinnochio pinnochio's pinocchio pioneering piontkowski piorkowski piotrowski pistachio pistachios pistorio pitiable pizzeria pizzerias plagiarism plagioclase planarian plasmodia plasmodium pleomorphic pleomorphism pleuritides plisetskaya pluralism plutonian plutonium podiatrist poetical poinsettia poinsettias policewoman policewomen pollinia pollyanna pollyannish polonium polonius polyamide polyandrous polyandry polyester polyesters pompilio pomponio popolare populism portfolio portfolio's portfolios positively possessiveness potassium poudrier powerpc powerpcs praetorian pragmatism prearranges prearranging prebiotic precambrian precarious preelection preeminence preeminent preexisted preexisting preignition prematurely preoccupied preoccupies preoccupy presario presidio presidium presumptuous pretoria pretoria's previously preziosi prezioso primiano primordial principia priorities prioritize prioritized priority procardia procopio procordia procreated procreating procreation productively progressively prolifically prolinea prometheus promethium propionic proprietor proprietor's proprietors propriety prospectively protectively protozoa protozoan protozoans provencio provenience proverbial providian przybyla przybylski przywara pseudoscience psoriasis psychiatric psychiatrist psychiatrist's psychiatrists psychiatry ptolemaic ptsd pugilism pugliese pumilia punctilious punctuated punctuating punctuation purifier purifiers purifying purposefully quadrennial quadrupling qualifier qualifiers qualifying quantifying racialism radially radiated radiating radiation radiation's radiator radiators radioman raffaele raffaelli ragonese ranieri raphaela raphalian raptorial rapuano ratatisement ratatisements ratifying ravioli reactivate readjusted readjusting readjustment readjustments readmission readmitted reaffirming reaganism realigning realignment realignments realises realistic realities reality realizes realizing reallocate reallowance reanalyze reanalyzed reappearance reappointed reappointment reappraisal rearmament rearranging rearrested reassemble reassembled reassembly reasserted reasserting reassertion reassessing reassessment reassigning reassignment reassignments reassurance reassuring reauthorize reauthorized reawaken reawakened recipient recipient's recipients reconnoitre recreated recreating recreation rectifier rectifiers rectifying recycling redenius redeploying rediscovery redlinger redoglia redoubling reeducate reelected reelecting reelection reemergence reemphasize reemployment reenacted reenactment reenactments reengineer reentering reestablish reestablished reexamine reexamined reflexively refueling refugio reignited reigniting reimburses reimbursing reimposing reincarnate reinforces reinforcing reinspection reinspections reinstated reinstating reinstitute reinsurance reinsurer reinsurers reintegrate reinterpret reintroduce reintroduced reinvented reinventing reinvention reinvested reinvesting reinvestment reinvited reisenauer reissuing reitano reitera reiterate reiterates relatively reliable reliably reliance's remarrying remedial remediate remedying remigio remlinger renteria renunciate reoccupy reoffended reoffering reopening reordering reorganize reorganized reorient repatriate repayable repudiate repudiates requiring resembling reshuffling residual residuals resilience resistiveness resolutely resourcefulness respectively responsiveness restaino restrictiveness retaliate retroactive reunified reunify reunited reuniting reusable revaluing revenuer revenuers reviglio rewiring rheology rhetorically rheumatism riedlinger riopelle ripplinger ristorante ristorantes riviello riviera robinia roccaforte rogelio romania romania's romanian romanians rondonia rosalia rosaria rosaria's rosario rsvp ruggerio rumania rumanian ruotolo ryanodine sabatine sabaudia saccoccio sahagian saitama sakigake sakurai salafia salomone salpetriere salvadore salvaggio salvatore samaria samudio samuela samuelson sanabria sanctuaries sanctuary sangiovese santayana santeria santiago sarabia sarafian saravia sarcastically sardinia sartorial sartorius sasayama satanism satiated satiety satisfactory satisfying satriani savarese saviano scaglione scalamandre scaleatron scenario scenarios schiavone schiavoni sciaroni scibilia scientific scientific's scientifics scintilore sciortino scipione sebastiane secretiveness sectarian seductively segovia seigniorage sekisui selectively selenium selvaggio semidrying semiotic semiotics semitism senatore sensitively sensitiveness separately separateness serafine seraphine serialize serialized seriously seriousness serratore servicemaster servidio seventieth sexually shahinian shenandoah shevardnadze shionogi shiraishi shoichiro siberia siberian sibilia sicilian sidonia sierracin signifying silhouetted silvadio silvadio's silveria silverio simione simonian simplifying sinfonia siracuse sirianni situated situation situation's situations skenderian skepticism slavonia slovakia slovakia's slovakian slovenia slovenian slovonia smithsonian smithsonian's sobieski sobkowiak sobriety socialism societa societal societe societies society society's sociopath sociopaths solimine solorio soltysiak somalia somalia's somalias sophronia soriano sotomayor sovetskaya spagnuolo sparacio spasmodically spaziani specifically specifying speechifying speziale spiritual spirituals spontaneous sporadically stachowiak stagliano stalinism stanzione statuary stefaniak steffensmeier stepanian stepanian's stephania stereolab stereotype stereotyped stereotypes stigmatism stoicism stolichnaya stottlemyer strategically strenuously stribling strzelecki studiously stultifying stylistically subandrio subpoenaing subservience subservient substantiate substantiates substantively suburbia successively suggestiveness sugiyama suicidal sukiyaki sumeria sundermeyer superfamily supergiant supergiants superior superior's superiors suriano surrealism surrealism's surrealisms suzuana swiatkowski sylvania symbiosis symbiotic symbolism symmetrically symposium symposiums synbiotics synergism synthetically sypniewski systemically szczepaniak taflinger takayama takeuchi talamantes tamiami tanzania tanzania's tanzanian taormina tarquinio tartaglia tasmania tasmanian tatiana tavernier tbilisi tcas tediously teleconference telephoniques telescience tellurium temperamental tempestuous tenaglia tennessean tennesseans tenorio tentatively teodoro teriyaki terrebonne terrestrial terrifically terrifying terrorism tessitore testifying thatcherism theatergoer theatergoers theatrical thelonius thematically theocracy theocratic theodora theodorou theologians theology theophila theorizes theorizing thirtysomething thomasine tiananmen tiberia tiberio timothea timurian titanium tobiason tokenism tokuyama tomaino tomasine tomiichi topalian topiary toribio toriente tornabene tornatore torpedoing torsiello toshiyuki tracheophyte tracheophytes traditionalists traficante trafillio trafillio's transmedia transohio transpiring transsexual transsexuals traviata trepagnier trepanier triangular triennial triumphantly triumvirate trivialize trivialized trnopolje troiano trupiano trzeciak tucciarone tumultuous turrentine tutorial tutorials twentysomething twentysomethings tyrrhenian uehara uemura ukrainian ukrainian's ukrainians ukulele uliano ulterior ultimately undergoing underlying underpaying underprivileged understatement undiagnosed unethically unexpired unifying uninspired uninterested uninteresting unionism uniroyal unpayable unprincipled unrealized unreasonable unreimbursed unsettling unusual updegrove uplinger uranium urbaniak uremia uriarte urioste uruguayan usairways usbancorp usda usmc usoniam ussr usually utopia utopian utopians utopias uyehara vaccinia valdivia valencia valencia's valencienne valeria valerian valerio valkyrie valladares vallario vallegrande valuation valuations vanacore vanadium vanbiesbrouck vandalism vanderkooi vanderleest vandersluis vandivier vanhouten vanuaaku vanuatu variable variables variably variances variation variations varietals varieties variety variously varnadore varricchio vartanian vassiliou vecchione vecellio velagrande velagrande's velayati veliotis venereal venezia venturian verifying vernonia vestigial vesuvius veterinary vialpando viatical vicario vicarious vicencio victoria victoria's victorian victorians victorias victorine victorious videodisk videodisks videogame videophone videotape videotaped videotapes videotex videotext videotron vidonia vietnamese viggiano vigilante vigilantes vigilia viglione vigliotti villafane villafuerte villareal villaverde viloria vindictiveness vinicio violable violante violated violating violation violations violator violators violently violeta violetta violinist violinists viramontes viramune viramunes virgilio virtually virtuoso vitiello vitriolic vitruvius vittoria vittorio viviana viviani viviano vizcaino volcanically volentine voluptuous voyeurism voyeuristic vrdolyak vultaggio wachovia wachowiak wagnerian walkowiak watanabe watlington wawrzyniak wedemeyer wereldhave westermeyer westphalia whatsoever wholeheartedly whomsoever whosoever wiatrowski wibbenmeyer winiarski wisniewski wittenauer wittenmyer wlodarczyk wlodarski wrzesinski ws yamaichi yamaichi's yamatake yamauchi yamauchi's yasuyoshi yglesias yokoyama yomiuri yoneyama yosemite yoshiaki yoshioka yzaguirre zacarias zaccaria zachariah zacharias zairian zairian's zairians zakarian zakrzewski zamudio zaniewski zaslavskaya zedekiah zenobia zettlemoyer zimbabwean ziolkowski zionism zirconium zirconiums zoologist zoologists zoology zuidema zuluaga",
  "abbatiello abbreviated abbreviating abbreviation abbreviations aborigine aborigines abrahamian absenteeism absolutism academia academically accentuated accentuating accompanying aciduria acrimonious actinidia actuality actuarial aduliadae adventurism adversarial advertorial advertorials aerolineas aerospatiale aerospatiale's afanasyev affectionately affiliated affiliated's affiliating affiliation affiliations affirmatively aguascalientes aguinaga ahasuerus albendazole alcoholism aleatory alexandria algorithmic alienated alienating alienation alislamiyya alitalia alitalia's allegiances alleviated alleviating alleviation alphabetically alternatively aluminio amateurism amazonia amazonian amazonians ambiguities ambiguity ambrosiano americium amerindian amphitheater amphitheaters amphitheatre amyotrophic anachronism anachronisms anacostia anacostia's analytically anamaria anastasio anatolia anatolian anatomically anestachio anfal angiomedic angiomedics angioplasty angiotensin annunziata annunziato anorexia antagonism antagonisms anteriormost antiabortion antibiotic antibiotics antioxidant antioxidants aparicio aphrodisiac apollinian apollonian apotheosis appalachia appreciated appreciating appreciation appreciative appropriated appropriating appropriation appropriations appropriator appropriators approximately archaeologist archaeologists archaeology archeology arencibia argentinian argentinians arianism aristophanes arkadelphia arriortua artiodactyl artiodactyls asphyxiated asphyxiating associated associating association association's associations astigmatism astronomically athanassiou attanasio attenuated attenuation audiotronic audiotronics auditorium auditoriums augustinian augustinians augustyniak automatically automoviles axiomatic babylonian babylonians baccalaureate bagdasarian bartolomei bartolomeo basophilia batticaloa battipaglia beethovenian bengoechea biagioni bibliographic bibliographies bibliography bicentennial bilingualism biochemical biochemistry bioengineer bioengineered bioflavonoid bioflavonoids biographical biological biologicals biomedical biomedicals biondolillo biopharmacy biosciences biospherian biospherians biostatistics biosynthesis biotechnica biotechnica's bmw boguslavskaya bollettieri bonifacio bougainvillea bradycardia braggadocio brobdingnagian brobdingnagians buchananism byelorussia cafeteria cafeterias caledonia caledonian caledonian's caltabiano caltagirone campopiano canariensis cancerphobia candelaria candelario cannibalism capitalism capitalism's capobianco cardiologist cardiologists cardiology carolingian carolinian carolinians carthaginian cartusciello cassiopeia castelluccio castiglione categorically catholicism cavataio centenarian centenarians ceremonial cerveceria chiaoscurist chiaoscuro chiaramonte chocolatology choreographer choreographer's choreographers choreographic choreographing choreography christianity christianity's chronologically cirigliano classifiable claustrophobia cnnfn coagulating coagulation coarticulate coarticulates coglianese coincidences coincidental colantonio collectivism colonialist colonialists comicopia commensurately commentariat commercialism comparatively compassionately competitively competitiveness comprehensively conceptually conciliation conciliator conciliator's condominium condominiums confindustria confiterias confucianism conigliaro conscientiously consecutively conservatism conservatively conspicuously constantinides constituencies constituency construcciones consumerism continually continuances continuation continuity continuously contractually contrapunctual cooperated cooperating cooperation cooperations cooperative cooperatively coordinated coordinating coordination coordinator coordinators corigliano corneliuson cornucopia corporacion corporatism covarrubias creationism creativity creatologist creatologists crematoria crematorium culturalism cumulatively curatorial curiosities curiosity d'alessandrini d'electricite deactivated deemphasizing definitively degaetano degregorio deification delawarian delawarians deleonardis deleterious deliberately delineated delineating delineation dellavecchia delrosario democratically demographically denuclearized denunciation denunciations deoliveira deontology depreciated depreciating depreciation depreciations desantiago desiderio desmoplasia deteriorate deteriorates determinism devaluated devaluation devaluations dfw diabolical diacritical diagonally diagrammatic dialectical diamagnetic diantonio diaphonia diastrophism dibiasio dictatorial differentiate differentiates digregorio diguglielmo dileonardo dimercurio dimitrius's dinotopia dionisio dionysian dionysius diplomatically directorial disagreeable disassociate discontinuance discontinuing disenfranchisement disingenuous disobedience disobedient disoriented disorienting dispassionately disqualifying dissociation diversifying divirgilio dromomania dwi ecclesiastic echavarria echevarria echeverria echinacea ecologically economically ecuadorean ecuadorian editorial editorial's editorials edizione egomaniac electricite electrifying eleonore eliopoulos emaciated emaciating emanuele embryology empiricism emulsifier emulsifying encarnacion endometrial endothelial energetically enthusiasm enthusiasms enthusiastic enunciated enunciating epicurean equatorial equiangular equilibria equilibrium ergonomically eridania eroticism erroneously eskandarian esophageal ethiopia ethiopia's ethiopian ethiopians ethnocentrism etiologies etiology euphemistically evacuated evacuating evacuation evacuations evaluated evaluating evaluation evaluations evangelism eventually excoriated excoriating excoriation excruciating exemplifying exfoliation expansionism expatriation expediency experiences experiencing experiential expressionism expropriated expropriation expropriations extenuating extraneously extraordinaire factionalism famiglietti fanaticism favoritism federalism feliciano feliciano's feodorovich ferrofluidic ferrofluidics fiduciaries fiduciary figuratively financiera financiero finocchiaro fioravanti fiorentino fondiaria gametangia gamsakhurdia garabedian garagiola garavaglia gasiorowski genealogy geniality geochemistry geographical geological geomagnetic geometrical geophysical geopolitic geopolitics geotropism geriatrician geriatricians giannattasio giovanniello golembiewski goniometer gradualism gratuitously gravitationally grzeskowiak guadarrama guglielmetti gunatilake habitually hagiography hanoverian harmoniously helionetic helionetics heliopolis hemiplegia hemocyanin hemophilia hemophiliac hemophiliacs heoroico hilariously hirabayashi homeopathic homeopathy homeostasis homeostatic homogeneous homophobia homosapien homosapiens homosexual homosexuals honoraria honorarium honorariums hooliganism humidifier humidifiers humiliated humiliating humiliation humiliations hyacinthia hyakutake hyaluronic hydroelectric hyperborean hyperopia hypochondria hypochondriac hypothermia hypothetically iacobelli iacobellis iacobucci iacovelli iannaccone iannacone iannamico ianniello iavarone iconoclasm idealistic identifier identifiers identifying ideologies ideologist ideologists ideology ideonomy idiomatic idiopathic ignominious illusionism immaculately immaterial immediacy immemorial imperiale imperialist imperialists impresario impressionism improprieties impropriety inaccurately inadequately inappropriate incendiary inconclusively incongruity incongruously indecisiveness indefinitely indemnifying indianian indianians indianola individual individual's individuals indonesians indubiously industriale industriali industrialist industrialists industrialize industrialized industrially inebriated inebriating ineffectiveness ineffectual inexpensively inexperience inexperienced infatuated infatuating infatuation infuriated infuriating ingenuity ingratiating initiated initiating initiation initiator initiators inocencio inordinately insinuated insinuating insinuation insinuations instantaneous instantiated instantiating instantiation insubstantiate intellectual intellectuals intensifying interacciones intermedia intermediate intermediates intermingling intracranial intraocular intrauterine invariable invariably inviolable ionization ionospheric iphegenia iphiginia irradiated irradiation irredentism isocyanate isomorphism italiana italiano iuliano janitorial jeffersonian jeffersonians judiciary justifiable justifiably justiniano kleptomaniac kolodziejski korzeniewski kwh laboriously lacksadaiscious lagroceria lauretarian legislatively legitimately liabilities liability liberalism liberalism's liberatore libertarian libertarians lithuania lithuania's lithuanian lithuanians logophilia louisiana louisiana's lusitania lusitania's lusitanias macadamia macedonia macedonia's macedonians machiavelli machiavelli's machivellian macromedia magisterial managerial manganiello marcantonio marielito marielitos marinaccio materialist materialize materialized materially matrilineal matrimonial mauritania maximilian mazowiecki mcalexander mccarthyism mcgillicuddy mediobanca mediocrity memorialize memorialized mercantilism mericantante meritorious metabolism metabolisms metaphorically metromedia metrosexual micromanagement microscopically migliaccio militarism milosevic's minichiello minimalism ministerial minneapolis misappropriate misappropriates miscellaneous misdiagnoses misdiagnosis mississippian mississippians mitochondria mitochondrial mitochondrion modigliani modiliani momigliano monasticism monetarism mononuclear monotheism montefiore monteleone montesdeoca montevideo monticciolo moratoria moratorium moratoriums moriarity motorcyclist motorcyclists multiemployer multimedia multimedia's multivariate multivariates mutualism mutuality myocardial myocardium mysteriously naacp napoleonic nationalism naturalism nazionale neapolitan negativism negotiated negotiating negotiation negotiations negotiator negotiator's negotiators neoclassical neoliberal neoliberals neoplatonic neoplatonist neurasthenia neuroscientist nickelodeon nonsectarian notarianni notoriety notoriously nymphomaniac nymphomaniac's nymphomaniacs obediently obituaries obituary obstructionism oesterreichische officiated officiating okoniewski oleaginous oliveria oliverio opportunism oratorio oregonian oregonians orientated orientation orientations orleanian orleanians orthodontia ortomisio osteopathic osterreichische ottaviani ottaviano overreacted overreacting overreaction overreliance pagliarulo pakistanian paleozoic palestinian palestinian's palestinians panamanian panamanians pancanadian pandemonium panebianco paradoxically parallelism paramecium paraplegia parimutuel parkinsonism parsimonious partiality pasquariello pastoralism patagonia patagonian paternalism pathologically patrilineal patriotism pecuniary pediatrician pediatricians pennsylvanian pennsylvanians pepenadores percutaneous perennially perfectionism periodical periodicals periodontal peritoneal perpetually perpetuated perpetuating perpetuation perpetuity personifying pervomaiskaya petricioli petrovietnam pharisaism philadelphia philadelphia's philadelphian philadelphians philharmonia philibosian photocopier photocopiers photocopying photoelectric photovoltaic photovoltaics phraseology physiologic physiologist physiology piacentini picariello pituitary planetarium polisario polyethylene polynomial polynomials polyolefin polytheism polytheistic polyurethane pomerania pomeranian poniatowski popieluszko portugalia positivism preadolescence preadolescent precariously predominately preoccupation preoccupations preoperative presbyterian presbyterians prioritizes prioritizing professorial prohibitively proletarian proletariat promiscuity pronunciation pronunciations proportionately proprietaries proprietary proprietorship proprietorships protectionism protestantism provideniya provincialism provocatively prudentialbache pseudopodial psychoanalyst psychologically punctuality puritanism puritanisms pythagorean qualitatively quantifiable quantitatively radicalism radioactive radiographic radiography radiologist radiologists radiology reactionaries reactionary reactivated reactivating reactivity reaffirmation realisable realizable reallocated reallocating reallocation reanalyzes reanalyzing reapportionment reassurances reassuringly reauthorizing reawakening rebelliousness recertifying recidivism reclassifying recreational reeducation reengineering reestablishing reevaluate reexamining reimposition reincarnated reincarnation reincorporate reinstituted reinstituting reintegrated reintegration reinterpreted reinterpreting reintroduces reintroducing reintroduction reinvigorate reiterated reiterating reiteration relativism religione remediation renegotiate renunciation reorganizes reorganizing reorientate repatriated repatriating repatriation reportorial repudiated repudiating repudiation retaliated retaliating retaliation retrospectively revaluation revisionism revolucion ribonucleic ricigliano ritualistic romaniello romanticism rosamilia rovaniemi ruritania rutigliano sanctimonious santaniello satisfactorily saudiization scandinavia scandinavia's scandinavian scandinavians schizophrenia scientologist scientologists scientology sebastiana sebastiani sebastianis secretarial secretariat secularism semiannual seminarian seminarians seminario semionenkov senatorial senegambia sensuality separatism sexuality siciliano simultaneous singaporean singaporeans situational sociologist sociologists sociology solidifying speciality spiritualism spiritualist spiritualists spiritually spontaneity spontaneously stereographic stereotactic stereotyping stradivarius subcutaneous subramanian subsidiaries subsidiary subsidiary's substantiated substantiation subterranean supercilious superpremium systematically tachycardia takashimaya tallahassean tallahasseans tartaglione tavoulareas teleconferencing telemanagement telemecanique telemedia teleology telesciences televideo temperamentally tensiometer terracciano territorial testimonial testimonials theatrically theologian theological theophania theoretical theoretician theoreticians thermonuclear thiodiglycol timisoara tortoriello transoceanic transylvania triangulation triviality trivializes trivializing ultraviolet unaffiliate unambiguous undeniable undeniably undergraduate undergraduates underkoffler undervaluing unemployable unenviable unfortunately unimedia unitarian unpatriotic unreality unreliable unsatisfying unscientific unusually valeriano vecchiarelli vegetarian vegetarians veneziano ventimiglia verifiable viability vicariously videocassette videocassettes videographer videophile videotaping vigilantism virtuosity vitagliano voluntarism volunteerism wakabayashi washingtonian washingtonians wikipedia wikipedia's xenophobia yemenidjian yugoslavia yugoslavia's yugoslavian zentralsparkasse ziashivaney",
  "abolitionism accumulatively administratively aerodynamically afroamerican afroamericans agoraphobia agrarianism agroindustrial ambassadorial americanism amiability amniocentesis angiogenesis antemeridian anthropomorphism antibacterial antibioticos apologetically archaeological archeological arcidiacono aristotelian asiamerica astrogeology audiovisual austroasiatic authoritarian authoritatively autobiographer autobiographies autobiography autoradiograph aviazione bacteriology beneficiaries beneficiary beneficiary's benzodiazepine bibliographical biodegradable biodiversity bioengineering biomaterial biomaterials biostatistician biotechnologies biotechnology biotechnology's biotherapeutic biotherapeutics bisexuality cardiovascular characteristically chriptosporidium coarticulated coarticulating coarticulation coeducational coincidentally collegiality colonialism conciliatory congeniality conservativism conspiratorial contemporaneous counterespionage counterterrorism cryptosporidium czechoslovakia czechoslovakia's czechoslovakian dehumidifier deniability deontological deteriorated deteriorating deterioration diamagnetism diametrically dibartolomeo differentiated differentiating differentiation disassociated disciplinarian disciplinarians discontinuation discontinuity disequilibrium disingenuousness disorientation disproportionately ecclesiastical editorialist editorialists editorialize editorialized editorially egalitarian elephantiasis emotionalism encyclopaedia encyclopedia encyclopedias endometriosis entrepreneurial eosinophilia eosinophilic episcopalian episcopalians eventuality evidentiary excruciatingly extraordinary extraterrestrial extraterrestrials ferromagnetism finanziaria finanziario fundamentalism fyi gastrointestinal genealogical geographically geomorphology geopolitical gubernatorial habyarimana heterosexual heterosexuals historiography homogeneity humanitarian humanitarians hydroencephalus hypoglycemia identifiable ideological idiosyncrasies idiosyncrasy idiosyncratic imaginatively impartiality imperialism imperialistic incoordination indianapolis indiscriminately individualist individualists individualize individualized individually industrializing inferiority iniziativa instantaneously institucional insubstantiated intellectually intelligentsia intermediaries intermediary internationale interventionism irremediable isoelectronic isolationism izetbegovic's kinesiology literaturnaya louisianian louisianians machiavellian macroeconomic macroeconomics majoritarian malleability materialism materialistic materiality materializes materializing mediterranean megalomania megalomaniac meridionale mesopotamia mesopotamian mesopotamians mesothelioma meteorologist meteorologist's meteorologists meteorology microamerica microbiologist microbiologists microbiology microeconomic microeconomics microelectronic microelectronics microorganism microorganisms minneapolis's misappropriated misappropriating misappropriation misidentifying neoconservative neoconservatives neopositivist nestorianism nomenclatorial octogenarian onomatopeia osteoarthritis osteoporosis overoptimism oversimplifying overvaluation paleobotany paleontologist paleontologists paleontology parliamentarian parliamentarians parochialism peculiarities peculiarity periodically permeability phantasmagoria physiological phytogeography piezoelectric pitiesalpetriere polyacetylene probabilistically professionalism prosecutorial pseudoscientific psychoanalysis psychoanalytic radiological reaffiliation reauthorization reconciliation reconciliations reevaluated reevaluating reevaluation reexamination reincorporating reincorporation reindustrialize reinterpretation reinvigorated reinvigorating reinvigoration reliability religiosity renegotiated renegotiating renegotiation renegotiations reorganization reorganizations republicanism retroactivity reunification revaluations ricostruzione salutatorian scientifically sectarianism semiannually semiautomatic sensationalism simultaneously sociological sovietologist sovietologists spirituality stereomicroscope stereotypical superfluidity superiority teleological territorially theatricality theoretically totalitarian totalitarians unaffiliated unalienable unambiguously unappreciated unceremonious uncooperative uncoordinated undervaluation undiplomatically unenthusiastic uninitiated unjustifiable unjustifiably unsubstantiated unverifiable usameribancs utilitarian valedictorian variability villavicencio vnesheconombank",
  "anaesthesiologist anaesthesiologists anaesthesiology anesthesiologist anesthesiologists anesthesiology arteriosclerosis assicurazioni autobiographical biopharmaceutical biotechnological cardiomyopathy cardiopulmonary confidentiality conspiratorially contemporaneously deinstitutionalize denuclearization dideoxycytidine editorializing electrobiology electrobiology's electrocardiogram electrocardiograms electromagnetism environmentalism epidemiologist epidemiologists epidemiology extraterritorial heterogeneity homosexuality indianapolis's individualism individualistic individuality industrialization inmobiliaria intellectualism internationalism meteorological microelettronica miniaturization multiculturalism multilateralism neopositivism partecipazioni radioactivity ritualistically septuagenarian socioeconomic stereotypically supernaturalism territorialism unceremoniously uncharacteristically undifferentiated unilateralism unreliability vegetarianism",
  "authoritarianism deoxyribonucleic egalitarianism entrepreneurialism epidemiological heterosexuality micropaleontology parliamentarianism revolucionario totalitarianism",
  "deinstitutionalization extraterritoriality",
  "",
  "",
  "antidisestablishmentarianism"
];

// services/base/scalars/scalars.ts
function isList(api) {
  return "list" in api;
}
var ChosenPlace = class {
  value;
  constructor(value) {
    this.value = value;
  }
};
var NoPlace = class {
  place;
  reason;
  constructor(place2, reason) {
    this.place = place2;
    this.reason = reason;
  }
};
var CHARACTER_KINDS = ["total", "vowels", "consonants"];
function countCharacters(text2, kind2) {
  if (kind2 === "total") return [...text2].length;
  const plain4 = withoutMarks(text2);
  const vowels = plain4.match(/[aeiou]/gi)?.length ?? 0;
  return kind2 === "vowels" ? vowels : (plain4.match(/\p{L}/gu)?.length ?? 0) - vowels;
}
function countSyllables(text2) {
  const words2 = withoutMarks(text2).toLowerCase().replaceAll("\u2019", "'").match(WORD) ?? [];
  return words2.reduce((sum2, word) => sum2 + (spoken().get(word) ?? syllablesBySpelling(word)), 0);
}
var WORD = /\p{L}+(?:'\p{L}+)*/gu;
var read;
function spoken() {
  read ??= new Map(syllables_default.flatMap((line, count3) => line.split(" ").map((word) => [word, count3])));
  return read;
}
var VOWELS = /[aeiouy]+/g;
var SILENT_E = /[^aeiouy]e$/;
var SILENT_ENDING = /[^aeiouy](?:es|ed)$/;
var SPOKEN_ENDING = /(?:[^aeiouy]les?|ses|zes|xes|ches|shes|ges|ces|ted|ded)$/;
var HISSING = /(?:[sxz]|[cs]h|[cgsz]e)$/;
function syllablesBySpelling(word) {
  const [first = "", ...endings] = word.split("'");
  const groups = first.match(VOWELS)?.length ?? 0;
  const silent = (SILENT_E.test(first) || SILENT_ENDING.test(first)) && !SPOKEN_ENDING.test(first);
  const more = endings.map(
    (ending) => ending === "s" && HISSING.test(first) ? 1 : ending.match(VOWELS)?.length ?? 0
  );
  return more.reduce((sum2, one2) => sum2 + one2, Math.max(1, groups - (silent ? 1 : 0)));
}
function wordsOf(text2) {
  return text2.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}
var MOST_FACTORED = 1000000000n;
function primeFactorsOf(n) {
  const factors = [];
  let rest2 = Number(n);
  for (let factor = 2; factor * factor <= rest2; factor++) {
    if (rest2 % factor !== 0) continue;
    factors.push(BigInt(factor));
    while (rest2 % factor === 0) rest2 /= factor;
  }
  if (rest2 > 1) factors.push(BigInt(rest2));
  return factors;
}
function isPrime(n) {
  if (n < 2n) return false;
  for (const prime of WITNESSES) if (n % prime === 0n) return n === prime;
  let odd = n - 1n;
  let twos = 0;
  while (odd % 2n === 0n) {
    odd /= 2n;
    twos++;
  }
  return WITNESSES.every((witness) => !provesComposite(witness, n, odd, twos));
}
var WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n];
function provesComposite(witness, n, odd, twos) {
  let power = powerOf(witness, odd, n);
  if (power === 1n || power === n - 1n) return false;
  for (let i = 1; i < twos; i++) {
    power = power * power % n;
    if (power === n - 1n) return false;
  }
  return true;
}
function powerOf(base, exponent, modulus) {
  let result = 1n;
  let square = base % modulus;
  for (let rest2 = exponent; rest2 > 0n; rest2 >>= 1n) {
    if (rest2 & 1n) result = result * square % modulus;
    square = square * square % modulus;
  }
  return result;
}
function isPerfectSquare(n) {
  if (n < 0n) return false;
  const root = squareRoot(n);
  return root * root === n;
}
function isFibonacci(n) {
  if (n < 0n) return false;
  const square = 5n * n * n;
  return isPerfectSquare(square + 4n) || isPerfectSquare(square - 4n);
}
function isDivisible(n, divisor) {
  return divisor === 0n ? null : n % divisor === 0n;
}
function squareRoot(n) {
  if (n < 2n) return n;
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (; ; ) {
    const next = (root + n / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
var DISTANCE_UNITS = ["km", "miles"];
var EARTH_RADIUS_KM = 6371.0088;
var KM_PER_MILE = 1.609344;
function distanceBetween(a, b, unit) {
  const half = (degrees) => Math.sin(degrees * Math.PI / 360) ** 2;
  const cosine = (degrees) => Math.cos(degrees * Math.PI / 180);
  const haversine = half(b.latitude - a.latitude) + cosine(a.latitude) * cosine(b.latitude) * half(b.longitude - a.longitude);
  const km = 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)));
  return rounded(unit === "km" ? km : km / KM_PER_MILE, 3);
}
function rounded(value, decimals) {
  return Number(value.toFixed(decimals));
}
var place = {
  name: "place",
  type: "string",
  description: 'A place of this database: its name, or "name, province" or "name, country".'
};
var PARTS2 = [
  [
    "address",
    "string",
    "The address of a place: street and number, postal code and locality, province, country."
  ],
  ["latitude", "number", "The latitude of a place, in degrees."],
  ["longitude", "number", "The longitude of a place, in degrees."],
  ["country", "string", "The country that a place is in."],
  ["province", "string", "The province, state or region that a place is in."],
  ["county", "string", "The county or district that a place is in."],
  ["locality", "string", "The town, city or village that a place is in."],
  ["street", "string", "The street of a place."],
  ["street_number", "string", "The street number of a place."],
  ["postal_code", "string", "The postal code of a place."]
];
var parts = PARTS2.map(
  ([part, type, description]) => ({
    name: `get_${part}_of_place`,
    description,
    inputs: [place],
    output: { name: part, type },
    compute([name3 = ""], places) {
      const found = partOf2(String(name3), part, places);
      if (found instanceof NoPlace) return found;
      return found.isAmbiguous ? new ChosenPlace(found.value) : found.value;
    }
  })
);
var calculateDistance = {
  name: "calculate_distance",
  description: "The distance between two places along a great circle.",
  inputs: [
    { ...place, name: "place_1" },
    { ...place, name: "place_2" },
    {
      name: "unit",
      type: "string",
      description: "The unit of the distance.",
      values: DISTANCE_UNITS,
      usual: "km"
    }
  ],
  output: { name: "distance", type: "number" },
  compute([from, to, unit], places) {
    const positions = [];
    let isAmbiguous = false;
    for (const name3 of [String(from), String(to)]) {
      const latitude = partOf2(name3, "latitude", places);
      const longitude = partOf2(name3, "longitude", places);
      if (latitude instanceof NoPlace) return latitude;
      if (longitude instanceof NoPlace) return longitude;
      const position = { latitude: latitude.value, longitude: longitude.value };
      if (!isPosition(position)) return null;
      positions.push(position);
      isAmbiguous ||= latitude.isAmbiguous || longitude.isAmbiguous;
    }
    const [a, b] = positions;
    if (!a || !b) return null;
    const distance3 = distanceBetween(a, b, unit);
    return isAmbiguous ? new ChosenPlace(distance3) : distance3;
  }
};
var PLACE_APIS = [...parts, calculateDistance];
function isPosition(given) {
  return typeof given.latitude === "number" && typeof given.longitude === "number";
}
function partOf2(name3, part, places) {
  const found = places.find(name3, part);
  if ("unknown" in found) return new NoPlace(name3, found.unknown);
  const { value, isAmbiguous } = found;
  return { value: typeof value === "number" ? rounded(value, 6) : value, isAmbiguous };
}
var text = { name: "string", type: "string", description: "Any text." };
var number = {
  name: "number",
  type: "number",
  description: "A number; decimals are cut off."
};
function numberTest(name3, kind2, test) {
  return {
    name: name3,
    description: `Whether a number is a ${kind2}.`,
    inputs: [number],
    output: { name: "truth", type: "boolean" },
    compute: ([n]) => test(n)
  };
}
var SCALAR_APIS = [
  {
    name: "count_characters",
    description: "How many characters, vowels or consonants a text has.",
    inputs: [
      text,
      {
        name: "kind",
        type: "string",
        description: "What is counted; y is a consonant.",
        values: CHARACTER_KINDS,
        usual: "total"
      }
    ],
    output: { name: "count", type: "integer" },
    compute: ([string, kind2]) => countCharacters(String(string), kind2)
  },
  {
    name: "count_syllables",
    description: "How many syllables a text has: of each word as the CMU Pronouncing Dictionary says it, of others by English spelling.",
    inputs: [text],
    output: { name: "count", type: "integer" },
    compute: ([string]) => countSyllables(String(string))
  },
  {
    name: "is_divisible",
    description: "Whether a number can be divided by another without rest.",
    inputs: [number, { ...number, name: "divisor" }],
    output: { name: "truth", type: "boolean" },
    compute: ([n, divisor]) => isDivisible(n, divisor)
  },
  numberTest("is_prime", "prime", isPrime),
  numberTest("is_perfect_square", "perfect square", isPerfectSquare),
  numberTest("is_fibonacci", "Fibonacci number", isFibonacci),
  {
    name: "list_words",
    description: "The words of a text, in order.",
    inputs: [text],
    list: "words",
    columns: [
      { name: "position", type: "integer" },
      { name: "word", type: "string" }
    ],
    rows: ([string]) => wordsOf(String(string)).map((word, i) => [BigInt(i + 1), word])
  },
  {
    name: "list_prime_factors",
    description: "The different prime factors of a number, ascending.",
    inputs: [{ ...number, most: MOST_FACTORED }],
    list: "factors",
    columns: [{ name: "factor", type: "integer" }],
    rows: ([n]) => primeFactorsOf(n).map((factor) => [factor])
  },
  ...PLACE_APIS
];
var SCALARS_BY_NAME = new Map(SCALAR_APIS.map((api) => [api.name, api]));

// generator/oracle/engines.ts
import Database3 from "better-sqlite3";
var utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
var WASM_HEAP_BYTES = 192 * 1024 * 1024;

// services/domain/hybrid/hybrid-tools.ts
import { z as z22 } from "zod";

// contracts/api.ts
import { z as z17 } from "zod";

// contracts/farm.ts
import { z as z13 } from "zod";

// contracts/renames.ts
import { z as z7 } from "zod";
var sha256 = z7.string().regex(/^[0-9a-f]{64}$/);
var name = z7.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, "must be letters, digits and _, and begin with no digit");
var renames = z7.record(
  z7.string(),
  z7.record(
    z7.string(),
    z7.strictObject({ name: name.optional(), columns: z7.record(z7.string(), name).default({}) })
  )
);
var renamedMark = z7.object({
  /** The `content_hash` of the split under its own names. */
  origin: sha256
});
var renamed = renamedMark.extend({
  names: renames,
  left_out: z7.array(
    z7.object({
      db: z7.string(),
      question_id: z7.union([z7.number().int(), z7.string()]),
      reason: z7.string()
    })
  )
});

// contracts/sample.ts
import { z as z10 } from "zod";

// contracts/faults.ts
import { z as z8 } from "zod";
var silentFaultKind = z8.enum(SILENT_FAULT_KINDS);
var faultWitness = z8.enum([
  /** The answer's own `row_count`. */
  "row_count",
  /** A value has the wrong type for the endpoint's specification, or is null where that forbids it. */
  "schema",
  /** The table that a column was read from: its `row_count`, or the rows shown for it. */
  "earlier_answer",
  /** Another endpoint that reads the same rows; only if the agent is offered it. */
  "other_endpoint",
  /** The question itself: an upper bound on the number of rows, that rows are distinct, or a bound on a value. */
  "question",
  /** Repeating the call; not for a permanent fault. */
  "repeat"
]);
var contradiction = z8.enum(["explicit", "implicit"]);
var provenFault = z8.object({
  fault: silentFaultKind,
  contradiction,
  /** The faulty column; only for `shifted_rows` and `wrong_unit` in an answer with several columns. */
  column: z8.string().optional(),
  witnesses: z8.array(faultWitness).min(1)
});
var questionFact = z8.discriminatedUnion("kind", [
  z8.object({ kind: z8.literal("at_most"), rows: z8.number().int() }),
  z8.object({ kind: z8.literal("distinct") }),
  z8.object({
    kind: z8.literal("bound"),
    column: z8.string().nullable(),
    op: z8.enum(["=", "<", "<=", ">", ">="]),
    value: z8.union([z8.number(), z8.string()])
  })
]);
var otherEndpoint = z8.object({
  tool: z8.string(),
  arguments: z8.record(z8.string(), z8.unknown()),
  /** `count`: its single value is the number of rows. `rows`: it has as many rows, and shares some columns. */
  tells: z8.enum(["count", "rows"]),
  /** Shared columns, by their names in either; empty for `count`. */
  columns: z8.array(z8.object({ own: z8.string(), other: z8.string() }))
});
var provenFaults = z8.object({
  tool: z8.string(),
  /** sha256 (base64url) of that answer's text as served; no other answer is altered. */
  answer: z8.string(),
  faults: z8.array(provenFault).min(1),
  /** Only if it reveals a fault. */
  other_endpoint: otherEndpoint.optional(),
  /** Only if they reveal a fault. */
  question_facts: z8.array(questionFact).optional(),
  /** JSON text of a neighbour database's rows; only for `stale_rows`. */
  stale_rows: z8.string().optional()
});
var announcedFaultKind = z8.enum([
  "latency",
  "rate_limit",
  "server_error",
  "unavailable",
  /** No response for a while, then 504. */
  "timeout",
  "truncated",
  "malformed",
  /** A field of the response is renamed or changes its type. */
  "schema_drift"
]);
var stateFaultKind = z8.enum([
  /** The change is made, but its answer is 504. */
  "lost_answer",
  /** Another client was changing the same record: 409, or 412 where If-Match was given. Nothing is changed. */
  "concurrent_change",
  /** 202: the change is made, but the next read does not show it yet. */
  "accepted",
  /** The longest text is stored cut, as in a column that is too short. */
  "cut_value",
  /** The read after a change does not show it yet. */
  "stale_read"
]);
var faultKind = z8.enum([
  ...announcedFaultKind.options,
  ...silentFaultKind.options,
  ...stateFaultKind.options
]);
var faultRule = z8.strictObject({
  fault: faultKind,
  /** The share of calls affected; for a silent fault, the share of eligible tasks. */
  rate: z8.number().min(0).max(1),
  /** `transient`: repeating the call may succeed. `permanent`: it never does. */
  lasting: z8.enum(["transient", "permanent"]).optional(),
  /** Silent faults: only those with this kind of contradiction. */
  contradiction: contradiction.optional(),
  /** Only these tools, by their real names; `*` matches any characters. */
  tools: z8.array(z8.string()).optional(),
  /** For latency and timeout: the duration. */
  ms: z8.number().int().min(0).max(6e5).optional(),
  /** For rate_limit and unavailable: the value of Retry-After. */
  retry_after_s: z8.number().int().min(0).max(3600).optional()
});
var faultProfile = z8.strictObject({
  name: z8.string().max(64).default("custom"),
  seed: z8.number().int().min(0).default(0),
  rules: z8.array(faultRule).max(64)
});

// contracts/hybrid.ts
import { z as z9 } from "zod";
var hiddenShare = z9.object({
  share: z9.number().int().min(0).max(100),
  seed: z9.number().int().min(0)
});
var SHARE = /^(?:100|[1-9]?\d)(?:-[1-9]\d{0,8})?$/;
var shareText = z9.string().regex(SHARE, "must be a share from 0 to 100, such as 40, or 40-7");
function printShare({ share: share2, seed }) {
  return seed === 0 ? String(share2) : `${share2}-${seed}`;
}
var EXECUTORS = ["http", "functions"];
var planStep = z9.object({
  /** `tables/<table>` or `scalars/<api>`. */
  api: z9.string(),
  /** The table's alias in the statement; null for a scalar API. */
  alias: z9.string().nullable(),
  /** How its rows were restricted: not at all, by literals, or by keys from other rows; a scalar API, by its inputs. */
  by: z9.enum(["all", "values", "keys", "inputs"]),
  /** Number of distinct requests; identical ones are sent once per statement. */
  calls: z9.number().int(),
  /** Number of responses, cached ones included. */
  pages: z9.number().int(),
  /** Number of keys or inputs requested. */
  keys: z9.number().int(),
  /** Number of rows or values received. */
  rows: z9.number().int(),
  /** Number of these values whose place name is ambiguous; absent if zero. */
  ambiguous: z9.number().int().positive().optional()
});
var planClass = z9.enum(PLAN_CLASSES);
var goldPlan = z9.object({
  /** Percentage of hidden tables, and the seed that drew them. */
  share: z9.number().int(),
  seed: z9.number().int(),
  class: planClass,
  calls: z9.number().int(),
  pages: z9.number().int(),
  rows_moved: z9.number().int()
});
var planAnswer = z9.object({
  columns: z9.array(z9.string()),
  data: z9.array(z9.record(z9.string(), cell)),
  row_count: z9.number().int(),
  truncated: z9.boolean(),
  executor: z9.enum(EXECUTORS),
  /** Absent for `functions`, which makes no requests. */
  class: planClass.optional(),
  /** Tables read through APIs. */
  hidden: z9.array(z9.string()),
  /** In execution order; empty for `functions`. */
  plan: z9.array(planStep),
  calls: z9.number().int(),
  rows_moved: z9.number().int()
});
var PAGE_ROWS = { default: 100, most: 1e3 };
var tableAnswer = z9.object({
  data: z9.array(z9.record(z9.string(), cell)),
  /** Rows in `data`. */
  row_count: z9.number().int(),
  /** Rows on all pages. */
  total: z9.number().int(),
  /** Offset of the next page; null on the last one. */
  next_offset: z9.number().int().nullable(),
  /** Whether rows are missing from this answer: they are on other pages, or exceed the size limit. */
  truncated: z9.boolean()
});
var count = z9.number().int().nonnegative();
var apiUse = z9.strictObject({
  /** Requests to hidden tables and scalar APIs, including those made by `run_sql`. */
  calls: count,
  pages: count,
  rows: count,
  /** Argument values that occur neither in the question nor in an earlier answer. */
  invented: count,
  /** Calls that looked in the wrong place: SQL on a hidden table, or the API of a visible one. */
  misrouted: count,
  /** Statements that use an API without binding its inputs. */
  unbound: count
});

// contracts/sample.ts
var formulation = z10.enum(FORMULATION_NAMES);
var flag2 = z10.enum([
  "empty_gold",
  "null_gold",
  "zero_gold",
  "limit_tie",
  "pinned_time",
  "unordered_limit",
  "ambiguous_place",
  "slow",
  "guessable",
  "dialogue",
  "turn"
]);
var call = z10.object({
  name: z10.string(),
  arguments: z10.record(z10.string(), z10.unknown()),
  /** The label that later calls refer to as `$label$`; SLOT and SEL only. */
  label: z10.string().optional(),
  /** The URL path; REST only. */
  path: z10.string().optional()
});
var acceptedValues = z10.record(z10.string(), z10.array(z10.unknown()));
var sample = z10.object({
  /** `<split>/<db>/<question_id>/<formulation>`; for `hybrid`, followed by `@` and the share: `hybrid@40`. */
  sample_id: z10.string(),
  /** The domain (the paper's field name). */
  dataset_name: z10.string(),
  question_id: z10.union([z10.number().int(), z10.string()]),
  formulation,
  input: z10.string(),
  evidence: z10.string(),
  difficulty: z10.string().nullable(),
  /** Gold SQL as given. */
  query: z10.string(),
  /** Rows of the gold SQL on the original database. */
  gold_answer: z10.array(row),
  gold_columns: z10.array(z10.string()),
  /** True if the gold SQL has a top-level ORDER BY. */
  ordered: z10.boolean(),
  /** If ordered: each gold row's run of equal sort keys (0, 0, 1, …), within which rows may swap. Else null. */
  order_groups: z10.array(z10.number().int()).nullable(),
  /** If LIMIT cuts through tied rows: all tied rows, by their group number in `order_groups`. */
  tied_rows: z10.array(z10.object({ group: z10.number().int(), rows: z10.array(row) })).optional(),
  /** If a LIMIT inside the query cuts through tied rows: the rows for other choices. */
  other_answers: z10.array(z10.array(row)).optional(),
  /** SLOT and SEL: the joins of the start table. */
  initialization_step: call.nullable(),
  output: z10.array(call),
  /** REST only: other ways to write arguments of the call, with which it gives the gold rows on every test database. */
  accepted_values: acceptedValues.optional(),
  /** `records` only: what the gold SQL changes, and nothing else may be changed. */
  gold_diff: recordDiff.optional(),
  ...writeFacts.shape,
  output_after_executing_api: z10.unknown(),
  /** The tools offered for this task. REST: all endpoints of the domain; SLOT and SEL: the start table's toolset. */
  toolset: z10.object({
    /** The path of the tool definitions on a running farm. */
    path: z10.string(),
    size: z10.number().int()
  }),
  flags: z10.array(flag2),
  /** The origin of the question, and a string to filter it from training data, if the split has them. */
  origin: z10.string().optional(),
  canary: z10.string().optional(),
  /** Present if a corrections file changed the question or its SQL. */
  correction: appliedCorrection.optional(),
  /** A dialogue: its turns, whose gold is that of the samples that they name, and the script of its user. */
  turns: z10.array(sampleTurn).optional(),
  user: userScript.optional(),
  /** `hybrid` only: how the question was derived, if its SQL calls scalar APIs. */
  augmentation: augmentation.optional(),
  /** `hybrid` only: the API use of its gold call. */
  plan: goldPlan.optional(),
  /** Silent faults that the answer of an intermediate call can have; never served. Absent if none is recognizable. */
  silent_faults: provenFaults.optional(),
  /** In `eval/unanswerable/<db>.jsonl` only: why the question has no single answer. There is no gold then. */
  unanswerable: unanswerable.optional()
});

// contracts/service.ts
import { z as z12 } from "zod";

// contracts/tools.ts
import { z as z11 } from "zod";
var joinCondition = z11.tuple([z11.string(), z11.string(), z11.enum(["INNER", "LEFT", "RIGHT", "FULL"])]).meta({ description: "[left `alias.column`, right `alias.column`, INNER, LEFT, RIGHT or FULL]" });
var startTableDefinition = z11.object({
  condition_sequence: z11.array(joinCondition).meta({ description: "the joins, in order" }),
  alias_to_table_dict: z11.record(z11.string(), z11.object({ original_table_name: z11.string(), modified_table_name: z11.string() })).meta({
    description: "the tables to join, by alias; the names of their columns begin with the modified name"
  })
});
var startTable = startTableDefinition.extend({
  /** Short, readable, derived from the content; a `data_source` in calls. */
  handle: z11.string()
});
var initializationArguments = startTableDefinition.extend({
  additional_tables: z11.array(startTableDefinition.extend({ label: z11.string() })).optional()
});
var columnReference = z11.strictObject({ key_name: z11.string() });
var operand = z11.union([z11.string(), z11.number(), z11.bigint(), z11.boolean(), z11.null(), columnReference]);
var tableAnswer2 = z11.object({
  kind: z11.literal("table"),
  handle: z11.string(),
  columns: z11.array(z11.string()),
  /** null if no preview was requested, or if counting the rows took too long. */
  row_count: z11.number().int().nullable(),
  /** The first rows; for grouped data, the group columns and aggregates of each group. */
  preview: z11.array(z11.record(z11.string(), cell))
});
var columnAnswer = z11.object({
  kind: z11.literal("column"),
  handle: z11.string(),
  column: z11.string(),
  values: z11.array(cell),
  /** Total number of values, including those not shown; null if counting them took too long. */
  row_count: z11.number().int().nullable(),
  /** True if there are more values than shown; continue at `?offset=<next_offset>`. */
  truncated: z11.boolean(),
  next_offset: z11.number().int().nullable(),
  /** Only if truncated: how an agent requests the next values. */
  more: z11.string().optional()
});
var valueAnswer = z11.object({ kind: z11.literal("value"), handle: z11.string(), value: cell });
var toolAnswer = z11.discriminatedUnion("kind", [tableAnswer2, columnAnswer, valueAnswer]);

// contracts/service.ts
var parameterType = z12.enum(["integer", "number", "string"]);
var endpointParameter = z12.object({
  /** snake_case, unique in the endpoint; its name in the SQL is `:name`. */
  name: z12.string(),
  type: parameterType,
  /** `path`: a segment of the path; absent: in the query string. */
  in: z12.literal("path").optional(),
  /** `array`: given by repeating the parameter (`?x=1&x=2`); in the SQL as `listSql` writes it. */
  array: z12.boolean().default(false),
  description: z12.string(),
  /** The column that it is compared with, if any. */
  column: z12.object({ table: z12.string(), column: z12.string() }).optional(),
  /** A value of that column that no gold call uses, if it has many. */
  example: z12.union([z12.string(), z12.number()]).optional(),
  /** Always true today: an endpoint's answer depends on every parameter. */
  required: z12.literal(true)
});
var resultColumn = z12.object({
  /** Key in each object of `data`; unique in the endpoint. */
  name: z12.string(),
  type: z12.enum(["integer", "number", "string", "any"]),
  nullable: z12.boolean(),
  description: z12.string()
});
var endpoint = z12.object({
  /** Last segment of the path, unique in the domain: `^[a-zA-Z0-9_-]{1,64}$`. */
  name: z12.string(),
  /** The tool's name for agents, at most 64 characters, unique in the domain. */
  operation_id: z12.string(),
  /** `/v1/<split>/<db>/<name>`; with path parameters `/v1/<split>/<db>/<nouns>/{parameter}/…/<name>`. */
  path: z12.string(),
  summary: z12.string(),
  description: z12.string(),
  /** One SELECT with named parameters; its result columns have the names in `columns`. */
  sql: z12.string(),
  parameters: z12.array(endpointParameter),
  columns: z12.array(resultColumn),
  /** `slow` endpoints run in the pool of child processes. Decided at generation. */
  speed: z12.enum(["quick", "slow"])
});
var action = endpoint.pick({ name: true, summary: true, description: true, parameters: true }).extend({
  /** The table whose rows it changes or deletes. */
  table: z12.string(),
  /** One UPDATE or DELETE with named parameters. */
  sql: z12.string(),
  /** Whether doing it twice changed no more than doing it once, on every test database. */
  idempotent: z12.boolean()
});
var vectorSearch = z12.object({
  model: z12.string().min(1),
  /** Where a service compatible with OpenAI's is: `http://127.0.0.1:8000/v1`. */
  base_url: z12.string().min(1),
  /** The least cosine of the rows that a search finds. */
  similarity: z12.number().min(-1).max(1)
});
var service = z12.object({
  format_version: z12.literal(1),
  split: z12.string(),
  db: z12.string(),
  title: z12.string(),
  /** Licence of the domain's data; unknown if absent. */
  data_licence: z12.string().optional(),
  reference_time: z12.string(),
  endpoints: z12.array(endpoint),
  start_tables: z12.array(startTable),
  /** By name; absent if there are none. */
  actions: z12.array(action).min(1).optional(),
  catalog,
  /**
   * The hidden shares that `hybrid` offers; absent if the domain has no such formulation. The domain-level
   * tools use the first share unless another is requested.
   */
  hidden: z12.array(hiddenShare).min(1).optional(),
  /** Whether `hybrid` also offers the scalar APIs: if some question calls them. */
  scalars: z12.literal(true).optional(),
  /** Tables, and collections of joined tables, with a full-text index (see `searchIndex`); absent if none. */
  search_indexes: z12.array(z12.string()).optional(),
  /** By what these are searched instead; absent where search is by words and facets. */
  vectors: vectorSearch.optional()
});
var restAnswer = z12.object({
  data: z12.array(z12.record(z12.string(), cell)),
  row_count: z12.number().int(),
  truncated: z12.boolean()
});
function listSql(parameter) {
  return `SELECT value FROM json_each(:${parameter})`;
}

// contracts/farm.ts
var sha2562 = z13.string().regex(/^[0-9a-f]{64}$/);
var questionIds = z13.array(z13.union([z13.number().int(), z13.string()]));
var worldMark = z13.object({
  /** sha256 of the seed as UTF-8: publish it before the exam, and the seed afterwards. */
  commitment: sha2562,
  /** sha256 of the original farm's `farm.json`. */
  origin: sha2562
});
var distance2 = z13.object({
  /** The two-sample Kolmogorov–Smirnov statistic, 0 to 1. */
  ks: z13.number(),
  /** Sample size on either side. */
  n: z13.number().int()
});
var world = worldMark.extend({
  distances: z13.object({
    /** Number of rows matching each literal of the questions, in the column it is compared with. */
    literals: distance2,
    row_counts: distance2,
    answer_sizes: distance2
  }),
  /** Kept samples, and how many of them have the same answer as in the original farm. */
  samples: z13.number().int(),
  same_answer: z13.number().int(),
  domains: z13.array(
    z13.object({
      db: z13.string(),
      /** Questions with rows in the original farm but none here. */
      empty: questionIds,
      /** Questions rejected in some formulation because their answer is ambiguous here, or fails. */
      undefined: questionIds,
      /** Questions with the same answer as in the original farm, so it can be known in advance. */
      same: questionIds
    })
  )
});
var FARM_FORMAT_VERSION = 1;
var farmSha256 = z13.string().regex(/^[0-9a-f]{64}$/);
var counts = Object.fromEntries(
  formulation.options.map((kind2) => [kind2, z13.number().int().default(0)])
);
var gazetteerMark = z13.object({ version: z13.number().int().positive(), sha256: farmSha256 });
var farm = z13.object({
  format_version: z13.literal(FARM_FORMAT_VERSION),
  name: z13.string(),
  split: z13.object({ name: z13.string(), format: z13.string(), content_hash: farmSha256 }),
  generator_version: z13.string(),
  /** The value of `now`, `YYYY-MM-DD HH:MM:SS` in UTC. */
  reference_time: z13.string(),
  domains: z13.array(
    z13.object({
      db: z13.string(),
      /** Only in a joined farm: the split that the domain is of. */
      split: z13.string().optional(),
      title: z13.string(),
      questions: z13.number().int(),
      endpoints: z13.number().int(),
      start_tables: z13.number().int(),
      samples: z13.object(counts)
    })
  ),
  /** The gazetteer that resolves place names missing from its tables; absent in farms older than the gazetteer. */
  gazetteer: gazetteerMark.optional(),
  /** Only for a farm that is a world. */
  world: worldMark.optional(),
  /** Only for a farm of a split under new names. */
  renamed: renamedMark.optional(),
  /** Only for a farm that is searched by vectors. */
  vectors: vectorSearch.optional(),
  /** sha256 of every other file of the farm, by its relative path. */
  files: z13.record(z13.string(), farmSha256)
});
var rejection = z13.object({
  /** From the catalogue in contracts/errors.ts, kind `query`. */
  code: z13.string(),
  reason: z13.string(),
  /** The SQL fragment at fault, or null for the whole query. */
  clause: z13.string().nullable()
});
var verdict = z13.object({
  question_id: z13.union([z13.number().int(), z13.string()]),
  db: z13.string(),
  formulation,
  kept: z13.boolean(),
  rejection: rejection.nullable(),
  flags: z13.array(flag2),
  /** SQL constructs of the gold query: `group_by`, `left_join`, `cte`, … */
  constructs: z13.array(z13.string()),
  /** Audit rules that consider the gold SQL probably wrong; absent if there are none. */
  findings: z13.array(z13.string()).optional(),
  /** Number of gold calls; 0 when rejected. */
  calls: z13.number().int(),
  /** Number of tools offered; 0 when rejected. */
  tools: z13.number().int()
});
var unanswerableVerdict = z13.object({
  db: z13.string(),
  question_id: z13.union([z13.number().int(), z13.string()]),
  kind: unanswerableKind,
  /** The formulations that have it; none if it is rejected. */
  formulations: z13.array(formulation),
  rejection: rejection.nullable()
});
var coverage = z13.object({
  split: z13.string(),
  questions: z13.number().int(),
  verdicts: z13.array(verdict),
  /** Questions with a statement near its time limit, which a slower machine may decide otherwise; absent if none. */
  machine_dependent: z13.array(verdict.pick({ db: true, question_id: true })).optional(),
  /** Absent if the split has no questions without one answer. */
  unanswerable: z13.array(unanswerableVerdict).optional()
});

// contracts/task.ts
import { z as z16 } from "zod";

// contracts/toolset-options.ts
import { z as z15 } from "zod";

// contracts/query-tool.ts
import { z as z14 } from "zod";
var FILTER_OPERATORS = {
  integer: ["=", "<", ">", "<=", ">="],
  text: ["=", "LIKE"],
  boolean: ["=", "!="]
};
var AGGREGATE_METRICS = {
  integer: ["COUNT", "TYPE", "MIN", "MAX", "MEAN", "MEDIAN", "MODE", "SUM"],
  text: ["COUNT", "TYPE", "TOP_OCCURRENCES"],
  boolean: ["COUNT", "TYPE", "TOTAL_TRUE", "TOTAL_FALSE", "PERCENTAGE_TRUE", "PERCENTAGE_FALSE"]
};
var QUERY_VARIANTS = ["base", "rationale", "per-collection", "dsl"];
var RATIONALE = "tool_rationale";
var name2 = z14.string();
var number2 = z14.union([z14.number(), z14.bigint()]);
var filter = (operators, value) => z14.strictObject({ property_name: name2, operator: z14.enum(operators), value }).optional();
var queryArguments = z14.strictObject({
  /** The rationale, in the variant that asks for it. */
  [RATIONALE]: z14.string().optional(),
  collection_name: name2,
  search_query: z14.string().optional(),
  integer_property_filter: filter(FILTER_OPERATORS.integer, number2),
  text_property_filter: filter(FILTER_OPERATORS.text, z14.string()),
  boolean_property_filter: filter(FILTER_OPERATORS.boolean, z14.boolean()),
  integer_property_aggregation: z14.strictObject({ property_name: name2, metrics: z14.enum(AGGREGATE_METRICS.integer) }).optional(),
  text_property_aggregation: z14.strictObject({
    property_name: name2,
    metrics: z14.enum(AGGREGATE_METRICS.text),
    top_occurrences_limit: z14.number().int().min(1).optional()
  }).optional(),
  boolean_property_aggregation: z14.strictObject({ property_name: name2, metrics: z14.enum(AGGREGATE_METRICS.boolean) }).optional(),
  groupby_property: name2.optional()
});

// contracts/toolset-options.ts
var wholeNumber = (min, max = Number.MAX_SAFE_INTEGER) => z15.union([
  z15.number(),
  z15.string().regex(/^\d{1,16}$/, "must be a whole number").transform(Number)
]).pipe(z15.number().int().min(min).max(max));
var yesOrNo = z15.union([z15.boolean(), z15.enum(["true", "false"]).transform((text2) => text2 === "true")]);
var several = z15.union([z15.string(), z15.array(z15.string())]).transform(
  (value) => [value].flat().flatMap((text2) => text2.split(",")).filter((text2) => text2 !== "")
);
var PROVIDER_LIMITS = {
  openai: {
    tools: 128,
    nameCharacters: 64,
    // Undocumented; the API refuses longer ones.
    descriptionCharacters: 1024,
    source: "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools"
  },
  azure: {
    tools: 128,
    nameCharacters: 64,
    descriptionCharacters: 1024,
    source: "https://learn.microsoft.com/azure/ai-services/openai/quotas-limits"
  },
  gemini: {
    // Documented for functionDeclarations of the type Tool; the API refuses more.
    tools: 512,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: "https://docs.cloud.google.com/gemini-enterprise-agent-platform/reference/rest/v1/projects.locations.cachedContents#Tool"
  },
  anthropic: {
    // The catalog size of its tool search, under "Limits": the only published number of tools.
    tools: 1e4,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool"
  },
  vscode: {
    // Agent mode refuses a request with more than 128 tools.
    tools: 128,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: "https://code.visualstudio.com/docs/copilot/agents/agent-tools"
  }
};
var PROVIDERS = Object.keys(PROVIDER_LIMITS);
var TOOL_VARIANTS = [...QUERY_VARIANTS, "apart"];
var HYBRID_VARIANTS = ["base", "apart"];
var listOptions = z15.strictObject({
  /** A share of the toolset (rounded down), a count, or what a provider allows. Gold tools are always included. */
  tools: z15.string().regex(
    new RegExp(`^(?:\\d{1,3}%|\\d{1,5}|fit:(?:${PROVIDERS.join("|")}))$`),
    `must be a share such as 25%, a number of tools, or fit:<provider>, one of ${PROVIDERS.join(", ")}`
  ).refine((text2) => !text2.endsWith("%") || Number.parseInt(text2, 10) <= 100, "is more than 100%").default("100%"),
  /** `gold`: the gold tools are left out, so the right answer is to call nothing. */
  withhold: z15.enum(["gold", "none"]).default("none"),
  /** Renames tools to FUNC_n and arguments to ARG_n. */
  obfuscate: yesOrNo.default(false),
  /** `farm`: the toolset spans every domain of the farm. REST only. */
  scope: z15.enum(["domain", "farm"]).default("domain"),
  /**
   * The source of the non-gold tools in a shortlist. `domain`: the task's own, and of a toolset that spans the farm the
   * others once that has no more; `farm`: every domain alike. REST only.
   */
  distractors: z15.enum(["domain", "farm"]).default("domain"),
  /**
   * Two tools replace the list. `search`: one that finds tools by words and one that calls them by name. `code`: one that
   * shows the tools as functions and one that runs a program. `http`: one that shows their addresses and one that sends a
   * request; `requests`: the same in the form of BFCL's `requests.get`, REST only.
   */
  via: z15.enum(["list", "search", "code", "http", "requests"]).default("list"),
  /**
   * `concise`: one sentence per tool and argument; `full`: also what the tool is not for, how much it returns
   * and which values its arguments take; `drop`: no descriptions.
   */
  descriptions: z15.enum(["keep", "concise", "full", "drop"]).default("keep"),
  /**
   * How the query tool is offered: `rationale` asks for a rationale first; `per-collection` has one tool per
   * collection; `dsl` takes a query text. For `hybrid`: `apart` omits the tool that reads both parts.
   */
  variant: z15.enum(TOOL_VARIANTS).default("base"),
  /** Over MCP: offer the domain's glossary, if it has one, as a resource. */
  glossary: yesOrNo.optional(),
  /** A tool beside the list searches the domain's texts, if it has any: its glossary, rules and other documents. */
  documents: yesOrNo.optional(),
  /** Draws the shortlist, orders it, and numbers obfuscated names. */
  seed: wholeNumber(0).default(0)
});
var DEFAULT_LIST = listOptions.parse({});
var wrappedCall = z15.strictObject({
  name: z15.string(),
  arguments: z15.record(z15.string(), z15.unknown()).default({})
});

// contracts/task.ts
var taskStartTable = startTable.extend({ label: z16.string() });
var task = z16.object({
  /** `<split>/<db>/<question_id>/<formulation>`; for `hybrid`, followed by `@` and the share. */
  sample_id: z16.string(),
  split: z16.string(),
  db: z16.string(),
  question_id: z16.union([z16.number().int(), z16.string()]),
  formulation,
  question: z16.string(),
  evidence: z16.string(),
  difficulty: z16.string().nullable(),
  flags: z16.array(flag2),
  /** The start tables of a SLOT or SEL task, the main one first. Empty for REST. */
  start_tables: z16.array(taskStartTable),
  toolset: z16.object({ path: z16.string(), size: z16.number().int() }),
  /** Names of the tools that the gold calls, unique and sorted, so their order reveals nothing. Never served. */
  gold_tools: z16.array(z16.string()),
  /** `hybrid` only: the share of the tables that is behind APIs. */
  share: hiddenShare.optional(),
  /** The rules of the domain in words, those about changes only where there may be any; and whether a change that breaks one is refused or recorded. */
  rules: z16.array(z16.string()).optional(),
  policies: writeFacts.shape.policies,
  /** Shared by two tasks of which only one may be done; never served. */
  pair: writeFacts.shape.pair,
  /** A dialogue: its turns, of which only the first is shown at once, and the script of its user. Never served. */
  turns: z16.array(sampleTurn.pick({ text: true, sample_id: true })).optional(),
  user: userScript.optional(),
  /** Silent faults that the answer of an intermediate call can have; never served. Absent if none is recognizable. */
  silent_faults: provenFaults.optional(),
  /** Whether its question has no single answer; never served. */
  unanswerable: z16.literal(true).optional()
});
var flagTests = [
  "none",
  ...flag2.options.flatMap((name3) => [name3, `-${name3}`])
];
var taskBand = z16.enum(["easy", "medium", "hard"]);
var taskHalf = z16.enum(["train", "held_back"]);
var taskSelection = z16.strictObject({
  split: several.optional(),
  db: several.optional(),
  formulation: several.pipe(z16.array(formulation)).optional(),
  difficulty: several.optional(),
  /** `hybrid`: the hidden shares, as `40` or with a seed `40-7`. Tasks of other formulations have none. */
  share: several.pipe(z16.array(shareText)).optional(),
  /** All of them must match. */
  flags: several.pipe(z16.array(z16.enum(flagTests))).optional(),
  /** Include tasks with the flag `guessable`. */
  all: yesOrNo.default(false),
  /** `only`: questions without one answer. `mixed`: as many others of each domain among them. By default none. */
  unanswerable: z16.enum(["only", "mixed"]).optional(),
  /** Only tasks that change records and have a twin that must not be done. */
  pairs: yesOrNo.default(false),
  band: several.pipe(z16.array(taskBand)).optional(),
  /** Tasks whose gold calls one of these tools, by its real name. */
  tool: several.optional(),
  /** Only questions that are tasks in each of these formulations too. */
  also_in: several.pipe(z16.array(formulation)).optional(),
  /** One half of the questions, the same in every formulation, and in every world unless the world's seed draws it. */
  half: taskHalf.optional(),
  /** The seed of the halves; `world`: the seed of the served world, different for each. */
  half_seed: z16.union([z16.literal("world"), wholeNumber(0)]).default(0),
  /** The number of tasks to draw, by the seed, from the filtered ones. */
  sample: wholeNumber(0).optional(),
  seed: wholeNumber(0).default(0),
  /** The number of tasks in the seed's order to skip: consecutive samples do not overlap. */
  from: wholeNumber(0).default(0)
});
var kind = task.pick({
  formulation: true,
  difficulty: true,
  flags: true,
  share: true,
  unanswerable: true,
  pair: true
});
function listOf(isOne, what) {
  return z16.custom((value) => Array.isArray(value) && value.every(isOne), `a list of other than ${what}`);
}
var wholeNumbers = listOf(Number.isInteger, "whole numbers");
var taskIndex = z16.object({
  split: z16.string(),
  db: z16.string(),
  kinds: z16.array(kind),
  question_ids: listOf(
    (value) => Number.isInteger(value) || typeof value === "string",
    "ids of questions"
  ),
  /** By line: the index into `kinds`. */
  kind: wholeNumbers,
  /** By line: its length in bytes, line break included. */
  bytes: wholeNumbers
});

// contracts/api.ts
var problem = z17.object({
  type: z17.string(),
  title: z17.string(),
  status: z17.number().int(),
  detail: z17.string(),
  /** From the catalogue in contracts/errors.ts, kind `http`. */
  code: z17.string(),
  errors: z17.array(
    z17.object({
      field: z17.string(),
      code: z17.string(),
      message: z17.string(),
      /** For an unknown name: the nearest existing ones. */
      suggestions: z17.array(z17.string()).optional()
    })
  ).optional()
});
var addresses = z17.record(z17.string(), z17.string());
var domainIndex = z17.object({
  split: z17.string(),
  db: z17.string(),
  title: z17.string(),
  /** Whose data these are, and what they are about, in a sentence. */
  about: z17.string().optional(),
  endpoints: z17.number().int(),
  start_tables: z17.number().int(),
  /** Absent when the service did not respond. */
  tables: z17.number().int().optional(),
  /** Only present for a domain whose service does not respond. */
  status: z17.literal("unavailable").optional(),
  base: z17.string(),
  openapi: addresses,
  docs: addresses
});
var growth = z17.object({
  /** The domains that are not served yet. */
  coming: z17.array(z17.string()),
  /** Verdicts, one per question and formulation, that generation has come to, of how many; 0 of 0 before it proves any. */
  done: z17.number().int(),
  total: z17.number().int(),
  /** What generation is doing. */
  step: z17.string()
});
var servedIndex = z17.object({
  name: z17.literal("rookery"),
  domains: z17.array(domainIndex),
  totals: z17.object({
    domains: z17.number().int(),
    endpoints: z17.number().int(),
    tables: z17.number().int(),
    start_tables: z17.number().int()
  }),
  /** Only while the farm is being generated. */
  growth: growth.optional(),
  links: addresses
});
var count2 = z17.number().int().nonnegative();
var servedFarm = z17.object({
  name: z17.string(),
  split: z17.string(),
  /** sha256 of farm.json, which contains the hashes of all other files. */
  hash: z17.string(),
  generator_version: z17.string(),
  reference_time: z17.string(),
  /** For a world: the farm it was made from; else null. */
  world: worldMark.nullable(),
  samples: z17.partialRecord(formulation, count2),
  /** null if the farm has no coverage.json. */
  coverage: z17.object({
    questions: count2,
    /** Per construct of the gold SQL: the questions that use it, and how many each formulation kept. */
    constructs: z17.array(
      z17.object({ construct: z17.string(), questions: count2, kept: z17.partialRecord(formulation, count2) })
    )
  }).nullable()
});
var servedEndpoint = endpoint.omit({ sql: true });
var servedCatalog = service.pick({
  split: true,
  db: true,
  title: true,
  data_licence: true,
  reference_time: true,
  start_tables: true
}).extend({
  /** What the domain's people mean by their words, as Markdown; absent if the split has none. */
  glossary: z17.string().optional(),
  /** What may not be changed, in words. */
  policies: z17.array(servedPolicy).optional(),
  /** Other texts about the domain, as Markdown. */
  documents: z17.array(domainDocument).optional(),
  /** With columns, keys and value statistics. */
  tables: z17.array(catalogTable),
  endpoints: z17.array(servedEndpoint)
});
var MOST_RESULTS = 100;
var USUAL_RESULTS = 20;
var endpointSearch = z17.strictObject({
  query: z17.string().min(1).max(2e3),
  limit: wholeNumber(1, MOST_RESULTS).default(USUAL_RESULTS)
});
var foundEndpoints = z17.object({
  endpoints: z17.array(
    z17.object({
      split: z17.string(),
      db: z17.string(),
      /** The endpoint's name within its domain. */
      name: z17.string(),
      summary: z17.string(),
      path: z17.string()
    })
  )
});
var servedTask = task.pick({
  sample_id: true,
  split: true,
  db: true,
  question_id: true,
  formulation: true,
  question: true,
  difficulty: true,
  start_tables: true,
  share: true,
  rules: true
}).extend({
  /** Only if requested. */
  evidence: z17.string().optional(),
  /** Absent in a run. */
  toolset_size: z17.number().int().optional(),
  links: z17.object({ self: z17.string(), tools: z17.string(), mcp: z17.string() })
});
var taskPage = z17.object({
  tasks: z17.array(servedTask),
  /** The size of the selection, across all pages. */
  total: z17.number().int(),
  offset: z17.number().int(),
  /** The path of the next page, or null. */
  next: z17.string().nullable()
});
var jsonSchema = z17.record(z17.string(), z17.unknown());
var functionSchema = z17.object({
  name: z17.string(),
  description: z17.string(),
  parameters: jsonSchema,
  strict: z17.boolean()
});
var anthropicTool = z17.object({ name: z17.string(), description: z17.string(), input_schema: jsonSchema });
var responsesTool = functionSchema.extend({ type: z17.literal("function") });
var toolFormats = {
  plain: z17.object({ name: z17.string(), description: z17.string(), parameters: jsonSchema }),
  openai: z17.object({ type: z17.literal("function"), function: functionSchema }),
  "openai-responses": responsesTool,
  /** With OpenAI's hosted tool search. */
  "openai-responses-search": z17.union([
    z17.object({ type: z17.literal("tool_search") }),
    z17.object({
      type: z17.literal("namespace"),
      name: z17.string(),
      description: z17.string(),
      tools: z17.array(responsesTool.extend({ defer_loading: z17.literal(true) }))
    })
  ]),
  anthropic: anthropicTool,
  "anthropic-strict": anthropicTool.extend({ strict: z17.boolean() }),
  /** With Anthropic's hosted tool search. */
  "anthropic-search": z17.union([
    z17.object({ type: z17.literal("tool_search_tool_bm25_20251119"), name: z17.literal("tool_search_tool_bm25") }),
    anthropicTool.extend({ defer_loading: z17.literal(true) })
  ]),
  gemini: z17.object({ name: z17.string(), description: z17.string(), parameters: jsonSchema.optional() }),
  mcp: z17.object({
    name: z17.string(),
    description: z17.string(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema
  })
};
var servedTools = z17.object({
  /** Only for the tools of a task. */
  sample_id: z17.string().optional(),
  split: z17.string(),
  db: z17.string(),
  formulation,
  size: z17.number().int(),
  /** With `search_tools`: number of tools that it searches. */
  searchable: z17.number().int().optional(),
  /** Tokens that the list takes up in a prompt, estimated as four characters of JSON each. */
  tokens: z17.number().int(),
  /** Absent in a run: it would reveal that tools are missing. */
  toolset_size: z17.number().int().optional(),
  /** For the tools of a task: the required format of an answer. */
  answer_format: z17.string().optional(),
  /** sha256 of the list; the same in every format. */
  checksum: z17.string(),
  /** Absent in a run. */
  options: listOptions.optional(),
  /** With the harness key, if tools were renamed: real names in list order, other domains' with prefix `<db>/`. */
  real_names: z17.array(z17.string()).optional(),
  /** Path for calling a tool by name. */
  call: z17.string(),
  /** Path for MCP clients. */
  mcp: z17.string(),
  tools: z17.array(
    z17.union([
      toolFormats.plain,
      toolFormats.openai,
      toolFormats["openai-responses"],
      toolFormats["openai-responses-search"],
      // Before the plain formats, which would strip unknown fields.
      toolFormats["anthropic-search"],
      toolFormats["anthropic-strict"],
      toolFormats.gemini,
      toolFormats.anthropic,
      toolFormats.mcp
    ])
  )
});
var openapiDocument = z17.looseObject({
  openapi: z17.string(),
  info: z17.looseObject({ title: z17.string(), version: z17.string() }),
  paths: z17.record(z17.string(), z17.unknown())
});
var listFormat = z17.enum([
  "plain",
  "openai",
  "openai-responses",
  "openai-responses-search",
  "anthropic",
  "anthropic-strict",
  "anthropic-search",
  "gemini",
  "mcp",
  "openapi"
]);
var runBudget = z17.strictObject({
  calls: z17.number().int().positive().optional(),
  /** From the first request to the run. */
  seconds: z17.number().positive().optional(),
  /** Total of all responses to calls. */
  bytes: z17.number().int().positive().optional()
});
var settings = z17.record(z17.string(), z17.unknown());
var runPlace = z17.enum(["file", "memory"]);
var runRequest = listOptions.extend({
  sample_id: z17.string().optional(),
  select: taskSelection.optional(),
  /** The name of the agent being measured. */
  agent: z17.string().min(1).max(200).default("anonymous"),
  model: z17.string().max(200).optional(),
  /** Free-form; copied into results. */
  settings: settings.default({}),
  budget: runBudget.default({}),
  /** The name of a profile, or an inline profile. */
  faults: z17.union([z17.string(), faultProfile]).optional(),
  /** Whether the agent's task includes the question's evidence. */
  evidence: yesOrNo.default(true),
  /** MCP: whether to offer a tool for submitting the answer. */
  answer_tool: yesOrNo.default(false),
  /** Whether the run may change records, which every task of the formulation `records` may. */
  writes: yesOrNo.default(false),
  /** `memory` suits training, where runs last minutes and are not looked up later. */
  record: runPlace.default("file")
});
var runStatus = z17.enum(["open", "answered", "out_of_budget"]);
var runAnswer = z17.strictObject({
  /** Rows, a list, a scalar or text; null if the agent has no answer. */
  answer: z17.unknown().optional(),
  /** Results that the agent distrusts, in its own words. */
  doubts: z17.string().max(4e3).nullish(),
  /** The model's output. Without an answer, the recorded calls are judged; calls only written here do not count. */
  raw_output: z17.string().nullish(),
  loops: z17.number().int().nonnegative().nullish(),
  input_tokens: z17.number().int().nonnegative().nullish(),
  output_tokens: z17.number().int().nonnegative().nullish(),
  /** In the currency of the price table. */
  cost: z17.number().nonnegative().nullish(),
  /** Set by the harness when the run failed through no fault of the agent. */
  error: z17.string().nullish()
}).refine((given) => "answer" in given || given.raw_output != null || !!given.error, { path: ["answer"] });
var trajectoryEntry = z17.object({
  n: z17.number().int(),
  at: z17.string(),
  tool: z17.string(),
  /** The tool's real name, if the agent was given another one; only with the harness key. */
  real_tool: z17.string().optional(),
  arguments: z17.unknown(),
  status: z17.number().int(),
  /** Problem code of a failed call. */
  code: z17.string().nullable(),
  rows: z17.number().int().nullable(),
  bytes: z17.number().int(),
  latency_ms: z17.number(),
  fault: faultKind.nullable(),
  /** For messages to the user of a dialogue: the reply, or the turn that follows; null once the dialogue is over. */
  reply: z17.string().nullable().optional()
});
var runSummary = z17.object({
  run_id: z17.string(),
  batch_id: z17.string().nullable(),
  sample_id: z17.string(),
  /** Root path of everything that the agent needs. */
  base: z17.string(),
  agent: z17.string(),
  status: runStatus,
  end_reason: z17.string().nullable(),
  calls: z17.number().int(),
  /** Checksum of the tool list; null until the run is first accessed. */
  checksum: z17.string().nullable()
});
var agentRunSummary = runSummary.pick({
  run_id: true,
  base: true,
  status: true,
  end_reason: true,
  calls: true
});
var runTime = {
  budget: runBudget,
  used: z17.object({ calls: z17.number().int(), seconds: z17.number(), bytes: z17.number().int() }),
  started_at: z17.string().nullable(),
  ended_at: z17.string().nullable(),
  answer: runAnswer.nullable()
};
var runView = runSummary.omit({ calls: true }).extend({
  model: z17.string().nullable(),
  settings,
  options: listOptions,
  ...runTime,
  /** null if faults were disabled explicitly. */
  faults: faultProfile.nullable(),
  created_at: z17.string(),
  /** What a run that may change records has changed on the whole. */
  diff: recordDiff.optional(),
  /** Ids of the rules that it broke, where they are recorded. */
  broken_rules: z17.array(z17.string()).optional(),
  trajectory: z17.array(trajectoryEntry)
});
var agentRunView = agentRunSummary.omit({ calls: true }).extend({
  ...runTime,
  question: z17.string(),
  /** Only in runs that include it. */
  evidence: z17.string().optional(),
  start_tables: z17.array(taskStartTable),
  /** As far as it has read since; all of it once it is over. Absent where tools are obfuscated. */
  diff: recordDiff.optional(),
  /** Without latencies: in an exam, an agent has no clock but its own. */
  trajectory: z17.array(trajectoryEntry.omit({ fault: true, real_tool: true }).partial({ latency_ms: true }))
});
var createdRun = runSummary.omit({ calls: true }).extend({
  task: servedTask,
  /** Paths; in `call`, `{name}` is the tool's name. */
  links: z17.object({
    self: z17.string(),
    tools: z17.string(),
    openapi: z17.string(),
    call: z17.string(),
    mcp: z17.string(),
    answer: z17.string(),
    score: z17.string()
  })
});
var createdBatch = z17.object({ batch_id: z17.string(), base: z17.string(), runs: z17.array(createdRun) });
var batchView = z17.object({ batch_id: z17.string(), runs: z17.array(runSummary) });
var apiSchemas = z17.registry().add(problem, { id: "Problem" }).add(servedIndex, { id: "Index" }).add(servedFarm, { id: "Farm" }).add(servedCatalog, { id: "Catalog" }).add(foundEndpoints, { id: "FoundEndpoints" }).add(servedTask, { id: "Task" }).add(taskPage, { id: "TaskPage" }).add(servedTools, { id: "ToolList" }).add(openapiDocument, { id: "OpenapiDocument" }).add(runRequest, { id: "RunRequest" }).add(runAnswer, { id: "RunAnswer" }).add(runSummary, { id: "RunSummary" }).add(runView, { id: "Run" }).add(batchView, { id: "Batch" }).add(createdRun, { id: "CreatedRun" }).add(createdBatch, { id: "CreatedBatch" });

// contracts/formulations.ts
import { z as z18 } from "zod";

// contracts/answer-rows.ts
function assembleAnswer(calls, answers) {
  const used = usedLabels(calls);
  const columns = [];
  calls.forEach((call2, i) => {
    const answer = answers[i];
    if (!answer || answer.kind === "table" || call2.label !== void 0 && used.has(call2.label)) return;
    columns.push(answer.kind === "column" ? answer.values : [answer.value]);
  });
  const rows = columns[0]?.length;
  if (rows === void 0 || columns.some((column2) => column2.length !== rows)) return null;
  return Array.from({ length: rows }, (_, i) => columns.map((column2) => column2[i] ?? null));
}
function usedLabels(calls) {
  const labels = new Set(calls.flatMap((call2) => call2.label === void 0 ? [] : [call2.label]));
  return new Set(calls.flatMap((call2) => referencesIn(call2.arguments)).filter((label) => labels.has(label)));
}
function referencesIn(value) {
  const label = referredLabel(value);
  if (label !== null) return [label];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}
function mapReferences(value, replace) {
  if (typeof value === "string") {
    const label = referredLabel(value);
    return (label === null ? void 0 : replace(label)) ?? value;
  }
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, replace));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key2, item]) => [key2, mapReferences(item, replace)])
    );
  }
  return value;
}
function referredLabel(value) {
  const isReference2 = typeof value === "string" && value.length > 2 && value.startsWith("$") && value.endsWith("$");
  return isReference2 ? value.slice(1, -1) : null;
}

// contracts/tool-chain.ts
async function replayChain(calls, context) {
  const { requestOf: requestOf2, starts, view } = context;
  const handles = /* @__PURE__ */ new Map();
  const used = usedLabels(calls);
  const send = async (call2, more) => {
    const args = mapReferences(call2.arguments, (label) => {
      const handle = handles.get(label);
      return handle === void 0 ? void 0 : `$${handle}$`;
    });
    const query2 = Object.entries({ ...view?.(isOnTheWay(call2), call2), ...more });
    const answer = await context.send(
      { ...requestOf2({ ...call2, arguments: args }), query: query2 },
      call2
    );
    return "failure" in answer ? answer : toolAnswer.parse(answer.body);
  };
  const isOnTheWay = ({ label }) => label !== void 0 && used.has(label);
  for (const start of starts) {
    const made = await send(start, {});
    if ("failure" in made) throw new Error(made.failure);
    if (start.label !== void 0) handles.set(start.label, made.handle);
  }
  const answers = [];
  let body = null;
  const refusals = [];
  for (const call2 of calls) {
    const made = await send(call2, {});
    refusals.push("failure" in made ? made.failure : null);
    answers.push("failure" in made ? null : made);
    if ("failure" in made) continue;
    body = made;
    if (call2.label !== void 0) handles.set(call2.label, made.handle);
  }
  for (const i of lastResults(calls, answers)) {
    const whole = await readOn(
      answers[i],
      (offset) => send(calls[i], { offset, limit: MANY })
    );
    if ("failure" in whole) refusals[i] = whole.failure;
    answers[i] = "failure" in whole ? null : whole;
  }
  const rows = finalRows(calls, answers);
  const failure = refusals.find((refusal) => refusal !== null);
  return {
    rows,
    rowsIf(at, other) {
      const answer = toolAnswer.parse(other);
      return finalRows(
        calls,
        answers.map((each, i) => at.includes(i) ? answer : each)
      );
    },
    body,
    failure: rows ? null : failure ?? "The last results do not make rows.",
    truncated: false,
    handles: answers.map((answer) => answer?.handle ?? null),
    refusals
  };
}
var MANY = "100000";
function finalRows(calls, answers) {
  const last = lastResults(calls, answers);
  return assembleAnswer(
    last.map((i) => ({ name: calls[i].name, arguments: {} })),
    last.map((i) => answers[i])
  );
}
function lastResults(calls, answers) {
  const made = calls.filter((_, i) => answers[i] !== null);
  const labels = usedLabels(made);
  const mentioned = new Set(made.flatMap(({ arguments: args }) => textsIn(args)));
  return calls.flatMap(({ label }, i) => {
    const answer = answers[i] ?? null;
    if (answer === null || label !== void 0 && labels.has(label) || isReadingOn(calls, answers, i))
      return [];
    return mentioned.has(answer.handle) || mentioned.has(`$${answer.handle}$`) ? [] : [i];
  });
}
function isReadingOn(calls, answers, at) {
  const { name: name3, arguments: args } = calls[at];
  if (typeof args.offset !== "number") return false;
  return calls.slice(0, at).some((earlier, i) => {
    const answer = answers[i];
    if (answer?.kind !== "column" || answer.next_offset === null || earlier.name !== name3) return false;
    return Number(earlier.arguments.offset ?? 0) < Number(args.offset) && sameBut(earlier.arguments, args);
  });
}
function sameBut(a, b) {
  const rest2 = ({ offset: _offset, limit: _limit, ...others }) => printExactJson(Object.entries(others).sort(([x], [y]) => x < y ? -1 : 1));
  return rest2(a) === rest2(b);
}
async function readOn(first, next) {
  if (first.kind !== "column" || first.next_offset === null) return first;
  const values = [...first.values];
  for (let at = first.next_offset; at !== null; ) {
    const page = await next(String(at));
    if ("failure" in page || page.kind !== "column") return page;
    values.push(...page.values);
    at = page.next_offset;
  }
  return { ...first, values, row_count: values.length, truncated: false, next_offset: null };
}
function textsIn(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
function toolChain(described) {
  const routeOf2 = (service2, tool) => ({
    method: "POST",
    path: `${toolRoot(service2, described.name)}/${encodeURIComponent(tool)}`
  });
  const requestOf2 = (service2, call2) => ({
    ...routeOf2(service2, call2.name),
    query: [],
    body: call2.arguments ?? {}
  });
  return {
    ...described,
    calls: "chain",
    everyQuestion: true,
    routeOf: routeOf2,
    requestOf: requestOf2,
    replay: (service2, calls, context) => replayChain(calls, { ...context, requestOf: (call2) => requestOf2(service2, call2) }),
    factsOf(body) {
      const handle = /^\{"kind":"\w+","handle":"([^"\\]*)"/.exec(body)?.[1] ?? null;
      return { rows: body.startsWith('{"kind":"value"') ? 1 : rowCount(body, "first"), handle };
    }
  };
}
function toolRoot({ split, db }, name3) {
  return `${domainPath(split, db)}/${name3}`;
}
var slot2 = toolChain({
  name: "slot",
  title: "SLOT",
  summary: "General operations whose arguments name columns"
});
var sel = toolChain({
  name: "sel",
  title: "SEL",
  summary: "The same operations, one tool for each condition, aggregation, transformation and column"
});

// contracts/formulations.ts
var rest = {
  name: "rest",
  title: "REST",
  summary: "One endpoint for each kind of question",
  calls: "single",
  everyQuestion: true,
  routeOf(service2, tool) {
    return { method: "GET", path: findEndpoint(service2, tool)?.path ?? plainPath(service2, tool) };
  },
  requestOf(service2, call2) {
    const template = call2.path ?? rest.routeOf(service2, call2.name).path;
    const args = Object.fromEntries(Object.entries(call2.arguments ?? {}));
    const filled = fillPath(template, args);
    const inPath = new Set(filled === null ? [] : pathParameters(template));
    const query2 = Object.entries(args).filter(([name3]) => !inPath.has(name3)).flatMap(
      ([name3, value]) => [value].flat().flatMap((item) => item === null || item === void 0 ? [] : [[name3, item]])
    );
    return { method: "GET", path: filled ?? plainPath(service2, template.split("/").at(-1) ?? ""), query: query2 };
  },
  async replay(service2, calls, { send }) {
    const endpointOf = ({ name: name3 }) => findEndpoint(service2, name3);
    return replaySingle(
      calls,
      async (call2) => endpointOf(call2) ? await send(rest.requestOf(service2, call2), call2) : { failure: `There is no tool ${call2.name}.` },
      (body, call2) => readRows(body, call2, endpointOf(call2))
    );
  },
  factsOf: singleFacts
};
function plainPath({ split, db }, name3) {
  return `${domainPath(split, db)}/${encodeURIComponent(name3)}`;
}
function findEndpoint({ endpoints }, operationId2) {
  return endpoints.find((endpoint2) => endpoint2.operation_id === operationId2);
}
function readRows(answer, { name: name3 }, { columns }) {
  const body = restAnswer.parse(answer);
  if (body.truncated) {
    return { ...noRows(`${name3} answered the first ${body.row_count} rows only.`), body, truncated: true };
  }
  const rows = body.data.map((row2) => columns.map((column2) => row2[column2.name] ?? null));
  return { rows, body, failure: null, truncated: false, handles: [], refusals: [] };
}
function readNamedRows(answer) {
  const body = hybridAnswer.parse(answer);
  if (body.truncated) {
    const failure = `The tool answered the first ${body.row_count} rows only.`;
    return { ...noRows(failure), body: answer, truncated: true };
  }
  const columns = body.columns ?? Object.keys(body.data[0] ?? {});
  const rows = body.data.map((row2) => columns.map((name3) => row2[name3] ?? null));
  return { ...noRows(""), rows, body: answer, failure: null };
}
async function replaySingle(calls, send, read2) {
  let made = null;
  const refusals = [];
  for (const call2 of calls) {
    const answer = await send(call2);
    refusals.push("failure" in answer ? answer.failure : null);
    if (!("failure" in answer)) made = read2(answer.body, call2);
  }
  const refused = refusals.find((refusal) => refusal !== null) ?? "No call was made.";
  const replayed = made ?? noRows(refused);
  const last = refusals.lastIndexOf(null);
  const rowsIf = (at, body) => at.includes(last) ? read2(body, calls[last]).rows : replayed.rows;
  return { ...replayed, rowsIf, refusals };
}
function singleFacts(body) {
  return { rows: rowCount(body, "last"), handle: null };
}
function noRows(failure) {
  return { rows: null, body: null, failure, truncated: false, handles: [], refusals: [] };
}
var queryAnswer = z18.object({
  columns: z18.array(z18.string()),
  data: z18.array(z18.record(z18.string(), cell)),
  row_count: z18.number().int(),
  truncated: z18.boolean()
});
function postedCalls(pathOf) {
  const routeOf2 = (service2, tool) => ({ method: "POST", path: pathOf(service2, tool) });
  const requestOf2 = (service2, call2) => ({
    ...routeOf2(service2, call2.name),
    query: [],
    body: call2.arguments ?? {}
  });
  return {
    calls: "single",
    everyQuestion: false,
    routeOf: routeOf2,
    requestOf: requestOf2,
    replay: (service2, calls, { send }) => replaySingle(calls, (call2) => send(requestOf2(service2, call2), call2), readNamedRows),
    factsOf: singleFacts
  };
}
var query = {
  name: "query",
  title: "Query",
  summary: "One tool that searches, filters, aggregates and groups any collection",
  variants: QUERY_VARIANTS,
  ...postedCalls(({ split, db }, tool) => `${domainPath(split, db)}/query/${encodeURIComponent(tool)}`)
};
var NOTHING_HIDDEN = { share: 0, seed: 0 };
var hybridAnswer = queryAnswer.partial({ columns: true });
var hybrid = {
  name: "hybrid",
  title: "Hybrid",
  summary: "SQL over some tables of a domain, APIs for the others, and SQL over both",
  variants: HYBRID_VARIANTS,
  ...postedCalls(
    ({ split, db, hidden: [share2 = NOTHING_HIDDEN] = [] }, tool) => `${domainPath(split, db)}/hybrid/${printShare(share2)}/${encodeURIComponent(tool)}`
  )
};
var FORMULATIONS = {
  rest,
  slot: slot2,
  sel,
  query,
  hybrid,
  records,
  actions
};
var OF_EVERY_QUESTION = formulation.options.filter(
  (kind2) => FORMULATIONS[kind2].everyQuestion
);

// services/base/http/api-document.ts
import { z as z20 } from "zod";

// contracts/openapi.ts
import { z as z19 } from "zod";

// services/base/http/api-document.ts
init_package_root();

// services/base/http/json.ts
import { errorCodes } from "fastify";
import { LosslessNumber, parse as parse2, stringify as stringify3 } from "lossless-json";

// services/base/http/api-document.ts
var response = z20.looseObject({ description: z20.string() });
var operation = z20.looseObject({ summary: z20.string(), responses: z20.record(z20.string(), response) });
var documentSchema = z20.looseObject({
  paths: z20.record(z20.string(), z20.record(z20.string(), operation)),
  components: z20.looseObject({ schemas: z20.record(z20.string(), z20.unknown()) })
});
var PROBLEM = problemAnswer("What is wrong (RFC 9457).");
function problemAnswer(description) {
  return {
    description,
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
  };
}

// services/domain/hybrid/scalar-routes.ts
var MOST_ITEMS = 1e3;
var PLACE_NAMES = new Set(PLACE_APIS.map(({ name: name3 }) => name3));

// services/domain/tools/conditions.ts
function sql(strings, ...parts2) {
  let text2 = strings[0] ?? "";
  const params = [];
  parts2.forEach((part, i) => {
    text2 += part.text + (strings[i + 1] ?? "");
    params.push(...part.params);
  });
  return { text: text2, params };
}
function join2(parts2, separator = ", ") {
  return {
    text: parts2.map((part) => part.text).join(separator),
    params: parts2.flatMap((part) => part.params)
  };
}
var one = (description, write) => ({
  arity: "one",
  description,
  sql: (left2, values) => write(left2, values[0])
});
var two = (description, write) => ({
  arity: "two",
  description,
  sql: (left2, values) => write(left2, values[0], values[1])
});
var CONDITIONS2 = {
  equal_to: one("equals the given value", (left2, value) => sql`${left2} = ${value}`),
  not_equal_to: one(
    "differs from the given value (NULL never does)",
    (left2, value) => sql`${left2} <> ${value}`
  ),
  greater_than: one("is greater than the given value", (left2, value) => sql`${left2} > ${value}`),
  less_than: one("is less than the given value", (left2, value) => sql`${left2} < ${value}`),
  greater_than_equal_to: one("is greater than or equal to the given value", (l, v) => sql`${l} >= ${v}`),
  less_than_equal_to: one("is less than or equal to the given value", (l, v) => sql`${l} <= ${v}`),
  contains: one(
    "contains the given text (case-sensitive)",
    (left2, value) => sql`instr(${left2}, ${value}) > 0`
  ),
  like: one(
    "matches the given LIKE pattern: % stands for any text, _ for any one character (ASCII letters match in either case)",
    (left2, value) => sql`${left2} LIKE ${value}`
  ),
  not_like: one("does not match the given LIKE pattern", (left2, value) => sql`${left2} NOT LIKE ${value}`),
  starts_with: one(
    "begins with the given text (case-sensitive)",
    (left2, value) => sql`instr(${left2}, ${value}) = 1`
  ),
  ends_with: one(
    "ends with the given text (case-sensitive)",
    (left2, value) => sql`(length(${left2}) >= length(${value}) AND substr(${left2}, length(${left2}) - length(${value}) + 1) = CAST(${value} AS TEXT))`
  ),
  glob: one(
    "matches the given GLOB pattern: * stands for any text, ? for any one character, [abc] for one of these (case-sensitive)",
    (l, v) => sql`${l} GLOB ${v}`
  ),
  not_glob: one("does not match the given GLOB pattern", (left2, value) => sql`${left2} NOT GLOB ${value}`),
  between: two(
    "is between the two given values, inclusive",
    (left2, low, high) => sql`${left2} BETWEEN ${low} AND ${high}`
  ),
  not_between: two(
    "is not between the two given values, inclusive",
    (l, low, high) => sql`${l} NOT BETWEEN ${low} AND ${high}`
  ),
  in: { arity: "list", description: "is one of the given values", sql: (l, v) => sql`${l} IN (${join2(v)})` },
  not_in: {
    arity: "list",
    description: "is none of the given values (as in SQL, no row is kept if one of them is NULL)",
    sql: (left2, values) => sql`${left2} NOT IN (${join2(values)})`
  },
  has_bits: one(
    "is a whole number that has all the given bits set (4 is the third bit, 6 the second and the third)",
    // `& -1` converts the operand to an integer, as `&` does with the value.
    (left2, value) => sql`(${left2} & ${value}) = (${value} & -1)`
  ),
  lacks_bits: one(
    "is a whole number that has none of the given bits set",
    (left2, value) => sql`(${left2} & ${value}) = 0`
  ),
  is_null: { arity: "none", description: "is NULL", sql: (left2) => sql`${left2} IS NULL` },
  is_not_null: { arity: "none", description: "is not NULL", sql: (left2) => sql`${left2} IS NOT NULL` }
};
var CONDITION_NAMES = Object.keys(CONDITIONS2);
var plain = (name3, description) => ({
  description,
  perGroup: true,
  sql: (input) => sql`${name3}(${argument(input)})`
});
var AGGREGATIONS = {
  min: plain(sql`MIN`, "finds the smallest value in a column"),
  max: plain(sql`MAX`, "finds the largest value in a column"),
  sum: plain(sql`SUM`, "sums the values in a column (NULL if there are none)"),
  mean: plain(sql`AVG`, "computes the mean of the values in a column (NULL if there are none)"),
  count: plain(sql`COUNT`, "counts the values in a column that are not NULL (with the key `*`, the rows)"),
  std: {
    description: "computes the sample standard deviation of the values in a column",
    perGroup: true,
    sql: deviation
  },
  argmin: {
    description: "finds the position (from 0) of the first row with the smallest value in a column",
    perGroup: false,
    sql: () => sql``
  },
  argmax: {
    description: "finds the position (from 0) of the first row with the largest value in a column",
    perGroup: false,
    sql: () => sql``
  },
  total: plain(sql`TOTAL`, "sums the values in a column as a real number (0.0 if there are none)"),
  median: plain(
    sql`MEDIAN`,
    "computes the median of the values in a column: the mean of the middle two if their number is even (NULL if there are none, an error for text)"
  ),
  group_concat: {
    description: "joins the values in a column into one text, in row order unless `distinct`, with `separator` (a comma by default) between them",
    perGroup: true,
    sql: (input) => {
      const separator = input.separator ? sql`, ${input.separator}` : sql``;
      const order = input.order.length > 0 ? sql` ORDER BY ${join2(input.order)}` : sql``;
      return sql`group_concat(${argument(input)}${separator}${order})`;
    }
  }
};
var AGGREGATION_NAMES = Object.keys(AGGREGATIONS);
function argument(input) {
  if (input.value === null) return sql`*`;
  return input.distinct ? sql`DISTINCT ${input.value}` : input.value;
}
function deviation({ value, distinct }) {
  const x = value;
  const of = (v) => {
    const spread = sql`(SUM(${v} * ${v}) - SUM(${v}) * 1.0 * SUM(${v}) / COUNT(${v}))`;
    return sql`sqrt(max(0, ${spread}) / (COUNT(${v}) - 1))`;
  };
  return distinct ? sql`(SELECT ${of(sql`value`)} FROM json_each(json_group_array(DISTINCT ${x})))` : of(x);
}

// services/domain/hybrid/table-call.ts
var FUNCTIONS = {
  count: sql`COUNT`,
  sum: sql`SUM`,
  avg: sql`AVG`,
  min: sql`MIN`,
  max: sql`MAX`
};
var OPERATORS = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
  like: sql`LIKE`
};

// services/base/http/caller.ts
import { AsyncLocalStorage } from "node:async_hooks";

// services/base/http/listen.ts
import closeWithGrace from "close-with-grace";

// services/base/limits.ts
var DEFAULT_LIMITS = {
  timeoutMs: 1e4,
  planMs: 6e4,
  quickMs: 50,
  maxRows: 1e5,
  maxBytes: 8 * 1024 * 1024,
  maxUrlBytes: 16 * 1024,
  maxHeaderBytes: 32 * 1024,
  maxBodyBytes: 1024 * 1024,
  arrivalMs: 1e4
};

// services/base/http/caller.ts
var within = new AsyncLocalStorage();

// services/base/http/typed-routes.ts
import { z as z21 } from "zod";
var live = z21.object({ status: z21.literal("live") });

// services/domain/runtime.ts
import { LRUCache as LRUCache2 } from "lru-cache";
import { Registry } from "prom-client";

// services/base/sqlite/child-pool.ts
import pidusage from "pidusage";
keepObjects();
var RESERVED_MEGABYTES = Number(process.versions.node.split(".")[0]) < 24 ? 0 : 512;

// services/base/sqlite/private-copy.ts
import { parse as parse3 } from "lossless-json";

// services/base/telemetry.ts
import { Counter, collectDefaultMetrics, Gauge, Histogram } from "prom-client";
var NO_COUNTERS = ["resources", "handles", "requests"].map((what) => `nodejs_active_${what}_total`);

// services/domain/hybrid/table-routes.ts
var PAGES = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: PAGE_ROWS.most,
    description: `Maximum number of rows per page; ${PAGE_ROWS.default} by default.`
  },
  offset: {
    type: "integer",
    minimum: 0,
    description: "How many rows to skip: the next_offset of the previous page."
  }
};

// services/domain/hybrid/hybrid-tools.ts
var scalarArguments = z22.strictObject({
  inputs: z22.array(z22.record(z22.string(), z22.unknown())).min(1).max(MOST_ITEMS)
});
var SCALAR_FUNCTIONS = new Set(
  SCALAR_APIS.filter((api) => !isList(api)).map(({ name: name3 }) => name3)
);

// generator/oracle/gold-sql.ts
var DATE_FUNCTIONS2 = new Set("DATE TIME DATETIME JULIANDAY UNIXEPOCH STRFTIME TIMEDIFF".split(" "));
var FUNCTIONS2 = new Set(
  "RANDOM RANDOMBLOB CHANGES TOTAL_CHANGES LAST_INSERT_ROWID SQLITE_VERSION SQLITE_SOURCE_ID SQLITE_COMPILEOPTION_USED SQLITE_COMPILEOPTION_GET SQLITE_OFFSET".split(" ")
);

// generator/tie-breaking.ts
var ORDERED_AGGREGATES = /^(group_concat|string_agg|json_group_array|json_group_object|jsonb_group_array|jsonb_group_object)$/;
var PEER_WINDOWS = /* @__PURE__ */ new Set(["rank", "dense_rank", "percent_rank", "cume_dist"]);
function ambiguitiesOf(query2, catalog2) {
  return inQuery(query2, catalog2, false);
}
function inQuery(query2, catalog2, firstRowOnly) {
  const scalars = new Set(
    queryExprs(query2).flatMap(
      (expr) => [...ownExprs(expr)].flatMap((part) => part.kind === "scalar_query" ? [part.query] : [])
    )
  );
  const inside = innerQueries(query2).flatMap((inner) => inQuery(inner, catalog2, scalars.has(inner)));
  if (query2.kind === "values") return inside;
  const cut = query2.limit !== null || firstRowOnly;
  if (query2.kind === "set_operation") {
    return cut && !isTotalSet(query2) ? [...inside, { kind: "limit", query: query2 }] : inside;
  }
  return [...inside, ...inSelect(query2, catalog2, cut)];
}
function* inSelect(select, catalog2, cut) {
  const outside = select.columns.map(({ expr }) => expr);
  const order = select.orderBy.map(({ expr }) => expr);
  const later = [...outside, ...order, ...select.having ? [select.having] : []];
  if (isAggregated(select)) {
    const read2 = select.groupBy.length > 0 ? later : later.filter((expr) => !order.includes(expr));
    const [extreme2, ...others] = extremes(select);
    const known = extreme2 && others.length === 0 ? [...select.groupBy, ...extreme2.args] : select.groupBy;
    const group = new Determined(select, catalog2, known);
    const columns = read2.flatMap(outsideAggregates).filter((column2) => !group.has(column2));
    if (columns.length > 0) yield { kind: "bare_column", query: select, columns };
  }
  if (select.distinct && !order.every((expr) => new Determined(select, catalog2, outside).has(expr))) {
    yield { kind: "distinct_order", query: select };
  }
  if (cut && !isTotal(select, catalog2)) yield { kind: "limit", query: select };
  for (const expr of later.flatMap((each) => [...ownExprs(each)])) {
    if (expr.kind === "aggregate" && ORDERED_AGGREGATES.test(expr.name) && !isInOrder2(expr, select, catalog2)) {
      yield { kind: "aggregate_order", query: select, aggregate: expr };
    }
    if (expr.kind === "window" && !PEER_WINDOWS.has(expr.name) && !ignoresTies(expr, select, catalog2)) {
      yield { kind: "window_order", query: select, window: expr };
    }
  }
}
function isTotal(select, catalog2) {
  const order = select.orderBy.map(({ expr }) => expr);
  if (isAggregated(select)) {
    if (select.groupBy.length === 0) return true;
    const known2 = new Determined(select, catalog2, order);
    if (select.groupBy.every((expr) => known2.has(expr))) return true;
    return select.columns.every(({ expr }) => known2.has(expr));
  }
  const known = new Determined(select, catalog2, order);
  return known.singleRow || select.columns.every(({ expr }) => known.has(expr));
}
function isTotalSet(query2) {
  const covered = new Set(query2.orderBy.flatMap(({ expr }) => expr.kind === "output" ? [expr.index] : []));
  return covered.size === outputNames(query2).length;
}
function ignoresTies(window, select, catalog2) {
  const known = [...window.partitionBy, ...window.orderBy.map(({ expr }) => expr)];
  if (new Determined(select, catalog2, known).singleRow) return true;
  const wholePeers = window.frame === null || window.frame.mode !== "rows" && !window.frame.exclude;
  const aggregate = ["count", "sum", "avg", "total", "min", "max"].includes(window.name);
  if (aggregate && wholePeers) return true;
  return select.groupBy.length > 0 && select.groupBy.every((key2) => known.some((each) => sameExpr(each, key2)));
}
function isInOrder2(aggregate, select, catalog2) {
  const known = [...select.groupBy, ...aggregate.orderBy.map(({ expr }) => expr)];
  return aggregate.orderBy.length > 0 && new Determined(select, catalog2, known).singleRow;
}
function extremes(select) {
  return queryExprs(select).flatMap((expr) => [...ownExprs(expr)]).filter((part) => part.kind === "aggregate" && /^(min|max)$/.test(part.name));
}
function outsideAggregates(expr) {
  if (expr.kind === "aggregate") return [];
  if (expr.kind === "column") return [expr];
  return childExprs(expr).flatMap(outsideAggregates);
}

// generator/template/canonical-form.ts
function canonicalForm(query2, choiceOf, origins) {
  const open = ambiguitiesOf(query2, origins.catalog).length > 0;
  return new Canonical(choiceOf, origins, open).query(query2, /* @__PURE__ */ new Map());
}
function canonicalExpr(expr, origins, nameOf3) {
  const names2 = /* @__PURE__ */ new Map();
  for (const part of exprsWithin(expr)) {
    if (part.kind === "column") names2.set(part.source, nameOf3(part.source));
  }
  return new Canonical(/* @__PURE__ */ new Map(), origins, true).expr(expr, names2).text;
}
var SAME_CALLS = { substring: "substr", power: "pow", ceiling: "ceil" };
var Canonical = class {
  #choiceOf;
  #origins;
  /** Whether the order of joins may affect the answer. */
  #ordered;
  #ctes = /* @__PURE__ */ new Map();
  #sources = 0;
  constructor(choiceOf, origins, ordered2) {
    this.#choiceOf = choiceOf;
    this.#origins = origins;
    this.#ordered = ordered2;
  }
  // -------------------------------------------------------------------------------------------- queries
  query(query2, names2) {
    for (const cte of query2.with) this.#ctes.set(cte.name, `c${this.#ctes.size}`);
    const withs = joined(
      query2.with.map((cte) => form`(with ${this.#cte(cte.name)} ${this.query(cte.query, names2)})`)
    );
    return form`(${withs}${this.#body(query2, names2)})`;
  }
  #body(query2, names2) {
    switch (query2.kind) {
      case "select":
        return this.#select(query2, names2);
      case "set_operation": {
        const sides = joined([this.query(query2.left, names2), this.query(query2.right, names2)]);
        return form`${query2.op} ${sides}${this.#order(query2.orderBy, names2)}${this.#limit(query2, names2)}`;
      }
      case "values":
        return form`values ${joined(query2.rows.map((row2) => form`(${this.#list(row2, names2)})`))}`;
    }
  }
  #cte(name3) {
    return this.#ctes.get(name3) ?? name3;
  }
  #select(select, outer) {
    const inner = select.from.every(isInner);
    const conjuncts2 = inner ? [select.where, ...select.from.map(({ on }) => on)].flatMap(conjunctsOf) : conjunctsOf(select.where);
    const from = inner && !this.#ordered ? this.#inOrder(select, conjuncts2, outer) : select.from;
    const names2 = new Map(outer);
    for (const { source } of from) names2.set(source.id, `s${this.#sources++}`);
    const sources = from.map((item) => {
      if (inner) return this.#source(item, names2);
      const on = item.on === null ? form`` : form` on ${this.expr(item.on, names2)}`;
      return form`(${item.join} ${this.#source(item, names2)}${on})`;
    });
    const distinct = select.distinct ? "distinct " : "";
    const columns = joined(select.columns.map((column2) => this.expr(column2.expr, names2)));
    const where = joined(sorted(conjuncts2.map((one2) => this.expr(one2, names2))));
    const groups = select.groupBy.map((one2) => this.expr(one2, names2));
    const groupBy = joined(this.#ordered ? groups : sorted(groups));
    const having = joined(sorted(conjunctsOf(select.having).map((one2) => this.expr(one2, names2))));
    return form`${distinct}(columns ${columns})(from ${joined(sources)})(where ${where})(group ${groupBy})(having ${having})${this.#order(this.#sortKeys(select), names2)}${this.#limit(select, names2)}`;
  }
  /** Drops sort keys determined by earlier ones: a post's row determines its owner's. */
  #sortKeys(select) {
    if (this.#ordered || select.groupBy.length > 0) return select.orderBy;
    const known = select.orderBy.map(({ expr }) => expr);
    return select.orderBy.filter(
      ({ expr }, i) => !new Determined(select, this.#origins.catalog, known.slice(0, i)).has(expr)
    );
  }
  #source({ source }, names2) {
    switch (source.kind) {
      case "table":
        return form`${JSON.stringify(source.table)}`;
      case "derived":
        return this.query(source.query, names2);
      case "cte":
        return form`(cte ${this.#cte(source.name)})`;
    }
  }
  /** Inner joins sorted by table and conditions; equal ones keep their order. */
  #inOrder(select, conjuncts2, outer) {
    const own = select.from.map(({ source }) => source);
    const kindOf2 = new Map(
      own.map((source) => [source.id, source.kind === "table" ? source.table : source.kind])
    );
    const exprs = [
      ...conjuncts2,
      ...select.columns.map(({ expr }) => expr),
      ...select.groupBy,
      ...select.orderBy.map(({ expr }) => expr)
    ];
    const first = this.#sources;
    const keyed = select.from.map((item) => {
      const names2 = new Map([...outer, ...kindOf2, [item.source.id, "@"]]);
      const forms = exprs.map((expr, i) => {
        this.#sources = first;
        const place2 = i < conjuncts2.length ? "" : String(i - conjuncts2.length);
        return form`${place2} ${this.expr(expr, names2).text}`;
      });
      const mentions2 = forms.filter(({ text: text2 }) => text2.includes("(col @ "));
      this.#sources = first;
      return { item, ...form`${this.#source(item, names2)} ${joined(sorted(mentions2))}` };
    });
    this.#sources = first;
    return keyed.sort(byText).map(({ item }) => item);
  }
  #order(terms, names2) {
    if (terms.length === 0) return form``;
    const forms = terms.map(
      ({ expr, direction, nulls }) => form`${this.expr(expr, names2)} ${direction} ${nulls ?? ""}`
    );
    return form`(order ${joined(forms)})`;
  }
  #limit({ limit }, names2) {
    if (limit === null) return form``;
    return form`(limit ${this.expr(limit.count, names2)} ${this.#maybe(limit.offset, names2)})`;
  }
  // ---------------------------------------------------------------------------------------- expressions
  #list(exprs, names2) {
    return joined(exprs.map((expr) => this.expr(expr, names2)));
  }
  #maybe(expr, names2) {
    return expr === null ? form`-` : this.expr(expr, names2);
  }
  expr(expr, names2) {
    const one2 = (child2) => this.expr(child2, names2);
    switch (expr.kind) {
      case "literal":
        return this.#literal(expr);
      case "column":
        return form`(col ${names2.get(expr.source) ?? expr.source} ${this.#columnName(expr)})`;
      case "output":
        return form`(output ${String(expr.index)})`;
      case "row":
        return form`(row ${this.#list(expr.items, names2)})`;
      case "unary":
        return form`(${expr.op} ${one2(expr.expr)})`;
      case "binary": {
        const sides = [one2(expr.left), one2(expr.right)];
        return form`(${expr.op} ${joined(expr.op === "+" || expr.op === "*" ? sorted(sides) : sides)})`;
      }
      case "compare":
        return this.#compare(expr, names2);
      case "and":
      case "or":
        return form`(${expr.kind} ${joined(sorted(expr.items.map(one2)))})`;
      case "not":
        return form`(not ${one2(expr.expr)})`;
      case "is_null":
        return form`(${not(expr)}is_null ${one2(expr.expr)})`;
      case "between":
        return form`(${not(expr)}between ${one2(expr.expr)} ${one2(expr.low)} ${one2(expr.high)})`;
      case "like":
        return form`(${not(expr)}${expr.op} ${one2(expr.expr)} ${one2(expr.pattern)} ${this.#maybe(expr.escape, names2)})`;
      case "in_list": {
        const [first] = expr.items;
        const choice = first?.kind === "literal" ? this.#choiceOf.get(first) : void 0;
        if (choice?.array) return form`(${not(expr)}in ${one2(expr.expr)} ${chosen(choice)})`;
        return form`(${not(expr)}in ${one2(expr.expr)} (${joined(sorted(expr.items.map(one2)))}))`;
      }
      case "in_query":
        return form`(${not(expr)}in ${one2(expr.expr)} ${this.query(expr.query, names2)})`;
      case "exists":
        return form`(${not(expr)}exists ${this.query(expr.query, names2)})`;
      case "scalar_query":
        return form`(scalar ${this.query(expr.query, names2)})`;
      case "case": {
        const whens = expr.whens.map(({ when, result }) => form`(${one2(when)} ${one2(result)})`);
        return form`(case ${this.#maybe(expr.operand, names2)} ${joined(whens)} ${this.#maybe(expr.else, names2)})`;
      }
      case "cast":
        return form`(cast ${JSON.stringify(expr.type)} ${one2(expr.expr)})`;
      case "collate":
        return form`(collate ${expr.collation} ${one2(expr.expr)})`;
      case "call":
        return form`(call ${SAME_CALLS[expr.name] ?? expr.name} ${this.#list(expr.args, names2)})`;
      case "aggregate":
        return this.#aggregate(expr, names2);
      case "window":
        return this.#window(expr, names2);
    }
  }
  /** A derived table's columns are named by position, since their names are aliases. */
  #columnName({ source, name: name3 }) {
    const at = this.#origins.outputNames(source)?.indexOf(name3) ?? -1;
    return at < 0 ? JSON.stringify(name3) : String(at);
  }
  #literal(literal) {
    const choice = this.#choiceOf.get(literal);
    return choice === void 0 ? fixedForm(literal) : chosen(choice);
  }
  #compare({ op, left: left2, right: right2 }, names2) {
    const sides = [this.expr(left2, names2), this.expr(right2, names2)];
    const swap = byText(...sides) > 0 && !this.#collates(left2) && !this.#collates(right2);
    return swap ? form`(${MIRRORED[op]} ${sides[1]} ${sides[0]})` : form`(${op} ${sides[0]} ${sides[1]})`;
  }
  #collates(expr) {
    for (const part of exprsWithin(expr)) {
      if (part.kind === "collate") return true;
      if (part.kind !== "column") continue;
      const origin = this.#origins.of(part);
      if (origin.kind === "column" && origin.column.collation !== "BINARY") return true;
    }
    return false;
  }
  #aggregate(expr, names2) {
    const [arg] = expr.args;
    const counts2 = expr.name === "count" && !expr.distinct;
    const star = expr.star || counts2 && arg !== void 0 && isNotNull(arg, this.#origins);
    const args = star ? form`*` : this.#list(expr.args, names2);
    return form`(agg ${expr.name} ${expr.distinct ? "distinct " : ""}${args} ${this.#maybe(expr.filter, names2)}${this.#order(expr.orderBy, names2)})`;
  }
  #window(expr, names2) {
    const args = expr.star ? form`*` : this.#list(expr.args, names2);
    const { frame } = expr;
    const bound = (at) => "offset" in at ? form`${at.at} ${this.expr(at.offset, names2)}` : form`${at.at}`;
    const frames = frame === null ? form`-` : form`${frame.mode} ${bound(frame.start)} ${bound(frame.end)} ${frame.exclude ?? ""}`;
    return form`(window ${expr.name} ${args} ${this.#maybe(expr.filter, names2)} (${this.#list(expr.partitionBy, names2)})${this.#order(expr.orderBy, names2)}${frames})`;
  }
};
function chosen(choice) {
  const { prefix, suffix, array, type, anyNumber } = choice;
  const kind2 = anyNumber && type === "integer" ? "number" : type;
  return { text: `?${kind2}${array ? "[]" : ""}${JSON.stringify([prefix, suffix])}`, choices: [choice] };
}
function not({ negated: negated2 }) {
  return negated2 ? "not " : "";
}
function conjunctsOf(expr) {
  return conjuncts(expr).flatMap((one2) => {
    if (one2.kind !== "between" || one2.negated) return [one2];
    const bound = (op, right2) => node({ kind: "compare", op, left: one2.expr, right: right2 });
    return [bound(">=", one2.low), bound("<=", one2.high)];
  });
}
function form(parts2, ...values) {
  let text2 = parts2[0] ?? "";
  const choices = [];
  values.forEach((value, i) => {
    if (typeof value === "string") text2 += value;
    else {
      text2 += value.text;
      choices.push(...value.choices);
    }
    text2 += parts2[i + 1] ?? "";
  });
  return { text: text2, choices };
}
function joined(forms, separator = " ") {
  return {
    text: forms.map((one2) => one2.text).join(separator),
    choices: forms.flatMap((one2) => one2.choices)
  };
}
function sorted(forms) {
  return [...forms].sort(byText);
}
function byText(a, b) {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
function fixedForm(literal) {
  return form`${literal.type}:${literal.type === "real" ? literal.text : JSON.stringify(String(literal.value))}`;
}
function isNotNull(expr, origins) {
  if (expr.kind === "literal") return expr.type !== "null";
  if (expr.kind !== "column") return false;
  const select = origins.selectOf(expr.source);
  if (select !== null && conditionsOf(select).some((one2) => rejectsNull(one2, expr))) return true;
  if (isPadded(expr.source, origins)) return false;
  const table = origins.tableOf(expr.source);
  const column2 = table?.columns.find(({ name: name3 }) => name3 === expr.name);
  return table !== null && column2 !== void 0 && forbidsNull(table, column2);
}
function forbidsNull(table, column2) {
  return column2.not_null || rowidAlias(table) === column2;
}
function isPadded(source, origins) {
  const from = origins.selectOf(source)?.from ?? [];
  const at = from.findIndex((item) => item.source.id === source);
  const own = from[at]?.join;
  if (own === "left" || own === "full") return true;
  return from.slice(at + 1).some(({ join: join3 }) => join3 === "right" || join3 === "full");
}
function conditionsOf({ where, from }) {
  return [where, ...from.every(isInner) ? from.map(({ on }) => on) : []].flatMap(conjuncts);
}
function rejectsNull(condition2, column2) {
  const isIt = (expr) => expr.kind === "column" && expr.source === column2.source && expr.name === column2.name;
  switch (condition2.kind) {
    case "compare":
      return /^(is|is_not)$/.test(condition2.op) ? false : isIt(condition2.left) || isIt(condition2.right);
    case "is_null":
      return condition2.negated && isIt(condition2.expr);
    case "between":
    case "like":
    case "in_list":
      return isIt(condition2.expr);
    default:
      return false;
  }
}

// generator/english/lexicon.ts
var ACRONYMS = new Set(
  "APR ID URL UUID GUID URI API HTML XML JSON PDF SAT ACT GPA GNP GDP USD EUR ISBN ISSN SSN TV US USA UK EU IP VAT".split(
    " "
  )
);
var GENERIC_PARTS = new Set(
  `first last middle name quantity amount address year years percent latitude longitude date of birth code description
  group flag hours number issued indicator duration type score status total price limit unit item created updated
  city term weight header detail level user message label`.split(/\s+/)
);
var FEW_WORDS = 60;
var MANY_FOREIGN = 6;
var MOST_WORDS = 6;
var Lexicon = class {
  #vocabulary;
  #nouns = /* @__PURE__ */ new Map();
  #columns = /* @__PURE__ */ new Map();
  #texts = /* @__PURE__ */ new Map();
  /** Whether most of the domain's identifiers are not words of its questions and descriptions. */
  #isForeign;
  /** Whether its identifiers are German, Spanish or French. */
  #isTranslated;
  /** Whether all its identifiers are in capitals. */
  #isShouted;
  /** How many words the names of all tables begin with: `t_`. */
  #frame;
  #isSecret;
  /** `isSecret`: whether prose holds a value that a question of the domain chooses. */
  constructor(catalog2, questions, isSecret = () => false) {
    this.#isSecret = isSecret;
    this.#vocabulary = vocabularyOf(catalog2, questions);
    const names2 = catalog2.tables.flatMap(({ name: name3, columns }) => [name3, ...columns.map((one2) => one2.name)]);
    const words2 = new Set(names2.flatMap(lowerWords));
    this.#isTranslated = [...words2].filter((word) => !COMMON_WORDS.has(word) && translated(word)).length >= MANY_FOREIGN;
    this.#isShouted = names2.every((name3) => name3 === name3.toUpperCase());
    const lead = commonLead(catalog2.tables.map(({ name: name3 }) => lowerWords(name3)));
    this.#frame = catalog2.tables.length < 3 || lead.some((word) => this.isPlain([word])) ? 0 : lead.length;
    this.#isForeign = !this.#isTranslated && this.#knownShare(names2) < 0.5;
    for (const table of catalog2.tables) this.#nouns.set(table.name, this.#nounOf(table, catalog2.tables));
    for (const table of catalog2.tables) {
      const referred = table.foreign_keys.map(({ references_table: name3 }) => name3);
      this.#nameColumns(table, [table.name, ...referred]);
    }
  }
  noun(table) {
    return this.#nouns.get(table) ?? { one: ["row"], many: ["rows"] };
  }
  /** The words of a column's name, in the case of prose (`CDS`, `ID`), without its table's. */
  column(table, column2) {
    return this.#columns.get(key(table, column2)) ?? ["value"];
  }
  /** The same in a sentence: average scores in Math, enrollment (K-12). */
  columnText(table, column2) {
    return this.#texts.get(key(table, column2)) ?? "value";
  }
  /** Whether a constant of a query may be shown: no question chooses it. */
  mayShow(constant) {
    return !this.#isSecret(constant);
  }
  /** Whether every word is in the domain's vocabulary. */
  isPlain(words2) {
    return words2.every((word) => this.#isPlainWord(word.toLowerCase()));
  }
  /** Whether a column's name means little without its table's. */
  isGeneric(words2) {
    return words2.length === 1 && words2.every((word) => GENERIC_WORDS.has(word.toLowerCase()));
  }
  /** Whether words only name a key: `id`. */
  isKeyWord(words2) {
    return words2.length === 1 && KEY_WORDS.has(words2[0]?.toLowerCase() ?? "");
  }
  /** The words of an identifier: compounds are split, abbreviations that the domain does not use are written out. */
  spell(identifier2) {
    const words2 = splitWords(identifier2);
    if (/^long$/i.test(identifier2)) return ["longitude"];
    const shouts = this.#isShouted || words2.length > 1 && words2.join("") === words2.join("").toUpperCase();
    const spelled = (shouts ? words2.map((word) => word.toLowerCase()) : words2).flatMap((word, i) => {
      const lower2 = word.toLowerCase();
      const foreign = this.#isTranslated ? translated(lower2) : void 0;
      if (foreign !== void 0) return foreign;
      const known = this.#vocabulary.words.has(lower2);
      const pair = known ? void 0 : PAIRS.get(`${lower2} ${words2[i + 1]?.toLowerCase()}`);
      const full = known ? void 0 : pair ?? this.#writtenOut(lower2);
      return full ?? segment(lower2, this.#vocabulary.words) ?? [word];
    });
    const turned = this.#isTranslated && spelled.length === 2 && /^(date|amount|price|year)$/.test(spelled[0] ?? "");
    return turned ? spelled.toReversed() : spelled;
  }
  /** The share of known words in the names of tables and columns; 1 if the vocabulary is too small to judge. */
  #knownShare(names2) {
    if (this.#vocabulary.own.size < FEW_WORDS) return 1;
    const words2 = names2.flatMap((name3) => splitWords(name3)).filter((word) => word.length > 2);
    const known = words2.filter(
      (word) => segment(word.toLowerCase(), this.#vocabulary.words) !== null || this.#isPlainWord(word.toLowerCase())
    );
    return words2.length === 0 ? 1 : known.length / words2.length;
  }
  /** The word of an abbreviation, if the domain uses that word: `emp` may be an empresa. */
  #writtenOut(word) {
    const full = ABBREVIATIONS.get(word);
    if (full === void 0) return withVowels(word);
    const { own } = this.#vocabulary;
    const isUsed = (part) => GENERIC_PARTS.has(part) || [...own].some((known) => known.startsWith(part));
    return own.size < FEW_WORDS || full.every(isUsed) ? full : void 0;
  }
  #isPlainWord(word) {
    return /^\d+(st|nd|rd|th)?$/.test(word) || this.#vocabulary.words.has(word.replace(/\d+$/, ""));
  }
  #nounOf(table, all) {
    const { one: own = null, many: several2 = null } = table.words ?? {};
    if (own !== null) return { one: own.split(" "), many: several2?.split(" ") ?? plural(own.split(" ")) };
    const bareName = (name4) => splitWords(name4).slice(this.#frame).join("_");
    const name3 = this.#frame === 0 ? table.name : bareName(table.name);
    const chosen2 = this.#keyNoun(table) ?? this.#choose(name3, table.friendly_name, null);
    const framed = chosen2 ?? ["table", String(all.indexOf(table) + 1)];
    const others = all.filter((other) => other !== table).map((other) => withoutFrame(this.spell(bareName(other.name))));
    const bare3 = withoutFrame(framed);
    const bareOne = singular(bare3);
    const words2 = (others.some((other) => sameWords(singular(other), bareOne)) ? framed : bare3).map(
      (word) => this.#inProse(word)
    );
    if (!isCountable(words2)) return { one: words2, many: [...words2, "records"] };
    const one2 = singular(words2);
    const many = plural(one2);
    const last = one2.at(-1)?.toLowerCase() ?? "";
    const isWord = /[aeiouy]/.test(last) && (this.#isPlainWord(last) || (this.#isTranslated ? translated(lowerWords(table.name).at(-1) ?? "") !== void 0 : WORDLIKE.test(last) && !this.#isForeign));
    const isPlural2 = /[aeiouy]/.test(last) && !sameWords(one2, words2) && sameWords(many, words2);
    if ((isWord || isPlural2) && !sameWords(one2, many)) return { one: one2, many };
    return isWord && this.#isPlainWord(last) ? { one: words2, many: words2 } : { one: words2, many: [...words2, "records"] };
  }
  /** `disp` with a key `disp_id`, described as "disposition id", has dispositions. */
  #keyNoun(table) {
    const key2 = soleKey(table);
    if (key2 === null) return null;
    const raw = withoutKey(this.spell(key2.name));
    const called = withoutKey(this.#choose(key2.name, key2.friendly_name, null) ?? []);
    return sameWords(raw, this.spell(table.name)) && !sameWords(raw, called) && called.length > 0 ? called : null;
  }
  /** Words whose first is an abbreviation of a table, such as `br_cd` of branches. */
  #ofTable(words2, tables) {
    const [first = "", ...rest2] = words2.map((word) => word.toLowerCase());
    if (rest2.length === 0 || this.isPlain([first])) return words2;
    const nouns = tables.map((table) => [this.noun(table).one, lowerWords(table).at(-1) ?? ""]);
    const [found = null] = nouns.find(
      ([noun3, raw]) => raw === first || [raw, noun3.at(-1) ?? ""].some((full) => abbreviates(first, full))
    ) ?? [];
    return found === null ? words2 : [...found, ...words2.slice(1)];
  }
  #nameColumns(table, tables) {
    const taken = /* @__PURE__ */ new Map();
    const all = table.columns.map((column2, i) => {
      if (column2.words?.noun !== void 0) return column2.words.noun.split(" ");
      const words2 = this.#choose(column2.name, column2.friendly_name, column2.description, tables);
      const [lead = "", ...rest2] = words2 ?? ["column", String(i + 1)];
      const isKey = column2.primary_key > 0 || isReferring({ table, column: column2 });
      const numbered2 = isKey && /^(num|number|no|nr)$/i.test(lead) && rest2.length > 0 && rest2[0] !== "of";
      return numbered2 ? [...rest2, "number"] : [lead, ...rest2];
    });
    const has = (part) => all.some((words2) => part.test(words2.join(" ")));
    const [first, last] = [has(/^(first name|forename)$/i), has(/^(last name|surname)$/i)];
    const named = all.map(
      (words2) => first !== last && /^name$/i.test(words2.join(" ")) ? [first ? "last" : "first", "name"] : words2
    );
    named.forEach((words2, i) => {
      const column2 = table.columns[i];
      const { noun: noun3 } = column2.words ?? {};
      if (noun3 !== void 0) {
        taken.set(noun3.toLowerCase(), column2.name);
        this.#columns.set(key(table.name, column2.name), words2);
        this.#texts.set(key(table.name, column2.name), noun3);
        return;
      }
      const clash = named.some((other, j) => i !== j && sameWords(other, words2));
      const raw = splitWords(column2.name);
      const chosen2 = clash && raw.length > 0 ? raw : words2;
      const text2 = chosen2.join(" ").toLowerCase();
      const last2 = taken.has(text2) ? [...chosen2, String(i + 1)] : chosen2;
      taken.set(last2.join(" ").toLowerCase(), column2.name);
      this.#columns.set(
        key(table.name, column2.name),
        last2.map((word) => this.#inProse(word))
      );
      this.#texts.set(key(table.name, column2.name), this.#textOf(column2, last2));
    });
  }
  /** A column's friendly name, or its own name if that is readable. */
  #textOf(column2, words2) {
    const own = sameWords(words2, tidy(this.spell(column2.name)));
    const written = own ? column2.name : column2.friendly_name;
    if (written !== null && /\s/.test(written.trim()) && isFrom(words2, written))
      return this.#proseOf(written);
    const text2 = words2.map((word) => this.#inProse(word)).join(" ");
    return text2.replace(/^num(ber)? (?!of\b)(?=\S+s\b)/, "number of ").replace(/^num /, "number of ").replace(/\bnum\b/, "number").replace(/^number of (\p{L}+)$/u, (_, word) => `number of ${plural([word]).join(" ")}`).replace(/\bavg\b/, "average").replace(/^(max|min) (?=[a-z]+[^s]s$)/, "$1imum number of ").replace(/^(max|min) /, "$1imum ").replace(/\bzip$/, "zip code").replace(/\b(phone|telephone|fax)$/, "$1 number").replace(/\bt shirt\b/, "T-shirt").replace(/\w+/g, (word) => {
      const full = ABBREVIATIONS.get(word) ?? [];
      return full.length > 0 && full.every((one2) => GENERIC_PARTS.has(one2)) ? full.join(" ") : word;
    }).replace(LAST_YEAR, " in $1");
  }
  /** A written name inside a sentence, without initial capitals. */
  #proseOf(text2) {
    const clean = text2.replace(/[()\s]*\b[Yy]\/[Nn]\b[()\s]*/g, " ").replace(/_/g, " ").replace(/ ?\(%\)/g, "").replace(/^percent /i, "percentage ").trim().replace(/[.,;:]+$/, "");
    return clean.replace(/[A-Za-z]+/g, (word) => /^[A-Z]?[a-z]+$|^[A-Z]+s?$/.test(word) ? this.#inProse(word) : word).replace(/^no\. of /, "number of ").replace(LAST_YEAR, " in $1");
  }
  /** A word in prose: acronyms stay in capitals, known words do not. */
  #inProse(word) {
    if (word.length === 1) return word;
    const upper = word.toUpperCase();
    if (ACRONYMS.has(upper)) return upper;
    if (ACRONYMS.has(upper.slice(0, -1)) && upper.endsWith("S")) return `${upper.slice(0, -1)}s`;
    if (/^ID\d+$/.test(upper)) return upper;
    const lower2 = word.toLowerCase();
    const spoken2 = this.#vocabulary.spoken.has(lower2) && !NO_NOUN.test(word);
    const acronym = word === upper || /^[^aeiouy\d]{3,}$/.test(lower2) && this.#vocabulary.own.has(lower2);
    return acronym && word.length <= 5 && !spoken2 ? upper : lower2;
  }
  /** The name itself if it is plain, else a friendly name or short description; null if none is legible. */
  #choose(name3, friendly, description, tables = []) {
    const own = tidy(this.#ofTable(this.spell(name3), tables));
    const guessed = lowerWords(name3).some((word) => !this.isPlain([word]) && /^.[^aeiou\d]{2,}$/.test(word));
    if (own.length > 0 && this.isPlain(own) && !(friendly !== null && (guessed || isAwkward(own))))
      return own;
    for (const prose2 of [friendly, shortDescription(description)]) {
      const words2 = prose2 === null ? [] : tidy(concise(splitWords(prose2)));
      if (words2.length > 0 && words2.length <= MOST_WORDS && this.isPlain(words2)) return words2;
    }
    return own.length > 0 ? own : null;
  }
};
var WORDLIKE = /^(\w{5,}|\w\w[^aeiou]e|\w[aeiou]{2}\w|gym|lot|kit|lab|zoo|pub|inn|van|pet|dog|cat|cow|pig|bed|bus|box|bag|job|toy|pie|oil)$/;
var LAST_YEAR = /(?<=\p{L}) ((?:19|20)\d\d)$/u;
function isAwkward(words2) {
  const [first = "", ...others] = words2;
  return /^(how|who|what|when|where|why|which)$/i.test(first) || others.length === 0 && PREPOSITION.test(first);
}
var NO_NOUN = /^(got|was|can|are|not|did|had|may|who|how|why|its)$/i;
var NAME_PART = /^(first|last|middle|given|family|maiden|full|short|long|display)$/i;
function tidy(words2) {
  let kept2 = [...words2];
  const text2 = kept2.join(" ").toLowerCase();
  const question2 = text2.match(/ (?:yn|yes no|yes or no)$/);
  if (question2 !== null) kept2 = kept2.slice(0, text2.slice(0, question2.index).split(" ").length);
  const last = kept2.at(-1) ?? "";
  const initials = kept2.slice(-1 - last.length, -1).map((word) => word[0]?.toLowerCase()).join("");
  if (last.length > 1 && initials === last.toLowerCase()) kept2 = kept2.slice(0, -1);
  if (/^(?:num|number|no)$/i.test(kept2[0] ?? "") && kept2[1]?.toLowerCase() === "of")
    kept2 = ["num", ...kept2.slice(2)];
  if (kept2.at(-2)?.toLowerCase() === "name" && NAME_PART.test(kept2.at(-1) ?? ""))
    kept2 = [...kept2.slice(0, -2), ...kept2.slice(-1), ...kept2.slice(-2, -1)];
  if (kept2.length > 1 && /^id$/i.test(kept2[0] ?? "")) kept2 = [...kept2.slice(1), ...kept2.slice(0, 1)];
  if (kept2.length > 1 && /^(old|new)$/i.test(kept2.at(-1) ?? ""))
    kept2 = [...kept2.slice(-1), ...kept2.slice(0, -1)];
  if (kept2.length > 1 && /^(no|nr)$/i.test(kept2.at(-1) ?? "")) kept2 = [...kept2.slice(0, -1), "number"];
  if (kept2.length > 0 && kept2.every((word) => /^\d/.test(word))) kept2 = ["column", ...kept2];
  const letters = kept2.findIndex((word) => !/^\d/.test(word));
  return letters > 0 ? [...kept2.slice(letters), ...kept2.slice(0, letters)] : kept2;
}
function withoutFrame(words2) {
  const bare3 = words2.filter(
    (word, i) => !(i === 0 && words2.length > 2 ? /^(ref|reference|tbl|dim)$/i : /^(tbl|table|tb|mstr|mst|header)$/i).test(word)
  );
  const kept2 = bare3.length > 0 ? bare3 : words2;
  const before = kept2.slice(0, -1);
  const last = kept2.at(-1)?.toLowerCase() ?? "";
  if (before.length === 0) return kept2;
  if (/^(list|info|information|profile|\d+[km]?)$/.test(last)) return withoutFrame(before);
  if (/[a-z]{3}\d+$/.test(last)) return [...before, last.replace(/\d+$/, "")];
  return last === "data" && !sameWords(singular(before), before) ? before : kept2;
}
function withoutKey(words2) {
  let kept2 = [...words2];
  if (kept2[0]?.toLowerCase() === "link" && kept2[1]?.toLowerCase() === "to") kept2 = kept2.slice(2);
  if (/^(fk|pk)$/i.test(kept2[0] ?? "")) kept2 = kept2.slice(1);
  while (kept2.length > 1 && KEY_WORDS.has(kept2.at(-1)?.toLowerCase() ?? "")) kept2 = kept2.slice(0, -1);
  return kept2;
}
function shortDescription(description) {
  if (description === null || /[,;:.!?]\s|\n/.test(description.trim())) return null;
  const words2 = splitWords(description);
  const capitals = words2.filter((word) => /^[A-Z][a-z]/.test(word)).length;
  return words2.length <= 4 && capitals < 2 ? description : null;
}
function concise(words2) {
  const text2 = words2.join(" ");
  const short = text2.replace(/^(?:the )?(?:number|no|total number|num) of (?:the )?/i, "num ").replace(/\baverages?\b/gi, "avg").replace(/\b(?:[Tt]he|[Aa]n|a)\b ?|^A /g, "").replace(/\bidentification number\b/gi, "id").replace(/\bpercentage\b/gi, "percent");
  const kept2 = short.split(" ").filter((word) => word !== "");
  if (kept2.length <= 4) return kept2;
  return kept2.filter((word) => !FUNCTION_WORDS.has(word.toLowerCase()));
}
function isFrom(words2, text2) {
  const inText = new Set(splitWords(text2).map((word) => word.toLowerCase()));
  const kept2 = words2.filter((word) => inText.has(word.toLowerCase())).length;
  return kept2 * 2 > words2.length;
}
function key(table, column2) {
  return JSON.stringify([table, column2]);
}
function vocabularyOf(catalog2, questions) {
  const words2 = new Set(COMMON_WORDS);
  const spoken2 = new Set(COMMON_WORDS);
  const own = /* @__PURE__ */ new Set();
  const add = (prose2) => {
    for (const [word] of (prose2 ?? "").matchAll(/(?<![\w'’`])(?:[A-Za-z][a-z]+|[A-Z]{2,})(?![\w`])/g)) {
      const lower2 = word.toLowerCase();
      for (const form2 of [lower2, ...singular([lower2]), ...plural([lower2])]) {
        words2.add(form2);
        own.add(form2);
        if (word !== word.toUpperCase()) spoken2.add(form2);
      }
    }
  };
  for (const { question: question2 } of questions) add(question2);
  for (const table of catalog2.tables) {
    add(table.description);
    addFriendly(table.friendly_name, table.name, add);
    for (const { words: own2 } of [table, ...table.columns])
      add(own2 === void 0 ? null : JSON.stringify(own2));
    for (const column2 of table.columns) {
      add(column2.description === column2.name ? null : column2.description);
      add(column2.value_description);
      addFriendly(column2.friendly_name, column2.name, add);
    }
  }
  return { words: words2, spoken: spoken2, own };
}
function addFriendly(friendly, name3, add) {
  if (friendly === null) return;
  if (lowerWords(friendly).join() !== lowerWords(name3).join()) add(friendly);
}

// generator/english/joins.ts
function joinEdges(query2, origins) {
  return selectsOf(query2).flatMap(
    (select) => joinConditions(select).flatMap(
      (condition2) => lookupIn(condition2, origins) ?? edgeOf(condition2, origins) ?? []
    )
  );
}
function lookupIn(expr, origins) {
  if (expr.kind !== "in_query" || expr.negated || expr.query.kind !== "select") return null;
  const { columns, limit, groupBy } = expr.query;
  const [only2, ...others] = columns;
  if (only2 === void 0 || others.length + groupBy.length > 0 || limit !== null) return null;
  const found = edgeOf({ kind: "compare", op: "=", left: expr.expr, right: only2.expr }, origins);
  if (found === null || found.parent !== only2.expr) return null;
  return origins.tableOf(found.child.source) === origins.tableOf(found.parent.source) ? null : { ...found, inSubquery: true };
}
function joinConditions(select) {
  return [...select.from.map(({ on }) => on), select.where].flatMap(conjuncts);
}
function isJoin(expr) {
  if (expr.kind === "or") return expr.items.every(isJoin);
  return expr.kind === "compare" && (expr.op === "=" || expr.op === "is") && expr.left.kind === "column" && expr.right.kind === "column" && expr.left.source !== expr.right.source;
}
function equalities(expr) {
  if (expr.kind === "or") return expr.items.flatMap(equalities);
  return isJoin(expr) ? [expr] : [];
}
function edgeOf(expr, origins) {
  if (!isJoin(expr)) return null;
  if (expr.kind === "or") {
    const edge2 = expr.items[0] === void 0 ? null : edgeOf(expr.items[0], origins);
    return edge2 === null ? null : { ...edge2, alternative: true };
  }
  if (expr.kind !== "compare") return null;
  const { left: left2, right: right2 } = expr;
  if (left2.kind !== "column" || right2.kind !== "column") return null;
  const [a, b] = [sideOf(left2, origins), sideOf(right2, origins)];
  if (a === null || b === null) return null;
  if (a.unique !== b.unique) {
    const [child2, parent] = b.unique ? [a, b] : [b, a];
    if (!mayRefer(child2, parent)) return null;
    return b.unique ? edge(left2, right2) : edge(right2, left2);
  }
  const [forth, back] = [refersTo2(a, b), refersTo2(b, a)];
  if (!forth && !back) {
    const [apart, otherApart] = [a, b].map(({ table, column: column2 }) => hasUniqueValues(table, column2));
    if (apart === otherApart && apart === false && ownName(b) === nameOf(a)) return edge(left2, right2);
    if (apart === otherApart && apart === false && ownName(a) === nameOf(b)) return edge(right2, left2);
    if (apart === otherApart) return null;
    return otherApart && mayRefer(a, b) ? edge(left2, right2) : apart && mayRefer(b, a) ? edge(right2, left2) : null;
  }
  return isReferredTo(b, a) || forth && !isReferredTo(a, b) ? edge(left2, right2) : edge(right2, left2);
}
function isReferredTo(one2, other) {
  const [apart, otherApart] = [one2, other].map(({ table, column: column2 }) => hasUniqueValues(table, column2));
  if (apart !== otherApart) return apart ?? false;
  if (!(refersTo2(one2, other) && refersTo2(other, one2))) return false;
  if (one2.unique) return one2.column.statistics.rows > other.column.statistics.rows;
  const references = ({ table, column: column2 }) => table.foreign_keys.filter(({ columns }) => columns.includes(column2.name)).length;
  const more = references(one2) - references(other);
  return more > 0 || more === 0 && ownName(one2) === nameOf(other);
}
function edge(child2, parent) {
  return { child: child2, parent, alternative: false };
}
function sideOf(column2, origins) {
  const table = origins.tableOf(column2.source);
  const found = table?.columns.find(({ name: name3 }) => name3 === column2.name);
  return table === null || found === void 0 ? null : { table, column: found, unique: isUnique(table, found) };
}
function mayJoin(a, b) {
  if (refersTo2(a, b) || refersTo2(b, a)) return true;
  const declared = (one2, other) => one2.table.foreign_keys.some((key2) => key2.references_table === other.table.name);
  const alike = [a, b].every(({ column: column2 }) => column2.type === "string") || ![a, b].some(({ column: column2 }) => column2.type === "string");
  return !(declared(a, b) || declared(b, a)) && alike && sharesWord(a, b);
}
function sharesWord(a, b) {
  const wordsOf3 = (text2) => singular(splitWords(text2)).map((word) => word.toLowerCase());
  const [left2, right2] = [a, b].map(
    ({ column: column2 }) => wordsOf3(column2.name).filter((word) => !KEY_WORDS.has(word))
  );
  const of = ({ table }) => wordsOf3(table.name);
  const among2 = (words2 = [], others = []) => words2.some((word) => others.some((other) => word.includes(other) || other.includes(word)));
  const bare3 = (words2 = []) => words2.length === 0;
  return among2(left2, right2) || among2(left2, of(b)) || among2(right2, of(a)) || bare3(left2) && bare3(right2);
}
function mayRefer(child2, parent) {
  if (refersTo2(child2, parent)) return true;
  const elsewhere = child2.table.foreign_keys.some(({ columns }) => columns.includes(child2.column.name));
  return mayJoin(child2, parent) && (!elsewhere || refersTo2(parent, child2));
}
function refersTo2(child2, parent) {
  return child2.table.foreign_keys.some(
    (key2) => key2.references_table === parent.table.name && key2.columns.includes(child2.column.name) && key2.references_columns[key2.columns.indexOf(child2.column.name)] === parent.column.name
  );
}
function isReferenceTo({ table, column: column2 }, rows) {
  return table.foreign_keys.some(
    ({ columns, references_table }) => columns.length === 1 && columns[0] === column2.name && references_table === rows.name
  );
}
function hasUniqueValues(table, column2, { orMissing } = { orMissing: false }) {
  const { rows, nulls, distinct } = column2.statistics;
  if (isUnique(table, column2)) return true;
  return rows > 1 && distinct > 1 && distinct === rows - nulls && (orMissing || nulls === 0);
}
function isLinkTable(table) {
  const tied = linked(table);
  if (tied.length < 2 || table.columns.length > 4) return false;
  const others = table.columns.filter((column2) => !tied.includes(column2) && column2.primary_key === 0);
  const keys2 = table.columns.filter(({ primary_key }) => primary_key > 0);
  return others.length <= 1 && (keys2.length === 1 || keys2.every((key2) => tied.includes(key2)));
}
function hasOwnKey(table) {
  const key2 = soleKey(table);
  return key2 !== null && !linked(table).includes(key2);
}
function linked(table) {
  const foreign = new Set(table.foreign_keys.flatMap(({ columns }) => columns));
  const own = soleKey(table);
  return table.columns.filter(
    (column2) => foreign.has(column2.name) || column2 !== own && /[_ ]id$|[a-z]I[Dd]$|^link_to_/.test(column2.name)
  );
}
function extendsParent({ child: child2, parent }, origins) {
  const [a, b] = [sideOf(child2, origins), sideOf(parent, origins)];
  if (a === null || b === null || !b.unique) return false;
  return a.unique || arePeople(a) && /^(people|persons?)$/i.test(b.table.name) && nameOf(a) === nameOf(b);
}
function arePeople({ table, column: column2 }) {
  return hasUniqueValues(table, column2) && isPerson({ one: singular(splitWords(table.name)) });
}
function absentTable(expr, origins) {
  const inner = bare2(expr);
  if (inner.kind !== "column" || !isPadded(inner.source, origins)) return null;
  const table = origins.tableOf(inner.source);
  const base = origins.baseColumn(inner);
  const on = itemOf(inner.source, origins)?.on;
  if (table === null || base === null || !on) return null;
  const joined2 = columnsOf(on).some((column2) => sameExpr(column2, inner));
  return joined2 || base.column.not_null || base.column.primary_key > 0 ? table : null;
}
function itemOf(source, origins) {
  return origins.selectOf(source)?.from.find((item) => item.source.id === source);
}
function joinFilters({ on }, select, origins) {
  const plain4 = plainJoins(select, origins);
  return conjuncts(on).filter((one2) => !plain4.has(one2));
}
function absentSources({ where }, origins) {
  return new Set(
    conjuncts(where).flatMap(
      (one2) => one2.kind === "is_null" && !one2.negated && one2.expr.kind === "column" && absentTable(one2.expr, origins) !== null ? [one2.expr.source] : []
    )
  );
}
function paddedSources(select, origins) {
  const absent = absentSources(select, origins);
  return select.from.flatMap((item, at) => {
    if (absent.has(item.source.id)) return [];
    const before = item.join === "right" || item.join === "full" ? select.from.slice(0, at) : [];
    const own = item.join === "left" || item.join === "full" ? [item] : [];
    return [...own, ...before.map((other) => ({ ...other, on: item.on }))];
  });
}
var KNOWN = /* @__PURE__ */ new WeakMap();
function plainJoins(select, origins) {
  const known = KNOWN.get(origins) ?? /* @__PURE__ */ new Map();
  KNOWN.set(origins, known);
  const found = known.get(select) ?? findPlain(select, origins);
  known.set(select, found);
  return found;
}
function findPlain(select, origins) {
  const own = new Set(select.from.map(({ source }) => source.id));
  const joins = joinConditions(select).filter(
    (one2) => isJoin(one2) && equalities(one2).every((side) => sourcesOf(side).every((id) => own.has(id)))
  );
  const sources = new Groups();
  const columns = new Groups();
  const plain4 = /* @__PURE__ */ new Set();
  const add = (one2) => {
    if (one2.kind !== "or") plain4.add(one2);
    for (const join3 of equalities(one2)) sources.tie(...sourcesOf(join3));
    if (one2.kind !== "or") for (const join3 of equalities(one2)) columns.tie(...columnPairOf(join3));
  };
  for (const one2 of finestFirst(joins, origins)) {
    const tied = equalities(one2).every((join3) => sources.areTied(...sourcesOf(join3)));
    if (!tied || isRestOfKey(one2, joins, origins)) add(one2);
  }
  for (const one2 of joins) {
    if (plain4.has(one2) || one2.kind === "or") continue;
    const known = equalities(one2).every((join3) => columns.areTied(...columnPairOf(join3)));
    const joined2 = equalities(one2).every((join3) => sources.areTied(...sourcesOf(join3)));
    if (known || (joined2 ? isRestOfKey(one2, joins, origins) : looksUp(one2, origins))) add(one2);
  }
  return plain4;
}
function finestFirst(joins, origins) {
  const references = joins.flatMap((one2) => {
    const edge2 = isReference(one2, origins) ? edgeOf(one2, origins) : null;
    return edge2 === null ? [] : [{ one: one2, edge: edge2 }];
  });
  const parents = new Set(references.map(({ edge: edge2 }) => edge2.parent.source));
  const [finest, others] = [false, true].map(
    (refers) => references.filter(({ edge: edge2 }) => parents.has(edge2.child.source) === refers).map(({ one: one2 }) => one2)
  );
  return [...finest ?? [], ...others ?? []];
}
var Groups = class {
  #next = /* @__PURE__ */ new Map();
  tie(a, b) {
    if (!this.areTied(a, b)) this.#next.set(this.#last(a), this.#last(b));
  }
  areTied(a, b) {
    return this.#last(a) === this.#last(b);
  }
  #last(one2) {
    const next = this.#next.get(one2);
    return next === void 0 ? one2 : this.#last(next);
  }
};
function isReference(one2, origins) {
  if (one2.kind === "or") return one2.items.every((item) => isReference(item, origins));
  return edgeOf(one2, origins) !== null;
}
function sourcesOf({ left: left2, right: right2 }) {
  return [left2.source, right2.source];
}
function columnPairOf({ left: left2, right: right2 }) {
  return [`${left2.source} ${left2.name}`, `${right2.source} ${right2.name}`];
}
function sidesOf(one2, origins) {
  const [join3] = equalities(one2);
  if (join3 === void 0) return null;
  const [a, b] = [origins.baseColumn(join3.left), origins.baseColumn(join3.right)];
  return a === null || b === null ? null : [a, b];
}
function looksUp(one2, origins) {
  const sides = sidesOf(one2, origins);
  if (sides === null) return false;
  const [a, b] = sides;
  if (equalities(one2).some((join3) => sourcesOf(join3).some((id) => origins.tableOf(id) === null)))
    return a.table === b.table ? a.column === b.column : mayJoin(a, b);
  if (a.table === b.table) return false;
  if (!mayJoin(a, b)) return false;
  const [apart, otherApart] = [a, b].map(({ table, column: column2 }) => hasUniqueValues(table, column2));
  if (apart !== otherApart) return true;
  return areLinked(a, b) && (apart === true || parentOf(a) === null || parentOf(a) !== parentOf(b));
}
function areLinked(a, b) {
  if (hasUniqueValues(a.table, a.column) && hasUniqueValues(b.table, b.column) && parentOf(a) !== null && parentOf(a) === parentOf(b))
    return true;
  return sharesKeyName(a, b);
}
function sharesKeyName(a, b) {
  if (isKeyName(a) && nameOf(a) === nameOf(b)) return true;
  if (ownName(a) === nameOf(b) || ownName(b) === nameOf(a)) return true;
  return [a, b].some(({ table }) => [a, b].every(({ column: column2 }) => holdsKeyOf(table, column2)));
}
function holdsKeyOf(table, column2) {
  const noun3 = nameOfWords(singular(splitWords(table.name)));
  return KEYS.some((key2) => nameOf({ table, column: column2 }).includes(`${noun3}${key2}`));
}
var KEYS = [...KEY_WORDS].filter((word) => word.length > 1);
function ownName(side) {
  const words2 = splitWords(side.column.name);
  if (words2.length !== 1 || !KEY_WORDS.has(words2[0]?.toLowerCase() ?? "")) return null;
  return nameOfWords([...singular(splitWords(side.table.name)), ...words2]);
}
function parentOf({ table, column: column2 }) {
  const key2 = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column2.name);
  return key2?.references_table ?? null;
}
function isRestOfKey(one2, joins, origins) {
  const sides = sidesOf(one2, origins);
  const [join3] = equalities(one2);
  if (sides === null || join3 === void 0) return false;
  if (sides[0].table === sides[1].table || nameOf(sides[0]) !== nameOf(sides[1])) return false;
  const pair = sourcesOf(join3);
  return joins.some(
    (other) => other !== one2 && equalities(other).some((side) => sourcesOf(side).every((id) => pair.includes(id)))
  );
}
function isKeyName({ table, column: column2 }) {
  const words2 = splitWords(column2.name);
  const declared = table.foreign_keys.some(({ columns }) => columns.includes(column2.name));
  return declared || words2.length > 1 && withoutKey(words2).length < words2.length;
}
function nameOf({ column: column2 }) {
  return nameOfWords([column2.name]);
}
function nameOfWords(words2) {
  return words2.join("").toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
function existencePartners(select, { edges, origins }) {
  const idle = new Set(idleSources(select, { edges, origins }));
  const reached2 = new Set(select.from.map(({ source }) => source.id).filter((id) => !idle.has(id)));
  const found = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const edge2 of edges) {
      const [child2, parent] = [edge2.child.source, edge2.parent.source];
      if (reached2.has(parent) && idle.has(child2) && !reached2.has(child2)) {
        found.push({ source: child2, same: extendsParent(edge2, origins) });
      }
      if (reached2.has(parent) === reached2.has(child2)) continue;
      reached2.add(child2).add(parent);
      grown = true;
    }
  }
  return found;
}
function idleSources(select, { edges, origins }) {
  const { from } = select;
  if (from.length < 2 || !from.every(isInner)) return [];
  const plain4 = plainJoins(select, origins);
  const joins = joinConditions(select).filter((one2) => plain4.has(one2) || isCorrelation(one2, select));
  const exprs = queryExprs(select);
  if (exprs.some((expr) => holdsAggregate(expr) && !ignoresRepeats(expr))) return [];
  const own = new Set(from.map(({ source }) => source.id));
  const used = new Set(joins.map(sourcesRead).flatMap((ids) => ids.every((id) => own.has(id)) ? [] : ids));
  const shown2 = select.columns.map(({ expr }) => expr);
  const note = (expr) => {
    if (joins.includes(expr)) return;
    const referred = shown2.includes(expr) ? referredKey(expr, select, { edges, origins }) : null;
    if (referred !== null) return void used.add(referred.source);
    if (expr.kind === "and") return expr.items.forEach(note);
    for (const { source } of columnsOf(expr)) used.add(source);
  };
  exprs.forEach(note);
  return prune(
    from.map(({ source }) => source.id),
    used,
    joins.map(sourcesRead)
  );
}
function ignoresRepeats(expr) {
  return exprsWithin(expr).every(
    (part) => part.kind !== "aggregate" || part.distinct || /^(max|min)$/.test(part.name)
  );
}
function prune(all, used, joins) {
  const left2 = new Set(all);
  const neighbours = (id) => new Set(
    joins.filter((pair) => pair.includes(id)).flat().filter((other) => other !== id && left2.has(other))
  );
  for (let changed = true; changed && left2.size > 1; ) {
    const leaf = [...left2].find((id) => !used.has(id) && neighbours(id).size === 1);
    changed = leaf !== void 0;
    if (leaf !== void 0) left2.delete(leaf);
  }
  return all.filter((id) => !left2.has(id));
}
function sourcesRead(join3) {
  return [...new Set(columnsOf(join3).map(({ source }) => source))];
}
function isCorrelation(one2, select) {
  return isJoin(one2) && equalities(one2).every((join3) => outerOf(join3, select) !== null);
}
function ownersOf(select, origins) {
  const owners = joinConditions(select).filter((one2) => isCorrelation(one2, select)).flatMap((one2) => ownerOf(one2, select, origins) ?? []);
  return [...new Set(owners)];
}
function ownerOf(one2, select, origins) {
  if (!isCorrelation(one2, select) || !isReference(one2, origins)) return null;
  const [first, ...others] = equalities(one2).map((join3) => outerOf(join3, select)?.source ?? null);
  return first === void 0 || others.some((other) => other !== first) ? null : first;
}
function outerOf({ left: left2, right: right2 }, { from }) {
  const [a, b] = [left2, right2].map((side) => from.some(({ source }) => source.id === side.source));
  return a === b ? null : a ? right2 : left2;
}
function rowSources(select, edges, origins) {
  const absent = absentSources(select, origins);
  const own = select.from.map(({ source }) => source.id).filter((id) => !absent.has(id));
  const parents = new Set(
    edges.filter(({ child: child2 }) => own.includes(child2.source)).map(({ parent }) => parent.source)
  );
  const left2 = own.filter((id) => !parents.has(id));
  const joins = joinConditions(select).filter(isJoin);
  for (const id of [...left2].reverse()) {
    const others = left2.filter((other) => other !== id);
    if (joins.some((join3) => findsOneRow(join3, id, others, origins))) left2.splice(left2.indexOf(id), 1);
  }
  const fixed = fixedBy(select).flatMap((expr) => origins.baseColumn(expr) ?? []);
  const free = left2.filter(
    (id) => !fixed.some(({ source, table, column: column2 }) => source === id && hasUniqueValues(table, column2))
  );
  return [free, left2, own.slice(0, 1)].find((ids) => ids.length > 0) ?? [];
}
function fixedBy(select) {
  if (select.groupBy.length > 0) return select.groupBy;
  return joinConditions(select).flatMap((one2) => {
    if (one2.kind !== "compare" || one2.op !== "=") return [];
    const inner = [one2.left, one2.right].filter(
      (side) => side.kind !== "column" || select.from.some(({ source }) => source.id === side.source)
    );
    if (inner.length === 1) return inner;
    return columnsOf(one2.right).length > 0 ? [] : [one2.left];
  });
}
function findsOneRow(join3, id, others, origins) {
  if (join3.kind !== "compare") return false;
  const sides = [join3.left, join3.right].flatMap((side) => side.kind === "column" ? [side] : []);
  const own = sides.find(({ source }) => source === id);
  const base = own === void 0 ? null : origins.baseColumn(own);
  if (base === null || !sides.some(({ source }) => others.includes(source))) return false;
  return hasUniqueValues(base.table, base.column, { orMissing: true });
}
function labelOf(table, lexicon) {
  const [called, ...more] = table.words?.called ?? [];
  const chosen2 = table.columns.find(({ name: name3, type }) => name3 === called && type === "string");
  if (chosen2 !== void 0 && more.length === 0) return chosen2;
  const ranked = table.columns.map((column2) => ({ column: column2, rank: rankOf(column2, table, lexicon) })).filter(({ rank }) => rank < NONE).sort((a, b) => a.rank - b.rank);
  return ranked[0]?.column ?? onlyText(table);
}
var NONE = 99;
function rankOf(column2, table, lexicon) {
  if (column2.type !== "string") return NONE;
  const words2 = lexicon.column(table.name, column2.name).map((word) => word.toLowerCase().replace(/^(nombre|nom|nome|naam|bezeichnung)$/, "name"));
  const noun3 = lexicon.noun(table.name).one.map((word) => word.toLowerCase());
  const [text2, whole, last] = [words2.join(" "), noun3.join(" "), noun3.at(-1) ?? ""];
  if (text2 === whole) return 0;
  if (text2 === `${whole} name` || text2 === `${last} name`) return 1;
  if (text2 === "name") return 2;
  if (text2 === "title" || text2 === `${whole} title` || text2 === `${last} title`) return 3;
  if (text2 === last) return 4;
  if (words2.at(-1) === "name" && words2.length === 2 && whole.endsWith(words2[0] ?? whole)) return 5;
  if (/^(display|long) name$/.test(text2)) return 6;
  return text2 === "full name" ? 7 : NONE;
}
function onlyText(table) {
  if (table.columns.length > 3) return null;
  const texts = table.columns.filter((column2) => column2.type === "string" && column2.primary_key === 0);
  const [only2, ...others] = texts;
  if (only2 === void 0 || others.length > 0 || table.foreign_keys.length > 0) return null;
  const { rows, distinct } = only2.statistics;
  return rows === 0 || distinct * 2 > rows ? only2 : null;
}
function keyOf2(table) {
  if (table.columns.some(({ primary_key }) => primary_key > 0)) return soleKey(table);
  return table.columns.find(({ name: name3 }) => name3.toLowerCase() === "id") ?? null;
}
function referredKey(expr, { from }, { edges, origins }) {
  const inner = bare2(expr);
  const base = inner.kind === "column" ? origins.baseColumn(inner) : null;
  const edge2 = edges.find(
    ({ child: child2, alternative }) => child2 === inner || !alternative && base !== null && child2.source === base.source && child2.name === base.column.name
  );
  const parent = edge2 === void 0 ? null : origins.baseColumn(edge2.parent);
  if (edge2 === void 0 || parent === null || keyOf2(parent.table)?.name !== parent.column.name) return null;
  return from.some(({ source }) => source.id === edge2.parent.source) ? edge2.parent : null;
}

// generator/english/shown.ts
function shownOf({ term, owner, role, stands, columns }) {
  return { term, owner, role, stands, columns };
}
function outputsOf2(select, scope) {
  return mergeNames(
    select.columns.map(({ expr }, i) => outputOf(expr, scope, i)),
    scope
  );
}
function outputOf(expr, scope, at = -1) {
  const { context } = scope;
  const inner = bare2(expr);
  const base = inner.kind === "column" ? context.origins.baseColumn(inner) : null;
  const referred = scope.query.kind === "select" ? referredKey(expr, scope.query, context) : null;
  const parent = referred === null ? null : context.origins.baseColumn(referred);
  if (referred !== null && parent !== null && roleOf(parent, context) === "key") {
    return { ...outputOf(referred, scope, at), exprs: [expr, referred] };
  }
  const table = base?.table ?? tableWithin(expr, context);
  const role = base === null ? "other" : roleOf(base, context);
  return {
    exprs: [expr],
    term: scope.term(expr),
    base,
    table,
    owner: ownerOf2(base, table, context),
    role,
    stands: role === "label" && base !== null ? standsFor(base, context) : null,
    columns: at < 0 ? [] : [at]
  };
}
function ownerOf2(base, table, context) {
  if (base !== null) return context.rowsOf(base.source);
  return table === null ? null : context.thing(table);
}
function tableWithin(expr, { origins }) {
  const [first] = exprsWithin(expr).flatMap((part) => origins.baseColumn(part) ?? []);
  return first?.table ?? null;
}
function roleOf({ table, column: column2 }, { lexicon }) {
  if (labelOf(table, lexicon)?.name === column2.name) return "label";
  return keyOf2(table)?.name === column2.name ? "key" : "other";
}
function standsFor({ table, column: column2, source }, context) {
  const role = context.roleOf(source);
  if (role !== null) return role;
  const own = context.lexicon.column(table.name, column2.name);
  const noun3 = context.thing(table);
  return own.length === 1 && noun3.one.length > 1 && own[0]?.toLowerCase() === noun3.one.at(-1)?.toLowerCase() ? { one: own, many: plural(own) } : noun3;
}
function mergeNames(outputs, { context }) {
  const merged2 = [];
  for (const output2 of outputs) {
    const person = nameOf2(output2, context);
    const partner = person === null ? void 0 : merged2.find(
      (one2) => one2.owner?.one.join() === output2.owner?.one.join() && nameOf2(one2, context) === person
    );
    if (partner === void 0) merged2.push(output2);
    else merged2[merged2.indexOf(partner)] = asPerson(partner, output2, context);
  }
  return merged2;
}
function nameOf2({ base }, { lexicon }) {
  const person = base === null ? null : personOf(lexicon.column(base.table.name, base.column.name));
  return person === null ? null : `${lower(person.whose)}|${person.number}`;
}
function asPerson(partner, output2, context) {
  const { term, base } = partner;
  const columns = [...partner.columns, ...output2.columns];
  const exprs = [...partner.exprs, ...output2.exprs];
  if (term.kind !== "property" || base === null) return { ...partner, columns, exprs };
  const person = personOf(context.lexicon.column(base.table.name, base.column.name));
  const named = (whose2) => {
    const words2 = [...whose2, "full", "name", person?.number ?? ""].filter((word) => word !== "");
    return { words: words2, text: words2.join(" ") };
  };
  const whose = endsWith(context.thing(base.table).one, person?.whose ?? []) ? [] : person?.whose ?? [];
  const role = context.roleOf(base.source);
  const whole = person?.number === "" && (whose.length === 0 || lower(whose) === lower(role?.one ?? []));
  const full = {
    ...term,
    own: named(whose),
    full: named(whose.length > 0 ? whose : term.owner?.one ?? []),
    clear: true
  };
  const names2 = [base, output2.base].flatMap(
    (one2) => one2 === null ? [] : [context.lexicon.column(one2.table.name, one2.column.name)]
  );
  const isFullName = partner.columns.length > 1 || isPersonName(names2);
  return {
    ...partner,
    exprs,
    columns,
    term: full,
    role: whole && isFullName ? "label" : partner.role === "label" ? "label" : "other",
    stands: whole && isFullName ? standsFor(base, context) : partner.stands
  };
}
function meaningOf(term, { exprOf, origins }) {
  const expr = exprOf.get(term);
  if (expr === void 0) return null;
  const plain4 = unrounded(expr, origins, 0);
  const text2 = canonicalExpr(resolved(plain4, origins, 0), origins, (id) => id);
  const number3 = exprsWithin(expr).some((part) => part.kind === "cast" && /INT|REAL|NUM/.test(part.type));
  return { text: text2, column: plain4.kind === "column", number: number3 };
}
function unrounded(expr, origins, depth) {
  const [rounded2] = expr.kind === "call" && expr.name === "round" ? expr.args : [];
  const origin = expr.kind === "column" ? origins.of(expr) : null;
  const inner = expr.kind === "cast" ? expr.expr : origin?.kind === "computed" ? origin.expr : rounded2;
  return inner === void 0 || depth > 50 ? expr : unrounded(inner, origins, depth + 1);
}
function resolved(tree, origins, depth) {
  const within2 = (expr) => resolved(expr, origins, depth + 1);
  return rewriteExprs(tree, (expr) => {
    switch (expr.kind) {
      case "cast":
      case "collate":
        return within2(expr.expr);
      case "binary": {
        const same2 = unchanged(expr);
        return same2 === null ? null : within2(same2);
      }
      case "aggregate": {
        const [arg] = expr.args;
        const rows = expr.name === "count" && !expr.distinct && arg !== void 0 && isAlwaysPresent(arg, origins);
        return rows ? within2({ ...expr, args: [], star: true }) : null;
      }
      case "and":
      case "or": {
        const items = new Map(expr.items.map((item) => [canonicalExpr(item, origins, (id) => id), item]));
        const [only2, ...others] = items.values();
        return only2 !== void 0 && others.length === 0 ? within2(only2) : null;
      }
      case "column": {
        const origin = origins.of(expr);
        if (origin.kind === "computed") return depth > 50 ? null : within2(origin.expr);
        const place2 = placeOf2(expr, origins);
        return place2 === null ? null : textLiteral(place2);
      }
      default:
        return null;
    }
  });
}
function isAlwaysPresent(expr, origins) {
  const base = origins.baseColumn(expr);
  const key2 = base !== null && base.column.primary_key > 0 && !isPadded(base.source, origins);
  return key2 || isNotNull(expr, origins);
}
function placeOf2(column2, origins) {
  const base = origins.baseColumn(column2);
  if (base === null) return null;
  let [table, name3] = [base.table, base.column.name];
  const seen = /* @__PURE__ */ new Set();
  for (; ; ) {
    const key2 = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === name3);
    const parent = key2 === void 0 ? null : origins.tableNamed(key2.references_table);
    if (key2 === void 0 || parent === null || seen.has(`${table.name}.${name3}`)) break;
    seen.add(`${table.name}.${name3}`);
    [table, name3] = [parent, key2.references_columns[0] ?? name3];
  }
  const twins = (origins.selectOf(base.source)?.from ?? []).filter(
    ({ source }) => origins.tableOf(source.id) === base.table
  );
  const at = twins.findIndex(({ source }) => source.id === base.source);
  return `${table.name}.${name3}${at > 0 ? ` of ${at + 1}` : ""}`;
}

// generator/english/lists.ts
var BARE_LIST = {
  kind: "list",
  subject: null,
  shown: [],
  columns: [],
  about: "rows",
  distinct: false,
  groups: null,
  conditions: [],
  whose: [],
  read: [],
  padded: [],
  order: [],
  limit: null,
  grain: [],
  over: null,
  crossed: [],
  tables: []
};
function leftmostList(clauses) {
  if (clauses.kind === "combined") return leftmostList(clauses.left);
  return clauses.kind === "list" ? clauses : null;
}
function isThing(one2) {
  return !("kind" in one2);
}
function withoutConstants(shown2) {
  return shown2.filter(({ term }) => term.kind !== "constant");
}
function measuresOf(groups, shown2) {
  const keys2 = [...groups.shownKeys, ...groups.companions].flatMap(({ columns }) => columns);
  return withoutConstants(shown2).filter(({ columns }) => !columns.every((column2) => keys2.includes(column2)));
}
function isMeasured({ groups, shown: shown2 }) {
  return groups !== null && measuresOf(groups, shown2).length > 0;
}
function namedGroup({
  shownKeys
}) {
  const label = shownKeys.find(({ role, stands }) => role === "label" && stands !== null);
  const shownKey = label ?? shownKeys.find(({ role, owner }) => role === "key" && owner !== null);
  const thing = label?.stands ?? shownKey?.owner ?? null;
  return shownKey === void 0 || thing === null ? null : { shownKey, thing };
}
function knownRows({
  shown: shown2,
  subject
}) {
  const label = shown2.find(
    ({ role, stands, owner }) => role === "label" && stands !== null && sameThing(owner, subject)
  );
  if (!label?.stands) return null;
  const isKey = ({ role, owner }) => role === "key" && sameThing(owner, subject);
  return {
    thing: label.stands,
    label,
    rest: withoutConstants(shown2).filter((one2) => one2 !== label && !isKey(one2))
  };
}
function showsRank({ shown: shown2 }, by) {
  const [only2, ...others] = withoutConstants(shown2);
  return only2 !== void 0 && others.length === 0 && signature(only2.term) === signature(by.of);
}
function perKeys({ groups, about }) {
  if (groups === null || about !== "groups") return [];
  return groups.unshown.length > 0 ? groups.unshown : groups.keys;
}
function groupsOf(select, shown2, scope, named) {
  const { context } = scope;
  const { origins } = context;
  const keys2 = select.groupBy.map((expr) => {
    const output2 = outputOf(expr, scope);
    return { output: output2, row: groupedRow(expr, select, context), place: placeOf3(expr, origins) };
  });
  const shownPlaces = knownPlaces(select, shown2, origins);
  const rows = reached(
    keys2.flatMap(({ row: row2 }) => row2 ?? []),
    context
  );
  const isShown = ({ output: output2, row: row2, place: place2 }) => shown2.some(({ term }) => signature(term) === signature(output2.term)) || place2 !== null && shownPlaces.has(place2) || (row2 === null ? rows.has(output2.table) : shown2.some(({ table, role }) => table === row2 && !(named && role === "other")));
  const shownKeys = keys2.filter(isShown);
  const shownRows = reached(
    shownKeys.flatMap(({ row: row2 }) => row2 ?? []),
    context
  );
  const texts = shownKeys.map(({ output: output2 }) => signature(output2.term));
  const places = new Set(shownKeys.map(({ place: place2 }) => place2));
  const inKey = ({ exprs, term, table }) => texts.includes(signature(term)) || table !== null && shownRows.has(table) || exprs.every((expr) => columnsOf2(expr, origins).every((place2) => places.has(place2)));
  const companions = shown2.filter((output2) => !inKey(output2));
  return {
    keys: keys2.map(({ output: output2 }) => output2.term),
    shownKeys: shown2.filter((output2) => !companions.includes(output2)).map(shownOf),
    unshown: keys2.filter((key2) => !shownKeys.includes(key2)).map(({ output: output2, row: row2 }) => unshownKey(output2, row2, context)),
    companions: companions.map(shownOf)
  };
}
function unshownKey({ term, base }, row2, context) {
  if (row2 === null || term.kind !== "property") return term;
  const words2 = withoutKey(term.full.words);
  if (sameWords(withoutKey(term.own.words), context.thing(row2).one)) return context.thing(row2);
  if (base !== null && base.table !== row2 && words2.length < term.full.words.length) {
    return { one: words2, many: plural(words2) };
  }
  return (term.inRole ? term.owner : null) ?? context.thing(row2);
}
function groupedTables(select, context) {
  return new Set(select.groupBy.flatMap((expr) => groupedRow(expr, select, context) ?? []));
}
function groupsItsRows(select, table, scope) {
  return select.groupBy.length > 0 && scope.context.rowTable(select) === table && select.groupBy.every((expr) => outputOf(expr, scope).table === table) && !groupedTables(select, scope.context).has(table);
}
function groupedRow(expr, select, context) {
  const { origins } = context;
  const own = rowOf(expr, context, false);
  if (own !== null || expr.kind !== "column") return own;
  const place2 = placeOf3(expr, origins);
  for (const condition2 of joinConditions(select)) {
    if (!isJoin(condition2) || condition2.kind !== "compare") continue;
    const sides = [condition2.left, condition2.right];
    const other = sides.find((side) => placeOf3(side, origins) !== place2);
    if (other === void 0 || !sides.some((side) => placeOf3(side, origins) === place2)) continue;
    const referred = context.edges.some(({ parent }) => parent === other);
    const row2 = rowOf(other, context, referred);
    if (row2 !== null) return row2;
  }
  return null;
}
function rowOf(expr, { origins, lexicon }, referred) {
  const base = origins.baseColumn(expr);
  if (base === null) return null;
  const { table, column: column2 } = base;
  const words2 = lexicon.column(table.name, column2.name);
  const naming = referred || withoutKey(words2).length < words2.length || labelOf(table, lexicon) === column2;
  const alone = isUnique(table, column2) || naming && hasUniqueValues(table, column2);
  return keyTable(expr, origins) ?? (alone ? table : null);
}
function knownPlaces(select, shown2, origins) {
  const fixed = joinConditions(select).flatMap(
    (one2) => one2.kind === "compare" && one2.op === "=" && one2.right.kind === "literal" ? [one2.left] : []
  );
  const sorted2 = select.orderBy.map(({ expr }) => expr);
  const exprs = [...shown2.flatMap((output2) => output2.exprs), ...sorted2, ...fixed];
  return new Set(exprs.flatMap((expr) => placeOf3(expr, origins) ?? []));
}
function placeOf3(expr, origins) {
  if (expr.kind !== "column") return null;
  const base = origins.baseColumn(expr);
  return JSON.stringify(base === null ? [expr.source, expr.name] : [base.source, base.column.name]);
}
function columnsOf2(expr, origins) {
  return exprsWithin(expr).flatMap((part) => placeOf3(part, origins) ?? []);
}
function reached(tables, { edges, origins }) {
  const found = new Set(tables);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { child: child2, parent } of edges) {
      if (found.has(origins.tableOf(child2.source))) found.add(origins.tableOf(parent.source));
    }
  }
  return found;
}

// generator/english/moments.ts
function datePartNoun({ part, of }, r) {
  const inner = r.noun(of);
  const scale = part === "date" || part === "month" || part === "year" ? part : "number";
  if (of.kind !== "property" || !isPlain(inner)) {
    return noun2(part, { tail: `of ${singularText(inner)}`, owner: inner.owner, scale });
  }
  const timed = part === "date" && /^\d{4}-\d{2}-\d{2}[ T]\d/.test(String(of.base?.column.statistics.max));
  return { ...inner, head: timed ? dayWords(inner.head) : partWords(part, inner.head), scale, counted: null };
}
function dayWords(head) {
  const last = head.at(-1) ?? "";
  return /^(date|time|datetime|timestamp)$/i.test(last) ? [...head.slice(0, -1), "day"] : [...head, "day"];
}
function partWords(part, name3) {
  const words2 = name3.length > 2 && name3.at(-2) === "in" ? name3.slice(0, -2) : name3;
  if (words2.at(-1)?.toLowerCase() === part) return words2;
  const isDate2 = (word) => /^(date|time|datetime|timestamp)$/i.test(word ?? "");
  const own = words2.filter(
    (word, i) => !isDate2(word) && !(word.toLowerCase() === "of" && isDate2(words2[i - 1]))
  );
  return own.some((word) => word.toLowerCase() === part) ? [part] : [...own, ...part.split(" ")];
}
function moved(of, shifts, r) {
  let moment = of;
  for (const shift of shifts) {
    const text2 = singularText(moment);
    if (shift.kind === "start")
      moment = fixedText(`start of the ${shift.unit} of ${text2}`, { scale: "date" });
    else if (shift.kind === "weekday")
      moment = fixedText(`next ${WEEKDAYS[shift.day] ?? "weekday"} from ${text2}`, { scale: "date" });
    else moment = { ...moment, tail: joinTexts(moment.tail, shiftText(shift, r)), scale: "date" };
  }
  return moment;
}
var WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
function shiftText(shift, r) {
  switch (shift.kind) {
    case "by":
      return `${shift.sign} ${shift.count} ${shift.unit}`;
    case "term":
      return `moved by ${singularText(r.noun(shift.by))}`;
    case "start":
      return `at the start of its ${shift.unit}`;
    case "weekday":
      return `at the next ${WEEKDAYS[shift.day] ?? "weekday"}`;
  }
}
function ageNoun({ of, on, years }, r) {
  const birth = r.noun(of);
  const date = singularText(r.noun(on));
  const role = birth.owner === null && of.kind === "property" ? of.owner?.one.join(" ") ?? "" : "";
  const how = { full: "full years", calendar: "calendar years", exact: "years", whole: "whole years" }[years];
  return noun2(joinTexts(role, "age"), { tail: `(in ${how} on ${date})`, owner: birth.owner });
}

// generator/english/terms.ts
function relativePronoun(thing, { style }) {
  return style !== "description" && isPerson(thing) ? "who" : "that";
}
function nounOf(term, r) {
  const text2 = (of) => singularText(r.noun(of));
  const theNumber = (of) => /^(count|summary|share)$/.test(of.kind) ? `the ${text2(of)}` : text2(of);
  switch (term.kind) {
    case "property":
      return propertyNoun(term, r);
    case "count":
      return countNoun(term, r);
    case "summary":
      return summaryNoun(term, r);
    case "share":
      return shareNoun(term, r);
    case "ratio": {
      const top2 = theNumber(term.top);
      if (!term.percent)
        return noun2("ratio", {
          tail: `of ${top2} to ${sameNumber(term.top, term.bottom, r) ?? theNumber(term.bottom)}`
        });
      const of = r.noun(term.top);
      const all = ofTheSame(term.top, term.bottom, r) ?? theNumber(term.bottom);
      return behind(of, `as a percentage of ${all}`);
    }
    case "change": {
      const kind2 = term.loss ? "decrease" : "change";
      const start = theNumber(term.from);
      const end = sameNumber(term.from, term.to, r) ?? theNumber(term.to);
      return noun2(kind2, {
        lead: term.percent ? "percentage" : "relative",
        tail: `from ${start} to ${end}`
      });
    }
    case "per_owner": {
      const of = r.noun(term.of);
      const lead = joinTexts(term.average ? "average" : "", of.lead);
      return { ...behind(of, `per ${oneOf(term.owner)}`), lead };
    }
    case "arithmetic":
      return arithmeticNoun(term, r);
    case "date_part":
      return datePartNoun(term, r);
    case "moved":
      return moved(r.noun(term.of), term.shifts, r);
    case "duration": {
      const ends = [term.from, term.to];
      const owners = ends.map((end) => end.kind === "property" ? end.owner : null);
      const whose = owners.includes(null) || sameThing(owners[0] ?? null, owners[1] ?? null) ? r.subject : null;
      const [from, to] = ends.map((end) => singularText(r.about(whose).noun(end)));
      const tail = `from ${from} to ${to}`;
      const counted = joinTexts(term.full ? "full" : "", term.unit, tail);
      return fixedText(counted, { counted });
    }
    case "age":
      return ageNoun(term, r);
    case "constant":
      return fixedText(constantText(term));
    case "given":
      return fixedText(r.given(term, noun2("number"), "value"));
    case "check":
      return fixedText(`whether ${r.clause(term.condition)}`);
    case "one_of":
      return oneOfNoun(term, r);
    case "derived": {
      const of = r.noun(term.of);
      const inner = term.of;
      const isApart = inner.kind === "arithmetic" && inner.op === "-" && inner.items.length === 2;
      if (isApart && term.word === "absolute")
        return noun2("difference", { lead: term.word, tail: `between ${listed(inner.items.map(theNumber))}` });
      if (term.place === "before") return { ...of, lead: joinTexts(term.word, of.lead), counted: null };
      if (term.place === "after") return behind(of, term.word);
      const more = term.more.map(text2);
      if (term.word === "field") {
        const path = more.join(" ").replace(/^"[$.]*|"$/g, "");
        if (path.length < 3) return noun2("field", { tail: joinTexts(path, `in ${singularText(of)}`) });
        return noun2(`${path} in ${singularText(of)}`, { whole: false });
      }
      const tail = `of ${singularText(of)}${more.length === 0 ? "" : ` and ${listed(more)}`}`;
      return noun2(term.word, { tail });
    }
    case "piece":
      return pieceNoun(term, r);
    case "fallback":
      return fallbackNoun(term, r);
    case "joined_text": {
      if (term.person !== null) return noun2(term.person.text, { scale: "text", owner: ownerOf3(term.items) });
      return fixedText(`${listed(term.items.map(text2))} joined`, { scale: "text" });
    }
    case "window":
      return windowNoun(term, r);
    case "query": {
      const own = ownCount(term.query, r);
      if (own !== null) return own;
      return fixedText(r.query(term.query, true));
    }
    case "tuple":
      return fixedText(listed(term.items.map(text2)));
  }
}
function ofTheSame(top2, bottom, r) {
  if (top2.kind !== "count" || bottom.kind !== "count" || top2.distinct || bottom.distinct) return null;
  const [of, things] = [top2.of, bottom.of];
  if (!isThing(of) || !isThing(things) || !sameThing(of, things) || bottom.having !== null) return null;
  const limits = countLimits(bottom, things, r);
  return limits === "" ? `all ${manyOf(things)}` : `those ${limits}`;
}
function ownCount(query2, r) {
  if (query2.kind !== "list" || query2.about !== "all" || query2.whose.length === 0 || r.style !== "summary")
    return null;
  const [only2, ...others] = query2.columns;
  if (only2?.kind !== "count" || others.length > 0 || query2.read.length > 0) return null;
  const np = r.about(query2.subject).noun(only2);
  const limits = r.about(query2.subject).adjuncts(query2.conditions, "with");
  const counted = joinTexts(np.counted ?? "", limits);
  return noun2("number", { tail: `of ${counted}`, scale: "count", counted });
}
function isOfSubject({ owner, part }, subject) {
  return sameThing(owner, subject) || sameThing(part, subject);
}
function ownNoun(term, r) {
  const np = r.noun(term);
  const { subject } = r;
  if (term.kind !== "property" || subject === null || r.style === "description" || !isOfSubject(term, subject))
    return np;
  const rest2 = np.head.slice(subject.one.length);
  const starts = np.lead === "" && np.head.slice(0, subject.one.length).join(" ") === subject.one.join(" ");
  return starts && OWN.test(rest2.join(" ")) ? { ...np, head: rest2 } : np;
}
var OWN = /^(age|name|title|code|description|text|type|kind|status|date|year|size|price|amount|rating|score|rank|weight|height|length|level|duration)$/;
function propertyNoun(term, r) {
  const own = isOfSubject(term, r.subject);
  const { counts: counts2, quantity } = wordsFor(term);
  const isKey = term.own.words.length > 1 && withoutKey(term.own.words).length < term.own.words.length || term.base !== null && term.base.column.words?.noun !== void 0 && isReferring(term.base);
  const plain4 = own || term.clear && (r.subject === null || isKey || !r.detail.whose);
  const { text: text2 } = plain4 ? term.own : term.full;
  return noun2(own && r.style !== "description" ? withoutOwnerAfter(text2, r.subject) : text2, {
    owner: plain4 ? term.owner : null,
    scale: term.scale,
    counted: plain4 && counts2 !== void 0 ? counts2 : null,
    value: quantity ?? "",
    whole: term.base?.column.type !== "number"
  });
}
function withoutOwnerAfter(text2, subject) {
  const end = subject === null ? "" : ` of ${oneOf(subject)}`;
  return end !== "" && text2.endsWith(end) ? text2.slice(0, -end.length) : text2;
}
function ownerOf3(items) {
  const [first] = items;
  return first?.kind === "property" ? first.owner : null;
}
function countNoun(count3, r) {
  const { of, distinct } = count3;
  const named = !isThing(of) && of.kind === "property" && of.own.text === of.owner?.one.join(" ");
  const what = isThing(of) ? countedThings(of) : named ? `${of.own.text} names` : pluralText(r.style === "question" ? ownNoun(of, r) : r.noun(of));
  const about = isThing(of) ? of : r.subject;
  const counted = joinTexts(distinct ? "different" : "", what, countLimits(count3, about, r));
  return noun2("number", { tail: `of ${counted}`, scale: "count", counted });
}
function countedThings(of) {
  const isMass = isMassNoun(of.many.at(-1) ?? "") && !of.many.some((word) => PREPOSITION.test(word));
  return isMass ? `${manyOf(of)} records` : manyOf(of);
}
function countLimits({ known, where, having }, about, r) {
  return joinTexts(
    knownText(known, about, r),
    having === null ? "" : joinTexts(
      `${relativePronoun(about, r)} have`,
      manyOf(having.thing),
      r.about(having.thing).adjuncts(having.where)
    ),
    where === null ? "" : r.about(about).adjuncts([where], "with")
  );
}
function knownText(known, about, r) {
  if (known === null || known.always && r.style !== "description") return "";
  if (known.of.kind === "check")
    return `for which it is known ${singularText(r.about(about).noun(known.of))}`;
  return `with ${withArticle(presentNoun(r.about(about).noun(known.of), about))}`;
}
function summaryNoun(term, r) {
  const apart = term.of.kind === "property" && !isOfSubject(term.of, r.subject) && !term.of.inRole;
  const owner = apart && term.of.kind === "property" ? term.of.owner : null;
  const wide = owner !== null && (owner.one.length > 1 || singularText(r.noun(term.of)).includes("'s "));
  const long = (wide || apart && term.such) && r.subject !== null && r.style !== "description";
  const own = r.style === "question" ? ownNoun(term.of, r) : r.noun(term.of);
  const of = long && term.of.kind === "property" ? behind({ ...own, head: term.of.own.text.split(" ") }, `of ${owner === null ? "" : manyOf(owner)}`) : own;
  const limits = term.where === null ? "" : r.about(term.such ? owner : of.owner).adjuncts([term.where]);
  const known = knownText(term.known, of.owner, r);
  const zeros = term.zeros ? "(0 where missing)" : "";
  const divided = known === "" ? zeros : `(the total divided by the number of rows ${known})`;
  const where = joinTexts(divided, limits);
  if (term.name === "list") {
    const order = term.order === null ? "" : `in the order of ${singularText(r.noun(term.order))}`;
    const tail = joinTexts("of", term.distinct ? "different" : "", pluralText(of), order, where);
    return noun2("list", { lead: "joined", tail, scale: "text", owner: of.owner });
  }
  const word = summaryWord(term, of.scale);
  const counted = of.lead === "" && of.tail === "" && of.head.length === 1 ? rankedPlural(of) : null;
  if (counted !== null && term.name !== "total" && !term.distinct && r.style !== "description")
    return noun2("number", { lead: word, tail: joinTexts(`of ${counted}`, where), owner: of.owner });
  const chosen2 = term.of.kind === "one_of" && of.head.length === 0;
  if (chosen2) return noun2(word, { tail: joinTexts(`of (${singularText(of)})`, where), owner: of.owner });
  if (term.distinct && (r.style === "description" || /^(total|average)$/.test(term.name))) {
    return noun2(word, {
      tail: joinTexts(`of the different values of ${singularText(of)}`, where),
      owner: of.owner
    });
  }
  const again = of.lead.startsWith(word) || of.head[0]?.toLowerCase() === word || MEANING[word] !== void 0 && of.head.some((one2) => one2.toLowerCase() === word);
  const lead = again && /^(highest|lowest|latest|earliest)$/.test(word) ? of.lead : joinTexts(again ? MEANING[word] ?? word : word, of.lead);
  return {
    ...behind(of, where),
    value: of.value,
    lead: again && of.lead === "" && lead === word ? "" : lead,
    scale: isMoment(of.scale) ? of.scale : "number"
  };
}
var MEANING = { total: "combined", average: "mean" };
function summaryWord({ name: name3, call: call2 }, scale) {
  if (name3 === "other") return call2.replace(/[^a-z0-9]+/g, " ").trim();
  if (!isMoment(scale)) return name3;
  return name3 === "highest" ? "latest" : name3 === "lowest" ? "earliest" : name3;
}
function shareNoun({ of, where, percent, distinct, met, known }, r) {
  const term = isThing(of) ? null : r.noun(of);
  const about = isThing(of) ? of : term?.owner ?? null;
  const whose = term === null || term.owner === null ? "" : `of ${manyOf(term.owner)}`;
  const named = term === null ? "" : distinct ? pluralText(term) : singularText(term);
  const all = isThing(of) ? manyOf(of) : joinTexts(named, whose);
  const [asked, there] = [knownText(met, about, r), knownText(known, about, r)];
  const limits = [
    where === null ? "" : r.about(about).adjuncts([where], "with"),
    asked === "" ? "" : `(only those ${asked})`,
    there === "" ? "" : `among those ${there}`
  ];
  const kept2 = where === null ? `all ${all}` : joinTexts(distinct ? "different" : "", all);
  return noun2(percent ? "percentage" : "share", { tail: joinTexts("of", kept2, ...limits) });
}
function arithmeticNoun(term, r) {
  const short = r.style === "description" ? null : differenceNoun(term, r);
  if (short !== null) return short;
  const phrases = term.items.map((item) => r.noun(item));
  const [first, second] = phrases;
  if (first === void 0) return fixedText("value");
  if (term.step !== null) return behind(first, `rounded down to a multiple of ${term.step}`);
  if (second === void 0) return first;
  const constant = term.items.findIndex((item) => item.kind === "constant" || item.kind === "given");
  const withConstant = constant >= 0 && term.items.length === 2;
  const rest2 = phrases.slice(1).map(enclosed);
  const of = (word) => ({
    ...behind(first, `${word} ${rest2.join(` ${word} `)}`),
    owner: constant < 0 ? null : first.owner
  });
  switch (term.op) {
    case "+":
      if (!withConstant) return noun2("sum", { tail: `of ${listedOnce(phrases.map(singularText))}` });
      return constant === 0 ? behind(second, `plus ${enclosed(first)}`) : of("plus");
    case "-": {
      const left2 = of("minus");
      return isMoment(left2.scale) && !withConstant ? { ...left2, scale: "number" } : left2;
    }
    case "*":
      if (withConstant) {
        const [number3, what] = constant === 0 ? [first, second] : [second, first];
        const text2 = singularText(what);
        const factor = /^(average|total|highest|lowest|number)$/.test(what.lead) && !isTaken(what) ? `the ${text2}` : enclosed(what);
        return fixedText(`${singularText(number3)} times ${factor}`, { owner: what.owner });
      }
      return noun2("product", { tail: `of ${listed(phrases.map(singularText))}` });
    case "/": {
      const divided = isTaken(first) ? fixedText(`${enclosed(first)} divided by ${rest2.join(" ")}`, { owner: of("").owner }) : of("divided by");
      return term.whole ? { ...divided, tail: `${divided.tail} (rounded down)` } : divided;
    }
    case "%":
      return noun2("remainder", {
        tail: `of ${singularText(first)} divided by ${rest2.join(" ")}`
      });
  }
}
function differenceNoun({ op, items }, r) {
  const [one2, other, ...rest2] = items;
  if (op !== "-" || one2 === void 0 || other === void 0 || rest2.length > 0) return null;
  const first = r.noun(one2);
  const same2 = sameNumber(one2, other, r);
  if (same2 !== null) return { ...behind(first, `minus ${same2}`), owner: null };
  if (other.kind !== "window" || other.place !== "previous" || other.of === null) return null;
  const [by, ...more] = other.order;
  if (by === void 0 || more.length > 0 || other.within.length > 0 || !sameTerm(one2, other.of)) return null;
  const of = r.noun(one2);
  const tail = `in ${singularText(of)} from the previous ${singularText(r.noun(by.of))}`;
  return noun2("change", { tail, owner: of.owner });
}
function sameNumber(one2, other, r) {
  if (r.style === "description" || !(one2.kind === "count" || one2.kind === "summary") || one2.kind !== other.kind)
    return null;
  if (other.where === null || !sameTerm({ ...one2, where: null }, { ...other, where: null })) return null;
  if (other.kind === "count")
    return isThing(other.of) ? `the number ${countLimits(other, other.of, r)}` : null;
  const { owner, scale } = r.noun({ ...other, where: null });
  if (one2.where === null || !/^(total|average)$/.test(other.name)) return null;
  return `the ${summaryWord(other, scale)} ${r.about(owner).adjuncts([other.where])}`;
}
function isTaken(np) {
  return / (plus|minus) /.test(singularText(np));
}
function enclosed(np) {
  const text2 = singularText(np);
  return / (plus|minus|times|divided by|and) /.test(text2) ? `(${text2})` : text2;
}
function constantText({ text: text2, type }) {
  if (text2 === null) return { text: "a fixed text", time: "a fixed date" }[type] ?? "a fixed value";
  if (text2 === "") return "an empty text";
  if (type === "time") return text2.slice(0, 10);
  return type === "text" ? `"${text2}"` : text2;
}
function oneOfNoun({ cases, otherwise, by }, r) {
  const text2 = (of) => singularText(r.noun(of));
  const label = (what) => fixedText(what, { scale: "text" });
  const results = [...cases.map(({ result }) => result), ...otherwise === null ? [] : [otherwise]];
  const constants = results.every(({ kind: kind2 }) => kind2 === "constant");
  if (by !== null && (cases.length > 4 || constants && cases.length > 1))
    return label(`label for ${text2(by)}`);
  const [first] = cases;
  if (cases.length > 4 && first !== void 0)
    return label(`label by whether ${r.clause(first.when)} and so on`);
  const known = cases.filter(({ result }) => result.kind !== "constant" || result.type !== "null");
  const [only2, ...others] = known;
  const unshown = results.every((one2) => one2.kind === "constant" && one2.text === null);
  if (unshown && only2 !== void 0 && others.length === 0)
    return label(`label by whether ${r.clause(only2.when)}`);
  const parts2 = known.map(({ when, result }) => `${text2(result)} if ${r.clause(when)}`);
  const none = otherwise === null || otherwise.kind === "constant" && otherwise.type === "null";
  const all = [...parts2, ...none ? [] : [`else ${text2(otherwise)}`]].join(", ");
  return label(constants ? `label (${all})` : all);
}
function pieceNoun({ of, from, count: count3, mark, computed }, r) {
  const np = r.noun(of);
  const piece = (head, lead, which2, rest2 = "") => noun2(head, {
    lead,
    tail: joinTexts(which2, `of ${singularText(np)}`, rest2),
    scale: "text",
    owner: np.owner
  });
  const characters = (lead, which2) => piece("characters", lead, which2);
  if (mark !== null) {
    const where = `${mark.side} ${singularText(r.noun(mark.text))}`;
    return count3 === null ? piece("part", "", "", where) : piece("characters", `first ${count3}`, "", where);
  }
  if (computed !== null) {
    const begins = `from character (${singularText(r.noun(computed.from))}) on`;
    const long = computed.count === null ? "" : `, (${singularText(r.noun(computed.count))}) characters long`;
    return piece("part", "", "", `${begins}${long}`);
  }
  if (from === null) return piece("part", "", "");
  if (from < 0) {
    const all = count3 === null || count3 >= -from;
    return all ? characters(`last ${-from}`, "") : characters(`${count3}`, `from ${-from} before the end`);
  }
  const start = Math.max(from, 1);
  const length = count3 === null ? null : from === 0 ? count3 - 1 : count3;
  if (length === null) return characters("", `from ${start} on`);
  if (length === 1) return start === 1 ? piece("character", "first", "") : piece("character", "", `${start}`);
  return start === 1 ? characters(`first ${length}`, "") : characters("", `${start} to ${start + length - 1}`);
}
function fallbackNoun({ how, items }, r) {
  const phrases = items.map((item) => r.noun(item));
  const [first, ...others] = phrases;
  if (first === void 0) return fixedText("value");
  const rest2 = others.map(singularText);
  const constant = items.findIndex(({ kind: kind2 }) => kind2 === "constant" || kind2 === "given");
  const [value, bound] = constant === 0 ? [phrases[1], first] : [first, phrases[constant]];
  switch (how) {
    case "greatest":
    case "least":
      if (items.length === 2 && value !== void 0 && bound !== void 0 && constant >= 0)
        return behind(value, `(at ${how === "least" ? "most" : "least"} ${singularText(bound)})`);
      return noun2(how, { tail: `of ${listed(phrases.map(singularText))}`, scale: first.scale });
    case "known":
      return behind(first, `(${constant > 0 ? "" : "or "}${rest2.join(" or ")} if missing)`);
    case "unless":
      return behind(first, `other than ${rest2.join(" or ")}`);
  }
}
function windowNoun(term, r) {
  const text2 = (of2) => singularText(r.noun(of2));
  const overall = term.rank === null && term.place === null && term.reach === "all" ? "over all rows" : "";
  const within2 = term.within.length === 0 ? overall : `within each ${listed(term.within.map(text2))}`;
  const sorts = term.order.filter((sort, i) => term.order.findIndex(({ of: of2 }) => sameTerm(of2, sort.of)) === i);
  if (term.rank !== null) {
    const by2 = sorts.map(({ of: of2, direction }) => {
      const np = r.noun(of2);
      const order2 = orderText(np.scale, direction, np.head.join(" "));
      return joinTexts(singularText(np), order2 === "" ? "" : `(${order2})`);
    });
    return noun2(term.rank, { tail: joinTexts(by2.length === 0 ? "" : `by ${listed(by2)}`, within2) });
  }
  const own = term.of === null ? fixedText("value") : r.noun(term.of);
  const of = term.reach === "running" ? { ...own, lead: own.lead.replace(/^combined total/, "total") } : own;
  const lead = term.place ?? (term.reach === "all" ? "" : term.reach);
  const over = term.frame === null ? "" : `over ${term.frame}`;
  const keys2 = sorts.map(
    ({ of: key2, direction }) => joinTexts(text2(key2), direction === "desc" ? "descending" : "")
  );
  const [by] = sorts;
  const runs = term.reach === "running" || term.place === "previous" || term.place === "next";
  const isPlain2 = runs && r.style !== "description" && sorts.length === 1 && by?.direction === "asc" && isTime(r.noun(by.of));
  const order = lead === "" || keys2.length === 0 || isPlain2 ? "" : `in the order of ${listed(keys2)}`;
  return { ...behind(of, joinTexts(over, order, within2)), lead: joinTexts(lead, of.lead) };
}
function isTime(np) {
  return isMoment(np.scale) || /(^| )(year|quarter|month|week|day|date|time|period)$/.test(np.head.join(" "));
}
function sortText({ of, direction }, r) {
  const np = r.noun(of);
  const { highest, lowest } = r.style === "description" ? {} : wordsFor(of);
  const own = direction === "desc" ? highest : lowest;
  const order = own === void 0 ? orderText(np.scale, direction, np.head.join(" ")) : `${own} first`;
  const isKey = direction === "asc" && np.scale === "number" && /^ID$/.test(np.head.at(-1) ?? "");
  if (order === "" || isKey) return singularText(np);
  return joinTexts(singularText(np) + (np.scale === "text" ? "" : ","), order);
}

// generator/english/ranking.ts
function headText(list2, r, naming = {}) {
  const once = list2.over === null || !r.detail.order ? "" : `(once for each ${oneOf(list2.over)})`;
  if (list2.about === "all") return { lead: measuresText(list2.shown, r), rest: once };
  if (list2.about === "groups" && list2.groups !== null && isMeasured(list2))
    return groupedHead(list2, list2.groups, r, naming);
  const { lead, rest: rest2 } = rowsHead(list2, r, { many: true, ...naming });
  const unshown = list2.groups?.unshown ?? [];
  const per = unshown.length === 0 || list2.distinct ? "" : `(one per ${listed(unshown.map((one2) => keyText(one2, r.about(null))))})`;
  return { lead, rest: joinTexts(rest2, per) };
}
function groupedHead(list2, groups, r, { ofGroups, given }) {
  const about = r.about(measuredThing(list2));
  const lead = measuresText(measuresOf(groups, list2.shown), about);
  const isNamed = ({ owner }) => groups.unshown.some((one2) => isThing(one2) && sameThing(one2, owner));
  const named = groups.shownKeys.filter(isNamed);
  const others = groups.shownKeys.filter((one2) => !isNamed(one2));
  const shownKeys = shownKeyTexts({ ...groups, shownKeys: others }, about, ofGroups, given);
  const unshown = groups.unshown.map((one2) => keyText(one2, about));
  const keys2 = groups.shownKeys.length === 0 && unshown.length === 0 ? groups.keys.map((key2) => singularText(about.noun(key2))) : [];
  const per = listed([.../* @__PURE__ */ new Set([...shownKeys, ...unshown, ...keys2])]);
  const titles = named.filter(({ role, term, owner }) => {
    const text2 = singularText(r.about(owner).noun(term));
    return role !== "label" && !/^(name|title)$/.test(text2);
  });
  const beside = companionsText({ ...groups, companions: [...titles, ...groups.companions] }, r);
  return { lead, rest: joinTexts(per === "" ? "" : `per ${per}`, beside) };
}
function companionsText({ companions }, r) {
  const beside = companions.map((one2) => singularText(r.about(null).noun(one2.term)));
  return beside.length === 0 ? "" : `(with ${beside.length > 3 ? OTHERS : listed(beside)})`;
}
function shownKeyTexts(groups, r, limits = "", given = []) {
  const named = namedGroup(groups);
  const texts = groups.keys.map(signature);
  const others = withoutConstants(groups.shownKeys).filter(
    (one2) => named === null || one2 !== named.shownKey && !sameThing(one2.owner, named.shownKey.owner) && texts.includes(signature(one2.term))
  );
  const limited = (thing) => joinTexts(oneOf(thing), limits);
  const theirs = named === null ? [] : (
    // Works grouped by their titles are counted per title.
    [
      sameThing(named.thing, r.subject) ? singularText(r.noun(named.shownKey.term)) : limited(named.thing)
    ]
  );
  const rest2 = others.map(
    ({ term }) => joinTexts(given.includes(signature(term)) ? "given" : "", singularText(r.noun(term)))
  );
  return limits === "" ? [...theirs, ...rest2] : [...rest2, ...theirs];
}
function keyText(key2, r) {
  return isThing(key2) ? oneOf(key2) : singularText(r.noun(key2));
}
function measuresText(measures, r, which2 = "") {
  const [alone, ...more] = withoutConstants(measures);
  if (more.length === 0 && alone?.term.kind === "summary" && alone.term.where !== null) {
    const { owner: owner2, ...np } = r.noun({ ...alone.term, where: null });
    if (owner2 !== null && np.tail === "" && r.style === "summary")
      return joinTexts(
        singularText({ ...np, owner: owner2 }),
        "of",
        `${which2}${manyOf(owner2)}`,
        r.about(owner2).adjuncts([alone.term.where])
      );
  }
  const phrases = withoutConstants(measures).map(({ term }) => r.noun(which2 === "" ? term : ofAll(term)));
  if (phrases.length > 8)
    return `${listed(phrases.slice(0, 5).map(singularText))} and ${phrases.length - 5} more numbers`;
  const [first, ...others] = [...new Set(phrases.map(singularText))];
  const counted = measures[0]?.term.kind === "count" ? measures[0].term.of : null;
  if (first !== void 0 && others.length > 0 && counted !== null && isThing(counted)) {
    const theirs = phrases.slice(1).every((one2) => sameThing(one2.owner, counted));
    if (theirs) return `${first} and their ${listed(others)}`;
  }
  const text2 = sharedHead(phrases) ?? listed([first ?? "", ...others]);
  const owner = phrases[0]?.owner ?? null;
  const all = owner !== null && phrases.every((one2) => sameThing(one2.owner, owner));
  return all && (which2 !== "" || !mentions(text2, owner)) ? `${text2} of ${which2}${manyOf(owner)}` : text2;
}
function sharedHead(phrases) {
  const leads = [...new Set(phrases.map(({ lead }) => lead))];
  const [first] = phrases;
  const same2 = phrases.every((np) => np.head.join() === first?.head.join() && np.tail === first.tail);
  if (first === void 0 || !same2 || leads.length < 2 || leads.includes("") || first.tail.includes(" of "))
    return null;
  return joinTexts(listed(leads), first.head.join(" "), first.tail);
}
function ofAll(term) {
  if (term.kind === "arithmetic") return { ...term, items: term.items.map(ofAll) };
  if (term.kind !== "count" || term.distinct || !isThing(term.of)) return term;
  const [one2, many] = [oneOf(term.of), `all ${manyOf(term.of)}`];
  return { ...term, of: { ...term.of, text: { one: one2, many } } };
}
function mentions(text2, { one: one2, many }) {
  const words2 = ` ${text2.toLowerCase()} `;
  return [one2, many].some(
    (noun3) => words2.includes(` ${noun3.join(" ").toLowerCase()} `) || words2 === ` ${noun3.at(-1)?.toLowerCase()} `
  );
}
function rowsHead(list2, r, naming) {
  const { many, article: which2 = "a", before = "", limited = false } = naming;
  const { shown: shown2, subject } = list2;
  const the = before === "" ? "" : "the";
  const rows = (thing) => joinTexts(before, many ? manyOf(thing) : oneOf(thing));
  const known = knownRows(list2);
  if (known !== null) {
    const { checks, plain: plain5 } = splitChecks(known.rest);
    const whether2 = r.detail.columns === 0 ? [] : checks.map(({ term }) => singularText(r.noun(term)));
    const columns2 = plain5.map((one2) => ofOwner(ownPhrase(one2, r), known.thing));
    const text3 = columnsText(columns2, many, r) || (checks.length > whether2.length ? DETAILS : "");
    const theirs = text3 === "" ? "" : `and ${many ? "their" : possessive(list2)} ${text3}`;
    const asked = whether2.map((one2) => `and ${one2}`);
    if (!limited || text3 === "" || !sameThing(known.thing, subject))
      return { lead: rows(known.thing), rest: joinTexts(theirs, ...asked) };
    const first = ofOwner(labelPhrase(known.label, r), known.thing);
    const all2 = text3 === DETAILS ? DETAILS : columnsText([first, ...columns2], many, r);
    return { lead: joinTexts(all2, ...asked, "of", many ? the : which2, rows(known.thing)), rest: "" };
  }
  const [only2] = shown2;
  const { about, groups } = list2;
  const values = about === "groups" && groups !== null && groups.companions.length === 0 && groups.unshown.length === 0;
  const columns = withoutConstants(shown2);
  const split = splitChecks(columns);
  const plain4 = split.plain.length > 0 ? split.plain : columns;
  const phrases = plain4.map((one2) => values ? groupNoun(one2.term, list2, r) : ownPhrase(one2, r));
  if (phrases.length === 0) return { lead: subject === null ? "fixed values" : rows(subject), rest: "" };
  const own = !values && subject !== null && phrases.some(({ owner }) => sameThing(owner, subject));
  const text2 = columnsText(phrases, many, r);
  const named = singularText(phrases[0] ?? noun2("")) === subject?.one.at(-1) && phrases.length === 1;
  if (named && own && subject !== null && limited && subject.one.length > 1)
    return { lead: rows(subject), rest: "" };
  const ends = subject !== null && (text2.endsWith(manyOf(subject)) || text2.endsWith(oneOf(subject)));
  const clear = subject === null || subject.text !== void 0 || text2 !== DETAILS && (!own || (ends || !limited || about !== "rows") && (shown2.length === 1 && only2?.role !== "key" && mentions(text2, subject) || allMention(phrases, subject)));
  const whose = subject !== null && (!clear || before !== "" || limited && about === "rows" && !ends);
  const lead = whose ? joinTexts(
    columnsText(
      phrases.map((np) => ofOwner(np, subject)),
      many,
      r
    ),
    /^whether /.test(text2) ? "for" : "of",
    many ? the : which2,
    rows(subject)
  ) : text2;
  const all = plain4 !== columns && r.detail.columns > 0;
  const whether = all ? split.checks.map(({ term }) => singularText(r.noun(term))) : [];
  const left2 = split.checks.length > 0 && plain4 !== columns && !all && !text2.endsWith(OTHERS) ? [OTHERS] : [];
  if (left2.length > 0)
    return {
      lead: joinTexts([text2, ...left2].join(" and "), subject === null ? "" : `of ${rows(subject)}`),
      rest: ""
    };
  return { lead: [lead, ...whether].join(" and "), rest: "" };
}
function groupNoun(term, { order, conditions }, r) {
  const terms = [...order, ...conditions].flatMap((one2) => "of" in one2 ? [one2.of] : []);
  const counted = terms.flatMap((one2) => one2.kind === "count" && isThing(one2.of) ? [one2.of] : []);
  const owner = r.style === "description" ? null : counted.find((one2) => term.kind === "property" && isOfSubject(term, one2));
  return r.about(owner ?? null).noun(term);
}
function ofOwner(np, { one: one2 }) {
  const rest2 = np.head.slice(one2.length).join(" ");
  const starts = np.lead === "" && np.head.slice(0, one2.length).join(" ") === one2.join(" ");
  const plain4 = /^ID$|(^| )(name|title|code|phone number|description|text|type|kind|status|date)$/.test(rest2);
  return starts && plain4 ? { ...np, head: np.head.slice(one2.length) } : np;
}
function labelPhrase({ term, columns, stands }, r) {
  return columns.length > 1 ? noun2("name") : presentNoun(r.noun(term), stands);
}
function splitChecks(shown2) {
  const checks = shown2.filter(({ term }) => term.kind === "check");
  return { checks, plain: shown2.filter((one2) => !checks.includes(one2)) };
}
function possessive({ shown: shown2, subject }) {
  const label = shown2.find(({ role }) => role === "label");
  return (label?.columns.length ?? 0) > 1 || isPerson(label?.stands ?? subject) ? "their" : "its";
}
function allMention(phrases, subject) {
  return phrases.every((np) => mentions(singularText(np), subject));
}
function ownPhrase({ term, owner }, r) {
  const np = r.noun(term);
  if (term.kind !== "property" || sameThing(owner, r.subject) || owner === null || r.subject === null)
    return np;
  return { ...np, head: term.full.text.split(" "), owner: null };
}
var DETAILS = "details";
var OTHERS = "other details";
function columnsText(phrases, many, r) {
  const texts = [...new Set(phrases.map((np) => many ? pluralText(np) : singularText(np)))];
  const most = r.detail.columns;
  if (texts.length <= most + 1) return listed(texts);
  if (most === 0) return DETAILS;
  return `${texts.slice(0, most).join(", ")} and ${OTHERS}`;
}
function summarised(list2) {
  const several2 = list2.read.length > 1;
  const folded = list2.read.reduce((whole, inner) => withRead(whole, inner, several2), {
    ...list2,
    read: []
  });
  const ranks = folded.limit === null ? [] : folded.order.slice(0, 1).map(({ of }) => signature(of));
  const keys2 = folded.about === "groups" ? folded.groups?.keys.map(signature) ?? [] : [];
  const conditions = folded.conditions.filter(
    (one2) => !(one2.kind === "known" && !one2.negated && [...ranks, ...keys2].includes(signature(one2.of))) && !(folded.read.length > 0 && isSameColumn(one2))
  );
  return withCounted(withoutKnownKeys(withKnown({ ...folded, conditions })));
}
function withCounted(list2) {
  const [number3, ...more] = list2.conditions.filter(holdsNumber);
  const rest2 = list2.conditions.filter((one2) => one2 !== number3);
  const isOfValues = list2.about === "groups" && list2.groups !== null && namedGroup(list2.groups) === null;
  if (!isOfValues || isMeasured(list2) || list2.order.length + more.length > 0 || rest2.length === 0)
    return list2;
  if (number3?.kind !== "compare" || number3.of.kind !== "count" || !isThing(number3.of.of)) return list2;
  const { of } = number3;
  if (of.where !== null || of.having !== null || of.distinct) return list2;
  const [only2, ...others] = rest2;
  const where = only2 !== void 0 && others.length === 0 ? only2 : { kind: "all", items: rest2 };
  return { ...list2, conditions: [{ ...number3, of: { ...of, where } }] };
}
function withKnown(list2) {
  const [only2, ...others] = list2.shown;
  const term = only2?.term;
  if (only2 === void 0 || others.length > 0 || list2.about !== "all" || term?.kind !== "count") return list2;
  if (term.known === null || term.known.always || term.where !== null || term.having !== null) return list2;
  const known = { kind: "known", of: term.known.of, negated: false };
  return {
    ...list2,
    shown: [{ ...only2, term: { ...term, known: null } }],
    conditions: [...list2.conditions, known]
  };
}
function isSameColumn(one2) {
  if (one2.kind !== "compare" || one2.relation !== "equal") return false;
  const { of, to } = one2;
  return of.kind === "property" && to.kind === "property" && of.base?.column === to.base?.column;
}
function withRead(list2, inner, several2) {
  const kept2 = { ...list2, read: [...list2.read, inner] };
  if (several2 && inner.kind === "list" && inner.groups !== null && inner.conditions.length > 0) return kept2;
  if (inner.kind !== "list" || inner.limit !== null || list2.padded.length > 0 || inner.padded.length > 0)
    return kept2;
  const read2 = summarised(inner);
  if (read2.about === "all") return read2.conditions.length > 0 || read2.read.length > 0 ? kept2 : list2;
  const ofGroups = list2.groups !== null && list2.groups.keys.length === 0 && list2.groups.shownKeys.length > 0;
  const measures = read2.groups === null ? [] : measuresOf(read2.groups, read2.shown).map(({ term: term2 }) => term2);
  if (!ofGroups && usesAny(list2, measures)) return kept2;
  const merged2 = {
    ...list2,
    conditions: [...list2.conditions, ...read2.conditions],
    read: [...list2.read, ...read2.read]
  };
  const plain4 = ![...list2.conditions, ...read2.conditions].some(holdsNumber);
  const once = read2.distinct || read2.groups !== null && plain4;
  if (!once || list2.about !== "all" && !read2.distinct) return merged2;
  const [only2, ...others] = list2.shown;
  const [own, ...more] = read2.shown;
  const term = only2?.term;
  if (only2 === void 0 || others.length > 0 || own === void 0 || more.length > 0) return kept2;
  if (term?.kind !== "count" || !("one" in term.of) || term.distinct || term.where !== null) return kept2;
  const of = identifies(own, term.of) ? term.of : own.term;
  return { ...merged2, shown: [{ ...only2, term: { ...term, of, distinct: true, known: null } }] };
}
function identifies({ role, owner, term }, thing) {
  if (sameThing(owner, thing)) return role !== "other";
  const base = term.kind === "property" ? term.base : null;
  return base?.table.foreign_keys.some(({ columns }) => columns.join() === base.column.name) ?? false;
}
function holdsNumber(condition2) {
  let found = false;
  const to = "to" in condition2 && condition2.to.kind !== "query" ? condition2.to : null;
  visitNodes({ ...condition2, to, query: null, among: null }, ({ kind: kind2 }) => {
    found ||= kind2 === "count" || kind2 === "summary";
  });
  return found;
}
function usesAny({ shown: shown2, order, conditions }, terms) {
  const wanted = new Set(terms.map(signature));
  const isPlain2 = (one2) => one2.kind === "compare" && /^(given|constant)$/.test(one2.to.kind) && wanted.has(signature(one2.of));
  let found = false;
  const parts2 = [shown2.map(({ term }) => term), order, conditions.filter((one2) => !isPlain2(one2))];
  visitNodes(parts2, (node2) => {
    found ||= wanted.has(signature(node2));
  });
  return found;
}
function withoutKnownKeys(list2) {
  const keys2 = new Set(list2.groups?.keys.map(signature));
  if (keys2.size === 0) return list2;
  const tables = new Set(
    list2.groups?.keys.flatMap((key2) => key2.kind === "property" ? key2.base?.table.name ?? [] : [])
  );
  const isKnown2 = (of) => keys2.has(signature(of)) || of.kind === "property" && of.base?.table.foreign_keys.some(
    (one2) => one2.columns.join() === of.base?.column.name && tables.has(one2.references_table)
  ) === true || // An outer join leaves only rows without a partner unknown.
  of.kind === "property" && (of.base?.column.primary_key ?? 0) > 0 && list2.padded.some(({ thing }) => sameThing(thing, of.owner));
  const plain4 = (term) => term.kind === "count" && term.known !== null && isKnown2(term.known.of) ? { ...term, known: null } : term;
  return {
    ...list2,
    shown: list2.shown.map((one2) => ({ ...one2, term: plain4(one2.term) })),
    order: list2.order.map((one2) => ({ ...one2, of: plain4(one2.of) })),
    conditions: list2.conditions.map((one2) => one2.kind === "compare" ? { ...one2, of: plain4(one2.of) } : one2)
  };
}
function isOneRow(list2) {
  const { about, groups, limit, conditions, subject, grain, crossed, padded, read: read2 } = list2;
  const alone = grain.length + crossed.length + padded.length + read2.length === 0;
  const isKey = (one2) => {
    const found = one2.kind === "first" && one2.tied && !one2.itself;
    const given = one2.kind === "compare" && one2.relation === "equal" && one2.to.kind === "given" && alone;
    if (!(found || given) || !("of" in one2) || one2.of.kind !== "property") return false;
    const { base, owner } = one2.of;
    return base !== null && soleKey(base.table) === base.column && sameThing(owner, subject);
  };
  return about === "rows" && groups === null && limit === null && conditions.some(isKey);
}
function limitsOfNumbers({ about, groups, shown: shown2 }) {
  if (about === "rows") return null;
  const numbers = groups === null ? shown2 : measuresOf(groups, shown2);
  const limited = numbers.filter(({ term: term2 }) => holdsLimits(term2));
  const [only2, ...others] = numbers;
  if (limited.length === 0 || only2 === void 0) return null;
  const { term } = only2;
  const alone = others.length === 0 && groups === null;
  return alone && (term.kind === "share" || term.kind === "count") ? "one" : "several";
}
function holdsLimits(term) {
  let found = false;
  visitNodes(term, ({ kind: kind2, where }) => {
    found ||= (kind2 === "share" || kind2 === "count" || kind2 === "summary") && where !== null;
  });
  return found;
}
function rankedOne({ limit, order, about }) {
  return about !== "all" && limit?.rows === 1 && order.length > 0 && limit.skipped !== null;
}
function rankedText(list2, by, limit, r, limits) {
  const distinct = list2.distinct ? "distinct" : "";
  const itself = showsRank(list2, by);
  const groups = rankedGroups(list2, by, r);
  const best = groups === null && !itself ? superlativeOf(list2, by) : null;
  const ranked = list2.groups === null || list2.conditions.some(holdsNumber) ? null : termThing(by.of);
  const bestOf = (sort, skipped, several2) => {
    const other = otherRanked(list2, sort, skipped, r);
    if (other !== null) return other;
    if (ranked === null || list2.conditions.length === 0)
      return joinTexts(bestText(sort, skipped, r, several2), limits());
    const text2 = bestText(sort, skipped, r.about(ranked), several2);
    return joinTexts(text2, mentions(text2, ranked) ? "" : `of ${manyOf(ranked)}`, limits(ranked));
  };
  if (rankedOne(list2)) {
    const skipped = limit.skipped ?? 0;
    if (itself) {
      const np2 = r.noun(by.of);
      const owner = np2.owner ?? (r.style === "summary" && list2.groups === null ? list2.subject : null);
      const whose = owner === null || mentions(singularText(np2), owner) ? "" : `of ${manyOf(owner)}`;
      const which2 = joinTexts(extremeWord(by, np2, skipped), skipped > 0 ? distinct : "");
      return [joinTexts(which2, singularText(np2), whose, perText(list2, r), limits(void 0, whose === ""))];
    }
    const nth = ordinal(skipped);
    const before2 = best === null ? "" : joinTexts(nth, best);
    const head = groups ?? rankedHead(list2, by, r, before2);
    if (best === null)
      return [joinTexts(distinct, head.lead, unshownText(list2, r), bestOf(by, skipped, false)), head.rest];
    return [joinTexts(distinct, head.lead, unshownText(list2, r), limits()), head.rest];
  }
  const count3 = countText(limit, r);
  const fixed = typeof limit.rows === "number" ? count3 : "";
  const np = r.noun(by.of);
  const place2 = by.direction === "asc" ? "first" : "last";
  const byPlace = np.scale === "text" || isKeyOf(list2, by);
  const sorts = byPlace && fixed === "" && r.style === "summary";
  const first = best === null && limit.skipped === 0 && byPlace && !sorts && !list2.distinct ? joinTexts(place2, fixed) : "";
  const counted = list2.groups === null && best === null && first === "" && !byPlace && !itself && r.style !== "description" ? fixed : "";
  const before = limit.skipped !== 0 ? "" : best === null ? joinTexts(first, counted) : joinTexts(fixed, best);
  const many = groups === null ? headText(list2, r, { limited: true, before }) : { lead: joinTexts(first, groups.many), rest: "" };
  const what = joinTexts(many.lead, many.rest);
  const more = groups?.rest ?? "";
  if (limit.skipped !== 0) {
    const sorted2 = `sorted by ${sortText(by, r)}`;
    return [joinTexts(distinct, what, limits()), more, sorted2, cutText(limit, r)];
  }
  const upTo2 = limit.rows === null || typeof limit.rows === "number" ? "" : r.style === "summary" ? "up to a given number" : `up to ${r.given(limit.rows, noun2("number"), "value")}`;
  const lead = upTo2 === "" ? count3 : "";
  if (byPlace) {
    const key2 = `by ${singularText(np)}`;
    if (sorts && upTo2 !== "")
      return [joinTexts(distinct, what, limits()), more, `sorted by ${sortText(by, r)}`, upTo2];
    if (list2.distinct)
      return [joinTexts(distinct, what, limits()), more, `the ${joinTexts(place2, fixed)} ${key2}`, upTo2];
    return typeof limit.rows === "number" ? [joinTexts(distinct, what, limits(), key2), more] : [joinTexts(distinct, what, limits()), more, key2, upTo2];
  }
  if (itself) {
    const all = joinTexts(lead, extremeWord(by, np, 0), distinct, what, limits());
    return [all, upTo2];
  }
  if (counted !== "" && before !== "") return [joinTexts(distinct, what, bestOf(by, 0, false)), more];
  if (before !== "") return [joinTexts(distinct, what, limits()), more, upTo2];
  if (groups === null && list2.groups !== null && isMeasured(list2)) {
    const those = joinTexts("for", upTo2 === "" ? `the ${lead}` : "those", bestText(by, 0, r, true));
    return [joinTexts(distinct, what, limits()), those, upTo2];
  }
  return [joinTexts(lead, distinct, what, bestOf(by, 0, upTo2 !== "")), more, upTo2];
}
function otherRanked(list2, by, skipped, r) {
  const several2 = !rankedOne(list2);
  const { subject, about, groups, distinct, shown: shown2, conditions, whose, read: read2, padded } = list2;
  const [thing, column2] = [termThing(by.of), columnsWithin(by.of)[0]];
  if (subject === null || thing === null || column2 === void 0 || isOfSubject(column2, subject)) return null;
  if (r.style !== "summary" || about !== "rows" || groups !== null || distinct) return null;
  if ([...whose, ...read2, ...padded].length > 0 || [subject, thing].some(({ text: text3 }) => text3 !== void 0))
    return null;
  const text2 = bestText(by, skipped, r.about(thing), several2);
  if (subject.one.every((word, i) => word === thing.one[i]) && sameThing(list2.grain[0] ?? null, thing))
    return joinTexts(text2, "in", manyOf(thing), r.about(thing).adjuncts(conditions));
  if (column2.referring.some((one2) => sameThing(one2, subject))) {
    const limits = conditions.length === 0 ? "" : `among ${manyOf(subject)} ${r.about(subject).adjuncts(conditions)}`;
    const has = text2.replace(
      /^(that|with) /,
      (_, word) => word === "with" ? `${several2 ? "have" : "has"} ` : ""
    );
    return joinTexts("whose", several2 ? manyOf(thing) : oneOf(thing), has, limits);
  }
  if (shown2.some(({ owner }) => sameThing(owner, thing))) return null;
  const [grain, ...others] = list2.grain;
  const rows = several2 ? manyOf(thing) : oneOf(thing);
  const isHeld = column2.holders.some((one2) => sameThing(one2, subject));
  if (!isHeld && conditions.length === 0) return joinTexts("linked to the", rows, text2);
  if (!isHeld || !sameThing(grain ?? null, thing) || others.length > 0) return null;
  return joinTexts("of the", rows, text2, r.about(thing).adjuncts(conditions, "among"));
}
function measuredThing({ groups, shown: shown2 }) {
  const things = (groups === null ? shown2 : measuresOf(groups, shown2)).map(({ term }) => termThing(term));
  const [first = null] = things;
  return things.every((one2) => sameThing(one2, first)) ? first : null;
}
function termThing(term) {
  if (term.kind === "arithmetic" && term.items.every(({ kind: kind2 }) => /^(count|share|constant)$/.test(kind2))) {
    const [one2 = null, ...more] = term.items.flatMap(
      (item) => item.kind === "constant" ? [] : [termThing(item)]
    );
    return more.every((other) => sameThing(one2, other)) ? one2 : null;
  }
  if (term.kind === "count" && isThing(term.of)) return term.of;
  if (term.kind === "share") return isThing(term.of) ? term.of : termThing(term.of);
  const owners = [];
  visitNodes(term.kind === "count" || term.kind === "summary" ? term.of : term, (node2) => {
    if (node2.kind === "property") owners.push(node2.owner);
    if (node2.kind === "count") owners.push("one" in node2.of ? node2.of : null);
  });
  const [first = null] = owners;
  return owners.every((one2) => sameThing(one2, first)) ? first : null;
}
function superlativeOf({ subject, about }, { of, direction }) {
  if (about !== "rows" || of.kind !== "property" || !isOfSubject(of, subject)) return null;
  const { highest, lowest } = wordsFor(of);
  return (direction === "desc" ? highest : lowest) ?? null;
}
function isKeyOf({ about, subject }, { of }) {
  if (about !== "rows" || of.kind !== "property" || of.base === null) return false;
  return isOfSubject(of, subject) && soleKey(of.base.table) === of.base.column;
}
function rankedHead(list2, by, r, before) {
  const { groups, shown: shown2 } = list2;
  if (list2.about === "groups" && groups !== null) {
    if (isMeasured(list2)) {
      const [key2, ...others] = groups.keys;
      const chosen2 = key2 !== void 0 && others.length === 0 && signature(key2) === signature(by.of);
      if (chosen2 && groups.shownKeys.length === 0 && groups.companions.length === 0) {
        const among2 = limitsOfNumbers(list2) === null ? "" : "among those";
        return { lead: joinTexts(measuresText(measuresOf(groups, shown2), r.about(null)), among2), rest: "" };
      }
      const { lead, rest: rest2 } = headText(list2, r);
      return { lead: joinTexts(lead, rest2), rest: "" };
    }
    const shownKeys = groups.unshown.length > 0 || groups.companions.length === 0 ? [] : shownKeyTexts(groups, r.about(null));
    if (shownKeys.length > 0)
      return { lead: joinTexts(listed(shownKeys), companionsText(groups, r)), rest: "" };
  }
  const some = (groups?.unshown.length ?? 0) > 0;
  return rowsHead(list2, r, { many: false, article: some ? "a" : "the", limited: true, before });
}
function unshownText(list2, r) {
  if (list2.about === "groups" && isMeasured(list2)) return "";
  const unshown = list2.groups?.unshown ?? [];
  return unshown.length === 0 ? "" : `of the ${listed(unshown.map((one2) => keyText(one2, r.about(null))))}`;
}
function perText(list2, r) {
  const keys2 = perKeys(list2);
  return keys2.length === 0 ? "" : `per ${listed(keys2.map((one2) => keyText(one2, r.about(null))))}`;
}
function rankedGroups(list2, by, r) {
  const { groups } = list2;
  if (groups === null || !isMeasured(list2) || groups.companions.length > 0) return null;
  const named = namedGroup(groups);
  const values = withoutConstants(groups.shownKeys).map(({ term }) => groupNoun(term, list2, r));
  const one2 = named === null ? values.map(singularText) : shownKeyTexts(groups, r.about(null));
  if (one2.length === 0 || groups.unshown.length > 0) return null;
  const many = named === null ? listed(values.map(pluralText)) : manyOf(named.thing);
  const measures = measuresOf(groups, list2.shown);
  const others = measures.filter(({ term }) => signature(term) !== signature(by.of));
  const about = r.about(named?.thing ?? null);
  const [alone, isShown] = [rankedOne(list2), measures.length > others.length];
  const own = alone ? by.of.kind === "count" ? "how many" : `that ${valueNoun(r.noun(by.of))}` : `the ${valueNoun(r.noun(by.of))} for each`;
  const rest2 = others.length > 2 ? ["other numbers"] : others.map(({ term }) => `the ${singularText(about.noun(term))}`);
  const more = listed([...isShown ? [own] : [], ...rest2]);
  return { lead: listed(one2), many, rest: more === "" ? "" : `${alone ? "and" : "with"} ${more}` };
}
function valueNoun({ head, tail }) {
  const [first = "value", ...others] = head;
  if (first === "number") return first;
  return others.length === 0 && /^(of .*|from .*)?$/.test(tail) ? first : "value";
}
function bestText(by, skipped, r, many) {
  const np = ownNoun(by.of, r);
  const nth = ordinal(skipped);
  const counted = rankedPlural(np);
  if (np.scale === "text")
    return `that comes ${joinTexts(nth, superlative("text", by.direction))} by ${singularText(np)}`;
  if (counted !== null) return `with the ${joinTexts(nth, superlative("count", by.direction), counted)}`;
  const text2 = many ? pluralText(np) : singularText(np);
  const short = r.style === "description" ? text2 : withoutUnit(text2);
  return `with the ${joinTexts(nth, extremeWord(by, np, 0), short)}`;
}
function withoutUnit(text2) {
  return text2.replace(
    / in (cm|mm|km|kg|lbs?|ms|seconds|minutes|hours|days|months|sqm|sqft|km2|m2|hectares|usd|eur)$/i,
    ""
  );
}
function extremeWord({ direction }, np, skipped) {
  const word = joinTexts(
    np.scale === "text" && skipped === 0 ? "alphabetically" : "",
    extreme(np.scale, direction, np.head.join(" "))
  );
  const nth = ordinal(skipped);
  return joinTexts(nth, np.lead === word ? "" : word);
}
function countText({ rows }, r) {
  if (rows === null) return "a computed number of";
  if (typeof rows === "number") return COUNTS[rows] ?? String(rows);
  return r.style === "summary" ? "a given number of" : r.given(rows, noun2("number of rows"), "value");
}
function isFixed(of) {
  return of.kind === "query" && of.query.kind === "fixed";
}
function cutText(limit, r) {
  if (limit === null) return "";
  const { rows, skipped, computed } = limit;
  const asMany = (of, things) => of && !isFixed(of) ? `as many ${things} as (${singularText(r.about(null).noun(of))})` : `a computed number of ${things}`;
  if (typeof rows === "number" && skipped !== null && skipped > 0) {
    return rows === 1 ? `place ${skipped + 1} only` : `places ${skipped + 1} to ${skipped + rows}`;
  }
  const count3 = rows === null ? asMany(computed?.rows, "rows") : typeof rows === "number" ? rows === 1 ? "one row only" : `at most ${COUNTS[rows] ?? rows} rows` : r.style === "summary" ? "up to a given number" : `at most ${r.given(rows, noun2("number of rows"), "value")} rows`;
  return skipped === 0 ? count3 : `${count3}, after ${skipped === null ? asMany(computed?.skipped, "others") : `${skipped} others`}`;
}

// generator/english/condition-text.ts
function clauseOf(condition2, r) {
  switch (condition2.kind) {
    case "all":
    case "any":
      return junctionClause(condition2, r);
    case "not":
      return `not (${r.clause(condition2.item)})`;
    case "exists":
      return existsClause(condition2, r);
    case "constant":
      return condition2.holds ? "always" : "never";
    default: {
      const whole = condition2.kind === "compare" ? wholeComparison(condition2, r) : null;
      const { verb, object } = whole === null ? predicateOf(condition2, r) : NO_PREDICATE;
      const agreeing = r.style === "description" ? verb : verb.replace(/^is\b/, isOrAre(r.noun(condition2.of)));
      return whole ?? `${subjectText(condition2.of, r)} ${agreeing} ${object}`;
    }
  }
}
var NO_PREDICATE = { verb: "", object: "" };
function predicateOf(condition2, r) {
  switch (condition2.kind) {
    case "compare":
      return comparison(condition2, r);
    case "range": {
      const about = r.noun(condition2.of);
      const given = condition2.low.kind === "given" && condition2.high.kind === "given";
      if (given && r.style === "summary")
        return {
          verb: condition2.negated ? "is not" : "is",
          object: `between two given ${pluralText(noun2(valueWord(about)))}`
        };
      const [low, high] = [condition2.low, condition2.high].map((end) => valueText(end, about, r));
      return { verb: condition2.negated ? "is not" : "is", object: `between ${low} and ${high}` };
    }
    case "match": {
      const words2 = MATCHES[condition2.how];
      const value = valueText(condition2.to, r.noun(condition2.of), r, words2.what);
      const mark = condition2.sign === null ? "" : ` (${singularText(r.noun(condition2.sign))} before a sign means the sign)`;
      const tail = condition2.how === "like" ? " in any case of letters" : mark;
      return { verb: words2.is[condition2.negated ? 1 : 0], object: `${value}${tail}` };
    }
    case "among":
      return {
        verb: condition2.negated ? "is none of" : r.style === "question" ? "is" : "is one of",
        object: valuesText(condition2, r)
      };
    case "known":
      return { verb: "is", object: condition2.negated ? "missing" : "known" };
    case "member": {
      const is = joinTexts(condition2.of.kind === "tuple" ? "are" : "is", condition2.negated ? "not" : "");
      const { query: query2 } = condition2;
      const verb = query2.kind === "list" && isOneRow(query2) ? is : `${is} among`;
      return { verb, object: theText(r.query(query2)) };
    }
    case "extreme":
      return { verb: "is", object: `the ${extremeText(condition2, r)}` };
    case "first": {
      const text2 = theText(r.query(condition2.query, true));
      return { verb: showsValue(condition2) ? "is" : "is that of", object: text2 };
    }
    case "true":
      return { verb: "is", object: "not zero" };
  }
}
function junctionClause({ kind: kind2, items }, r) {
  const [first] = items;
  const alike = items.every(
    (one2) => one2.kind === "match" && first?.kind === "match" && one2.how === first.how && one2.sign === null && !one2.negated
  );
  if (kind2 === "any" && (r.style !== "description" || alike)) {
    const text2 = r.attempt(() => alternativesText(items, r));
    if (text2 !== null) return text2;
  }
  const texts = items.map((item) => bracketed2(item, r.clause(item)));
  return [...new Set(texts)].join(kind2 === "all" ? " and " : " or ");
}
function alternativesText(items, r) {
  const plain4 = items.flatMap((item) => isPredicated(item) ? [item] : []);
  const [first] = plain4;
  if (first === void 0 || plain4.length < items.length) return null;
  if (plain4.some(({ of }) => signature(of) !== signature(first.of))) return null;
  if (plain4.some((one2) => one2.kind === "compare" && wholeComparison(one2, r) !== null)) return null;
  const predicates = plain4.map((one2) => predicateOf(one2, r));
  const once = predicates.every(({ verb }) => verb === predicates[0]?.verb);
  const objects = listed(
    [...new Set(predicates.map(({ verb, object }) => once ? object : `${verb} ${object}`))],
    "or"
  );
  return joinTexts(subjectText(first.of, r), once ? predicates[0]?.verb ?? "" : "", objects);
}
function isPredicated(condition2) {
  return !/^(all|any|not|exists|constant)$/.test(condition2.kind);
}
function bracketed2({ kind: kind2 }, text2) {
  return (kind2 === "all" || kind2 === "any") && / (and|or) /.test(text2) || / where /.test(text2) ? `(${text2})` : text2;
}
function subjectText(term, r) {
  const np = r.noun(term);
  const text2 = singularText(np);
  if (term.kind === "query") return theText(text2);
  if (r.style === "description" && / where (?!missing\))/.test(text2)) return `(${text2})`;
  if (r.style === "description" || np.head.length === 0) return text2;
  return `the ${text2}`;
}
function wholeComparison({ of, relation, to }, r) {
  const about = r.noun(of);
  const exists = countCheck(about, relation, to);
  if (exists !== null)
    return exists === "none" ? `there are no ${about.counted}` : `there are ${about.counted}`;
  const shared = relation === "equal" && of.kind === "property" && to.kind === "property" && isShared(of, to);
  return shared ? sharedText(of, to) : null;
}
function comparison({ of, relation, to }, r) {
  if (isEmptyText(to) && (relation === "equal" || relation === "not_equal")) {
    return { verb: relation === "equal" ? "is" : "is not", object: "empty" };
  }
  const about = r.noun(of);
  const verb = r.style === "description" ? RELATIONS[relation].sign : relationWords(relation, about.scale).is;
  const same2 = to.kind === "property" && (verb === "is" || verb === "is not");
  const other = relation === "not_equal" && to.kind === "given" ? "one" : void 0;
  return { verb: same2 ? `${verb} the same as` : verb, object: valueText(to, about, r, other) };
}
function existsClause({ thing, query: query2, negated: negated2, are, related }, r) {
  const list2 = query2?.kind === "list" ? query2 : null;
  const where = list2 === null ? "" : r.about(thing).adjuncts(list2.conditions);
  const whose = list2 === null || related && r.style !== "description" ? "" : whoseText(list2);
  const padded = list2 === null || r.style !== "description" ? "" : paddedText(list2, r);
  const row2 = joinTexts(oneOf(thing), whose, where, padded === "" ? "" : `(${padded})`);
  const what = query2 !== null && list2 === null ? r.query(query2) : row2;
  if (are) return `it is ${negated2 ? "not " : ""}${article(what)}`;
  return `there is ${negated2 ? `no ${what}` : article(what)}`;
}
function isEmptyText(term) {
  return term.kind === "constant" && term.type === "text" && term.text === "";
}
function countCheck(about, relation, to) {
  if (about.counted === null || about.lead !== "" || to.kind !== "constant" || to.text !== "0") return null;
  if (relation === "above" || relation === "not_equal") return "any";
  return relation === "equal" || relation === "at_most" ? "none" : null;
}
function sharedText(of, to) {
  const owners = [of.owner, to.owner].flatMap((owner) => owner === null ? [] : [oneOf(owner)]);
  return `${listed(owners)} have the same ${of.own.text}`;
}
function isOwn(of, to) {
  return to.owner?.one[0] === "own" && of.own.text === to.own.text;
}
function isShared(of, to) {
  return of.own.text === to.own.text && of.own.words.length > 1 && !of.inRole && !to.inRole && of.base?.table !== to.base?.table;
}
function valueText(to, about, r, what) {
  if (to.kind === "query") return extremeOfAll(to.query, about, r) ?? theText(singularText(r.noun(to)));
  if (to.kind !== "given") {
    const np = r.noun(to);
    return np.head.length > 0 && r.style !== "description" ? `the ${singularText(np)}` : singularText(np);
  }
  const kind2 = what ?? valueWord(about);
  return r.given(to, { ...about, tail: kind2, counted: singularText(about) }, "value");
}
function extremeOfAll(query2, about, r) {
  if (query2.kind !== "list" || query2.about !== "all" || query2.subject === null || r.style !== "summary")
    return null;
  const { subject, columns, whose, read: read2, over, padded, conditions } = query2;
  const [only2, ...others] = columns;
  if (only2?.kind !== "summary" || others.length > 0 || only2.where !== null || only2.distinct || only2.zeros)
    return null;
  const of = r.about(subject).noun(only2.of);
  const same2 = only2.of.kind === "property" && sameThing(only2.of.owner, subject) && singularText(of) === singularText(about);
  const whole = [...whose, ...read2, ...padded].length === 0 && over === null && only2.known === null;
  if (!same2 || !whole || !/^(average|highest|lowest)$/.test(only2.name)) return null;
  return joinTexts(
    "the",
    summaryWord(only2, of.scale),
    "of all",
    manyOf(subject),
    r.about(subject).adjuncts(conditions)
  );
}
function valuesText({ of, values }, r) {
  const about = r.noun(of);
  const [only2, ...others] = values;
  if (r.style === "summary" && values.every(({ kind: kind2 }) => kind2 === "given")) {
    if (others.length > 0) return `${COUNTS[values.length] ?? "several"} given values`;
    if (only2?.kind === "given" && only2.choice.array) return "the given values";
  }
  const sets = values.every((one2) => one2.kind === "tuple" && one2.items.every(({ kind: kind2 }) => kind2 === "given"));
  if (r.style === "summary" && sets && of.kind === "tuple") {
    const count3 = COUNTS[values.length] ?? "several";
    return `${count3} given ${of.items.length === 2 ? "pair" : "combination"}${values.length === 1 ? "" : "s"}`;
  }
  return listed(
    values.map((value) => valueText(value, about, r)),
    "or"
  );
}
function whoseText({ whose }) {
  return whose.length === 0 ? "" : `of the ${listed([...new Set(whose.map(oneOf))])}`;
}
function extremeText({ of, highest, among: among2 }, r) {
  const np = r.noun(of);
  const counted = rankedPlural(np);
  const scale = counted !== null ? "count" : np.scale === "text" ? "number" : np.scale;
  return joinTexts(
    superlative(scale, highest ? "desc" : "asc"),
    counted ?? singularText(np),
    amongText(among2, r)
  );
}
function amongText(among2, r) {
  if (among2 === null) return "";
  if (among2.kind !== "list" || among2.subject === null || among2.read.length > 0)
    return `among ${r.query(among2)}`;
  const where = joinTexts(whoseText(among2), r.about(among2.subject).adjuncts(among2.conditions));
  return where === "" ? `of all ${manyOf(among2.subject)}` : `among ${manyOf(among2.subject)} ${where}`;
}
function showsValue({ query: query2 }) {
  const [only2] = query2.kind === "list" ? query2.shown : [];
  return only2 !== void 0 && only2.role !== "label";
}
function paddedText({ padded }, r) {
  const texts = padded.map(({ thing, where }) => joinTexts(oneOf(thing), r.about(thing).adjuncts(where)));
  return texts.length === 0 ? "" : `kept also where there is no ${listed([...new Set(texts)], "or")}`;
}

// generator/english/predicates.ts
function predicateOf2(condition2, r) {
  if (!("of" in condition2)) return null;
  const { of } = condition2;
  const column2 = of.kind === "date_part" ? of.of : of;
  if (column2.kind !== "property") return null;
  const of_ = {
    owner: column2.owner,
    own: isOfSubject(column2, r.subject),
    single: refersTo3(r.subject, column2)
  };
  const words2 = wordsFor(column2);
  const bare3 = column2.own.words.filter((word) => !column2.owner?.one.includes(word));
  if (condition2.kind === "known") {
    const { missing, present: present2 } = words2;
    const many = condition2.negated ? missing : present2;
    return of.kind === "date_part" || many === void 0 ? null : { ...of_, many, one: ofOne(many) };
  }
  const dated = condition2.kind === "range" || condition2.kind === "compare" && (condition2.relation !== "equal" || of.kind === "date_part" && !of_.own);
  const when = words2.when ?? eventOf(bare3) ?? (dated && column2.scale === "date" && /^date$/i.test(bare3.join(" ")) ? "was dated" : null);
  if (when !== null) {
    const what = momentText(condition2, of, r);
    if (what === null) return null;
    const about = ofMany(when);
    const [, bare4 = about] = /^were (.*)$/.exec(about) ?? [];
    return { ...of_, one: `${when} ${what}`, many: `${about} ${what}`, about: bare4, what };
  }
  if (of.kind !== "property") return null;
  const texts = relationText(condition2, of, r);
  return texts === null ? null : { ...of_, ...texts };
}
function refersTo3(subject, { referring }) {
  return referring.some((one2) => sameThing(one2, subject));
}
function momentText(condition2, of, r) {
  const np = r.noun(of);
  const part = of.kind === "date_part" ? of.part : isMoment(np.scale) ? np.scale : null;
  if (part === null || !/^(date|year|month)$/.test(part)) return null;
  const on = part === "date" ? "on" : "in";
  if (condition2.kind === "range") {
    const given = condition2.low.kind === "given" && condition2.high.kind === "given" && r.style === "summary";
    const ends = [condition2.low, condition2.high].map((end) => valueText(end, np, r));
    const between = given ? `two given ${pluralText(noun2(part))}` : ends.join(" and ");
    return condition2.negated ? null : `between ${between}`;
  }
  if (condition2.kind !== "compare" || !/^(given|constant|property)$/.test(condition2.to.kind)) return null;
  const preposition = {
    equal: on,
    not_equal: null,
    above: "after",
    at_least: `${on} or after`,
    below: "before",
    at_most: `${on} or before`
  }[condition2.relation];
  if (preposition === null || of.kind === "date_part" && part === "month" && condition2.relation !== "equal")
    return null;
  return `${preposition} ${timeText(condition2.to, part, np, r)}`;
}
function timeText(to, part, np, r) {
  if (to.kind !== "given") return valueText(to, np, r);
  return r.given(to, { ...np, tail: part, counted: joinTexts(...np.head, part) }, "value");
}
var THRESHOLD = {
  above: "more than",
  at_least: "at least",
  below: "fewer than",
  at_most: "at most"
};
function relationText(condition2, of, r) {
  const words2 = wordsFor(of);
  const np = r.noun(of);
  if (condition2.kind === "compare" && condition2.to.kind === "given") {
    const { relation, to } = condition2;
    const than = relation === "above" ? words2.above : relation === "below" ? words2.below : void 0;
    if (than !== void 0) {
      const value = r.given(
        to,
        { ...np, tail: words2.quantity ?? valueWord(np), counted: of.full.text },
        "value"
      );
      return { one: `is ${than} ${value}`, many: `are ${than} ${value}` };
    }
    if (words2.counts !== void 0 && relation in THRESHOLD && !isOfSubject(of, r.subject)) {
      const value = r.given(to, { ...np, tail: "number", counted: of.full.text }, "value");
      const what = `${THRESHOLD[relation]} ${value}${r.style === "summary" ? " of" : ""} ${words2.counts}`;
      return { one: `has ${what}`, many: `have ${what}` };
    }
    if (words2.verb !== void 0 && relation === "equal" && r.style === "summary")
      return said(words2.verb, r.given(to, noun2(of.own.text), "thing"));
  }
  return null;
}
function said(verb, object) {
  return { one: `${verb} ${object}`, many: `${ofMany(verb)} ${object}` };
}
var PLURAL_VERBS = {
  was: "were",
  is: "are",
  has: "have",
  does: "do",
  goes: "go"
};
function ofMany(predicate2) {
  const [verb = "", ...rest2] = predicate2.split(" ");
  const many = PLURAL_VERBS[verb] ?? (/(ss|sh|ch|x|z|o)es$/.test(verb) ? verb.slice(0, -2) : /.[^aeiou]ies$/.test(verb) ? `${verb.slice(0, -3)}y` : /[^su]s$/.test(verb) ? verb.slice(0, -1) : verb);
  return [many, ...rest2].join(" ");
}
function withNot(predicate2, objects) {
  const [, verb, rest2] = /^(were|was|are|is|can|could|may|must|will) (.*)$/.exec(predicate2) ?? [];
  return verb === void 0 ? `${predicate2} no ${objects}` : `${verb} not ${rest2} any ${objects}`;
}
function ofOne(predicate2) {
  const [verb = "", ...rest2] = predicate2.split(" ");
  if (/^(still|never|also|only|once|no|longer)$/.test(verb)) return `${verb} ${ofOne(rest2.join(" "))}`;
  const found = Object.entries(PLURAL_VERBS).find(([, many]) => many === verb)?.[0];
  const past = /ed$|^(died|fell|left|came|went|got|ran|won|lost|can|could|may|must|will|began)$/.test(verb);
  return [found ?? (past ? verb : /(s|sh|ch|x|z)$/.test(verb) ? `${verb}es` : `${verb}s`), ...rest2].join(" ");
}

// generator/english/adjuncts.ts
var PLACES = [
  "kind",
  "by",
  "in",
  "on",
  "for",
  "of",
  "done",
  "with",
  "without",
  "are",
  "whose",
  "that",
  "where",
  "except"
];
function adjunctsOf(conditions, r, lead) {
  if (conditions.length === 0) return "";
  if (r.style === "description") {
    const texts2 = conditions.map(
      (one2) => conditions.length > 1 ? bracketed2(one2, r.clause(one2)) : r.clause(one2)
    );
    return `where ${[...new Set(texts2)].join(" and ")}`;
  }
  const given = conditions.flatMap((one2) => one2.kind === "all" ? one2.items : [one2]);
  const flat = r.style === "question" ? given.toSorted((a, b) => Number(isOfAll(a)) - Number(isOfAll(b))) : given;
  const far = farther(flat, r);
  if (far !== null) {
    const { via, theirs } = far;
    const others = flat.filter((one2) => !theirs.includes(one2));
    const text2 = r.attempt(() => {
      const rest2 = others.length === 0 ? "" : adjunctsOf(others, r, lead);
      const ofThem = joinTexts(manyOf(via), r.about(via).adjuncts(theirs));
      if (rest2 === "") return joinTexts(lead === "among" ? "among those" : "", `of ${ofThem}`);
      return / (whose|that|who|of all) | per /.test(` ${rest2} `) && !theirs.some((one2) => isFar(one2, via)) ? null : `${rest2} for ${ofThem}`;
    });
    const [only2] = theirs;
    const named = theirs.length === 1 && only2 !== void 0 && r.attempt(() => ofNamed(only2, via, r)) !== null;
    if (text2 !== null && !named) return text2;
  }
  const such = withSuch(flat, r);
  if (such !== null) return adjunctsOf(such, r, lead);
  const apart = flat.filter((one2) => partnerOf(one2, r) !== null);
  const late = flat.filter((one2) => one2.kind === "not" || one2.kind === "member" && one2.negated);
  const own = inOneForm(inPlaces(flat.filter((one2) => !apart.includes(one2) && !late.includes(one2))), r);
  const partners = partnerAdjuncts(apart, r, own.length === 0 && lead !== "among");
  const adjuncts = [...own, ...partners, ...inOneForm(late, r)];
  const texts = [];
  let before = null;
  for (const place2 of PLACES) {
    const own2 = adjuncts.filter((one2) => one2.place === place2);
    if (own2.length === 0) continue;
    const known = place2 === "with" && own2.every(({ text: text3 }) => /^an? (?!given)[^,]*$/.test(text3) && !/ given /.test(text3));
    const clear = !known && /(date|day|year|month|age|amount|price|weight|height|size)s?$/.test(texts.at(-1) ?? "");
    const also = before !== null && !clear && (r.style !== "question" || before === "are") && AFTER[place2]?.includes(before) ? "and" : "";
    const which2 = relativePronoun(r.subject, r);
    const text2 = textAt(place2, own2, lead, which2);
    if (before === "are" && place2 === "that") {
      texts.push(`and ${withoutStart(text2, which2)}`);
      continue;
    }
    const ofPeople = lead !== "among" && isOfPeople(own2, before, r);
    const start = ofPeople ? "of" : own2.length === 1 && own2[0]?.far === true ? `${which2} are linked to` : null;
    texts.push(joinTexts(also, start === null ? text2 : text2.replace(/^(that|who) have/, start)));
    before = place2;
  }
  const among2 = lead === "among" ? "among those" : "";
  return joinTexts(among2, ...texts);
}
function farther(conditions, { style, subject }) {
  if (style !== "question" || subject === null || subject.text !== void 0) return null;
  const columns = conditions.map((one2) => ownerWithin(one2)?.column ?? null).map((column2) => column2 !== null && isOfSubject(column2, subject) ? null : column2);
  const viaOf = (column2) => {
    const at = column2?.referring.findIndex((one2) => sameThing(one2, subject)) ?? -1;
    return at > 0 ? column2?.referring[at - 1] : at === 0 && !column2?.inRole ? column2?.owner : null;
  };
  const via = columns.map(viaOf).find((one2) => one2 != null);
  if (via == null || isOfSubject({ owner: via, part: null }, subject)) return null;
  const theirs = conditions.filter((_, i) => {
    const column2 = columns[i] ?? null;
    return column2 !== null && (isOfSubject(column2, via) || sameThing(viaOf(column2) ?? null, via));
  });
  return { via, theirs };
}
function isFar(condition2, via) {
  return !sameThing(ownerWithin(condition2)?.owner ?? null, via);
}
function withSuch(conditions, r) {
  for (const one2 of conditions) {
    if (one2.kind !== "compare" || one2.of.kind !== "count" && one2.of.kind !== "summary") continue;
    const { of, where } = one2.of;
    const thing = isThing(of) ? of : of.kind === "property" ? of.owner : null;
    const theirs = conditions.filter((other) => sameThing(partnerOf(other, r), thing));
    const [first, ...others] = theirs;
    if (where !== null || one2.of.kind === "count" && one2.of.having !== null || first === void 0)
      continue;
    const limit = others.length === 0 ? first : { kind: "all", items: theirs };
    const such = { ...one2, of: { ...one2.of, where: limit, such: true } };
    return conditions.flatMap((other) => other === one2 ? such : theirs.includes(other) ? [] : other);
  }
  return null;
}
function isOfPeople(adjuncts, before, r) {
  const [only2, ...others] = adjuncts;
  const people = only2?.people === true && only2.verb === "have" && !only2.alone && others.length === 0;
  return people && r.style === "summary" && /^(kind|for)?$/.test(before ?? "") && !isPerson(r.subject);
}
function ownerWithin(condition2) {
  if (condition2.kind === "any" || condition2.kind === "all") {
    const [first = null, ...others] = condition2.items.map(ownerWithin);
    return others.every((one2) => sameThing(one2?.owner ?? null, first?.owner ?? null)) ? first : null;
  }
  if (!("of" in condition2) || !/^(compare|among|match|range|known)$/.test(condition2.kind)) return null;
  if (condition2.kind === "compare" && !/^(given|constant)$/.test(condition2.to.kind)) return null;
  const column2 = columnWithin(condition2.of);
  return column2 === null || column2.owner === null ? null : { owner: column2.owner, column: column2 };
}
function columnWithin(of) {
  if (of.kind === "property") return of;
  return of.kind === "date_part" || isInCase(of) ? columnWithin(of.of) : null;
}
function partnerOf(condition2, { style, subject }) {
  if (style === "description" || subject === null || subject.text !== void 0) return null;
  const found = ownerWithin(condition2);
  if (found === null || isOfSubject(found.column, subject) || refersTo3(subject, found.column)) return null;
  return /^(own|row)$/.test(found.owner.one[0] ?? "") ? null : found.owner;
}
function partnerAdjuncts(conditions, r, alone) {
  const partners = conditions.flatMap((one2) => partnerOf(one2, r) ?? []);
  const different = partners.filter((one2, i) => partners.findIndex((other) => sameThing(other, one2)) === i);
  const hostOf = (one2) => {
    const column2 = ownerWithin(one2)?.column;
    return different.find((other) => column2 !== void 0 && refersTo3(other, column2)) ?? partnerOf(one2, r);
  };
  const hosts = different.filter((one2) => conditions.some((other) => sameThing(hostOf(other), one2)));
  return hosts.map((partner) => {
    const theirs = conditions.filter((one2) => sameThing(hostOf(one2), partner));
    const end = hosts.length === 1 ? linkedEnd(theirs, r) : null;
    if (end !== null)
      return alone ? { place: "of", text: `of ${end}` } : { place: "that", verb: "are", text: `linked to ${end}` };
    const text2 = ofItsName(theirs, partner, r) ?? joinTexts(manyOf(partner), r.about(partner).adjuncts(theirs));
    const own = conditions.map(ownerWithin).find((one2) => sameThing(one2?.owner ?? null, partner));
    const near = own?.column.holders.some((one2) => sameThing(one2, r.subject));
    const isOwners = r.subject?.roleIn === partner.one.join(" ") || arePartners(r.subject, partner);
    if (alone && hosts.length === 1 && isOwners) return { place: "of", text: `of ${text2}` };
    return near || isPerson(partner) ? { place: "that", verb: "have", people: isPerson(partner), far: !near && !isPerson(r.subject), text: text2 } : { place: "that", verb: "are", text: `linked to ${text2}` };
  });
}
function arePartners(one2, other) {
  const { roleIn } = one2 ?? {};
  return roleIn !== void 0 && other?.roleIn === roleIn && isPerson(one2) && isPerson(other);
}
function linkedEnd([only2, ...others], r) {
  if (only2?.kind !== "compare" || only2.relation !== "equal" || only2.to.kind !== "given" || others.length > 0)
    return null;
  const { of, to } = only2;
  if (of.kind !== "property" || of.base === null || !isLinkTable(of.base.table) || !isReferring(of.base))
    return null;
  const what = withoutKey(of.own.words);
  const key2 = of.own.words.slice(what.length).join(" ");
  if (key2 === "" || what.length === 0) return null;
  const text2 = r.given(to, noun2(of.own.text), "thing");
  return text2 === `a given ${of.own.text}` ? `${plural(what).join(" ")} with a given ${key2}` : null;
}
function ofItsName([only2, ...others], { one: one2 }, r) {
  if (only2 === void 0 || others.length > 0 || !("of" in only2)) return null;
  const { of } = only2;
  const named = [...r.subject?.one ?? [], ...of.kind === "property" ? of.own.words : []];
  if (of.kind !== "property" || named.join(" ") !== one2.join(" ")) return null;
  if (only2.kind === "compare" && only2.relation === "equal" && only2.to.kind === "given")
    return r.given(only2.to, noun2(of.own.text), "thing");
  const text2 = only2.kind === "among" && !only2.negated ? r.attempt(() => amongAdjunct({ ...only2, of: { ...of, owner: r.subject } }, r)?.text ?? null) : null;
  return text2;
}
var AFTER = {
  with: ["done"],
  without: ["done", "with"],
  whose: ["done", "are"],
  that: ["whose", "are"]
};
function textAt(place2, own, lead, which2 = "that") {
  switch (place2) {
    case "kind":
      return `of ${listed(givens(own))}`;
    case "by":
    case "in":
    case "on":
    case "for":
      return `${place2} ${listed(givens(own))}`;
    case "with": {
      const [given, others] = [true, false].map(
        (is) => own.filter((one2) => one2.given !== void 0 === is)
      );
      const [ofGiven, rest2] = [given?.length ? givens(given) : [], comparisons(others ?? [])];
      return ofGiven.length > 0 && rest2.some((text2) => /^[^ ]+s$/.test(text2)) ? `with ${listed(ofGiven)} and with ${listed(rest2)}` : `with ${listed([...ofGiven, ...rest2])}`;
    }
    case "of":
      return textsOf(own).join(" ");
    case "done":
      return listed(comparisons(own));
    case "without":
      return `without ${listed(textsOf(own), "or")}`;
    case "are":
      return `${which2} are ${listed(textsOf(own))}`;
    case "whose":
      return listed(predicatesOf(own).map((text2) => `whose ${text2}`));
    case "that":
      return `${which2} ${listed(byVerb(own, lead === "one"))}`;
    case "where":
    case "except":
      return joinTexts(place2 === "except" ? "except those" : place2, listed(comparisons(own)));
  }
}
function inOneForm(conditions, r) {
  const adjuncts = () => conditions.map((one2) => adjunctOf(one2, r, conditions.length === 1));
  const last = r.style === "question" && conditions.some(isOfAll);
  const apart = r.attempt(() => {
    const all = adjuncts();
    return all.some(({ place: place2, owner }) => place2 === "whose" && (last || owner === void 0)) ? null : all;
  });
  if (apart !== null) return apart;
  return conditions.map((one2) => {
    let compared = false;
    r.attempt(() => {
      const { place: place2, comparison: comparison4 } = adjunctOf(one2, r, false);
      compared = place2 === "with" && comparison4 !== void 0 && one2.kind !== "any";
      return null;
    });
    const whose = compared ? r.attempt(() => /^the (.*)$/.exec(r.clause(one2))?.[1] ?? null) : null;
    return whose === null ? adjunctOf(one2, r, conditions.length === 1) : { place: "whose", text: whose };
  });
}
function predicatesOf(adjuncts) {
  const owners = [...new Set(adjuncts.flatMap(({ owner }) => owner ?? []))];
  const plain4 = textsOf(adjuncts.filter(({ owner }) => owner === void 0));
  const owned = owners.flatMap((owner) => {
    const all = adjuncts.filter((one2) => one2.owner === owner);
    const apart = all.filter(({ clause, text: text2 }) => clause !== void 0 && (all.length === 1 || text2 === ""));
    const own = all.filter((one2) => !apart.includes(one2));
    const verbs = [...new Set(own.map((one2) => one2.given === void 0 ? "" : one2.text))];
    const texts = verbs.flatMap(
      (verb) => verb === "" ? textsOf(own.filter(({ given }) => given === void 0)) : [`${verb} ${listed(givens(own.filter((one2) => one2.given !== void 0 && one2.text === verb)))}`]
    );
    const has = texts.length > 1 && texts.every((text2) => text2.startsWith("has "));
    const what = has ? `has ${listed(texts.map((text2) => text2.slice("has ".length)))}` : listed(texts);
    return [
      ...what === "" ? [] : [`${owner} ${what}`],
      ...apart.map(({ clause }) => `${owner}'s ${clause}`)
    ];
  });
  return [...plain4, ...owned];
}
function textsOf(adjuncts) {
  return [...new Set(adjuncts.map(({ text: text2 }) => text2))];
}
function comparisons(adjuncts) {
  const abouts = new Set(adjuncts.map((one2) => one2.comparison?.about ?? one2.text));
  return [...abouts].map((about) => {
    const same2 = adjuncts.filter((one2) => one2.comparison?.about === about).map((one2) => one2.comparison?.what ?? "");
    return joinTexts(about, listed([...new Set(same2)]));
  });
}
function byVerb(adjuncts, one2) {
  const verbs = { have: one2 ? "has" : "have", are: one2 ? "is" : "are", do: "" };
  const plain4 = adjuncts.filter(({ verb, alone }) => verb === "have" && alone);
  const [first, ...others] = plain4;
  const rest2 = adjuncts.filter((one3) => !plain4.includes(one3));
  const [last, ...more] = rest2.filter(({ verb, text: text2 }) => verb === "have" && !/^no /.test(text2));
  const joined2 = first !== void 0 && last !== void 0 && more.length === 0 ? [last] : [];
  const kept2 = first === void 0 || others.length + joined2.length === 0 ? adjuncts : [
    { ...first, text: listed([...plain4, ...joined2].map(({ text: text2 }) => text2)) },
    ...rest2.filter((one3) => !joined2.includes(one3))
  ];
  return [
    ...new Set(
      kept2.map(({ verb = "are", text: text2, single = text2 }) => [verb, one2 ? single : text2]).map(([verb, text2]) => joinTexts(verbs[verb], text2))
    )
  ];
}
function isOfAll(condition2) {
  return condition2.kind === "compare" && condition2.to.kind === "query";
}
function inPlaces(conditions) {
  const isFor = (one2) => one2.kind === "compare" && one2.relation === "equal" && one2.to.kind === "given";
  return [...conditions.filter(isFor), ...conditions.filter((one2) => !isFor(one2))];
}
function givens(adjuncts) {
  const given = adjuncts.flatMap((one2) => one2.given ?? []);
  const owners = new Set(given.map(({ whose }) => whose));
  const ofOwner2 = (whose) => given.filter((one2) => one2.whose === whose);
  const isSingle = ({ whose }) => whose === "" || ofOwner2(whose).length === 1;
  const single = given.filter(isSingle).map(({ whose, what }) => joinTexts(whose, what));
  const groups = [...owners].filter((whose) => !isSingle({ whose }));
  return [
    ...single.length > 0 ? [`a given ${namesOnce(listed([...new Set(single)]))}`] : [],
    ...groups.map(
      (whose) => `a given ${whose} ${namesOnce(listed([...new Set(ofOwner2(whose).map(({ what }) => what))]))}`
    ),
    ...textsOf(adjuncts.filter((one2) => one2.given === void 0))
  ];
}
function namesOnce(text2) {
  return text2.replace(/(^|, )((?:\S+ )?)last name and \2first name\b/, "$1$2first name and $2last name").replace(/(^|, )((?:\S+ )?)first name(,| and) \2last name\b/, "$1$2first$3 last name");
}
function adjunctOf(condition2, r, alone) {
  const search = r.attempt(() => searchAdjunct(condition2, r));
  if (search !== null) return search;
  const toValue = condition2.kind !== "compare" || condition2.to.kind === "given";
  if ("of" in condition2 && isInCase(condition2.of) && toValue) {
    return withTail(adjunctOf({ ...condition2, of: condition2.of.of }, r, alone), caseText(condition2.of));
  }
  const adjunct = r.attempt(() => spokenAdjunct(condition2, r)) ?? r.attempt(() => plainAdjunct(condition2, r, alone));
  if (adjunct !== null) return adjunct;
  const text2 = r.clause(condition2);
  const own = (condition2.kind === "member" || condition2.kind === "compare") && condition2.of.kind === "property" && isOfSubject(condition2.of, r.subject);
  const [, clause] = /^the (.*)$/.exec(own ? text2 : "") ?? [];
  if (clause === void 0 || r.subject === null) return { place: "where", text: text2 };
  return { place: "whose", text: withoutStart(clause, oneOf(r.subject)) };
}
function isInCase(of) {
  return of.kind === "derived" && /^(lower|upper)-case$/.test(of.word);
}
function caseText({ word }) {
  return `(in ${word.replace("-", " ")})`;
}
function withTail(adjunct, tail) {
  const { text: text2, single, given, comparison: comparison4 } = adjunct;
  return {
    ...adjunct,
    text: given === void 0 || adjunct.place !== "whose" ? joinTexts(text2, tail) : text2,
    ...single === void 0 ? {} : { single: joinTexts(single, tail) },
    ...given === void 0 ? {} : { given: { ...given, what: joinTexts(given.what, tail) } },
    ...comparison4 === void 0 ? {} : { comparison: { ...comparison4, what: joinTexts(comparison4.what, tail) } }
  };
}
function searchAdjunct(condition2, r) {
  if (condition2.kind !== "any" || r.style !== "summary") return null;
  const found = condition2.items.flatMap((one2) => one2.kind === "match" && !one2.negated ? [one2] : []);
  const [first, second] = found;
  if (first === void 0 || second === void 0 || found.length < condition2.items.length) return null;
  const text2 = isInCase(first.of) ? first.of.of : first.of;
  const same2 = found.every(
    ({ of, how, to }) => to.kind === "given" && how === first.how && sameTerm(of, first.of)
  );
  if (!same2 || first.how === "like") return null;
  const column2 = columnWithin(text2);
  if (column2 === null || !isOfSubject(column2, r.subject)) return null;
  const { after, what } = MATCHES[first.how];
  for (const { to, of } of found) valueText(to, r.noun(of), r, what);
  const value = `${found.length === 2 ? "either" : "any"} of ${COUNTS[found.length] ?? "several"} given ${what}s`;
  const np = r.noun(text2);
  if (!isPlainNoun(np)) return null;
  const adjunct = comparedNoun(np, `${after[0]} ${value}`);
  return text2 === first.of ? adjunct : withTail(adjunct, caseText(first.of));
}
function plainAdjunct(condition2, r, alone) {
  switch (condition2.kind) {
    case "compare":
      return compareAdjunct(condition2, r);
    case "among":
      return amongAdjunct(condition2, r);
    case "match": {
      const np = ownNoun(condition2.of, r);
      if (condition2.how === "like" && !condition2.negated && condition2.to.kind === "given") {
        return givenAdjunct(condition2.of, condition2.to, np, r);
      }
      if (!isPlainNoun(np)) return null;
      const words2 = MATCHES[condition2.how];
      const value = valueText(condition2.to, np, r, words2.what);
      return comparedNoun(np, `${words2.after[condition2.negated ? 1 : 0]} ${value}`);
    }
    case "range":
      return rangeAdjunct(condition2, r);
    case "known": {
      const np = r.noun(condition2.of);
      if (!isPlainNoun(np)) return null;
      const text2 = withArticle(presentNoun(np, r.subject));
      return { place: condition2.negated ? "without" : "with", text: text2 };
    }
    case "exists":
      return existsAdjunct(condition2, r);
    case "extreme": {
      const { of } = condition2;
      const owner = of.kind === "property" && refersTo3(r.subject, of) && !isOfSubject(of, r.subject) ? of.owner : null;
      if (owner === null || r.style === "description")
        return { place: "with", text: `the ${extremeText(condition2, r)}` };
      return {
        place: "whose",
        owner: oneOf(owner),
        text: `has the ${extremeText(condition2, r.about(owner))}`
      };
    }
    case "member": {
      if (isKeyAmong(condition2, r)) {
        const rows = theText(r.query({ ...condition2.query, shown: [] }));
        return { place: "that", verb: "are", text: `${condition2.negated ? "not " : ""}among ${rows}` };
      }
      const { of, query: query2 } = condition2;
      const owner = of.kind === "property" ? of.owner : null;
      if (owner !== null && of.kind === "property" && refersTo3(r.subject, of) && isNameOf(condition2, r.about(owner))) {
        const text3 = `is ${condition2.negated ? "not " : ""}among ${theText(r.about(owner).query(query2))}`;
        return { place: "whose", owner: oneOf(owner), text: text3 };
      }
      if (!isNameOf(condition2, r)) return null;
      if (condition2.negated && query2.kind === "list" && isPlainList(query2) && r.style === "summary") {
        const those = r.attempt(() => /^(that|who) .*$/.exec(r.adjuncts(query2.conditions))?.[0] ?? null);
        if (those !== null) return { place: "except", text: those };
      }
      const text2 = `${condition2.negated ? "not " : ""}among ${theText(r.query(condition2.query))}`;
      return { place: "that", verb: "are", text: text2 };
    }
    case "first":
      return firstAdjunct(condition2, r);
    case "not": {
      const text2 = joinTexts(r.adjuncts([condition2.item]));
      return /^(for|in|with|without|that|who|of|whose) /.test(text2) ? { place: "except", text: text2 } : null;
    }
    case "any":
      return anyAdjunct(condition2, r, alone);
    default:
      return null;
  }
}
function spokenAdjunct(condition2, r) {
  const found = predicateOf2(condition2, r);
  if (found === null) return ownedClause(condition2, r);
  const { owner, one: one2, many, own, single } = found;
  if (!own) {
    if (owner === null || r.subject === null) return null;
    return single ? { place: "whose", owner: oneOf(owner), text: one2 } : {
      place: "with",
      text: `${withArticle(noun2(oneOf(owner)))} ${relativePronoun(owner, r)} ${one2}`
    };
  }
  const [, bare3] = /^(?:were (?!not )|are (?=.* than ))(.*)$/.exec(many) ?? [];
  if (bare3 === void 0) return { place: "that", verb: "do", text: many, single: one2 };
  const { about = "", what = bare3 } = found;
  return {
    place: "done",
    text: bare3,
    comparison: about === "" ? { about: "", what: bare3 } : { about, what }
  };
}
function ownedClause(condition2, r) {
  const found = r.style === "description" ? null : ownerWithin(condition2);
  if (found === null || isOfSubject(found.column, r.subject) || !refersTo3(r.subject, found.column))
    return null;
  const { owner } = found;
  const about = r.about(owner);
  if (r.style === "question") return ofNamed(condition2, owner, r) ?? clauseOfOwner(condition2, owner, about);
  if (condition2.kind === "among" || condition2.kind === "any") {
    const { place: place2, text: text2 } = adjunctOf(condition2, about, true);
    const verb = place2 === "with" ? "has" : IS[place2];
    return verb === void 0 ? null : { place: "whose", owner: oneOf(owner), text: joinTexts(verb, text2) };
  }
  if (condition2.kind !== "compare" && condition2.kind !== "match" && condition2.kind !== "range") return null;
  if (condition2.kind === "match" ? condition2.how === "like" && !condition2.negated : false) return null;
  if (condition2.kind === "compare" && condition2.relation === "equal") return null;
  if (condition2.kind === "compare" && condition2.relation === "not_equal" && isNameOfThing(found.column, owner)) {
    const value = valueText(condition2.to, noun2(oneOf(owner)), r, "one");
    return { place: "with", text: `${withArticle(noun2(oneOf(owner)))} other than ${value}` };
  }
  if (condition2.kind !== "range" && condition2.to.kind !== "given") return null;
  let having = "";
  r.attempt(() => {
    const adjunct = plainAdjunct(condition2, about, false);
    if (adjunct?.place === "with") having = `has ${adjunct.text}`;
    if (adjunct?.place === "done" && / (year|age)s?$/.test(adjunct.text)) having = `is ${adjunct.text}`;
    return null;
  });
  if (having.startsWith("is ")) {
    plainAdjunct(condition2, about, false);
    return { place: "whose", owner: oneOf(owner), text: having };
  }
  const [, clause] = /^the (.*)$/.exec(about.clause(condition2)) ?? [];
  return clause === void 0 ? null : { place: "whose", owner: oneOf(owner), text: having, clause };
}
function ofNamed(condition2, owner, r) {
  if (condition2.kind === "match" && condition2.of.kind === "property" && isNameOfThing(condition2.of, owner)) {
    const { is, what } = MATCHES[condition2.how];
    const value = valueText(condition2.to, noun2(oneOf(owner)), r, what);
    return { place: "whose", text: `${oneOf(owner)} ${is[condition2.negated ? 1 : 0]} ${value}` };
  }
  if (condition2.kind !== "compare" || condition2.relation !== "equal") return null;
  const { of, to } = condition2;
  if (to.kind !== "given" || of.kind !== "property" || !isNameOfThing(of, owner)) return null;
  const which2 = /(status|state|role|rank|result|outcome|colou?r)$/.test(oneOf(owner)) ? "with" : "of";
  return { place: "of", text: `${which2} the ${oneOf(owner)} ${r.given(to, noun2(oneOf(owner)), "value")}` };
}
function isNameOfThing({ own }, { one: one2 }) {
  const text2 = own.text.toLowerCase();
  const thing = one2.join(" ").toLowerCase();
  return text2 === thing || endsWith(one2, own.words) || /^(name|title|description|label)$/.test(withoutStart(withoutStart(text2, thing), one2.at(-1) ?? ""));
}
function clauseOfOwner(condition2, owner, about) {
  if (!/^(compare|match|range|known|among)$/.test(condition2.kind)) return null;
  const flag3 = condition2.kind === "compare" && condition2.relation === "equal" && condition2.of.kind === "property" && condition2.to.kind === "given" ? flagPredicate(condition2.of, condition2.to.choice.value) : null;
  if (flag3 !== null) return { place: "whose", owner: oneOf(owner), text: `is ${flag3}` };
  const ofYear = condition2.kind === "compare" && condition2.of.kind === "date_part" && condition2.to.kind === "given";
  const [, clause] = ofYear && condition2.relation === "equal" ? ["", givenAdjunct(condition2.of, condition2.to, about.noun(condition2.of), about).text] : /^the (.*)$/.exec(about.clause(condition2)) ?? [];
  if (clause === void 0) return null;
  const name3 = oneOf(owner);
  const [, place2] = / is (.*)$/.exec(clause) ?? [];
  const isEqual = condition2.kind === "among" ? !condition2.negated : condition2.kind === "compare" && condition2.relation === "equal";
  if (isEqual && place2 !== void 0 && "of" in condition2 && condition2.of.kind === "property" && isPlace(condition2.of))
    return { place: "whose", owner: name3, text: `is in ${place2}` };
  return {
    place: "whose",
    owner: name3,
    text: "",
    clause: withoutStart(withoutStart(clause, name3), owner.one.at(-1) ?? "")
  };
}
function isPlainNoun(np) {
  return np.head.length > 0 && !np.tail.includes(",");
}
function compareAdjunct({ of, relation, to }, r) {
  if (isEmptyText(to) && (relation === "equal" || relation === "not_equal")) {
    const np2 = r.noun(of);
    const empty = relation === "equal" ? "an empty" : "a non-empty";
    return isPlainNoun(np2) ? { place: "with", text: `${empty} ${singularText(np2)}` } : null;
  }
  const np = ownNoun(of, r);
  const words2 = RELATIONS[relation];
  if (relation === "equal" && of.kind === "property" && to.kind === "property") {
    if (isOwn(of, to) || isShared(of, to) && r.subject?.text !== void 0)
      return { place: "with", text: `the same ${singularText(np)}` };
    const other2 = otherOwner(of, to, r);
    if (other2 !== null) return { place: "with", text: `the same ${of.own.text} as the ${oneOf(other2)}` };
    if (isShared(of, to)) return null;
  }
  const first = relation === "equal" && to.kind === "query" ? sameAsRow(to.query, np, r) : null;
  if (first !== null) return { place: "with", text: first };
  const ranked = rankedFirst(of, relation, to, r);
  if (ranked !== null) return { place: "with", text: ranked };
  const counted = countedPlural(np);
  if (relation === "equal" && to.kind === "given" && isPlain(np) && counted === null) {
    return givenAdjunct(of, to, np, r);
  }
  if (counted !== null && relation !== "not_equal") {
    const exists = countCheck({ ...np, counted }, relation, to);
    if (exists !== null)
      return { place: "with", text: exists === "none" ? `no ${counted}` : `any ${counted}` };
    if (to.kind === "constant" || to.kind === "given") {
      const number3 = to.kind === "constant" ? singularText(r.noun(to)) : `${r.given(to, { ...np, tail: "number" }, "value")}${r.style === "summary" ? " of" : ""}`;
      const things = number3 === "1" ? singular(counted.split(" ")).join(" ") : counted;
      return {
        place: "with",
        text: joinTexts(relation === "equal" && to.kind === "given" ? "" : words2.many, number3, things)
      };
    }
  }
  const summed = sumAdjunct({ kind: "compare", of, relation, to }, r);
  if (summed !== null) return summed;
  if (!isPlainNoun(np)) return null;
  const { after } = relationWords(relation, np.scale);
  const isQuantity = QUANTITY2.test(np.value) && singularText(np) === np.value && r.style === "summary";
  if (/^(above|below|at_)/.test(relation) && to.kind === "given" && (isQuantity || isYearAlone(np, r))) {
    const how = { "of at least": "at or above", "of at most": "at or below" }[after] ?? after;
    const what = `${how} ${r.given(to, np, "thing")}`;
    return { place: "done", text: what, comparison: { about: "", what } };
  }
  const other = relation === "not_equal" && to.kind === "given";
  const value = valueText(to, np, r, other ? "one" : void 0);
  const place2 = other ? placeOf4(of, singularText(np), r) : "with";
  if (/^(kind|by|in)$/.test(place2)) return { place: place2, text: `${withArticle(np)} ${after} ${value}` };
  if (relation === "equal" && to.kind === "constant") {
    const flag3 = of.kind === "property" && r.style === "summary" ? flagPredicate(of, to.text) : null;
    if (flag3 !== null) return { place: "are", text: flag3 };
    const meaning = wordsFor(of).codes?.[to.text ?? ""];
    return {
      place: "with",
      text: joinTexts(singularText(np), value, meaning === void 0 ? "" : `(${meaning})`)
    };
  }
  return comparedNoun(np, `${after} ${value}`, to.kind === "given" ? r.style : "summary");
}
function sameAsRow(query2, np, r) {
  if (query2.kind !== "list" || query2.about !== "rows" || query2.groups !== null || r.style !== "summary")
    return null;
  const [only2, ...others] = query2.columns;
  if (only2 === void 0 || others.length > 0 || query2.limit?.rows !== 1) return null;
  const text2 = singularText(np);
  if (singularText(r.about(query2.subject).noun(only2)) !== text2) return null;
  return `the same ${text2} as ${theText(r.query({ ...query2, shown: [] }, true))}`;
}
function sumAdjunct({ of, relation, to }, r) {
  if (of.kind !== "arithmetic" || to.kind !== "given" || r.style !== "summary") return null;
  if (!of.items.every((one2) => one2.kind === "property" && isOfSubject(one2, r.subject))) return null;
  const how = { above: "more than", at_least: "at least", below: "less than", at_most: "at most" }[relation];
  const [first = "", second = "", ...others] = of.items.map((one2) => singularText(r.noun(one2)));
  const isLess = of.op === "-" && others.length === 0 && /^(above|at_least)$/.test(relation);
  if (how === void 0 || !(of.op === "+" || isLess)) return null;
  const amount = `${how} ${valueText(to, r.noun(of), r)}`;
  const text2 = isLess ? `${first} exceeds ${second} by` : `${listedOnce([first, second, ...others])} add up to`;
  return { place: "whose", text: `${text2} ${amount}` };
}
function otherOwner(of, to, { subject, style }) {
  if (style !== "summary" || of.own.text !== to.own.text || subject?.text !== void 0) return null;
  const others = [of, to].filter((one2) => !isOfSubject(one2, subject));
  return others.length === 1 ? others[0]?.owner ?? null : null;
}
function isYearAlone(np, { style }) {
  return np.scale === "year" && singularText(np) === "year" && style === "summary";
}
var PLAIN = /(^| )(name|title|code|ID|number|description|text|type|kind|status|date|year|month)$/;
function givenAdjunct(of, to, named, r) {
  const column2 = of.kind === "date_part" ? of.of : of;
  const own = column2.kind === "property" && isOfSubject(column2, r.subject);
  const short = own && r.subject !== null ? withoutOwner(named, r.subject) : named;
  const np = PLAIN.test(singularText(short)) ? { ...short, counted: singularText(named) } : named;
  const label = singularText(np);
  if (r.style === "question") {
    const value = r.given(to, np, "value");
    const flag3 = of.kind === "property" && own ? flagPredicate(of, to.choice.value) : null;
    if (flag3 !== null) return { place: "are", text: flag3 };
    if (own && label === "year") return { place: "done", text: `in ${value}` };
    if (own && isPlace(column2)) return { place: "in", text: value };
    return of.kind === "date_part" && of.part === "year" ? { place: "whose", text: `${dateText(r.noun(of.of))} is in ${value}` } : whoseIs(np, value);
  }
  const owned = ownedGiven(of, to, r);
  if (owned !== null) return owned;
  const text2 = r.given(to, np, "thing");
  const place2 = placeOf4(of, label, r);
  const [, within2 = ""] = / given (.*) name$/.exec(text2) ?? [];
  if (own && inKind(within2) === "in") return { place: "in", text: text2.slice(0, -" name".length) };
  if (text2 !== `a given ${label}`) return { place: place2, text: text2 };
  const owner = of.kind === "property" && label === of.full.text && of.owner !== null ? oneOf(of.owner) : "";
  const what = of.kind === "property" ? of.own.text : label;
  const given = label === `${owner} ${what}` ? { whose: owner, what } : { whose: "", what: label };
  return { place: place2, text: text2, given };
}
function flagPredicate({ own, base }, value) {
  const [, text2 = ""] = /^(.*) status$/.exec(own.text) ?? [];
  const name3 = base?.column.name ?? "";
  const isNamed = /^is|yn$/i.test(name3) && /^[a-z ]+$/.test(text2) && !/(er|or|ist|ant)$/.test(text2);
  const isAdjective = isNamed || PARTICIPLE.test(text2) || /^(in|on|under|out of) /.test(text2) || /^[a-z]+(en|al|ive|ous|able|ible)$/.test(text2);
  if (base === null || !isYesNo(base.column) || !isAdjective) return null;
  return `${/^(0|n|f|no|false)$/i.test(String(value)) ? "not " : ""}${text2}`;
}
function ownedGiven(of, to, r) {
  const column2 = of.kind === "date_part" ? of.of : of;
  if (column2.kind !== "property" || column2.owner === null || r.style !== "summary") return null;
  if (isOfSubject(column2, r.subject) || !refersTo3(r.subject, column2)) return null;
  const { owner } = column2;
  if (of.kind === "property" && endsWith(owner.one, of.own.words)) {
    const thing = oneOf(owner);
    const text3 = r.given(to, noun2(thing, { counted: of.full.text }), "thing");
    const place2 = inKind(thing);
    return text3 === `a given ${thing}` ? { place: place2, text: text3, given: { whose: "", what: thing } } : { place: place2, text: text3 };
  }
  const named = r.about(column2.owner).noun(of);
  const np = of.kind === "property" ? withoutOwner(named, column2.owner) : named;
  const text2 = r.given(to, { ...np, counted: column2.full.text }, "thing");
  const verb = IS[placeOf4(of, singularText(np), r.about(column2.owner))] ?? "has";
  const what = /^a given /.test(text2) ? text2.slice("a given ".length) : null;
  const { roleIn } = column2.owner;
  const via = roleIn === void 0 || roleIn === r.subject?.one.join(" ") ? "" : `${roleIn}'s `;
  const adjunct = { place: "whose", owner: `${via}${oneOf(column2.owner)}` };
  return what === null ? { ...adjunct, text: `${verb} ${text2}` } : { ...adjunct, text: verb, given: { whose: "", what } };
}
function withoutOwner(np, { one: one2 }) {
  const text2 = singularText(np);
  if (text2 === one2.join(" ")) return { ...np, head: ["name"] };
  const starts = np.lead === "" && text2.startsWith(`${one2.join(" ")} `);
  if (starts) return { ...np, head: np.head.slice(one2.length) };
  const [first = "", ...rest2] = np.head;
  const part = first.length > 3 && rest2.length > 0 && one2.at(-1)?.endsWith(first.toLowerCase());
  return part && np.lead === "" ? { ...np, head: rest2 } : np;
}
var WITHIN = /(city|(?<!home)town|village|location|country|region|section|ward|district|state|county|canton|province|department|area|zone|room|building|division|sector|continent|borough|parish|category|(?<!blood )group)$|^(year|month|quarter|season|language|currency)$/i;
var KIND = /(^| )(kind|type|species|breed|size|variety|brand|make|gender|sex|nationality)$/i;
function isPlace({ own, base, scale }) {
  const where = /^(city|town|village|country|county|region|continent|province)( name)?$/i;
  const among2 = base?.table.columns.some(({ name: name3 }) => /city|county|country|zip/i.test(name3)) ?? false;
  return scale === "text" && (where.test(own.text) || /^state$/i.test(own.text) && among2);
}
var MAKER = /(^| )(artist|author|writer|director|composer|illustrator|photographer|designer|painter|sculptor|architect|publisher|producer|developer|manufacturer|creator|performer|singer)$/i;
var IS = {
  kind: "is of",
  by: "is by",
  in: "is in",
  on: "is on"
};
function placeOf4(of, label, { subject }) {
  const column2 = of.kind === "date_part" ? of.of : of;
  if (column2.kind !== "property") return "with";
  if (!isOfSubject(column2, subject)) return subject?.text === void 0 ? "for" : "with";
  if (wordsFor(column2).noun !== void 0 && column2.base !== null && isReferring(column2.base)) return "for";
  if (label === "date" && column2.scale === "date") return "on";
  return MAKER.test(label) && column2.scale === "text" ? "by" : inKind(label);
}
function inKind(label) {
  const is = (pattern) => label.split(" of ").every((part) => pattern.test(part));
  return is(WITHIN) ? "in" : is(KIND) ? "kind" : "with";
}
function whoseIs(np, value) {
  return { place: "whose", text: `${quotedIfOdd(singularText(np))} ${isOrAre(np)} ${value}` };
}
function dateText(np) {
  const text2 = singularText(np);
  return /\b(date|day|time|month)\b/i.test(text2) ? text2 : `${text2} date`;
}
function quotedIfOdd(label) {
  return /^(for|from|to|by|until|since|at|in|on|when|where|why|who|how)$/i.test(label) ? `"${label}"` : label;
}
function comparedNoun(np, compared, style = "summary") {
  const [, bare3 = "", unit = ""] = /^(.+) in (\S+)$/.exec(np.tail === "" ? np.head.join(" ") : "") ?? [];
  const apart = style === "question" && /^(cm|mm|km|kg|lbs?|mph|kph|kmh|k?wh|k?w|mw|ms|hectares|sqm|sqft|km2|m2)$/.test(unit);
  const about = withArticle(apart ? { ...np, head: bare3.split(" ") } : np);
  const what = apart ? `${compared} ${unit}` : compared;
  return { place: "with", text: `${about} ${what}`, comparison: { about, what } };
}
function rankedFirst(of, relation, to, r) {
  if (of.kind !== "window" || of.rank === null) return null;
  const [by] = of.order.filter(({ of: key2 }) => key2.kind !== "check" || key2.condition.kind !== "known");
  const last = to.kind === "constant" ? Number(to.text) - (relation === "below" ? 1 : 0) : null;
  const isFirst = last === 1 && /^(equal|at_most|below)$/.test(relation);
  const isTop2 = of.rank === "row number" && (relation === "at_most" || relation === "below" && last !== null);
  if (by === void 0 || !(isFirst || isTop2 && (to.kind === "given" || Number.isInteger(last))))
    return null;
  const np = r.noun(by.of);
  if (np.scale === "text") return null;
  const within2 = of.within.map((one2) => singularText(r.noun(one2)));
  const each = within2.length === 0 ? "" : `within each ${listed(within2)}`;
  const word = extreme(np.scale, by.direction, np.head.join(" "));
  if (isFirst) return joinTexts("the", word, singularText(np), each);
  const most = to.kind === "given" ? `(up to ${r.given(to, noun2("number", { tail: "number" }), "value")})` : "";
  const count3 = last === null ? "" : COUNTS[last] ?? String(last);
  return joinTexts("one of the", count3, word, pluralText(np), each, most);
}
function amongAdjunct(condition2, r) {
  const np = r.noun(condition2.of);
  if (!isPlain(np)) return null;
  if (r.style === "question" || !condition2.values.every(({ kind: kind2 }) => kind2 === "given")) {
    if (!isPlainNoun(np)) return null;
    const values = valuesText(condition2, r);
    const { of } = condition2;
    if (r.style === "question" && !condition2.negated)
      return of.kind === "property" && isOfSubject(of, r.subject) && isPlace(of) ? { place: "in", text: values } : whoseIs(np, values);
    return { place: "with", text: `${withArticle(np)} ${condition2.negated ? "other than" : "of"} ${values}` };
  }
  const many = pluralText(np);
  const count3 = condition2.values.length;
  const [only2] = condition2.values;
  const given = count3 === 1 && only2?.kind === "given" ? theText(r.given(only2, np, "thing")) : `${COUNTS[count3] ?? "several"} given ${many}`;
  const place2 = placeOf4(condition2.of, singularText(np), r);
  if (!condition2.negated) return { place: place2, text: `${count3 === 2 ? "either of" : "any of"} ${given}` };
  const others = count3 === 1 ? "the given ones" : `${COUNTS[count3] ?? "several"} given ones`;
  return {
    place: /^(kind|by|in)$/.test(place2) ? place2 : "with",
    text: `${withArticle(np)} other than ${others}`
  };
}
function rangeAdjunct({ of, low, high, negated: negated2 }, r) {
  const np = r.noun(of);
  if (!isPlainNoun(np)) return null;
  const kind2 = pluralText(noun2(valueWord(np)));
  const given = low.kind === "given" && high.kind === "given" && r.style === "summary";
  if (given && !negated2 && (isYearAlone(np, r) || singularText(np) === np.value))
    return { place: "done", text: `between two given ${pluralText(np)}` };
  const ends = given ? `two given ${kind2}` : `${valueText(low, np, r)} and ${valueText(high, np, r)}`;
  return comparedNoun(np, `${negated2 ? "not between" : "between"} ${ends}`, r.style);
}
function existsAdjunct({ thing, are, query: query2, related, verb, negated: negated2 }, r) {
  if (query2 !== null && (query2.kind !== "list" || query2.read.length > 0 || query2.groups !== null || !related))
    return null;
  const conditions = query2?.conditions ?? [];
  const where = r.about(thing).adjuncts(conditions);
  const what = joinTexts(manyOf(thing), where);
  if (are) return { place: "that", verb: "are", text: `${negated2 ? "not " : ""}${what}` };
  const object = `${negated2 ? "no " : ""}${what}`;
  if (verb !== null) {
    const done = (one2) => negated2 ? withNot(one2, what) : `${one2} ${what}`;
    return { place: "that", verb: "do", text: done(ofMany(verb)), single: done(verb) };
  }
  return {
    place: "that",
    verb: "have",
    alone: where === "" && !negated2,
    people: isPerson(thing) && !negated2,
    text: object
  };
}
function isPlainList({ groups, limit, whose, read: read2, padded }) {
  return groups === null && limit === null && [...whose, ...read2, ...padded].length === 0;
}
function isNameOf({ of, query: query2 }, { subject }) {
  if (query2.kind !== "list" || of.kind !== "property") return false;
  const [only2, ...others] = query2.shown;
  const [shown2] = query2.columns;
  return others.length === 0 && only2?.role === "label" && shown2?.kind === "property" && shown2.own.text === of.own.text && sameThing(of.owner, subject) && sameThing(query2.subject, subject);
}
function isKeyAmong({ of, query: query2 }, { subject, style }) {
  if (query2.kind !== "list" || of.kind !== "property" || of.base === null || style !== "summary")
    return false;
  const [only2, ...others] = query2.shown;
  const [shown2] = query2.columns;
  const { table, column: column2 } = of.base;
  const refers = shown2?.kind === "property" && shown2.base !== null && isReferenceTo(shown2.base, table);
  return only2?.role === "key" && others.length === 0 && soleKey(table) === column2 && sameThing(of.owner, subject) && refers && query2.groups === null;
}
function firstAdjunct({ query: query2, itself, tied }, r) {
  const rows = tied && query2.kind === "list" && query2.groups === null ? { ...query2, shown: [] } : query2;
  const text2 = theText(r.query(rows, true));
  const [by] = rows.kind === "list" && rows.groups === null ? rows.order : [];
  const [shown2] = rows.kind === "list" && rows.shown.length === 1 ? rows.columns : [];
  if (by !== void 0 && shown2 !== void 0 && signature(by.of) === signature(shown2))
    return { place: "with", text: text2 };
  return itself ? { place: "that", verb: "are", text: text2 } : { place: "of", text: `of ${text2}` };
}
function valueOrNone(items, r) {
  const missing = items.find((one2) => one2.kind === "known");
  const other = items.find((one2) => one2 !== missing);
  if (items.length !== 2 || missing?.kind !== "known" || !missing.negated) return null;
  if (other?.kind !== "compare" && other?.kind !== "match" && other?.kind !== "range") return null;
  if (signature(other.of) !== signature(missing.of)) return null;
  const column2 = other.of.kind === "property" && refersTo3(r.subject, other.of) ? other.of : null;
  const owner = column2 === null || isOfSubject(column2, r.subject) ? null : column2.owner;
  const [, clause] = /^the (.*)$/.exec((owner === null ? r : r.about(owner)).clause(other)) ?? [];
  if (clause === void 0) return null;
  const text2 = joinTexts(clause, clause.includes(" is ") ? "or" : "or is", "missing");
  return owner === null ? { place: "whose", text: text2 } : { place: "whose", text: "", owner: oneOf(owner), clause: text2 };
}
function givenSets(items, r) {
  const sets = items.map(
    (item) => item.kind !== "all" ? [] : item.items.flatMap(
      (one2) => one2.kind === "compare" && one2.relation === "equal" && one2.to.kind === "given" ? [one2.of] : []
    )
  );
  const [first = []] = sets;
  const complete = items.every((item, i) => item.kind === "all" && item.items.length === sets[i]?.length);
  const same2 = sets.every((set) => set.map(signature).sort().join() === first.map(signature).sort().join());
  if (!complete || !same2 || first.length < 2) return null;
  const count3 = COUNTS[items.length] ?? "several";
  const of = namesOnce(listed(first.map((term) => singularText(r.noun(term)))));
  return `${items.length === 2 ? "either" : "any"} of ${count3} given combinations of ${of}`;
}
function anyAdjunct({ items }, r, alone) {
  const optional2 = r.attempt(() => valueOrNone(items, r));
  if (optional2 !== null) return optional2;
  const sets = givenSets(items, r);
  if (sets !== null && r.style === "summary") return { place: "with", text: sets };
  const adjuncts = items.map(
    (item) => item.kind === "compare" || item.kind === "match" || item.kind === "range" || item.kind === "known" ? adjunctOf(item, r, false) : null
  );
  const [first] = adjuncts;
  if (items.some((item) => item.kind === "compare" && item.to.kind === "property")) return null;
  if (!alone || first === null || first === void 0) return null;
  if (adjuncts.some((one2) => one2 === null || one2.place === "where")) return null;
  const clauses = adjuncts.filter((one2) => one2?.place === "whose" || one2?.place === "that").length;
  const which2 = relativePronoun(r.subject, r);
  const asClause = (one2) => {
    if (clauses === 0 || clauses === adjuncts.length) return null;
    const verb = { with: "have", in: "are in", kind: "are of", by: "are by" }[one2.place];
    return verb === void 0 ? null : `${which2} ${verb} ${textAt(one2.place, [one2], "for").replace(/^(with|in|of|by) /, "")}`;
  };
  const isMixed = clauses > 0 && clauses < adjuncts.length;
  if (isMixed && adjuncts.some((one2) => one2 !== null && !/^(whose|that)$/.test(one2.place) && asClause(one2) === null))
    return null;
  const plain4 = adjuncts.every(
    (one2) => one2?.place === first.place && one2.owner === void 0 && one2.verb === void 0
  );
  const texts = adjuncts.flatMap(
    (one2) => one2 === null ? [] : [
      plain4 ? one2.text : (isMixed && !/^(whose|that)$/.test(one2.place) ? asClause(one2) : null) ?? textAt(one2.place, [one2], "for", which2)
    ]
  );
  return { place: plain4 ? first.place : "of", text: listed([...new Set(texts)], "or") };
}

// generator/english/query-text.ts
function queryText(clauses, r, one2 = false) {
  switch (clauses.kind) {
    case "fixed":
      return "fixed values";
    case "combined":
      return combinedText(clauses, r);
    case "list":
      return listText(clauses, r, one2);
  }
}
function takesThe(clauses) {
  if (clauses.kind === "combined") return takesThe(clauses.left);
  if (clauses.kind !== "list" || clauses.about === "all") return false;
  if (clauses.order.length === 0) return isOneRow(clauses);
  return rankedOne(clauses) || typeof clauses.limit?.rows === "number" && clauses.limit.skipped === 0;
}
function listText(whole, realizer, one2) {
  const r = realizer.about(whole.subject);
  const list2 = r.style === "description" ? whole : summarised(whole);
  const recorded = r.style === "summary" ? shownValue(list2) : null;
  const subject = numbersThing(list2) ?? list2.subject;
  const limits = (about = subject, isRow = true) => {
    const thing = groupThing(list2);
    const theirs = about === subject || list2.whose.length + list2.read.length > 0 ? [] : groupConditions(list2);
    if (thing !== null && theirs.length > 0 && theirs.length === list2.conditions.length)
      return joinTexts("among", manyOf(thing), r.about(thing).adjuncts(theirs));
    return limitsText(
      // The highest score of films of a given type, but the film with the highest score among those of a given type.
      {
        ...list2,
        limit: isRow ? list2.limit : null,
        conditions: list2.conditions.filter((one3) => one3 !== recorded)
      },
      r.about(about)
    );
  };
  const averaged = r.style === "description" ? null : averagedCounts(list2);
  if (averaged !== null) return `average ${r.query(averaged)}`;
  const counted = r.style === "summary" ? countedRows(list2) : null;
  if (counted !== null) return `number of ${r.query(counted)}`;
  const [by] = list2.order;
  if (by !== void 0 && list2.limit !== null && list2.about !== "all") {
    return joinedSentence(rankedText(list2, by, list2.limit, r, limits));
  }
  const single = (one2 || isOneRow(list2)) && list2.about === "rows" && list2.groups === null;
  const overall = one2 && list2.about === "all" && isWhole(list2);
  const grouped = list2.about === "groups" && list2.groups !== null && isMeasured(list2);
  const byGroup = grouped && r.style === "summary" ? groupConditions(list2) : [];
  const byKey = grouped && r.style === "summary" ? givenKeys(list2) : [];
  const limited = list2.conditions.some((one3) => one3 !== recorded) || list2.whose.length > 0 || list2.read.length > 0;
  const head = overall ? { lead: measuresText(list2.shown, r, "all "), rest: wholeText(list2) } : single ? rowsHead(list2, r, { many: false, article: "the", limited }) : headText(list2, r, {
    limited,
    ofGroups: r.about(groupThing(list2)).adjuncts(byGroup, "one"),
    given: byKey.flatMap((one3) => "of" in one3 ? [signature(one3.of)] : [])
  });
  const distinct = joinTexts(
    list2.distinct && !single && list2.about !== "all" ? "distinct" : "",
    recorded === null ? "" : "recorded"
  );
  const lead = joinTexts(distinct, head.lead, head.rest);
  const rows = {
    ...list2,
    conditions: list2.conditions.filter((one3) => !byGroup.includes(one3) && !byKey.includes(one3))
  };
  const limitedText = grouped ? groupedText(rows, distinct, head, r, realizer.subject === null) : limitedHead({ ...list2, subject }, lead, limits(), r);
  const cut = list2.about === "all" ? "" : cutText(list2.limit, r);
  const order = by !== void 0 && list2.about !== "all" && r.detail.order ? `sorted by ${sortText(by, r)}` : "";
  const padded = r.style === "description" ? paddedText(list2, r) : besideText(list2, grouped, r);
  const [, ...others] = list2.crossed.map(oneOf);
  const crossed = others.length === 0 || r.style === "description" ? "" : `each with every ${listed(others)}`;
  return joinedSentence([limitedText, crossed, padded, order, cut]);
}
function countedRows({ about, shown: shown2, read: read2, conditions, groups }) {
  const [only2, ...others] = shown2;
  const [rows, ...more] = read2;
  if (about !== "all" || groups !== null || conditions.length + others.length + more.length > 0) return null;
  const all = only2?.term.kind === "count" && isThing(only2.term.of) && only2.term.where === null;
  return all && rows?.kind === "combined" && /^(intersect|except)$/.test(rows.op) ? rows : null;
}
function averagedCounts({ about, shown: shown2, read: read2, conditions, groups }) {
  const [only2, ...others] = shown2;
  const [inner, ...more] = read2;
  if (about !== "all" || groups !== null || conditions.length + others.length + more.length > 0) return null;
  if (only2?.term.kind !== "summary" || only2.term.name !== "average" || only2.term.where !== null) return null;
  if (inner?.kind !== "list" || inner.groups === null || !isMeasured(inner) || inner.limit !== null)
    return null;
  const [count3, ...measures] = measuresOf(inner.groups, inner.shown);
  const same2 = count3?.term.kind === "count" && signature(count3.term) === signature(only2.term.of);
  return same2 && measures.length === 0 ? inner : null;
}
function numbersThing(list2) {
  const plain4 = list2.shown.every(({ term }) => term.kind !== "count" || !term.distinct);
  return list2.about === "all" && plain4 && list2.over === null ? measuredThing(list2) : null;
}
function besideText(list2, grouped, r) {
  const counted = grouped ? measuredThing(list2) : null;
  const inNumbers = list2.shown.flatMap(({ term }) => havingWithin(term));
  const beside = list2.padded.filter(
    ({ thing, where }) => where.length > 0 && thing.one[0] !== "row" && ![counted, ...inNumbers].some((one2) => sameThing(one2, thing))
  );
  return listed(
    beside.map(({ thing, where }) => `with any ${manyOf(thing)} ${r.about(thing).adjuncts(where)}`)
  );
}
function havingWithin(term) {
  const found = [];
  visitNodes(term, (node2) => {
    if (node2.kind === "count" && node2.having) found.push(node2.having.thing);
  });
  return found;
}
function shownValue({ about, shown: shown2, conditions, limit }) {
  const [only2, ...others] = shown2;
  if (about !== "rows" || limit !== null || only2 === void 0 || others.length > 0) return null;
  if (only2.term.kind !== "property") return null;
  if (only2.role === "label" && only2.stands?.one.join(" ") !== only2.term.own.text) return null;
  const text2 = signature(only2.term);
  return conditions.find((one2) => one2.kind === "known" && !one2.negated && signature(one2.of) === text2) ?? null;
}
function groupThing({ groups }) {
  return groups === null ? null : namedGroup(groups)?.thing ?? null;
}
function givenKeys({ groups, conditions }) {
  const shown2 = groups?.shownKeys.map(({ term }) => signature(term)) ?? [];
  if (groups === null || namedGroup(groups) !== null) return [];
  return conditions.filter((one2) => {
    const [only2, ...others] = one2.kind === "among" && !one2.negated ? one2.values : [];
    return only2?.kind === "given" && others.length === 0 && "of" in one2 && shown2.includes(signature(one2.of));
  });
}
function groupConditions(list2) {
  const thing = groupThing(list2);
  if (thing === null || sameThing(thing, measuredThing(list2))) return [];
  return list2.conditions.filter((one2) => {
    if (!("of" in one2) || holdsNumber(one2)) return false;
    const of = one2.of.kind === "date_part" ? one2.of.of : one2.of;
    const plain4 = one2.kind !== "compare" || /^(given|constant)$/.test(one2.to.kind);
    return of.kind === "property" && plain4 && sameThing(of.owner, thing) && !/^(first|member|extreme)$/.test(one2.kind);
  });
}
function groupedText(list2, distinct, { lead, rest: rest2 }, r, isSentence) {
  const ofGroups = list2.conditions.filter(holdsNumber);
  const joined2 = list2.padded.filter(({ thing }) => sameThing(thing, measuredThing(list2)));
  const ofRows = [
    ...list2.conditions.filter((one2) => !ofGroups.includes(one2)),
    ...joined2.flatMap(({ where }) => where)
  ];
  const about = r.about(measuredThing(list2) ?? list2.subject);
  const named = list2.groups === null ? null : namedGroup(list2.groups);
  const rows = limitsText({ ...list2, conditions: ofRows }, about);
  const such = r.style === "question" && rows !== "" ? ofGroups.map(ofSuch) : ofGroups;
  const groups = ofGroups.length === 0 ? "" : joinTexts(
    "only",
    r.style === "question" ? "for" : "",
    named === null ? "those" : manyOf(named.thing),
    r.adjuncts(such)
  );
  const several2 = limitsOfNumbers(list2) === "several";
  const whole = joinTexts(distinct, lead, rest2);
  const { subject } = about;
  const after = isSentence && rest2 !== "" && r.style === "summary" && isWhole(list2) && LONG_CLAUSE.test(rows);
  const among2 = after && subject !== null && subject.text === void 0 ? mentions(lead, subject) ? "among those" : `among ${manyOf(subject)}` : null;
  const text2 = several2 && rows !== "" ? joinedSentence([whole, rows.replace(/^among /, "")]) : among2 !== null ? joinedSentence([whole, joinTexts(among2, rows)]) : joinTexts(distinct, limitedLead(lead, mentioning(lead, rows, about)), rest2);
  const counted = list2.groups === null ? null : measuresOf(list2.groups, list2.shown)[0]?.term.kind === "count";
  const none = joined2.length > 0 && counted && named !== null && ofGroups.length === 0;
  return joinedSentence([text2, groups, none ? `including ${manyOf(named.thing)} with none` : ""]);
}
function ofSuch(condition2) {
  if (condition2.kind !== "compare" || condition2.of.kind !== "count" || !isThing(condition2.of.of))
    return condition2;
  const [one2, many] = [`such ${oneOf(condition2.of.of)}`, `such ${manyOf(condition2.of.of)}`];
  return { ...condition2, of: { ...condition2.of, of: { ...condition2.of.of, text: { one: one2, many } } } };
}
var LONG_CLAUSE = /\bwhose |\bof all |^(?=.{40}).*\b(that|who) /;
function mentioning(lead, limits, { subject, style }) {
  if (limits === "" || subject === null || subject.text !== void 0) return limits;
  if (mentions(lead, style === "question" ? { ...subject, one: subject.many } : subject)) return limits;
  const plain4 = style === "question" ? /^(for|from|among|where) / : /^(for|of the|of all|from|among|where) /;
  return plain4.test(limits) ? limits : `of ${manyOf(subject)} ${limits}`;
}
function limitedHead(list2, lead, limits, r) {
  if (limitsOfNumbers(list2) === "several") return joinedSentence([lead, limits]);
  if (list2.about !== "all") return limitedLead(lead, limits);
  const text2 = mentioning(lead, limits, r.about(list2.subject));
  const { subject, shown: shown2 } = list2;
  const values = shown2.every(({ term }) => term.kind === "count" && !isThing(term.of));
  if (text2 === "" && values && subject !== null && isWhole(list2) && !mentions(lead, subject))
    return joinTexts(lead, r.style === "description" ? "" : `of ${manyOf(subject)}`);
  if (/ per [^,]*$/.test(lead) && /^(whose|that|who) /.test(text2)) return `${lead}, among those ${text2}`;
  return limitedLead(lead, text2);
}
function limitedLead(lead, limits) {
  const at = /^number of /i.test(lead) ? lead.indexOf(" and their ") : -1;
  return at < 0 ? joinTexts(lead, limits) : `${joinTexts(lead.slice(0, at), limits)}${lead.slice(at)}`;
}
function limitsText(list2, r) {
  const numbers = list2.groups === null && limitsOfNumbers(list2) !== null;
  const ranked = list2.about === "rows" && list2.groups === null && isCut(list2) && isSaidOf(list2, r);
  const ranking = ranked && r.style !== "description" ? rankingThing(list2, r.subject) : null;
  if (ranking !== null)
    return joinTexts("among", manyOf(ranking), r.about(ranking).adjuncts(list2.conditions));
  const single = rankedOne(list2) && (list2.groups === null || list2.order[0]?.of.kind === "property");
  const one2 = single || isOneRow(list2);
  const lead = numbers || ranked ? "among" : one2 ? "one" : "for";
  return joinTexts(
    whoseText(list2),
    r.adjuncts(throughGrain(list2, r), lead),
    list2.read.length === 0 ? "" : `from ${listed(list2.read.map((inner) => theText(readText(inner, r))))}`
  );
}
function throughGrain({ conditions, grain: [via] }, { style, subject }) {
  if (via === void 0 || via.text !== void 0 || style === "description" || sameThing(via, subject))
    return conditions;
  const columnOf2 = (one2) => ownerWithin(one2)?.column;
  const theirs = conditions.filter((one2) => {
    const column2 = columnOf2(one2);
    if (column2 === void 0 || isOfSubject(column2, subject) || refersTo3(subject, column2)) return false;
    return isOfSubject(column2, via) || refersTo3(via, column2);
  });
  const pair = theirs.every((one2) => arePartners(subject, columnOf2(one2)?.owner ?? null));
  const far = !pair && theirs.some((one2) => !sameThing(columnOf2(one2)?.owner ?? null, via));
  if (!far || conditions.some((one2) => one2.kind === "exists" && sameThing(one2.thing, via))) return conditions;
  const query2 = { ...BARE_LIST, subject: via, conditions: theirs };
  const exists = {
    kind: "exists",
    thing: via,
    are: false,
    query: query2,
    related: true,
    verb: null,
    negated: false
  };
  return [...conditions.filter((one2) => !theirs.includes(one2)), exists];
}
function rankingThing({ order: [by], conditions, whose, read: read2 }, subject) {
  const thing = by === void 0 ? null : termThing(by.of);
  if (by === void 0 || thing === null || sameThing(thing, subject)) return null;
  if (by.of.kind === "property" && refersTo3(subject, by.of)) return null;
  const isOn = (one2) => {
    const column2 = ownerWithin(one2)?.column;
    return column2 !== void 0 && (isOfSubject(column2, thing) || refersTo3(thing, column2));
  };
  const isOwn2 = (one2) => sameThing(ownerWithin(one2)?.owner ?? null, subject);
  if (conditions.length === 0 || whose.length + read2.length > 0 || !conditions.every(isOn)) return null;
  return conditions.every(isOwn2) ? subject : thing;
}
function isCut({ limit, order }) {
  return limit !== null && order.length > 0;
}
function isSaidOf(list2, r) {
  const [by] = list2.order;
  if (by === void 0 || r.style === "question") return true;
  return superlativeOf(list2, by) === null && !isKeyOf(list2, by) && r.noun(by.of).scale !== "text";
}
function wholeText({ shown: [first], subject }) {
  const values = first?.term.kind === "count" && !isThing(first.term.of);
  return values && subject !== null ? `of all ${manyOf(subject)}` : "";
}
function isWhole({ whose, read: read2, over }) {
  return whose.length === 0 && read2.length === 0 && over === null;
}
function readText(inner, r) {
  const once = inner.kind === "list" && inner.groups !== null && inner.about !== "all" && !inner.distinct && inner.limit === null && inner.groups.unshown.length === 0 && !isMeasured(inner);
  return joinTexts(once ? "distinct" : "", r.query(inner));
}
function joinedSentence(parts2) {
  return parts2.filter((part) => part !== "").join(", ");
}
var COMBINED = {
  union: ", together with ",
  union_all: ", together with ",
  intersect: " that are also ",
  except: ", except "
};
function combinedText(combined, r) {
  const { left: left2, order, limit } = combined;
  const about = r.about(left2.kind === "list" ? left2.subject : null);
  const [by] = order;
  const text2 = sharedValues(combined, r) ?? setText(combined, r);
  const sorted2 = by === void 0 || !(r.detail.order || limit !== null) ? "" : `sorted by ${sortText(by, about)}`;
  return [text2, sorted2, cutText(limit, r)].filter((part) => part !== "").join(", ");
}
function sharedValues({ op, left: left2, right: right2 }, r) {
  if (r.style !== "summary" || op !== "intersect" || left2.kind !== "list" || right2.kind !== "list")
    return null;
  const [only2, ...others] = left2.shown;
  if (only2?.role !== "other" || others.length > 0) return null;
  const rows = [left2, right2].map(
    ({ about, groups, limit, subject }) => about === "rows" && groups === null && limit === null && subject !== null
  );
  if (rows.includes(false)) return null;
  const values = pluralText(r.about(left2.subject).noun(only2.term));
  const [one2, other] = [left2, right2].map((list2) => r.query({ ...list2, shown: [], distinct: false }));
  return `${values} shared by ${one2} and ${other}`;
}
function isBareList(list2) {
  if (list2.kind !== "list" || list2.conditions.length + list2.read.length > 0 || list2.groups !== null)
    return false;
  return list2.columns.some(
    (term) => term.kind === "property" && term.base !== null && hasUniqueValues(term.base.table, term.base.column)
  );
}
function setText({ op, recursive, left: left2, right: right2 }, r) {
  const subject = left2.kind === "list" ? left2.subject : null;
  const first = r.query(left2);
  const list2 = leftmostList(left2);
  const rows = list2 === null || list2.shown.length > 1 || list2.shown[0]?.role !== "other";
  const values = rows || right2.kind !== "list" ? right2 : { ...right2, shown: right2.shown.map((one2) => ({ ...one2, role: "other", stands: null })) };
  const second = op === "intersect" && !rows ? r.query(values).replace(/^distinct /, "") : rightText(left2, values, r);
  const people = rows && isPerson(subject);
  const among2 = op === "intersect" && second.startsWith("those ") ? "among " : "";
  const and = rows && op === "intersect" && / (that|who|whose) /.test(first) ? " and" : "";
  const [, again] = /^those ((?:that|who) .*)$/.exec(op === "intersect" ? second : "") ?? [];
  const also = again?.replace(/^(that|who) ((?:are|were) )?/, (is) => `${is}also `);
  const joined2 = people ? COMBINED[op].replace("that", "who") : COMBINED[op];
  if (recursive) return `${first}${recursionText(left2, right2, r)}`;
  const [has, ...more] = right2.kind === "list" ? right2.conditions : [];
  if (op === "except" && isBareList(left2) && has?.kind === "exists" && !has.negated && more.length === 0 && r.style === "summary")
    return r.query({ ...left2, conditions: [{ ...has, negated: true }] });
  if (and !== "" && also !== void 0) return `${first} and ${also}`;
  const bare3 = op === "except" && left2.kind === "list" && left2.conditions.length + left2.read.length === 0;
  return `${first}${and}${bare3 && r.style === "summary" ? joined2.replace(",", "") : joined2}${among2}${second}`;
}
function recursionText(left2, right2, r) {
  const conditions = right2.kind === "list" ? right2.conditions : [];
  const links = conditions.flatMap(
    (one2) => one2.kind === "compare" && one2.relation === "equal" && one2.to.kind === "property" && one2.of.kind === "property" ? [one2] : []
  );
  const [link, ...others] = links;
  if (link === void 0 || others.length > 0 || right2.kind !== "list")
    return `, then again and again ${rightText(left2, right2, r)}`;
  const about = r.about(right2.subject);
  const rest2 = about.adjuncts(conditions.filter((one2) => one2 !== link));
  const shown2 = left2.kind === "list" ? left2.columns.map(signature) : [];
  const [of, to] = shown2.includes(signature(link.of)) ? [link.to, link.of] : [link.of, link.to];
  return `, and in turn those whose ${joinTexts(singularText(about.noun(of)), `is the ${singularText(about.noun(to))} of one of them`, rest2)}`;
}
function rightText(left2, right2, r) {
  const plain4 = (one2) => one2.kind === "list" && one2.limit === null && one2.read.length === 0 && one2.groups === null;
  if (left2.kind === "list" && right2.kind === "list" && plain4(left2) && plain4(right2)) {
    const [one2, other] = [left2, right2].map((list2) => JSON.stringify(headText(list2, r.about(list2.subject))));
    const same2 = one2 === other && left2.about === "rows";
    const about = r.about(right2.subject);
    const adjuncts = same2 ? about.adjuncts(throughGrain(right2, about)) : "";
    if (adjuncts !== "") return `those ${adjuncts}`;
  }
  return r.query(right2);
}

// generator/english/realizer.ts
var EVERYTHING = {
  order: true,
  columns: 5,
  whose: true
};
var ValueGuard = class {
  #texts;
  constructor(choices) {
    const values = /* @__PURE__ */ new Set();
    for (const { value } of choices) {
      for (const one2 of typeof value === "object" ? value : [value]) values.add(String(one2).trim());
    }
    this.#texts = [...values].filter((value) => value !== "").map(patternOf).filter((pattern) => pattern !== null);
  }
  /** Whether a piece of prose holds a value that some question chooses. */
  holdsValue(prose2) {
    return this.#texts.some((pattern) => pattern.test(prose2));
  }
};
function patternOf(value) {
  const escaped = literalPattern(value);
  if (/^-?\d+(\.\d+)?$/.test(value)) {
    return value.replace(/\D/g, "").length < 2 ? null : new RegExp(`(?<![\\d.])${escaped}(?!\\d|\\.\\d)`);
  }
  const word = `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`;
  if (value.length > 2) return new RegExp(word, "iu");
  if (value.length === 2) return SMALL_WORDS.has(value) ? null : new RegExp(word, "u");
  const code = `(?:['"\u2018\u201C(]${escaped}['"\u2019\u201D)]|(?<![\\p{L}\\p{N}])${escaped}\\s*[:\uFF1A=])`;
  return new RegExp(code, "iu");
}
var SMALL_WORDS = new Set(
  "an as at be by do he if in is it me my no of on or so to up us we".split(" ")
);

// generator/english/realize.ts
var LONGEST_SUMMARY = 160;
var LONGEST_WHOLE = 240;
var LEVELS = [
  EVERYTHING,
  { order: false, whose: true, columns: 5 },
  { order: false, whose: true, columns: 3 },
  { order: false, whose: false, columns: 3 },
  { order: false, whose: false, columns: 0 }
];
function summarise(clauses, phrases, lead = "") {
  const texts = LEVELS.map(
    (detail) => sentence(clauses, new Sentence({ style: "summary", detail, phrases }), lead)
  );
  const within2 = (longest, levels) => levels.find((text2) => text2.length <= longest);
  const named = texts.slice(0, -1);
  return within2(LONGEST_SUMMARY, named) ?? within2(LONGEST_WHOLE, named) ?? texts.at(-1) ?? "";
}
function sentence(clauses, r, lead = "") {
  const text2 = r.query(clauses);
  return capital([lead, takesThe(clauses) ? "the" : "", text2].filter((part) => part !== "").join(" "));
}
function descriptionRealizer(nameOf3, phrases) {
  return new Sentence({ style: "description", nameOf: nameOf3, phrases });
}
function parameterRealizer(phrases) {
  return new Sentence({ style: "summary", phrases });
}
var Sentence = class _Sentence {
  style;
  detail;
  subject;
  #manner;
  #memory;
  constructor(manner, subject = null, memory = new Memory()) {
    this.style = manner.style;
    this.detail = manner.detail ?? EVERYTHING;
    this.subject = subject;
    this.#manner = manner;
    this.#memory = memory;
  }
  about(subject) {
    return subject === this.subject ? this : new _Sentence(this.#manner, subject, this.#memory);
  }
  given({ choice, shifts }, about, as) {
    const moved2 = shifts.map((shift) => shiftText(shift, this.about(null)));
    return joinTexts(this.#value(choice, about, as), ...moved2);
  }
  #value(choice, about, as) {
    const label = as === "thing" ? singularText(about) : about.tail || "value";
    if (this.style === "description") return `\`${this.#manner.nameOf?.(choice) ?? ""}\``;
    if (this.style === "question") {
      const value = typeof choice.value === "object" ? listed(choice.value.map(valueInQuestion), "or") : valueInQuestion(choice.value);
      return as === "thing" ? `the ${label} ${value}` : value;
    }
    const of = about.counted ?? (as === "thing" ? label : singularText({ ...about, tail: "" }));
    const before = this.#memory.mention(choice, of);
    const at = before.indexOf(choice);
    const several2 = !choice.array ? label : as === "thing" ? pluralText(about) : `${label}s`;
    if (at >= 0)
      return before.length > 1 ? `the ${ORDINALS[at] ?? "same"} ${several2}` : `the same ${several2}`;
    const many = as === "thing" && (choice.array || isUncounted(about));
    if (before.length === 0) return choice.array ? `given ${several2}` : `${many ? "" : "a "}given ${label}`;
    return before.length === 1 ? `${many ? "other" : "another"} given ${several2}` : `${article(ORDINALS[before.length] ?? "further")} given ${label}`;
  }
  noun(term) {
    const { phrases } = this.#manner;
    const render = () => nounOf(term, this);
    return this.#memory.noun(term, this.subject, () => phrases?.noun(term, this.subject, render) ?? render());
  }
  attempt(render) {
    return this.#memory.attempt(render);
  }
  adjuncts(conditions, lead = "for") {
    return adjunctsOf(conditions, this, lead);
  }
  clause(condition2) {
    return clauseOf(condition2, this);
  }
  query(clauses, one2 = false) {
    return queryText(clauses, this, one2);
  }
};
function valueInQuestion(value) {
  const text2 = String(value);
  return /, |[.?!]$/.test(text2) ? `"${text2}"` : text2;
}
var Memory = class {
  /** Choices by the property that they are a value of, in the order mentioned. */
  #values = /* @__PURE__ */ new Map();
  /** A term that is requested again gets the same phrase. */
  #nouns = /* @__PURE__ */ new Map();
  /** Records a choice as a value of a property; returns those recorded for it before. */
  mention(choice, of) {
    const before = this.#values.get(of) ?? [];
    this.#values = new Map([...this.#values, [of, before.includes(choice) ? before : [...before, choice]]]);
    return before;
  }
  noun(term, subject, render) {
    const known = this.#nouns.get(term) ?? /* @__PURE__ */ new Map();
    this.#nouns.set(term, known);
    const of = subject?.one.join(" ") ?? "";
    const found = known.get(of) ?? render();
    known.set(of, found);
    return found;
  }
  attempt(render) {
    const before = this.#values;
    const result = render();
    if (result === null) this.#values = before;
    return result;
  }
};
var ROUNDS = 8;
function withDistinctPhrases(meaning, render) {
  const phrases = new PhraseResolver(meaning);
  let text2 = render(phrases);
  for (let round = 0; round < ROUNDS && phrases.settle(); round++) text2 = render(phrases);
  return text2;
}
var PhraseResolver = class {
  #meaning;
  #uses = [];
  #variants = /* @__PURE__ */ new Map();
  constructor(meaning) {
    this.#meaning = meaning;
  }
  /** The phrase of a term, changed if another term has the same. */
  noun(term, subject, render) {
    const before = this.#uses.length;
    let np = render();
    const meaning = /^(constant|given)$/.test(term.kind) ? null : this.#meaning(term);
    if (meaning === null) return np;
    for (let variant = this.#variantOf(np, meaning); variant !== void 0; variant = this.#variantOf(np, meaning)) {
      if (variant === "full" && (term.kind !== "property" || term.full.text === singularText(np))) break;
      np = variant === "full" && term.kind === "property" ? { ...np, head: term.full.text.split(" "), owner: null } : behind(np, `(${formText(term, meaning, variant)})`);
    }
    const text2 = singularText(np);
    const inside = this.#uses.slice(before).filter((one2) => one2.text !== text2);
    this.#uses = [...this.#uses.slice(0, before), ...inside];
    this.#uses.push({ text: text2, term, meaning, subject: subject?.one.join(" ") ?? "" });
    return np;
  }
  #variantOf(np, meaning) {
    return this.#variants.get(keyOf3(singularText(np), meaning));
  }
  /** The phrases that stand for different things, with these; not those whose owner is clear from the context. */
  shared() {
    const byText2 = /* @__PURE__ */ new Map();
    for (const one2 of this.#uses) byText2.set(one2.text, [...byText2.get(one2.text) ?? [], one2]);
    return new Map(
      [...byText2].flatMap(([text2, uses]) => {
        const meanings = new Map(uses.map(({ meaning }) => [meaning.text, meaning]));
        return meanings.size < 2 || ownersAreClear(uses) ? [] : [[text2, [...meanings.values()]]];
      })
    );
  }
  /** Chooses variants for shared phrases; false when there are none. */
  settle() {
    const shared = this.shared();
    const texts = [...shared.keys()];
    const shortest2 = texts.filter((text2) => !texts.some((other) => other !== text2 && text2.includes(other)));
    for (const text2 of shortest2) {
      const meanings = shared.get(text2) ?? [];
      const columns = meanings.filter(({ column: column2 }) => column2);
      const whose = columns.length < 2 ? [] : columns.filter((meaning) => this.#hasFullPhrase(text2, meaning));
      for (const meaning of whose) this.#variants.set(keyOf3(text2, meaning), "full");
      if (whose.length > 0) continue;
      const others = meanings.filter((one2) => !columns.includes(one2));
      const rest2 = [...columns, ...others].slice(1);
      for (const [i, meaning] of rest2.entries()) this.#variants.set(keyOf3(text2, meaning), i + 1);
    }
    this.#uses = [];
    return shortest2.length > 0;
  }
  /** Whether a column has another phrase with its owner. */
  #hasFullPhrase(phrase2, { text: meaning }) {
    return this.#uses.some(
      ({ text: text2, term, meaning: own }) => text2 === phrase2 && own.text === meaning && term.kind === "property" && term.full.text !== phrase2
    );
  }
};
function formText({ kind: kind2 }, { number: number3 }, variant) {
  if (variant !== 1) return `in a ${ORDINALS[Number(variant)] ?? "further"} form`;
  if (number3) return "as a number";
  return kind2 === "derived" ? "normalised" : "in another form";
}
function keyOf3(text2, meaning) {
  return `${text2}
${meaning.text}`;
}
function ownersAreClear(uses) {
  const owners = new Set(uses.map(({ meaning, subject }) => `${subject}
${meaning.text}`));
  const subjects = new Set(uses.map(({ subject }) => subject));
  return uses.every(({ meaning }) => meaning.column) && !subjects.has("") && owners.size === subjects.size;
}

// generator/english/describe-endpoint.ts
function describeEndpoint(clauses, columns, rounded2, nameOf3, phrases) {
  const r = descriptionRealizer(nameOf3, phrases);
  const sentences = [returned(clauses, columns, rounded2, r), ...selection(clauses, r), ordered(clauses, r)];
  return withSources(sentences.filter((sentence2) => sentence2 !== "").join(" "), clauses);
}
function withSources(description, { tables }) {
  return tables.length === 0 ? description : `${description} Source: ${[...tables].sort().join(", ")}.`;
}
function columnText2(term, rounded2, r) {
  return `${singularText(r.noun(term))}${rounded2}`;
}
function returned(clauses, columns, rounded2, r) {
  const first = leftmostList(clauses);
  const terms = first?.columns ?? [];
  const list2 = listed(
    columns.map((name3, i) => {
      const term = terms[i];
      const text2 = term === void 0 ? "" : columnText2(term, rounded2[i] ?? "", r);
      const others = constantsAt(i, clauses);
      if (others.length > 1) return `${name3} (${listed(others, "or")})`;
      return text2 === "" || text2.replaceAll(" ", "_").toLowerCase() === name3 ? name3 : `${name3} (${text2})`;
    })
  );
  const one2 = first?.about === "all" && clauses.kind === "list";
  return `${one2 ? "One row" : first?.distinct ? "Each different row once" : "Rows"} with ${list2}.`;
}
function constantsAt(index, clauses) {
  if (clauses.kind === "combined")
    return [...new Set([clauses.left, clauses.right].flatMap((side) => constantsAt(index, side)))];
  const term = clauses.columns[index];
  return term?.kind === "constant" ? [constantText(term)] : [];
}
function selection(clauses, r) {
  if (clauses.kind === "fixed") return [];
  if (clauses.kind === "combined") {
    return [
      `${capital(r.query(clauses))}.`,
      clauses.op === "union_all" ? "Rows may repeat." : "Each different row once."
    ];
  }
  const read2 = clauses.read.length === 0 ? "" : `Read from ${listed(clauses.read.map((inner) => theText(readText(inner, r))))}.`;
  const where = r.adjuncts(clauses.conditions);
  return [
    grainText(clauses, r),
    clauses.over === null ? "" : `Numbers are over rows of each ${oneOf(clauses.over)}.`,
    read2,
    crossedText(clauses),
    where === "" ? "" : `Conditions: ${where.slice("where ".length)}.`,
    ...[paddedText(clauses, r)].filter((text2) => text2 !== "").map((text2) => `${capital(text2)}.`)
  ];
}
function crossedText({ crossed }) {
  const [first, ...others] = crossed.map(oneOf);
  return first === void 0 ? "" : `Every ${first} is combined with every ${listed(others)}.`;
}
function grainText({ groups, grain, distinct, about }, r) {
  if (about === "all") return "";
  if (groups !== null && groups.keys.length > 0) {
    const keys2 = listed([...new Set(groups.keys.map((key2) => singularText(r.noun(key2))))]);
    return distinct ? `Numbers are per ${keys2}.` : `One row per ${keys2}.`;
  }
  if (distinct) return "";
  return grain.length === 0 ? "" : `One row for each ${listed(grain.map(oneOf))}.`;
}
function ordered(clauses, r) {
  if (clauses.kind === "fixed") return "";
  const one2 = clauses.kind === "list" && clauses.about === "all";
  if (one2 && clauses.limit === null) return "";
  const keys2 = one2 ? [] : clauses.order.map((sort) => sortText(sort, r));
  const order = keys2.length === 0 ? "" : `sorted by ${keys2.join(", then by ")}`;
  const text2 = [order, cutText(clauses.limit, r)].filter((part) => part !== "").join("; ");
  return text2 === "" ? "" : `${capital(text2)}.`;
}
function describeColumn(term, text2, guard) {
  const inner = shown(term);
  const column2 = inner.kind === "date_part" ? inner.of : inner;
  const base = column2.kind === "property" ? column2.base : null;
  if (base === null) return `${capital(text2)}.`;
  const prose2 = proseOf(base, inner, text2, guard);
  return `${capital(text2)} (${placeOf(base.table, base.column)}).${prose2 === "" ? "" : ` ${prose2}`}`;
}
function proseOf({ table, column: column2 }, { kind: kind2 }, text2, guard) {
  const prose2 = columnProse(column2, `${text2} ${table.words?.one ?? table.name}`, guard);
  return kind2 === "date_part" && prose2 !== "" ? `Column: ${prose2}` : prose2;
}
function shown(term) {
  const [first] = term.kind === "query" && term.query.kind === "list" ? term.query.columns : [];
  return first ?? term;
}
function describeParameter({ choice, of, given, operation: operation3, sign, format }, guard, phrases) {
  if (choice.role === "limit" || of === null) return "Maximum number of rows to return.";
  const r = parameterRealizer(phrases);
  const np = r.noun(of);
  const text2 = singularText(np);
  if (choice.role === "factor") {
    const whole = operation3 === null ? `a given value combined with ${text2}` : singularText(r.noun(operation3));
    return `Used in the calculation: ${whole.replace("a given value", "this value")}.`;
  }
  const column2 = of.kind === "date_part" ? of.of : of;
  const base = column2.kind === "property" ? column2.base : null;
  const place2 = base === null ? "" : ` (${placeOf(base.table, base.column)})`;
  const about = base === null ? "" : proseOf(base, of, text2, guard);
  const written = format !== "" ? format : base !== null && of.kind !== "date_part" && choice.type === "string" && hasFormat(choice.role) ? formatOf(base.column) : "";
  const shifts = (given?.shifts ?? []).map((shift) => shiftText(shift, r));
  const value = joinTexts(`this ${isMoment(np.scale) ? np.scale : "value"}`, ...shifts);
  const excluded = choice.removed ? " of what is ruled out" : "";
  const bound = shifts.length === 0 ? boundOf(choice, np) : null;
  const what = `${capital(joinTexts(bound ?? "", text2))}${place2}${excluded}`;
  const signs = sign === null ? "" : `; ${sign} escapes the sign behind it`;
  const compared = bound === null ? `: ${comparison2(choice, np.scale, value, shifts.length > 0)}${signs}` : "";
  const format_ = written === "" ? "" : `Format: ${written}.`;
  return [`${what}${compared}.`, about, format_].filter((piece) => piece !== "").join(" ");
}
function hasFormat(role) {
  return !["contains", "starts_with", "ends_with", "pattern", "glob"].includes(role);
}
function relationOf({ role, negated: negated2 }) {
  if (!negated2 && (role === "low" || role === "high")) return role === "low" ? "at_least" : "at_most";
  if (!isRelation(role)) return null;
  return negated2 ? RELATIONS[role].opposite : role;
}
function boundOf(choice, { lead, scale }) {
  const relation = relationOf(choice);
  if (scale === "text" || /\b(highest|lowest|latest|earliest|most|fewest)\b/.test(lead)) return null;
  if (relation === "at_least") return isMoment(scale) ? "earliest" : "minimum";
  if (relation === "at_most") return isMoment(scale) ? "latest" : "maximum";
  return null;
}
function comparison2(choice, scale, value, isShifted) {
  const { role, negated: negated2 } = choice;
  const relation = relationOf(choice);
  if (relation === "equal") return isShifted ? `exactly ${value}` : "exact match";
  if (relation === "not_equal") return `anything but ${value}`;
  if (relation !== null) return `${relationWords(relation, scale).is.replace("is ", "")} ${value}`;
  if (isMatch(role)) return MATCHES[role].parameter[negated2 ? 1 : 0];
  if (role === "low") return "start of the range to leave out";
  if (role === "high") return "end of the range to leave out";
  return role === "not_among" === negated2 ? "one of these values" : "none of these values";
}

// generator/english/term-words.ts
function wordsOf2(term, form2 = "noun") {
  switch (term.kind) {
    case "property":
      return form2 === "short" || term.clear ? term.own.words : term.full.words;
    case "count": {
      const { of } = term;
      const { one: one2, many } = isThing(of) ? of : { one: singular(wordsOf2(of)), many: plural(wordsOf2(of)) };
      const different = term.distinct && !isThing(of) ? ["distinct"] : [];
      const tail = [
        ...term.having === null ? [] : ["with", ...term.having.thing.many],
        ...withWords(term.where)
      ];
      if (form2 === "head") return ["count", ...different, ...many, ...tail];
      if (form2 === "short") return term.where === null ? ["count"] : [...aboutWords(term.where), "count"];
      return [...different, ...one2, "count"];
    }
    case "summary":
      return summaryWords(term, form2);
    case "share": {
      const all = isThing(term.of) ? term.of.many : wordsOf2(term.of);
      const word = term.percent ? "percentage" : "share";
      if (form2 === "short") return [word];
      return form2 === "head" ? [word, "of", ...all, ...withWords(term.where)] : [word, ...withWords(term.where)];
    }
    case "ratio": {
      const [top2, bottom] = [wordsOf2(term.top), wordsOf2(term.bottom)];
      const word = term.percent ? "percentage" : "ratio";
      if (form2 === "short" && sameWords(top2, bottom)) return [word];
      return sameWords(top2, bottom) ? [...top2, word] : upTo(8, [...top2, "to", ...bottom, word], [...top2, word]);
    }
    case "change": {
      const [from, to] = [wordsOf2(term.from), wordsOf2(term.to)];
      const common2 = commonWords([from, to]);
      return [...common2.length > 0 ? common2 : to, term.loss ? "decrease" : "growth"];
    }
    case "per_owner":
      return term.average ? ["average", ...wordsOf2(term.of)] : [...wordsOf2(term.of), "per", ...term.owner.one];
    case "arithmetic":
      return arithmeticWords(term);
    case "date_part":
      return partWords(term.part, wordsOf2(term.of, form2));
    case "moved": {
      const tail = term.shifts.flatMap(
        (shift) => shift.kind === "by" ? [shift.sign, shift.count, shift.unit] : shift.kind === "start" ? [shift.unit, "start"] : [shift.kind === "weekday" ? "weekday" : "moved"]
      );
      return [...wordsOf2(term.of, form2), ...tail];
    }
    case "duration": {
      if (term.to.kind === "constant") return [term.unit, "since", ...wordsOf2(term.from)];
      if (term.from.kind === "constant") return [term.unit, "until", ...wordsOf2(term.to)];
      return upTo(8, [term.unit, "from", ...wordsOf2(term.from), "to", ...wordsOf2(term.to)], [term.unit]);
    }
    case "age":
      return term.of.kind === "property" && !term.of.clear && form2 !== "short" ? [...term.of.owner?.one ?? [], "age"] : ["age"];
    case "constant":
      return term.type === "number" && term.text !== null ? numberWords(term.text) : term.type === "time" ? ["reference", "time"] : ["fixed", "value"];
    case "given":
      return ["number"];
    case "check":
      return checkWords(term.condition);
    case "one_of": {
      const results = [
        ...term.cases.map(({ result }) => result),
        ...term.otherwise === null ? [] : [term.otherwise]
      ];
      const computed = results.filter(({ kind: kind2 }) => kind2 !== "constant");
      const lists = computed.map((result) => wordsOf2(result, form2));
      const [first = [], second = first] = lists;
      if (lists.length > 0)
        return sameWords(first, second) ? first : common(lists) ?? upTo(6, [...first, "or", ...second], first);
      const about = term.by === null ? term.cases.slice(0, 1).flatMap(({ when }) => aboutWords(when)) : wordsOf2(term.by);
      return [
        ...about,
        results.every((one2) => one2.kind === "constant" && one2.type !== "text") ? "value" : "label"
      ];
    }
    case "derived": {
      const of = wordsOf2(term.of, form2 === "head" ? "noun" : form2);
      if (/^((lower|upper)-case|trimmed)$/.test(term.word)) return of;
      if (term.place === "before") return [term.word, ...of];
      if (term.place === "after") return wordsOf2(term.of, form2);
      if (term.word === "field") return [...of, ...fieldWords(term.more[0])];
      return term.word === "whole part" ? ["whole", ...wordsOf2(term.of, form2)] : [...of, ...term.word === "square" ? ["squared"] : term.word.split(" ")];
    }
    case "piece":
      return [...wordsOf2(term.of, form2), term.from === 1 && term.count === 1 ? "initial" : "part"];
    case "fallback":
      return term.items[0] === void 0 ? ["value"] : wordsOf2(term.items.find(({ kind: kind2 }) => kind2 !== "constant") ?? term.items[0], form2);
    case "joined_text": {
      if (term.person !== null) return term.person.words;
      const lists = term.items.filter(({ kind: kind2 }) => kind2 !== "constant").slice(0, 2).map((item) => wordsOf2(item));
      return upTo(7, joinedAnd(lists), lists[0] ?? ["text"]);
    }
    case "window": {
      if (term.rank !== null) return term.rank.split(" ");
      const lead = term.place ?? (term.reach === "all" ? null : term.reach);
      return [...lead === null ? [] : [lead], ...term.of === null ? ["value"] : wordsOf2(term.of)];
    }
    case "query": {
      const [first] = term.query.kind === "list" ? term.query.columns : [];
      return first === void 0 ? ["value"] : wordsOf2(first, form2);
    }
    case "tuple":
      return joinedAnd(term.items.map((item) => wordsOf2(item)));
  }
}
function fieldWords(path) {
  const words2 = path?.kind === "constant" ? (path.text ?? "").split(/[^\p{L}\p{N}]+/u).filter(Boolean) : [];
  return words2.length > 0 ? words2 : ["field"];
}
function common(lists) {
  const words2 = commonWords(lists);
  return words2.length > 0 ? words2 : null;
}
var MEANING2 = { total: "sum", average: "mean" };
function summaryWords(term, form2) {
  const of = wordsOf2(term.of, form2 === "short" ? "short" : "noun");
  const tail = form2 === "head" ? withWords(term.where) : [];
  if (term.name === "list") return ["joined", ...plural(of), ...tail];
  const name3 = summaryWord(term, scaleOf(term.of));
  const word = { highest: "max", lowest: "min" }[name3] ?? name3;
  const [first, ...rest2] = of;
  const again = first?.toLowerCase();
  if (again === name3 || again === word)
    return MEANING2[word] === void 0 ? [word, ...rest2, ...tail] : [MEANING2[word], ...rest2, ...tail];
  return [word, ...of, ...tail];
}
var plain2 = parameterRealizer();
function scaleOf(term) {
  return plain2.noun(term).scale;
}
function arithmeticWords({ op, items, step }) {
  const [first = [], second = [], ...others] = items.map((item) => wordsOf2(item));
  if (step !== null) return ["rounded", ...first];
  const constant = items.some(({ kind: kind2 }) => kind2 === "constant" || kind2 === "given");
  const lists = [first, second, ...others];
  const shared = commonWords(lists).filter((word) => !/^(in|of|for|to|from|and)$/.test(word));
  switch (op) {
    case "-":
      if (!constant && shared.length > 0) return [...shared, "difference"];
      return upTo(8, [...first, "minus", ...second], ["difference"]);
    case "+":
      if (constant || shared.length === 0)
        return upTo(
          7,
          lists.flatMap((words2, i) => i === 0 ? words2 : ["plus", ...words2]),
          ["total"]
        );
      return ["total", ...shared];
    case "*":
      return upTo(
        8,
        lists.flatMap((words2, i) => i === 0 ? words2 : ["times", ...words2]),
        [...first, "product"]
      );
    case "/":
      return upTo(8, [...first, "divided", "by", ...second], [...first, "divided"]);
    case "%":
      return [...first, "remainder"];
  }
}
function numberWords(written) {
  if (written.startsWith("-")) return ["minus", written.slice(1)];
  const number3 = Number(written);
  if (number3 === 0) return ["zero"];
  return [number3 <= 10 ? COUNTS[number3] ?? written : written];
}
function withWords(where) {
  return where === null ? [] : ["with", ...aboutWords(where)];
}
function aboutWords(condition2) {
  switch (condition2.kind) {
    case "all":
    case "any": {
      const lists = condition2.items.slice(0, 3).map(aboutWords);
      const different = lists.filter((words2, i) => lists.findIndex((other) => sameWords(other, words2)) === i);
      return different.flatMap((words2, i) => i === 0 ? words2 : ["and", ...words2]);
    }
    case "not":
      return aboutWords(condition2.item);
    case "exists":
      return condition2.thing.many;
    case "constant":
      return ["value"];
    default:
      return wordsOf2(condition2.of);
  }
}
function checkWords(condition2) {
  if (condition2.kind === "compare") {
    const { of, to, relation } = condition2;
    if (to.kind !== "given" && to.kind !== "constant")
      return upTo(7, [...wordsOf2(of), "versus", ...wordsOf2(to)], ["comparison"]);
    if (of.kind === "count" && to.kind === "constant" && RELATIONS[relation].sign.startsWith(">")) {
      return [
        "has",
        ...of.where === null ? isThing(of.of) ? of.of.many : wordsOf2(of.of) : aboutWords(of.where)
      ];
    }
  }
  const about = aboutWords(condition2);
  if (condition2.kind === "known") return [condition2.negated ? "lacks" : "has", ...about];
  return /^(is|has|was|can)$/i.test(about[0] ?? "") ? about : [...about, "matches"];
}

// generator/english/disambiguate.ts
function disambiguate(items, details, render) {
  let distinctions = items.map(() => []);
  let texts = items.map((item) => render(item, []));
  for (const detail of details) {
    const before = texts;
    const next = distinctions.map((own, i) => {
      const alike = items.filter((_, j) => before[j] === before[i]);
      const item = items[i];
      if (alike.length === 1 || item === void 0) return own;
      const found = detail(item, alike);
      const differs = alike.some((other) => detail(other, alike)?.text !== found?.text);
      return differs && found !== null ? [...own, found] : own;
    });
    const changed = next.map((own, i) => own === distinctions[i] ? null : own);
    texts = texts.map((text2, i) => {
      const [own, item] = [changed[i], items[i]];
      return own === null || own === void 0 || item === void 0 ? text2 : render(item, own);
    });
    distinctions = next;
  }
  return texts;
}
var plain3 = descriptionRealizer(() => "a given value");
function distinction(place2, words2, text2) {
  return text2 === "" ? null : { place: place2, words: words2, text: text2 };
}
function list({ clauses }) {
  return leftmostList(clauses);
}
var DISTINCTIONS = [
  // Columns that only some of them return.
  (own, alike) => {
    const shown2 = (one2) => list(one2)?.columns ?? [];
    const isShared2 = (term) => alike.every((other) => shown2(other).some((one2) => sameWords(wordsOf2(one2), wordsOf2(term))));
    const more = shown2(own).filter((term) => !isShared2(term));
    const lead = list(own)?.subject?.one ?? [];
    const lists = more.slice(0, 2).map((term) => wordsOf2(term).filter((word) => !lead.includes(word)));
    const words2 = lists.filter((one2) => one2.length > 0).flatMap((one2, i) => [i === 0 ? "with" : "and", ...one2]);
    const text2 = listed(more.map((term) => singularText(plain3.noun(term)))).replaceAll("`", "");
    return distinction("middle", words2, more.length === 0 || text2.length > 140 ? "" : `with ${text2}`);
  },
  (own) => list(own)?.distinct ? distinction("front", ["distinct"], "each different row once") : null,
  (own) => {
    const known = (list(own)?.conditions ?? []).flatMap(
      (one2) => one2.kind === "known" && !one2.negated ? [one2.of] : []
    );
    const words2 = known.flatMap((term, i) => [i === 0 ? "with" : "and", ...wordsOf2(term)]);
    return distinction(
      "middle",
      words2,
      known.length === 0 ? "" : `where ${listed(known.map((term) => singularText(plain3.noun(term))))} is known`
    );
  },
  // Constants, signs and roles for which neither a name nor a summary had room.
  (own, alike) => {
    const clausesOf2 = (one2) => (list(one2)?.conditions ?? []).map(
      (condition2) => plain3.about(list(one2)?.subject ?? null).clause(condition2)
    );
    const more = clausesOf2(own).filter((text3) => !alike.every((other) => clausesOf2(other).includes(text3)));
    const text2 = listed(more).replaceAll("`", "");
    return distinction("end", [], text2.length > 70 ? "" : text2);
  },
  (own, alike) => {
    const more = own.clauses.tables.filter(
      (table) => !alike.every(({ clauses }) => clauses.tables.includes(table))
    );
    const [first] = more;
    return first === void 0 ? null : distinction(
      "middle",
      ["via", ...own.nounOf(first)],
      `by way of ${listed(more.map((table) => own.nounOf(table).join(" ")))}`
    );
  },
  (own) => own.clauses.kind !== "fixed" && own.clauses.limit !== null ? distinction("end", ["with", "limit"], "limited") : null,
  (own) => {
    const order = own.clauses.kind === "fixed" ? [] : own.clauses.order;
    const [by] = order;
    if (by === void 0) return null;
    const words2 = ["sorted", "by", ...wordsOf2(by.of), ...by.direction === "desc" ? ["descending"] : []];
    const text2 = order.map(
      ({ of, direction }) => `${wordsOf2(of).join(" ")} ${orderText(scaleOf(of), direction)}`.trim()
    );
    return distinction("end", words2, `sorted by ${listed(text2)}`);
  },
  (own) => {
    const one2 = list(own);
    if (one2 === null) return null;
    const grain = one2.grain.map(oneOf);
    const text2 = grain.length > 0 ? `one row for each ${listed(grain)}` : one2.groups !== null ? "grouped" : "each row once";
    return distinction("front", one2.groups === null ? [] : ["grouped"], text2);
  },
  ({ columns }) => distinction("end", [], `in the order ${listed(columns)}`)
];

// generator/english/query-words.ts
function headWords(clauses) {
  switch (clauses.kind) {
    case "fixed":
      return [["fixed", "values"]];
    case "combined":
      return rankedWords(leftmostList(clauses), clauses.order, clauses.limit);
    case "list":
      return rankedWords(clauses, clauses.order, clauses.limit);
  }
}
function rankedWords(list2, order, limit) {
  if (list2 === null) return [["fixed", "values"]];
  const [by] = order;
  if (by === void 0 || limit === null || list2.about === "all") return plainWords(list2, true);
  const single = limit.rows === 1 || limit.skipped !== 0;
  const ranked = shortened(wordsOf2(by.of));
  const place2 = limit.skipped === 0 ? [] : [ORDINALS[limit.skipped ?? -1] ?? "nth"];
  if (limit.rows !== 1 && limit.skipped !== 0) {
    const from = limit.skipped === null ? ["later"] : ["from", "place", String(limit.skipped + 1)];
    return plainWords(list2, true).map((words2) => [...words2, ...from, "by", ...wordsOf2(by.of)]);
  }
  if (showsRank(list2, by)) {
    return ranked.map((words2) => {
      const what = [...words2, ...perWords(list2)];
      if (single) return [...place2, extremeOf(by), ...what];
      const scale = scaleOf(by.of);
      if (scale === "text" || isMoment(scale)) return [superlative(scale, by.direction), ...plural(what)];
      return [topOrBottom(by), ...plural(what)];
    });
  }
  const groups = isRankedGroup(list2) ? namedGroup(list2.groups) : null;
  const heads = groups === null ? plainWords(list2, !single) : [single ? groups.thing.one : groups.thing.many];
  return heads.flatMap(
    (words2) => ranked.map((of) => single ? [...words2, ...rankWords(by, place2, of)] : top(words2, by, of))
  );
}
function perWords(list2) {
  const keys2 = perKeys(list2);
  return list2.groups === null || list2.about !== "groups" ? [] : ["per", ...joinedAnd(keys2.map(keyWords))];
}
function keyWords(key2) {
  return isThing(key2) ? key2.one : wordsOf2(key2);
}
function isRankedGroup(list2) {
  return list2.about === "groups" && isMeasured(list2) && list2.groups?.companions.length === 0;
}
function extremeOf({ of, direction }) {
  return extreme(scaleOf(of), direction);
}
function topOrBottom({ direction }) {
  return direction === "desc" ? "top" : "bottom";
}
function rankWords(by, place2, noun3) {
  const word = superlative(scaleOf(by.of), by.direction);
  if (by.of.kind === "count") return ["with", ...place2, word, ...wordsOf2(by.of, "head").slice(1)];
  return scaleOf(by.of) === "text" ? [...place2, word, "by", ...noun3] : ["with", ...place2, word, ...noun3];
}
function top(words2, by, noun3) {
  const scale = scaleOf(by.of);
  const sorted2 = endsWith(singular(words2), singular(noun3)) ? [] : ["by", ...noun3];
  const lead = scale === "text" || isMoment(scale) ? extremeOf(by) : topOrBottom(by);
  return [lead, ...words2, ...sorted2];
}
function shortened(noun3) {
  const to = noun3.indexOf("to");
  const last = noun3.at(-1) ?? "";
  if (to > 0 && /^(ratio|percentage)$/.test(last)) return [noun3, [...noun3.slice(0, to), last]];
  return noun3.length > 4 ? [noun3, noun3.slice(0, 4)] : [noun3];
}
function plainWords(list2, many) {
  const { about, groups, shown: shown2 } = list2;
  if (about === "all") return measureWords(withoutConstants(shown2), rowsOf2(list2));
  const measures = groups === null ? [] : measuresOf(groups, shown2);
  if (about === "groups" && groups !== null && measures.length > 0) {
    const shownKeys = groupWords(groups);
    const unshown2 = groups.unshown.map(keyWords);
    const all = shownKeys.length + unshown2.length > 0 ? [...shownKeys, ...unshown2] : groups.keys.map(keyWords);
    const by = upTo(6, joinedAnd(all), all[0] ?? ["group"]);
    return measureWords(measures, rowsOf2(list2)).map((words2) => [
      ...words2,
      "per",
      ...by.length === 0 ? ["group"] : by
    ]);
  }
  const heads = listWords(list2, many);
  const unshown = groups?.unshown ?? [];
  if (unshown.length === 0 || list2.distinct) return heads;
  const tail = joinedAnd(unshown.map(keyWords));
  return [...heads.map((words2) => [...words2, many ? "per" : "of", ...tail]), ...heads];
}
function rowsOf2(list2) {
  const thing = measuredThing(list2);
  return thing === null || thing.one[0] === "row" ? list2.subject : thing;
}
function groupWords(groups) {
  const named = namedGroup(groups);
  return named === null ? withoutConstants(groups.shownKeys).map(({ term }) => wordsOf2(term)) : [named.thing.one];
}
function measureWords(measures, subject) {
  const long = joinedAnd(measures.map(({ term }) => wordsOf2(term, "head")));
  const short = joinedAnd(measures.map(({ term }) => wordsOf2(term, "noun")));
  const statistics = [...subject?.one ?? [], "statistics"];
  if (measures.length > 3) return [statistics];
  const counts2 = measures.filter(({ term }) => term.kind === "count").length;
  if (measures.length > 1) return counts2 > 1 ? [statistics] : [long, statistics];
  const at = long.lastIndexOf("with");
  const bare3 = at > 0 ? long.slice(0, at) : long;
  return [long, bare3, short].filter(
    (words2, i, all) => i === 0 || words2.length > 1 && words2.length < (all[i - 1]?.length ?? 0)
  );
}
function listWords(list2, many) {
  const { shown: shown2, subject } = list2;
  const columns = withoutConstants(shown2);
  const known = knownRows(list2);
  if (known !== null) {
    const { thing, rest: rest2 } = known;
    const lead = many ? thing.many : thing.one;
    if (rest2.length === 0) return [lead];
    const parts2 = rest2.map(({ term }) => withoutNoun(wordsOf2(term), thing));
    const whole2 = [...lead, ...many ? ["with"] : ["and"], ...joinedAnd(parts2)];
    return [...rest2.length > 3 || parts2.flat().length > 7 ? [] : [whole2], [...thing.one, "details"]];
  }
  if (subject === null || columns.length === 0) {
    const lists2 = columns.slice(0, 3).map(({ term }) => wordsOf2(term));
    return [lists2.length === 0 ? subject?.many ?? ["values"] : joinedAnd(lists2)];
  }
  const [first] = columns;
  const words2 = columns.map(({ term }) => withoutNoun(wordsOf2(term), subject));
  const whole = first === void 0 ? [] : wordsOf2(first.term);
  const clear = includesNoun(whole, subject) || refersAway(first, subject);
  const lists = words2.map((one2, i) => i === 0 && clear ? whole : one2).map((one2) => many ? pluralValues(one2) : one2);
  const long = [...clear ? [] : subject.one, ...joinedAnd(lists)];
  const details = [...subject.one, "details"];
  if (lists.length === 1) return [long];
  return lists.length > 3 || long.length > 9 ? [details] : [long, details];
}
function refersAway(one2, subject) {
  if (one2 === void 0 || one2.term.kind !== "property")
    return one2 !== void 0 && !sameThing(one2.owner, subject);
  const words2 = wordsOf2(one2.term);
  const bare3 = withoutKey(words2);
  return bare3.length < words2.length && !sameWords(bare3, subject.one) || !sameThing(one2.owner, subject);
}
function includesNoun(words2, { one: one2 }) {
  const last = one2.at(-1)?.toLowerCase() ?? "";
  return words2.some((word) => word.toLowerCase() === last);
}
function withoutNoun(words2, { one: one2 }) {
  const lead = one2.map((word) => word.toLowerCase());
  const starts = lead.every((word, i) => words2[i]?.toLowerCase() === word) && words2.length > lead.length;
  return starts ? words2.slice(lead.length) : words2;
}
function conditionWords(clauses) {
  const list2 = leftmostList(clauses);
  if (list2 === null) return [];
  const right2 = clauses.kind === "combined" ? sideWords(clauses) : [];
  const own = list2.conditions.flatMap((one2) => factsOf(one2, list2));
  return merged([...own, ...right2, ...list2.read.flatMap((inner) => conditionWords(inner))]);
}
function sideWords(clauses) {
  const left2 = clauses.left.kind === "combined" ? sideWords(clauses.left) : [];
  const right2 = leftmostList(clauses.right);
  if (right2 === null) return left2;
  const facts = right2.conditions.flatMap((one2) => factsOf(one2, right2));
  const other = leftmostList(clauses.left);
  const same2 = other !== null && sameWords(other.subject?.one ?? [], right2.subject?.one ?? []);
  if (clauses.op !== "except") return [...left2, ...facts];
  if (same2 && right2.conditions.every(({ kind: kind2 }) => kind2 !== "exists")) return left2;
  return [
    ...left2,
    ...facts.map(({ words: words2 }) => ({ words: opposite(words2), needed: true })).filter(({ words: words2 }) => words2.length > 0)
  ];
}
function opposite([first, ...rest2]) {
  return first === "with" ? ["without", ...rest2] : [];
}
function factsOf(condition2, list2) {
  const fact = (words2, needed = false) => words2.length === 0 ? [] : [{ words: words2, needed }];
  switch (condition2.kind) {
    case "known": {
      const words2 = wordsOf2(condition2.of);
      const shown2 = [...list2.columns, ...list2.order.map(({ of }) => of)];
      if (!condition2.negated && shown2.some((term) => sameWords(wordsOf2(term), words2))) return [];
      return fact([condition2.negated ? "without" : "with", ...words2]);
    }
    case "exists": {
      const inner = condition2.query === null ? [] : conditionWords(condition2.query);
      if (!condition2.negated && inner.length > 0) return inner;
      if (!condition2.negated && condition2.query !== null && hasChoice(condition2)) return [];
      const [word, words2] = condition2.negated ? ["without", condition2.thing.many] : [condition2.are ? "as" : "with", condition2.thing.many];
      return fact([word, ...words2], condition2.negated);
    }
    case "extreme": {
      const words2 = wordsOf2(condition2.of);
      return fact(rankWords({ of: condition2.of, direction: condition2.highest ? "desc" : "asc" }, [], words2));
    }
    case "first":
      return firstWords(condition2);
    case "compare":
      return fact(compareWords(condition2));
    case "range":
      return [];
    case "not": {
      const inner = factsOf(condition2.item, list2);
      return inner.map(({ words: words2 }) => ({ words: opposite(words2), needed: true })).filter(({ words: words2 }) => words2.length > 0);
    }
    case "all":
      return condition2.items.flatMap((item) => factsOf(item, list2));
    case "any": {
      if (condition2.items.some(hasChoice)) return [];
      return condition2.items.slice(0, 1).flatMap((item) => factsOf(item, list2));
    }
    case "member":
      return hasChoice(condition2) ? [] : fact([
        "with",
        ...wordsOf2(condition2.of),
        condition2.negated ? "not_among" : "among",
        ...leftmostList(condition2.query)?.subject?.many ?? []
      ]);
    default:
      return [];
  }
}
function hasChoice(condition2) {
  return choicesWithin(condition2).length > 0;
}
function firstWords({ query: query2, itself }) {
  const list2 = leftmostList(query2);
  const [by] = list2?.order ?? [];
  if (list2 === null || by === void 0) return [];
  const ranked = rankWords(by, [], wordsOf2(by.of));
  const whose = itself ? [] : ["of", ...list2.subject?.one ?? []];
  return [
    { words: [...whose, ...ranked], needed: false },
    ...list2.conditions.flatMap((one2) => factsOf(one2, list2))
  ];
}
function compareWords({ of, relation, to }) {
  if (to.kind === "given") return [];
  const left2 = wordsOf2(of);
  if (to.kind === "constant") return [];
  if (relation === "equal") return ["with", RELATIONS.equal.versus, ...left2];
  return ["with", ...left2, RELATIONS[relation].versus, ...withoutSame(wordsOf2(to), left2)];
}
function withoutSame(words2, left2) {
  if (sameWords(words2.slice(0, left2.length), left2)) return ["that", ...words2.slice(left2.length)];
  const [kind2, ...rest2] = words2;
  return kind2 !== void 0 && sameWords(rest2, left2) ? [kind2] : words2;
}
function merged(facts) {
  const different = facts.filter(
    (fact, i) => facts.findIndex((other) => sameWords(other.words, fact.words)) === i
  );
  const plain4 = different.filter(
    ({ words: [first, second] }) => first === "with" && !/^(highest|lowest|most|fewest|latest|earliest|above|below)$/.test(second ?? "")
  );
  const [lead, ...others] = plain4;
  if (lead === void 0 || others.length === 0) return different;
  const words2 = [...lead.words, ...others.flatMap(({ words: [, ...rest2] }) => ["and", ...rest2])];
  return different.flatMap(
    (fact) => fact === lead ? [{ ...lead, words: words2 }] : plain4.includes(fact) ? [] : [fact]
  );
}

// generator/english/names.ts
function choiceWords(named, head) {
  const listed2 = [];
  for (const { choice, name: name3, of } of named) {
    if (choice.role === "limit") continue;
    if (choice.clause === "value" && includesAll(head, name3.split("_"))) continue;
    const range = choice.role === "low" || choice.role === "high";
    const words2 = range && of !== null ? [...wordsOf2(of).map((word) => word.toLowerCase()), "range"] : name3.split("_");
    if (!listed2.some((other) => other.join("_") === words2.join("_"))) listed2.push(words2);
  }
  return mergePerson(mergeOrdinals(listed2), ownerOf4(named));
}
function includesAll(head, words2) {
  const lowered = head.map((word) => word.toLowerCase());
  return words2.every((word) => lowered.includes(word) || /^(is|has)$/.test(word));
}
function mergeOrdinals(listed2) {
  const stems = listed2.map(([first, ...rest2]) => ORDINALS.includes(first ?? "") ? rest2.join("_") : null);
  return listed2.flatMap((words2, i) => {
    const stem = stems[i];
    const count3 = stems.filter((other) => other === stem).length;
    if (stem === null || stem === void 0 || count3 === 1) return [words2];
    if (stems.indexOf(stem) !== i) return [];
    return [[count3 > 5 ? "several" : COUNTS[count3] ?? "", ...plural(stem.split("_"))]];
  });
}
function ownerOf4(named) {
  const of = named.find(({ name: name3 }) => /(first_name|forename)$/.test(name3))?.of;
  return of?.kind === "property" ? (of.owner?.one ?? []).map((word) => word.toLowerCase()) : [];
}
function mergePerson(listed2, noun3) {
  const first = listed2.find((words2) => /(^| )(first name|forename)s?$/.test(words2.join(" ")));
  const last = listed2.find((words2) => /(^| )(last name|surname)s?$/.test(words2.join(" ")));
  if (first === void 0 || last === void 0) return listed2;
  if (first.includes("excluded") !== last.includes("excluded")) return listed2;
  const before = first.slice(0, /^forenames?$/.test(first.at(-1) ?? "") ? -1 : -2);
  const owner = before.length === 0 ? noun3 : before;
  const name3 = (first.at(-1) ?? "").endsWith("s") ? "names" : "name";
  return listed2.flatMap((words2) => words2 === last ? [] : [words2 === first ? [...owner, name3] : words2]);
}
function isExcluded(word) {
  return word === "excluded";
}
function compact(listed2) {
  const bare3 = listed2.map(withoutName);
  const texts = bare3.map((words2) => words2.join("_"));
  const kept2 = bare3.map(
    (words2, i) => texts.filter((text2) => text2 === texts[i]).length > 1 ? listed2[i] ?? words2 : words2
  );
  const tail = commonTail(kept2);
  if (kept2.length > 1 && tail.length > 0) {
    return kept2.map((words2, i) => i === kept2.length - 1 ? words2 : words2.slice(0, -tail.length));
  }
  return kept2.map((words2, i) => {
    const before = kept2[i - 1];
    return before !== void 0 && words2.length > 1 && before[0] === words2[0] ? words2.slice(1) : words2;
  });
}
function withoutName(words2) {
  const to = words2.indexOf("to");
  if (to > 0 && words2.at(-1) === "ratio") return [...words2.slice(0, to), "ratio"];
  if (words2.at(-1) !== "name" || words2.length === 1) return words2;
  const kind2 = words2.at(-2) ?? "";
  return NAME_PART.test(kind2) ? [...words2.slice(0, -2).filter(isExcluded), kind2, "name"] : words2.slice(0, -1);
}
function brief(listed2) {
  const short = listed2.map(withoutName).map((words2) => {
    const lead = words2.findIndex((word) => !/^(min|max|above|below|excluded|only)$/.test(word));
    const tail = BOUND.test(words2.at(-1) ?? "") ? 2 : 1;
    let from = words2.length - tail;
    while (from > lead && /^\d+$/.test(words2[from] ?? "")) from--;
    return [...words2.slice(0, lead), ...words2.slice(Math.max(lead, from))];
  });
  const texts = short.map((words2) => words2.join("_"));
  return new Set(texts).size < texts.length ? compact(listed2) : short;
}
var BOUND = /^(name|range|prefix|suffix|contains|pattern|above|below|after|before|from|to|cm|kg|mph|f|num)$|^\d+$/;
function nameEndpoints(endpoints, taken = []) {
  const names2 = disambiguate(
    endpoints,
    DISTINCTIONS,
    (one2, distinctions) => assembleName(namePartsOf(one2, distinctions))
  );
  const all = numbered([...taken, ...names2], LONGEST_ENDPOINT_NAME).slice(taken.length);
  return shortest(all, endpoints, taken);
}
function shortest(names2, endpoints, others) {
  const short = [...names2];
  for (const most of [7, 6, 5]) {
    const shorter = endpoints.map(
      (one2, i) => contentWords((names2[i] ?? "").split("_")) <= most ? "" : assembleName(namePartsOf(one2, []), most)
    );
    for (const [i, name3] of shorter.entries()) {
      const taken = [...others, ...short, ...shorter].filter((other) => other === name3).length;
      if (name3 !== "" && taken === 1 && contentWords(name3.split("_")) < contentWords((short[i] ?? "").split("_")))
        short[i] = name3;
    }
  }
  return short;
}
var FUNCTION_WORD = /^(of|by|above|below|before|after|and|or|with|without|for|per|in|to|from|at|on|the|a|is|that|via)?$/;
function contentWords(words2) {
  return words2.filter((word) => !FUNCTION_WORD.test(word)).length;
}
function namePartsOf({ clauses, parameters, leads = [[]] }, distinctions) {
  const plain4 = headWords(clauses);
  const heads = leads.flatMap((lead) => plain4.map((words3) => [...lead, ...words3]));
  const words2 = (place2) => distinctions.flatMap((one2) => one2.place === place2 ? one2.words : []);
  const choices = choiceWords(
    [...parameters].sort((a, b) => placeOf5(a) - placeOf5(b)),
    heads[0] ?? []
  );
  const facts = conditionWords(clauses);
  const own = leads[0]?.length && clauses.kind === "list" ? clauses.subject?.one ?? [] : [];
  return {
    heads,
    facts: facts.map((fact) => ({ ...fact, words: withoutOwn(fact.words, own) })),
    choices: choices.map((listed2) => withoutOwn(listed2, own)),
    any: isAny(clauses),
    by: isTop(clauses) ? "for" : "by",
    front: words2("front"),
    middle: words2("middle"),
    end: words2("end")
  };
}
function withoutOwn(words2, own) {
  const at = words2.findIndex((_, i) => own.length > 0 && sameWords(words2.slice(i, i + own.length), own));
  const rest2 = words2.slice(at + own.length);
  return at < 0 || rest2.length === 0 ? words2 : [...words2.slice(0, at), ...rest2];
}
function placeOf5({ choice }) {
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}
function isAny(clauses) {
  if (clauses.kind === "combined") return clauses.op === "union" || clauses.op === "union_all";
  return clauses.kind === "list" && clauses.conditions.length === 1 && clauses.conditions[0]?.kind === "any";
}
function isTop(clauses) {
  if (clauses.kind === "fixed" || clauses.limit === null || clauses.order.length === 0) return false;
  return clauses.limit.rows !== 1 && clauses.limit.skipped === 0;
}
function operationId(name3) {
  return `get_${name3}`;
}
var LONGEST_TOOL_NAME = 64;
var LONGEST_ENDPOINT_NAME = LONGEST_TOOL_NAME - "get_".length;
function assembleName(parts2, most = Infinity) {
  let best = null;
  const fact = most < Infinity ? COST.fixed : 0;
  for (const { words: words2, cost: paid, omitted } of variantsOf(parts2)) {
    const cost = paid + omitted * fact + COST.word * Math.max(0, contentWords(snake(words2).split("_")) - most);
    if (best !== null && best.cost <= cost) continue;
    const name3 = snake(words2);
    if (name3.length <= LONGEST_ENDPOINT_NAME) best = { name: name3, cost };
  }
  if (best !== null) return best.name;
  const shortest2 = parts2.heads.at(-1) ?? ["values"];
  return fit([...parts2.front, ...shortest2, ...parts2.middle, ...parts2.end], LONGEST_ENDPOINT_NAME);
}
var COST = {
  head: 3,
  fact: 4,
  needed: 12,
  choice: 5,
  lastChoice: 6,
  compact: 1,
  short: 2,
  word: 20,
  fixed: 100
};
var MOST_CHOICES = 4;
function* variantsOf({
  heads,
  facts,
  choices,
  any,
  by,
  front,
  middle,
  end
}) {
  const lists = [
    { listed: choices, cost: 0 },
    { listed: compact(choices), cost: COST.compact },
    // Better than dropping choices.
    { listed: brief(choices), cost: Math.min(choices.length, MOST_CHOICES) * COST.choice }
  ];
  for (const [h, head] of heads.entries()) {
    for (let f = Math.min(facts.length, 3); f >= 0; f--) {
      for (const { listed: listed2, cost } of lists) {
        const most = Math.min(listed2.length, MOST_CHOICES);
        for (let c = most; c >= 0; c--) {
          const lost = (most - c) * COST.choice + (c === 0 && most > 0 ? COST.lastChoice : 0);
          const omitted = facts.slice(f).reduce((sum2, { needed }) => sum2 + (needed ? COST.needed : COST.fact), 0);
          const beginning = [
            ...front,
            ...head,
            ...middle,
            ...facts.slice(0, f).flatMap((fact) => fact.words)
          ];
          const words2 = [...beginning, ...conjoined2(listed2.slice(0, c), by, any ? "or" : "and"), ...end];
          const paid = h * COST.head + omitted + lost + cost;
          yield { words: words2, cost: paid, omitted: facts.length - f };
          yield {
            words: words2.map((word) => SHORT.get(word.toLowerCase()) ?? word),
            cost: paid + COST.short,
            omitted: facts.length - f
          };
        }
      }
    }
  }
}
var SHORT = /* @__PURE__ */ new Map([
  ["records", ""],
  ["administrator", "admin"],
  ["administrators", "admins"],
  ["average", "avg"],
  ["percentage", "percent"],
  ["number", "num"],
  ["organization", "org"],
  ["information", "info"],
  ["maximum", "max"],
  ["minimum", "min"]
]);
function conjoined2(listed2, by, conjunction2) {
  const bounds = by === "by" && conjunction2 === "and" ? listed2.filter(([word = ""]) => BOUNDS.has(word)) : [];
  const others = listed2.filter((words2) => !bounds.includes(words2));
  const joined2 = (part) => part.flatMap((words2, i) => i > 0 && i === part.length - 1 ? [conjunction2, ...words2] : words2);
  const dated = bounds.map(([word = "", ...of]) => [
    /^(\w+_)?year$/.test(of.join("_")) && BOUNDS.get(word) || word,
    ...of
  ]);
  return [...others.length === 0 ? [] : [by], ...joined2(others), ...joined2(dated)];
}
var BOUNDS = new Map(
  [RELATIONS.above, RELATIONS.below].map(({ name: [bound, , dated] }) => [bound, dated])
);
var LONGEST2 = 48;
function nameParameters(chosen2, clauses) {
  const absent = new Set(absentChoices(clauses));
  const removed = chosen2.filter(({ choice }) => choice.removed && !absent.has(choice));
  const sides = changeSides(clauses);
  const wordsFor2 = (one2, full) => {
    const words2 = inRole(
      one2,
      one2.of === null ? ["limit"] : full && one2.of.kind === "property" ? one2.of.full.words : wordsOf2(one2.of)
    );
    return removed.includes(one2) ? removing(words2, one2.choice, removed) : words2;
  };
  const plain4 = chosen2.map((one2) => wordsFor2(one2, false));
  const kept2 = distinguished(plain4, (i) => {
    const own = plain4[i];
    return chosen2[i]?.choice.removed && own !== void 0 && own[0] !== "excluded" ? ["excluded", ...own] : null;
  });
  const clear = distinguished(kept2, (i) => {
    const one2 = chosen2[i];
    return one2 === void 0 ? null : wordsFor2(one2, true);
  });
  const directed = distinguished(clear, (i) => {
    const [one2, words2] = [chosen2[i], clear[i]];
    const side = one2 === void 0 ? void 0 : sides.get(one2.choice);
    return side === void 0 || words2 === void 0 ? null : [side, ...words2];
  });
  const names2 = withOrdinals(directed.map((words2) => fit(words2, LONGEST2)));
  return chosen2.map((one2, i) => ({ ...one2, name: names2[i] ?? "" }));
}
function withOrdinals(names2) {
  return names2.map((name3, i) => {
    const same2 = names2.flatMap((other, j) => other === name3 ? [j] : []);
    if (same2.length === 1) return name3;
    const at = same2.indexOf(i);
    return at < 9 ? `${ORDINALS[at]}_${name3}` : `${name3}_${at + 1}`;
  });
}
function distinguished(all, other) {
  const names2 = all.map((words2) => fit(words2, LONGEST2));
  return all.map((words2, i) => {
    const sharing = names2.flatMap((name3, j) => name3 === names2[i] ? [j] : []);
    if (sharing.length === 1) return words2;
    const others = new Set(sharing.map((j) => fit(other(j) ?? [], LONGEST2)));
    return (others.size > 1 ? other(i) : null) ?? words2;
  });
}
function removing(words2, { role, negated: negated2 }, all) {
  const [first, ...rest2] = words2;
  if (first !== "excluded") return ["excluded", ...words2];
  const others = role === "not_equal" || role === "not_among" || negated2;
  return others && all.length === 1 ? ["only", ...rest2] : words2;
}
function changeSides(clauses) {
  const sides = /* @__PURE__ */ new Map();
  visitNodes(clauses, (node2) => {
    if (node2.kind !== "change") return;
    for (const choice of choicesWithin(node2.from)) sides.set(choice, "from");
    for (const choice of choicesWithin(node2.to)) sides.set(choice, "to");
  });
  return sides;
}
function absentChoices(clauses) {
  if (clauses.kind === "fixed") return [];
  if (clauses.kind === "combined") return [clauses.left, clauses.right].flatMap(absentChoices);
  const absent = clauses.conditions.flatMap(
    (one2) => one2.kind === "exists" && one2.negated && one2.query !== null ? [one2.query] : []
  );
  const found = choicesWithin(absent);
  return [...found, ...clauses.read.flatMap(absentChoices)];
}
var EXTREME = /^(min|max|minimum|maximum|lowest|highest|least|most)$/i;
function isDay(of) {
  const scale = scaleOf(of);
  const inner = of.kind === "summary" ? of.of : of;
  return scale === "date" || scale === "month" && inner.kind === "property";
}
function inRole({ choice, of }, words2) {
  const { role, negated: negated2, value } = choice;
  if (role === "limit") return ["limit"];
  if (role === "factor") return [...words2.slice(0, 4), "factor"];
  if (role === "contains") return [...words2, negated2 ? "excludes" : "contains"];
  const relation = role === "low" ? "at_least" : role === "high" ? "at_most" : role;
  if (isRelation(relation) && relation !== "equal" && relation !== "not_equal") {
    const [bound, number3, moment] = RELATIONS[relation].name;
    const date = of !== null && isDay(of) || /^\d{4}-\d{2}-\d{2}/.test(String(value));
    if (date) return [...words2, moment];
    return EXTREME.test(words2[0] ?? "") ? [...words2, number3] : [bound, ...words2];
  }
  const excluded = (role === "not_equal" || role === "not_among") !== negated2;
  const several2 = role === "among" || role === "not_among";
  const tail = isMatch(role) ? MATCHES[role].name : "";
  return [excluded ? "excluded" : "", ...several2 ? plural(words2) : words2, tail].filter(
    (word) => word !== ""
  );
}
var NAME_COLUMNS_LONGEST = 48;
var BLAND = /^(result|results|res|resylt|value|values|calculate|calculation|answer|output|ans|per|num|cnt|tmp|temp|diff|x|y|n|c|col|column|expr|ratio|rnk)$/;
function nameColumns(template, terms, isPlain2) {
  const plain4 = terms.map((term, i) => sensibleAlias(template, i, isPlain2) ?? ownWords(term));
  const names2 = plain4.map((words2) => fit(words2, NAME_COLUMNS_LONGEST) || "value");
  const full = names2.map((name3, i) => {
    const shared = names2.some((other, j) => j !== i && other === name3);
    const term = terms[i];
    return shared && term !== void 0 ? fit(wordsOf2(term), NAME_COLUMNS_LONGEST) || name3 : name3;
  });
  return numbered(full, NAME_COLUMNS_LONGEST);
}
function ownWords(term) {
  return term.kind === "property" && term.inRole ? term.full.words : wordsOf2(term, "short");
}
function sensibleAlias({ members }, index, isPlain2) {
  const chosen2 = new Set(members.flatMap(chosenWords));
  for (const { query: query2, choices } of members) {
    const first = leftmost(query2);
    const column2 = first.kind === "select" ? first.columns[index] : void 0;
    const alias = column2?.alias ?? null;
    if (column2 === void 0 || alias === null || holdsChoice(column2.expr, choices)) continue;
    const words2 = splitWords(alias).map((word) => word.toLowerCase());
    if (words2.length === 0 || words2.length > 5 || /\d/.test(alias)) continue;
    if (BLAND.test(snake(words2)) || !isPlain2(words2) || !words2.some((word) => word.length > 2)) continue;
    if (!words2.some((word) => chosen2.has(word))) return words2;
  }
  return null;
}
function holdsChoice(expr, choices) {
  const literals = new Set(
    choices.flatMap(({ occurrences }) => occurrences.flatMap((one2) => one2.literals))
  );
  return exprsWithin(expr).some((part) => literals.has(part));
}
function chosenWords({ choices }) {
  return choices.flatMap(
    ({ value }) => (typeof value === "object" ? value : [value]).flatMap(
      (one2) => String(one2).toLowerCase().split(/[^\p{L}\p{N}]+/u)
    )
  );
}
function snake(words2) {
  const parts2 = words2.flatMap(
    (word) => romanised(word).toLowerCase().replaceAll("'", "").split(/[^a-z0-9]+/)
  ).filter((word) => word !== "");
  return parts2.filter((word, i) => word !== parts2[i - 1]).join("_");
}
function fit(words2, most) {
  const kept2 = fittingWords(words2, most);
  if (kept2.length === words2.length && snake(kept2).length <= most) return snake(kept2);
  const dangling = /^(and|or|with|by|for|of|per|to|without|above|below|excluded|min|max|the|in|from|average|avg|total|highest|lowest|latest|earliest|most|fewest|other|than|at|least)$/;
  while (kept2.length > 1 && dangling.test(kept2.at(-1)?.toLowerCase() ?? "")) kept2.pop();
  return snake(kept2).slice(0, most).replace(/_+$/, "");
}
function fittingWords(words2, most) {
  const kept2 = [];
  for (const word of words2) {
    kept2.push(word);
    if (snake(kept2).length <= most) continue;
    if (kept2.length > 1) kept2.pop();
    break;
  }
  return kept2;
}
function numbered(names2, most) {
  const taken = new Set(names2);
  const seen = /* @__PURE__ */ new Set();
  return names2.map((name3) => {
    if (!seen.has(name3)) {
      seen.add(name3);
      return name3;
    }
    for (let n = 2; ; n++) {
      const suffix = `_${n}`;
      const other = `${name3.slice(0, most - suffix.length)}${suffix}`;
      if (taken.has(other)) continue;
      taken.add(other);
      return other;
    }
  });
}

// generator/english/query-context.ts
var QueryContext = class {
  origins;
  lexicon;
  choiceOf;
  edges;
  /** The expression that each term was read from. */
  exprOf = /* @__PURE__ */ new WeakMap();
  #roles = /* @__PURE__ */ new Map();
  /** Column names that more than one table of the query has. */
  #shared;
  constructor(query2, origins, lexicon, choices) {
    this.origins = origins;
    this.lexicon = lexicon;
    this.choiceOf = new Map(
      choices.flatMap(
        (choice) => choice.occurrences.flatMap(({ literals }) => literals.map((literal) => [literal, choice]))
      )
    );
    this.edges = joinEdges(query2, origins);
    for (const { child: child2, parent, alternative, inSubquery } of this.edges) {
      if (!alternative && !inSubquery && !this.#roles.has(parent.source)) this.#findRole(child2, parent);
    }
    for (const select of selectsOf(query2)) this.#nameTwins(select);
    this.#shared = this.#sharedNames(query2);
  }
  /** Distinguishes two rows of one table without roles: a film and another film. */
  #nameTwins(select) {
    const shown2 = new Set(select.columns.flatMap(({ expr }) => columnsOf(expr)).map(({ source }) => source));
    const plain4 = select.from.map(({ source }) => source.id).filter((id) => !this.#roles.has(id));
    const inOrder = [...plain4.filter((id) => shown2.has(id)), ...plain4.filter((id) => !shown2.has(id))];
    const seen = /* @__PURE__ */ new Map();
    for (const id of inOrder) {
      const table = this.origins.tableOf(id);
      if (table === null) continue;
      const before = seen.get(table) ?? 0;
      seen.set(table, before + 1);
      const word = ["", "other", "third", "fourth"][before] ?? "further";
      const { one: one2, many } = this.thing(table);
      if (before > 0) this.#roles.set(id, { one: [word, ...one2], many: [word, ...many] });
    }
  }
  thing(table) {
    const noun3 = this.lexicon.noun(table.name);
    if (noun3.many.at(-1) !== "records" || !isLinkTable(table) || hasOwnKey(table)) return noun3;
    const ends = table.foreign_keys.flatMap((key2) => this.origins.tableNamed(key2.references_table) ?? []);
    const nouns = ends.map((end) => this.lexicon.noun(end.name));
    const named = nouns.length === 2 && nouns.every(({ many }) => many.at(-1) !== "records");
    return (named && ends[0] !== ends[1] ? combinationOf(nouns) : null) ?? noun3;
  }
  /** The role of a source by the key that joins it, if that is not its table's noun. */
  roleOf(source) {
    return this.#roles.get(source) ?? null;
  }
  /** The noun for the rows of a source: by their role, else by their table; null for other queries. */
  thingOf(source) {
    const table = this.origins.tableOf(source);
    return this.#roles.get(source) ?? (table === null ? null : this.thing(table));
  }
  /** The thing that a column refers to in a role: current addresses. Null without a role or a reference. */
  referredThing(column2) {
    const base = this.origins.baseColumn(column2);
    const referred = base === null ? null : keyTable(column2, this.origins);
    if (base === null || referred === null || referred === base.table) return null;
    const words2 = withoutKey(this.lexicon.column(base.table.name, base.column.name));
    const noun3 = this.thing(referred).one;
    const several2 = base.table.foreign_keys.filter((key2) => key2.references_table === referred.name).length > 1;
    const namesRole = words2.length > noun3.length && endsWith(words2, noun3);
    const called = base.column.words?.noun !== void 0 && !endsWith(noun3, words2);
    if (!namesRole && !((several2 || called) && words2.length > 0 && !sameWords(words2, noun3))) return null;
    const open = PREPOSITION.test(words2.at(-1) ?? "") || PARTICIPLE.test(words2.at(-1) ?? "");
    const one2 = open && !sameWords(words2.slice(0, noun3.length), noun3) ? [...words2, ...noun3] : words2;
    return { one: one2, many: plural(one2) };
  }
  property(column2) {
    const base = this.origins.baseColumn(column2);
    if (base === null) return nameless(column2.name === "rowid" ? "row" : "value");
    const own = this.lexicon.column(base.table.name, base.column.name);
    const role = this.#roles.get(base.source);
    const noun3 = this.thing(base.table);
    const other = this.#keyOwner(base);
    const full = role === void 0 ? qualify((other ?? noun3).one, own) : inRole2(role.one, noun3.one, own);
    const shared = this.lexicon.isGeneric(own) || this.#shared.has(lower(own));
    const plain4 = role === void 0 && other === null;
    const whole = plain4 ? this.#wholeOf(base.source) : null;
    return {
      kind: "property",
      own: { words: nameWords(own, own, base), text: columnText(base, this.lexicon, own) },
      full: {
        words: nameWords(full, own, base),
        text: ownedText(full, own, columnText(base, this.lexicon, full))
      },
      owner: role ?? other ?? whole ?? noun3,
      part: whole === null ? plain4 ? this.#twinOf(base.source) : null : noun3,
      clear: role === void 0 && !shared,
      inRole: role !== void 0,
      referring: this.#referringTo(base.source),
      holders: this.#holdersOf(base.source),
      scale: scaleOf2(base, columnText(base, this.lexicon, own)),
      base
    };
  }
  /** The owner of a key named only `id` that refers to another table: `id` of an examination refers to its patient. */
  #keyOwner({ table, column: column2 }) {
    if (!this.lexicon.isKeyWord(this.lexicon.column(table.name, column2.name))) return null;
    if (hasUniqueValues(table, column2)) return null;
    const key2 = table.foreign_keys.find(({ columns }) => columns.length === 1 && columns[0] === column2.name);
    const other = key2 === void 0 ? null : this.origins.tableNamed(key2.references_table);
    const referred = other?.columns.find(({ name: name3 }) => name3 === key2?.references_columns[0]);
    if (other === null || other === table || referred === void 0) return null;
    return hasUniqueValues(other, referred) ? this.thing(other) : null;
  }
  /** What rows do to those of a source that refer to them, in the vocabulary's words: owns; null without. */
  inverseOf(source) {
    const verbs = this.edges.flatMap(({ child: child2, parent }) => {
      const words2 = this.origins.baseColumn(child2)?.column.words;
      if (child2.source === source) return [words2?.inverse ?? null];
      return parent.source === source ? [words2?.verb ?? null] : [];
    });
    return verbs.length === 1 ? verbs[0] ?? null : null;
  }
  /** The things whose rows refer to one row of a source, by one reference or several in a row. */
  #referringTo(source) {
    const found = /* @__PURE__ */ new Set([source]);
    for (const id of found) {
      for (const edge2 of this.edges) {
        const { child: child2, parent, alternative } = edge2;
        if (parent.source === id && !alternative) found.add(child2.source);
        else if (child2.source === id && extendsParent(edge2, this.origins)) found.add(parent.source);
      }
    }
    found.delete(source);
    return [...found].flatMap((id) => this.rowsOf(id) ?? []);
  }
  /** The things that a source's rows refer to, by one reference or several in a row, and that link tables tie to these. */
  #holdersOf(source) {
    const found = /* @__PURE__ */ new Set([source]);
    for (const id of found) {
      for (const { child: child2, parent } of this.edges) if (child2.source === id) found.add(parent.source);
    }
    const links = this.edges.flatMap(({ child: child2, parent }) => {
      const table = this.origins.tableOf(child2.source);
      return found.has(parent.source) && table !== null && isLinkTable(table) ? [{ id: child2.source, table }] : [];
    });
    const tied = links.flatMap(({ id, table }) => {
      const read2 = this.edges.filter(({ child: child2 }) => child2.source === id).map(({ parent }) => this.rowsOf(parent.source));
      const ends = table.foreign_keys.map((key2) => this.origins.tableNamed(key2.references_table));
      return [...read2, ...ends.map((end) => end && this.thing(end))];
    });
    found.delete(source);
    return [...[...found].map((id) => this.rowsOf(id)), ...tied].flatMap((thing) => thing ?? []);
  }
  /** The noun for a source's rows: by their role, as part of another table's rows, or by their table. */
  rowsOf(source) {
    return this.roleOf(source) ?? this.#wholeOf(source) ?? this.thingOf(source);
  }
  /** The thing whose rows a source extends with more columns: scores of a school; null for others. */
  #wholeOf(source) {
    const edge2 = this.edges.find(
      (one2) => one2.child.source === source && extendsParent(one2, this.origins) && !this.#isEven(one2)
    );
    return edge2 === void 0 ? null : this.thingOf(edge2.parent.source);
  }
  /** The thing whose rows correspond one to one to a source's; null for none. */
  #twinOf(source) {
    const edge2 = this.edges.find(({ child: child2, parent }) => child2.source === source || parent.source === source);
    if (edge2 === void 0 || !extendsParent(edge2, this.origins) || !this.#isEven(edge2)) return null;
    return this.thingOf(edge2.child.source === source ? edge2.parent.source : edge2.child.source);
  }
  /** Whether two tables have as many rows. */
  #isEven({ child: child2, parent }) {
    const [a, b] = [child2, parent].map(
      ({ source }) => this.origins.tableOf(source)?.columns[0]?.statistics.rows
    );
    return a === b;
  }
  /** Whether a source's rows are those of a table with more columns. */
  isPartOf(source, table) {
    const whole = this.#wholeOf(source) ?? this.#twinOf(source);
    return whole !== null && whole.one.join() === this.thing(table).one.join();
  }
  /** Whether a query's own FROM names a table. */
  reads(query2, table) {
    return query2.kind === "select" && query2.from.some(({ source }) => this.origins.tableOf(source.id) === table);
  }
  /** `superhero.eye_colour_id = colour.id` makes a colour an eye colour. */
  #findRole(child2, parent) {
    const table = this.origins.tableOf(parent.source);
    const from = this.origins.tableOf(child2.source);
    if (table === null || from === null) return;
    const noun3 = this.thing(table).one;
    const words2 = this.#referenceWords(from, child2, table, parent);
    const person = words2.slice(0, -noun3.length);
    const key2 = endsWith(words2, noun3) && isPerson({ one: person }) ? person : words2;
    if (key2.length === 0) return;
    const last = key2.at(-1) ?? "";
    const open = key2.length === 1 ? PARTICIPLE.test(last) : PREPOSITION.test(last);
    const named = sameWords(key2.slice(0, noun3.length), noun3);
    const called = /^reports? to$/i.test(key2.join(" ")) ? ["manager"] : open && !named ? [...key2, ...noun3] : key2;
    const siblings = from.foreign_keys.filter((one2) => one2.references_table === table.name).length;
    const isPhrase = called.some((word, i) => i > 0 && PREPOSITION.test(word));
    if (isPhrase && siblings === 1 && from !== table) return;
    const [, participle] = /^([a-z]+)ed by\b/.exec(called.join(" ")) ?? [];
    const role = participle === void 0 ? called : [`${participle.replace(/i$/, "y")}ing`, ...noun3];
    const text2 = lower(singular(role));
    if (text2 === lower(noun3) || lower(noun3).endsWith(` ${text2}`)) return;
    const extends_ = text2.endsWith(` ${lower(noun3)}`) || text2.endsWith(` ${noun3.at(-1)?.toLowerCase()}`);
    const isCalled = from.columns.find(({ name: name3 }) => name3 === child2.name)?.words?.noun !== void 0 && !isPadded(child2.source, this.origins);
    if (extends_ || isCalled || siblings > 1 || from === table) {
      const path = this.#roles.get(child2.source)?.one;
      const whole = path === void 0 || child2.source === parent.source ? role : [...path.slice(0, -1), `${path.at(-1)}'s`, ...role];
      this.#roles.set(parent.source, {
        one: whole,
        many: plural(whole),
        roleIn: this.thing(from).one.join(" ")
      });
    }
  }
  /**
   * The words that a reference adds to the key that it refers to: a home driver for `home_driver_code` and `driver_code`,
   * none for two columns of one name; all words but the ID where the key itself has no others.
   */
  #referenceWords(from, child2, table, parent) {
    const words2 = this.lexicon.column(from.name, child2.name);
    const key2 = this.lexicon.column(table.name, parent.name);
    const before = words2.slice(0, Math.max(0, words2.length - key2.length));
    const named = withoutKey(key2).length < key2.length && sameWords([...before, ...key2], words2);
    if (!named || before.length === 0 && from === table) return withoutKey(words2);
    const noun3 = this.thing(table).one;
    return before.length === 0 || endsWith(before, noun3) ? before : [...before, ...noun3];
  }
  #sharedNames(query2) {
    const tables = /* @__PURE__ */ new Map();
    const seen = /* @__PURE__ */ new Set();
    for (const column2 of columnsOfQuery(query2)) {
      const base = this.origins.baseColumn(column2);
      if (base !== null) seen.add(base.table);
    }
    for (const table of seen) {
      for (const column2 of table.columns) {
        const words2 = this.lexicon.column(table.name, column2.name);
        if (words2.length > 1 && withoutKey(words2).length < words2.length) continue;
        if (column2.words?.noun !== void 0 && isReferring({ table, column: column2 })) continue;
        tables.set(lower(words2), (tables.get(lower(words2)) ?? /* @__PURE__ */ new Set()).add(table.name));
      }
    }
    return new Set([...tables].filter(([, owners]) => owners.size > 1).map(([name3]) => name3));
  }
  /** The noun for the rows of a query's outermost SELECT, before grouping: by a role, else by their table. */
  rowThing(query2, counted = null) {
    const table = this.rowTable(query2, counted);
    if (table === null) return null;
    const [source, ...others] = query2.kind === "select" ? query2.from.filter(({ source: one2 }) => this.origins.tableOf(one2.id) === table) : [];
    return (source && others.length === 0 ? this.roleOf(source.source.id) : null) ?? this.thing(table);
  }
  /** The table whose rows are those of a query's outermost SELECT, before grouping. */
  rowTable(query2, counted = null) {
    if (query2.kind === "set_operation") return this.rowTable(query2.left);
    if (query2.kind === "values") return null;
    const [finest = null] = rowSources(query2, this.edges, this.origins);
    const table = finest === null ? null : this.origins.tableOf(finest);
    if (finest === null || table === null) {
      const first = query2.from[0]?.source;
      const inner = first === void 0 ? null : this.origins.queryOf(first);
      return inner === null ? null : this.#groupTable(inner);
    }
    if (isLinkTable(table)) return this.#linkedTable(query2, table, counted);
    const whole = this.edges.find(
      (edge2) => edge2.child.source === finest && extendsParent(edge2, this.origins)
    );
    return (whole === void 0 ? null : this.origins.tableOf(whole.parent.source)) ?? table;
  }
  /** The tables whose rows a SELECT combines, if there are several and none is only looked up. */
  pairedTables(query2) {
    if (query2.kind !== "select") return [];
    const tables = rowSources(query2, this.edges, this.origins).map((id) => this.origins.tableOf(id));
    const known = tables.flatMap((table) => table ?? []);
    return known.length > 1 && known.length === tables.length ? known : [];
  }
  /** The table that a grouped query has one row for. */
  #groupTable(inner) {
    const first = leftmost(inner);
    if (first.kind !== "select") return null;
    const [key2] = first.groupBy;
    if (key2 !== void 0) return keyTable(key2, this.origins) ?? this.rowTable(inner);
    const distinct = first.distinct || inner.kind === "set_operation" && inner.op !== "union_all";
    const shown2 = first.columns[0]?.expr;
    const base = shown2 === void 0 || !distinct ? null : this.origins.baseColumn(shown2);
    if (shown2 === void 0 || base === null) return this.rowTable(inner);
    if (first.columns.length > 1) return base.table;
    const own = hasUniqueValues(base.table, base.column) || labelOf(base.table, this.lexicon) === base.column;
    return keyTable(shown2, this.origins) ?? (own ? base.table : null);
  }
  /** The table of a link table's rows: the one end that the query does not fix. */
  #linkedTable(query2, link, counted) {
    const read2 = query2.from.flatMap(({ source }) => this.origins.tableOf(source.id) ?? []);
    const ends = link.foreign_keys.flatMap((key3) => this.origins.tableNamed(key3.references_table) ?? []);
    const held = this.#heldTables(query2);
    const free = ends.filter((table) => !held.has(table));
    if (ends.length > 1 && ends.every((table) => table === ends[0])) return link;
    if (hasOwnKey(link)) return link;
    if (free.length === 1) return free[0] ?? link;
    const alone = ends.find(
      (end) => link.columns.some(
        (column2) => isReferenceTo({ table: link, column: column2 }, end) && hasUniqueValues(link, column2)
      )
    );
    if (free.length === ends.length && alone !== void 0 && this.thing(link).text !== void 0)
      return alone;
    if (free.length === ends.length && queryExprs(query2).some(holdsAggregate)) return link;
    const key2 = counted === null ? null : keyTable(counted, this.origins);
    if (key2 !== null && key2 !== link && !held.has(key2)) return key2;
    return read2.find((table) => !isLinkTable(table)) ?? link;
  }
  /** The tables whose row a query fixes, by grouping or comparing a key or a name. */
  #heldTables(query2) {
    const fixed = fixedBy(query2);
    const columns = fixed.flatMap((expr) => this.origins.baseColumn(expr) ?? []);
    const named = columns.filter(({ table, column: column2 }) => {
      const others = columns.filter((other) => other.table === table).map((other) => other.column.name);
      const person = isPersonName(others.map((name3) => this.lexicon.column(table.name, name3)));
      return person || hasUniqueValues(table, column2) || labelOf(table, this.lexicon) === column2;
    });
    return /* @__PURE__ */ new Set([
      ...fixed.flatMap((expr) => keyTable(expr, this.origins) ?? []),
      ...named.map(({ table }) => table)
    ]);
  }
};
function nameless(word) {
  const wording = { words: [word], text: word };
  return {
    kind: "property",
    own: wording,
    full: wording,
    owner: null,
    part: null,
    clear: true,
    inRole: false,
    referring: [],
    holders: [],
    scale: "number",
    base: null
  };
}
function inRole2(role, noun3, words2) {
  const lowered = words2.map((word) => word.toLowerCase());
  const roles = role.map((word) => word.toLowerCase());
  if (lowered.every((word) => roles.includes(word))) return role;
  const nouns = noun3.map((word) => word.toLowerCase());
  return [...role, ...words2.filter((word) => !nouns.includes(word.toLowerCase()))];
}
function scaleOf2({ column: column2 }, text2) {
  if (isMonth(column2)) return "month";
  if (isDate(column2) || isEpoch(column2)) return "date";
  if (isYear(column2, text2)) return "year";
  return column2.type === "string" && !looksNumeric(column2) ? "text" : "number";
}
function ownedText(full, own, text2) {
  const owner = full.slice(0, full.length - own.length).join(" ");
  const ends = own.some((word) => PREPOSITION.test(word)) && text2 === [owner, ...own].join(" ") && owner !== "";
  return ends ? `${owner}'s ${own.join(" ")}` : text2;
}
function nameWords(words2, own, { column: column2 }) {
  const before = words2.slice(0, words2.length - own.length);
  if (!endsWith(words2, own)) return words2;
  const { counts: counts2 } = column2.words ?? {};
  if (counts2 !== void 0) return [...before, ...counts2.split(" ")];
  const [what = "", of, whose = ""] = own;
  const short = own.length === 3 && of === "of" && /^(year|date|time|place|day|way|cause|kind)$/.test(what);
  return short ? [...before, whose, what] : words2;
}

// generator/template/choices.ts
function findChoices(query2, question2, origins) {
  const finder = new Finder(question2, origins);
  finder.query(query2, false);
  return finder.withLimits();
}
var Finder = class {
  #question;
  #origins;
  #found = [];
  #limits = [];
  constructor(question2, origins) {
    this.#question = question2;
    this.#origins = origins;
  }
  /** Runs last, since a number that the question uses for another choice is no mention of a limit. */
  withLimits() {
    const numbers = this.#found.map((choice) => choice.value);
    const named = this.#limits.flatMap(({ literal, place: place2, at }) => {
      const value = Number(literal.value);
      const others = numbers.filter((other) => String(other) === String(value)).length;
      if (limitMentions(this.#question, value) <= others) return [];
      const choice = toScalar({ literal, role: "limit", subject: null, ...place2 }, this.#origins);
      return choice === null ? [] : [{ choice, at }];
    });
    const all = [...this.#found];
    for (const { choice, at } of named.toReversed()) all.splice(at, 0, choice);
    return all;
  }
  query(query2, removed) {
    for (const inner of childQueries(query2)) {
      const taken = query2.kind === "set_operation" && query2.op === "except" && inner === query2.right;
      this.query(inner, removed !== taken);
    }
    const at = (clause) => ({ clause, negated: false, removed, scope: query2 });
    if (query2.kind === "values") return;
    if (query2.kind === "select") {
      for (const { expr } of query2.columns) this.#expr(expr, at("value"));
      for (const { on } of query2.from) this.#maybe(on, at("filter"));
      this.#maybe(query2.where, at("filter"));
      for (const expr of query2.groupBy) this.#expr(expr, at("value"));
      this.#maybe(query2.having, at("having"));
    }
    for (const { expr } of query2.orderBy) this.#expr(expr, at("value"));
    this.#limit(query2.limit?.count ?? null, at("limit"));
  }
  #maybe(expr, place2) {
    if (expr !== null) this.#expr(expr, place2);
  }
  #expr(expr, place2) {
    if (isIdle(expr)) return;
    this.#claim(expr, place2);
    const inside = expr.kind === "not" ? { ...place2, negated: !place2.negated } : place2;
    for (const child2 of childExprs(expr)) this.#expr(child2, inside);
    const query2 = subqueryOf(expr);
    if (query2 === null) return;
    const taken = (expr.kind === "in_query" || expr.kind === "exists") && expr.negated !== place2.negated;
    this.query(query2, place2.removed !== taken);
  }
  /** Finds choices among an expression's direct operands. */
  #claim(expr, place2) {
    switch (expr.kind) {
      case "compare":
        return this.#compare(expr.op, expr.left, expr.right, place2);
      case "between":
        this.#scalar(expr.low, "low", expr.expr, negatedIf(place2, expr.negated));
        return this.#scalar(expr.high, "high", expr.expr, negatedIf(place2, expr.negated));
      case "like":
        return this.#like(expr, place2);
      case "in_list":
        return this.#inList(expr, place2);
      case "in_query": {
        const [first] = expr.query.kind === "select" ? expr.query.columns : [];
        return this.#scalar(expr.expr, "equal", first?.expr ?? null, negatedIf(place2, expr.negated));
      }
      case "case":
        return this.#case(expr, place2);
      case "binary":
        if (expr.op === "||" || expr.op === "->" || expr.op === "->>") return;
        this.#factor(expr.left, expr.right, place2);
        return this.#factor(expr.right, expr.left, place2);
      default:
        return;
    }
  }
  #compare(op, left2, right2, place2) {
    if (left2.kind === "row" && right2.kind === "row") {
      left2.items.forEach((item, i) => {
        const other = right2.items[i];
        if (other !== void 0) this.#compare(op, item, other, place2);
      });
      return;
    }
    const [literal, subject] = literalWithin(right2) === null ? [left2, right2] : [right2, left2];
    if (subject.kind === "call" && subject.name === "instr") return this.#search(subject.args, place2);
    if (isExistenceTest(literal, subject)) return;
    this.#scalar(literal, ROLE_OF[literal === right2 ? op : MIRRORED[op]], subject, place2);
  }
  /** `INSTR(title, 'sql') > 0`: the text is the user's choice, the number is not. */
  #search([text2, part], place2) {
    if (part?.kind !== "literal" || part.type !== "text" || !/[\p{L}\p{N}]/u.test(part.value)) return;
    this.#scalar(part, "contains", text2 ?? null, place2);
  }
  #like(like2, place2) {
    const { expr, pattern, negated: negated2, op } = like2;
    const at = negatedIf(place2, negated2);
    if (pattern.kind !== "literal" || pattern.type !== "text" || op !== "like") {
      return this.#scalar(pattern, op === "glob" ? "glob" : "pattern", expr, at);
    }
    const shape = shapeOfPattern(pattern.value, like2.escape !== null);
    if (shape === null || !hasColumn(expr)) return;
    this.#add(toScalar({ literal: pattern, subject: expr, ...at, ...shape }, this.#origins));
  }
  #inList(list2, place2) {
    const { expr, items, negated: negated2 } = list2;
    const at = negatedIf(place2, negated2);
    const role = negated2 ? "not_among" : "among";
    const array = hasColumn(expr) && expr.kind !== "row" ? toArray({ list: list2, role, ...place2 }, this.#origins) : null;
    if (array !== null) return this.#add(array);
    for (const item of items) {
      if (item.kind === "row" && expr.kind === "row") this.#compare("=", expr, item, at);
      else this.#scalar(item, "equal", expr, at);
    }
    const [first] = items;
    if (first !== void 0) this.#scalar(expr, "equal", first, at);
  }
  #case(expr, place2) {
    const { operand: operand2, whens } = expr;
    if (operand2 === null || isLegend(expr)) return;
    for (const { when } of whens) this.#scalar(when, "equal", operand2, place2);
  }
  /** `weight * 79`: a choice only if the question mentions the number and it converts no unit. */
  #factor(expr, other, place2) {
    if (expr.kind !== "literal" || expr.type !== "integer" && expr.type !== "real") return;
    const value = Number(expr.value);
    if (CONVERSIONS.has(value) || digitMentions(this.#question, value) === 0) return;
    this.#scalar(expr, "factor", other, place2);
  }
  #limit(count3, place2) {
    if (count3?.kind !== "literal" || count3.type !== "integer" || count3.span === null || count3.value < 1n)
      return;
    this.#limits.push({ literal: count3, place: place2, at: this.#found.length });
  }
  #scalar(expr, role, subject, place2) {
    const literal = expr === void 0 ? null : literalWithin(expr);
    if (literal === null || subject === null || isFixedBeside(subject, this.#origins)) return;
    if (isRanking(subject, this.#origins) && limitMentions(this.#question, Number(literal.value)) === 0)
      return;
    const bare3 = literal === expr;
    this.#add(toScalar({ literal, role, subject, bare: bare3, ...place2 }, this.#origins));
  }
  #add(choice) {
    if (choice !== null) this.#found.push(choice);
  }
};
var ROLE_OF = {
  "=": "equal",
  is: "equal",
  "!=": "not_equal",
  is_not: "not_equal",
  ">=": "at_least",
  ">": "above",
  "<=": "at_most",
  "<": "below"
};
function isExistenceTest(literal, subject) {
  return literal.kind === "literal" && literal.value === 0n && subject.kind === "aggregate" && /^(count|sum)$/.test(subject.name);
}
function isIdle(expr) {
  if (expr.kind === "and") return expr.items.some((item) => truthOf(item) === false);
  if (expr.kind === "or") return expr.items.some((item) => truthOf(item) === true);
  if (expr.kind !== "aggregate" || expr.name !== "count" || expr.distinct || expr.filter !== null)
    return false;
  const [arg] = expr.args;
  return arg?.kind === "case" && [...arg.whens.map(({ result }) => result), arg.else].every(isSureLiteral);
}
function truthOf(expr) {
  return expr.kind === "literal" && !expr.pinned ? literalTruth(expr) : null;
}
function isSureLiteral(expr) {
  return expr?.kind === "literal" && expr.type !== "null";
}
function isFixedBeside(subject, origins) {
  if (isCondition(subject) || !hasColumn(subject) && !hasAggregate(subject)) return true;
  switch (subject.kind) {
    case "case":
      return [...subject.whens.map((one2) => one2.result), subject.else].every(isLabel);
    case "binary":
      return subject.op === "%" || subject.op === "&" || subject.op === "|";
    case "column": {
      const origin = origins.of(subject);
      return origin.kind === "computed" && isFixedBeside(origin.expr, origins);
    }
    default:
      return false;
  }
}
function isLabel(expr) {
  return expr === null || expr.kind === "literal";
}
function isRanking(subject, origins) {
  if (subject.kind === "window") return /^(row_number|rank|dense_rank)$/.test(subject.name);
  if (subject.kind !== "column") return false;
  const origin = origins.of(subject);
  return origin.kind === "computed" && isRanking(origin.expr, origins);
}
function hasColumn(expr) {
  return columnsOf(expr).length > 0;
}
function hasAggregate(expr) {
  return exprsWithin(expr).some(({ kind: kind2 }) => kind2 === "aggregate");
}
function negatedIf(place2, negated2) {
  return negated2 ? { ...place2, negated: !place2.negated } : place2;
}
function isLegend({ whens }) {
  return whens.length > 1 && whens.every(({ result }) => result.kind === "literal" && result.type === "text");
}
var COMPARISONS = /* @__PURE__ */ new Set([
  "equal",
  "not_equal",
  "at_least",
  "above",
  "at_most",
  "below",
  "low",
  "high"
]);
function toScalar(scalar, origins) {
  const { literal, subject, role, clause, negated: negated2, removed, scope, prefix = "", suffix = "" } = scalar;
  const direct = subject !== null && (scalar.bare ?? false);
  const typed = typeOf(literal, direct ? subject : null, origins);
  if (typed === null) return null;
  return {
    role,
    clause,
    negated: negated2,
    removed,
    scope,
    subject,
    column: direct || scalar.value !== void 0 ? columnOf(subject, origins) : null,
    type: typed.type,
    array: false,
    anyNumber: direct && COMPARISONS.has(role) && affinityOf(subject, origins) !== "text",
    prefix,
    suffix,
    occurrences: [{ literals: [literal], list: null }],
    value: scalar.value ?? typed.value
  };
}
function toArray(place2, origins) {
  const { list: list2, role, clause, negated: negated2, removed, scope } = place2;
  const literals = list2.items.filter((item) => item.kind === "literal");
  if (literals.length === 0 || literals.length < list2.items.length) return null;
  const typed = literals.map((literal) => typeOf(literal, list2.expr, origins));
  const values = typed.flatMap((one2) => one2 === null ? [] : [one2.value]);
  const type = typed[0]?.type;
  if (type === void 0 || type === "number") return null;
  if (values.length < literals.length || typed.some((one2) => one2?.type !== type)) return null;
  return {
    role,
    clause,
    negated: negated2,
    removed,
    scope,
    subject: list2.expr,
    column: columnOf(list2.expr, origins),
    type,
    array: true,
    anyNumber: false,
    prefix: "",
    suffix: "",
    occurrences: [{ literals, list: list2 }],
    value: values
  };
}
function columnOf(subject, origins) {
  const base = subject === null ? null : origins.baseColumn(subject);
  return base === null ? null : { table: base.table.name, column: base.column.name };
}
function typeOf(literal, beside, origins) {
  if (literal.pinned || literal.span === null) return null;
  const affinity = beside === null ? "none" : affinityOf(beside, origins);
  switch (literal.type) {
    case "integer": {
      const value = Number(literal.value);
      if (!Number.isSafeInteger(value)) return null;
      return affinity === "text" ? { type: "string", value: String(value) } : { type: "integer", value };
    }
    case "real":
      return Number.isFinite(literal.value) ? { type: "number", value: literal.value } : null;
    case "text": {
      if (literal.value === "") return null;
      const base = beside === null ? null : origins.baseColumn(beside);
      const numeric = base !== null && base.column.type !== "string" && isNumeric(affinity);
      if (numeric && /^-?(0|[1-9]\d{0,14})$/.test(literal.value)) {
        return { type: "integer", value: Number(literal.value) };
      }
      return { type: "string", value: literal.value };
    }
    case "blob":
    case "null":
      return null;
  }
}
var FORMS2 = {
  date: 0,
  datetime: 0,
  time: 0,
  julianday: 0,
  unixepoch: 0,
  strftime: 1,
  lower: 0,
  upper: 0,
  trim: 0
};
function literalWithin(expr) {
  switch (expr.kind) {
    case "literal":
      return expr;
    case "cast":
    case "collate":
      return literalWithin(expr.expr);
    case "unary":
      return expr.op === "+" ? literalWithin(expr.expr) : null;
    case "call": {
      const at = FORMS2[expr.name];
      const value = at === void 0 ? void 0 : expr.args[at];
      const others = expr.args.filter((_, i) => i !== at);
      if (value === void 0 || !others.every((other) => other.kind === "literal")) return null;
      return literalWithin(value);
    }
    default:
      return null;
  }
}
function shapeOfPattern(pattern, hasEscape) {
  if (!/[\p{L}\p{N}]/u.test(pattern)) return null;
  const whole = { role: "pattern", prefix: "", suffix: "", value: pattern };
  if (hasEscape) return whole;
  return plainPattern(pattern) ?? whole;
}
function plainPattern(pattern) {
  const [, prefix = "", value = "", suffix = ""] = pattern.match(/^([%_]*)(.*?)([%_]*)$/s) ?? [];
  const role = ROLES[`${prefix} ${suffix}`];
  return role === void 0 || value === "" || /[%_]/.test(value) ? null : { role, prefix, suffix, value };
}
var ROLES = {
  " ": "like",
  "% %": "contains",
  " %": "starts_with",
  "% ": "ends_with"
};
var WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");
var TENS = { 30: "thirty", 40: "forty", 50: "fifty", 100: "hundred" };
function digitMentions(question2, value) {
  const plain4 = question2.replace(/(\d),(?=\d{3}\b)/g, "$1");
  const digits = String(Math.abs(value)).replace(".", "\\.");
  const pattern = new RegExp(`(?<![\\d.\\p{L}])${digits}(?!\\d|\\.\\d|st\\b|nd\\b|rd\\b|th\\b)`, "giu");
  return [...plain4.matchAll(pattern)].length;
}
function limitMentions(question2, value) {
  const text2 = question2.toLowerCase();
  if (value === 1) return [...text2.matchAll(/\b(top|first|bottom|last|best|worst)[ -](1|one)\b/g)].length;
  const word = WORDS[value] ?? TENS[value];
  const words2 = word === void 0 ? 0 : [...text2.matchAll(new RegExp(`\\b${word}\\b`, "g"))].length;
  return words2 + digitMentions(text2, value);
}
var CONVERSIONS = /* @__PURE__ */ new Set([
  0,
  1,
  10,
  100,
  1e3,
  1e4,
  1e5,
  1e6,
  7,
  12,
  24,
  60,
  365,
  365.25,
  3600,
  86400
]);
function joinSameNumbers(choices, query2, question2) {
  const chosen2 = new Map(
    choices.flatMap((choice) => literalsOf2(choice).map((literal) => [literal, choice]))
  );
  const amounts = amountsOf(query2);
  return choices.flatMap((choice) => {
    if (choice.array || typeof choice.value !== "number") return [choice];
    const same2 = amounts.filter(
      (literal) => isSame(literal, choice) && !literalsOf2(choice).includes(literal)
    );
    const other = choices.some((one2) => one2.role !== "factor" && !one2.array && one2.value === choice.value);
    const mentioned = digitMentions(question2, choice.value);
    if (choice.role !== "factor") {
      const once = mentioned === 1 && !CONVERSIONS.has(choice.value);
      const joined2 = same2.filter((literal) => (chosen2.get(literal)?.role ?? "factor") === "factor");
      return [once ? withLiterals(choice, joined2) : choice];
    }
    if (other && mentioned === 1) return [];
    const first = choices.find((one2) => one2.role === "factor" && one2.value === choice.value);
    if (same2.length === 0) return [choice];
    if (mentioned > 1) return same2.every((literal) => chosen2.has(literal)) ? [choice] : [];
    return first === choice ? [withLiterals(choice, same2)] : [];
  });
}
function literalsOf2({ occurrences }) {
  return occurrences.flatMap(({ literals }) => literals);
}
function isSame({ type, value, span }, choice) {
  return span !== null && (type === "integer" || type === "real") && Number(value) === choice.value;
}
function withLiterals(choice, literals) {
  const more = literals.map((literal) => ({ literals: [literal], list: null }));
  return more.length === 0 ? choice : { ...choice, occurrences: [...choice.occurrences, ...more] };
}
var AMOUNTS = /^(max|min|coalesce|ifnull|nullif|abs)$/;
function amountsOf(query2) {
  return exprsOf(query2).flatMap((expr) => {
    const parts2 = amountParts(expr);
    return parts2.flatMap((part) => part.kind === "literal" && !part.pinned ? [part] : []);
  });
}
function amountParts(expr) {
  switch (expr.kind) {
    case "binary":
      return expr.op === "||" || expr.op === "->" || expr.op === "->>" ? [] : childExprs(expr);
    case "call":
      return AMOUNTS.test(expr.name) ? expr.args : [];
    case "case":
      return [...expr.whens.map(({ result }) => result), ...expr.else === null ? [] : [expr.else]];
    default:
      return [];
  }
}
function foldSigns(query2, sql2) {
  return rewriteExprs(
    query2,
    (expr) => expr.kind === "unary" && expr.op === "-" ? negated(expr, sql2) : null
  );
}
function negated({ expr }, sql2) {
  if (expr.kind !== "literal" || expr.span === null) return null;
  const start = signBefore(sql2, expr.span.start);
  if (start === null) return null;
  const span = { start, end: expr.span.end };
  if (expr.type === "integer" && expr.value > 0n) return integerLiteral(-expr.value, span);
  if (expr.type === "real") return realLiteral(`-${expr.text}`, span);
  return null;
}
function signBefore(sql2, at) {
  const sign = sql2.slice(0, at).match(/-\s*$/);
  return sign?.index ?? null;
}

// generator/template/template.ts
function memberOf(question2, bound, catalog2) {
  const query2 = foldSigns(bound, question2.sql);
  const origins = new Origins(query2, catalog2);
  const unified = unifyChoices(findChoices(query2, question2.question, origins), origins);
  const found = joinSameNumbers(unified, query2, question2.question);
  const choiceOf = /* @__PURE__ */ new Map();
  for (const choice of found) {
    for (const { literals } of choice.occurrences) {
      for (const literal of literals) choiceOf.set(literal, choice);
    }
  }
  const { text: text2, choices: places } = canonicalForm(query2, choiceOf, origins);
  const choices = [...new Set(places)];
  const pattern = places.map((choice) => choices.indexOf(choice)).join(",");
  return { member: { question: question2, query: query2, origins, choices }, key: `${text2} | ${pattern}` };
}
function gatherTemplates(members) {
  const groups = /* @__PURE__ */ new Map();
  for (const { member, key: key2 } of members) {
    const group = groups.get(key2);
    if (group === void 0) groups.set(key2, [member]);
    else group.push(member);
  }
  return [...groups].map(([key2, group]) => ({ key: key2, members: group, types: groupTypes(group) }));
}
function groupTypes(members) {
  return members[0].choices.map((choice, i) => {
    const types = new Set(members.map((member) => member.choices[i]?.type));
    if (types.size > 1) return "number";
    if (choice.type === "integer" && choice.anyNumber && isRealColumn(choice, members[0])) return "number";
    return choice.type;
  });
}
function isRealColumn({ column: column2 }, { origins }) {
  if (column2 === null) return false;
  const table = origins.tableNamed(column2.table);
  return table?.columns.find(({ name: name3 }) => name3 === column2.column)?.type === "number";
}
function printTemplate({ members: [{ query: query2, choices }] }, parameterNames, columnNames) {
  const written = /* @__PURE__ */ new Map();
  choices.forEach((choice, i) => {
    const text2 = placeholder(choice, parameterNames[i]);
    for (const { literals } of choice.occurrences) for (const literal of literals) written.set(literal, text2);
  });
  return printQuery(shortenLists(query2, choices), {
    literal: (literal) => written.get(literal) ?? null,
    outputNames: columnNames
  });
}
function placeholder({ array, prefix, suffix }, parameter) {
  if (array) return listSql(parameter);
  const name3 = `:${parameter}`;
  if (prefix === "" && suffix === "") return name3;
  const before = prefix === "" ? "" : `'${prefix}' || `;
  const after = suffix === "" ? "" : ` || '${suffix}'`;
  return `(${before}${name3}${after})`;
}
function shortenLists(query2, choices) {
  const lists = new Set(choices.flatMap(({ occurrences }) => occurrences.map(({ list: list2 }) => list2)));
  return rewriteExprs(query2, (expr) => {
    if (expr.kind !== "in_list" || !lists.has(expr) || expr.items.length === 1) return null;
    return node({ ...expr, items: expr.items.slice(0, 1) });
  });
}
function unifyChoices(choices, origins) {
  const unified = [];
  for (const choice of choices) {
    const at = unified.findIndex((earlier2) => meansTheSame(earlier2, choice, origins));
    const earlier = unified[at];
    if (earlier === void 0) unified.push(choice);
    else unified[at] = { ...earlier, occurrences: [...earlier.occurrences, ...choice.occurrences] };
  }
  return unified;
}
function meansTheSame(a, b, origins) {
  if (a.type !== b.type || a.array !== b.array || a.prefix !== b.prefix || a.suffix !== b.suffix)
    return false;
  if (JSON.stringify(a.value) !== JSON.stringify(b.value)) return false;
  if (spans(a) === spans(b)) return true;
  if (a.role !== b.role || a.subject === null || b.subject === null) return false;
  const exact = a.scope === b.scope;
  if (!exact && sameKey(a.subject, b.subject, origins)) return true;
  const nameOf3 = (source) => exact ? source : origins.tableOf(source)?.name ?? source;
  return canonicalExpr(a.subject, origins, nameOf3) === canonicalExpr(b.subject, origins, nameOf3);
}
function spans({ occurrences }) {
  const [first] = occurrences;
  return (first?.literals ?? []).map(({ span }) => `${span?.start}-${span?.end}`).join();
}
function sameKey(a, b, origins) {
  const table = keyTable(a, origins);
  return table !== null && table === keyTable(b, origins);
}
function typeOf2(expr, origins) {
  const one2 = (part) => typeOf2(part, origins);
  if (isCondition(expr)) return "integer";
  switch (expr.kind) {
    case "column": {
      const origin = origins.of(expr);
      if (origin.kind === "column") return columnType(origin.column);
      if (origin.kind === "computed") return one2(origin.expr);
      return expr.name === "rowid" ? "integer" : "any";
    }
    case "literal":
      if (expr.type === "integer") return "integer";
      return expr.type === "real" ? "number" : expr.type === "null" ? "any" : "string";
    case "unary":
      return expr.op === "~" ? "integer" : arithmetic("-", one2(expr.expr), "integer");
    case "binary":
      return arithmetic(expr.op, one2(expr.left), one2(expr.right));
    case "scalar_query": {
      const first = leftmost(expr.query);
      const column2 = first.kind === "select" && expr.query.kind === "select" ? first.columns[0] : void 0;
      return column2 === void 0 ? "any" : one2(column2.expr);
    }
    case "case": {
      const results = [...expr.whens.map(({ result }) => result), ...expr.else === null ? [] : [expr.else]];
      return union(results.filter((result) => !isNull2(result)).map(one2));
    }
    case "cast":
      return CASTS[declaredAffinity(expr.type)];
    case "collate":
      return one2(expr.expr);
    case "call":
      return callType(expr, one2);
    case "aggregate":
    case "window":
      return aggregateType(expr, one2);
    case "output":
    case "row":
      return "any";
  }
}
function columnTypes(query2, origins) {
  switch (query2.kind) {
    case "select":
      return query2.columns.map(({ expr }) => typeOf2(expr, origins));
    case "set_operation": {
      const right2 = columnTypes(query2.right, origins);
      return columnTypes(query2.left, origins).map((type, i) => union([type, right2[i] ?? "any"]));
    }
    case "values":
      return (query2.rows[0] ?? []).map(
        (_, i) => union(query2.rows.map((row2) => row2[i] === void 0 ? "any" : typeOf2(row2[i], origins)))
      );
  }
}
var CASTS = {
  integer: "integer",
  real: "number",
  numeric: "number",
  text: "string",
  blob: "any"
};
function columnType({ type, statistics: { storage } }) {
  const texts = storage.text + storage.blob;
  const numbers = storage.integer + storage.real;
  if (texts === 0 && numbers === 0) return type;
  if (texts > 0) return numbers > 0 ? "any" : "string";
  return storage.real > 0 ? "number" : "integer";
}
function arithmetic(op, left2, right2) {
  if (op === "||" || op === "->") return "string";
  if (op === "->>") return "any";
  const bits = op === "&" || op === "|" || op === "<<" || op === ">>";
  return bits || left2 === "integer" && right2 === "integer" ? "integer" : "number";
}
function union(types) {
  const [first, ...others] = types;
  if (first === void 0) return "any";
  if (others.every((type) => type === first)) return first;
  return types.every((type) => type === "integer" || type === "number") ? "number" : "any";
}
var STRINGS = /^(substr|substring|lower|upper|trim|ltrim|rtrim|replace|strftime|date|time|datetime|printf|format|hex|quote|typeof|char|concat|concat_ws|group_concat|string_agg|json|json_array|json_object|json_group_array|json_group_object)$/;
var INTEGERS = /^(length|instr|unicode|sign|count|row_number|rank|dense_rank|ntile|unixepoch|changes|json_array_length)$/;
var NUMBERS = /^(round|avg|total|julianday|percent_rank|cume_dist|sqrt|pow|power|ln|log|log10|exp|ceil|ceiling|floor|random|acos|asin|atan|atan2|cos|sin|tan|degrees|radians|pi|mod)$/;
function callType({ name: name3, args }, one2) {
  if (STRINGS.test(name3)) return "string";
  if (INTEGERS.test(name3)) return "integer";
  if (NUMBERS.test(name3)) return "number";
  const [first] = args;
  switch (name3) {
    case "abs":
      return first !== void 0 && one2(first) === "integer" ? "integer" : "number";
    case "nullif":
      return first === void 0 ? "any" : one2(first);
    case "coalesce":
    case "ifnull":
    case "max":
    case "min":
      return union(args.filter((arg) => !isNull2(arg)).map(one2));
    default:
      return "any";
  }
}
function aggregateType({ name: name3, args }, one2) {
  if (STRINGS.test(name3)) return "string";
  if (INTEGERS.test(name3)) return "integer";
  if (NUMBERS.test(name3)) return "number";
  const [first] = args;
  if (first === void 0) return "any";
  if (name3 === "sum") return one2(first) === "integer" ? "integer" : "number";
  return /^(min|max|lag|lead|first_value|last_value|nth_value)$/.test(name3) ? one2(first) : "any";
}
function isNull2(expr) {
  return expr.kind === "literal" && expr.type === "null";
}
function nullableColumns(query2, origins) {
  switch (query2.kind) {
    case "select": {
      const singleRow = query2.groupBy.length === 0 && query2.columns.some(({ expr }) => holdsAggregate(expr));
      return query2.columns.map(({ expr }) => !neverNull(expr, origins, singleRow));
    }
    case "set_operation": {
      const right2 = nullableColumns(query2.right, origins);
      return nullableColumns(query2.left, origins).map((left2, i) => left2 || (right2[i] ?? true));
    }
    case "values":
      return (query2.rows[0] ?? []).map(() => true);
  }
}
var COUNTS2 = /^(count|total|row_number|rank|dense_rank|ntile|percent_rank|cume_dist)$/;
function neverNull(expr, origins, singleRow) {
  switch (expr.kind) {
    case "column":
      return !singleRow && isNotNull(expr, origins);
    case "literal":
      return expr.type !== "null";
    case "aggregate":
    case "window":
      return COUNTS2.test(expr.name);
    case "exists":
    case "is_null":
      return true;
    case "case": {
      const results = expr.whens.map(({ result }) => result);
      return expr.else !== null && [...results, expr.else].every((result) => neverNull(result, origins, singleRow));
    }
    default:
      return false;
  }
}

// generator/english/arithmetic.ts
function arithmeticTerm(expr, scope) {
  const { op } = expr;
  if (op === "||") return joinedText(textParts(expr), scope);
  const amounts = quarter(expr, scope) ?? compactPart(expr, scope) ?? stepped(expr, scope);
  if (amounts !== null) return amounts;
  const plain4 = inUnit(expr, scope) ?? asPercentage(expr, scope) ?? operation2(expr, scope);
  return op === "/" && isWhole2(expr, scope) ? withoutFraction(plain4) ?? derivedWhole(plain4) : plain4;
}
function operation2(expr, scope) {
  const { op, left: left2, right: right2 } = expr;
  switch (op) {
    case "/":
      return quotientTerm(left2, right2, scope);
    case "-":
      return durationTerm(left2, right2, scope) ?? elapsed(arithmetic2("-", [left2, right2], scope));
    case "+":
      return sum(expr, scope);
    case "*":
      return arithmetic2("*", flatten(expr, "*"), scope);
    case "%":
      return arithmetic2("%", [left2, right2], scope);
    case "->":
    case "->>": {
      const [of, path] = [scope.term(left2), scope.term(right2)];
      return { kind: "derived", word: "field", place: "of", of, more: [path] };
    }
    default: {
      return {
        kind: "derived",
        word: BITWISE2[op] ?? "bitwise and",
        place: "of",
        of: scope.term(left2),
        more: [scope.term(right2)]
      };
    }
  }
}
function elapsed(term) {
  const [to, from] = term.items;
  const isMoment2 = (of) => of?.kind === "property" && of.base?.column.words?.unit?.startsWith("milliseconds since ");
  if (to === void 0 || from === void 0 || !isMoment2(to) || !isMoment2(from)) return term;
  return { kind: "duration", unit: "milliseconds", from, to, full: false };
}
var BITWISE2 = {
  "|": "bitwise or",
  "<<": "left shift",
  ">>": "right shift"
};
function arithmetic2(op, items, scope) {
  return { kind: "arithmetic", op, items: items.map((item) => scope.term(item)), whole: false, step: null };
}
function derivedWhole(of) {
  return { kind: "derived", word: "whole part", place: "of", of, more: [] };
}
function withoutFraction(term) {
  switch (term.kind) {
    case "age":
      return { ...term, years: term.years === "exact" ? "whole" : term.years };
    case "duration":
      return { ...term, full: true };
    case "arithmetic":
      return term.op === "/" ? { ...term, whole: true } : null;
    default:
      return null;
  }
}
function isWhole2({ left: left2, right: right2 }, { context: { origins } }) {
  return [left2, right2].every((side) => isDatePart(side) || typeOf2(side, origins) === "integer");
}
function isDatePart(expr) {
  const [format] = expr.kind === "call" && expr.name === "strftime" ? expr.args : [];
  return format?.kind === "literal" && /^%[YmdHMSjwWs]$/.test(String(format.value));
}
function quarter(expr, scope) {
  const isBy = ({ op, right: right2 }, sign, number3) => op === sign && Number(numberLiteral(right2)?.value) === number3;
  const later = isBy(expr, "+", 1);
  const divided = later ? bare2(expr.left) : expr;
  if (divided.kind !== "binary" || !isBy(divided, "/", 3) || !isWhole2(divided, scope)) return null;
  const moved2 = bare2(divided.left);
  if (moved2.kind !== "binary" || !isBy(moved2, later ? "-" : "+", later ? 1 : 2)) return null;
  const month = scope.term(moved2.left);
  return month.kind === "date_part" && month.part === "month" ? { ...month, part: "quarter" } : null;
}
function stepped({ op, left: left2, right: right2 }, scope) {
  const [by, divided] = [numberLiteral(right2), bare2(left2)];
  if (op !== "*" || by === null || divided.kind !== "binary" || divided.op !== "/") return null;
  if (!isWhole2(divided, scope) || numberLiteral(divided.right)?.value !== by.value) return null;
  const of = scope.term(divided.left);
  const isYear2 = of.kind === "date_part" ? of.part === "year" : of.kind === "property" && /year$/i.test(of.own.text);
  if (isYear2 && by.value === 10n)
    return { kind: "date_part", part: "decade", of: of.kind === "date_part" ? of.of : of };
  return { kind: "arithmetic", op: "/", items: [of], whole: true, step: Number(by.value) };
}
function compactPart({ op, left: left2, right: right2 }, scope) {
  const format = writtenAs(left2, scope);
  if (!format.startsWith("YYYYMM")) return null;
  const by = Number(numberLiteral(right2)?.value);
  const of = scope.term(left2);
  const part = (name3) => ({ kind: "date_part", part: name3, of });
  if (format === "YYYYMMDD" && by === 1e4) return op === "/" ? part("year") : null;
  if (by !== 100) return null;
  const [quotient, remainder] = format === "YYYYMM" ? ["year", "month"] : ["month", "day"];
  return op === "/" ? part(quotient) : op === "%" ? part(remainder) : null;
}
function asPercentage({ op, left: left2, right: right2 }, scope) {
  if (op === "*") {
    const factor2 = isHundred(right2) ? left2 : isHundred(left2) ? right2 : null;
    return factor2 === null ? null : percentOf(scope.term(factor2));
  }
  if (op !== "/") return null;
  const top2 = bare2(left2);
  if (top2.kind !== "binary" || top2.op !== "*") return null;
  const factor = isHundred(top2.right) ? top2.left : isHundred(top2.left) ? top2.right : null;
  return factor === null ? null : percentOf(quotientTerm(bare2(factor), right2, scope));
}
function isHundred(expr) {
  return Number(numberLiteral(expr)?.value) === 100;
}
function percentOf(of) {
  return of.kind === "share" || of.kind === "ratio" || of.kind === "change" ? { ...of, percent: true } : null;
}
var UNITS2 = [
  ["days", "*", 24, "hours"],
  ["days", "*", 1440, "minutes"],
  ["days", "*", 86400, "seconds"],
  ["days", "/", 7, "weeks"],
  ["days", "/", 30, "months"],
  ["days", "/", 365, "years"],
  ["days", "/", 365.25, "years"],
  ["seconds", "/", 60, "minutes"],
  ["seconds", "/", 3600, "hours"],
  ["seconds", "/", 86400, "days"],
  ["milliseconds", "/", 1e3, "seconds"],
  ["milliseconds", "/", 6e4, "minutes"],
  ["milliseconds", "/", 36e5, "hours"],
  ["milliseconds", "/", 864e5, "days"]
];
var QUANTITIES = [
  ["euro cents", "/", 100, "euros"],
  ["cents or pence", "/", 100, "euros or pounds"],
  ["pence", "/", 100, "pounds"],
  ["grams", "/", 1e3, "kilograms"],
  ["kilograms", "/", 1e3, "tonnes"],
  ["tonnes", "*", 1e3, "kilograms"],
  ["metres", "/", 1e3, "kilometres"],
  ["seconds", "/", 60, "minutes"],
  ["seconds", "/", 3600, "hours"],
  ["minutes", "/", 60, "hours"],
  ["hours", "*", 60, "minutes"]
];
function inUnit({ op, left: left2, right: right2 }, scope) {
  const by = Number(numberLiteral(right2)?.value);
  if (op !== "*" && op !== "/" || Number.isNaN(by)) return null;
  return converted(scope.term(left2), op, by);
}
function converted(of, op, by) {
  if (of.kind === "summary") {
    const inner = converted(of.of, op, by);
    return inner === null ? null : { ...of, of: inner };
  }
  if (of.kind === "property") {
    const unit2 = of.base?.column.words?.unit ?? "";
    const found = QUANTITIES.find(
      ([from2, sign, number3]) => sign === op && number3 === by && (unit2 === from2 || unit2.startsWith(`${from2} `))
    );
    if (found === void 0) return null;
    const word = `in ${found[3]}${unit2.slice(found[0].length)}`;
    return { kind: "derived", word, place: "after", of, more: [] };
  }
  if (of.kind !== "duration") return null;
  const unit = UNITS2.find(([from2, sign, number3]) => from2 === of.unit && sign === op && number3 === by)?.[3];
  if (unit === void 0) return null;
  const { from, to } = of;
  if (unit === "years" && isBirth(from) && to.kind === "constant") {
    return { kind: "age", of: from, on: to, years: "exact" };
  }
  return { ...of, unit };
}
function sum(expr, scope) {
  const items = flatten(expr, "+");
  const [only2, ...others] = items.flatMap(columnsOf);
  if (only2 !== void 0 && others.every((other) => sameExpr(other, only2)) && items.every(isPiece)) {
    const of = scope.term(only2);
    const unit = timeUnit(expr);
    return unit === null ? of : { kind: "derived", word: unit, place: "after", of, more: [] };
  }
  return arithmetic2("+", items, scope);
}
function timeUnit(expr) {
  const factors = exprsWithin(expr).flatMap(
    (part) => part.kind === "binary" && part.op === "*" ? [Number(numberLiteral(part.right)?.value)] : []
  );
  if (factors.some((factor) => factor === 6e4 || factor === 36e5)) return "in milliseconds";
  return factors.some((factor) => factor === 60 || factor === 3600) ? "in seconds" : null;
}
function textParts(expr) {
  return flatten(expr, "||").filter((part) => {
    const inner = bare2(part);
    return inner.kind !== "literal" || /[\p{L}\p{N}]/u.test(String(inner.value));
  });
}
function joinedText(parts2, scope) {
  const items = parts2.map((part) => scope.term(part));
  const [first, ...others] = items;
  if (first !== void 0 && others.length === 0) return first;
  const moment = rearrangedDate(items);
  if (moment !== null) return moment;
  return { kind: "joined_text", items, person: personName(items) };
}
function rearrangedDate(items) {
  const parts2 = items.flatMap((item) => item.kind === "date_part" ? [item] : []);
  const [first] = parts2;
  if (first === void 0 || parts2.length < items.length) return null;
  if (parts2.some(({ of }) => signature(of) !== signature(first.of))) return null;
  const names2 = parts2.map(({ part }) => part).join(" ");
  return /^year month( day)?$/.test(names2) ? partOf(names2 === "year month" ? "month" : "date", first.of) : null;
}
function personName(items) {
  const words2 = items.flatMap((item) => item.kind === "property" ? [item.own.words] : []);
  if (words2.length < items.length || !isPersonName(words2)) return null;
  const [first] = items;
  const full = first?.kind === "property" && !first.clear ? first.full.words : words2[0] ?? [];
  const name3 = [...personOf(full)?.whose ?? [], "full", "name"];
  return { words: name3, text: name3.join(" ") };
}
function quotientTerm(top2, bottom, scope) {
  if (numberLiteral(bottom) !== null || numberLiteral(top2) !== null) {
    const items = [scope.term(top2), scope.term(bottom)];
    return { kind: "arithmetic", op: "/", items, whole: false, step: null };
  }
  return growth2(top2, bottom, scope) ?? share(top2, bottom, scope) ?? average(top2, bottom, scope) ?? {
    kind: "ratio",
    top: scope.term(top2),
    bottom: scope.term(bottom),
    percent: false
  };
}
function growth2(top2, bottom, scope) {
  const inner = bare2(top2);
  if (inner.kind !== "binary" || inner.op !== "-") return null;
  const [isLeft, isRight] = [inner.left, inner.right].map(
    (side) => sameMeaning(side, bottom, scope.context.origins)
  );
  if (!isLeft && !isRight) return null;
  const [a, b] = [scope.term(inner.left), scope.term(inner.right)];
  return { kind: "change", from: isRight ? b : a, to: isRight ? a : b, loss: !isRight, percent: false };
}
function share(top2, bottom, scope) {
  const { origins } = scope.context;
  const [sumTop, sumBottom] = [asAggregate(top2), asAggregate(bottom)];
  const flagged = sumTop?.name === "sum" && !sumTop.distinct ? flagOf(sumTop.args[0], origins) : null;
  const condition2 = conditionalCount(top2) ?? flagged;
  const countsAll = countsAllRows(bottom, scope);
  if (condition2 !== null) {
    if (sumTop?.distinct) return null;
    const met = sumTop === null ? null : knownOf(countedValue(sumTop), scope);
    if (countsAll) return shareOf(rowsOf3(scope), scope.condition(condition2), { met });
    if (countsRows(bottom, origins)) {
      const known = knownOf(sumBottom?.args[0], scope);
      return shareOf(rowsOf3(scope), scope.condition(condition2), { met, known });
    }
    return knownShare(sumTop, sumBottom, condition2, scope);
  }
  if (countsRows(top2, origins) && countsAll) return shareOf(rowsOf3(scope), null);
  const [summed] = sumTop?.args ?? [];
  const limited = summed === void 0 ? null : conditionalValue(summed);
  if (limited === null || sumTop?.name !== "sum" || sumBottom?.name !== "sum") return null;
  if (sumTop.distinct || sumBottom.distinct) return null;
  const [divisor] = sumBottom.args;
  if (divisor === void 0 || !sameMeaning(limited.value, divisor, origins)) return null;
  return shareOf(scope.term(bottom), scope.condition(limited.when));
}
function flagOf(expr, origins) {
  const base = expr?.kind === "column" ? origins.baseColumn(expr) : null;
  if (expr === void 0 || base === null || !isYesNo(base.column) || base.column.type !== "integer")
    return null;
  if (!isKnown(expr, origins)) return null;
  return {
    kind: "compare",
    op: "=",
    left: expr,
    right: { kind: "literal", type: "integer", value: 1n, pinned: false, span: null }
  };
}
function countsAllRows(bottom, { context, query: outer }) {
  const whole = bare2(bottom);
  if (whole.kind !== "scalar_query" || whole.query.kind !== "select") return false;
  const { query: query2 } = whole;
  const [first] = query2.columns;
  const tables = (one2) => context.rowTable(one2);
  return query2.where === null && query2.groupBy.length === 0 && first !== void 0 && countsRows(first.expr, context.origins) && tables(query2) === tables(outer);
}
function knownShare(top2, bottom, condition2, scope) {
  const [known] = bottom?.args ?? [];
  if (top2 === null || known === void 0 || bottom?.name !== "count" || bottom.distinct) return null;
  if (bottom.filter !== null || bare2(known).kind !== "column") return null;
  const { origins } = scope.context;
  const [tested] = condition2.kind === "compare" && condition2.op === "=" ? [condition2.left] : [];
  const value = top2.args[0] === void 0 ? void 0 : conditionalValue(top2.args[0])?.value;
  const own = sameMeaning(tested, known, origins) || top2.name === "count" && sameMeaning(value, known, origins);
  return own ? shareOf(rowsOf3(scope), scope.condition(condition2), { known: { of: scope.term(known), always: false } }) : null;
}
function average(top2, bottom, scope) {
  if (!isCount(bottom) || conditionalCount(bottom) !== null) return null;
  const [all, per] = [asAggregate(top2), asAggregate(bottom)];
  const [summed] = all?.args ?? [];
  if (per === null || conditionalCount(top2) !== null) return null;
  const counted = scope.term(bottom);
  const owner = counted.kind === "count" && isThing(counted.of) && (counted.known?.always ?? true) ? counted.of : null;
  if (all?.name === "sum" && summed !== void 0 && !all.distinct) {
    const limited = conditionalValue(summed) !== null;
    if (!per.distinct && !limited && countsValues(per, summed, scope.context.origins)) {
      const same2 = sameMeaning(per.args[0], summed, scope.context.origins);
      return {
        ...summaryOf2("avg", scope.term(summed)),
        known: same2 ? null : knownOf(per.args[0], scope)
      };
    }
    if (!per.distinct && !limited && countsRows(bottom, scope.context.origins)) {
      return { ...summaryOf2("avg", scope.term(summed)), zeros: true, known: knownOf(per.args[0], scope) };
    }
    return limited || owner === null ? null : { kind: "per_owner", of: scope.term(top2), owner, average: false };
  }
  if (all?.name !== "count" || all.distinct || !per.distinct || owner === null) return null;
  return { kind: "per_owner", of: scope.term(top2), owner, average: true };
}
function sameMeaning(a, b, origins) {
  const written = (expr) => canonicalExpr(bare2(expr), origins, (source) => source);
  return a !== void 0 && b !== void 0 && written(a) === written(b);
}
function isKnown(expr, origins) {
  const parts2 = exprsWithin(expr);
  if (parts2.some(({ kind: kind2 }) => kind2 === "case" || kind2 === "call" || kind2 === "scalar_query")) return false;
  const columns = parts2.filter((part) => part.kind === "column");
  return columns.every((column2) => {
    if (isNotNull(column2, origins)) return true;
    const base = origins.baseColumn(column2);
    return base !== null && base.column.statistics.nulls === 0 && !isPadded(column2.source, origins);
  });
}
function countsRows(expr, origins) {
  const inner = bare2(expr);
  if (!isCount(inner) || inner.kind !== "aggregate" || inner.distinct || inner.filter !== null) return false;
  const [arg] = inner.args;
  return arg === void 0 || isKnown(arg, origins);
}
function countsValues(count3, summed, origins) {
  const [counted] = count3.args;
  if (sameMeaning(counted, summed, origins)) return true;
  return isKnown(summed, origins) && (counted === void 0 || isKnown(counted, origins));
}
function aggregateTerm(expr, scope) {
  const condition2 = conditionalCount(expr);
  const [arg] = expr.args;
  if (condition2 !== null) {
    const where = scope.condition(condition2);
    const counted = countedValue(expr);
    if (counted !== void 0 && expr.distinct)
      return { ...countTerm({ ...expr, args: [counted] }, scope), where };
    const known = knownOf(counted, scope);
    const implied = known !== null && "of" in where && signature(where.of) === signature(known.of);
    return countOf(rowsOf3(scope), { where, distinct: expr.distinct, known: implied ? null : known });
  }
  if (expr.name === "count") return countTerm(expr, scope);
  if (arg === void 0) return countOf(rowsOf3(scope));
  if (expr.name === "avg" && !expr.distinct && expr.filter === null) {
    const test = testIn(arg) ?? flagOf(arg, scope.context.origins);
    if (test !== null) return shareOf(rowsOf3(scope), scope.condition(test));
  }
  const inside = conditionalValue(arg, /^(sum|total)$/.test(expr.name));
  const limits = [expr.filter, inside?.when ?? null].flatMap(
    (one2) => one2 === null ? [] : [scope.condition(one2)]
  );
  return {
    ...summaryOf2(expr.name, scope.term(inside?.value ?? arg)),
    distinct: expr.distinct,
    where: allOf(limits),
    order: listOrder(expr, scope)
  };
}
function countedValue({ name: name3, args, filter: filter2 }) {
  const [arg] = args;
  if (filter2 !== null || arg === void 0) return arg;
  return name3 === "count" ? conditionalValue(arg)?.value : void 0;
}
var SUMMARIES = {
  avg: "average",
  sum: "total",
  total: "total",
  max: "highest",
  min: "lowest",
  group_concat: "list",
  string_agg: "list"
};
function summaryOf2(call2, of) {
  const name3 = SUMMARIES[call2] ?? "other";
  return {
    kind: "summary",
    name: name3,
    call: call2,
    of,
    distinct: false,
    where: null,
    zeros: false,
    known: null,
    order: null
  };
}
function listOrder({ orderBy }, scope) {
  const [by] = orderBy.filter((term) => !(term.expr.kind === "column" && term.expr.name === "rowid"));
  return by === void 0 ? null : scope.term(by.expr);
}
function allOf(items) {
  const [first, ...others] = items;
  if (first === void 0) return null;
  return others.length === 0 ? first : { kind: "all", items };
}
function countOf(of, more = {}) {
  return { kind: "count", of, distinct: false, known: null, where: null, having: null, ...more };
}
function shareOf(of, where, more = {}) {
  return { kind: "share", of, where, percent: false, distinct: false, met: null, known: null, ...more };
}
function countTerm(expr, scope) {
  const { context, query: query2 } = scope;
  const [arg] = expr.args;
  const keyed = arg === void 0 ? null : keyTable(arg, context.origins);
  if (expr.distinct && arg !== void 0 && keyed === null)
    return countOf(scope.term(arg), { distinct: true });
  if (expr.distinct && arg !== void 0 && keyed !== null) return distinctRows(arg, scope);
  const made = expr.distinct ? null : madeRows(scope);
  if (made !== null) return countOf(made, { known: knownOf(arg, scope) });
  const pairs = pairsOf(scope);
  if (pairs !== null) return countOf(pairs);
  const kept2 = keptRows(arg, scope);
  if (kept2 !== null) return countOf(kept2);
  const thing = paddedRows(arg, scope) ?? context.rowThing(query2, arg ?? null) ?? (keyed === null ? null : context.thing(keyed));
  if (thing === null) return countOf(ROWS2);
  return countOf(thing, { known: knownOf(arg, scope) });
}
function distinctRows(arg, scope) {
  const { context, query: query2 } = scope;
  const keyed = keyTable(arg, context.origins);
  if (keyed === null) return countOf(ROWS2, { distinct: true });
  const column2 = bare2(arg);
  const own = column2.kind === "column" && context.origins.tableOf(column2.source) === keyed;
  const role = own || column2.kind !== "column" ? null : context.referredThing(column2);
  const thing = (own && column2.kind === "column" ? context.thingOf(column2.source) : role) ?? context.thing(keyed);
  const rows = context.rowTable(query2, arg);
  const apart = rows !== null && rows !== keyed && !context.reads(query2, keyed);
  const partner = column2.kind === "column" && !own && isPadded(column2.source, context.origins) ? context.thingOf(column2.source) : null;
  const read2 = column2.kind === "column" && !own ? context.thingOf(column2.source) : null;
  const having = apart ? read2 ?? context.thing(rows) : partner;
  const where = column2.kind === "column" && having === partner ? partnerConditions(column2.source, scope) : [];
  return countOf(thing, { distinct: true, having: having && { thing: having, where } });
}
function partnerConditions(source, scope) {
  const { query: query2, context } = scope;
  const item = itemOf(source, context.origins);
  if (query2.kind !== "select" || item === void 0) return [];
  return joinFilters(item, query2, context.origins).map((one2) => scope.condition(one2));
}
function paddedRows(arg, { context }) {
  const column2 = arg === void 0 ? null : bare2(arg);
  if (column2?.kind !== "column" || !isPadded(column2.source, context.origins)) return null;
  const base = context.origins.baseColumn(column2);
  if (base === null || soleKey(base.table) !== base.column) return null;
  return context.edges.some(({ parent }) => parent.source === column2.source) ? null : context.thingOf(column2.source);
}
var ROWS2 = { one: ["row"], many: ["rows"] };
function rowsOf3(scope) {
  return madeRows(scope) ?? pairsOf(scope) ?? keptRows(void 0, scope) ?? scope.context.rowThing(scope.query) ?? ROWS2;
}
function keptRows(arg, { context, query: query2 }) {
  if (query2.kind !== "select") return null;
  const { origins } = context;
  const rows = context.rowTable(query2);
  const own = query2.from.filter(({ source }) => origins.tableOf(source.id) === rows);
  const [padded] = own.filter(({ source }) => isPadded(source.id, origins));
  const [kept2] = query2.from.filter(({ source }) => !isPadded(source.id, origins));
  if (rows === null || own.length !== 1 || padded === void 0 || kept2 === void 0) return null;
  const column2 = arg === void 0 ? null : bare2(arg);
  if (column2?.kind === "column" && column2.source === padded.source.id) return null;
  const tested = [query2.where, query2.having].flatMap(conjuncts).flatMap(columnsOf);
  if (tested.some((one2) => one2.source === padded.source.id && isNotNull(one2, origins))) return null;
  const things = [kept2, padded].flatMap(({ source }) => context.thingOf(source.id) ?? []);
  const [whole] = things;
  const pair = combinationOf(things);
  if (whole === void 0 || pair === null) return null;
  const also = (text2) => `${text2} (also ${manyOf(whole)} without)`;
  return { ...pair, text: { one: also(oneOf(pair)), many: also(manyOf(pair)) } };
}
function madeRows(scope) {
  const { context, query: query2 } = scope;
  if (query2.kind !== "select" || query2.from.every(({ source }) => source.kind === "table")) return null;
  const { origins, edges } = context;
  const sources = rowSources(query2, edges, origins);
  const makers = sources.map((id) => makerOf(id, context));
  if (!makers.some((maker) => maker !== null && keysOf(maker).length > 1)) return null;
  const held = query2.groupBy.flatMap((expr) => origins.baseColumn(expr) ?? []);
  const heldTables = query2.groupBy.flatMap((expr) => keyTable(expr, origins) ?? []);
  const things = sources.flatMap((id, i) => {
    const maker = makers[i];
    if (maker === null || maker === void 0) return rowNoun(id, context);
    const keyed = keysOf(maker).map((key2) => ({
      key: key2,
      table: keyTable(key2, origins),
      base: origins.baseColumn(key2)
    }));
    const free = keyed.filter(
      ({ table, base, key: key2 }, at) => !(table !== null && heldTables.includes(table)) && !held.some(({ source, column: column2 }) => source === base?.source && column2 === base?.column) && // The name of a reader goes with the reader, and the number of a month with the month.
      !keyed.some((other) => other.base !== base && base !== null && other.table === base.table) && !keyed.slice(0, at).some((other) => isMadeOf(key2, other.key, origins))
    );
    if (free.length > 1 && maker.groupBy.length === 0) return rowNoun(id, context);
    return free.map(({ key: key2, table }) => {
      const one2 = table === null ? wordsOf2(scope.within(maker).term(key2), "short") : [];
      return table === null ? { one: one2, many: plural(one2) } : context.thing(table);
    });
  });
  const [only2, ...others] = things;
  return others.length === 0 ? only2 ?? null : null;
}
function isMadeOf(value, of, origins) {
  const bases = (expr) => columnsOf(expr).map((column2) => origins.baseColumn(column2)?.column ?? null);
  const [own, others] = [bases(value), bases(of)];
  return own.length > 0 && own.every((column2) => column2 !== null && others.includes(column2));
}
function makerOf(id, context) {
  const query2 = context.origins.queryAt(id);
  if (query2?.kind !== "select") return null;
  if (keysOf(query2).length > 0) return query2;
  if (query2.columns.some(({ expr }) => holdsAggregate(expr))) return null;
  const [inner, ...others] = rowSources(query2, context.edges, context.origins);
  return inner === void 0 || others.length > 0 ? null : makerOf(inner, context);
}
function keysOf({ groupBy, distinct, columns }) {
  if (groupBy.length > 0) return groupBy;
  return distinct ? columns.map(({ expr }) => expr) : [];
}
function rowNoun(id, context) {
  const thing = context.thingOf(id);
  if (thing !== null) return [thing];
  const query2 = context.origins.queryAt(id);
  return [(query2 === null ? null : context.rowThing(query2)) ?? ROWS2];
}
function pairsOf({ context, query: query2 }) {
  return combinationOf(context.pairedTables(query2).map((table) => context.thing(table)));
}
function knownOf(expr, scope) {
  if (expr === void 0) return null;
  const { origins } = scope.context;
  const base = origins.baseColumn(expr);
  if (base === null) {
    const inner = bare2(expr);
    const unsure = inner.kind !== "is_null" && isCondition(inner) && columnsOf(inner).some((column2) => !isNotNull(column2, origins));
    return unsure || isSometimesNull(inner) ? { of: scope.term(expr), always: false } : null;
  }
  const { statistics, primary_key } = base.column;
  const always = statistics.nulls === 0 && !isPadded(base.source, origins);
  if (isNotNull(expr, origins) || always && primary_key > 0) return null;
  return { of: scope.term(expr), always };
}
function isSometimesNull(expr) {
  if (expr.kind !== "case") return false;
  const results = [...expr.whens.map(({ result }) => result), expr.else];
  return !results.every((result) => result?.kind === "literal" && result.type !== "null");
}

// generator/english/conditions.ts
var RELATIONS2 = {
  "=": "equal",
  is: "equal",
  "!=": "not_equal",
  is_not: "not_equal",
  ">": "above",
  ">=": "at_least",
  "<": "below",
  "<=": "at_most"
};
function conditionOf(expr, scope) {
  switch (expr.kind) {
    case "and":
    case "or":
      return junction(expr, scope);
    case "not": {
      const item = scope.condition(expr.expr);
      return item.kind === "true" ? { kind: "compare", of: item.of, relation: "equal", to: ZERO } : { kind: "not", item };
    }
    case "compare": {
      const holds2 = alwaysHolds(expr, scope);
      if (holds2 !== null) return { kind: "constant", holds: holds2 };
      const tested = testedForTruth(expr);
      return tested === null ? comparison3(expr, scope) : scope.condition(tested);
    }
    case "is_null":
      return nullCheck(expr, scope);
    case "between":
      return {
        kind: "range",
        of: scope.term(expr.expr),
        low: comparedValue(expr.low, scope),
        high: comparedValue(expr.high, scope),
        negated: expr.negated
      };
    case "like":
      return match2(expr, scope);
    case "in_list":
      return among(expr, scope);
    case "in_query":
      return membership(expr, scope);
    case "exists":
      return existence(expr.query, expr.negated, scope);
    default: {
      if (expr.kind === "literal" && !expr.pinned && !scope.context.choiceOf.has(expr)) {
        return { kind: "constant", holds: literalTruth(expr) === true };
      }
      return { kind: "true", of: scope.term(expr) };
    }
  }
}
var ZERO = { kind: "constant", text: "0", type: "number" };
function alwaysHolds({ op, left: left2, right: right2 }, { context }) {
  if (op !== "=" || left2.kind !== "literal" || right2.kind !== "literal" || left2.type !== right2.type)
    return null;
  if (left2.type === "null" || [left2, right2].some((one2) => context.choiceOf.has(one2))) return null;
  return left2.value === right2.value;
}
function testedForTruth({ op, left: left2, right: right2 }) {
  return op === "is" && left2.kind === "not" && right2.kind === "literal" && literalTruth(right2) === false ? left2.expr : null;
}
function junction({ kind: kind2, items }, scope) {
  const conditions = items.map((item) => scope.condition(item));
  const decisive = kind2 === "or";
  if (conditions.some((one2) => one2.kind === "constant" && one2.holds === decisive))
    return { kind: "constant", holds: decisive };
  const open = conditions.filter((one2) => one2.kind !== "constant" || one2.holds === decisive);
  const [first, ...others] = open;
  if (first === void 0) return { kind: "constant", holds: !decisive };
  if (others.length === 0) return first;
  return (decisive ? oneValue(open) : null) ?? { kind: decisive ? "any" : "all", items: open };
}
function oneValue(items) {
  const equal = items.flatMap(
    (item) => item.kind === "compare" && item.relation === "equal" && item.to.kind === "given" ? [item] : []
  );
  const [first] = equal;
  if (first === void 0 || equal.length < items.length) return null;
  const same2 = equal.every((one2) => sameTerm(one2.of, first.of));
  return same2 ? { kind: "among", of: first.of, values: equal.map(({ to }) => to), negated: false } : null;
}
function comparedValue(expr, scope) {
  const literal = literalWithin(expr);
  const choice = literal === null ? void 0 : scope.context.choiceOf.get(literal);
  if (choice === void 0) return scope.term(expr);
  return movedGiven(expr, { kind: "given", choice, shifts: [] }, scope);
}
function comparison3({ op, left: left2, right: right2 }, scope) {
  if (left2.kind === "row" && right2.kind === "row") return rowComparison(op, left2.items, right2.items, scope);
  const isQuery = (expr) => bare2(expr).kind === "scalar_query";
  const mirrored = literalWithin(left2) !== null || isQuery(left2) && !isQuery(right2) && literalWithin(right2) === null;
  const [a, sign, b] = mirrored ? [right2, MIRRORED[op], left2] : [left2, op, right2];
  const found = bare2(a);
  if (found.kind === "call" && found.name === "instr") {
    const [text2, part] = found.args;
    if (text2 !== void 0 && part !== void 0 && Number(literalWithin(b)?.value) === 0) {
      const negated2 = sign === "=" || sign === "<=";
      return {
        kind: "match",
        of: scope.term(text2),
        how: "contains",
        to: comparedValue(part, scope),
        sign: null,
        negated: negated2
      };
    }
  }
  const any = inAnyCase(a, b);
  if (any !== null && (sign === "=" || sign === "!=")) {
    const [text2, value] = any;
    return {
      kind: "match",
      of: scope.term(text2),
      how: "like",
      to: comparedValue(value, scope),
      sign: null,
      negated: sign === "!="
    };
  }
  const inner = bare2(b);
  const special = inner.kind === "scalar_query" ? againstQuery(sign, a, inner.query, scope) : null;
  return special ?? { kind: "compare", of: scope.term(a), relation: RELATIONS2[sign], to: comparedValue(b, scope) };
}
function inAnyCase(a, b) {
  if (a.kind !== "call" || b.kind !== "call" || a.name !== b.name || !/^(lower|upper)$/.test(a.name))
    return null;
  const [text2, value] = [a.args[0], b.args[0]];
  return text2 === void 0 || value === void 0 ? null : [text2, value];
}
function rowComparison(op, left2, right2, scope) {
  const negated2 = op === "!=" || op === "is_not";
  const items = left2.map(
    (item, i) => comparison3({ kind: "compare", op: negated2 ? "=" : op, left: item, right: right2[i] ?? item }, scope)
  );
  const all = allOf(items) ?? { kind: "constant", holds: true };
  return negated2 ? { kind: "not", item: all } : all;
}
function againstQuery(op, left2, query2, scope) {
  const { origins } = scope.context;
  const first = leftmost(query2);
  const value = first.kind === "select" ? first.columns[0]?.expr : void 0;
  if (op !== "=" && op !== "is" || first.kind !== "select" || value === void 0) return null;
  const aggregate = asAggregate(value);
  if (aggregate !== null) {
    const [arg] = aggregate.args;
    if (!/^(max|min)$/.test(aggregate.name) || arg === void 0 || query2.kind !== "select") return null;
    if (!sameColumn(left2, arg, origins) || first.groupBy.length > 0) return null;
    const clauses = scope.clauses(query2);
    const plain4 = clauses.kind === "list" && clauses.conditions.length === 0 && clauses.whose.length === 0;
    const alone = plain4 && outerFilters(scope) <= 1;
    return {
      kind: "extreme",
      of: scope.term(left2),
      highest: aggregate.name === "max",
      among: alone ? null : clauses
    };
  }
  if (query2.kind !== "select") return null;
  if (query2.orderBy.length > 0 && query2.limit !== null) return firstOf(left2, query2, scope);
  return refersToOne(left2, query2, scope) ? firstOf(left2, query2, scope) : null;
}
function refersToOne(left2, query2, { context }) {
  const { origins } = context;
  const [only2, ...others] = query2.columns.map(({ expr }) => origins.baseColumn(expr));
  const column2 = bare2(left2);
  if (column2.kind !== "column" || context.referredThing(column2) !== null) return false;
  const key2 = keyTable(column2, origins);
  const own = origins.baseColumn(column2)?.table;
  if (only2 === void 0 || only2 === null || others.length > 0 || query2.groupBy.length > 0) return false;
  return key2 !== null && own !== key2 && only2.table === key2 && isUnique(key2, only2.column);
}
function firstOf(left2, query2, scope) {
  const [of, clauses] = [scope.term(left2), scope.clauses(query2)];
  const tied = keyTable(bare2(left2), scope.context.origins) !== null;
  const itself = isItself(left2, query2, scope);
  const [shown2] = clauses.kind === "list" ? clauses.columns : [];
  const same2 = of.kind === "property" && shown2?.kind === "property" && of.own.text === shown2.own.text;
  if (tied || itself || same2) return { kind: "first", of, query: clauses, itself, tied };
  return { kind: "compare", of, relation: "equal", to: { kind: "query", query: clauses } };
}
function outerFilters({ query: query2 }) {
  return query2.kind === "select" ? joinConditions(query2).length - query2.from.length + 1 : 0;
}
function sameColumn(a, b, origins) {
  const nameOf3 = (source) => origins.tableOf(source)?.name ?? source;
  return canonicalExpr(bare2(a), origins, nameOf3) === canonicalExpr(bare2(b), origins, nameOf3);
}
function isItself(left2, query2, { context, query: outer }) {
  const key2 = keyTable(bare2(left2), context.origins);
  if (query2.kind !== "select" || outer.kind !== "select") return false;
  const shown2 = context.origins.baseColumn(bare2(outer.columns[0]?.expr ?? left2))?.table ?? null;
  const rows = [context.rowTable(outer), shown2];
  if (key2 === null) {
    const base = context.origins.baseColumn(bare2(left2));
    return base !== null && query2.groupBy.length === 0 && hasUniqueValues(base.table, base.column) && rows.includes(base.table) && context.rowTable(query2) === base.table;
  }
  return (query2.groupBy.length > 0 || context.rowTable(query2) === key2) && rows.includes(key2);
}
function nullCheck({ expr, negated: negated2 }, scope) {
  const { origins } = scope.context;
  const absent = absentTable(expr, origins);
  if (absent === null) return { kind: "known", of: scope.term(expr), negated: !negated2 };
  const inner = bare2(expr);
  const item = inner.kind === "column" ? itemOf(inner.source, origins) : void 0;
  const own = exprsWithin(item?.on ?? expr).some((part) => part.kind === "is_null" && part.expr === expr);
  if (own) return { kind: "known", of: scope.term(expr), negated: !negated2 };
  const select = inner.kind === "column" ? origins.selectOf(inner.source) : null;
  const filters = item && select ? joinFilters(item, select, origins).map((one2) => scope.condition(one2)) : [];
  const thing = (inner.kind === "column" ? scope.context.roleOf(inner.source) : null) ?? scope.context.thing(absent);
  const query2 = filters.length === 0 ? null : { ...BARE_LIST, subject: thing, conditions: filters };
  const verb = inner.kind === "column" ? scope.context.inverseOf(inner.source) : null;
  return { kind: "exists", thing, are: false, query: query2, related: true, verb, negated: !negated2 };
}
function match2(like2, scope) {
  const { expr, pattern, negated: negated2, op } = like2;
  const of = scope.term(expr);
  const around = op === "like" && like2.escape === null ? aroundValue(pattern, scope) : null;
  const sign = like2.escape === null ? null : scope.term(like2.escape);
  if (around !== null)
    return { kind: "match", of, how: around.how, to: scope.term(around.value), sign: null, negated: negated2 };
  const to = comparedValue(pattern, scope);
  const fixed = to.kind === "constant" && op === "like" && like2.escape === null ? plainPattern(to.text ?? "") : null;
  if (to.kind === "constant" && fixed !== null)
    return { kind: "match", of, how: fixed.role, to: { ...to, text: fixed.value }, sign, negated: negated2 };
  const role = to.kind === "given" ? to.choice.role : "";
  const how = isMatch(role) ? role : op === "glob" ? "glob" : "pattern";
  return { kind: "match", of, how, to, sign, negated: negated2 };
}
function aroundValue(pattern, { context }) {
  const parts2 = flatten(pattern, "||");
  const isAny2 = (part) => part?.kind === "literal" && part.value === "%" && !context.choiceOf.has(part);
  const [before, after] = [isAny2(parts2[0]), isAny2(parts2.at(-1))];
  const [value, ...others] = parts2.slice(before ? 1 : 0, after ? -1 : void 0);
  if (value === void 0 || others.length > 0 || value.kind === "literal" || !(before || after)) return null;
  return { how: before && after ? "contains" : after ? "starts_with" : "ends_with", value };
}
function among({ expr, items, negated: negated2 }, scope) {
  const [first] = items;
  const chosen2 = literalWithin(expr);
  if (chosen2 !== null && first !== void 0 && literalWithin(first) === null) {
    const to = comparedValue(expr, scope);
    const any = {
      kind: "any",
      items: items.map((item) => ({ kind: "compare", of: scope.term(item), relation: "equal", to }))
    };
    return negated2 ? { kind: "not", item: any } : any;
  }
  const values = items.map((item) => comparedValue(item, scope));
  const lists = values.flatMap((one2) => one2.kind === "given" && one2.choice.array ? [one2] : []);
  return {
    kind: "among",
    of: scope.term(expr),
    values: lists.length > 0 ? lists.slice(0, 1) : values,
    negated: negated2
  };
}
function membership(expr, scope) {
  const { context } = scope;
  const { query: query2, negated: negated2 } = expr;
  const clauses = scope.clauses(withoutKnown(query2));
  if (clauses.kind === "list" && clauses.limit === null && clauses.groups === null && query2.kind === "select") {
    const rows = context.rowTable(query2);
    const link = linkOf(expr, context.origins);
    if (link === "same" && clauses.read.length === 0) {
      const all = allOf(clauses.conditions);
      if (all !== null) return negated2 ? { kind: "not", item: all } : all;
    }
    const conditions = link === null || negated2 ? null : ofLookedUp(clauses, lookedUp(expr, context.origins), rows, expr.expr, context.origins);
    if (conditions !== null) return conditions;
    if (link !== null && rows !== null && clauses.read.length === 0) {
      const alone = clauses.conditions.length === 0 && query2.from.length === 1;
      const other = alone ? otherEnd(rows, keyTable(expr.expr, context.origins), context.origins) : null;
      const thing = other === null ? context.rowThing(query2) ?? context.thing(rows) : context.thing(other);
      const base = context.origins.baseColumn(expr.expr);
      const owner = base === null ? null : context.thingOf(base.source);
      const whose = clauses.whose.length > 0 || owner === null ? clauses.whose : [owner];
      const shown2 = bare2(query2.columns[0]?.expr ?? expr.expr);
      const key2 = context.origins.baseColumn(shown2);
      const inverse = other === null && key2?.table === rows ? key2.column.words?.inverse ?? null : null;
      const refers = key2 != null && base !== null && isReferenceTo(key2, base.table);
      const isKey = base === null || refers || hasUniqueValues(base.table, base.column);
      const verb = inverse ?? (isKey ? null : "is linked to");
      return {
        kind: "exists",
        thing,
        are: false,
        query: { ...clauses, whose },
        related: true,
        verb,
        negated: negated2
      };
    }
  }
  if (clauses.kind === "list" && clauses.limit?.rows === 1 && !negated2) {
    return firstOf(expr.expr, query2, scope);
  }
  return { kind: "member", of: scope.term(expr.expr), query: clauses, negated: negated2 };
}
function ofLookedUp(clauses, referred, rows, key2, origins) {
  const own = origins.baseColumn(key2)?.table ?? null;
  if (clauses.kind !== "list" || clauses.read.length > 0 || clauses.tables.length > 1) return null;
  if (referred === null || referred !== rows || own === null || own === referred) return null;
  return allOf(clauses.conditions);
}
function lookedUp({ expr, query: query2 }, origins) {
  const shown2 = query2.kind === "select" ? query2.columns[0]?.expr : void 0;
  const base = shown2 === void 0 ? null : origins.baseColumn(shown2);
  const referred = keyTable(expr, origins);
  return referred ?? (base !== null && hasUniqueValues(base.table, base.column) ? base.table : null);
}
function otherEnd(link, end, origins) {
  if (end === null || !isLinkTable(link) || hasOwnKey(link)) return null;
  const ends = link.foreign_keys.flatMap((key2) => origins.tableNamed(key2.references_table) ?? []);
  const [other, ...more] = ends.filter((table) => table !== end);
  return ends.length === 2 && more.length === 0 ? other ?? null : null;
}
function linkOf({ expr, query: query2 }, origins) {
  const shown2 = query2.kind === "select" ? query2.columns[0]?.expr : void 0;
  const [a, b] = [origins.baseColumn(expr), shown2 === void 0 ? null : origins.baseColumn(shown2)];
  if (shown2 === void 0 || a === null || b === null) return null;
  if (a.column === b.column) return isUnique(a.table, a.column) ? "same" : null;
  if (a.table === b.table && isUnique(b.table, b.column)) return null;
  const table = keyTable(expr, origins);
  if (table === null || table !== keyTable(shown2, origins)) {
    const named = mayJoin(a, b) && sharesKeyName(a, b);
    return a.table !== b.table && named ? "related" : null;
  }
  if (a.column.name.toLowerCase() === b.column.name.toLowerCase()) return "related";
  const tied = [a, b].every(({ table: from }) => from === table || referencesTo(from, table) === 1);
  return tied ? "related" : null;
}
function referencesTo({ foreign_keys }, { name: name3 }) {
  return foreign_keys.filter((key2) => key2.references_table === name3).length;
}
function referringKey(query2, origins) {
  const tied = joinConditions(query2).filter((one2) => isCorrelation(one2, query2));
  const [join3, ...others] = tied.flatMap(equalities);
  if (join3 === void 0 || others.length > 0) return null;
  const inner = query2.from.some(({ source }) => source.id === join3.left.source) ? join3.left : join3.right;
  const base = origins.baseColumn(inner);
  if (base === null || !isUnique(base.table, base.column)) return null;
  return inner === join3.left ? join3.right : join3.left;
}
var ROW = { one: ["row"], many: ["rows"] };
function existence(query2, negated2, scope) {
  const clauses = scope.clauses(query2);
  const { context } = scope;
  const rows = query2.kind === "select" ? context.rowTable(query2) : null;
  const ends = query2.kind === "select" ? ownersOf(query2, context.origins) : [];
  const end = ends[0] === void 0 ? null : context.origins.tableOf(ends[0]);
  const isOfLink = (one2) => "of" in one2 && one2.of.kind === "property" && one2.of.base?.table === rows && !isReferring(one2.of.base);
  const linksOnly = clauses.kind === "list" && !clauses.conditions.some(isOfLink);
  const other = rows === null || !linksOnly ? null : otherEnd(rows, end, context.origins);
  const thing = other === null ? context.rowThing(query2) ?? ROW : context.thing(other);
  const related = clauses.kind === "list" && clauses.whose.length > 0;
  const key2 = query2.kind === "select" && !negated2 ? referringKey(query2, context.origins) : null;
  const conditions = key2 === null ? null : ofLookedUp(clauses, keyTable(key2, context.origins), rows, key2, context.origins);
  if (conditions !== null) return conditions;
  const [source] = query2.kind === "select" ? query2.from : [];
  const verb = other === null && related && source !== void 0 ? context.inverseOf(source.source.id) : null;
  return { kind: "exists", thing, are: false, query: clauses, related, verb, negated: negated2 };
}
function withoutKnown(query2) {
  if (query2.kind !== "select" || query2.where === null) return query2;
  const isShown = (expr) => expr.kind === "column" && query2.columns.some(({ expr: shown2 }) => sameExpr(shown2, expr));
  const items = conjuncts(query2.where);
  const kept2 = items.filter((one2) => !(one2.kind === "is_null" && one2.negated && isShown(one2.expr)));
  return kept2.length === items.length ? query2 : { ...query2, where: kept2.length === 0 ? null : conjunction(kept2) };
}

// generator/english/term.ts
function termOf(given, scope) {
  const term = plainTerm(given, scope);
  return (dropsFraction(given, scope) ? withoutFraction(term) : null) ?? term;
}
function dropsFraction(expr, { context: { origins } }) {
  return expr.kind === "cast" && /INT/.test(expr.type) && typeOf2(expr.expr, origins) === "number";
}
function plainTerm(given, scope) {
  const expr = barely(given);
  if (isCondition(expr)) return { kind: "check", condition: scope.condition(expr) };
  switch (expr.kind) {
    case "column":
      return columnTerm(expr, scope);
    case "aggregate":
      return aggregateTerm(expr, scope);
    case "window":
      return windowTerm(expr, scope);
    case "binary":
      return arithmeticTerm(expr, scope);
    case "call":
      return callTerm(expr, scope);
    case "case":
      return caseTerm(expr, scope);
    case "literal":
      return literalTerm(expr, scope);
    case "scalar_query":
      return { kind: "query", query: scope.clauses(expr.query) };
    case "unary": {
      const of = scope.term(expr.expr);
      if (expr.op === "-") return { kind: "derived", word: "negative", place: "before", of, more: [] };
      return expr.op === "~" ? { kind: "derived", word: "bitwise complement", place: "of", of, more: [] } : of;
    }
    case "row":
      return { kind: "tuple", items: expr.items.map((item) => scope.term(item)) };
    case "output":
    case "cast":
    case "collate":
      return VALUE;
  }
}
var VALUE = { kind: "constant", text: "value", type: "null" };
function literalTerm(literal, { context: { choiceOf, lexicon } }) {
  const choice = choiceOf.get(literal);
  if (choice !== void 0) return { kind: "given", choice, shifts: [] };
  if (literal.pinned) return { kind: "constant", text: String(literal.value), type: "time" };
  if (literal.type === "null") return { kind: "constant", text: "nothing", type: "null" };
  if (literal.type === "blob") return { kind: "constant", text: null, type: "text" };
  if (literal.type === "text") {
    const mayShow = literal.value === "" || lexicon.mayShow(literal.value);
    const isDay2 = !mayShow && /^\d{4}-\d{2}-\d{2}/.test(literal.value);
    return { kind: "constant", text: mayShow ? literal.value : null, type: isDay2 ? "time" : "text" };
  }
  const written = literal.type === "real" ? literal.text.replace(/\.0*$/, "") : String(literal.value);
  return { kind: "constant", text: written, type: "number" };
}
function ownProperty(column2, { context, query: query2 }) {
  const property = context.property(column2);
  const from = query2.kind === "select" ? query2.from.map(({ source }) => source.id) : [];
  const table = context.origins.tableOf(column2.source);
  const outer = table !== null && !from.includes(column2.source) && from.some((id) => context.origins.tableOf(id) === table);
  if (!outer || property.owner === null) return property;
  const { own, owner } = property;
  const full = { words: ["own", ...own.words], text: `${owner.one.join(" ")}'s own ${own.text}` };
  return {
    ...property,
    full,
    owner: { one: ["own", ...owner.one], many: owner.many },
    clear: false,
    inRole: true
  };
}
function columnTerm(column2, scope) {
  const { origins } = scope.context;
  const origin = origins.of(column2);
  if (origin.kind !== "computed") return ownProperty(column2, scope);
  const inner = origins.queryAt(column2.source);
  const first = inner === null ? null : leftmost(inner);
  const itself = inner !== null && isRecursive(inner, origins) || columnsOf(origin.expr).some(({ source: id }) => id === column2.source);
  if (first === null || itself) return scope.context.property(column2);
  const at = origins.outputNames(column2.source)?.indexOf(column2.name) ?? -1;
  const value = first.kind === "select" ? first.columns[at]?.expr : void 0;
  return scope.within(first).term(value ?? origin.expr);
}
function windowTerm(expr, scope) {
  const rank = RANKS[expr.name] ?? null;
  const place2 = PLACES2[expr.name] ?? null;
  const { reach, frame } = reachOf(expr);
  return {
    kind: "window",
    rank,
    place: place2,
    of: rank === null ? carriedValue(expr, scope) : null,
    reach,
    frame,
    within: expr.partitionBy.map((one2) => scope.term(one2)),
    order: expr.orderBy.map((term) => ({ of: scope.term(term.expr), direction: term.direction }))
  };
}
var RANKS = {
  rank: "rank",
  dense_rank: "rank without gaps",
  row_number: "row number",
  percent_rank: "percent rank",
  cume_dist: "cumulative share",
  ntile: "group number"
};
var PLACES2 = {
  lag: "previous",
  lead: "next",
  first_value: "first",
  last_value: "last",
  nth_value: "nth"
};
function carriedValue({ name: name3, args, star, filter: filter2 }, scope) {
  const [arg] = args;
  const where = filter2 === null ? null : scope.condition(filter2);
  if (star || arg === void 0) return countOf(rowsOf3(scope), { where });
  if (PLACES2[name3] !== void 0) return scope.term(arg);
  if (name3 === "count") return countOf(rowsOf3(scope), { known: knownOf(arg, scope), where });
  return { ...summaryOf2(name3, scope.term(arg)), where: where === null ? null : allOf([where]) };
}
function reachOf({ name: name3, orderBy, frame }) {
  if (PLACES2[name3] !== void 0) return { reach: "all", frame: null };
  if (frame === null) return { reach: orderBy.length > 0 ? "running" : "all", frame: null };
  const { start, end } = frame;
  if (start.at === "unbounded_preceding" && end.at === "unbounded_following") {
    return { reach: "all", frame: null };
  }
  if (start.at === "unbounded_preceding" && end.at === "current_row")
    return { reach: "running", frame: null };
  return { reach: "moving", frame: frameText(frame) };
}
function frameText({ mode, start, end }) {
  const unit = mode === "rows" ? "rows" : mode === "groups" ? "groups of rows" : "values";
  const bound = (at, side) => {
    if (at.at === "current_row") return "this one";
    if (!("offset" in at)) return side;
    const count3 = at.offset.kind === "literal" ? String(at.offset.value) : "a computed number";
    return `${count3} ${at.at === "preceding" ? "before" : "after"}`;
  };
  return `${unit} from ${bound(start, "the first")} to ${bound(end, "the last")}`;
}
function callTerm(expr, scope) {
  const date = dateTerm(expr, scope);
  if (date !== null) return date;
  const [first, ...others] = expr.args;
  if (first === void 0) return { kind: "constant", text: expr.name.replace(/_/g, " "), type: "text" };
  const items = (args) => args.map((arg) => scope.term(arg));
  switch (expr.name) {
    case "substr":
    case "substring":
      return pieceTerm(first, others, scope);
    case "max":
    case "min":
      return { kind: "fallback", how: expr.name === "max" ? "greatest" : "least", items: items(expr.args) };
    case "coalesce":
    case "ifnull":
      return { kind: "fallback", how: "known", items: items(expr.args) };
    case "nullif":
      return { kind: "fallback", how: "unless", items: items(expr.args) };
    case "printf":
    case "format":
      return joinedText(varying(others), scope);
    case "concat":
    case "concat_ws":
      return joinedText(varying(expr.args), scope);
    default:
      return derived(expr, first, others, scope);
  }
}
function pieceTerm(text2, [start, length], scope) {
  const of = scope.term(text2);
  const from = start === void 0 ? null : numberOf2(start);
  const before = from === 1 ? markIn(length, "-") : null;
  const after = length === void 0 || numberOf2(length) !== null ? markIn(start, "+") : null;
  const mark = before !== null ? { side: "before", text: scope.term(before) } : after !== null ? { side: "after", text: scope.term(after) } : null;
  const count3 = length === void 0 || before !== null ? null : numberOf2(length);
  const isFixed2 = mark !== null || from !== null && (length === void 0 || count3 !== null);
  if (isFixed2 || start === void 0) return { kind: "piece", of, from, count: count3, mark, computed: null };
  const computed = { from: scope.term(start), count: length === void 0 ? null : scope.term(length) };
  return { kind: "piece", of, from: null, count: null, mark, computed };
}
function markIn(expr, op) {
  const inner = expr === void 0 ? null : bare2(expr);
  if (inner?.kind !== "binary" || inner.op !== op) return null;
  const found = bare2(inner.left);
  const mark = found.kind === "call" && found.name === "instr" ? found.args[1] ?? null : null;
  const long = mark?.kind === "literal" && mark.type === "text" ? [...mark.value].length : 1;
  return numberOf2(inner.right) === (op === "-" ? 1 : long) ? mark : null;
}
function numberOf2(expr) {
  const literal = numberLiteral(expr);
  return literal === null ? null : Number(literal.value);
}
function varying(args) {
  return args.filter((arg) => bare2(arg).kind !== "literal");
}
var FORMS3 = /^(round|ltrim|rtrim|replace|floor|ceil|ceiling|trunc|quote|likely|unlikely|json)$/;
var MADE = {
  length: "length",
  instr: "position",
  typeof: "storage type",
  sqrt: "square root",
  pow: "power",
  power: "power",
  ln: "logarithm",
  log: "logarithm",
  log10: "logarithm",
  hex: "hex digits",
  unicode: "code point",
  json_extract: "field"
};
var BEFORE = {
  lower: "lower-case",
  upper: "upper-case",
  trim: "trimmed"
};
function derived({ name: name3 }, first, others, scope) {
  const of = scope.term(first);
  if (FORMS3.test(name3)) return of;
  const before = BEFORE[name3];
  if (before !== void 0) return { kind: "derived", word: before, place: "before", of, more: [] };
  if (name3 === "abs") return { kind: "derived", word: "absolute", place: "before", of, more: [] };
  const [second] = others;
  const isSquare = /^pow(er)?$/.test(name3) && second !== void 0 && numberOf2(second) === 2;
  const word = isSquare ? "square" : MADE[name3] ?? name3.replace(/[^a-z0-9]+/g, " ").trim();
  const more = isSquare ? [] : others.map((other) => scope.term(other));
  return { kind: "derived", word, place: "of", of, more };
}
function caseTerm(expr, scope) {
  const results = [...expr.whens.map(({ result }) => result), ...expr.else === null ? [] : [expr.else]];
  const [only2, ...others] = expr.whens;
  const read2 = new Set(results.flatMap(columnsOf).map(({ source, name: name3 }) => `${source} ${name3}`));
  const columns = results.map((result) => read2.size === 1 && isPiece(result) ? bare2(result) : null);
  if (columns.every((one2) => one2 !== null)) {
    const texts = new Set(results.map((result) => JSON.stringify(pieceColumn(result))));
    const [first] = results;
    if (texts.size === 1 && first !== void 0) {
      const column2 = pieceColumn(first);
      if (column2 !== null) return scope.term(column2);
    }
  }
  if (only2 !== void 0 && others.length === 0 && expr.operand === null && results.every(isAnswer)) {
    return { kind: "check", condition: scope.condition(only2.when) };
  }
  return {
    kind: "one_of",
    by: expr.operand === null ? null : scope.term(expr.operand),
    cases: casesOf(expr, scope),
    otherwise: expr.else === null ? null : scope.term(expr.else)
  };
}
function casesOf({ operand: operand2, whens }, scope) {
  return whens.map(({ when, result }) => ({
    when: operand2 === null ? scope.condition(when) : { kind: "compare", of: scope.term(operand2), relation: "equal", to: scope.term(when) },
    result: scope.term(result)
  }));
}
function pieceColumn(expr) {
  const inner = bare2(expr);
  if (inner.kind === "column") return inner;
  if (inner.kind !== "call" && inner.kind !== "binary") return null;
  const parts2 = inner.kind === "call" ? inner.args : [inner.left, inner.right];
  return parts2.map(pieceColumn).find((column2) => column2 !== null) ?? null;
}
function isAnswer(result) {
  return result.kind === "literal" && /^(yes|no|true|false|y|n|t|f|1|0|null)$/i.test(String(result.value));
}

// generator/english/query-to-clauses.ts
function clausesOf(query2, scope) {
  switch (query2.kind) {
    case "values": {
      const columns = query2.rows[0]?.map((expr) => scope.term(expr)) ?? [];
      return { kind: "fixed", columns, tables: [] };
    }
    case "set_operation":
      return combinedClauses(query2, scope);
    case "select":
      return listClauses(query2, scope);
  }
}
function combinedClauses(query2, scope) {
  const first = leftmost(query2);
  const inFirst = scope.within(first);
  const sides = first.kind === "select" ? first.columns : [];
  return {
    kind: "combined",
    op: query2.op,
    recursive: isRecursive(query2, scope.context.origins),
    left: scope.clauses(query2.left),
    right: scope.clauses(query2.right),
    order: query2.orderBy.flatMap(({ expr, direction }) => {
      const shown2 = expr.kind === "output" ? sides[expr.index]?.expr : expr;
      const of = shown2 === void 0 ? null : inFirst.term(shown2);
      return of === null || of.kind === "constant" ? [] : [{ of, direction }];
    }),
    limit: cutOf(query2.limit, scope),
    tables: tablesOf(query2)
  };
}
function listClauses(select, scope) {
  const { context } = scope;
  const same2 = readAsIs(select, scope);
  if (same2 !== null) return same2;
  const outputs = outputsOf2(select, scope);
  const table = subjectTable(outputs, select, scope);
  const measured = outputs.some(({ exprs }) => exprs.some((expr) => isMeasure(expr, select, scope)));
  const grouped = isGrouped(select, scope);
  const plain4 = outputs.filter(({ exprs }) => !exprs.some((expr) => isMeasure(expr, select, scope)));
  const ofGroups = select.groupBy.length > 0 && (measured || table === null || !groupedTables(select, context).has(table));
  const values = table !== null && groupsItsRows(select, table, scope);
  const shown2 = values ? outputs.map(
    (output2) => output2.role === "label" && !measured ? { ...output2, role: "other" } : output2
  ) : outputs;
  const groups = select.groupBy.length === 0 ? null : groupsOf(select, measured && plain4.length === 0 ? [] : plain4, scope, measured);
  const list2 = {
    kind: "list",
    subject: subjectThing(table, outputs, select, scope),
    shown: shown2.map(shownOf),
    columns: select.columns.map(({ expr }) => scope.term(expr)),
    about: measured ? grouped ? "groups" : "all" : ofGroups ? "groups" : "rows",
    distinct: select.distinct,
    groups: groups ?? (measured && grouped ? { keys: [], shownKeys: plain4.map(shownOf), unshown: [], companions: [] } : null),
    conditions: conditionsOf2(select, scope),
    whose: ownersOf(select, context.origins).flatMap((source) => context.thingOf(source) ?? []),
    read: readQueries(select, scope).map((inner) => scope.clauses(inner)),
    padded: paddedSources(select, context.origins).flatMap((item) => {
      const thing = context.thingOf(item.source.id) ?? ROW_READ;
      const where = joinFilters(item, select, context.origins).map((one2) => scope.condition(one2));
      return [{ thing, where }];
    }),
    order: sortsOf(select, scope),
    limit: cutOf(select.limit, scope),
    grain: select.groupBy.length > 0 ? [] : grainOf(select, table, scope),
    over: overOf(select, scope),
    crossed: crossedThings(select, scope),
    tables: tablesOf(select)
  };
  return withMediansOfGroups(select.from.length === 1 ? withMedians(list2) : list2);
}
function withMedians(list2) {
  const [read2, ...others] = list2.read;
  if (read2?.kind !== "list" || read2.about !== "rows" || read2.distinct || read2.limit !== null) return list2;
  const [stated, ...more] = list2.conditions;
  if (others.length + more.length + read2.padded.length + list2.padded.length > 0) return list2;
  const keys2 = (list2.groups?.keys ?? []).map(signature).sort().join();
  const alone = list2.shown.filter(({ term }) => /^(summary|count|share)$/.test(term.kind)).length === 1;
  const plain4 = (term) => {
    if (!isAverage(term)) return term;
    const middle = stated === void 0 ? term.where : alone && term.where === null ? stated : null;
    if (middle === null || !isMiddle(term.of, middle, [...read2.conditions, ...conditionsRead(read2)]))
      return term;
    return signaturesOf(partOf3(middle)) === keys2 ? median(term) : term;
  };
  const shown2 = list2.shown.map((one2) => ({ ...one2, term: plain4(one2.term) }));
  if (shown2.every(({ term }, i) => term === list2.shown[i]?.term)) return list2;
  const { conditions } = read2;
  return { ...list2, shown: shown2, columns: list2.columns.map(plain4), conditions, read: read2.read };
}
function withMediansOfGroups(list2) {
  const { groups } = list2;
  if (groups === null) return list2;
  const known = conditionsRead(list2);
  const plain4 = (term) => {
    if (term.kind === "arithmetic") return { ...term, items: term.items.map(plain4) };
    if (term.kind === "derived") return { ...term, of: plain4(term.of) };
    if (term.kind === "change") return { ...term, from: plain4(term.from), to: plain4(term.to) };
    if (term.kind === "ratio") return { ...term, top: plain4(term.top), bottom: plain4(term.bottom) };
    if (!isAverage(term)) return term;
    const limits = term.where === null ? list2.conditions : [term.where, ...list2.conditions];
    const middle = limits.find((one2) => isMiddle(term.of, one2, known));
    if (middle === void 0) return term;
    const part = partOf3(middle);
    const apart = part.every((one2) => groups.keys.some((key2) => sameTerm(key2, one2) || names(key2, one2)));
    const rest2 = limits.filter((one2) => one2 !== middle);
    const others = [...groups.keys, ...rest2.map((one2) => "of" in one2 ? one2.of : null)];
    return apart && others.every((one2) => one2 !== null && isOfPart(one2, part)) ? median(term) : term;
  };
  const shown2 = list2.shown.map((one2) => ({ ...one2, term: plain4(one2.term) }));
  return { ...list2, shown: shown2, columns: list2.columns.map(plain4) };
}
function conditionsRead({ read: read2 }) {
  return read2.flatMap((one2) => one2.kind === "list" ? [...one2.conditions, ...conditionsRead(one2)] : []);
}
function unscaled(of) {
  if (of.kind === "derived" && of.place === "after" && isStoredNumber(of.of)) return of.of;
  if (of.kind === "duration" && !of.full) return { ...of, unit: "milliseconds" };
  if (of.kind !== "arithmetic" || of.op !== "/" || of.items.length !== 2) return of;
  const [value, by] = of.items;
  return value !== void 0 && by?.kind === "constant" && Number(by.text) > 0 ? value : of;
}
function isStoredNumber(term) {
  return term.kind === "property" && term.base !== null && term.base.column.type !== "string";
}
function isAverage(term) {
  return term.kind === "summary" && term.name === "average" && !term.distinct && !term.zeros;
}
function median(term) {
  return { ...term, name: "other", call: "median", where: null };
}
function partOf3(condition2) {
  const of = "of" in condition2 ? condition2.of : null;
  const window = of?.kind === "arithmetic" ? of.items.find(({ kind: kind2 }) => kind2 === "window") : of;
  return window?.kind === "window" ? window.within : [];
}
function signaturesOf(terms) {
  return terms.map(signature).sort().join();
}
function isOfPart(term, part) {
  if (term.kind === "window")
    return term.rank === null && term.reach === "all" && signaturesOf(term.within) === signaturesOf(part);
  return part.some((key2) => sameTerm(key2, term) || isOfRow(term, key2));
}
function isOfRow(term, key2) {
  if (term.kind !== "property" || key2.kind !== "property" || term.base === null || key2.base === null)
    return false;
  const { table, column: column2 } = key2.base;
  if (table === term.base.table) return soleKey(table) === column2;
  return isReferenceTo(key2.base, term.base.table);
}
function names(term, key2) {
  if (!isOfRow(term, key2) || term.kind !== "property" || term.base === null) return false;
  const { column: column2, table } = term.base;
  return column2.statistics.distinct === table.rows;
}
function isMiddle(averaged, condition2, known) {
  if (!("of" in condition2)) return false;
  const of = unscaled(averaged);
  const place2 = condition2.kind === "range" && condition2.of.kind === "arithmetic" && condition2.of.op === "*" ? condition2.of.items[1] ?? condition2.of : condition2.of;
  if (place2.kind !== "window" || place2.rank !== "row number") return false;
  const { order, within: within2 } = place2;
  const [first] = order;
  const check = first?.of.kind === "check" ? first.of.condition : null;
  const missingLast = check?.kind === "known" && check.negated && sameTerm(check.of, of);
  const by = order[missingLast ? 1 : 0];
  const isOrdered = by !== void 0 && [of, averaged].some((one2) => sameTerm(by.of, one2));
  if (!isOrdered || order.some(({ direction }) => direction === "desc")) return false;
  const never = isNeverMissing(of, known);
  const isAll = (one2) => {
    const count3 = one2?.kind === "window" && one2.rank === null && one2.place === null && one2.reach === "all" ? one2 : null;
    if (count3?.of?.kind !== "count" || signaturesOf(count3.within) !== signaturesOf(within2)) return false;
    const { known: counted, distinct, where, having } = count3.of;
    return !distinct && where === null && having === null && (never || missingLast && counted !== null && sameTerm(counted.of, of));
  };
  const isNumber = (one2, number3) => one2?.kind === "constant" && Number(one2.text) === number3;
  const half = (one2, whole, plus) => {
    if (one2?.kind !== "arithmetic" || one2.op !== "/" || one2.whole !== whole || !isNumber(one2.items[1], 2))
      return false;
    const [top2] = one2.items;
    if (plus === 0) return isAll(top2);
    return top2?.kind === "arithmetic" && top2.op === "+" && isAll(top2.items[0]) && isNumber(top2.items[1], plus);
  };
  if (condition2.kind === "among" && !condition2.negated && condition2.values.length === 2)
    return [1, 2].every((plus) => condition2.values.some((one2) => half(one2, true, plus)));
  if (condition2.kind !== "range" || condition2.negated || condition2.high.kind !== "arithmetic") return false;
  const { op, items } = condition2.high;
  if (place2 !== condition2.of)
    return condition2.of.kind === "arithmetic" && isNumber(condition2.of.items[0], 2) && isAll(condition2.low) && op === "+" && isAll(items[0]) && isNumber(items[1], 2);
  return half(condition2.low, false, 0) && op === "+" && half(items[0], false, 0) && isNumber(items[1], 1);
}
function isNeverMissing(of, known) {
  const columns = columnsWithin(of);
  const isTested = (column2) => known.some(
    (one2) => "of" in one2 && (one2.kind === "known" ? !one2.negated : /^(compare|range|match|among)$/.test(one2.kind)) && (sameTerm(one2.of, column2) || one2.kind === "compare" && sameTerm(one2.to, column2))
  );
  return columns.length > 0 && columns.every((one2) => one2.base?.column.statistics.nulls === 0 || isTested(one2));
}
var ROW_READ = { one: ["row", "read"], many: ["rows", "read"] };
function isSum(expr) {
  return !expr.distinct && /^(sum|avg|total|group_concat|string_agg)$/.test(expr.name) && conditionalCount(expr) === null;
}
function overOf(select, { context }) {
  const rows = context.rowTable(select);
  const sums = queryExprs(select).flatMap((expr) => [...ownExprs(expr)]).flatMap((part) => part.kind === "aggregate" && isSum(part) ? part.args : []).map((arg) => conditionalValue(arg)?.value ?? (testIn(arg) === null ? arg : null));
  const columns = sums.flatMap((sum2) => sum2 === null ? [] : columnsOf(sum2)).flatMap((column2) => context.origins.baseColumn(column2) ?? []);
  const paired = context.pairedTables(select);
  if (columns.length === 0 || rows === null) return null;
  const things = paired.length > 1 ? paired : [rows];
  const extended = columns.some(({ source }) => context.isPartOf(source, rows));
  if (extended || columns.some(({ table }) => table === rows) || isLinkTable(rows)) {
    return paired.length > 1 ? combinationOf(paired.map((table) => context.thing(table))) : null;
  }
  return combinationOf(things.map((table) => context.thing(table))) ?? context.thing(rows);
}
function readAsIs(select, scope) {
  const { where, groupBy, having, limit, orderBy, distinct, from } = select;
  const [item, ...others] = from;
  const query2 = item === void 0 || others.length > 0 ? null : scope.context.origins.queryOf(item.source);
  if (query2?.kind !== "select" || where !== null || groupBy.length > 0 || having !== null) return null;
  if (limit !== null || orderBy.length > 0 || distinct || holds(query2, select) || onlyFilters(query2))
    return null;
  const names2 = query2.columns.map(({ name: name3 }) => name3);
  const renamed2 = item === void 0 ? null : scope.context.origins.outputNames(item.source.id);
  const places = select.columns.map(
    ({ expr }) => expr.kind === "column" ? (renamed2 ?? names2).indexOf(expr.name) : -1
  );
  if (places.includes(-1)) return null;
  const inner = listClauses(query2, scope.within(query2));
  const shown2 = inner.shown.flatMap((one2) => {
    const columns2 = one2.columns.flatMap(
      (column2) => places.includes(column2) ? [places.indexOf(column2)] : []
    );
    return columns2.length === 0 ? [] : [{ ...one2, columns: columns2 }];
  });
  const at = (one2) => shown2.find(({ term }) => term === one2.term);
  const groups = inner.groups === null ? null : {
    ...inner.groups,
    shownKeys: inner.groups.shownKeys.flatMap((one2) => at(one2) ?? []),
    companions: inner.groups.companions.flatMap((one2) => at(one2) ?? [])
  };
  const columns = places.flatMap((place2) => inner.columns[place2] ?? []);
  return { ...inner, shown: shown2, columns, groups };
}
function subjectThing(table, outputs, select, { context }) {
  if (table === null) return null;
  const base = outputs.find((output2) => output2.base?.table === table)?.base ?? null;
  const [only2, ...others] = select.from.filter(({ source: source2 }) => context.origins.tableOf(source2.id) === table);
  const source = base?.source ?? (others.length === 0 ? only2?.source.id : void 0);
  return (source === void 0 ? null : context.rowsOf(source)) ?? context.thing(table);
}
function conditionsOf2(select, scope) {
  const { origins } = scope.context;
  const plain4 = plainJoins(select, origins);
  const stated = [select.where, ...select.from.filter(isInner).map(({ on }) => on), select.having].flatMap(conjuncts).filter(
    (one2) => !plain4.has(one2) && !(isCorrelation(one2, select) && ownerOf(one2, select, origins) !== null)
  ).map((one2) => scope.condition(one2)).filter((one2) => one2.kind !== "constant" || !one2.holds);
  const folded = select.from.flatMap(({ source }) => {
    const query2 = origins.queryOf(source);
    return query2?.kind === "select" && onlyFilters(query2) ? conditionsOf2(query2, scope.within(query2)) : [];
  });
  const flat = [...folded, ...stated].flatMap((one2) => one2.kind === "all" ? one2.items : [one2]);
  return [...flat, ...requiredReferences(select, scope), ...partnersOf(select, scope)];
}
function requiredReferences(select, scope) {
  const { origins, edges } = scope.context;
  const plain4 = plainJoins(select, origins);
  const used = [
    ...queryExprs({ ...select, where: null, from: [] }),
    ...joinConditions(select).filter((one2) => !plain4.has(one2))
  ];
  const columns = used.flatMap(columnsOf);
  const read2 = new Set(columns.map((column2) => column2.source));
  return select.from.flatMap(({ source, join: join3 }) => {
    if (read2.has(source.id) || join3 === "right" || isPadded(source.id, origins)) return [];
    const [edge2, ...others] = edges.filter(
      ({ parent, child: child3 }) => parent.source === source.id || child3.source === source.id
    );
    if (edge2 === void 0 || others.length > 0 || edge2.parent.source !== source.id) return [];
    const { child: child2 } = edge2;
    if (!select.from.some((item) => item.source.id === child2.source) || isPadded(child2.source, origins))
      return [];
    const isRead = columns.some((column2) => sameExpr(column2, child2));
    if (isRead || (origins.baseColumn(child2)?.column.statistics.nulls ?? 0) === 0) return [];
    const thing = isDangling(edge2, origins) ? scope.context.thingOf(source.id) : null;
    const there = thing === null ? { kind: "known", of: scope.term(child2), negated: false } : { kind: "exists", thing, are: false, query: null, related: true, verb: null, negated: false };
    return [there];
  });
}
function isDangling({ child: child2, parent }, origins) {
  const [from, to] = [child2, parent].map((column2) => origins.baseColumn(column2)?.column.statistics);
  if (from === void 0 || to === void 0) return false;
  return isBelow(from.min, to.min) || isBelow(to.max, from.max) || from.distinct > to.distinct;
}
function isBelow(a, b) {
  return typeof a === "number" && typeof b === "number" && a < b;
}
function onlyFilters(query2) {
  return query2.limit === null && query2.groupBy.length === 0 && query2.having === null && !query2.distinct && !query2.columns.some(({ expr }) => holdsAggregate(expr) || expr.kind === "window") && query2.from.every(({ source }) => source.kind === "table");
}
function readQueries(select, { context: { origins } }) {
  const read2 = [...new Set(select.from.flatMap(({ source }) => origins.queryOf(source) ?? []))];
  return read2.filter((query2) => !holds(query2, select) && !(query2.kind === "select" && onlyFilters(query2)));
}
function holds(query2, select) {
  let found = false;
  visitQuery(query2, {
    query: (inner) => {
      found ||= inner === select;
    }
  });
  return found;
}
function partnersOf(select, { context }) {
  const read2 = select.from.map(({ source }) => context.origins.tableOf(source.id));
  return existencePartners(select, context).flatMap(({ source, same: same2 }) => {
    const table = context.origins.tableOf(source);
    if (table === null) return [];
    const ends = isLinkTable(table) ? table.foreign_keys.map((key2) => context.origins.tableNamed(key2.references_table)) : [];
    const other = ends.find((end) => end !== null && !read2.includes(end)) ?? table;
    const thing = context.thing(other);
    const verb = other === table && !same2 ? context.inverseOf(source) : null;
    return [{ kind: "exists", thing, are: same2, query: null, related: true, verb, negated: false }];
  });
}
function crossedThings(select, { context }) {
  const ids = select.from.flatMap(({ source }) => source.kind === "table" ? [source.id] : []);
  const partOf4 = new Map(ids.map((id) => [id, id]));
  for (const one2 of joinConditions(select)) {
    const parts3 = new Set(columnsOf(one2).flatMap(({ source }) => partOf4.get(source) ?? []));
    const [first] = parts3;
    if (first === void 0 || parts3.size < 2) continue;
    for (const [id, part] of partOf4) if (parts3.has(part)) partOf4.set(id, first);
  }
  const parts2 = [...new Set(partOf4.values())];
  const derived2 = select.from.length > ids.length;
  return parts2.length < 2 || derived2 ? [] : parts2.flatMap((id) => context.thingOf(id) ?? []);
}
function sortsOf(select, scope) {
  const shown2 = select.columns.some(({ expr }) => expr.kind === "column" && expr.name === "rowid");
  return select.orderBy.filter(({ expr }) => shown2 || !isRowId(expr)).map(({ expr, direction }) => sortOf(expr, direction, scope)).filter(({ of }) => of.kind !== "constant");
}
function sortOf(expr, direction, scope) {
  const inner = bare2(expr);
  if (inner.kind !== "unary" || inner.op !== "-") return { of: scope.term(expr), direction };
  return sortOf(inner.expr, direction === "asc" ? "desc" : "asc", scope);
}
function isRowId(expr) {
  if (expr.kind === "aggregate") return expr.args.some(isRowId);
  return expr.kind === "column" && expr.name === "rowid";
}
function cutOf(limit, scope) {
  if (limit === null) return null;
  const { context } = scope;
  const { count: count3, offset } = limit;
  const choice = count3.kind === "literal" ? context.choiceOf.get(count3) : void 0;
  const rows = choice === void 0 ? numberOf3(count3) : { kind: "given", choice, shifts: [] };
  const skipped = offset === null ? 0 : numberOf3(offset);
  if (rows !== null && skipped !== null) return { rows, skipped };
  const computed = {
    rows: rows === null ? scope.term(count3) : null,
    skipped: skipped === null && offset !== null ? scope.term(offset) : null
  };
  return { rows, skipped, computed };
}
function numberOf3(expr) {
  return expr.kind === "literal" && expr.type === "integer" ? Number(expr.value) : null;
}
function tablesOf(query2) {
  const sources = selectsOf(query2).flatMap(({ from }) => from.map(({ source }) => source));
  return [...new Set(sources.flatMap((source) => source.kind === "table" ? [source.table] : []))];
}
function isMeasure(expr, select, scope) {
  if (holdsAggregate(expr)) return true;
  const inner = bare2(expr);
  if (inner.kind === "scalar_query" && select.from.length === 0) return true;
  if (inner.kind === "binary")
    return isMeasure(inner.left, select, scope) || isMeasure(inner.right, select, scope);
  if (inner.kind !== "column") return false;
  const origin = scope.context.origins.of(inner);
  return origin.kind === "computed" && holdsAggregate(origin.expr);
}
function isGrouped(select, scope) {
  if (select.groupBy.length > 0) return true;
  if (select.columns.some(({ expr }) => holdsAggregate(expr))) return false;
  return select.from.some(({ source }) => {
    const inner = scope.context.origins.queryOf(source);
    const first = inner === null ? null : leftmost(inner);
    return first?.kind === "select" && first !== select && isGrouped(first, scope);
  });
}
function subjectTable(outputs, select, { context }) {
  const tables = [...new Set(outputs.flatMap(({ table }) => table === null ? [] : [table]))];
  const rows = context.rowTable(select);
  const [first] = tables;
  const person = outputs.find(({ columns, role }) => role === "label" && columns.length > 1);
  if (first === void 0) return rows;
  if (tables.length === 1) return first;
  if (person !== void 0) return person.table;
  const parents = new Set(
    context.edges.flatMap(({ child: child2, parent }) => {
      const from = context.origins.tableOf(child2.source);
      return from !== null && tables.includes(from) ? [context.origins.tableOf(parent.source)] : [];
    })
  );
  const finest = tables.filter((table) => !parents.has(table) && !isLinkTable(table));
  if (finest.length === 1 && finest[0] !== void 0) return finest[0];
  if (rows !== null && !tables.includes(rows) && !isLinkTable(rows)) return rows;
  return rows !== null && tables.includes(rows) ? rows : first;
}
function parentsOf(edges) {
  return new Set(edges.map(({ parent }) => parent.source));
}
function grainOf(select, subject, { context }) {
  if (select.columns.some(({ expr }) => holdsAggregate(expr))) return [];
  const parents = parentsOf(context.edges);
  const absent = absentSources(select, context.origins);
  const there = select.from.map(({ source }) => source.id).filter((id) => !absent.has(id));
  const known = absent.size === 0 ? parents : parentsOf(context.edges.filter(({ child: child2 }) => !absent.has(child2.source)));
  const own = there.filter((id) => !known.has(id));
  const tables = own.map((id) => context.origins.tableOf(id));
  const things = own.flatMap((id, i) => {
    const [table, thing] = [tables[i], context.thingOf(id)];
    if (!table || thing === null) return [];
    const ends = table.foreign_keys.map((key2) => key2.references_table);
    const linked2 = own.length === 1 && isLinkTable(table);
    return linked2 && select.from.some(({ source }) => source.kind === "table" && ends.includes(source.table)) ? [] : [{ table, thing }];
  });
  const [only2, ...others] = things;
  if (only2 === void 0 || things.length < own.length) return [];
  if (others.length === 0) return only2.table === subject ? [] : [only2.thing];
  return [combinationOf(things.map(({ thing }) => thing)) ?? only2.thing];
}
var Description = class _Description {
  context;
  query;
  constructor(context, query2) {
    this.context = context;
    this.query = query2;
  }
  within(query2) {
    return new _Description(this.context, query2);
  }
  term(expr) {
    const term = termOf(expr, this);
    this.context.exprOf.set(term, expr);
    return term;
  }
  condition(expr) {
    return conditionOf(expr, this);
  }
  clauses(query2) {
    return clausesOf(query2, this.within(query2));
  }
};

// generator/lower/candidate.ts
function isolateBugs(question2, onBug, step) {
  try {
    return step();
  } catch (error) {
    if (error instanceof QueryError || !onBug) throw error;
    onBug(question2, error);
    throw new QueryError("GENERATOR_BUG", error instanceof Error ? error.message : String(error));
  }
}

// generator/lower/lower-rest.ts
function lowerRest(queries, context) {
  const rejections = [];
  const reject = (question2, error) => {
    if (!(error instanceof QueryError)) throw error;
    rejections.push({ question: question2, rejection: error.toRejection() });
  };
  const members = queries.flatMap(({ question: question2, query: query2 }) => {
    try {
      return [isolateBugs(question2, context.onBug, () => memberOf(question2, query2, context.catalog))];
    } catch (error) {
      reject(question2, error);
      return [];
    }
  });
  const guard = new ValueGuard(members.flatMap(({ member }) => member.choices));
  const lexicon = new Lexicon(
    context.catalog,
    queries.map(({ question: question2 }) => question2),
    (prose2) => guard.holdsValue(prose2)
  );
  const { templates, endpoints } = describeAll(gatherTemplates(members), lexicon, context, reject);
  const candidates = new Map(
    templates.flatMap(
      (template, i) => template.members.map((member) => {
        const endpoint2 = endpoints[i];
        if (endpoint2 === void 0) throw new Error("a template without an endpoint");
        return [member.question, candidateOf(member, endpoint2.endpoint, endpoint2.parameterNames)];
      })
    )
  );
  return {
    endpoints: endpoints.map(({ endpoint: endpoint2 }) => endpoint2),
    candidates: queries.flatMap(({ question: question2 }) => candidates.get(question2) ?? []),
    rejections
  };
}
function describeAll(templates, lexicon, context, reject) {
  const describe2 = (some) => describeEndpoints(some, lexicon, context);
  try {
    return { templates, endpoints: describe2(templates) };
  } catch (error) {
    if (!context.onBug) throw error;
    const sound = templates.filter((template) => {
      const [{ question: question2 }] = template.members;
      try {
        isolateBugs(question2, context.onBug, () => describe2([template]));
        return true;
      } catch (fault) {
        for (const member of template.members) reject(member.question, fault);
        return false;
      }
    });
    if (sound.length === templates.length) throw error;
    return { templates: sound, endpoints: describe2(sound) };
  }
}
function describeEndpoints(templates, lexicon, context) {
  const guard = new ValueGuard(templates.flatMap(({ members }) => members.flatMap(({ choices }) => choices)));
  const sketches = templates.map((template) => sketchOf(template, lexicon));
  const written = templates.map(
    ({ members }) => members.map(({ question: question2 }) => question2.endpoint_words).find((words2) => isWorded(words2))
  );
  const unnamed = sketches.filter((_, i) => written[i]?.name === void 0);
  const names2 = nameEndpoints(
    unnamed,
    written.flatMap((words2) => words2?.name ?? [])
  );
  const silent = sketches.filter((_, i) => written[i]?.summary === void 0);
  const summaries = numberVariants(
    disambiguate(
      silent,
      DISTINCTIONS,
      ({ clauses, meaning }, distinctions) => [
        withDistinctPhrases(meaning, (phrases) => summarise(clauses, phrases)),
        ...distinctions.map(({ text: text2 }) => `(${text2})`)
      ].join(" ")
    ),
    written.flatMap((words2) => words2?.summary ?? [])
  );
  return sketches.map((sketch, i) => {
    const words2 = {
      name: names2[unnamed.indexOf(sketch)] ?? "",
      summary: summaries[silent.indexOf(sketch)] ?? "",
      ...written[i]
    };
    return describe(sketch, words2, guard, context, lexicon);
  });
}
function numberVariants(summaries, others = []) {
  return summaries.map((summary, i) => {
    const before = [...others, ...summaries.slice(0, i)].filter((other) => other === summary).length;
    return before === 0 ? summary : `${summary} (variant ${before + 1})`;
  });
}
function sketchOf(template, lexicon) {
  const [{ query: query2, origins, choices }] = template.members;
  const context = new QueryContext(query2, origins, lexicon, choices);
  const scope = new Description(context, query2);
  const clauses = scope.clauses(query2);
  const places = choices.map((choice) => {
    const within2 = scope.within(choice.scope);
    if (choice.subject === null)
      return { choice, of: null, given: null, operation: null, sign: null, format: "" };
    const plain4 = { kind: "given", choice, shifts: [] };
    const literals = choice.occurrences.flatMap((one2) => one2.literals);
    const call2 = exprsOf(choice.scope).find(
      (expr) => expr.kind === "call" && literals.some((one2) => expr.args.includes(one2)) && literalWithin(expr) !== null
    );
    const operation3 = exprsOf(choice.scope).find(
      (expr) => expr.kind === "binary" && literals.some((one2) => expr.left === one2 || expr.right === one2)
    );
    const like2 = exprsOf(choice.scope).find(
      (expr) => expr.kind === "like" && literals.some((one2) => expr.pattern === one2)
    );
    const sign = like2?.kind === "like" && like2.escape?.kind === "literal" ? String(like2.escape.value) : null;
    const { subject } = choice;
    const cased = call2?.kind === "call" && subject.kind === "call" && call2.name === subject.name && /^(lower|upper)$/.test(call2.name) ? subject.args[0] : void 0;
    const moved2 = call2 === void 0 ? plain4 : movedGiven(call2, plain4, within2);
    const dated = call2?.kind === "call" && /^(date|datetime|strftime|julianday|unixepoch)$/.test(call2.name);
    const inner = bare2(choice.subject);
    const part = inner.kind === "call" ? datePart(inner, (of) => writtenAs(of, within2)) : null;
    return {
      choice,
      of: within2.term(cased ?? choice.subject),
      given: moved2,
      operation: operation3 === void 0 ? null : within2.term(operation3),
      sign,
      format: dated ? "YYYY-MM-DD" : part?.format ?? ""
    };
  });
  return {
    template,
    clauses,
    places,
    parameters: nameParameters(places, clauses),
    columns: nameColumns(template, columnTerms(clauses), (words2) => lexicon.isPlain(words2)),
    nounOf: (table) => lexicon.noun(table).many,
    meaning: (term) => meaningOf(term, context)
  };
}
var VALUE2 = { kind: "constant", text: "value", type: "null" };
function columnTerms(clauses) {
  return clauses.kind === "fixed" ? clauses.columns : leftmostList(clauses)?.columns ?? [];
}
function describe({ template, clauses, places, parameters, columns: names2, meaning }, { name: name3, summary, description }, guard, { split, db, pathChoices }, lexicon) {
  const [{ query: query2, origins }] = template.members;
  const parameterNames = parameters.map((parameter) => parameter.name);
  const nameOf3 = (choice) => parameterNames[parameters.findIndex((one2) => one2.choice === choice)] ?? "";
  const listed2 = parameters.map((parameter, i) => ({
    parameter,
    place: places[i],
    type: template.types[i] ?? parameter.choice.type,
    inPath: pathChoices?.(template, i) ?? false
  })).sort((a, b) => placeOf6(a.parameter) - placeOf6(b.parameter));
  const rounded2 = roundings(query2);
  const terms = columnTerms(clauses);
  const nullable = nullableColumns(query2, origins);
  const types = columnTypes(query2, origins);
  const columnNames = types.map((_, i) => names2[i] ?? `column${i + 1}`);
  const texts = withDistinctPhrases(meaning, (phrases) => {
    const r = descriptionRealizer(nameOf3, phrases);
    const columns2 = types.map((_, i) => {
      const term = terms[i] ?? VALUE2;
      return describeColumn(term, columnText2(term, rounded2[i] ?? "", r), guard);
    });
    const known = [...parameterNames, ...columnNames];
    if (description !== void 0 && namesIn(description).every((one2) => known.includes(one2)))
      return { columns: columns2, description: withSources(description, clauses) };
    return { columns: columns2, description: describeEndpoint(clauses, columnNames, rounded2, nameOf3, phrases) };
  });
  const parameterTexts = withDistinctPhrases(
    meaning,
    (phrases) => listed2.map(({ place: place2 }) => place2 === void 0 ? "" : describeParameter(place2, guard, phrases))
  );
  const columns = types.map(
    (type, i) => ({
      name: columnNames[i] ?? "",
      type,
      nullable: nullable[i] ?? true,
      description: texts.columns[i] ?? ""
    })
  );
  return {
    parameterNames,
    endpoint: {
      name: name3,
      operation_id: operationId(name3),
      path: `${domainPath(split, db)}/${[
        ...pathSegments(
          listed2.filter(({ inPath }) => inPath).map(({ parameter }) => parameter),
          lexicon
        ),
        name3
      ].join("/")}`,
      summary,
      description: texts.description,
      sql: printTemplate(template, parameterNames, columnNames),
      parameters: listed2.map(({ parameter, type, inPath }, i) => ({
        name: parameter.name,
        type,
        ...inPath ? { in: "path" } : {},
        array: parameter.choice.array,
        description: parameterTexts[i] ?? "",
        required: true
      })),
      columns,
      speed: "quick"
    }
  };
}
function placeOf6({ choice }) {
  if (choice.role === "limit") return Number.MAX_SAFE_INTEGER;
  return choice.occurrences[0]?.literals[0]?.span?.start ?? 0;
}
function roundings(query2) {
  const first = leftmost(query2);
  if (first.kind === "values") return [];
  return first.columns.map(({ expr }) => roundingOf(expr));
}
function roundingOf(expr) {
  if (expr.kind !== "call" || expr.name !== "round") return "";
  const [, digits] = expr.args;
  const count3 = digits?.kind === "literal" && digits.type === "integer" ? Number(digits.value) : null;
  return count3 === null ? ", rounded" : `, rounded to ${count3} ${count3 === 1 ? "decimal" : "decimals"}`;
}
function candidateOf({ question: question2, choices }, endpoint2, parameterNames) {
  const byName = new Map(choices.map((choice, i) => [parameterNames[i] ?? "", choice]));
  const listed2 = endpoint2.parameters.flatMap(({ name: name3 }) => {
    const choice = byName.get(name3);
    return choice === void 0 ? [] : [{ choice, name: name3 }];
  });
  return {
    question: question2,
    formulation: "rest",
    initialization_step: null,
    output: [
      {
        name: endpoint2.operation_id,
        arguments: Object.fromEntries(listed2.map(({ choice, name: name3 }) => [name3, choice.value])),
        path: endpoint2.path
      }
    ],
    endpoint: endpoint2.name,
    bindings: listed2.map(({ choice, name: name3 }) => bindingOf(choice, name3))
  };
}
function bindingOf({ occurrences, prefix, suffix, column: column2 }, parameter) {
  const places = /* @__PURE__ */ new Map();
  for (const { literals } of occurrences) {
    for (const { span } of literals) {
      if (span !== null) places.set(span.start, { ...span, prefix, suffix });
    }
  }
  return { parameter, literals: [...places.values()], column: column2 };
}
function pathSegments(parameters, lexicon) {
  const tables = parameters.map(({ choice }) => choice.column?.table ?? "");
  return parameters.flatMap(({ name: name3 }, i) => {
    const table = tables[i] ?? "";
    const noun3 = snake(lexicon.noun(table).many) || "rows";
    return i > 0 && tables[i - 1] === table ? [`{${name3}}`] : [noun3, `{${name3}}`];
  });
}

// ../../scratch/unseen3/fastb.mts
var [out, which, only] = process.argv.slice(2);
for (const name3 of which.split(",")) {
  const split = deserialize(readFileSync2(`/work/scratch/unseen3/${name3.replace("bare", "")}.v8`));
  const rows = [];
  for (const { db, catalog: catalog2 } of split.domains) {
    if (only && !only.split(",").includes(db)) continue;
    const queries = split.questions.filter((q) => q.db_id === db).map((q) => name3.startsWith("bare") ? { ...q, endpoint_words: void 0 } : q).flatMap((question2) => {
      try {
        return [{ question: question2, query: parseQuery(question2.sql, { catalog: catalog2, referenceTime: DEFAULT_REFERENCE_TIME }) }];
      } catch {
        return [];
      }
    });
    const { endpoints, candidates } = lowerRest(queries, { split: name3, db, catalog: catalog2 });
    for (const e of endpoints) {
      const c = candidates.filter((x) => x.endpoint === e.name);
      rows.push(JSON.stringify({ db, id: c[0]?.question.question_id, sql: c[0]?.question.sql, question: c[0]?.question.question, name: e.name, summary: e.summary, description: e.description, parameters: e.parameters.map((p) => `${p.name}: ${p.description}`), columns: e.columns.map((p) => `${p.name}: ${p.description}`) }));
    }
  }
  writeFileSync(`${out}/${name3}.jsonl`, rows.join("\n") + "\n");
  console.log(name3, rows.length);
}
