import type { CatalogTable } from '../../../contracts/catalog.ts';
import type { Choice } from '../../template/choices.ts';
import type { Term } from './clause.ts';

type Node = Record<string, unknown>;

/** Shows every node of a tree of clauses; what a column is in the catalog is no part of it. */
export function visitNodes(tree: unknown, see: (node: Node) => void): void {
  if (typeof tree !== 'object' || tree === null) return;
  if (!Array.isArray(tree)) see(tree as Node);
  for (const [key, part] of Object.entries(tree)) {
    if (key !== 'choice' && key !== 'base') visitNodes(part, see);
  }
}

/** The choices that stand in a part of a query, each as often as it stands there. */
export function choicesWithin(tree: unknown): readonly Choice[] {
  const found: Choice[] = [];
  visitNodes(tree, (node) => {
    if (node.kind === 'given') found.push(node.choice as Choice);
  });
  return found;
}

/** Whether two terms say the same of the same rows. */
export function sameTerm(a: Term, b: Term): boolean {
  if (a.kind === 'property' && b.kind === 'property') {
    const [one, other] = [a.base, b.base];
    return one?.source === other?.source && one?.column === other?.column && a.own.text === b.own.text;
  }
  return a.kind === b.kind && signature(a) === signature(b);
}

/** A term as text, whatever it is made of; choices by their identity. */
export function signature(node: unknown): string {
  const seen: unknown[] = [];
  return JSON.stringify(node, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (key === 'base' && typeof value === 'object' && value !== null && 'column' in value) {
      const { table, column, source } = value as {
        table: CatalogTable;
        column: { name: string };
        source: string;
      };
      return [table.name, column.name, source];
    }
    if (key !== 'choice') return value;
    if (!seen.includes(value)) seen.push(value);
    return seen.indexOf(value);
  });
}
