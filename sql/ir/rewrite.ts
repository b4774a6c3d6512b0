import type { Expr, ExprKind, Query } from './nodes.ts';

/** Returns an expression's replacement, or null to keep it (its parts are then rewritten). */
export type ExprRewrite = (expr: Expr) => Expr | null;

/** Returns the new form of a node whose parts are already rewritten. */
export type NodeRewrite = (node: unknown) => unknown;

/** The same tree with expressions replaced, parents first. Parts in which nothing changes stay the same objects. */
export function rewriteExprs<T extends Query | Expr>(tree: T, rewrite: ExprRewrite): T {
  return rebuild(tree, (node, within) => (isExpr(node) ? rewrite(node) : null) ?? within());
}

/** The same tree with some nodes, chosen by identity, rewritten; inner ones first. */
export function rewriteNodes<T>(tree: T, rewrites: ReadonlyMap<object, NodeRewrite>): T {
  return rebuild(tree, (node, within) => {
    const rewrite = rewrites.get(node);
    return rewrite ? rewrite(within()) : within();
  });
}

/** The tree with one node replaced by another. */
export function replaceNode<T>(tree: T, from: object, to: unknown): T {
  return rewriteNodes(tree, new Map([[from, () => to]]));
}

/** Returns a node's replacement; `within` gives the node with its parts rebuilt. */
type Step = (node: object, within: () => unknown) => unknown;

/** Works on any plain data, so it needs no list of the fields of IR nodes. */
function rebuild<T>(tree: T, step: Step): T {
  if (typeof tree !== 'object' || tree === null) return tree;
  return step(tree, () => rebuildParts(tree, step)) as T;
}

function rebuildParts(tree: object, step: Step): object {
  if (Array.isArray(tree)) {
    const items = tree.map((item: unknown) => rebuild(item, step));
    return items.some((item, i) => item !== tree[i]) ? Object.freeze(items) : tree;
  }
  const before = Object.entries(tree);
  const fields = before.map(([name, value]) => [name, rebuild<unknown>(value, step)] as const);
  const same = fields.every(([, value], i) => value === before[i]?.[1]);
  return same ? tree : Object.freeze(Object.fromEntries(fields));
}

const EXPR_KINDS: Readonly<Record<ExprKind, true>> = {
  literal: true,
  column: true,
  output: true,
  row: true,
  unary: true,
  binary: true,
  compare: true,
  and: true,
  or: true,
  not: true,
  is_null: true,
  between: true,
  like: true,
  in_list: true,
  in_query: true,
  exists: true,
  scalar_query: true,
  case: true,
  cast: true,
  collate: true,
  call: true,
  aggregate: true,
  window: true,
};

function isExpr(node: object): node is Expr {
  return 'kind' in node && typeof node.kind === 'string' && node.kind in EXPR_KINDS;
}
