SELECT COUNT(*) FROM favourite f JOIN reader r ON f.reader_id = r.reader_id WHERE r.reader_name = 'x';

SELECT b.title, COUNT(*) FROM favourite f JOIN book b ON f.book_id = b.book_id GROUP BY b.book_id;

SELECT COUNT(*) FROM favourite f JOIN reader r ON f.reader_id = r.reader_id WHERE r.age > 20;

SELECT COUNT(f.book_id) FROM favourite f JOIN reader r ON f.reader_id = r.reader_id WHERE r.age = 20;

SELECT COUNT(*) FROM holding WHERE branch_id = 1;

SELECT COUNT(r.reader_id) FROM reader r JOIN visit v ON v.reader_id = r.reader_id JOIN loan l ON l.reader_id = r.reader_id WHERE v.day > 3;

SELECT COUNT(l.loan_id) FROM visit v JOIN loan l ON l.reader_id = v.reader_id WHERE v.visit_id = 3;
