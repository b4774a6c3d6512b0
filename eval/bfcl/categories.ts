import type { BfclCategory } from '../metrics/bfcl/bfcl.ts';
import type { BfclLanguage } from '../metrics/bfcl/language.ts';

/** How a category of BFCL is judged. */
export interface FileCategory {
  /** Its name in BFCL v4. */
  readonly name: string;
  /** Which checker its calls go to; the last two look only at whether there is a call. */
  readonly checker: BfclCategory | 'relevance' | 'irrelevance';
  readonly language: BfclLanguage;
}

/** The category of a name as BFCL's own rules read it, or why it is left out. Names of BFCL v3 have those of v4. */
export function categoryOf(name: string): FileCategory | { readonly leftOut: string } {
  const reason = LEFT_OUT.find(([pattern]) => pattern.test(name))?.[1];
  if (reason !== undefined) return { leftOut: reason };
  const current = RENAMED.get(name) ?? name;
  return { name: current, checker: checkerOf(current), language: languageOf(current) };
}

/** The category's name in the name of a question, answer or result file (`BFCL_v4_<category>_result.json`), or null. */
export function categoryNameOf(file: string): string | null {
  return /BFCL_v\d+_(\w+?)(?:_score|_result)?\.jsonl?$/.exec(file)?.[1] ?? null;
}

function checkerOf(name: string): FileCategory['checker'] {
  if (name.includes('irrelevance')) return 'irrelevance';
  if (name.includes('relevance')) return 'relevance';
  if (name.includes('parallel')) return 'parallel';
  return name.includes('multiple') ? 'multiple' : 'simple';
}

function languageOf(name: string): BfclLanguage {
  if (name.includes('javascript')) return 'javascript';
  return name.includes('java') ? 'java' : 'python';
}

const RENAMED = new Map([
  ['simple', 'simple_python'],
  ['java', 'simple_java'],
  ['javascript', 'simple_javascript'],
]);

const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^multi_turn/, 'its calls are executed on BFCL’s own Python classes over several turns'],
  [/^memory/, 'it needs BFCL’s memory back ends'],
  [/^web_search/, 'it needs the web'],
  [/^format_sensitivity/, 'BFCL does not score it; it repeats other categories with other prompts'],
  [/^(?:exec_|rest$|sql$|chatable$)/, 'BFCL has retired it'],
];
