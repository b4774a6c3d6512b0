import { type CompareOp, type Expr, keyTable, leftmost, type Query } from '../../../sql/index.ts';
import { collect, type Fact, type Telling } from './facts.ts';
import { extendsParent, isLinkTable } from './joins.ts';
import { asAggregate, bare } from './patterns.ts';
import { type Phrase, plainPhrase } from './phrase.ts';
import { phraseOf } from './phrase-of.ts';
import { filtersOf } from './plain-joins.ts';
import { selectConditions } from './query-text.ts';
import { bestText, type Ranking, rankingOf, superlative } from './ranking.ts';
import { shownTable } from './shown-table.ts';

/** `x = (SELECT MAX(x) …)`, `x > (SELECT AVG(x) …)`, or something else's value. */
export function againstQuery(op: CompareOp, left: Expr, query: Query, telling: Telling): readonly Fact[] {
  const of = phraseOf(left, telling);
  const first = leftmost(query);
  if (first.kind !== 'select') return [];
  const inside = collect(query, telling).filter((fact) => fact.kind === 'extreme');
  const value = first.columns[0]?.expr;
  const aggregate = value === undefined ? null : asAggregate(value);
  const whole = first.from.every(({ source }) => source.kind === 'table');
  const ofAll =
    whole && filtersOf(first, telling.speaker.origins).length === 0 && outerConditions(telling) > 1;
  // The highest score is one of scores; the highest of something else is compared with.
  const [arg] = aggregate?.args ?? [];
  const own = asAggregate(left)?.name === 'avg' ? asAggregate(left)?.args[0] : undefined;
  const alike =
    arg !== undefined && phraseOf(arg, { ...telling, query }).text === phraseOf(own ?? left, telling).text;
  if ((op === '=' || op === 'is') && (aggregate === null || (alike && /^(max|min)$/.test(aggregate.name)))) {
    if (aggregate !== null) {
      const direction = aggregate.name === 'max' ? 'desc' : 'asc';
      return [...inside, { ...extreme(of, direction), owners: ownersOf(left, telling), ofAll }];
    }
    const ranking = rankingOf(query, { ...telling, query });
    if (ranking !== null)
      return [
        ...inside,
        {
          kind: 'extreme',
          ranking,
          owners: '',
          ofAll: false,
          of:
            isWhole(left, query, telling) || ranking.of.text === of.text ? null : ranked(of, query, telling),
        },
      ];
    return inside;
  }
  if (aggregate?.name === 'avg' && alike && /^[<>]/.test(op)) {
    const among = selectConditions(first, { ...telling, nameOf: null });
    return [...inside, { kind: 'average', of, side: op.startsWith('>') ? 'above' : 'below', among, ofAll }];
  }
  if (value === undefined) return inside;
  const right = phraseOf(value, { ...telling, query });
  const ranking = rankingOf(query, { ...telling, query });
  return [
    ...inside,
    { kind: 'comparison', left: of, op, right: ranking === null ? right : ofTheBest(right, ranking) },
  ];
}

/** Whose column it is that has the extreme, where the rows only refer to them: the users. */
function ownersOf(column: Expr, { query, speaker }: Telling): string {
  const base = speaker.origins.baseColumn(bare(column));
  if (base === null || speaker.roleOf(base.source) !== null) return '';
  const own = speaker.edges.filter(({ child, parent }) =>
    [child.source, parent.source].includes(base.source),
  );
  const apart = own.length > 0 && !own.some((edge) => extendsParent(edge, speaker.origins));
  const first = leftmost(query);
  const columns = first.kind === 'select' ? first.columns : [];
  const shown = columns.flatMap(({ expr }) => speaker.origins.baseColumn(expr)?.table ?? []);
  const known = shown.length > 0 ? shown : [speaker.rowTable(query)];
  const { one, many } = speaker.noun(base.table);
  // Players have what their attributes say.
  const said = known.some(
    (table) => table !== null && speaker.noun(table).one.every((word, i) => one[i] === word),
  );
  return !apart || said || isLinkTable(base.table) ? '' : many.join(' ');
}

function outerConditions(telling: Telling): number {
  return telling.query.kind === 'select' ? filtersOf(telling.query, telling.speaker.origins).length : 0;
}

/** age with highest salary: what the subquery's one row holds */
function ofTheBest(of: Phrase, ranking: Ranking): Phrase {
  return {
    ...of,
    noun: [...of.noun, ...superlative(ranking)],
    text: `${of.text} of the one ${bestText(ranking)}`,
  };
}

/** What ranks first: the value asked for, or another table's row that has it: the post whose owner it is. */
function ranked(of: Phrase, query: Query, { query: outer, speaker }: Telling): Phrase {
  const first = leftmost(query);
  const shown = first.kind === 'select' ? first.columns[0]?.expr : undefined;
  if (first.kind !== 'select' || first.groupBy.length > 0 || shown === undefined) return of;
  const table = speaker.rowTable(query);
  const known = [speaker.rowTable(outer), shownTable(outer, { speaker })];
  if (table === null || known.includes(table)) return of;
  const { one, many } = speaker.noun(table);
  // What is no word is called by its key.
  return many.at(-1) === 'records' && keyTable(bare(shown), speaker.origins) === table
    ? of
    : plainPhrase(one);
}

/** Whether `x = (SELECT y … LIMIT 1)` says of rows themselves that they rank first. */
function isWhole(left: Expr, query: Query, { query: outer, speaker }: Telling): boolean {
  const key = keyTable(bare(left), speaker.origins);
  if (key === null || query.kind !== 'select') return false;
  // Of the rows themselves, or of groups of other rows that they stand for.
  const itself = query.groupBy.length > 0 || speaker.rowTable(query) === key;
  return itself && [speaker.rowTable(outer), shownTable(outer, { speaker })].includes(key);
}

function extreme(of: Phrase, direction: Ranking['direction']): Extract<Fact, { kind: 'extreme' }> {
  return {
    kind: 'extreme',
    of: null,
    owners: '',
    ofAll: false,
    ranking: { of, direction, rows: 'one', nth: false, skipped: 0, limit: null, ties: true },
  };
}
