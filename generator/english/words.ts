import pluralize from 'pluralize';
import {
  ADVERBIAL,
  MASS_NOUNS,
  PARTICIPLE,
  PREPOSITION,
  pluralOf,
  UNCHANGED,
} from '../../contracts/getters.ts';
import { spellOut, withoutAccents } from '../../services/base/plain-letters.ts';

export function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.join(' ').toLowerCase() === b.join(' ').toLowerCase();
}

export function endsWith(words: readonly string[], tail: readonly string[]): boolean {
  return tail.length > 0 && sameWords(words.slice(-tail.length), tail);
}

/** Several names as one, with shared words once: eye hair and skin colour IDs. */
export function joinedAnd(lists: readonly (readonly string[])[]): readonly string[] {
  const tail = commonTail(lists);
  const lead = commonLead(lists.map((words) => words.slice(0, words.length - tail.length)));
  const middles = lists.map((words) => words.slice(lead.length, words.length - tail.length));
  return [...lead, ...conjoined(middles), ...tail];
}

function conjoined(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.flatMap((words, i) => (i > 0 && i === lists.length - 1 ? ['and', ...words] : words));
}

/** Words that all lists end with, each list keeping at least one of its own. */
export function commonTail(lists: readonly (readonly string[])[]): readonly string[] {
  return commonLead(lists.map((words) => words.toReversed())).toReversed();
}

/** Words that all lists begin with, each list keeping at least one of its own. */
export function commonLead(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return [];
  let length = 0;
  while (length < first.length - 1) {
    const word = first[length];
    if (!others.every((words) => words.length > length + 1 && words[length] === word)) break;
    length++;
  }
  return first.slice(0, length);
}

/** Words as one text in lower case, to compare them. */
export function lower(words: readonly string[]): string {
  return words.join(' ').toLowerCase();
}

/** A text without the words that it may start with. */
export function withoutStart(text: string, start: string): string {
  return text.startsWith(`${start} `) ? text.slice(start.length + 1) : text;
}

/** The words of a property after its owner's, unless they contain that already. */
export function qualify(noun: readonly string[], words: readonly string[]): readonly string[] {
  const last = noun.at(-1)?.toLowerCase() ?? '';
  const lowered = words.map((word) => word.toLowerCase());
  if (lowered.includes(last) || lowered.includes(lower(singular([last])))) return words;
  // The power name of a superpower is its superpower name.
  const [first = '', ...rest] = lowered;
  if (rest.length > 0 && first.length > 3 && last.endsWith(first)) return [...noun, ...words.slice(1)];
  return [...noun, ...words];
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

/** The same with a common beginning written once: average scores in reading, math and writing. */
export function listedOnce(items: readonly string[]): string {
  const lists = items.map((item) => item.split(' '));
  const lead = commonLead(lists);
  // A bracket is not taken apart.
  if (lead.length < 2 || /\([^)]*$/.test(lead.join(' '))) return listed(items);
  return `${lead.join(' ')} ${listed(lists.map((words) => words.slice(lead.length).join(' ')))}`;
}

const FIRST = /(^| )(first ?name|forename|given ?name|fname|vor ?name|nombre|prenom)( \d+)?$/i;
const LAST = /(^| )(last ?name|surname|family ?name|lname|nach ?name|apellidos?)( \d+)?$/i;
const MIDDLE = /(^| )(middle ?name|middle ?initial)( \d+)?$/i;

/** The owner of a part of a person's name: the words before `first name`, and a number after it; null for other words. */
export function personOf(
  words: readonly string[],
): { readonly whose: readonly string[]; readonly number: string } | null {
  const text = words.join(' ');
  for (const part of [FIRST, LAST, MIDDLE]) {
    const found = text.match(part);
    if (found === null) continue;
    const whose = text.slice(0, found.index).trim();
    return { whose: whose === '' ? [] : whose.split(' '), number: (found.at(-1) ?? '').trim() };
  }
  return null;
}

/** Whether columns hold the first and the last name of people. */
export function isPersonName(columns: readonly (readonly string[])[]): boolean {
  const names = columns.map((words) => words.join(' '));
  return names.some((one) => FIRST.test(one)) && names.some((one) => LAST.test(one));
}

/** The words, or `otherwise` if they are too many for a name. */
export function upTo(
  most: number,
  words: readonly string[],
  otherwise: readonly string[],
): readonly string[] {
  return words.length <= most ? words : otherwise;
}

/** The words of the first list that are in all others too, in order. */
export function commonWords(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((word) => others.every((words) => words.includes(word)));
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that need no context to be understood in an identifier. */
export const COMMON_WORDS = words(`
  id ids uuid guid url uri name names first last middle full maiden nick user title label code codes key keys
  type types kind class category categories group status state flag level grade rank ranking position order
  date time datetime timestamp year month week day hour minute second created updated deleted start end
  begin finish number num no nr count total sum amount avg average min max mean rate ratio percent percentage
  score scores points value values size length width height weight depth area volume age gender sex birth
  death price cost fee tax discount budget revenue income salary wage balance payment paid currency quantity
  unit units stock email mail phone fax mobile cell zip postal address street city town county region
  country continent state province district location latitude longitude language nationality
  description details detail note notes comment comments text body content message subject remark remarks
  source target destination origin parent child owner author creator editor manager customer client employee
  person people member student teacher staff company department office branch store shop product item
  invoice account card bank loan transaction school college university course event race team player match
  game season film movie song album artist book page version result results record records history log info
  data is has active open closed valid public private default main primary secondary new old high low home
  away front back left right north south east west kg cm mm km lb lbs usd eur gdp gnp ssn isbn iso pdf
  under over plus at and or of
  html xml json sql api ip http sat act gpa
  classroom bathroom bedroom roommate teammate workplace birthplace birthday weekday weekend timestamp timezone deadline
  lifespan database website homepage username password keyword network framework warehouse bookstore textbook notebook
  newspaper playlist soundtrack airport airline airplane aircraft railway highway headquarters football basketball
  baseball volleyball laptop smartphone download upload rainfall snowfall sunrise sunset wildlife landmark
  branch credit term default opened closed interest contract supplier vendor booking site limit shipped weight job trip car
`);

function dictionary(pairs: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    pairs.split(/,\s*/).map((pair) => {
      const [short = '', ...full] = pair.split(' ');
      return [short, full];
    }),
  );
}

/** Abbreviations in identifiers that mean one thing everywhere. */
export const ABBREVIATIONS = dictionary(
  `fname first name,lname last name,mname middle name,fnm first name,lnm last name,nm name,nme name,dt date,
  dob date of birth,cd code,desc description,descr description,dscr description,qty quantity,amt amount,addr address,
  yr year,yrs years,mth month,mos months,hrs hours,nbr number,pct percent,lat latitude,lon longitude,lng longitude,
  dept department,emp employee,stu student,cust customer,acct account,mgr manager,pt patient,phys physician,
  appt appointment,rx prescription,insur insurance,diag diagnosis,prj project,proj project,
  sal salary,strt start,loc location,dest destination,src source,inv invoice,ord order,typ type,cert certification,stat status,iss issued,
  prod product,supp supplier,veh vehicle,val value,lang language,hist history,txn transaction,trx transaction,dur duration,
  bal balance,pmt payment,ctry country,tel telephone,univ university,ind indicator,eml email,rt rate,cty city,
  scr score,trm term,sts status,wgt weight,hgt height,lmt limit,tot total,unt unit,prc price,shp shipped,itm item,prd product,
  crd credit,crt created,upd updated,req requested,whs warehouse,whse warehouse,pur purchase,hdr header,dtl detail,seq sequence,
  grp group,lvl level,usr user,flg flag,msg message,lbl label,tkt ticket,tsk task,vst visit,prio priority`,
);

/** Those whose meaning depends on the next word. */
export const PAIRS: ReadonlyMap<string, readonly string[]> = new Map(
  'exp dt expiry,exp date expiry,term dt termination,cur bal current,cur amt current,int rt interest,int rate interest,st cd state,st code state'
    .split(',')
    .map((line) => line.split(' '))
    .map((line) => [line.slice(0, -1).join(' '), line.slice(-1)]),
);

/** A word's letters as people leave vowels out: brnch of branch. */
function skeleton(word: string): string {
  return (
    word[0] +
    word
      .slice(1)
      .replace(/[aeiou]/g, '')
      .replace(/(.)\1/g, '$1')
  );
}

const SKELETONS: ReadonlyMap<string, string> = new Map(
  [...COMMON_WORDS]
    .toReversed()
    .filter((word) => !word.endsWith('s'))
    .map((word) => [skeleton(word), word]),
);

/** The common word that an abbreviation without vowels stands for: brnch, crdt; undefined for others. */
export function withVowels(word: string): readonly string[] | undefined {
  const full = /^.[^aeiou\d]{3,}$/.test(word) ? SKELETONS.get(word.replace(/(.)\1/g, '$1')) : undefined;
  return full === undefined || full === word ? undefined : [full];
}

/** Whether a word is made of letters of another, from its first on: br and brnch of branch. */
export function abbreviates(word: string, full: string): boolean {
  let at = 0;
  for (const letter of full) if (letter === word[at]) at++;
  return word[0] === full[0] && word.length < full.length && at === word.length;
}

/** German, Spanish and French words of schemas, in the singular. */
const FOREIGN = dictionary(
  `kunde customer,kundin customer,auftrag order,bestellung order,fahrzeug vehicle,mitarbeiter employee,person person,
  teil part,artikel article,lieferant supplier,rechnung invoice,lager warehouse,abteilung department,schueler student,
  lehrer teacher,klasse class,fach subject,nachname last name,vorname first name,bezeichnung name,ort city,firma company,
  stadt city,strasse street,plz postal code,geburtsdatum birth date,datum date,dat date,preis price,betrag amount,land country,
  menge quantity,anzahl number,bestand stock,wert value,gehalt salary,baujahr build year,marke brand,kennzeichen license plate,
  beschreibung description,eintritt entry,eintrittsdatum entry date,stundenlohn hourly wage,gewicht weight,farbe color,
  jahrgang year group,jahr year,standort location,projekt project,stunde hour,stunden hours,vorgesetzter supervisor,gebaeude building,
  raum room,zimmer room,gast guest,buchung booking,ware product,kasse till,schicht shift,zahlung payment,konto account,annahme acceptance,fertig completion,hersteller manufacturer,note grade,nummer number,
  titel title,sprache language,verlag publisher,beginn start,ende end,groesse size,laenge length,hoehe height,dauer duration,
  cliente customer,pedido order,producto product,libro book,autor author,socio member,prestamo loan,empleado employee,
  factura invoice,nombre name,apellido last name,fecha date,precio price,importe amount,cantidad quantity,existencia stock,
  estado status,ciudad city,pais country,direccion address,titulo title,pagina page,idioma language,anio year,ano year,
  publicacion publication,nacionalidad nationality,nacimiento birth,alta registration,devolucion return,multa fine,
  activo active,telefono phone,correo email,numero number,proveedor supplier,almacen warehouse,sueldo salary,peso weight,
  categoria category,tienda store,medico doctor,paciente patient,cita appointment,huesped guest,habitacion room,reserva booking,tipo type,planta floor,noche night,entrada arrival,
  salida departure,tarifa rate,cuenta account,pago payment,saldo balance,venta sale,compra purchase,edad age,sexo sex,inicio start,fin end,
  commande order,produit product,prix price,ville city,pays country,nom name,prenom first name,quantite quantity,
  montant amount,facture invoice,adresse address,naissance birth,salarie employee,fournisseur supplier,annee year`,
);

/** The English of a foreign word, also in the plural; undefined for others. */
export function translated(word: string): readonly string[] | undefined {
  const stems = [0, 1, 2]
    .map((letters) => word.slice(0, word.length - letters))
    .filter((stem) => stem.length > 2);
  return stems.map((stem) => FOREIGN.get(stem)).find((found) => found !== undefined);
}

/** Column names that mean little without their table's. */
export const GENERIC_WORDS = words(`
  id name title label code key type kind class category group status state flag level grade date time datetime
  timestamp number num no value size amount count score points url uri link email phone description details
  note notes comment comments text body content message subject remark remarks source position location
  address result rank version order index data info other role section start end
`);

/** Words that join others; identifiers lose them when they get long. */
export const FUNCTION_WORDS = words(
  'a an the of in on at for to by from with and or as is are was were per its their',
);

/** Words that mean key. */
export const KEY_WORDS = words('id ids code key uuid guid no number num nr fk pk ref');

/** The words for symbols in identifiers. */
const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/%/g, ' percent '],
  [/#/g, ' number '],
  [/&/g, ' and '],
  [/\+\/-/g, ' '],
  [/\+/g, ' plus '],
  [/@/g, ' at '],
  [/[$€£]/g, ' amount '],
  [/<=?/g, ' under '],
  [/>=?/g, ' over '],
  [/\(?\b[Yy]\/[Nn]\b\)?/g, ' '],
  [/\b([A-Z])-(\d+)\b/g, '$1$2'],
  [/(\p{L})['’]s\b/gu, '$1'],
  [/['’]/g, ''],
];

/**
 * The words of an identifier or a short text, in the case they were written in: ASCII, or another script as it is;
 * repeated neighbours are one. `Percent (%) Eligible Free (K-12)` gives Percent, Eligible, Free, K, 12. Empty when there
 * are no letters and digits.
 */
export function splitWords(text: string): readonly string[] {
  let plain = withoutAccents(text);
  for (const [symbol, words] of SYMBOLS) plain = plain.replace(symbol, words);
  plain = spellOut(plain, ' ');
  plain = plain
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, (whole, caps: string, word: string) =>
      // The plural of an acronym (`IDs`) stays one word.
      word.length === 2 && word.endsWith('s') ? whole : `${caps} ${word}`,
    );
  const words = plain.split(/[^\p{L}\p{M}\d]+/u).filter((word) => word !== '');
  return words.filter((word, i) => word.toLowerCase() !== words[i - 1]?.toLowerCase());
}

/** The words of an identifier, lower case. */
export function lowerWords(text: string): readonly string[] {
  return splitWords(text).map((word) => word.toLowerCase());
}

/** Short words that only count at the end of a compound: `petid`. */
const ENDINGS: ReadonlySet<string> = new Set(['id', 'no']);
/** Codes that are words of their own, never the end of another: a `transporteur` has nothing to do with EUR. */
const CODES: ReadonlySet<string> = new Set(['eur', 'usd', 'gbp', 'gdp', 'gnp']);
const MOST = 3;
/** Longer words are not compounds of a few words, and would take long to split. */
const MOST_LETTERS = 100;

/** Splits a compound written as one word into words of the vocabulary (`satscores` → sat scores); null for others. */
export function segment(word: string, vocabulary: ReadonlySet<string>): readonly string[] | null {
  if (word.length > MOST_LETTERS || !/^[a-z]+$/.test(word) || vocabulary.has(word)) return null;
  for (let count = 2; count <= MOST; count++) {
    const found = into(word, count, vocabulary);
    if (found !== null) return found;
  }
  return null;
}

function into(rest: string, count: number, vocabulary: ReadonlySet<string>): readonly string[] | null {
  if (count === 1) return isPart(rest, vocabulary, true) ? [rest] : null;
  // The longest first word wins: `countrylanguage` is country language.
  for (let at = rest.length - 2; at >= 3; at--) {
    const first = rest.slice(0, at);
    if (!isPart(first, vocabulary, false)) continue;
    const others = into(rest.slice(at), count - 1, vocabulary);
    if (others !== null) return [first, ...others];
  }
  return null;
}

function isPart(word: string, vocabulary: ReadonlySet<string>, last: boolean): boolean {
  return (
    (word.length >= 3 && vocabulary.has(word) && !FUNCTION_WORDS.has(word) && !CODES.has(word)) ||
    (last && ENDINGS.has(word))
  );
}

/** Numbers of things in words. */
export const COUNTS =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** Ordinal numbers, from the first on. */
export const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** The place of a row after so many others: second, 333rd; '' for the first. */
export function ordinal(skipped: number): string {
  if (skipped < ORDINALS.length) return skipped === 0 ? '' : (ORDINALS[skipped] ?? '');
  const place = skipped + 1;
  const end = /1[123]$/.test(String(place)) ? undefined : ['st', 'nd', 'rd'][(place % 10) - 1];
  return `${place}${end ?? 'th'}`;
}

export { ADVERBIAL, PARTICIPLE, PREPOSITION };

/** Whether a word has no plural and takes no article. */
export function isMassNoun(word: string): boolean {
  return (
    MASS_NOUNS.has(word.toLowerCase()) ||
    /^(data|info|information|content|staff|oxygen|nitrogen|nitrate|nitrite|phosphate|ammonia|sodium|calcium|cholesterol|glucose|humidity|moisture|salinity|rainfall|precipitation|turbidity)$/i.test(
      word,
    )
  );
}

/** Verbs in names of tables that are not nouns: has_pet, takes, enroll. */
const VERBS: ReadonlySet<string> = new Set(
  `has have is are takes teaches undergoes prescribes owns writes contains belongs attends enrolls participates lives
  manages includes requires serves sells buys performs directs employs operates speaks knows cites arranges
  teach undergo prescribe own write contain belong attend enroll participate manage include require serve sell buy
  perform employ operate cite arrange`.split(/\s+/),
);

/** Whether words name countable things: visits. Takes, weather and trained in have only records. */
export function isCountable(words: readonly string[]): boolean {
  const lowered = words.map((word) => word.toLowerCase());
  const [first = '', last = ''] = [lowered[0], lowered.at(-1)];
  return (
    headOf(lowered) >= 0 &&
    !VERBS.has(first) &&
    !VERBS.has(last) &&
    !MASS_NOUNS.has(last) &&
    !PARTICIPLE.test(last)
  );
}

const PEOPLE: ReadonlySet<string> = new Set(
  `person people user member customer client employee worker manager student pupil teacher professor instructor player
  driver rider pilot singer artist actor author writer editor director owner patient doctor physician nurse vet candidate
  superhero character guest visitor passenger donor farmer chef trainer coach man woman child friend voter contestant
  sailor captain officer agent seller buyer tenant landlord resident scientist researcher winner schooler individual
  policyholder subscriber applicant borrower reviewer reader lecturer musician dancer athlete politician judge lawyer
  engineer conductor composer employer attendee delegate professional expert specialist inspector technician hero leader participant husband wife spouse mother father brother sister son daughter follower followee founder host supervisor
  volunteer skipper observer referee investigator adjuster clerk paramedic mechanic advisor keeper beekeeper
  goalkeeper shopkeeper treasurer sponsor critic curator tutor graduate intern dentist surgeon therapist pharmacist librarian
  translator soldier astronaut refugee prisoner suspect victim witness mayor senator minister president boxer swimmer skier
  cyclist gymnast wrestler golfer climber diver umpire recipient beneficiary debtor creditor listener taster runner hiker
  angler broker dealer trader breeder courier tourist traveler traveller jockey presenter journalist inventor ranger
  caretaker barber stylist baker waiter cook midwife collector bidder investor mentor trainee apprentice
  handler soloist rep`.split(/\s+/),
);

/** Whether rows are people, also members of staff, and take "their" rather than "its". */
export function isPerson(thing: { readonly one: readonly string[] } | null): boolean {
  const [head = ''] = /\S+(?= of )|\S+$/.exec(thing?.one.join(' ').toLowerCase() ?? '') ?? [];
  return PEOPLE.has(head) || /.(keeper|ologist|ician)$/.test(head);
}

/** What a reference such as `reported_by` leads to: a reporting technician; null for others. */
export function doerOf(words: readonly string[], noun: readonly string[]): readonly string[] | null {
  const [, done] = /^([a-z]*[aeiouy][a-z]+)ed by\b/i.exec(words.join(' ')) ?? [];
  return done === undefined ? null : [`${done.replace(/i$/, 'y')}ing`, ...noun];
}

const PLACES = 'city|town|village|country|county|state|region|district|province|continent|borough|island';
const PLACE = new RegExp(`^(${PLACES})( name)?$`, 'i');
const NAMED = new RegExp(`\\b(${PLACES}|department|company|team|club|station|school) name\\b`, 'g');

/** Whether a noun says where in the world something is: city, country name. */
export function isPlaceNoun(noun: string): boolean {
  return PLACE.test(noun);
}

/** city name → city, also within a text. */
export function withoutName(text: string): string {
  return text.replace(NAMED, '$1');
}

/** Where rows are: in Leeds, in the United Kingdom; people are from a country, whatever town they are in. */
export function inPlace(noun: string, place: string, arePeople: boolean): string {
  return `${arePeople && /^country\b/.test(noun) ? 'from' : 'in'} ${withThe(place)}`;
}

/** the Caribbean, the United Kingdom */
export function withThe(place: string): string {
  return /^(?!the )(Middle East|Caribbean|Netherlands|Philippines|Bahamas|Gambia|Maldives|Seychelles|USA?|UK|United \p{Lu}.*|.* (Islands|Countries|Republic|States|Emirates|Kingdom))$/u.test(
    place,
  )
    ? `the ${place}`
    : place;
}

/** Whether a word is an adjective by its ending: virtual, but not medal. */
export function isAdjective(word: string): boolean {
  const noun =
    /^(medal|animal|(festiv|hospit|termin|rent|journ|capit|materi|miner|met|cere|arriv|sign|interv|port|propos|apprais|referr|tri|ritu|funer|can|me|go|de|se)al|table|cable|vegetable|variable|archive|drive|hive|detective|objective|executive|motive|incentive|olive|bible)$/;
  return /^[a-z]+(al|ive|ous|able|ible)$/.test(word) && !noun.test(word);
}

/** The words of a noun in the plural: `card type` → card types, `number of days` → numbers of days. */
export function plural(words: readonly string[]): readonly string[] {
  return inflected(words, pluralOf);
}

/** The words of a column in the plural: dates received; participles stay: spent, approved. */
export function pluralValues(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  if (words.length === 2 && PREPOSITION.test(last)) return words;
  if (ADVERBIAL.test(last) && words.length > 1) return [...pluralValues(words.slice(0, -1)), last];
  if (!PARTICIPLE.test(last)) return plural(words);
  return words.length === 1 ? words : [...plural(words.slice(0, -1)), last];
}

/** The words of a noun in the singular. */
export function singular(words: readonly string[]): readonly string[] {
  return inflected(words, (word) =>
    UNCHANGED.has(word.toLowerCase()) || /^[^aeiou][aeiou]s$/i.test(word) ? word : pluralize.singular(word),
  );
}

/** Adjectives before a preposition: active from date, date effective from. */
const ADJECTIVE = /^(active|effective|valid|open|available|eligible|responsible)$/i;

/** The position of a noun's head: the last word, or the one before the first preposition; -1 if it has none. */
function headOf(words: readonly string[]): number {
  if (/^(how|when|where|why|what|who|which|whether)$/i.test(words[0] ?? '')) return -1;
  if (/^percentage$/i.test(words[0] ?? '')) return 0;
  const last = words.length - 1;
  const preposition = words.findIndex(
    (word, i) =>
      i > 0 && (PREPOSITION.test(word) || (word.startsWith('(') && /^[a-z]+$/i.test(words[i - 1] ?? ''))),
  );
  if (preposition < 0) return last;
  const before = words[preposition - 1] ?? '';
  if (!ADJECTIVE.test(before) && !PARTICIPLE.test(before)) return preposition - 1;
  if (preposition > 1) return preposition - 2;
  return preposition < last ? last : -1;
}

function inflected(words: readonly string[], inflect: (word: string) => string): readonly string[] {
  const head = headOf(words);
  return words.map((word, i) => (i === head ? inflect(word) : word));
}
