CREATE TABLE Museums (
  museumName TEXT NOT NULL,
  exhibitHighlights TEXT NOT NULL,
  owner TEXT,
  entryFee INTEGER,
  openToday INTEGER NOT NULL, -- 0 or 1
  hasCafe INTEGER -- 0 or 1
);
CREATE TABLE Exhibitions (
  exhibitionTitle TEXT NOT NULL,
  exhibitionDescription TEXT NOT NULL,
  theme TEXT,
  averageVisitorCount INTEGER,
  currentlyRunning INTEGER NOT NULL, -- 0 or 1
  isTouring INTEGER -- 0 or 1
);
CREATE TABLE ArtPieces (
  artPieceName TEXT NOT NULL,
  artPieceHistory TEXT NOT NULL,
  medium TEXT,
  currentValuation INTEGER,
  onDisplay INTEGER NOT NULL, -- 0 or 1
  onLoan INTEGER -- 0 or 1
);
