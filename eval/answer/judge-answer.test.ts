import { describe, expect, test } from 'vitest';
import type { Row } from '../../contracts/catalog.ts';
import { type Json, parseJson } from '../json/lossless.ts';
import { type AnswerGold, judgeAnswer, judgeRows } from './judge-answer.ts';

function gold(rows: Row[], more: Partial<AnswerGold> = {}): AnswerGold {
  return {
    gold_answer: rows,
    gold_columns: (rows[0] ?? ['x']).map((_, i) => `column_${i}`),
    order_groups: null,
    input: 'Which?',
    evidence: '',
    query: 'SELECT 1',
    ...more,
  };
}

const fair = (of: AnswerGold, answer: Json) => judgeAnswer(of, answer).fair;
const visits = gold(
  [
    ['Ann', 12],
    ['Bob', 9],
  ],
  { gold_columns: ['name', 'COUNT(*)'], input: 'How many visits did each vet have?' },
);
const single = (value: Row[number], input = 'How many clinics are there?', query = 'SELECT 1') =>
  gold([[value]], { gold_columns: ['x'], input, query });

describe('strict', () => {
  test.each<[string, AnswerGold, string]>([
    ['rows', visits, '[["Bob",9],["Ann",12]]'],
    ['a list for one column', gold([['a'], ['b']]), '["b","a"]'],
    ['a single value', single(12), '12'],
    ['a number in another spelling', single(12), '12.0'],
    ['a text', single('Alameda'), '"Alameda"'],
    ['text of JSON', visits, '"[[\\"Ann\\", 12], [\\"Bob\\", 9]]"'],
    ['a text of digits', single('12'), '"12"'],
    ['nothing', gold([]), '[]'],
    ['NULL', single(null), '[[null]]'],
    ['a real off by 1e-12', single(0.1), '0.1000000000001'],
  ])('takes %s', (_, of, answer) => {
    expect(judgeAnswer(of, parseJson(answer))).toEqual({ strict: true, fair: true });
  });

  test.each<[string, AnswerGold, string]>([
    ['objects', visits, '[{"name":"Bob","visits":9},{"name":"Ann","visits":12}]'],
    ['numbers as text', visits, '[["Bob","9"],["Ann","12"]]'],
    ['a boolean', single(1, 'Is it open?'), 'true'],
    ['text around the value', single(8), '"There are 8."'],
  ])('leaves %s to the fair verdict', (_, of, answer) => {
    expect(judgeAnswer(of, parseJson(answer))).toEqual({ strict: false, fair: true });
  });
});

describe('a fair judge takes', () => {
  const byYear = gold(
    [
      ['2024', 131],
      ['2023', 158],
    ],
    { order_groups: [0, 1], input: 'How many fines were there each year, the latest first?' },
  );
  const blank = gold([
    ['Ann', ''],
    ['Bob', null],
    ['Cid', 'Graz'],
  ]);
  const sums = gold([[20.050000000000004], [20.05], [20.049999999999997]], { input: 'What are the sums?' });
  const costs = gold([[123], [123.04], [77.5]], { input: 'What are the costs?' });
  const grades = gold([['1'], [3], ['high'], [1]], { input: 'Which severities are there?' });

  test.each<[string, AnswerGold, string]>([
    ['values by year, an order that JSON objects lose in JavaScript', byYear, '{"2024": 131, "2023": 158}'],
    ['so does an order of groups', byYear, '{"fines": {"2024": 131, "2023": 158}}'],
    [
      'a drawn table with empty texts, and NULL',
      blank,
      '"|n|t|\\n|---|---|\\n|Ann||\\n|Bob|NULL|\\n|Cid|Graz|"',
    ],
    ['a drawn table with nothing for both', blank, '"|n|t|\\n|---|---|\\n|Ann||\\n|Bob||\\n|Cid|Graz|"'],
    [
      'noise of reals, one after the other',
      sums,
      '{"sum": ["20.05", "20.049999999999997", "20.050000000000004"]}',
    ],
    ['a whole real beside one that rounds to it', costs, '{"cost": [123, 123.04, 77.5]}'],
    ['numbers and texts of a column, all as texts', grades, '["1", "3", "high", "1"]'],
  ])('%s', (_, of, answer) => {
    expect(fair(of, parseJson(answer))).toBe(true);
  });

  test.each<[string, AnswerGold, string]>([
    ['another value of a year', byYear, '{"2024": 158, "2023": 131}'],
    ['rows in another order', byYear, '[["2023", 158], ["2024", 131]]'],
    [
      'NULL for an empty text, where the table has both',
      blank,
      '"|n|t|\\n|---|---|\\n|Ann|NULL|\\n|Bob||\\n|Cid|Graz|"',
    ],
    ['an empty text for NULL in JSON', blank, '[["Ann", ""], ["Bob", ""], ["Cid", "Graz"]]'],
    ['the next whole real', costs, '{"cost": [124, 123.04, 77.5]}'],
    ['one text twice', grades, '["1", "3", "high", "high"]'],
  ])('but not %s', (_, of, answer) => {
    expect(fair(of, parseJson(answer))).toBe(false);
  });

  test.each<[string, AnswerGold, Json]>([
    [
      'objects by name, in any order of keys',
      visits,
      [
        { visits: 12, name: 'Ann' },
        { visits: 9, name: 'Bob' },
      ],
    ],
    ['a dictionary of columns', visits, { visits: [12, 9], name: ['Ann', 'Bob'] }],
    ['a name for each value', visits, { Ann: 12, Bob: 9 }],
    [
      'columns that only their types tell apart',
      visits,
      [
        [12, 'Ann'],
        [9, 'Bob'],
      ],
    ],
    [
      'rows in an object',
      visits,
      {
        rows: [
          ['Ann', 12],
          ['Bob', 9],
        ],
        row_count: 2,
      },
    ],
    [
      'rows and names in an object',
      visits,
      {
        columns: ['visits', 'name'],
        data: [
          [9, 'Bob'],
          [12, 'Ann'],
        ],
      },
    ],
    ['columns as pandas writes them', visits, { name: { 0: 'Ann', 1: 'Bob' }, visits: { 0: 12, 1: 9 } }],
    ['JSON lines', visits, '{"name": "Ann", "visits": 12}\n{"name": "Bob", "visits": 9}'],
    ['Python', visits, "[('Ann', 12), ('Bob', 9)]"],
    ['Python with types', single(4.5), "[(Decimal('4.50'),)]"],
    [
      'a fenced block',
      visits,
      'Here they are:\n```json\n[["Ann", 12], ["Bob", 9]]\n```\nLet me know if you need more.',
    ],
    ['a Markdown table', visits, '| Vet | Visits |\n|---|---:|\n| Ann | 12 |\n| **Bob** | 9 |'],
    [
      'a numbered Markdown table',
      visits,
      '| # | Vet | Visits |\n|---|---|---|\n| 1 | Ann | 12 |\n| 2 | Bob | 9 |',
    ],
    ['a table of psql', visits, ' name | count \n------+-------\n Ann  |    12\n Bob  |     9\n(2 rows)'],
    ['CSV with a head', visits, 'name,visits\nAnn,12\nBob,9'],
    ['CSV without', visits, 'Ann,12\nBob,9'],
    ['a list in lines', gold([['Ann'], ['Bob']]), '- Ann\n- Bob'],
    ['a numbered list with counts', visits, '1. **Ann** – 12 visits\n2. **Bob** – 9 visits'],
    ['values with commas between', gold([['Ann'], ['Bob']]), 'Ann, Bob'],
    ['decomposed letters', single('Zoë'), 'Zoe\u0308'],
    ['a percent sign', single(45.25, 'What percentage is open?'), '45.25%'],
    ['a share as percent', single(0.4525, 'What share?', 'SELECT a / b'), '45.25 %'],
    ['currency and thousands', single(1234.5, 'What does it cost in dollars?'), '$1,234.50'],
    ['continental numbers', single(1234.5), '1.234,50'],
    ['a written date', single('2024-03-05', 'When?'), 'March 5th, 2024'],
    ['a date with a time of midnight', single('2024-03-05', 'When?'), '2024-03-05T00:00:00'],
    ['an ISO date for a written one', single('5 Mar 2024', 'When?'), '2024-03-05'],
    ['yes for 1', single(1, 'Is it open?'), 'Yes, it is open.'],
    ['false for 0', single(0, 'Is it open?'), false],
    ['a sentence', single(8), 'There are 8 clinics.'],
    ['a sentence with the number in words', single(8), 'There are eight clinics.'],
    [
      'a sentence that repeats the question',
      single(8, 'How many clinics have more than 5 beds?'),
      '8 clinics have more than 5 beds.',
    ],
    [
      'a sentence with a date',
      single(8, 'How many clinics opened in March 2024?'),
      'In March 2024, **8** clinics opened.',
    ],
    [
      'a sentence with a text',
      single('Lisbon', 'Which town has the most clinics?'),
      'The town with the most clinics is **Lisbon**.',
    ],
    [
      'a sentence with a list',
      gold([['Ann'], ['Bob'], ['Carl']], { input: 'Who are the vets?' }),
      'The three vets are Ann, Bob and Carl.',
    ],
    ['what is announced as final', single(8), 'First I counted 9 rows, one of them twice.\nFinal answer: 8'],
    ['a box', single(8), 'Hence $\\boxed{8}$'],
    ['none', single(0), 'There are no such clinics.'],
    ['nothing found', gold([]), 'No results.'],
    ['four digits', single(Math.PI), '3.142'],
    ['the digits that were asked for', single(Math.PI, 'What is it, to two decimals?'), 3.14],
    [
      'more digits than the SQL rounds to unasked',
      single(3.14, 'What is it?', 'SELECT ROUND(x, 2)'),
      Math.PI,
    ],
  ])('%s', (_, of, answer) => {
    expect(fair(of, answer)).toBe(true);
  });
});

describe('a fair judge refuses', () => {
  const pair = gold([[3, 12]], { gold_columns: ['beds', 'visits'] });
  test.each<[string, AnswerGold, Json]>([
    ['a swap of columns that could be either', pair, [[12, 3]]],
    ['a swap by name', pair, [{ visits: 3, beds: 12 }]],
    ['a row too many', gold([['a']]), ['a', 'b']],
    ['a row too few', gold([['a'], ['a']]), ['a']],
    [
      'an extra column',
      visits,
      [
        ['Ann', 12, 1],
        ['Bob', 9, 2],
      ],
    ],
    ['nothing for NULL', single(null), []],
    ['0 for nothing', gold([]), '0'],
    ['columns of different lengths', visits, { name: ['Ann'], visits: [12, 9] }],
    ['two numbers', single(8), '8 or 9'],
    ['a negation', single(8), 'It is not 8.'],
    ['a hedge', single(8), 'Probably 8.'],
    ['a question', single(8), '8?'],
    ['a bound', single(8), 'More than 8 clinics.'],
    ['about, for an integer', single(8), 'About 8.'],
    ['a list of guesses', single('Lisbon', 'Which town?'), 'Lisbon, Porto or Faro'],
    ['another value beside', single('Lisbon', 'Which town?'), 'It is Lisbon. Porto is also there.'],
    [
      'a comparison turned round',
      single('Ann', 'Who has more visits, Ann or Bob?'),
      'Bob has more visits than Ann.',
    ],
    ['different structures', single(8), '[[8]] or [[9]]'],
    ['a doubted structure', single(8), 'I guess it is [[8]].'],
    ['a taken-back answer', single(8), 'The answer is 8. Wait, it is 9.'],
    ['a share of something', single(8), '8 of 10'],
    [
      'a part of the question',
      single(5, 'How many clinics have more than 5 beds?'),
      '8 clinics have more than 5 beds.',
    ],
    ['an identifier without its zeros', single('007', 'Which code?'), '7'],
    ['the next integer that a double has', single(9007199254740993n), parseJson('9007199254740992.0')],
    ['an integer that is nearly right', single(1420070400), 1420070401],
    ['too few digits', single(Math.PI), '3.1'],
    ['wrong rounding', single(Math.PI), '3.1415'],
    ['an ambiguous date', single('2024-03-05', 'When?'), '03/05/2024'],
    ['another currency', single(12.5, 'What does it cost in euros?'), '$12.50'],
    ['another unit', single(2, 'How many hours did it take?'), '2 minutes'],
    ['thousands of it', single(12), '12 thousand'],
    ['percent of a count', single(12, 'How many are open?'), '12%'],
    ['a ratio as percent of it', single(0.45, 'What is the ratio?', 'SELECT a / b'), '0.45%'],
    ['true for a count', single(1), true],
    ['the order turned round', gold([['a'], ['b']], { order_groups: [0, 1] }), 'b, a'],
    ['one of several values', gold([['Ann'], ['Bob']], { input: 'Who?' }), 'Ann'],
    ['a refusal', single(8), 'I cannot answer this question.'],
    ['nothing at all', single(8), ''],
    ['null, which is no answer, for a NULL', single(null), null],
  ])('%s', (_, of, answer) => {
    expect(judgeAnswer(of, answer)).toEqual({ strict: false, fair: false });
  });
});

test('names that read alike are distinguished by their exact spelling', () => {
  const rows = [
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ];
  const names = ['UserName', 'user name', 'user_name'];
  const served = ['user_name', 'user_name_2', 'user_name_3'];
  const objects = (keys: string[], of = rows) =>
    of.map((row) => Object.fromEntries(row.map((cell, i) => [keys[i], cell]).reverse()));
  const of = gold(rows, {
    gold_columns: names,
    output_after_executing_api: {
      data: rows.map((row) => Object.fromEntries(row.map((c, i) => [served[i], c]))),
    },
  });
  for (const keys of [names, served]) {
    expect(fair(of, objects(keys))).toBe(true);
    expect(
      fair(
        of,
        objects(
          keys,
          rows.map(([a, b, c]) => [a, c, b] as string[]),
        ),
      ),
    ).toBe(false);
  }
});

test('order counts only where the gold orders, and tied rows may swap', () => {
  const rows = [['a'], ['b'], ['c']];
  const ordered = (groups: number[] | null) => gold(rows, { order_groups: groups });
  for (const answer of [['b', 'a', 'c'], '1. b\n2. a\n3. c']) {
    expect(fair(ordered(null), answer)).toBe(true);
    expect(fair(ordered([0, 1, 2]), answer)).toBe(false);
    expect(fair(ordered([0, 0, 1]), answer)).toBe(true);
  }
});

describe('where LIMIT cuts through tied rows', () => {
  const tied = gold([['a'], ['b'], ['c']], {
    order_groups: [0, 1, 1],
    tied_rows: [{ group: 1, rows: [['b'], ['c'], ['d']] }],
  });
  test.each([
    [['a', 'b', 'c'], true],
    [['a', 'd', 'b'], true],
    [['a', 'd', 'e'], false],
    [['a', 'b', 'b'], false],
    [['b', 'a', 'c'], false],
  ])('%j: %s', (answer, right) => {
    expect(fair(tied, answer)).toBe(right);
  });

  test('inside of the query, the answers of other choices are right too', () => {
    const inner = gold([['a', 1]], { other_answers: [[['b', 2]]] });
    expect(fair(inner, [['b', 2]])).toBe(true);
    expect(fair(inner, [['a', 2]])).toBe(false);
  });
});

test('rows of calls may have their columns in another order only where types tell them apart', () => {
  expect(
    judgeRows(visits, [
      [12, 'Ann'],
      [9, 'Bob'],
    ]),
  ).toEqual({ strict: false, fair: true });
  expect(judgeRows(gold([[3, 12]]), [[12, 3]]).fair).toBe(false);
});

test('rounded values find their rows though several gold values round to the same', () => {
  const rows = Array.from(
    { length: 2000 },
    (_, i): Row => [`n${i}`, Math.PI + (i % 7) * 1e-6 + Math.floor(i / 7)],
  );
  const answer = rows.map(([name, value]) => [name, Number(Number(value).toPrecision(5))] as Json[]);
  expect(fair(gold(rows), answer.reverse())).toBe(true);
  expect(fair(gold(rows), [...answer.slice(1), ['n0', 9.99]])).toBe(false);
});

describe('shapes found in a second review', () => {
  const towns = gold([['Hull'], ['Leeds'], ['York']], {
    gold_columns: ['town'],
    input: 'Which towns have a depot?',
  });
  const runners = gold([['Ann'], ['Bea'], ['Cid']], {
    gold_columns: ['name'],
    input: 'List the runners from first to last.',
    order_groups: [0, 1, 2],
  });
  const teams = gold(
    [
      ['Reds', 5, 3],
      ['Blues', 4, 4],
    ],
    { gold_columns: ['team', 'wins', 'losses'], input: 'For each team give wins and losses.' },
  );
  const sent = single('2023-04-03', 'When was it sent?');
  const closed = single(0, 'Is clinic 6 open at night?');

  test.each<[string, AnswerGold, Json]>([
    ['a row a key, by name', teams, { Reds: { losses: 3, wins: 5 }, Blues: { wins: 4, losses: 4 } }],
    ['a row a key, in order', teams, { Reds: [5, 3], Blues: [4, 4] }],
    [
      'rows under a name of their own',
      teams,
      {
        teams: [
          { team: 'Reds', wins: 5, losses: 3 },
          { team: 'Blues', wins: 4, losses: 4 },
        ],
      },
    ],
    ['a column as a row', towns, [['Hull', 'Leeds', 'York']]],
    ['YAML', towns, '- town: Hull\n- town: Leeds\n- town: York'],
    ['arrows', runners, 'Ann → Bea → Cid'],
    ['ordinals', runners, 'First Ann, then Bea, and last Cid.'],
    ['a denial of what is asked', closed, 'No, it is not open at night.'],
    ['a month in digits', single('2022-07', 'In which month?'), '07/2022'],
    ['the right weekday', sent, 'Monday, 3 April 2023'],
    ['an empty cell of a table', single(null), '| x |\n|---|\n|  |'],
    ['words before a block', single(8), 'I joined tables such as a and b:\n```json\n[[8]]\n```'],
  ])('takes %s', (_, of, answer) => {
    expect(fair(of, answer)).toBe(true);
  });

  test.each<[string, AnswerGold, Json]>([
    ['a row a key, swapped', teams, { Reds: [3, 5], Blues: [4, 4] }],
    ['rows under a name that takes them back', teams, { not_the_answer: { Reds: [5, 3], Blues: [4, 4] } }],
    ['a list left open', towns, 'Hull, Leeds, York, etc.'],
    ['examples', towns, 'e.g. Hull, Leeds, York'],
    ['examples in a sentence', towns, 'Towns such as Hull, Leeds and York have a depot.'],
    ['one label more', towns, 'town: Hull\ntown: Leeds\ntown: York\ntown: Bath'],
    ['a list that counts down', runners, '3. Ann\n2. Bea\n1. Cid'],
    ['arrows the other way', runners, 'Cid → Bea → Ann'],
    ['yes and no', single(1, 'Is it open?'), 'Yes and no'],
    ['a denial of the opposite', closed, 'No, it is not closed at night.'],
    ['another weekday', sent, 'Tuesday, 3 April 2023'],
    ['an empty text for NULL', single(null), ''],
    ['an empty JSON text for NULL', single(null), [['']]],
    ['a code cut off', single('01307', 'What is the postcode?'), '01307-'],
  ])('refuses %s', (_, of, answer) => {
    expect(fair(of, answer)).toBe(false);
  });
});

describe('shapes found in a third review', () => {
  const dated = single('2024-12-21', 'When was the most recent visit?');
  const counted = single(83, 'How many invoices of 2023/Q3 were paid late?', 'SELECT COUNT(*) FROM invoice');
  const towns = gold([['Rye', '110/20']], { gold_columns: ['name', 'kV'], input: 'Which town?' });
  const reals = gold([[3497.3253, 55475.7]], {
    gold_columns: ['AVG(x)', 'MAX(x)'],
    input: 'Average and highest?',
  });

  test.each<[string, AnswerGold, Json]>([
    ['number words', counted, 'Eighty-three invoices were paid late.'],
    ['aligned columns with an index', visits, '  name  visits\n0  Ann      12\n1  Bob       9'],
    [
      'fields and values',
      reals,
      '| Metric | Value |\n|--|--|\n| Highest | 55,475.7 |\n| Average | 3,497.33 |',
    ],
    [
      'a wrapper of any name beside remarks',
      visits,
      {
        vets: [
          ['Ann', 12],
          ['Bob', 9],
        ],
        count: 2,
      },
    ],
    ['a unit that is the name of the column', towns, [['Rye', '110/20 kV']]],
    [
      'words in small letters',
      visits,
      [
        ['ann', 12],
        ['bob', 9],
      ],
    ],
    ['an answer in its tag', counted, 'I first had 82.\n<answer>83</answer>'],
  ])('takes %s', (_, of, answer) => {
    expect(fair(of, answer)).toBe(true);
  });

  test.each<[string, AnswerGold, Json]>([
    ['a condition', counted, 'If rejected ones count, 83.'],
    ['another period', counted, 'In 2023/Q2, 83 invoices were paid late.'],
    ['money for a count', counted, '$83'],
    ['a scale word', counted, 'eighty-three thousand'],
    ['a bound of a date', dated, 'before 2024-12-21'],
    ['about a date', dated, 'around 2024-12-21'],
    ['a reservation', single(1, 'Is it open?'), 'Yes, but not at night.'],
    ['a relation', single('Rye', 'Which town is largest?'), 'The town after Rye.'],
    ['a last digit that is another', reals, [[3497.33, 55475.8]]],
    ['columns named the wrong way round', reals, { highest: 3497.3253, mean: 55475.7 }],
    ['a code in small letters', single('HBC', 'Which code?'), 'hbc'],
  ])('refuses %s', (_, of, answer) => {
    expect(fair(of, answer)).toBe(false);
  });
});

describe('everyday shapes', () => {
  const leaves = single('06:45', 'When does the first ferry leave?');
  const depth = single(-51.4, 'How low is the lowest temperature, in °C?');
  const built = single(2006, 'In which year was the hut built?');
  const extremes = gold([[3.2, 127.85]], {
    gold_columns: ['MIN(km)', 'MAX(km)'],
    input: 'What are the shortest and longest distance?',
  });
  const trees = gold([['Alder'], ['Birch'], ['Cedar']], { input: 'Which trees are there?' });
  const ships = gold(
    [
      ['Aurora', null],
      ['Boreas', '2023-01-31'],
    ],
    { gold_columns: ['name', 'retired'], input: 'Which ships are there, and when were they retired?' },
  );

  test.each<[string, AnswerGold, Json]>([
    ['a time of day', leaves, 'The first ferry leaves at 6:45 am.'],
    ['a time with seconds', leaves, '06:45:00'],
    ['a negative number in words', depth, '51.4 °C below zero'],
    ['a dash as a minus', depth, '–51.4'],
    ['a remark on rounding', single(1234.5678), '1,234.57 (rounded to two decimals)'],
    ['a hyphen that does not break', single('PX-0074b'), 'PX‑0074b'],
    ['a list in HTML', trees, '<ul><li>Alder</li><li>Birch</li><li>Cedar</li></ul>'],
    ['slashes between values', trees, 'Alder / Birch / Cedar'],
    ['a day with a period', single('1987-03-05', 'When was it opened?'), '5. March 1987'],
    ['a sentence on an empty result', gold([]), 'The result set is empty.'],
    [
      'words for a missing date',
      ships,
      '| name | retired |\n|--|--|\n| Aurora | not yet retired |\n| Boreas | 2023-01-31 |',
    ],
    ['labels of extremes', extremes, 'Minimum 3.2, maximum 127.85'],
  ])('%s: right', (_, of, answer) => {
    expect(fair(of, answer)).toBe(true);
  });

  test.each<[string, AnswerGold, Json]>([
    ['the other half of the day', leaves, '6:45 pm'],
    ['a range of times', leaves, '06:45-07:15'],
    ['half of the number', single(37), 'half of 37'],
    ['per mille', single(62.5, 'What percentage is it?'), '62.5‰'],
    ['a bound of a year', built, 'before 2006'],
    ['a latest day', single('1987-03-05', 'When was it opened?'), 'by 5 March 1987'],
    ['alternatives', extremes, '3.2 or 127.85'],
    ['a list that goes on', trees, 'Alder, Birch, Cedar, ...'],
    ['both answers', single(1, 'Is it open?'), 'yes or no'],
    ['no longer', single(1, 'Is it open?'), 'Yes, it was, until 2010.'],
    ['no idea', single('no', 'Is it open?'), 'no idea'],
  ])('%s: wrong', (_, of, answer) => {
    expect(fair(of, answer)).toBe(false);
  });
});
