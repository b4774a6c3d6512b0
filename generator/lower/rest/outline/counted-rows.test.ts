import { expect, test } from 'vitest';
import { restFixture } from '../rest-fixture.ts';

const library = restFixture(`
  CREATE TABLE reader (reader_id INTEGER PRIMARY KEY, reader_name TEXT, age INTEGER);
  CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT, pages INTEGER);
  CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, branch_name TEXT);
  CREATE TABLE favourite (
    reader_id INTEGER REFERENCES reader(reader_id), book_id INTEGER REFERENCES book(book_id),
    PRIMARY KEY (reader_id, book_id)
  );
  CREATE TABLE holding (
    holding_id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book(book_id), branch_id INTEGER REFERENCES branch(branch_id)
  );
  CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES reader(reader_id), day INTEGER);
  CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES reader(reader_id), fee REAL);
`);

test.each([
  [
    'what one end is tied to',
    "SELECT COUNT(*) FROM favourite f JOIN reader r ON f.reader_id = r.reader_id WHERE r.reader_name = 'x'",
    'count_books_by_reader_name',
  ],
  [
    'the same of each group',
    'SELECT b.title, COUNT(*) FROM favourite f JOIN book b ON f.book_id = b.book_id GROUP BY b.book_id',
    'count_readers_per_book',
  ],
  [
    'the ties of many',
    'SELECT COUNT(*) FROM favourite f JOIN reader r ON f.reader_id = r.reader_id WHERE r.age > 20',
    'count_favourites_by_min_age',
  ],
  [
    'whatever column is counted',
    'SELECT COUNT(f.book_id) FROM favourite f JOIN reader r ON f.reader_id = r.reader_id WHERE r.age = 20',
    'count_favourites_by_age',
  ],
  [
    'rows with a key of their own, which may tie two things again',
    'SELECT COUNT(*) FROM holding WHERE branch_id = 1',
    'count_holdings_by_branch_id',
  ],
  [
    'pairs of what is not looked up in each other',
    'SELECT COUNT(r.reader_id) FROM reader r JOIN visit v ON v.reader_id = r.reader_id JOIN loan l ON l.reader_id = r.reader_id WHERE v.day > 3',
    'count_visit_loan_pairs_by_min_day',
  ],
  [
    'of these the one whose partner is a single row',
    'SELECT COUNT(l.loan_id) FROM visit v JOIN loan l ON l.reader_id = v.reader_id WHERE v.visit_id = 3',
    'count_loans_by_visit_id',
  ],
])('counted are %s', (_, sql, name) => {
  expect(library.lower(sql).endpoints[0]?.name).toBe(name);
});
