import { join } from 'node:path';
import Database from 'better-sqlite3';
import { writeFolder } from './write/write-folder.ts';

/** Writes a tiny split into a new or empty folder, whole or not at all. Throws UserErrors. */
export async function initSplit(folder: string): Promise<{ readonly questions: number }> {
  await writeFolder(folder, { isOurs: () => false, what: 'an empty folder' }, (scratch) => {
    const database = join(scratch, `${TINY_DB}.sqlite`);
    const db = new Database(database);
    try {
      db.exec(TINY_SCHEMA);
    } finally {
      db.close();
    }
    const questions = TINY_QUESTIONS.map((each) => `${JSON.stringify({ db_id: TINY_DB, ...each })}\n`);
    const files = [
      { path: 'README.md', content: TINY_README },
      { path: 'questions.jsonl', content: questions.join('') },
      { path: `${TINY_DB}.sqlite`, moveFrom: database },
      { path: `descriptions/${TINY_DB}.csv`, content: TINY_DESCRIPTIONS },
    ];
    return { files };
  });
  return { questions: TINY_QUESTIONS.length };
}

const TINY_SCHEMA = `
CREATE TABLE author (
  author_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country TEXT NOT NULL
);
CREATE TABLE book (
  book_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES author (author_id),
  published_year INTEGER NOT NULL,
  pages INTEGER NOT NULL
);
CREATE TABLE loan (
  loan_id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES book (book_id),
  borrowed_on TEXT NOT NULL,
  returned_on TEXT
);
INSERT INTO author VALUES
  (1, 'Ada Brook', 'Ireland'), (2, 'Noor Haddad', 'Jordan'), (3, 'Per Lund', 'Sweden'), (4, 'Mei Tan', 'Singapore');
INSERT INTO book VALUES
  (1, 'The Long Tide', 1, 1998, 312), (2, 'Salt and Rope', 1, 2004, 198), (3, 'Cedar', 2, 2011, 254),
  (4, 'A Winter Ledger', 3, 1987, 401), (5, 'Eight Lamps', 4, 2019, 176), (6, 'North of Nine', 3, 2011, 288),
  (7, 'Small Harbours', 1, 2015, 143), (8, 'The Glass Orchard', 2, 2020, 365);
INSERT INTO loan VALUES
  (1, 1, '2024-01-08', '2024-01-29'), (2, 3, '2024-01-15', '2024-02-02'), (3, 5, '2024-02-01', NULL),
  (4, 1, '2024-02-11', '2024-03-01'), (5, 8, '2024-02-20', '2024-03-12'), (6, 2, '2024-03-02', NULL),
  (7, 3, '2024-03-09', '2024-03-23'), (8, 1, '2024-03-15', NULL), (9, 6, '2024-03-18', '2024-04-04');
`;

const TINY_DB = 'library';

const TINY_QUESTIONS = [
  {
    question_id: 1,
    question: 'Which books have more than 300 pages?',
    sql: 'SELECT title FROM book WHERE pages > 300',
    difficulty: 'simple',
  },
  {
    question_id: 2,
    question: 'How many authors come from Ireland?',
    sql: "SELECT COUNT(*) FROM author WHERE country = 'Ireland'",
    difficulty: 'simple',
  },
  {
    question_id: 3,
    question: 'What are the titles and years of the books by Per Lund, the oldest first?',
    sql: "SELECT b.title, b.published_year FROM book AS b JOIN author AS a ON a.author_id = b.author_id WHERE a.name = 'Per Lund' ORDER BY b.published_year",
    difficulty: 'moderate',
  },
  {
    question_id: 4,
    question: 'Which books have not been returned?',
    sql: 'SELECT DISTINCT b.title FROM book AS b JOIN loan AS l ON l.book_id = b.book_id WHERE l.returned_on IS NULL',
    difficulty: 'moderate',
  },
  {
    question_id: 5,
    question: 'How often was each book borrowed in March 2024?',
    evidence: "March 2024 means borrowed_on from '2024-03-01' to '2024-03-31'",
    sql: "SELECT b.title, COUNT(*) FROM book AS b JOIN loan AS l ON l.book_id = b.book_id WHERE l.borrowed_on BETWEEN '2024-03-01' AND '2024-03-31' GROUP BY b.book_id",
    difficulty: 'moderate',
  },
  {
    question_id: 6,
    question: 'Which authors have written books of more pages on average than all books together?',
    sql: 'SELECT a.name FROM author AS a JOIN book AS b ON b.author_id = a.author_id GROUP BY a.author_id HAVING AVG(b.pages) > (SELECT AVG(pages) FROM book)',
    difficulty: 'challenging',
  },
] as const;

const TINY_DESCRIPTIONS = `table,column,name,description,value_description
author,,,who writes books,
author,country,,the country that the author comes from,
book,,,the books of the library,
book,pages,number of pages,,
loan,,,who has borrowed which book is not kept; that it was borrowed is,
loan,returned_on,return date,the day when the book came back,empty while it is lent
`;

const TINY_README = `# A tiny split

Licence: CC0-1.0

Put your own questions into questions.jsonl (\`db_id\`, \`question\`, \`sql\`), and your own databases beside it, each as
<db_id>.sqlite. descriptions/<db_id>.csv is optional, and makes better descriptions of endpoints.
`;
