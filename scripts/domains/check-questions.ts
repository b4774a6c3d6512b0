import type { Question } from '../../contracts/split.ts';

const MIN_QUESTIONS = 60;

/** The shares of difficulties, in percent, each with its bounds: about those of published splits. */
const MIX = { simple: [40, 70], moderate: [20, 45], challenging: [8, 25] } as const;

/** Two questions of which so many words are the same ask the same thing. */
const NEAR_DUPLICATE = 0.9;

/** The faults of a domain's hand-written questions: their number, their mix, repetitions, and literals left unsaid. */
export function checkQuestions(own: readonly Question[], others: readonly Question[]): string[] {
  return [
    ...(own.length < MIN_QUESTIONS
      ? [`${own.length} questions; at least ${MIN_QUESTIONS} are asked for`]
      : []),
    ...mixFaults(own),
    ...nearDuplicates(own, others),
    ...own.flatMap((question) => [
      ...unsaidLiterals(question),
      ...unsaidOrder(question),
      ...readAloud(question),
    ]),
  ];
}

function mixFaults(own: readonly Question[]): string[] {
  return Object.entries(MIX).flatMap(([difficulty, [min, max]]) => {
    const count = own.filter((question) => question.difficulty === difficulty).length;
    const share = Math.round((100 * count) / own.length);
    return share < min || share > max
      ? [`${share} % are ${difficulty}; ${min} to ${max} % are asked for`]
      : [];
  });
}

function nearDuplicates(own: readonly Question[], others: readonly Question[]): string[] {
  const words = [...own, ...others].map((question) => ({ question, words: wordsOf(question.question) }));
  return own.flatMap((question, index) =>
    words
      .slice(index + 1)
      .filter((other) => similarity(wordsOf(question.question), other.words) >= NEAR_DUPLICATE)
      .map((other) => `${label(question)} asks the same as ${label(other.question)}`),
  );
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The share of words that two texts have in common, of all their words. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}

/** Texts and numbers of the SQL that neither question nor evidence holds: an agent could not know them. */
function unsaidLiterals({ sql, question, evidence, ...rest }: Question): string[] {
  const said = `${question} ${evidence}`.toLowerCase();
  const texts = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text.replaceAll("''", "'"));
  const numbers =
    sql
      .replaceAll(/'(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|`[^`]*`/g, ' ')
      .match(/(?<![\w.])\d+(\.\d+)?(?![\w.])/g) ?? [];
  const unsaid = [
    ...texts
      .filter((text) => /[\p{L}\p{N}]/u.test(text) && !isFormat(text))
      .map((text) => text.replaceAll(/[%*_]/g, ' ').replace(/^\W+|\W+$/gu, '')),
    ...numbers.filter(
      (number) =>
        Number(number) > 4 && !['100', '1000', '12', '60', '24', '365', '7', '10', '100.0'].includes(number),
    ),
  ].filter((literal) => !said.includes(literal.toLowerCase()));
  return unsaid.map(
    (literal) => `${label({ ...rest, question })}: ${literal} is neither in the question nor in the evidence`,
  );
}

/** A date format, a modifier, or a separator. */
function isFormat(text: string): boolean {
  return /^%|^[+-]\d+ \w+$|^start of|^now$|^\W*$/.test(text);
}

/** Words by which a question says in which order it wants its rows: `most first`, `by name`, `month by month`, `in order of`. */
const ORDER_SAID =
  /\bfirst(?: in| on top)?\s*[.,;:?|]|\b(?:alphabetical|sort|running total|so far|on top|step by step|add(?:ed)? up|in order|order by|in (?:the|that|ascending|descending|\p{L}+) order)|\border of\b|\b(?<word>\w+) (?:by|after) \k<word>\b|\brank\b.*\brank\b|\bfrom the \p{L}+est\b|[.?,;|] by \p{L}[^.?|]*[.|]/isu;

/** All rows are asked for, the SQL sorts them, and an answer in another order would count as wrong although nobody asked for one. */
function unsaidOrder({ sql, question, evidence, ...rest }: Question): string[] {
  const outermost = withoutBrackets(sql);
  const sorted = /\border by\b(?!.*\blimit\b)/isu.test(outermost);
  return sorted && !ORDER_SAID.test(`${question}|${evidence}|`)
    ? [`${label({ ...rest, question })}: neither the question nor the evidence says in which order`]
    : [];
}

/** SQL without its texts and whatever stands in brackets: subqueries and calls. */
function withoutBrackets(sql: string): string {
  let rest = sql.replaceAll(/'(?:[^']|'')*'/g, "''");
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\([^()]*\)/g, ' ');
  }
  return rest;
}

/** Names of tables and columns as only a schema writes them. */
function readAloud({ question, sql, ...rest }: Question): string[] {
  const names = new Set((sql.match(/\b[a-z]+_[a-z_]+\b/g) ?? []).filter((name) => question.includes(name)));
  return [...names].map((name) => `${label({ ...rest, question })} reads the name ${name} aloud`);
}

function label({ question_id, question }: Pick<Question, 'question_id' | 'question'>): string {
  return `${question_id} (${question.slice(0, 60)})`;
}
