import type { Choice } from '../../template/choices/choice.ts';

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
