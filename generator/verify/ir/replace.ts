/**
 * The tree with one node, told by identity, replaced by another; parts that do not hold it are shared.
 * Works on any plain data, so it needs no list of the IR's nodes.
 */
export function replaceNode<T>(tree: T, from: object, to: unknown): T {
  if ((tree as unknown) === from) return to as T;
  if (typeof tree !== 'object' || tree === null) return tree;
  if (Array.isArray(tree)) {
    const items = tree.map((item) => replaceNode(item, from, to));
    return items.some((item, i) => item !== tree[i]) ? (Object.freeze(items) as T) : tree;
  }
  const fields = Object.entries(tree).map(([key, value]) => [key, replaceNode(value, from, to)] as const);
  const same = fields.every(([key, value]) => value === tree[key as keyof T]);
  return same ? tree : (Object.freeze(Object.fromEntries(fields)) as T);
}
