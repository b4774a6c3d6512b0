import { PYTHON_KEYWORDS } from '../parse/python/keywords.ts';

/** The name as an argument in Python: a keyword gets an underscore, as Python's own style guide does it. */
export function pythonSafe(name: string): string {
  return PYTHON_KEYWORDS.has(name) ? `${name}_` : name;
}

/** The name that `pythonSafe` was given. */
export function pythonUnsafe(name: string): string {
  return name.endsWith('_') && PYTHON_KEYWORDS.has(name.slice(0, -1)) ? name.slice(0, -1) : name;
}
