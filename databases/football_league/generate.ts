import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { applyRulings, growRulings, printTables } from './board.ts';
import { growMatches } from './fixtures.ts';
import { growInjuries, growPlay } from './play.ts';
import { growSquads } from './squads.ts';

/** Grows the rows of the league's office. */
export function generateFootballLeague(source: Source): TableRows[] {
  const clubIds = source.rows('clubs.csv').map((row) => Number(row('id')));
  const { players, contracts } = growSquads(source, clubIds);
  const matches = growMatches(source);
  const rulings = growRulings(matches);
  const { appearances, goals, cards } = growPlay(matches, players, contracts);
  const clubs = source.copy('clubs.csv', ['id', 'name', 'nickname', 'town', 'founded', 'ground', 'capacity']);
  return [
    { table: 'club', rows: clubs },
    { table: 'season', rows: source.copy('seasons.csv', ['season', 'start', 'end', 'note']) },
    { table: 'player', rows: rowsOf(players) },
    { table: 'contract', rows: rowsOf(contracts) },
    { table: 'referee', rows: growReferees(source) },
    { table: 'match', rows: rowsOf(applyRulings(matches, rulings)) },
    { table: 'ruling', rows: rowsOf(rulings) },
    { table: 'goal', rows: goals },
    { table: 'card', rows: cards },
    { table: 'appearance', rows: rowsOf(appearances) },
    { table: 'injury', rows: rowsOf(growInjuries(players)) },
    { table: 'printed_table', rows: printTables(matches, rulings) },
  ];
}

function growReferees(source: Source) {
  const random = createRandom('football_league/referee');
  return source
    .words('referees.txt')
    .map((name, i) => [i + 1, name, random.pick([1, 1, 2, 2, 3]), random.int(1998, 2017)]);
}
