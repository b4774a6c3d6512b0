import { createRequire } from 'node:module';
import type { Node } from '@vscode/tree-sitter-wasm';
import { UserError } from '../../../contracts/errors.ts';

/** A Java or JavaScript text as a syntax tree; null if tree-sitter finds an error in it. */
export type ParseSource = (source: string) => Node | null;

/** Parsers of the two languages that BFCL's questions have beside Python. */
export interface LanguageParsers {
  readonly java: ParseSource;
  readonly javascript: ParseSource;
}

const require = createRequire(import.meta.url);

const PACKAGE = '@vscode/tree-sitter-wasm';

/**
 * Loads tree-sitter and the grammars of both languages, which takes some ten milliseconds.
 *
 * @throws PACKAGE_MISSING where the optional package that has them is not installed.
 */
export async function loadLanguageParsers(): Promise<LanguageParsers> {
  const { Parser, Language } = requireTreeSitter();
  await Parser.init();
  const load = async (name: string): Promise<ParseSource> => {
    const language = await Language.load(require.resolve(`${PACKAGE}/wasm/tree-sitter-${name}.wasm`));
    const parser = new Parser();
    parser.setLanguage(language);
    return (source) => {
      const root = parser.parse(source)?.rootNode ?? null;
      // Something missing, such as a semicolon, is no error to BFCL.
      return root === null || root.toString().includes('ERROR') ? null : root;
    };
  };
  return { java: await load('java'), javascript: await load('javascript') };
}

function requireTreeSitter(): typeof import('@vscode/tree-sitter-wasm') {
  try {
    return require(PACKAGE);
  } catch (cause) {
    const fault = `reads Java and JavaScript, and is not installed; npm install ${PACKAGE}`;
    throw new UserError('PACKAGE_MISSING', PACKAGE, fault, { cause });
  }
}
