import { QueryError } from '../../contracts/errors.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import { constructsOf, parseQuery, type Query } from '../../sql/index.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { openReadonly } from '../read/open-database.ts';
import { Random } from '../variants/random.ts';
import { drawQuery } from './draw/draw-query.ts';
import { STYLES, type Style, type StyleName } from './draw/styles.ts';
import type { AskedDomain } from './find-databases.ts';
import { whyNotAnswered, whyNotAsk } from './keep/worth-asking.ts';
import { type Profile, profileDatabase } from './profile/profile.ts';
import { ask, templateOf, wordingOf } from './word/ask.ts';
import { evidenceOf } from './word/evidence.ts';

export interface SynthesizeOptions {
  /** How many questions are wanted. */
  readonly questions: number;
  readonly seed: string;
  readonly like: StyleName;
  /** How often kinds of questions are drawn, in place of what the style says. */
  readonly weights?: Partial<Style['weights']>;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** Questions that the database has already: none is asked again, nor its SQL with other values. */
  readonly asked?: readonly Question[];
  readonly signal?: AbortSignal;
  /** After each query that was drawn. */
  readonly onProgress?: (done: number) => void;
}

export interface SynthesizedQuestion extends Question {
  readonly origin: 'synthesized';
}

export interface Synthesis {
  readonly questions: readonly SynthesizedQuestion[];
  /** How many queries were drawn in vain, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  readonly leftOut: Profile['leftOut'];
}

/** A database that has given no new question for so many queries is given up. */
const TRIES_IN_VAIN = 400;

/**
 * Questions with gold SQL for a database that has none. The same database, seed and options give the same questions.
 * Fewer than asked for come back when the database does not hold them.
 */
export async function synthesizeQuestions(
  { db, file, catalog, tried = file }: Domain & Partial<AskedDomain>,
  oracle: Oracle,
  options: SynthesizeOptions,
): Promise<Synthesis> {
  const connection = openReadonly(tried);
  const profile = profileDatabase(catalog, connection);
  connection.close();
  const like: Style = STYLES[options.like];
  const style = { ...like, weights: { ...like.weights, ...options.weights } };
  const wording = wordingOf(catalog);
  const random = new Random(`${options.seed}\n${db}`);
  const questions: SynthesizedQuestion[] = [];
  const refused = new Map<string, number>();
  const refuse = (reason: string) => refused.set(reason, (refused.get(reason) ?? 0) + 1);
  const texts = new Set(options.asked?.map(({ question }) => question));
  const templates = new Set<string>();
  for (const { sql } of options.asked ?? []) {
    const query = tryParse(sql, { catalog, referenceTime: options.referenceTime });
    if (query !== null) templates.add(templateOf(sql, query, catalog));
  }

  for (let inVain = 0; inVain < TRIES_IN_VAIN && questions.length < options.questions; inVain++) {
    if (options.signal?.aborted || profile.tables.length === 0) break;
    const drawn = drawQuery(profile, random, style);
    if (drawn === null) {
      refuse('the database does not offer it');
      continue;
    }
    const query = tryParse(drawn.sql, { catalog, referenceTime: options.referenceTime });
    if (query === null) {
      refuse('is not read');
      continue;
    }
    const { question, template } = ask(drawn.sql, query, wording, random);
    if (templates.has(template) || texts.has(question)) {
      refuse('was asked already');
      continue;
    }
    const asked = { sql: drawn.sql, query, catalog };
    const reason =
      (await whyNotAsk(asked, { oracle, file: tried })) ??
      (tried === file ? null : onTheWhole(await whyNotAnswered(asked, { oracle, file })));
    if (reason !== null) {
      refuse(reason);
      continue;
    }
    templates.add(template);
    texts.add(question);
    questions.push({
      question_id: questions.length,
      db_id: db,
      question,
      evidence: evidenceOf(query, catalog),
      difficulty: difficultyOf(query),
      sql: drawn.sql,
      origin: 'synthesized',
    });
    options.onProgress?.(questions.length);
    inVain = 0;
  }
  return { questions, refused, leftOut: profile.leftOut };
}

function onTheWhole(reason: string | null): string | null {
  return reason && `${reason} (on the whole database, of which a sample was read)`;
}

function tryParse(sql: string, context: Parameters<typeof parseQuery>[1]): Query | null {
  try {
    return parseQuery(sql, context);
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** By the number of constructs, as people who write questions judge them. */
function difficultyOf(query: Query): string {
  const constructs = constructsOf(query).length;
  if (constructs <= 2) return 'simple';
  return constructs <= 5 ? 'moderate' : 'challenging';
}
