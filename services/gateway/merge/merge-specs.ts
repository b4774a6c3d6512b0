/** An OpenAPI document as far as merging looks into it. */
export interface Spec {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags?: readonly { readonly name: string }[];
  readonly [more: string]: unknown;
}

const MAX_ID_LETTERS = 64;

/**
 * The OpenAPI documents of several domains as one. Components that are the same in all are shared; one that means
 * something else in another domain, or refers to such a one, gets the domain's name appended, and so does an
 * operationId that is taken. Everything outside paths, components and tags is the first document's, under `info`.
 */
export function mergeSpecs(
  specs: readonly { readonly db: string; readonly spec: Spec }[],
  info: Readonly<Record<string, unknown>>,
): Spec {
  const paths: Record<string, Record<string, unknown>> = {};
  const components: Record<string, Record<string, unknown>> = {};
  const tags = new Map<string, { readonly name: string }>();
  const ids = new Set<string>();

  for (const { db, spec } of specs) {
    const suffix = `_${db.replace(/[^A-Za-z0-9_-]/g, '_')}`;
    const renamed = renames(spec, components, suffix);
    for (const [section, entries] of Object.entries(spec.components ?? {})) {
      const merged = components[section] ?? {};
      components[section] = merged;
      for (const [name, value] of Object.entries(entries)) {
        merged[renamed.get(reference(section, name))?.name ?? name] = pointTo(value, renamed);
      }
    }
    for (const [path, item] of Object.entries(spec.paths ?? {})) {
      paths[path] = pointTo(item, renamed) as Record<string, unknown>;
      for (const operation of Object.values(paths[path])) uniqueId(operation, ids, suffix);
    }
    for (const tag of spec.tags ?? []) if (!tags.has(tag.name)) tags.set(tag.name, tag);
  }
  return {
    openapi: '3.1.0',
    ...specs[0]?.spec,
    info,
    paths,
    components,
    ...(tags.size > 0 ? { tags: [...tags.values()] } : {}),
  };
}

type Renames = ReadonlyMap<string, { readonly name: string; readonly reference: string }>;

const reference = (section: string, name: string) => `#/components/${section}/${escapePointer(name)}`;
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Which components of a document cannot keep their names, by reference. */
function renames(spec: Spec, merged: Record<string, Record<string, unknown>>, suffix: string): Renames {
  const found = new Map<string, { name: string; reference: string }>();
  const all = Object.entries(spec.components ?? {}).flatMap(([section, entries]) =>
    Object.entries(entries).map(([name, value]) => ({ section, name, text: JSON.stringify(value) })),
  );
  const differs = ({ section, name, text }: (typeof all)[number]) => {
    const other = merged[section]?.[name];
    if (other === undefined) return false;
    return JSON.stringify(other) !== text || [...found.keys()].some((taken) => text.includes(`"${taken}"`));
  };
  // Renaming one may make others differ, so again until nothing changes.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const each of all) {
      const old = reference(each.section, each.name);
      if (found.has(old) || !differs(each)) continue;
      const name = `${each.name}${suffix}`;
      found.set(old, { name, reference: reference(each.section, name) });
    }
  }
  return found;
}

/** A copy in which every `$ref` to a renamed component points to its new name. */
function pointTo(value: unknown, renamed: Renames): unknown {
  if (Array.isArray(value)) return value.map((item) => pointTo(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    copy[key] =
      key === '$ref' && typeof item === 'string'
        ? (renamed.get(item)?.reference ?? item)
        : pointTo(item, renamed);
  }
  return copy;
}

function uniqueId(operation: unknown, ids: Set<string>, suffix: string): void {
  if (typeof operation !== 'object' || operation === null || !('operationId' in operation)) return;
  const id = String(operation.operationId);
  let unique = id;
  for (let i = 1; ids.has(unique); i++) {
    const end = i === 1 ? suffix : `${suffix}_${i}`;
    unique = `${id.slice(0, MAX_ID_LETTERS - end.length)}${end}`;
  }
  ids.add(unique);
  operation.operationId = unique;
}
