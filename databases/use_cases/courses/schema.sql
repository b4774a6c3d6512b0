CREATE TABLE Courses (
  courseTitle TEXT NOT NULL,
  courseDescription TEXT NOT NULL,
  level TEXT,
  courseDuration INTEGER,
  currentlyEnrolling INTEGER NOT NULL, -- 0 or 1
  heldOnline INTEGER -- 0 or 1
);
CREATE TABLE Instructors (
  instructorName TEXT NOT NULL,
  biography TEXT NOT NULL,
  department TEXT,
  yearsOfTeaching INTEGER,
  tenured INTEGER NOT NULL, -- 0 or 1
  supervisesTheses INTEGER -- 0 or 1
);
CREATE TABLE Students (
  studentName TEXT NOT NULL,
  researchInterests TEXT NOT NULL,
  faculty TEXT,
  completedCredits INTEGER,
  enrolledFullTime INTEGER NOT NULL, -- 0 or 1
  hasScholarship INTEGER -- 0 or 1
);
