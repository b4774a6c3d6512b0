CREATE TABLE TravelDestinations (
  destinationName TEXT NOT NULL,
  destinationDescription TEXT NOT NULL,
  region TEXT,
  averageVisitCost INTEGER,
  popular INTEGER NOT NULL, -- 0 or 1
  needsVisa INTEGER -- 0 or 1
);
CREATE TABLE TravelAgents (
  agentName TEXT NOT NULL,
  agentDescription TEXT NOT NULL,
  office TEXT,
  yearsOfExperience INTEGER,
  availableNow INTEGER NOT NULL, -- 0 or 1
  worksWeekends INTEGER -- 0 or 1
);
CREATE TABLE TravelPackages (
  packageName TEXT NOT NULL,
  packageDetails TEXT NOT NULL,
  transport TEXT,
  packagePrice INTEGER,
  discountAvailable INTEGER NOT NULL, -- 0 or 1
  soldOut INTEGER -- 0 or 1
);
