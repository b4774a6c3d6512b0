import type { PythonType } from '../../json/python.ts';

/** The language of a BFCL category: it says which types a schema has, and how a model writes values. */
export type BfclLanguage = 'python' | 'java' | 'javascript';

/** The Python type of a schema type, or null for a word that BFCL does not know, or cannot convert to. */
export function bfclType(schemaType: string, language: BfclLanguage): PythonType | null {
  return TYPES[language].get(schemaType) ?? null;
}

/** Types whose elements have a type of their own. */
export function hasItems(schemaType: string, language: BfclLanguage): boolean {
  return NESTED[language].has(schemaType);
}

/** BFCL's schema types and their Python types; other words make BFCL's own evaluation crash. */
const TYPES: Readonly<Record<BfclLanguage, ReadonlyMap<string, PythonType>>> = {
  python: new Map([
    ['string', 'str'],
    ['integer', 'int'],
    ['float', 'float'],
    ['boolean', 'bool'],
    ['array', 'list'],
    ['tuple', 'list'],
    ['dict', 'dict'],
    ['any', 'str'],
  ]),
  // Set, Hashtable, Queue and Stack are known to BFCL, but it has no conversion to them.
  java: new Map([
    ['byte', 'int'],
    ['short', 'int'],
    ['integer', 'int'],
    ['long', 'int'],
    ['float', 'float'],
    ['double', 'float'],
    ['boolean', 'bool'],
    ['char', 'str'],
    ['Array', 'list'],
    ['ArrayList', 'list'],
    ['HashMap', 'dict'],
    ['String', 'str'],
    ['any', 'str'],
  ]),
  javascript: new Map([
    ['String', 'str'],
    ['integer', 'int'],
    ['float', 'float'],
    ['Bigint', 'int'],
    ['Boolean', 'bool'],
    ['dict', 'dict'],
    ['array', 'list'],
    ['any', 'str'],
  ]),
};

const NESTED: Readonly<Record<BfclLanguage, ReadonlySet<string>>> = {
  python: new Set(['array', 'tuple']),
  java: new Set(['Array', 'ArrayList']),
  javascript: new Set(['array']),
};
