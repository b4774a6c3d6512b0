import {
  type Arithmetic,
  type Clauses,
  type Count,
  type Fallback,
  isReferring,
  type Known,
  manyOf,
  type OneOf,
  oneOf,
  type Piece,
  type Property,
  type Share,
  type Sort,
  type Summary,
  sameTerm,
  sameThing,
  type Term,
  type Thing,
  type WindowTerm,
  wordsFor,
} from './clause.ts';
import { withoutKey } from './lexicon.ts';
import { isThing } from './lists.ts';
import { ageNoun, datePartNoun, moved } from './moments.ts';
import {
  behind,
  fixedText,
  joinTexts,
  type NounPhrase,
  noun,
  pluralText,
  presentNoun,
  rankedPlural,
  singularText,
  withArticle,
} from './noun-phrase.ts';
import type { Realizer } from './realizer.ts';
import { isMoment, orderText } from './relations.ts';
import { isMassNoun, isPerson, listed, listedOnce, PREPOSITION, withoutStart } from './words.ts';

/** Summaries and questions have "who" for people, all else "that". */
export function relativePronoun(thing: Thing | null, { style }: Realizer): 'who' | 'that' {
  return style !== 'description' && isPerson(thing) ? 'who' : 'that';
}

/** A term as a noun phrase; the subject of `r` is not named. */
export function nounOf(term: Term, r: Realizer): NounPhrase {
  const text = (of: Term) => singularText(r.noun(of));
  // A number of things is one number; a price is any row's.
  const theNumber = (of: Term) => (/^(count|summary|share)$/.test(of.kind) ? `the ${text(of)}` : text(of));
  switch (term.kind) {
    case 'property':
      return propertyNoun(term, r);
    case 'count':
      return countNoun(term, r);
    case 'summary':
      return summaryNoun(term, r);
    case 'share':
      return shareNoun(term, r);
    case 'ratio': {
      const top = theNumber(term.top);
      if (!term.percent)
        return noun('ratio', {
          tail: `of ${top} to ${sameNumber(term.top, term.bottom, r) ?? theNumber(term.bottom)}`,
        });
      const of = r.noun(term.top);
      const all = ofTheSame(term.top, term.bottom, r) ?? theNumber(term.bottom);
      return behind(of, `as a percentage of ${all}`);
    }
    case 'change': {
      const kind = term.loss ? 'decrease' : 'change';
      const start = theNumber(term.from);
      const end = sameNumber(term.from, term.to, r) ?? theNumber(term.to);
      return noun(kind, {
        lead: term.percent ? 'percentage' : 'relative',
        tail: `from ${start} to ${end}`,
      });
    }
    case 'per_owner': {
      const of = r.noun(term.of);
      const lead = joinTexts(term.average ? 'average' : '', of.lead);
      return { ...behind(of, `per ${oneOf(term.owner)}`), lead };
    }
    case 'arithmetic':
      return arithmeticNoun(term, r);
    case 'date_part':
      return datePartNoun(term, r);
    case 'moved':
      return moved(r.noun(term.of), term.shifts, r);
    case 'duration': {
      const ends = [term.from, term.to];
      const owners = ends.map((end) => (end.kind === 'property' ? end.owner : null));
      // Moments of two different things are both named with their owners.
      const whose =
        owners.includes(null) || sameThing(owners[0] ?? null, owners[1] ?? null) ? r.subject : null;
      const [from, to] = ends.map((end) => singularText(r.about(whose).noun(end)));
      const tail = `from ${from} to ${to}`;
      const counted = joinTexts(term.full ? 'full' : '', term.unit, tail);
      return fixedText(counted, { counted });
    }
    case 'age':
      return ageNoun(term, r);
    case 'constant':
      return fixedText(constantText(term));
    case 'given':
      return fixedText(r.given(term, noun('number'), 'value'));
    case 'check':
      return fixedText(`whether ${r.clause(term.condition)}`);
    case 'one_of':
      return oneOfNoun(term, r);
    case 'derived': {
      const of = r.noun(term.of);
      const inner = term.of;
      const isApart = inner.kind === 'arithmetic' && inner.op === '-' && inner.items.length === 2;
      if (isApart && term.word === 'absolute')
        return noun('difference', { lead: term.word, tail: `between ${listed(inner.items.map(theNumber))}` });
      if (term.place === 'before') return { ...of, lead: joinTexts(term.word, of.lead), counted: null };
      if (term.place === 'after') return behind(of, term.word);
      const more = term.more.map(text);
      if (term.word === 'field') {
        const path = more.join(' ').replace(/^"[$.]*|"$/g, '');
        // A single letter is no noun.
        if (path.length < 3) return noun('field', { tail: joinTexts(path, `in ${singularText(of)}`) });
        return noun(`${path} in ${singularText(of)}`, { whole: false });
      }
      const ofText = of.head[0] === 'ratio' ? `the ${singularText(of)}` : singularText(of);
      const tail = `of ${ofText}${more.length === 0 ? '' : ` and ${listed(more)}`}`;
      return noun(term.word, { tail });
    }
    case 'piece':
      return pieceNoun(term, r);
    case 'fallback':
      return fallbackNoun(term, r);
    case 'joined_text': {
      if (term.person !== null) return noun(term.person.text, { scale: 'text', owner: ownerOf(term.items) });
      return fixedText(`${listed(term.items.map(text))} joined`, { scale: 'text' });
    }
    case 'window':
      return windowNoun(term, r);
    case 'query': {
      const own = ownCount(term.query, r);
      if (own !== null) return own;
      return fixedText(r.query(term.query, true));
    }
    case 'tuple':
      return fixedText(listed(term.items.map(text)));
  }
}

/** The bottom of a ratio that counts the same things as its top: those with a given type; null for other things. */
function ofTheSame(top: Term, bottom: Term, r: Realizer): string | null {
  if (top.kind !== 'count' || bottom.kind !== 'count' || top.distinct || bottom.distinct) return null;
  const [of, things] = [top.of, bottom.of];
  if (!isThing(of) || !isThing(things) || !sameThing(of, things) || bottom.having !== null) return null;
  const limits = countLimits(bottom, things, r);
  return limits === '' ? `all ${manyOf(things)}` : `those ${limits}`;
}

/** The number of rows of another table that belong to a row: number of calls; null for any other query value. */
function ownCount(query: Clauses, r: Realizer): NounPhrase | null {
  if (query.kind !== 'list' || query.about !== 'all' || query.whose.length === 0 || r.style !== 'summary')
    return null;
  const [only, ...others] = query.columns;
  if (only?.kind !== 'count' || others.length > 0 || query.read.length > 0) return null;
  const np = r.about(query.subject).noun(only);
  const limits = r.about(query.subject).adjuncts(query.conditions, 'with');
  const counted = joinTexts(np.counted ?? '', limits);
  return noun('number', { tail: `of ${counted}`, scale: 'count', counted });
}

/** Whether a column is of the rows that a sentence is about. */
export function isOfSubject({ owner, part }: Property, subject: Thing | null): boolean {
  return sameThing(owner, subject) || sameThing(part, subject);
}

/** The phrase of a term, without the subject's noun before a plain one: the pet with the lowest age, not the lowest pet age. */
export function ownNoun(term: Term, r: Realizer): NounPhrase {
  const np = r.noun(term);
  const { subject } = r;
  if (
    term.kind !== 'property' ||
    subject === null ||
    r.style === 'description' ||
    !isOfSubject(term, subject)
  )
    return np;
  const rest = np.head.slice(subject.one.length);
  const starts = np.lead === '' && np.head.slice(0, subject.one.length).join(' ') === subject.one.join(' ');
  return starts && OWN.test(rest.join(' ')) ? { ...np, head: rest } : np;
}

const OWN =
  /^(age|name|title|code|description|text|type|kind|status|date|year|size|price|amount|rating|score|rank|weight|height|length|level|duration)$/;

function propertyNoun(term: Property, r: Realizer): NounPhrase {
  const own = isOfSubject(term, r.subject);
  const { counts, quantity } = wordsFor(term);
  // Columns of anything but the subject are named with their owner, unless the name of a key includes it.
  const isKey =
    (term.own.words.length > 1 && withoutKey(term.own.words).length < term.own.words.length) ||
    (term.base !== null && term.base.column.words?.noun !== undefined && isReferring(term.base));
  const plain = own || (term.clear && (r.subject === null || isKey || !r.detail.whose));
  const { text } = plain ? term.own : term.full;
  return noun(own && r.style !== 'description' ? withoutOwnerAfter(text, r.subject) : text, {
    owner: plain ? term.owner : null,
    scale: term.scale,
    counted: plain && counts !== undefined ? counts : null,
    value: quantity ?? '',
    whole: term.base?.column.type !== 'number',
  });
}

/** The cost of a treatment, where its column is called cost of treatment. */
function withoutOwnerAfter(text: string, subject: Thing | null): string {
  const ends = subject === null ? [] : [` of ${oneOf(subject)}`, ` of the ${oneOf(subject)}`];
  const end = ends.find((one) => text.endsWith(one));
  return end === undefined ? text : text.slice(0, -end.length);
}

function ownerOf(items: readonly Term[]): Thing | null {
  const [first] = items;
  return first?.kind === 'property' ? first.owner : null;
}

function countNoun(count: Count, r: Realizer): NounPhrase {
  const { of, distinct } = count;
  // Counting the names of schools is not counting schools; a language has several rows.
  const named =
    !isThing(of) &&
    of.kind === 'property' &&
    of.own.text === of.owner?.one.join(' ') &&
    (of.base === null || of.base.column.primary_key === 0);
  const what = isThing(of)
    ? countedThings(of)
    : named
      ? `${of.own.text} names`
      : pluralText(r.style === 'question' ? ownNoun(of, r) : r.noun(of));
  const about = isThing(of) ? of : r.subject;
  const isNamed = countsNamed(count) && r.style !== 'description';
  const limits = countLimits(isNamed ? { ...count, known: null } : count, about, r);
  const counted = joinTexts(distinct ? 'different' : '', isNamed ? 'named' : '', what, limits);
  return noun('number', { tail: `of ${counted}`, scale: 'count', counted });
}

/** Whether a count is of rows that have a name: of named schools. */
export function countsNamed({ of, known }: Count): boolean {
  if (!isThing(of) || known === null || known.always || known.of.kind !== 'property') return false;
  if (wordsFor(known.of).present !== undefined) return false;
  const { owner, own } = known.of;
  const name = withoutStart(own.text, of.one.join(' '));
  return sameThing(owner, of) && (name === 'name' || name === of.one.join(' '));
}

/** Things to be counted: numbers of data are numbers of records. */
function countedThings(of: Thing): string {
  const isMass = isMassNoun(of.many.at(-1) ?? '') && !of.many.some((word) => PREPOSITION.test(word));
  return isMass ? `${manyOf(of)} records` : manyOf(of);
}

/** The limits of a count: with a known score that have awards. */
function countLimits({ known, where, having }: Count, about: Thing | null, r: Realizer): string {
  return joinTexts(
    knownText(known, about, r),
    having === null
      ? ''
      : joinTexts(
          `${relativePronoun(about, r)} have`,
          manyOf(having.thing),
          r.about(having.thing).adjuncts(having.where),
        ),
    where === null ? '' : r.about(about).adjuncts([where], 'with'),
  );
}

/** With a known score; only descriptions mention a value that all rows have. */
function knownText(known: Known | null, about: Thing | null, r: Realizer): string {
  if (known === null || (known.always && r.style !== 'description')) return '';
  if (known.of.kind === 'check')
    return `for which it is known ${singularText(r.about(about).noun(known.of))}`;
  return `with ${withArticle(presentNoun(r.about(about).noun(known.of), about))}`;
}

function summaryNoun(term: Summary, r: Realizer): NounPhrase {
  // Total salary of members of staff
  const apart = term.of.kind === 'property' && !isOfSubject(term.of, r.subject) && !term.of.inRole;
  const owner = apart && term.of.kind === 'property' ? term.of.owner : null;
  const wide = owner !== null && (owner.one.length > 1 || singularText(r.noun(term.of)).includes("'s "));
  const long = (wide || (apart && term.such)) && r.subject !== null && r.style !== 'description';
  const own = r.style === 'question' ? ownNoun(term.of, r) : r.noun(term.of);
  const of =
    long && term.of.kind === 'property'
      ? behind({ ...own, head: term.of.own.text.split(' ') }, `of ${owner === null ? '' : manyOf(owner)}`)
      : own;
  const limits = term.where === null ? '' : r.about(term.such ? owner : of.owner).adjuncts([term.where]);
  const known = knownText(term.known, of.owner, r);
  const zeros = term.zeros ? '(0 where missing)' : '';
  const divided = known === '' ? zeros : `(the total divided by the number of rows ${known})`;
  const where = joinTexts(divided, limits);
  if (term.name === 'list') {
    const order = term.order === null ? '' : `in the order of ${singularText(r.noun(term.order))}`;
    const tail = joinTexts('of', term.distinct ? 'different' : '', pluralText(of), order, where);
    return noun('list', { lead: 'joined', tail, scale: 'text', owner: of.owner });
  }
  const word = summaryWord(term, of.scale);
  const counted =
    of.lead === '' && of.tail === '' && (of.head.length < 3 || r.style === 'question')
      ? rankedPlural(of)
      : null;
  // The average number of wins, the total number of tickets sold; total wins are clear.
  if (
    counted !== null &&
    (term.name !== 'total' || of.head.length === 2) &&
    !term.distinct &&
    r.style !== 'description'
  )
    return noun('number', { lead: word, tail: joinTexts(`of ${counted}`, where), owner: of.owner });
  const chosen = term.of.kind === 'one_of' && of.head.length === 0;
  if (chosen) return noun(word, { tail: joinTexts(`of (${singularText(of)})`, where), owner: of.owner });
  if (term.distinct && (r.style === 'description' || /^(total|average)$/.test(term.name))) {
    return noun(word, {
      tail: joinTexts(`of the different values of ${singularText(of)}`, where),
      owner: of.owner,
    });
  }
  const again =
    of.lead.startsWith(word) ||
    of.head[0]?.toLowerCase() === word ||
    (MEANING[word] !== undefined && of.head.some((one) => one.toLowerCase() === word));
  const lead =
    again && /^(highest|lowest|latest|earliest)$/.test(word)
      ? of.lead
      : joinTexts(again ? (MEANING[word] ?? word) : word, of.lead);
  return {
    ...behind(of, where),
    value: of.value,
    lead: again && of.lead === '' && lead === word ? '' : lead,
    scale: isMoment(of.scale) ? of.scale : 'number',
  };
}

/** An average of averages, a total of totals. */
const MEANING: Readonly<Record<string, string>> = { total: 'combined', average: 'mean' };

/** The word for an aggregate, of numbers or of dates. */
export function summaryWord(
  { name, call }: Pick<Summary, 'name' | 'call'>,
  scale: NounPhrase['scale'],
): string {
  if (name === 'other') return call.replace(/[^a-z0-9]+/g, ' ').trim();
  if (!isMoment(scale)) return name;
  return name === 'highest' ? 'latest' : name === 'lowest' ? 'earliest' : name;
}

function shareNoun({ of, where, percent, distinct, met, known }: Share, r: Realizer): NounPhrase {
  const term = isThing(of) ? null : r.noun(of);
  const about = isThing(of) ? of : (term?.owner ?? null);
  const whose = term === null || term.owner === null ? '' : `of ${manyOf(term.owner)}`;
  const named = term === null ? '' : distinct ? pluralText(term) : singularText(term);
  const all = isThing(of) ? manyOf(of) : joinTexts(named, whose);
  const [asked, there] = [knownText(met, about, r), knownText(known, about, r)];
  const limits = [
    where === null ? '' : r.about(about).adjuncts([where], 'of'),
    asked === '' ? '' : `(only those ${asked})`,
    there === '' ? '' : `among those ${there}`,
  ];
  const kept = where === null ? `all ${all}` : joinTexts(distinct ? 'different' : '', all);
  return noun(percent ? 'percentage' : 'share', { tail: joinTexts('of', kept, ...limits) });
}

function arithmeticNoun(term: Arithmetic, r: Realizer): NounPhrase {
  const short = r.style === 'description' ? null : differenceNoun(term, r);
  if (short !== null) return short;
  const phrases = term.items.map((item) => r.noun(item));
  const [first, second] = phrases;
  if (first === undefined) return fixedText('value');
  if (term.step !== null) return behind(first, `rounded down to a multiple of ${term.step}`);
  if (second === undefined) return first;
  const constant = term.items.findIndex((item) => item.kind === 'constant' || item.kind === 'given');
  const withConstant = constant >= 0 && term.items.length === 2;
  const rest = phrases.slice(1).map(enclosed);
  const of = (word: string) => ({
    ...behind(first, `${word} ${rest.join(` ${word} `)}`),
    owner: constant < 0 ? null : first.owner,
  });
  switch (term.op) {
    case '+':
      if (!withConstant) return noun('sum', { tail: `of ${addedText(phrases)}` });
      return constant === 0 ? behind(second, `plus ${enclosed(first)}`) : of('plus');
    case '-': {
      const left = of('minus');
      // A difference of moments is a number: the highest, not the latest.
      return isMoment(left.scale) && !withConstant ? { ...left, scale: 'number' } : left;
    }
    case '*':
      if (withConstant) {
        const [number, what] = constant === 0 ? [first, second] : [second, first];
        const text = singularText(what);
        const isColumn = r.style === 'summary' && term.items[constant === 0 ? 1 : 0]?.kind === 'property';
        const factor =
          isColumn || (/^(average|total|highest|lowest|number)$/.test(what.lead) && !isTaken(what))
            ? `the ${text}`
            : enclosed(what);
        return fixedText(`${singularText(number)} times ${factor}`, { owner: what.owner });
      }
      return noun('product', { tail: `of ${listed(phrases.map(singularText))}` });
    case '/': {
      const converted = r.style === 'description' ? null : inLarger(first, singularText(second));
      if (converted !== null) return converted;
      const divided = isTaken(first)
        ? fixedText(`${enclosed(first)} divided by ${rest.join(' ')}`, { owner: of('').owner })
        : of('divided by');
      return term.whole ? { ...divided, tail: `${divided.tail} (rounded down)` } : divided;
    }
    case '%':
      return noun('remainder', {
        tail: `of ${singularText(first)} divided by ${rest.join(' ')}`,
      });
  }
}

/** Quantities that are added: width and depth; average scores in reading and math. */
export function addedText(phrases: readonly NounPhrase[]): string {
  const texts = phrases.map(singularText);
  const once = listedOnce(texts);
  return once === listed(texts) ? once : listedOnce(phrases.map(pluralText));
}

/** A duration in seconds divided by 60 is one in minutes; null for other units and divisors. */
function inLarger(np: NounPhrase, divisor: string): NounPhrase | null {
  const unit = np.head.at(-1) ?? '';
  const larger = np.head.at(-2) === 'in' && np.tail === '' ? LARGER[`${unit} ${Number(divisor)}`] : undefined;
  return larger === undefined ? null : { ...np, head: [...np.head.slice(0, -1), larger], whole: false };
}

const LARGER: Readonly<Record<string, string>> = {
  'seconds 60': 'minutes',
  'seconds 3600': 'hours',
  'minutes 60': 'hours',
  'ms 1000': 'seconds',
  'cm 100': 'metres',
  'mm 10': 'cm',
  'metres 1000': 'km',
  'grams 1000': 'kg',
};

/** Of two numbers of the same things: tasks of a kind minus the number of another; from row to row: the change. */
function differenceNoun({ op, items }: Arithmetic, r: Realizer): NounPhrase | null {
  const [one, other, ...rest] = items;
  if (op !== '-' || one === undefined || other === undefined || rest.length > 0) return null;
  const all = one.kind === 'summary' ? r.noun({ ...one, where: null }) : null;
  const rows =
    all?.owner == null || one.kind !== 'summary' || one.where === null
      ? ''
      : joinTexts(`of ${manyOf(all.owner)}`, r.about(all.owner).adjuncts([one.where]));
  const first = all === null || rows === '' ? r.noun(one) : behind(all, rows);
  const same = sameNumber(one, other, r, rows === '' ? '' : 'of those');
  if (same !== null) return { ...behind(first, `minus ${same}`), owner: null };
  if (other.kind !== 'window' || other.place !== 'previous' || other.of === null) return null;
  const [by, ...more] = other.order;
  if (by === undefined || more.length > 0 || other.within.length > 0 || !sameTerm(one, other.of)) return null;
  const of = r.noun(one);
  const tail = `in ${singularText(of)} from the previous ${singularText(r.noun(by.of))}`;
  return noun('change', { tail, owner: of.owner });
}

/** The same number of other rows, after the first: the number or the total with another given type; null for other numbers. */
function sameNumber(one: Term, other: Term, r: Realizer, of = ''): string | null {
  if (
    r.style === 'description' ||
    !(one.kind === 'count' || one.kind === 'summary') ||
    one.kind !== other.kind
  )
    return null;
  if (other.where === null || !sameTerm({ ...one, where: null }, { ...other, where: null })) return null;
  if (other.kind === 'count')
    return isThing(other.of)
      ? `the number ${countLimits(other, other.of, r).replace(/^of /, 'of those of ')}`
      : null;
  const { owner, scale } = r.noun({ ...other, where: null });
  if (one.where === null || !/^(total|average)$/.test(other.name)) return null;
  return joinTexts(`the ${summaryWord(other, scale)}`, of, r.about(owner).adjuncts([other.where]));
}

/** Whether a phrase ends in an addition or subtraction, so that "divided by" would apply to its last part only. */
function isTaken(np: NounPhrase): boolean {
  return / (plus|minus) /.test(singularText(np));
}

/** A phrase, in brackets if it would be ambiguous without. */
function enclosed(np: NounPhrase): string {
  const text = singularText(np);
  return / (plus|minus|times|divided by|and) /.test(text) ? `(${text})` : text;
}

/** A fixed value in words: a text in quotes, a moment as its date. */
export function constantText({ text, type }: Extract<Term, { kind: 'constant' }>): string {
  if (text === null) return { text: 'a fixed text', time: 'a fixed date' }[type as 'text'] ?? 'a fixed value';
  if (text === '') return 'an empty text';
  if (type === 'time') return text.slice(0, 10);
  return type === 'text' && !/^\d{4}-\d\d-\d\d$/.test(text) ? `"${text}"` : text;
}

function oneOfNoun({ cases, otherwise, by }: OneOf, r: Realizer): NounPhrase {
  const text = (of: Term) => singularText(r.noun(of));
  const label = (what: string) => fixedText(what, { scale: 'text' });
  const results = [...cases.map(({ result }) => result), ...(otherwise === null ? [] : [otherwise])];
  const constants = results.every(({ kind }) => kind === 'constant');
  if (by !== null && (cases.length > 4 || (constants && cases.length > 1)))
    return label(`label for ${text(by)}`);
  const [first] = cases;
  if (cases.length > 4 && first !== undefined)
    return label(`label by whether ${r.clause(first.when)} and so on`);
  const known = cases.filter(({ result }) => result.kind !== 'constant' || result.type !== 'null');
  const [only, ...others] = known;
  const unshown = results.every((one) => one.kind === 'constant' && one.text === null);
  if (unshown && only !== undefined && others.length === 0)
    return label(`label by whether ${r.clause(only.when)}`);
  const parts = known.map(({ when, result }) => `${text(result)} if ${r.clause(when)}`);
  const none = otherwise === null || (otherwise.kind === 'constant' && otherwise.type === 'null');
  const all = [...parts, ...(none ? [] : [`else ${text(otherwise)}`])].join(', ');
  return label(constants ? `label (${all})` : all);
}

/** Characters of a text: the first 3, 7 to 8, from 5 on. */
function pieceNoun({ of, from, count, mark, computed }: Piece, r: Realizer): NounPhrase {
  const np = r.noun(of);
  const piece = (head: string, lead: string, which: string, rest = '') =>
    noun(head, {
      lead,
      tail: joinTexts(which, `of ${singularText(np)}`, rest),
      scale: 'text',
      owner: np.owner,
    });
  const characters = (lead: string, which: string) => piece('characters', lead, which);
  if (mark !== null) {
    const where = `${mark.side} ${singularText(r.noun(mark.text))}`;
    return count === null ? piece('part', '', '', where) : piece('characters', `first ${count}`, '', where);
  }
  if (computed !== null) {
    const begins = `from character (${singularText(r.noun(computed.from))}) on`;
    const long = computed.count === null ? '' : `, (${singularText(r.noun(computed.count))}) characters long`;
    return piece('part', '', '', `${begins}${long}`);
  }
  if (from === null) return piece('part', '', '');
  if (from < 0) {
    const all = count === null || count >= -from;
    return all ? characters(`last ${-from}`, '') : characters(`${count}`, `from ${-from} before the end`);
  }
  const start = Math.max(from, 1);
  const length = count === null ? null : from === 0 ? count - 1 : count;
  if (length === null) return characters('', `from ${start} on`);
  if (length === 1) return start === 1 ? piece('character', 'first', '') : piece('character', '', `${start}`);
  return start === 1
    ? characters(`first ${length}`, '')
    : characters('', `${start} to ${start + length - 1}`);
}

function fallbackNoun({ how, items }: Fallback, r: Realizer): NounPhrase {
  const phrases = items.map((item) => r.noun(item));
  const [first, ...others] = phrases;
  if (first === undefined) return fixedText('value');
  const rest = others.map(singularText);
  const constant = items.findIndex(({ kind }) => kind === 'constant' || kind === 'given');
  const [value, bound] = constant === 0 ? [phrases[1], first] : [first, phrases[constant]];
  switch (how) {
    case 'greatest':
    case 'least':
      if (items.length === 2 && value !== undefined && bound !== undefined && constant >= 0)
        return behind(value, `(at ${how === 'least' ? 'most' : 'least'} ${singularText(bound)})`);
      return noun(how, { tail: `of ${listed(phrases.map(singularText))}`, scale: first.scale });
    case 'known':
      return behind(first, `(${constant > 0 ? '' : 'or '}${rest.join(' or ')} if missing)`);
    case 'unless':
      return behind(first, `other than ${rest.join(' or ')}`);
  }
}

function windowNoun(term: WindowTerm, r: Realizer): NounPhrase {
  const text = (of: Term) => singularText(r.noun(of));
  const overall = term.rank === null && term.place === null && term.reach === 'all' ? 'over all rows' : '';
  const within = term.within.length === 0 ? overall : `within each ${listed(term.within.map(text))}`;
  const sorts = term.order.filter((sort, i) => term.order.findIndex(({ of }) => sameTerm(of, sort.of)) === i);
  if (term.rank !== null) {
    const by = sorts.map(({ of, direction }) => {
      const np = r.noun(of);
      const order = orderText(np.scale, direction, np.head.join(' '));
      return joinTexts(singularText(np), order === '' ? '' : `(${order})`);
    });
    return noun(term.rank, { tail: joinTexts(by.length === 0 ? '' : `by ${listed(by)}`, within) });
  }
  const own = term.of === null ? fixedText('value') : r.noun(term.of);
  // The running sum of totals is the running total.
  const of = term.reach === 'running' ? { ...own, lead: own.lead.replace(/^combined total/, 'total') } : own;
  const lead = term.place ?? (term.reach === 'all' ? '' : term.reach);
  const over = term.frame === null ? '' : `over ${term.frame}`;
  const keys = sorts.map(({ of: key, direction }) =>
    joinTexts(text(key), direction === 'desc' ? 'descending' : ''),
  );
  // Totals run over time, and what comes before is the previous, in any style but the exact one.
  const [by] = sorts;
  const runs = term.reach === 'running' || term.place === 'previous' || term.place === 'next';
  const isPlain =
    runs &&
    r.style !== 'description' &&
    sorts.length === 1 &&
    by?.direction === 'asc' &&
    isTime(r.noun(by.of));
  const order = lead === '' || keys.length === 0 || isPlain ? '' : `in the order of ${listed(keys)}`;
  return { ...behind(of, joinTexts(over, order, within)), lead: joinTexts(lead, of.lead) };
}

function isTime(np: NounPhrase): boolean {
  return isMoment(np.scale) || /(^| )(year|quarter|month|week|day|date|time|period)$/.test(np.head.join(' '));
}

/** A sort key with its direction: score, highest first. */
export function sortText({ of, direction }: Sort, r: Realizer): string {
  const np = r.noun(of);
  const { highest, lowest } = r.style === 'description' ? {} : wordsFor(of);
  const own = direction === 'desc' ? highest : lowest;
  const order = own === undefined ? orderText(np.scale, direction, np.head.join(' ')) : `${own} first`;
  // Rows are sorted by a key to have some order.
  const isKey = direction === 'asc' && np.scale === 'number' && /^ID$/.test(np.head.at(-1) ?? '');
  if (order === '' || isKey) return singularText(np);
  return joinTexts(singularText(np) + (np.scale === 'text' ? '' : ','), order);
}
