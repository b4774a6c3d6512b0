-- Football league: the office of a national first division, seasons 2018/19 to 2023/24.

CREATE TABLE club (
  club_id INTEGER PRIMARY KEY,
  name TEXT,
  nickname TEXT,
  town TEXT,
  founded INTEGER,
  ground TEXT,
  capacity INTEGER
);

CREATE TABLE season (
  season TEXT PRIMARY KEY,   -- 2018/19
  "start" TEXT,
  "end" TEXT,
  "note" TEXT                -- why it was unlike others; NULL: it was not
);

CREATE TABLE player (
  player_id INTEGER PRIMARY KEY,
  name TEXT,
  born TEXT,                 -- YYYY-MM-DD; NULL: papers missing
  country TEXT,
  position TEXT,             -- GK, DF, MF, FW
  height TEXT                -- 184 cm, or 6 ft 1 for those registered by paper
);

CREATE TABLE contract (
  player_id INTEGER REFERENCES player(player_id),
  club_id INTEGER REFERENCES club(club_id),
  "from" TEXT,
  "to" TEXT,                 -- NULL: runs on
  shirt INTEGER,
  fee TEXT,                  -- 1.2m, 850k, free; NULL: undisclosed
  PRIMARY KEY (player_id, "from")
);

CREATE TABLE referee (
  referee_id INTEGER PRIMARY KEY,
  name TEXT,
  level INTEGER,             -- 1 is the highest
  since INTEGER
);

CREATE TABLE "match" (
  match_id INTEGER PRIMARY KEY,
  season TEXT REFERENCES season(season),
  round INTEGER,
  planned TEXT,              -- YYYY-MM-DD
  played TEXT,               -- later if postponed; NULL: cancelled
  home INTEGER REFERENCES club(club_id),
  away INTEGER REFERENCES club(club_id),
  score TEXT,                -- 3-1 as on the day
  home_goals INTEGER,        -- as it counts, after rulings of the board
  away_goals INTEGER,
  attendance INTEGER,        -- NULL: behind closed doors, or not counted
  referee_id INTEGER REFERENCES referee(referee_id)
);

CREATE TABLE ruling (
  ruling_id INTEGER PRIMARY KEY,
  season TEXT REFERENCES season(season),
  club_id INTEGER REFERENCES club(club_id),
  match_id INTEGER REFERENCES "match"(match_id),
  kind TEXT,                 -- R result changed, D points deducted, F fine
  points INTEGER,            -- deducted
  fine INTEGER,              -- in pounds
  reason TEXT,
  decided TEXT,
  overturned TEXT            -- NULL: stands
);

CREATE TABLE goal (
  goal_id INTEGER PRIMARY KEY,
  match_id INTEGER REFERENCES "match"(match_id),
  club_id INTEGER REFERENCES club(club_id),  -- that the goal counts for
  player_id INTEGER REFERENCES player(player_id),
  "minute" TEXT,             -- 17, 45+2
  kind TEXT                  -- N normal, P penalty, O own goal
);

-- Typed from the referees' sheets: no key, a few lines twice.
CREATE TABLE card (
  match_id INTEGER,
  player_id INTEGER,
  colour TEXT,               -- Y, R
  "minute" TEXT,
  cause TEXT
);

CREATE TABLE appearance (
  match_id INTEGER REFERENCES "match"(match_id),
  player_id INTEGER REFERENCES player(player_id),
  club_id INTEGER REFERENCES club(club_id),
  started TEXT,              -- Y, N
  minutes INTEGER,
  PRIMARY KEY (match_id, player_id)
);

CREATE TABLE injury (
  injury_id INTEGER PRIMARY KEY,
  player_id INTEGER REFERENCES player(player_id),
  what TEXT,
  "from" TEXT,
  "to" TEXT                  -- NULL: not back yet
);

CREATE TABLE printed_table (
  season TEXT REFERENCES season(season),
  place INTEGER,
  club_id INTEGER REFERENCES club(club_id),
  points INTEGER,            -- as printed on the last day, before late rulings
  goals TEXT,                -- 41:28
  PRIMARY KEY (season, place)
);
