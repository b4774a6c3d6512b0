import type { Catalog } from '../../../contracts/catalog.ts';
import type { Query } from '../../../sql/index.ts';
import type { Stored } from '../../oracle/messages.ts';
import type { Draft } from '../../search/draft.ts';
import { combinationsOf, type Found } from '../../search/find-rows.ts';
import { FreshRows } from '../../search/fresh-rows.ts';
import type { Target } from '../../search/target.ts';
import { type Row, sampleRows } from '../../variants/perturb-table.ts';
import { Random } from '../../variants/random.ts';
import type { TableShape } from '../../variants/table-shape.ts';
import type { Way } from '../growth.ts';
import { baseChanges } from './base-changes.ts';
import { Bonds } from './bonds.ts';
import { Guard } from './guard.ts';
import { Mender } from './mender.ts';

/**
 * Changes a database until its questions have other answers of about the same size: values change places at random,
 * except where a question would find nothing, and then, for each question that still has its old answer or too long
 * or short a one, rows that reach its answer change until it has not. The draft has the changes afterwards. The same
 * database, questions and seed give the same changes.
 */
export function alterDatabase(
  draft: Draft,
  targets: readonly Target[],
  {
    catalog,
    growth,
    seed,
    queries,
  }: {
    readonly catalog: Catalog;
    /** Whether a table may rather grow or shrink, by name. */
    readonly growth: ReadonlyMap<string, Way>;
    readonly seed: string;
    /** The questions' gold queries, for what they join by. */
    readonly queries: readonly Query[];
  },
): void {
  const random = new Random(`${seed}/${catalog.db}`);
  const found = targets.map(({ parts }) => parts.map((part) => combinationsOf(draft, part)));
  const bonds = new Bonds(draft, catalog, queries);
  const mender = new Mender(draft, targets, found, random, growth, bonds);
  const guard = guardFor(targets, found);
  const fresh = new FreshRows(draft, random, (table, column) => bonds.isSingle(table, column));
  const samples = new Map<string, readonly Row[]>();
  for (const table of draft.shapes.values()) {
    const rows = sampleRows(draft.db, table, random);
    samples.set(table.name, rows);
    const isReferred = bonds.isReferred(table);
    const changes = baseChanges(rows, table, { fresh, guard, random, ties: bonds, isReferred });
    draft.attempt(
      changes.filter(({ kind }) => kind === 'update'),
      () => true,
    );
    for (const change of changes.filter(({ kind }) => kind !== 'update'))
      draft.attempt([change], bonds.watch([change]));
  }
  mender.mendAll({
    draft,
    random,
    fresh,
    ties: bonds,
    sampleOf: ({ name }: TableShape) => samples.get(name) ?? [],
  });
}

/** Protects what the conditions look at in the rows that were found. */
function guardFor(targets: readonly Target[], found: readonly (readonly (readonly Found[])[])[]): Guard {
  const guard = new Guard();
  targets.forEach(({ parts }, t) => {
    parts.forEach((part, p) => {
      for (const { identities } of found[t]?.[p] ?? []) {
        for (const { source, column } of part.conditions) {
          const table = part.tables[source];
          const identity: readonly Stored[] | undefined = identities[source];
          if (table && identity) guard.add(table, identity, column);
        }
      }
    });
  });
  return guard;
}
