import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const choirs = restFixture(`
  CREATE TABLE town (town_id INTEGER PRIMARY KEY, town_name TEXT, region TEXT);
  CREATE TABLE choir (choir_id INTEGER PRIMARY KEY, title TEXT, leader TEXT, style TEXT, members INTEGER, town_id INTEGER REFERENCES town(town_id));
  INSERT INTO town VALUES (1, 'A', 'N'), (2, 'B', 'N');
  INSERT INTO choir VALUES (1, 'X', 'L', 'S', 5, 1), (2, 'X', 'M', 'S', 6, 1), (3, 'Y', 'L', 'T', 7, 2);
`);

test.each([
  [
    'what is not grouped by is some row’s of the group',
    'SELECT leader FROM choir GROUP BY style ORDER BY COUNT(*) DESC LIMIT 1',
    'choir_leader_of_style_with_most_choirs',
    'The leader of the style with the most choirs',
  ],
  [
    'one of each group',
    'SELECT choir_id FROM choir GROUP BY style HAVING COUNT(*) > 2',
    'choir_ids_per_style_by_min_choir_count',
    'IDs of choirs (one per style) with number of choirs above a given value',
  ],
  [
    'numbers are told of what is grouped by',
    'SELECT leader, style, MAX(members) FROM choir GROUP BY style',
    'max_members_per_style',
    'Highest members per style (with leader)',
  ],
  [
    'whether it is shown or not',
    'SELECT leader, COUNT(*) FROM choir GROUP BY style',
    'count_choirs_per_style',
    'Number of choirs per style (with leader)',
  ],
  [
    'a row is told by its name',
    'SELECT t.town_name, t.region, COUNT(*) FROM town t JOIN choir c ON c.town_id = t.town_id GROUP BY t.town_id',
    'count_choirs_per_town',
    'Number of choirs per town',
  ],
  [
    'not by what it shares with others',
    'SELECT t.region, COUNT(*) FROM town t JOIN choir c ON c.town_id = t.town_id GROUP BY t.town_id',
    'count_choirs_per_town',
    'Number of choirs per town (with region)',
  ],
  [
    'of whom it is shown',
    'SELECT t.region FROM town t JOIN choir c ON c.town_id = t.town_id GROUP BY t.town_id ORDER BY COUNT(*) DESC LIMIT 1',
    'town_region_with_most_choirs',
    'The region of the town with the most choirs',
  ],
  [
    'a name that rows share is no row',
    'SELECT title FROM choir GROUP BY title HAVING COUNT(*) > 1',
    'choir_titles_by_min_choir_count',
    'Choir titles with number of choirs above a given value',
  ],
])('%s', (_, sql, name, summary) => {
  const [endpoint] = choirs.lower(sql).endpoints;
  expect([endpoint?.name, endpoint?.summary]).toEqual([name, summary]);
});
