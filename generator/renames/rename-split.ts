import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sameBag } from '../../contracts/answer-rows.ts';
import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import { OptionError, QueryError, unlessQueryError } from '../../contracts/errors.ts';
import type { Renamed, Renames, TableRenames } from '../../contracts/renames.ts';
import type { Domain, Question, Split, UnanswerableQuestion } from '../../contracts/split.ts';
import { insteadOf } from '../../contracts/wording.ts';
import { registerScalars } from '../../services/base/scalars/workspace.ts';
import { collectionsOf } from '../../services/domain/query/collections.ts';
import { quoteIdentifier, tokenize } from '../../sql/index.ts';
import { requote } from '../oracle/gold-sql.ts';
import { Oracle, unlessRefused } from '../oracle/oracle.ts';
import { listTables } from '../read/catalog.ts';
import { privateFolder, withReadonly } from '../read/open-database.ts';
import type { FarmOptions } from '../write/write-folder.ts';
import { drawRenames } from './draw-renames.ts';

export interface RenameOptions extends Pick<FarmOptions<'rename'>, 'signal' | 'onProgress'> {
  /** The new names, or the seed that draws one for every table and column. */
  readonly names: Renames | string;
  readonly referenceTime: string;
  readonly timeoutMs: number;
  readonly jobs?: number | undefined;
}

/**
 * The split with other names of tables and columns, in copies of its databases, in its SQL and in the calls that its
 * questions give; all words stay. A question is left out, with the reason, unless its SQL can be written with the new
 * names and gives the same rows there. Throws OPTION_INVALID for names that do not fit.
 */
export async function renameSplit(split: Split, options: RenameOptions): Promise<Split> {
  const { names: given, signal, onProgress } = options;
  const names: Renames =
    typeof given === 'string'
      ? Object.fromEntries(split.domains.map((domain) => [domain.db, drawn(domain, split, given)]))
      : given;
  if (typeof given !== 'string') refuseUnknown(given, split.domains);
  const oracle = new Oracle({ ...options, children: options.jobs, limitMs: options.timeoutMs });
  const stop = () => void oracle.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const domains: Domain[] = [];
    const questions = new Map<Question, Question>();
    const left: Renamed['left_out'] = [];
    for (const domain of split.domains) {
      signal?.throwIfAborted();
      const { db } = domain;
      const own = split.questions.filter(({ db_id }) => db_id === db);
      const progress = (done: number) =>
        onProgress?.({ stage: 'rename', done, total: own.length, label: db });
      const made = await renameDomain(domain, own, names[db] ?? {}, oracle, progress);
      domains.push(made.domain);
      for (const [before, after] of made.questions) questions.set(before, after);
      left.push(...made.left);
    }
    const { content_hash: origin } = split;
    return {
      ...split,
      content_hash: createHash('sha256')
        .update(`${origin}\n${JSON.stringify(names)}`)
        .digest('hex'),
      questions: split.questions.flatMap((question) => questions.get(question) ?? []),
      domains,
      renamed: { origin, names, left_out: left },
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    await oracle.close();
  }
}

/** Without words of the split's SQL, whose aliases could hide a column of the same name. */
function drawn({ db, catalog }: Domain, { questions }: Split, seed: string): TableRenames {
  const texts = questions.filter(({ db_id }) => db_id === db).map(({ sql }) => sql);
  const words = texts.flatMap((sql) => unlessQueryError(() => tokenize(sql)) ?? []).map(({ text }) => text);
  return drawRenames(catalog, new Set(words), seed);
}

function refuseUnknown(names: Renames, domains: readonly Domain[]): void {
  const wrong = (name: string, known: readonly string[]) =>
    new OptionError('--renames', `names ${name}, which the split has not${insteadOf(name, known)}`);
  const dbs = domains.map(({ db }) => db);
  for (const [db, tables] of Object.entries(names)) {
    const catalog = domains.find((domain) => domain.db === db)?.catalog;
    // With --only, other databases are not read.
    if (!catalog) continue;
    const own = catalog.tables.filter(({ view }) => !view);
    for (const [name, { columns }] of Object.entries(tables)) {
      const table = own.find((each) => each.name === name);
      if (!table)
        throw wrong(
          `${db}.${name}`,
          own.map((each) => `${db}.${each.name}`),
        );
      const known = table.columns.map((column) => column.name);
      const unknown = Object.keys(columns).find((column) => !known.includes(column));
      if (unknown !== undefined)
        throw wrong(
          `${name}.${unknown}`,
          known.map((column) => `${name}.${column}`),
        );
    }
  }
  if (Object.keys(names).every((db) => !dbs.includes(db)))
    throw new OptionError('--renames', `names no database of the split; it has ${dbs.join(', ')}`);
}

async function renameDomain(
  domain: Domain,
  questions: readonly Question[],
  names: TableRenames,
  oracle: Oracle,
  onProgress: (done: number) => void,
) {
  const { db, catalog, unanswerable = [] } = domain;
  const file = join(privateFolder(), `${db}.sqlite`);
  copyFileSync(domain.file, file);
  const after = renameDatabase(file, catalog, names);
  const statements = new RenamedStatements(domain.file, names);
  const arguments_ = argumentsBetween(catalog, after);
  const [was, is] = [oracle.over(catalog), oracle.over(after)];
  const kept = new Map<Question, Question>();
  const left: Renamed['left_out'] = [];
  const open: UnanswerableQuestion[] = [];
  const attempt = async (question_id: Question['question_id'], rename: () => Promise<void> | void) => {
    try {
      await rename();
    } catch (error) {
      if (!(error instanceof Database.SqliteError || error instanceof QueryError)) throw error;
      left.push({
        db,
        question_id,
        reason: error.message.replace(/^error in view rookery_statement[^:]*: /, ''),
      });
    }
  };
  try {
    for (const [i, question] of questions.entries()) {
      onProgress(i);
      await attempt(question.question_id, async () => {
        const renamed = renameQuestion(question, statements, arguments_);
        const before = await unlessRefused(was.run(domain.file, question.sql));
        // Generation says what is wrong with a statement that fails under its own names.
        if (before && !sameBag(before.rows, (await is.run(file, renamed.sql)).rows))
          throw new QueryError('WRONG_ROWS', 'gives other rows under the new names');
        kept.set(question, renamed);
      });
    }
    for (const question of unanswerable)
      await attempt(question.question_id, () => void open.push(renameUnanswerable(question, statements)));
  } finally {
    statements.close();
  }
  // A dialogue is kept whole or left out.
  const broken = new Set(questions.filter((each) => !kept.has(each)).flatMap(({ turn_of }) => turn_of ?? []));
  for (const question of questions) {
    if (question.turn_of !== undefined && broken.has(question.turn_of)) kept.delete(question);
  }
  const policies = catalog.policies ? { policies: undefined } : {};
  return {
    domain: {
      ...domain,
      file,
      catalog: { ...after, ...policies },
      unanswerable: open.length > 0 ? open : undefined,
    },
    questions: kept,
    left,
  };
}

/** Renames in the file, and gives the catalog that it has then; columns of views go by their position. */
function renameDatabase(file: string, catalog: Catalog, names: TableRenames): Catalog {
  const database = new Database(file);
  try {
    renameSchema(database, names);
    const views = new Map(listTables(database).map(({ name, columns }) => [name, columns]));
    const nameOf = (table: string) => names[table]?.name ?? table;
    const columnOf = (table: string, column: string) => names[table]?.columns[column] ?? column;
    const tables = catalog.tables.map((table): CatalogTable => {
      const { name, words } = table;
      const after = (column: string, at: number) =>
        table.view ? (views.get(name)?.[at]?.name ?? column) : columnOf(name, column);
      return {
        ...table,
        name: nameOf(name),
        columns: table.columns.map((column, at) => ({ ...column, name: after(column.name, at) })),
        foreign_keys: table.foreign_keys.map((key) => ({
          columns: key.columns.map((column) => columnOf(name, column)),
          references_table: nameOf(key.references_table),
          references_columns: key.references_columns.map((column) => columnOf(key.references_table, column)),
        })),
        reads: table.reads?.map(nameOf),
        words: words && { ...words, called: words.called?.map((column) => columnOf(name, column)) },
      };
    });
    return { ...catalog, tables };
  } finally {
    database.close();
  }
}

function renameQuestion(
  question: Question,
  statements: RenamedStatements,
  arguments_: (given: Arguments) => Arguments,
): Question {
  const { sql, query_arguments, augmentation, dialogue } = question;
  return {
    ...question,
    sql: statements.rename(sql),
    query_arguments: query_arguments && arguments_(query_arguments),
    augmentation: augmentation && {
      ...augmentation,
      virtual_sql: statements.rename(augmentation.virtual_sql),
    },
    dialogue: dialogue && {
      ...dialogue,
      turns: dialogue.turns.map((turn) =>
        turn.db_id === undefined ? { ...turn, sql: statements.rename(turn.sql) } : turn,
      ),
    },
  };
}

function renameUnanswerable(
  question: UnanswerableQuestion,
  statements: RenamedStatements,
): UnanswerableQuestion {
  if (question.kind === 'ambiguous') {
    const readings = question.readings.map((each) => ({ ...each, sql: statements.rename(each.sql) }));
    return { ...question, readings };
  }
  if (question.kind === 'false_premise')
    return { ...question, check_sql: statements.rename(question.check_sql) };
  if (question.kind === 'forbidden')
    throw new QueryError('NOT_UNANSWERABLE', 'a farm under new names has no rules', question.sql);
  return question;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments of the query tool with the names of the other catalog, whose collections are the same ones in order. */
function argumentsBetween(before: Catalog, after: Catalog): (given: Arguments) => Arguments {
  const others = collectionsOf(after);
  const known = new Map(
    collectionsOf(before).map(({ name, properties }, i) => {
      const other = others[i];
      const names = properties.map((property, at) => [property.name, other?.properties[at]?.name] as const);
      return [name, { name: other?.name, properties: new Map(names) }];
    }),
  );
  return (given) => {
    const collection = known.get(String(given.collection_name));
    const property = (name: unknown) => collection?.properties.get(String(name)) ?? name;
    const entries = Object.entries(given).map(([argument, value]) => {
      if (argument === 'collection_name') return [argument, collection?.name ?? value];
      if (argument === 'groupby_property') return [argument, property(value)];
      if (typeof value !== 'object' || value === null || !('property_name' in value))
        return [argument, value];
      return [argument, { ...value, property_name: property(value.property_name) }];
    });
    return Object.fromEntries(entries);
  };
}

/** Renames columns and tables; SQLite changes keys, indexes, triggers and views with them. Throws OPTION_INVALID. */
function renameSchema(database: Database.Database, names: TableRenames): void {
  try {
    rename(database, Object.entries(names));
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new OptionError('--renames', `cannot be carried out: ${error.message}`);
  }
}

function rename(
  database: Database.Database,
  names: readonly (readonly [string, TableRenames[string]])[],
): void {
  for (const [table, { columns }] of names)
    for (const [column, name] of Object.entries(columns))
      database.exec(
        `ALTER TABLE ${quoteIdentifier(table)} RENAME COLUMN ${quoteIdentifier(column)} TO ${quoteIdentifier(name)}`,
      );
  for (const [table, { name }] of names)
    if (name !== undefined)
      database.exec(`ALTER TABLE ${quoteIdentifier(table)} RENAME TO ${quoteIdentifier(name)}`);
}

const CREATE = 'CREATE VIEW rookery_statement AS ';

/**
 * Statements with new names. Each is made a view of the database's schema without rows; SQLite, which changes views
 * together with what they read, does the rest.
 */
class RenamedStatements {
  readonly #schema = new Database(':memory:');
  readonly #names: TableRenames;
  readonly #hasViews: boolean;

  constructor(file: string, names: TableRenames) {
    const tables = withReadonly(file, listTables);
    for (const { sql } of tables) this.#schema.exec(sql);
    registerScalars(this.#schema, () => [], false);
    this.#names = names;
    this.#hasViews = tables.some(({ view }) => view);
  }

  /** Throws a SqliteError for what is no query or cannot be renamed, and QueryError. */
  rename(sql: string): string {
    if (/\bnatural\b/i.test(sql)) throw new QueryError('SQL_UNSUPPORTED', 'NATURAL JOIN goes by names');
    const schema = this.#schema;
    const text = requote(sql.trim().replace(/;+$/, ''), (tried) => {
      try {
        schema.prepare(tried);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    });
    schema.exec('SAVEPOINT statement');
    try {
      schema.exec(CREATE + text);
      const lower = sql.toLowerCase();
      // Each change reads the whole schema, so what the statement does not name stays; a view may name anything.
      rename(
        schema,
        Object.entries(this.#names).filter(
          ([table]) => this.#hasViews || lower.includes(table.toLowerCase()),
        ),
      );
      const stored = schema
        .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'rookery_statement'")
        .pluck()
        .get();
      return (stored ?? '').slice(CREATE.length);
    } finally {
      schema.exec('ROLLBACK TO statement; RELEASE statement');
    }
  }

  close(): void {
    this.#schema.close();
  }
}
