CREATE TABLE Clinics (
  clinicName TEXT NOT NULL,
  description TEXT NOT NULL,
  district TEXT,
  averagePatientSatisfaction REAL,
  acceptingNewPatients INTEGER NOT NULL, -- 0 or 1
  teachesStudents INTEGER -- 0 or 1
);
CREATE TABLE Doctors (
  doctorName TEXT NOT NULL,
  expertise TEXT NOT NULL,
  specialty TEXT,
  yearsOfExperience INTEGER,
  currentlyPracticing INTEGER NOT NULL, -- 0 or 1
  visitsHomes INTEGER -- 0 or 1
);
CREATE TABLE Appointments (
  patientName TEXT NOT NULL,
  appointmentNotes TEXT NOT NULL,
  visitType TEXT,
  appointmentDuration INTEGER,
  appointmentConfirmed INTEGER NOT NULL, -- 0 or 1
  paidPrivately INTEGER -- 0 or 1
);
