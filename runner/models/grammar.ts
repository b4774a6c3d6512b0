type Schema = Readonly<Record<string, unknown>>;

/** Fields of a request that hold its reply to a grammar or a JSON Schema, as a server names them. */
export type Constrain = (by: { readonly grammar: string } | { readonly json: Schema }) => Schema;

/**
 * A JSON Schema as a grammar in GBNF, which llama.cpp and vLLM take, from the keywords that schemas of replies use.
 * Bounds of numbers and patterns of texts are left out: the farm refuses a call that violates them. Few blanks are
 * allowed, since a model could write them for ever.
 */
export function grammarOf(schema: Schema): string {
  const names = new Map<string, string>();
  /** Equal parts, of which tools have many, share a rule. llama.cpp allows letters, digits and dashes in names. */
  const ruleOf = (inner: unknown): string => {
    const expression = expressionOf(inner);
    if (Object.hasOwn(SHARED, expression)) return expression;
    const name = names.get(expression) ?? `part${names.size + 1}`;
    names.set(expression, name);
    return name;
  };
  const expressionOf = (inner: unknown): string => {
    const { anyOf, enum: listed, type, properties, items, minItems = 0, maxItems }: Schema = Object(inner);
    if (Array.isArray(anyOf)) return anyOf.map(ruleOf).join(' | ');
    if (Array.isArray(listed)) return listed.map((value) => literal(JSON.stringify(value))).join(' | ');
    if (Array.isArray(type)) return type.map((each) => ruleOf({ ...Object(inner), type: each })).join(' | ');
    if (type === 'object' && properties !== undefined) {
      const pairs = Object.entries(Object(properties)).map(
        ([name, value]) => `${literal(`${JSON.stringify(name)}:`)} blank ${ruleOf(value)}`,
      );
      return ['"{"', pairs.join(' "," blank '), '"}"'].filter((part) => part !== '').join(' ');
    }
    if (type === 'array') {
      const item = ruleOf(items);
      const most = typeof maxItems === 'number' ? `${maxItems - 1}` : '';
      const least = Math.max(0, Number(minItems) - 1);
      const all = `${item} ("," blank ${item}){${least},${most}}`;
      return minItems === 0 ? `"[" (${all})? "]"` : `"[" ${all} "]"`;
    }
    if (type === 'object') return 'map';
    return typeof type === 'string' && Object.hasOwn(SHARED, type) ? type : 'value';
  };
  const root = expressionOf(schema);
  const rules = { root, ...Object.fromEntries([...names].map(([expression, name]) => [name, expression])) };
  return Object.entries({ ...rules, ...SHARED })
    .map(([name, expression]) => `${name} ::= ${expression}\n`)
    .join('');
}

/** JSON itself, by the names of its types. */
const SHARED: Readonly<Record<string, string>> = {
  value: 'string | number | boolean | null | list | map',
  list: '"[" (value ("," blank value)*)? "]"',
  map: '"{" (pair ("," blank pair)*)? "}"',
  pair: 'string ":" blank value',
  string: String.raw`"\"" ([^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""`,
  number: 'integer ("." [0-9]{1,18})? ([eE] [-+]? [0-9]{1,2})?',
  integer: '"-"? ("0" | [1-9] [0-9]{0,18})',
  boolean: '"true" | "false"',
  null: '"null"',
  blank: '" "?',
};

function literal(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}
