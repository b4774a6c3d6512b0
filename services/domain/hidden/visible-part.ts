import type { Catalog } from '../../../contracts/catalog.ts';
import { type HiddenShare, printShare } from '../../../contracts/share.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { hiddenTables } from './hidden-tables.ts';
import { type ViewText, visibleCatalog } from './visible-catalog.ts';

/** A domain of which some tables are hidden. */
export interface VisiblePart {
  readonly hidden: readonly string[];
  /** Of the rest. */
  readonly catalog: Catalog;
}

const MOST_KEPT = 100;
const known = new WeakMap<ServedDomain, Map<string, VisiblePart>>();

/** What is left of a domain at a share. */
export function visiblePart(domain: ServedDomain, share: HiddenShare): VisiblePart {
  const parts = known.get(domain) ?? new Map<string, VisiblePart>();
  known.set(domain, parts);
  const key = printShare(share);
  const part = parts.get(key) ?? makePart(domain, share);
  if (parts.size < MOST_KEPT) parts.set(key, part);
  return part;
}

function makePart(domain: ServedDomain, share: HiddenShare): VisiblePart {
  const { catalog } = domain.service;
  const hidden = hiddenTables(catalog, share);
  return { hidden, catalog: visibleCatalog(catalog, hidden, viewsOf(domain)) };
}

function viewsOf(domain: ServedDomain): ViewText[] {
  const statement = domain
    .connection()
    .prepareAdHoc("SELECT name, sql FROM sqlite_schema WHERE type = 'view' AND sql IS NOT NULL");
  return statement.all().map(([name, sql]) => ({ name: String(name), sql: String(sql) }));
}
