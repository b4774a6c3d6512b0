import type { Condition, Scale, Summary, Term, Thing, Words } from './clause.ts';
import { isThing } from './lists.ts';
import { partWords } from './moments.ts';
import { parameterRealizer } from './realize.ts';
import { RELATIONS } from './relations.ts';
import { isOfSubject, summaryWord } from './terms.ts';
import { COUNTS, commonWords, joinedAnd, plural, sameWords, singular, upTo } from './words.ts';

/**
 * The role of a term in an identifier: what a query returns (`count_films`), a quantity among others
 * (`film_count`), or the key of a result column (`count`).
 */
export type Form = 'head' | 'noun' | 'short';

/** The words of a term in an identifier. */
export function wordsOf(term: Term, form: Form = 'noun'): Words {
  switch (term.kind) {
    case 'property':
      return form === 'short' || term.clear ? term.own.words : term.full.words;
    case 'count': {
      const { of } = term;
      const { one, many } = isThing(of) ? of : { one: singular(wordsOf(of)), many: plural(wordsOf(of)) };
      const different = term.distinct && !isThing(of) ? ['distinct'] : [];
      const tail = [
        ...(term.having === null ? [] : ['with', ...term.having.thing.many]),
        ...withWords(term.where, isThing(of) ? of : null),
      ];
      if (form === 'head') return ['count', ...different, ...many, ...tail];
      if (form === 'short') return term.where === null ? ['count'] : [...aboutWords(term.where), 'count'];
      return [...different, ...one, 'count'];
    }
    case 'summary':
      return summaryWords(term, form);
    case 'share': {
      const all = isThing(term.of) ? term.of.many : wordsOf(term.of);
      const word = term.percent ? 'percentage' : 'share';
      if (form === 'short') return [word];
      return form === 'head'
        ? [word, 'of', ...all, ...withWords(term.where, isThing(term.of) ? term.of : null)]
        : [word, ...withWords(term.where)];
    }
    case 'ratio': {
      const [top, bottom] = [wordsOf(term.top), wordsOf(term.bottom)];
      const word = term.percent ? 'percentage' : 'ratio';
      if (form === 'short' && sameWords(top, bottom)) return [word];
      return sameWords(top, bottom)
        ? [...top, word]
        : upTo(8, [...top, 'to', ...bottom, word], [...top, word]);
    }
    case 'change': {
      const [from, to] = [wordsOf(term.from), wordsOf(term.to)];
      const common = commonWords([from, to]);
      return [...(common.length > 0 ? common : to), term.loss ? 'decrease' : 'growth'];
    }
    case 'per_owner':
      return term.average
        ? ['average', ...wordsOf(term.of)]
        : [...wordsOf(term.of), 'per', ...term.owner.one];
    case 'arithmetic':
      return arithmeticWords(term);
    case 'date_part':
      return partWords(term.part, wordsOf(term.of, form));
    case 'moved': {
      const tail = term.shifts.flatMap((shift) =>
        shift.kind === 'by'
          ? [shift.sign, shift.count, shift.unit]
          : shift.kind === 'start'
            ? [shift.unit, 'start']
            : [shift.kind === 'weekday' ? 'weekday' : 'moved'],
      );
      return [...wordsOf(term.of, form), ...tail];
    }
    case 'duration': {
      if (term.to.kind === 'constant') return [term.unit, 'since', ...wordsOf(term.from)];
      if (term.from.kind === 'constant') return [term.unit, 'until', ...wordsOf(term.to)];
      return upTo(8, [term.unit, 'from', ...wordsOf(term.from), 'to', ...wordsOf(term.to)], [term.unit]);
    }
    case 'age':
      return term.of.kind === 'property' && !term.of.clear && form !== 'short'
        ? [...(term.of.owner?.one ?? []), 'age']
        : ['age'];
    case 'constant':
      return term.type === 'number' && term.text !== null
        ? numberWords(term.text)
        : term.type === 'time'
          ? ['reference', 'time']
          : ['fixed', 'value'];
    case 'given':
      return ['number'];
    case 'check':
      return checkWords(term.condition);
    case 'one_of': {
      const results = [
        ...term.cases.map(({ result }) => result),
        ...(term.otherwise === null ? [] : [term.otherwise]),
      ];
      const computed = results.filter(({ kind }) => kind !== 'constant');
      const lists = computed.map((result) => wordsOf(result, form));
      const [first = [], second = first] = lists;
      if (lists.length > 0)
        return sameWords(first, second)
          ? first
          : (common(lists) ?? upTo(6, [...first, 'or', ...second], first));
      const about =
        term.by === null ? term.cases.slice(0, 1).flatMap(({ when }) => aboutWords(when)) : wordsOf(term.by);
      return [
        ...about,
        results.every((one) => one.kind === 'constant' && one.type !== 'text') ? 'value' : 'label',
      ];
    }
    case 'derived': {
      const of = wordsOf(term.of, form === 'head' ? 'noun' : form);
      // Only the description says how a text is written.
      if (/^((lower|upper)-case|trimmed)$/.test(term.word)) return of;
      if (term.place === 'before') return [term.word, ...of];
      if (term.place === 'after') return wordsOf(term.of, form);
      if (term.word === 'field') return [...of, ...fieldWords(term.more[0])];
      return term.word === 'whole part'
        ? ['whole', ...wordsOf(term.of, form)]
        : [...of, ...(term.word === 'square' ? ['squared'] : term.word.split(' '))];
    }
    case 'piece':
      return [...wordsOf(term.of, form), term.from === 1 && term.count === 1 ? 'initial' : 'part'];
    case 'fallback':
      return term.items[0] === undefined
        ? ['value']
        : wordsOf(term.items.find(({ kind }) => kind !== 'constant') ?? term.items[0], form);
    case 'joined_text': {
      if (term.person !== null) return term.person.words;
      const lists = term.items
        .filter(({ kind }) => kind !== 'constant')
        .slice(0, 2)
        .map((item) => wordsOf(item));
      return upTo(7, joinedAnd(lists), lists[0] ?? ['text']);
    }
    case 'window': {
      if (term.rank !== null) return term.rank.split(' ');
      const lead = term.place ?? (term.reach === 'all' ? null : term.reach);
      return [...(lead === null ? [] : [lead]), ...(term.of === null ? ['value'] : wordsOf(term.of))];
    }
    case 'query': {
      const [first] = term.query.kind === 'list' ? term.query.columns : [];
      return first === undefined ? ['value'] : wordsOf(first, form);
    }
    case 'tuple':
      return joinedAnd(term.items.map((item) => wordsOf(item)));
  }
}

/** The path of a field in a JSON text: `$.owner.name` is owner name. */
function fieldWords(path: Term | undefined): Words {
  const words = path?.kind === 'constant' ? (path.text ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean) : [];
  return words.length > 0 ? words : ['field'];
}

function common(lists: readonly Words[]): Words | null {
  const words = commonWords(lists);
  return words.length > 0 ? words : null;
}

const MEANING: Readonly<Record<string, string>> = { total: 'sum', average: 'mean' };

function summaryWords(term: Summary, form: Form): Words {
  const of = wordsOf(term.of, form === 'short' ? 'short' : 'noun');
  const tail = form === 'head' ? withWords(term.where) : [];
  if (term.name === 'list') return ['joined', ...plural(of), ...tail];
  const name = summaryWord(term, scaleOf(term.of));
  const word = { highest: 'max', lowest: 'min' }[name] ?? name;
  const [first, ...rest] = of;
  const again = first?.toLowerCase();
  if (again === name || again === word)
    return MEANING[word] === undefined ? [word, ...rest, ...tail] : [MEANING[word], ...rest, ...tail];
  return [word, ...of, ...tail];
}

const plain = parameterRealizer();

/** The scale of a term's values. */
export function scaleOf(term: Term): Scale {
  return plain.noun(term).scale;
}

function arithmeticWords({ op, items, step }: Extract<Term, { kind: 'arithmetic' }>): Words {
  const [first = [], second = [], ...others] = items.map((item) => wordsOf(item));
  if (step !== null) return ['rounded', ...first];
  const constant = items.some(({ kind }) => kind === 'constant' || kind === 'given');
  const lists = [first, second, ...others];
  const shared = commonWords(lists).filter((word) => !/^(in|of|for|to|from|and)$/.test(word));
  switch (op) {
    case '-':
      if (!constant && shared.length > 0) return [...shared, 'difference'];
      return upTo(8, [...first, 'minus', ...second], ['difference']);
    case '+':
      if (constant || shared.length === 0)
        return upTo(
          7,
          lists.flatMap((words, i) => (i === 0 ? words : ['plus', ...words])),
          ['total'],
        );
      return ['total', ...shared];
    case '*':
      return upTo(
        8,
        lists.flatMap((words, i) => (i === 0 ? words : ['times', ...words])),
        [...first, 'product'],
      );
    case '/':
      return upTo(8, [...first, 'divided', 'by', ...second], [...first, 'divided']);
    case '%':
      return [...first, 'remainder'];
  }
}

/** A number in a name, which never begins with a digit. */
function numberWords(written: string): Words {
  if (written.startsWith('-')) return ['minus', written.slice(1)];
  const number = Number(written);
  if (number === 0) return ['zero'];
  return [number <= 10 ? (COUNTS[number] ?? written) : written];
}

function withWords(where: Condition | null, named: Thing | null = null): Words {
  const items = where?.kind === 'all' ? where.items : where === null ? [] : [where];
  const kept = items.filter((one) => !isBound(one));
  const [only, ...others] = kept;
  if (only === undefined) return [];
  const condition: Condition = others.length === 0 ? only : { kind: 'all', items: kept };
  return ['with', ...flagWords(aboutWords(condition, named))];
}

/** Whether a condition's parameter says all of it: above score. */
function isBound(condition: Condition): boolean {
  return (
    condition.kind === 'compare' &&
    /^(above|below)$/.test(condition.relation) &&
    condition.to.kind === 'given'
  );
}

/** The words of a term in a name that has its rows: posts with score, not with post score. */
export function wordsAmong(named: Thing | null, term: Term): Words {
  const column = term.kind === 'date_part' ? term.of : term;
  return wordsOf(term, column.kind === 'property' && isOfSubject(column, named) ? 'short' : 'noun');
}

/** is promo → promo status */
export function flagWords([first = '', ...rest]: Words): Words {
  return first === 'is' && !rest.includes('and') ? [...rest, 'status'] : [first, ...rest];
}

/** The words of a condition's subject: gender, mtgo code. */
function aboutWords(condition: Condition, named: Thing | null = null): Words {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const lists = condition.items.slice(0, 3).map((one) => aboutWords(one, named));
      const different = lists.filter((words, i) => lists.findIndex((other) => sameWords(other, words)) === i);
      return different.flatMap((words, i) => (i === 0 ? words : ['and', ...words]));
    }
    case 'not':
      return aboutWords(condition.item, named);
    case 'exists':
      return condition.thing.many;
    case 'constant':
      return ['value'];
    default:
      return wordsAmong(named, condition.of);
  }
}

function checkWords(condition: Condition): Words {
  if (condition.kind === 'compare') {
    const { of, to, relation } = condition;
    if (to.kind !== 'given' && to.kind !== 'constant')
      return upTo(7, [...wordsOf(of), 'versus', ...wordsOf(to)], ['comparison']);
    if (of.kind === 'count' && to.kind === 'constant' && RELATIONS[relation].sign.startsWith('>')) {
      return [
        'has',
        ...(of.where === null ? (isThing(of.of) ? of.of.many : wordsOf(of.of)) : aboutWords(of.where)),
      ];
    }
  }
  const about = aboutWords(condition);
  if (condition.kind === 'known') return [condition.negated ? 'lacks' : 'has', ...about];
  return /^(is|has|was|can)$/i.test(about[0] ?? '') ? about : [...about, 'matches'];
}
