/** Python's keywords: none of them can be the name of an argument in a call. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** The name as an argument in Python: a keyword gets an underscore, as Python's own style guide does it. */
export function pythonSafe(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

/** The name that `pythonSafe` was given. */
export function pythonUnsafe(name: string): string {
  return name.endsWith('_') && KEYWORDS.has(name.slice(0, -1)) ? name.slice(0, -1) : name;
}
