import type Database from 'better-sqlite3';
import { assembleAnswer, mapReferences } from '../../../contracts/assemble-answer.ts';
import type { Catalog } from '../../../contracts/catalog.ts';
import type { Call } from '../../../contracts/sample.ts';
import type { StartTableDefinition } from '../../../contracts/start-table.ts';
import type { ToolAnswer } from '../../../contracts/tools.ts';
import type { Cell, Row } from '../../../contracts/value.ts';
import { SLOT_TOOLS } from '../../domain/tools/registry.ts';
import { findSelTool } from '../../domain/tools/sel/find-sel-tool.ts';
import type { Statement } from '../../domain/tools/sql/sql.ts';
import { startPlan } from '../../domain/tools/tools/initialize-active-data.ts';
import { execute, type ToolContext } from './execute.ts';
import { type HandleStore, memoryHandleStore } from './handle-store.ts';

/** Runs calls in-process on an open database, as the server does over HTTP; for tests and development. */
export class ToolBench {
  readonly catalog: Catalog;
  readonly store: HandleStore = memoryHandleStore(10_000);
  readonly #db: Database.Database;
  /** Every statement run, latest last. */
  readonly statements: Statement[] = [];

  constructor(db: Database.Database, catalog: Catalog) {
    this.#db = db;
    this.catalog = catalog;
  }

  /** The handle of a start table. */
  start(definition: StartTableDefinition): string {
    const plan = startPlan(definition, this);
    this.store.put(plan);
    return plan.handle;
  }

  context(previewRows = 0): ToolContext {
    return {
      catalog: this.catalog,
      store: this.store,
      previewRows,
      page: { offset: 0, limit: 1_000_000 },
      run: async (statement) => {
        this.statements.push(statement);
        const rows = this.#db.prepare(statement.sql).all(statement.parameters) as Record<string, unknown>[];
        return { rows: rows.map(toCells), truncated: false };
      },
    };
  }

  /** One call of a SLOT or SEL tool; `data_source` and other references are handles. */
  async call(name: string, args: Record<string, unknown>, previewRows = 0): Promise<ToolAnswer> {
    const source = typeof args.data_source === 'string' ? args.data_source.replaceAll('$', '') : '';
    const keys = this.store.get(source)?.columns.map(({ key }) => key) ?? [];
    const tool = SLOT_TOOLS[name] ?? findSelTool(name, keys);
    if (!tool) throw new Error(`no tool ${name}`);
    return execute(tool, args, this.context(previewRows));
  }

  /** A whole sequence with labels; `starts` are the handles of the labels it begins from. */
  async replay(
    calls: readonly Call[],
    starts: Readonly<Record<string, string>>,
    previewRows = 0,
  ): Promise<Row[] | null> {
    const handles = new Map(Object.entries(starts));
    const answers: ToolAnswer[] = [];
    for (const call of calls) {
      const args = mapReferences(call.arguments, (label) => {
        const handle = handles.get(label);
        return handle === undefined ? undefined : `$${handle}$`;
      });
      const answer = await this.call(call.name, args as Record<string, unknown>, previewRows);
      if (call.label !== undefined) handles.set(call.label, answer.handle);
      answers.push(answer);
    }
    return assembleAnswer(calls, answers);
  }
}

function toCells(row: Record<string, unknown>): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex').toUpperCase() : (value as Cell),
    ]),
  );
}
