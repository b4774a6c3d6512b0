import { sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import {
  type Dialogue,
  type DialogueTurn,
  EDITS,
  type Edit,
  type Slot,
  TEMPERAMENTS,
  type Temperament,
} from '../../contracts/dialogue.ts';
import { unlessQueryError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';
import { parseQuery, type Query } from '../../sql/index.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import { openReadonly } from '../read/open-database.ts';
import type { SynthesisDomain } from '../synthesize/find-databases.ts';
import { type Profile, profileDatabase } from '../synthesize/profile.ts';
import { literal } from '../synthesize/query-builder.ts';
import { ask, evidenceOf, wordingOf } from '../synthesize/wording.ts';
import { Random } from '../variants/random.ts';
import { drawCondition, EDIT_MAKERS, type EditMaker, type Step, valuesOf, type Walk } from './edits.ts';
import { hopAcross, type KnownDomain } from './hop-across.ts';
import { type Condition, labelsOf, type Plan, sqlOf } from './plan.ts';
import { planOf, withheldIn } from './plan-of-query.ts';
import { standalone } from './standalone.ts';
import { Words } from './words.ts';

export interface DialogueOptions {
  readonly dialogues: number;
  readonly seed: string;
  readonly referenceTime: string;
  /** All databases of the split, into which turns may hop. */
  readonly beside?: readonly SynthesisDomain[];
  readonly signal?: AbortSignal | undefined;
  /** Called after each dialogue. */
  readonly onProgress?: (done: number) => void;
}

export interface DialogueSynthesis {
  readonly questions: readonly Question[];
  /** Turns that were tried and not kept, by code. */
  readonly refused: ReadonlyMap<string, number>;
  readonly leftOut: Profile['leftOut'];
}

/** Dialogues in a row that came to nothing, after which a database is given up. */
const TRIES_IN_VAIN = 150;
/** Turns of a dialogue, drawn from these. */
const DEPTHS = [2, 3, 4, 4, 5, 5, 6, 6];
/** Longer lists are no pleasure in a conversation. */
const MOST_ROWS = 40;

/** Walks over queries of a database, said as turns. Deterministic by database, seed and options; may find fewer than wanted. */
export async function synthesizeDialogues(
  domain: SynthesisDomain,
  oracle: Oracle,
  options: DialogueOptions,
): Promise<DialogueSynthesis> {
  const { db } = domain;
  const known = knownDomain(domain);
  const refused = new Map<string, number>();
  const refuse = (code: string) => refused.set(code, (refused.get(code) ?? 0) + 1);
  const random = new Random(`${options.seed}\ndialogues\n${db}`);
  const walker = new Walker(known, {
    oracle,
    random,
    refuse,
    referenceTime: options.referenceTime,
    others: (options.beside ?? []).filter((other) => other.db !== db).map(knownDomain),
  });
  const asked = (domain.asked ?? [])
    .filter(isPlain)
    .map((question) => ({ question, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ question }) => question);
  const questions: Question[] = [];
  const texts = new Set<string>();
  for (
    let inVain = 0, tried = 0;
    inVain < TRIES_IN_VAIN && questions.length < options.dialogues;
    inVain++, tried++
  ) {
    if (options.signal?.aborted) break;
    const depth = random.pick(DEPTHS) as number;
    const dialogue = await walker.walk(depth, tried >> 1, tried % 2 === 0 ? asked.pop() : undefined);
    const [first] = dialogue?.turns ?? [];
    if (dialogue === null || first === undefined) continue;
    const script = dialogue.turns.map(({ text }) => text).join('\n');
    if (texts.has(script)) {
      refuse('REPEATED');
      continue;
    }
    texts.add(script);
    questions.push({
      question_id: `d${questions.length + 1}`,
      db_id: db,
      question: first.text,
      evidence: first.evidence,
      difficulty: null,
      sql: first.sql,
      origin: 'synthesized',
      dialogue,
    });
    inVain = 0;
    options.onProgress?.(questions.length);
  }
  return { questions, refused, leftOut: known.profile.leftOut };
}

const KNOWN = new WeakMap<SynthesisDomain, KnownDomain>();

function knownDomain(domain: SynthesisDomain): KnownDomain {
  const { catalog, tried } = domain;
  const before = KNOWN.get(domain);
  if (before !== undefined) return before;
  const connection = openReadonly(tried);
  const profile = withoutHiddenKeys(profileDatabase(catalog, connection));
  connection.close();
  const known = { domain, profile, words: new Words(catalog) };
  KNOWN.set(domain, known);
  return known;
}

/** Whether a question asks for rows, by itself. */
function isPlain({ kind, query_arguments, augmentation, turn_of, dialogue }: Question): boolean {
  return [kind, query_arguments, augmentation, turn_of, dialogue].every((one) => one === undefined);
}

/** Leaves out whole numbers, nearly all different, that may be keys of another table. */
function withoutHiddenKeys(profile: Profile): Profile {
  const keys = profile.tables.flatMap(({ table, key }) =>
    table.columns
      .filter(({ name, type }) => name === key && type === 'integer')
      .map(({ statistics }) => ({ table, statistics })),
  );
  const isHidden = ({ column, table }: Profile['tables'][number]['columns'][number]) => {
    const { type, statistics } = column;
    const { rows, nulls, distinct, min, max } = statistics;
    if (type !== 'integer' || distinct < 20 || distinct < (rows - nulls) * 0.9) return false;
    return keys.some(
      ({ table: other, statistics: all }) =>
        other.name !== table &&
        Number(min) >= Number(all.min) &&
        Number(max) <= Number(all.max) &&
        all.rows >= distinct,
    );
  };
  return {
    ...profile,
    tables: profile.tables.map((one) => ({
      ...one,
      columns: one.columns.filter((column) => column.kind === 'key' || !isHidden(column)),
    })),
  };
}

interface WalkContext {
  readonly oracle: Oracle;
  readonly random: Random;
  readonly refuse: (code: string) => void;
  readonly referenceTime: string;
  /** The other databases of the split. */
  readonly others: readonly KnownDomain[];
}

/** A turn that is kept, with its answer. */
interface Kept {
  readonly step: Step;
  /** The domain that it is asked in. */
  readonly known: KnownDomain;
  readonly text: string;
  readonly rows: readonly Row[];
  readonly withheld: boolean;
  /** The question of the split that it is. */
  readonly question?: Question;
}

class Walker {
  readonly #known: KnownDomain;
  readonly #context: WalkContext;
  /** How often each edit was kept, so that rare ones come first. */
  readonly #used = new Map<Edit, number>();

  constructor(known: KnownDomain, context: WalkContext) {
    this.#known = known;
    this.#context = context;
  }

  /** Begins with a question, or with one that is drawn. null if the walk came to nothing. */
  async walk(depth: number, number: number, question?: Question): Promise<Dialogue | null> {
    const { random } = this.#context;
    const temperament = TEMPERAMENTS[number % TEMPERAMENTS.length] as Temperament;
    const withholds = temperament === 'corrected' || random.chance(1 / 3);
    const first = await (question ? this.#beginWith(question, withholds) : this.#begin(withholds));
    if (first === null) return null;
    const kept: Kept[] = [first];
    while (kept.length < depth) {
      const takesBack = kept.length === 1 && temperament === 'corrected' && first.withheld;
      const next = takesBack
        ? await this.#next(kept, [takenBack, takenBack, takenBack])
        : ((await this.#nextAcross(kept)) ?? (await this.#next(kept, this.#drawEdits(kept))));
      if (next === null) break;
      kept.push(next);
    }
    if (kept.length < 2) return null;
    for (const { step } of kept) this.#used.set(step.edit, (this.#used.get(step.edit) ?? 0) + 1);
    const isPlayed =
      temperament === 'corrected' ? kept[1]?.step.edit === 'change_mind' && first.withheld : first.withheld;
    return {
      turns: kept.map((each, i) => this.#turn({ ...each, text: inManner(each.text, temperament, i) }, first)),
      ...(question === undefined ? {} : { question_id: question.question_id }),
      user: {
        temperament: WITHHOLDING.has(temperament) && !isPlayed ? 'plain' : temperament,
        slots: this.#slots(kept),
      },
    };
  }

  /** A question of the split, without one of its values if there is one to be left out. */
  async #beginWith(question: Question, withholds: boolean): Promise<Kept | null> {
    const { refuse } = this.#context;
    const known = this.#known;
    const { profile, words } = known;
    const query = this.#parse(question.sql, known);
    const plan = query && planOf(question.question, query, profile, words);
    if (!plan) {
      refuse('ask: NO_PLAN');
      return null;
    }
    const { conditions } = plan;
    const step: Step = { edit: 'ask', plan, texts: [question.question], refs: [], alone: null };
    const [rows, own] = [await this.#check(step, [], known), await this.#run(question.sql, known)];
    if (rows === null) return null;
    // The rows of a plan are counted once each.
    if (own === null || !sameAnswer(own, rows, plan)) {
      refuse('ask: OTHER_ROWS');
      return null;
    }
    const { evidence } = question;
    for (const condition of withholds ? conditions : []) {
      const text = withheldIn(question.question, condition, words);
      const isGiven = [condition.value, words.value(condition)].some((one) => evidence.includes(String(one)));
      if (text === null || isGiven || !(await this.#differs(plan, condition, rows))) continue;
      return { step: { ...step, texts: [text], condition }, known, text, rows, withheld: true, question };
    }
    const said = conditions.find((one) => question.question.includes(words.value(one)));
    const asked = said?.value === null || said === undefined ? step : { ...step, condition: said };
    return { step: asked, known, text: question.question, rows, withheld: false, question };
  }

  async #begin(withholds: boolean): Promise<Kept | null> {
    const { random, refuse } = this.#context;
    const known = this.#known;
    const { profile, words } = known;
    const subjects = profile.tables.filter((table) => labelsOf(table).length > 0 && table.table.rows >= 8);
    const subject = random.pick(subjects);
    if (subject === undefined) return null;
    const empty: Plan = {
      subject,
      given: null,
      within: null,
      carried: null,
      conditions: [],
      shown: random.chance(0.6) ? { kind: 'rows', details: [] } : { kind: 'count' },
      order: null,
    };
    const scene = { profile, words, random };
    const draws = Array.from({ length: 8 }, () => drawCondition(empty, scene));
    const fits = (one: Condition) => !withholds || words.withheld(one, subject) !== null;
    const condition = draws.find((one) => one !== null && fits(one)) ?? null;
    if (condition === null) {
      refuse('NOT_OFFERED');
      return null;
    }
    const plan = { ...empty, conditions: [condition] };
    const that = withholds ? words.withheld(condition, subject) : words.that(condition, subject);
    if (that === null || that.includes('undefined')) {
      refuse('NOT_SAYABLE');
      return null;
    }
    const many = words.many(subject);
    const rows = `${many} ${that}`;
    const predicate = words.predicate(condition, that);
    const texts =
      plan.shown.kind === 'count'
        ? predicate === null
          ? [`How many ${many} are there ${that}?`]
          : /^(of|for|about) /.test(that)
            ? [`How many ${rows} are there?`]
            : [`How many ${many} ${predicate}?`]
        : [
            `Show me the ${rows}.`,
            `Could you list the ${rows}?`,
            `I need the ${rows}.`,
            ...(predicate === null ? [] : [`Which ${many} ${predicate}?`]),
          ];
    const step: Step = { edit: 'ask', plan, texts, refs: [], alone: null, condition };
    const answer = await this.#check(step, [], known);
    if (answer === null) return null;
    if (withholds && !(await this.#differs(plan, condition, answer))) {
      refuse('NOTHING_MISSING');
      return null;
    }
    return { step, known, text: random.pick(texts) as string, rows: answer, withheld: withholds };
  }

  /** Whether another value for a condition gives other rows. */
  async #differs(plan: Plan, condition: Condition, rows: readonly Row[]): Promise<boolean> {
    for (const value of valuesOf(condition).filter((one) => one !== condition.value)) {
      const other = await this.#run(
        sqlOf({
          ...plan,
          conditions: plan.conditions.map((one) => (one === condition ? { ...one, value } : one)),
        }),
        this.#known,
      );
      if (other !== null && !sameRows(rows, other, null)) return true;
    }
    return false;
  }

  /** The first of these edits that makes a turn; null if none does. */
  async #next(kept: readonly Kept[], makers: readonly EditMaker[]): Promise<Kept | null> {
    const { random } = this.#context;
    const last = kept.at(-1) as Kept;
    const plans = kept.map(({ step }) => step.plan) as [Plan, ...Plan[]];
    const walk: Walk = { plans, steps: kept.map(({ step }) => step), rows: last.rows.length };
    for (const make of makers) {
      const made = make(walk, { ...last.known, random });
      if (made === null) continue;
      const known = kept.find(({ step }) => step.plan === made.plan)?.known ?? last.known;
      const rows = await this.#check(made, kept, known);
      if (rows !== null)
        return { step: made, known, text: random.pick(made.texts) as string, rows, withheld: false };
    }
    return null;
  }

  /** A turn in another domain, once a dialogue; null if the last one leads to none. */
  async #nextAcross(kept: readonly Kept[]): Promise<Kept | null> {
    const { random, others } = this.#context;
    const last = kept.at(-1) as Kept;
    if (kept.some(({ known }) => known !== this.#known)) return null;
    const now = { plan: last.step.plan, turn: kept.length, rows: last.rows };
    for (let tries = 0; tries < 3; tries++) {
      const made = hopAcross(now, this.#known, { others, random });
      if (made === null) return null;
      const { known, ...step } = made;
      const rows = await this.#check(step, kept, known);
      if (rows !== null)
        return { step, known, text: random.pick(step.texts) as string, rows, withheld: false };
    }
    return null;
  }

  /** Edits in the order in which they are tried, each twice: those that were rare so far come first, roughly. */
  #drawEdits(kept: readonly Kept[]): EditMaker[] {
    const { random } = this.#context;
    const fresh = EDITS.filter((edit) => edit !== 'ask' && edit !== 'write').filter((edit) =>
      kept.every(({ step }) => step.edit !== edit),
    );
    const total = [...this.#used.values()].reduce((sum, n) => sum + n, 0) + 1;
    const ranked = fresh.map((edit) => ({
      edit,
      rank:
        ((this.#used.get(edit) ?? 0) * fresh.length) / total + random.next() * 2 + (edit === 'undo' ? 1 : 0),
    }));
    return ranked
      .sort((a, b) => a.rank - b.rank)
      .flatMap(({ edit }) => [EDIT_MAKERS[edit], EDIT_MAKERS[edit]]);
  }

  /** The rows of a step that is fit to be a turn; else null, with the code counted. */
  async #check(step: Step, kept: readonly Kept[], known: KnownDomain): Promise<readonly Row[] | null> {
    const { refuse } = this.#context;
    const { plan, edit } = step;
    const sql = sqlOf(plan);
    const reject = (code: string) => {
      refuse(`${edit}: ${code}`);
      return null;
    };
    if (step.texts.length === 0 || step.texts.some((text) => /undefined|null/.test(text)))
      return reject('NOT_SAYABLE');
    if (this.#parse(sql, known) === null) return reject('NOT_READ');
    const rows = await this.#run(sql, known);
    if (rows === null) return reject('FAILS');
    const reason = whyTrivial(rows, plan);
    if (reason !== null) return reject(reason);
    if (plan.shown.kind === 'groups') {
      const [[all] = []] = (await this.#run(sqlOf({ ...plan, shown: { kind: 'count' } }), known)) ?? [];
      // Rows that refer to nothing have no group.
      if (rows.reduce((sum, row) => sum + Number(row.at(-1)), 0) !== Number(all)) return reject('DROPS_ROWS');
    }
    const before = kept.at(-1)?.rows;
    if (before !== undefined && sameAnswer(before, rows, plan)) return reject('CHANGES_NOTHING');
    if (ADDING.has(edit) && rows.length > 1 && new Set(rows.map((row) => row.at(-1))).size === 1)
      return reject('ADDS_NOTHING');
    const isRepeat = kept.some((one) => sameAnswer(one.rows, rows, plan));
    if (isRepeat && !RETURNS.has(edit)) return reject('ANSWERED_BEFORE');
    if (plan.order !== null && !sameAnswer(rows, (await this.#run(sql, known, true)) ?? [], plan))
      return reject('TIE');
    if (step.alone !== null) {
      const alone = await this.#run(sqlOf(step.alone), known);
      if (alone !== null && sameAnswer(alone, rows, plan)) return reject('NEEDS_NO_MEMORY');
    }
    return rows;
  }

  #parse(sql: string, { domain: { catalog } }: KnownDomain): Query | null {
    const { referenceTime } = this.#context;
    return unlessQueryError(() => parseQuery(sql, { catalog, referenceTime }));
  }

  async #run(sql: string, { domain }: KnownDomain, reversed = false): Promise<readonly Row[] | null> {
    const { oracle } = this.#context;
    return (await unlessRefused(oracle.run(domain.file, sql, { reversed })))?.rows ?? null;
  }

  #turn({ step, known, text, question }: Kept, first: Kept): DialogueTurn {
    const { edit, refs, alone } = step;
    const { domain, words } = known;
    const rest = {
      ...(known === this.#known ? {} : { db_id: domain.db }),
      text,
      edit,
      refs: refs.map(([words, turn]) => ({ words, turn })),
      alone: alone === null ? null : sqlOf(alone),
    };
    const evidence = (known === first.known && first.question?.evidence) || '';
    if (question) return { ...rest, question: question.question, evidence, sql: question.sql };
    const sql = sqlOf(step.plan);
    const query = this.#parse(sql, known) as Query;
    const { catalog } = domain;
    const { conditions, shown } = step.plan;
    const tested = shown.kind === 'difference' ? [...conditions, shown.more, shown.less] : conditions;
    const explained = evidence === '' ? [] : first.step.plan.conditions;
    const coded = tested.filter((one) => !explained.includes(one)).flatMap((one) => codesOf(one, words));
    const own = coded.length > 0 || evidence !== '' ? coded : [evidenceOf(query, catalog)];
    return {
      ...rest,
      question: standalone(step.plan, words) ?? ask(sql, query, wordingOf(catalog), new Random(sql)).question,
      evidence: [...new Set([evidence, ...own])].filter((each) => each !== '').join('; '),
      sql,
    };
  }

  /** The values that the turns need, in the order said. */
  #slots(kept: readonly Kept[]): Slot[] {
    return kept.flatMap(({ step: { condition }, known: { words }, withheld }, i): Slot[] => {
      if (condition === undefined || condition.value === null) return [];
      const values = valuesOf(condition).map((value) => words.value({ ...condition, value }));
      return [
        {
          name: condition.test === 'year' ? 'year' : words.about(condition.place),
          words: words.slotWords(condition),
          said: words.value(condition),
          values,
          turn: i + 1,
          withheld,
        },
      ];
    });
  }
}

/** What a user does only where it is asked for something. */
const WITHHOLDING: ReadonlySet<Temperament> = new Set(['late', 'partial', 'corrected']);

/** Edits that may lead back to an earlier answer. */
const RETURNS: ReadonlySet<Edit> = new Set(['undo', 'open', 'reverse', 'exchange_column']);

/** Edits that show another column. */
const ADDING: ReadonlySet<Edit> = new Set(['add_column', 'exchange_column']);

/** A turn as a terse or polite user says it. */
function inManner(text: string, temperament: Temperament, turn: number): string {
  if (temperament === 'terse')
    return text
      .replace(/, please(?=[.?]$)/, '')
      .replace(/^Could you list (.*)\?$/, 'List $1.')
      .replace(/^Show me the (.*)\.$/, 'The $1.')
      .replace(/^Can I have (.*) as well\?$/, 'Also $1.');
  if (temperament !== 'polite') return text;
  if (turn === 0)
    return `Hello! ${text.replace(/^(?:Show me|Show|I need|List|Give me|Give|Find|Name) (.*)\.$/, 'Could you show me $1, please?')}`;
  return turn % 2 === 1 && !/^(No|Sorry|Undo|Actually)\b/.test(text) ? `Thank you. ${text}` : text;
}

/** The first thing a corrected user says after an answer: the value that was given was wrong. */
const takenBack: EditMaker = (walk, scene) => {
  const [first] = walk.steps;
  if (first === undefined) return null;
  const step = EDIT_MAKERS.change_mind({ ...walk, steps: [{ ...first, edit: 'add_condition' }] }, scene);
  if (step === null || first.condition === undefined || step.condition === undefined) return null;
  const [was, is] = [first.condition, step.condition].map((one) => scene.words.value(one));
  return { ...step, texts: [`Sorry, I said ${was}, but I meant ${is}.`] };
};

/** vet refers to role = 'VET', for all values that the user might say, so that it gives none away. */
function codesOf(condition: Condition, words: Words): string[] {
  const { column, via } = condition.place;
  const codes = column.column.words?.codes ?? {};
  if (via !== null || condition.test !== '=' || codes[String(condition.value)] === undefined) return [];
  return valuesOf(condition).flatMap((value) => {
    const said = words.value({ ...condition, value });
    const text = typeof value === 'string' ? literal(value) : String(value);
    return said === String(value) ? [] : [`${said} refers to ${column.column.name} = ${text}`];
  });
}

function sameAnswer(a: readonly Row[], b: readonly Row[], { order, shown }: Plan): boolean {
  return sameRows(a, b, order !== null && shown.kind === 'rows' ? a.map((_, i) => i) : null);
}

function whyTrivial(rows: readonly Row[], { shown, order }: Plan): string | null {
  if (rows.length === 0) return 'FINDS_NOTHING';
  if (rows.length > MOST_ROWS) return 'FINDS_TOO_MUCH';
  const cells = rows.flat();
  if (cells.every((cell) => cell === null)) return 'FINDS_NULL';
  const [only] = cells;
  if (shown.kind === 'count' && Number(only) < 2) return 'TOO_FEW';
  if (shown.kind === 'difference' && Number(only) < 1) return 'NOT_MORE';
  if (shown.kind === 'groups') {
    if (rows.length < 2 || rows.length > 15) return 'NO_GROUPS';
    if (rows.some(([key]) => key === null)) return 'GROUP_OF_NULL';
  }
  if (order?.count && rows.length < order.count) return 'TOO_FEW';
  if (shown.kind === 'rows' && rows.some((row) => row[0] === null)) return 'NAME_IS_NULL';
  const distinct = new Set(
    rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  );
  return distinct.size < rows.length ? 'REPEATS_ROWS' : null;
}
