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
`);

/** Abbreviations in identifiers that mean one thing everywhere. */
export const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    fname: 'first name',
    lname: 'last name',
    mname: 'middle name',
    dept: 'department',
    emp: 'employee',
    stu: 'student',
    cust: 'customer',
    acct: 'account',
    mgr: 'manager',
    qty: 'quantity',
    amt: 'amount',
    addr: 'address',
    yr: 'year',
    pct: 'percent',
    lat: 'latitude',
    lon: 'longitude',
    lng: 'longitude',
  }).map(([short, full]) => [short, full.split(' ')]),
);

/** Column names that say little without their table's. */
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

/** Words that say how a row is known, not what it is. */
export const KEY_WORDS = words('id ids code key uuid guid no number num nr fk pk ref');
