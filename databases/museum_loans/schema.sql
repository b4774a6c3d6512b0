-- Prêts du musée : le service des prêts d'un musée des beaux-arts, de 1988 à 2024.

CREATE TABLE musee (
  id_musee INTEGER PRIMARY KEY,
  nom TEXT,
  ville TEXT,
  pays TEXT,
  statut TEXT,               -- national, municipal, privé, fondation
  "climatisé" TEXT           -- oui, non ; NULL : jamais inspecté
);

CREATE TABLE agent (
  matricule INTEGER PRIMARY KEY,
  "prénom" TEXT,
  nom TEXT,
  fonction TEXT,
  "entrée" TEXT,             -- AAAA-MM-JJ
  responsable INTEGER REFERENCES agent(matricule)
);

CREATE TABLE artiste (
  id_artiste INTEGER PRIMARY KEY,
  nom TEXT,
  "prénom" TEXT,
  naissance INTEGER,         -- année
  "décès" INTEGER,           -- année ; NULL : vivant ou inconnu
  "école" TEXT
);

CREATE TABLE oeuvre (
  inventaire TEXT PRIMARY KEY,  -- D 1987.3.12
  titre TEXT,
  id_artiste INTEGER REFERENCES artiste(id_artiste),
  technique TEXT,
  "département" TEXT,
  hauteur_cm REAL,
  largeur_cm REAL,
  datation TEXT,             -- 1882, vers 1870, XVIIe siècle
  acquise TEXT,              -- le 3 mars 1987
  mode TEXT,                 -- achat, don, legs, dépôt
  "état" TEXT                -- bon, moyen, fragile, très fragile
);

CREATE TABLE exposition (
  id_exposition INTEGER PRIMARY KEY,
  titre TEXT,
  id_musee INTEGER REFERENCES musee(id_musee),
  "début" TEXT,              -- AAAA-MM-JJ
  fin TEXT,                  -- AAAA-MM-JJ
  "entrées" INTEGER
);

CREATE TABLE "prêt" (
  id_pret INTEGER PRIMARY KEY,
  id_musee INTEGER REFERENCES musee(id_musee),
  id_exposition INTEGER REFERENCES exposition(id_exposition),
  matricule INTEGER REFERENCES agent(matricule),
  demande TEXT,              -- AAAA-MM-JJ
  "réponse" TEXT,            -- AAAA-MM-JJ
  statut TEXT,               -- A accepté, R refusé, X retiré, E à l'étude
  motif TEXT,                -- d'un refus
  "départ" TEXT,
  "retour prévu" TEXT,
  "retour réel" TEXT
);

CREATE TABLE ligne_pret (
  id_pret INTEGER REFERENCES "prêt"(id_pret),
  "index" INTEGER,
  inventaire TEXT REFERENCES oeuvre(inventaire),
  valeur INTEGER,            -- valeur assurée
  devise TEXT,               -- FRF jusqu'en 2001, puis EUR ; CHF, GBP, USD
  PRIMARY KEY (id_pret, "index")
);

CREATE TABLE estimation (
  id_estimation INTEGER PRIMARY KEY,
  inventaire TEXT REFERENCES oeuvre(inventaire),
  date TEXT,
  valeur INTEGER,
  devise TEXT,
  expert TEXT,
  corrige INTEGER REFERENCES estimation(id_estimation)
);

CREATE TABLE constat (
  id_constat INTEGER PRIMARY KEY,
  id_pret INTEGER REFERENCES "prêt"(id_pret),
  inventaire TEXT REFERENCES oeuvre(inventaire),
  moment TEXT,               -- D départ, R retour
  date TEXT,
  note INTEGER,              -- 1 à 5
  observations TEXT,
  matricule INTEGER REFERENCES agent(matricule)
);

CREATE TABLE transporteur (
  id_transporteur INTEGER PRIMARY KEY,
  raison_sociale TEXT,
  ville TEXT,
  "agréé depuis" TEXT
);

CREATE TABLE transport (
  id_transport INTEGER PRIMARY KEY,
  id_pret INTEGER REFERENCES "prêt"(id_pret),
  sens TEXT,                 -- A aller, R retour
  id_transporteur INTEGER REFERENCES transporteur(id_transporteur),
  moyen TEXT,
  date TEXT,
  km INTEGER,
  "coût" TEXT                -- 1 250,00 F ou 1 250,00 €
);

-- Sorti des enregistreurs des caisses : pas de clé, des lignes en double.
CREATE TABLE releve_climat (
  id_transport INTEGER,
  heure TEXT,                -- AAAA-MM-JJ HH:MM
  "température" TEXT,        -- 19,5
  "humidité %" INTEGER
);

CREATE TABLE restauration (
  id_restauration INTEGER PRIMARY KEY,
  inventaire TEXT REFERENCES oeuvre(inventaire),
  atelier TEXT,
  intervention TEXT,
  "début" TEXT,
  fin TEXT,                  -- NULL : en cours
  heures REAL
);

CREATE TABLE taux_change (
  devise TEXT,
  "année" INTEGER,
  euros REAL,                -- pour une unité
  PRIMARY KEY (devise, "année")
);
