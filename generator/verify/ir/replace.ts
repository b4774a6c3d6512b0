/** Gives a node, its parts already rewritten, its new form. */
export type Rewrite = (node: unknown) => unknown;

/**
 * The tree with some nodes, told by identity, rewritten; parts that hold none are shared. Inner nodes come
 * first. Works on any plain data, so it needs no list of the IR's nodes.
 */
export function rewriteNodes<T>(tree: T, rewrites: ReadonlyMap<object, Rewrite>): T {
  if (typeof tree !== 'object' || tree === null) return tree;
  const rebuilt = rebuild(tree, rewrites);
  const rewrite = rewrites.get(tree);
  return rewrite ? (rewrite(rebuilt) as T) : rebuilt;
}

/** The tree with one node replaced by another. */
export function replaceNode<T>(tree: T, from: object, to: unknown): T {
  return rewriteNodes(tree, new Map([[from, () => to]]));
}

function rebuild<T extends object>(tree: T, rewrites: ReadonlyMap<object, Rewrite>): T {
  if (Array.isArray(tree)) {
    const items = tree.map((item) => rewriteNodes(item, rewrites));
    return items.some((item, i) => item !== tree[i]) ? (Object.freeze(items) as unknown as T) : tree;
  }
  const fields = Object.entries(tree).map(([key, value]) => [key, rewriteNodes(value, rewrites)] as const);
  const same = fields.every(([key, value]) => value === tree[key as keyof T]);
  return same ? tree : (Object.freeze(Object.fromEntries(fields)) as T);
}
