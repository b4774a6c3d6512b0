CREATE TABLE Restaurants (
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  cuisine TEXT,
  averageRating REAL,
  openNow INTEGER NOT NULL, -- 0 or 1
  deliversHome INTEGER -- 0 or 1
);
CREATE TABLE Menus (
  menuItem TEXT NOT NULL,
  itemDescription TEXT NOT NULL,
  course TEXT,
  price INTEGER,
  isVegetarian INTEGER NOT NULL, -- 0 or 1
  chefsChoice INTEGER -- 0 or 1
);
CREATE TABLE Reservations (
  reservationName TEXT NOT NULL,
  notes TEXT NOT NULL,
  channel TEXT,
  partySize INTEGER,
  confirmed INTEGER NOT NULL, -- 0 or 1
  depositPaid INTEGER -- 0 or 1
);
