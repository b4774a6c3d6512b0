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
