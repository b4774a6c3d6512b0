import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dialogue, statementsHolding } from '../contracts/dialogue.ts';
import { type QueryArguments, queryArguments } from '../contracts/query-tool.ts';
import { changesRecords, WRITE_KINDS, writeFacts } from '../contracts/records.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { splitStatements } from '../generator/oracle/gold-sql.ts';
import { WritesDatabase } from '../generator/oracle/run-writes.ts';
import { COMBINATIONS, combinationOf } from '../generator/synthesize/tool-calls.ts';
import { buildBundledSplit } from './build.ts';
import { CANARY, DOMAIN_NAMES } from './domains.ts';
import {
  COMBINED,
  DRAWN_WRITES,
  HAND_WRITTEN,
  HARD,
  HOPS,
  RECORD_DIALOGUES,
  SYNTHESIZED,
  WRITES,
} from './write-split.ts';

const questionSchema = z.strictObject({
  question_id: z.int(),
  db_id: z.enum(DOMAIN_NAMES),
  question: z.string().min(10),
  evidence: z.string(),
  difficulty: z.enum(['simple', 'moderate', 'challenging']),
  sql: z.string().regex(/^(SELECT|WITH) .*[^; ]$/is),
  canary: z.literal(CANARY),
});

const hardSchema = questionSchema.extend({ evidence: z.literal(''), difficulty: z.literal('hard') });

const sql = z.string().regex(/^(SELECT|WITH) .*[^; ]$/is);
const unanswerableSchema = z.discriminatedUnion('kind', [
  questionSchema.pick({ question_id: true, db_id: true, question: true, canary: true }).extend({
    kind: z.literal('ambiguous'),
    readings: z.array(z.strictObject({ meaning: z.string().min(1), sql })).min(2),
    clarification: z.string().min(1),
  }),
  questionSchema.pick({ question_id: true, db_id: true, question: true, canary: true }).extend({
    kind: z.literal('false_premise'),
    premise: z.string().min(1),
    refutation: z.string().min(1),
    check_sql: sql,
  }),
  questionSchema.pick({ question_id: true, db_id: true, question: true, canary: true }).extend({
    kind: z.literal('not_in_data'),
    missing: z.string().min(1),
    nearest: z.string().min(1),
  }),
]);

const drawnSchema = questionSchema.extend({ origin: z.literal('synthesized') });

const combinedSchema = drawnSchema.extend({
  difficulty: z.enum(['simple', 'moderate', 'complex']),
  query_arguments: queryArguments,
});

const writeSchema = questionSchema.extend({
  difficulty: z.enum(['simple', 'moderate', 'challenging', 'hard']),
  sql: z.string().refine(changesRecords),
  pair: writeFacts.shape.pair,
  refuse: writeFacts.shape.refuse,
  policies: writeFacts.shape.policies,
  open: writeFacts.shape.open,
});

const drawnWriteSchema = writeSchema.extend({
  origin: z.literal('synthesized'),
  kind: z.enum(WRITE_KINDS),
});

const recordDialogueSchema = questionSchema
  .extend({ question_id: z.string(), difficulty: z.null(), dialogue })
  .refine(({ question, evidence, sql, dialogue: { turns } }) => {
    const [first] = turns;
    return first?.text === question && first.evidence === evidence && first.sql === sql;
  }, 'begins with its first turn');

function read<T>(file: string, schema: z.ZodType<T>): T[] {
  return DOMAIN_NAMES.map((domain) => new URL(`${domain}/${file}`, import.meta.url))
    .filter((place) => ![WRITES, DRAWN_WRITES, HOPS, RECORD_DIALOGUES].includes(file) || existsSync(place))
    .flatMap((place) => readFileSync(place, 'utf8').trimEnd().split('\n'))
    .map((line) => schema.parse(JSON.parse(line)));
}

const questions = read(HAND_WRITTEN, questionSchema);
const hard = read(HARD, hardSchema);
const unanswerable = read('unanswerable.jsonl', unanswerableSchema);
const drawn = read(SYNTHESIZED, drawnSchema);
const recordDialogues = read(RECORD_DIALOGUES, recordDialogueSchema);
const hops = read(HOPS, z.object({ question_id: z.string(), db_id: z.string(), dialogue }));
const combined = read(COMBINED, combinedSchema);
const writes = read(WRITES, writeSchema);
const drawnWrites = read(DRAWN_WRITES, drawnWriteSchema);

/** What the questions must use between them, each with a pattern that finds it in a query. */
const constructs: Readonly<Record<string, RegExp>> = {
  RANK: /\bRANK\(\) OVER/i,
  ROW_NUMBER: /\bROW_NUMBER\(\) OVER/i,
  'a running SUM': /\bSUM\([^)]*\) OVER/i,
  'LAG or LEAD': /\b(LAG|LEAD)\(.*OVER/i,
  'PARTITION BY': /PARTITION BY/i,
  'a CTE': /^WITH /i,
  'several CTEs': /^WITH .*\), \w+ AS \(SELECT/i,
  'a CTE on a CTE': /^WITH (\w+) AS \(.*\), \w+ AS \(SELECT .* FROM \1\b/i,
  'a derived table': /\b(FROM|JOIN) \(SELECT/i,
  'a derived table with an alias': /\) AS \w+$/i,
  EXISTS: /(?<!NOT )EXISTS \(/i,
  'NOT EXISTS': /NOT EXISTS \(/i,
  'a correlated scalar subquery': /[<>] (1\.5 \* )?\(SELECT AVG\(\w\..* WHERE (\w)\.(\w+) = \w\.\3\)/i,
  'a scalar subquery in the select list': /^SELECT [^(]*, \(SELECT/i,
  UNION: /\bUNION SELECT/i,
  'UNION ALL': /\bUNION ALL\b/i,
  INTERSECT: /\bINTERSECT\b/i,
  EXCEPT: /\bEXCEPT\b/i,
  'a string in double quotes': /= ?"(liquid|bites!|X|Kirkwell)"/,
  'a table named order': /\b(FROM|JOIN) ["`[]order["`\]]/i,
  'a table named procedure': /\bJOIN procedure\b/i,
  'a column named type': /\btype\b/i,
  'a column named order': /AND ["`]order["`] =/i,
  'a column named date': /\bdate\b(?!\()/i,
  'a column named character': /\bcharacter\b/i,
  'a column named group': /"group"/i,
  'a column named end': /"END"/,
  'a name with a space': /["`[]list price/,
  'a name with brackets': /["`]weight \(kg\)["`]/,
  'a name with square brackets': /["`]ENERGY \[c\/kWh\]["`]/,
  'a name with %': /["`]\w+ %["`]/,
  'a name with /': /["`]length\/beam["`]/,
  'a name with a hyphen': /["`]credit-limit["`]/,
  'a name that begins with a digit': /["`]24h\?["`]/,
  'a name in backticks': /`/,
  'a name in square brackets': /\[rate EUR\/t\]/,
  'LIMIT a, b': /LIMIT \d+, \d+/i,
  'LIMIT … OFFSET': /LIMIT \d+ OFFSET \d+/i,
  "'now'": /'now'/,
  "'now' with a modifier": /'now', '-/,
  CURRENT_TIMESTAMP: /CURRENT_TIMESTAMP/,
  strftime: /strftime\('%Y'/i,
  julianday: /julianday\(/i,
  SUBSTR: /SUBSTR\(/i,
  INSTR: /INSTR\(/i,
  REPLACE: /REPLACE\(/i,
  'a searched CASE': /CASE WHEN/i,
  'a simple CASE': /CASE (?!WHEN)/i,
  IIF: /IIF\(/i,
  'CAST to REAL': /AS REAL\)/i,
  'a percentage': /\* 100(\.0)? \/ (COUNT|\()|100\.0 \* \(/i,
  COALESCE: /COALESCE\(/i,
  IFNULL: /IFNULL\(/i,
  NULLIF: /NULLIF\(/i,
  LIKE: /(?<!NOT )LIKE '/i,
  'NOT LIKE': /NOT LIKE/i,
  GLOB: /GLOB '/i,
  BETWEEN: /(?<!NOT )BETWEEN/i,
  'NOT BETWEEN': /NOT BETWEEN/i,
  'an IN list': /(?<!NOT )IN \('/i,
  'an IN subquery': /(?<!NOT )IN \(SELECT/i,
  'a NOT IN list': /NOT IN \('/i,
  'a NOT IN subquery': /NOT IN \(SELECT/i,
  'IS NULL': /IS NULL/i,
  HAVING: /GROUP BY .* HAVING/i,
  'COUNT(DISTINCT …)': /COUNT\(DISTINCT/i,
  'several aggregates': /MIN\(.*MAX\(.*AVG\(/i,
  GROUP_CONCAT: /GROUP_CONCAT\(/i,
  'several sort keys': /ORDER BY \S+ (ASC |DESC )?, ?\S+|ORDER BY [^()]*, [^()]*$/i,
  'the top one by an aggregate': /ORDER BY COUNT\(\*\) DESC LIMIT 1$/i,
  'a self-join': /(\w+) (?:AS )?(\w) (?:INNER )?JOIN \1 (?:AS )?(?!\2)\w ON/i,
  'a LEFT JOIN': /LEFT JOIN/i,
  'a join on several conditions': /JOIN \w+ \w ON [^ ]+ = [^ ]+ AND \w+\.\w+ [<>=]+ (?!WHERE)/i,
  'a comma join': /FROM \w+ \w, \w+ \w WHERE/i,
  'OR across tables': /\b(\w+)\.\w+ = '\w+' OR \(?(?!\1\.)\w+\./i,
  'nested AND and OR': /\(\(.* AND .*\) OR \(.* AND /i,
  'SELECT *': /^SELECT \* /i,
  'SELECT t.*': /^SELECT \w\.\* /i,
  'SELECT DISTINCT': /^SELECT DISTINCT/i,
  'arithmetic between scalar subqueries': /\) (\* 100\.0 )?\/ \(SELECT/i,
  'a comparison between columns': /WHERE "?\w+"? > \w+$|PAID_ON > DUE/i,
  'a bare column beside MAX': /^SELECT (MAX\([^)]*\), \w+|\w+, MAX\([^)]*\)) FROM (?!.*GROUP BY)/i,
};

const temporary = mkdtempSync(join(tmpdir(), 'rookery-questions-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('the questions', () => {
  it('have unique ids', () => {
    const all = [...questions, ...hard, ...unanswerable, ...drawn, ...combined, ...writes, ...drawnWrites];
    expect(new Set(all.map((question) => question.question_id)).size).toBe(all.length);
    expect(new Set(all.map((question) => question.question)).size).toBe(all.length);
  });

  it('number fifteen hundred and more, and the card of the data names every domain', () => {
    expect(questions.length).toBeGreaterThanOrEqual(1500);
    const card = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const domain of DOMAIN_NAMES) expect(card).toContain(`| \`${domain}\` |`);
    expect(card).toContain(CANARY);
  });

  it.each(DOMAIN_NAMES)('are sixty or more on %s, of every difficulty', (domain) => {
    const own = questions.filter((question) => question.db_id === domain);
    expect(own.length).toBeGreaterThanOrEqual(60);
    expect(new Set(own.map((question) => question.difficulty)).size).toBe(3);
  });

  it('ask for each combination of the query tool at most once in a domain, in all for every one of them', () => {
    const codes = combined.map((one) => combinationOf(one.query_arguments as QueryArguments).code);
    const asked = combined.map(({ db_id }, i) => `${db_id} ${codes[i]}`);
    expect(new Set(asked).size).toBe(asked.length);
    expect(new Set(codes)).toEqual(new Set(COMBINATIONS.map(({ code }) => code)));
    expect(new Set(combined.map(({ db_id }) => db_id))).toEqual(new Set(DOMAIN_NAMES));
  });

  it.each(DOMAIN_NAMES)(
    'are twelve hard ones on %s, most of several joins or levels, in the words of its glossary',
    (domain) => {
      const own = hard.filter((question) => question.db_id === domain);
      expect(own).toHaveLength(12);
      const selects = own.map(({ sql }) => [...sql.matchAll(/\b(SELECT|JOIN|OVER)\b/gi)].length);
      expect(selects.filter((count) => count >= 4).length).toBeGreaterThanOrEqual(6);
      const glossary = readFileSync(new URL(`${domain}/glossary.md`, import.meta.url), 'utf8');
      expect(glossary).toMatch(/^# Glossary of .+\n/);
      expect([...glossary.matchAll(/^## /gm)].length).toBeGreaterThanOrEqual(8);
    },
  );

  it.each(DOMAIN_NAMES)('are two of each kind on %s that have no single answer', (domain) => {
    const kinds = unanswerable.filter(({ db_id }) => db_id === domain).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(
      ['ambiguous', 'false_premise', 'not_in_data'].flatMap((kind) => [kind, kind]),
    );
  });

  it('that change records change one to twenty rows, or none where they are to be refused', async () => {
    const split = await buildBundledSplit({ to: join(temporary, 'split') });
    const options = { referenceTime: DEFAULT_REFERENCE_TIME, limits: { maxRows: 100, maxBytes: 100_000 } };
    for (const domain of DOMAIN_NAMES) {
      const database = new WritesDatabase(join(split, `${domain}.sqlite`), DEFAULT_REFERENCE_TIME);
      for (const { db_id, sql, question, refuse, policies } of [...writes, ...drawnWrites]) {
        if (db_id !== domain) continue;
        const { changes, refused } = database.run(splitStatements(sql), options);
        // SQLite does not know what a rule of the domain forbids.
        if (refuse && policies !== 'recorded') expect(changes, question).toEqual([]);
        else expect([refused, changes.length >= 1 && changes.length <= 20], question).toEqual([null, true]);
      }
      database.close();
    }
  });

  it('that change records and come in pairs are one to do and one to leave', () => {
    const pairs = new Map<string, boolean[]>();
    for (const { pair, refuse = false } of [...writes, ...drawnWrites])
      if (pair) pairs.set(pair, [...(pairs.get(pair) ?? []), refuse]);
    for (const [pair, refusals] of pairs) expect(refusals.sort(), pair).toEqual([false, true]);
  });

  it.each(Object.entries(constructs))('use %s', (_name, pattern) => {
    expect(questions.filter((question) => pattern.test(question.sql)).length).toBeGreaterThan(0);
  });

  // better-sqlite3 reads "text" only as a name; the command line also reads it as a string, as SQLite does.
  const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;
  it.skipIf(!hasSqlite)('run, and nearly all find something', async () => {
    const split = await buildBundledSplit({ to: join(temporary, 'split') });
    const empty = DOMAIN_NAMES.flatMap((domain) => {
      const own = questions.filter(({ db_id }) => db_id === domain);
      const answers = answersOf(
        join(split, `${domain}.sqlite`),
        own.map(({ sql }) => sql),
      );
      expect(answers, domain).toHaveLength(own.length);
      return own.filter((_, i) => answers[i]?.trim() === '');
    });
    expect(empty.length, empty.map(({ question }) => question).join('\n')).toBeLessThanOrEqual(8);
  });

  it.skipIf(!hasSqlite)(
    'that are hard all find something, and those without an answer are shown to have none',
    async () => {
      const split = await buildBundledSplit({ to: join(temporary, 'split') });
      for (const domain of DOMAIN_NAMES) {
        const of = <T extends { db_id: string }>(list: readonly T[]) =>
          list.filter(({ db_id }) => db_id === domain);
        const answers = (queries: readonly string[]) =>
          answersOf(join(split, `${domain}.sqlite`), queries).map((text) => text.trim());
        expect(answers(of(hard).map(({ sql }) => sql)), domain).not.toContain('');
        for (const one of of(unanswerable)) {
          if (one.kind === 'false_premise') expect(answers([one.check_sql]), one.question).toEqual(['']);
          if (one.kind === 'ambiguous') {
            const found = answers(one.readings.map(({ sql }) => sql));
            expect(new Set(found).size, one.question).toBe(found.length);
          }
        }
      }
    },
  );
});

describe('dialogues that change records', () => {
  it('are of many domains, and have ids of their own', () => {
    expect(recordDialogues.length).toBeGreaterThanOrEqual(40);
    expect(new Set(recordDialogues.map(({ db_id }) => db_id)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(recordDialogues.map(({ question_id }) => question_id)).size).toBe(recordDialogues.length);
  });

  it('refer with words that are said to turns that were', () => {
    for (const { question_id, dialogue: read } of recordDialogues) {
      const { turns } = read;
      expect(statementsHolding(turns), question_id).not.toBeNull();
      for (const [i, { text, refs }] of turns.entries()) {
        expect(refs.length > 0, `${question_id} ${text}`).toBe(i > 0);
        for (const { words, turn } of refs) {
          expect(text.toLowerCase(), question_id).toContain(words.toLowerCase());
          expect(turn, `${question_id} ${text}`).toBeLessThanOrEqual(i);
        }
      }
    }
  });
});

describe('dialogues in two domains', () => {
  it('go from their own into one other, where the words name none of the values that they carry', () => {
    expect(hops.length).toBeGreaterThanOrEqual(60);
    expect(new Set(hops.map(({ question_id }) => question_id)).size).toBe(hops.length);
    for (const { question_id, db_id, dialogue: read } of hops) {
      const away = read.turns.flatMap((turn) => turn.db_id ?? []);
      expect(new Set(away).size, question_id).toBe(1);
      expect(DOMAIN_NAMES.filter((name) => name !== db_id)).toContain(away[0]);
      const hop = read.turns.find((turn) => turn.db_id !== undefined);
      const [, carried = ''] = hop?.sql.split(' WHERE ') ?? [];
      const values = [...carried.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
      expect(values.length, question_id).toBeGreaterThan(0);
      expect(values.filter((value) => hop?.text.includes(value))).toEqual([]);
    }
  });
});

/** What the command line prints for each query; throws when one of them fails. */
function answersOf(database: string, queries: readonly string[]): string[] {
  const mark = '-- the next query --';
  const input = queries.map((sql) => `${sql};\n.print ${JSON.stringify(mark)}\n`).join('');
  const options = { input, maxBuffer: 256 * 1024 * 1024, stdio: 'pipe' as const };
  const printed = execFileSync('sqlite3', ['-readonly', '-bail', database], options);
  return printed.toString('latin1').split(`${mark}\n`).slice(0, -1);
}
