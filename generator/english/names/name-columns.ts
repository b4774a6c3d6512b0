import type { Question } from '../../../contracts/split.ts';
import { type Expr, exprsWithin, leftmost } from '../../../sql/index.ts';
import type { Choice } from '../../template/choices.ts';
import type { Member, Template } from '../../template/template.ts';
import type { Term } from '../clauses/clause.ts';
import { splitWords } from '../words/split-words.ts';
import { fit, numbered, snake } from './snake.ts';
import { wordsOf } from './term-words.ts';

const LONGEST = 48;
/** Aliases that say no more than that there is a value. */
const BLAND =
  /^(result|results|res|resylt|value|values|calculate|calculation|answer|output|ans|per|num|cnt|tmp|temp|diff|x|y|n|c|col|column|expr|ratio|rnk)$/;

/** Keys of the answer's rows: the gold queries' aliases where they tell something, else what the column is. */
export function nameColumns(
  template: Template,
  terms: readonly Term[],
  isPlain: (words: readonly string[]) => boolean,
): readonly string[] {
  const plain = terms.map((term, i) => sensibleAlias(template, i, isPlain) ?? ownWords(term));
  const names = plain.map((words) => fit(words, LONGEST) || 'value');
  const full = names.map((name, i) => {
    const shared = names.some((other, j) => j !== i && other === name);
    const term = terms[i];
    return shared && term !== undefined ? fit(wordsOf(term), LONGEST) || name : name;
  });
  return numbered(full, LONGEST);
}

/** The key of a column: its own words unless it is read in a role. */
function ownWords(term: Term): readonly string[] {
  return term.kind === 'property' && term.inRole ? term.full.words : wordsOf(term, 'short');
}

/** The first alias among the members that is made of words people use and of no value chosen; what is chosen inside a column may be what its alias says. */
function sensibleAlias(
  { members }: Template,
  index: number,
  isPlain: (words: readonly string[]) => boolean,
): readonly string[] | null {
  const chosen = new Set(members.flatMap(chosenWords));
  for (const { query, choices } of members) {
    const first = leftmost(query);
    const column = first.kind === 'select' ? first.columns[index] : undefined;
    const alias = column?.alias ?? null;
    if (column === undefined || alias === null || holdsChoice(column.expr, choices)) continue;
    const words = splitWords(alias).map((word) => word.toLowerCase());
    if (words.length === 0 || words.length > 5 || /\d/.test(alias)) continue;
    if (BLAND.test(snake(words)) || !isPlain(words) || !words.some((word) => word.length > 2)) continue;
    if (!words.some((word) => chosen.has(word))) return words;
  }
  return null;
}

function holdsChoice(expr: Expr, choices: readonly Choice[]): boolean {
  const literals = new Set<Expr>(
    choices.flatMap(({ occurrences }) => occurrences.flatMap((one) => one.literals)),
  );
  return exprsWithin(expr).some((part) => literals.has(part));
}

function chosenWords({ choices }: Member & { readonly question: Question }): readonly string[] {
  return choices.flatMap(({ value }) =>
    (typeof value === 'object' ? value : [value]).flatMap((one) =>
      String(one)
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    ),
  );
}
