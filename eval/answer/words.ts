/** Vocabulary for reading answers in prose: lower case, stemmed where noted. */

const MONEY_NAMES: Readonly<Record<string, string>> = {
  USD: '$ us$ usd dollar dollars',
  EUR: '€ eur euro euros',
  GBP: '£ gbp pound pounds sterling',
  JPY: '¥ jpy yen',
  CNY: 'cny rmb yuan',
  INR: '₹ inr rupee rupees',
  CHF: 'chf franc francs',
  SEK: 'sek',
  NOK: 'nok',
  DKK: 'dkk',
  CAD: 'cad c$',
  AUD: 'aud a$',
  BRL: 'brl r$',
  CZK: 'czk koruna',
  PLN: 'pln zł',
  KR: 'kr kronor kroner krona',
  // A hundredth of any currency.
  CENT: 'cent cents pence',
};

/** The ISO code for each name of a currency. */
export const CURRENCIES: ReadonlyMap<string, string> = new Map(
  Object.entries(MONEY_NAMES).flatMap(([code, names]) =>
    names.split(' ').map((name) => [name, code] as const),
  ),
);

export const SCALES: ReadonlyMap<string, bigint> = new Map([
  ['hundred', 100n],
  ['thousand', 1000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
  ['trillion', 1_000_000_000_000n],
  ['mn', 1_000_000n],
  ['bn', 1_000_000_000n],
  ['k', 1000n],
  ['lakh', 100_000n],
  ['crore', 10_000_000n],
  ['dozen', 12n],
]);

/** Units by dimension: each inner list has the names of one unit per element. */
const UNIT_NAMES: readonly (readonly string[])[] = [
  ['ms millisecond', 's sec second', 'min minute', 'h hr hour', 'd day', 'wk week', 'month', 'yr year'],
  [
    'mm millimetre millimeter',
    'cm centimetre centimeter',
    'm metre meter',
    'km kilometre kilometer',
    'inch',
    'ft foot feet',
    'mile mi',
    'yard',
  ],
  ['mg milligram', 'g gram', 'kg kilogram kilo', 't tonne ton', 'lb pound', 'oz ounce'],
  ['ml millilitre milliliter', 'l litre liter', 'gallon'],
  ['w watt', 'kw kilowatt', 'mw megawatt'],
  ['wh', 'kwh', 'mwh'],
  ['°c celsius', '°f fahrenheit'],
  ['m/s mps', 'km/h kmh kph', 'mph', 'knot kn kt'],
  ['m²', 'ha hectare', 'acre', 'km²'],
  ['b byte', 'kb kilobyte', 'mb megabyte', 'gb gigabyte'],
];

/** For each name of a unit: its dimension, and the canonical name of the unit. */
export const UNITS: ReadonlyMap<string, { readonly measured: number; readonly name: string }> = new Map(
  UNIT_NAMES.flatMap((units, measured) =>
    units.flatMap((names) => {
      const all = names.split(' ');
      return all.map((name) => [name, { measured, name: all[0] ?? name }] as const);
    }),
  ),
);

export const NUMBER_WORDS: ReadonlyMap<string, bigint> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, i) => [word, BigInt(i)] as const),
);

export const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

export const TENS: ReadonlyMap<string, bigint> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i) => [word, BigInt(10 * (i + 2))] as const),
);

export const MONTHS: ReadonlyMap<string, number> = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((month, i) =>
      [month, month.slice(0, 3), ...(month === 'september' ? ['sept'] : [])].map(
        (name) => [name, i + 1] as const,
      ),
    ),
);

/** Phrases of uncertainty, alternatives and retraction. */
export const HEDGE =
  /(?<!\p{L})(?:i guess|guess(?:es|ing|ed)?|i think|i believe|i suppose|i assume|not sure|unsure|uncertain|unclear|probably|possibly|perhaps|maybe|might|could (?:be|have)|may be|may have|presumably|likely|possible|possibility|seems?|appears? to|either|alternatively|or maybe|otherwise|assum(?:e|es|ed|ing)|estimat(?:e|es|ed|ion)|wait|hmm+|oops|sorry|apolog(?:y|ies|ize|ise)|correction|mistake|wrong|incorrect|(?<!(?:is|are|was|were) )actually|on second thought|let(?:'s| us) say|to be confirmed|unable|unavailable|can(?:no|')t (?:be )?(?:determine|tell|say|find|answer|verify|confirm|access)\w*|could(?: not|n't)|do(?: not|n't) know|don't have|no way to|no (?:idea|clue)|failed|error|tbd|yes and no)(?!\p{L})|\?/giu;

/** Within a sentence: marks a list as incomplete. */
export const OPEN_LIST =
  /(?<!\p{L})(?:for (?:example|instance)|such as|etc|and so (?:on|forth)|and (?:some |many )?others|among others|to name (?:a few|some))(?!\p{L})/iu;

/** At the end: marks a list as incomplete. */
export const OPEN_END = /[,;\s](?:\.{3}|…)\s*$/u;

/** Before a value: marks it as one of several. */
export const EXAMPLE_BEFORE = /(?<!\p{L})e\.\s?g\.?[,:]?\s*$/iu;

/** Before a number: negates it. */
export const NEGATED_BEFORE =
  /(?:(?<!\p{L})(?:not|never|minus|all but|all except|isn't|aren't|wasn't|weren't|other than|rather than|instead of|except|excluding|but not|neither|nor|without)(?: (?:exactly|just|only|equal to|the|a|an))*|(?<!\p{L})no)\s*$/iu;

/** Before a number: makes it a bound, or one end of a range. */
export const BOUND_BEFORE =
  /(?<!\p{L})(?:more than|greater than|over|above|at least|at most|less than|fewer than|under|below|(?<!add(?:s|ed|ing)? )up to|no more than|no fewer than|no less than|nearly|almost|just under|just over|between|from|minimum of|maximum of|exceeds?|exceeding|upwards of|(?:half|twice|double|(?:a|one) (?:third|quarter|tenth|fraction)) of|twice|double)\s*[$€£]?\s*$/iu;

/** Before a date: makes it a bound or an approximation. */
export const DATE_BOUND_BEFORE =
  /(?<!\p{L})(?:before|after|by|prior to|(?:later|earlier|sooner) than|about|around|approximately|approx\.?|roughly|circa|ca\.?|near|close to|some ?time (?:in|on|around)|no(?:t)? (?:before|until|after))\s*(?:the\s*)?$/iu;

/** Before a year: makes it a bound, unless the question has the word. */
export const YEAR_BOUND_BEFORE = /(?<!\p{L})(before|after|prior to)\s*$/iu;

/** Before a text: relates it to what is meant. */
export const RELATED_BEFORE =
  /(?<!\p{L})(?:similar to|(?:un)?like|next to|besides?|after|before|(?:mother|father|parent|son|daughter|child|wife|husband|brother|sister|owner|friend|neighbou?r|colleague|successor|predecessor|opposite|rival)s? of)\s*(?:the\s*)?$/iu;

/** Conditions on an answer. */
export const CONDITION =
  /(?<!\p{L})(?:if|unless|provided|providing|assuming|depending|depends|supposing)(?!\p{L})/giu;

/** After `yes` or `no`: qualifies it. */
export const RESERVATION =
  /(?<!\p{L})(?:but|except|however|although|though|unless|if|sometimes|partly|partially|mostly|usually|actually|depends|depending|until|formerly|previously)(?!\p{L})/gu;

/** Before a number: makes it approximate. */
export const ABOUT_BEFORE =
  /(?:(?<!\p{L})(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|some|close to|near)|[~≈])\s*[$€£]?\s*$/iu;

/** After a number: makes it a bound, or a share of something. */
export const BOUND_AFTER =
  /^\s*(?:or (?:more|less|fewer|so)(?!\p{L})|and (?:more|up|above)(?!\p{L})|\+(?!\d)|‰|plus(?!\p{L})|out of(?!\p{L})|of the \d|-ish(?!\p{L})|at (?:most|least)(?!\p{L})|and a half(?!\p{L})|(?:half|halves|thirds|quarters of|(?:four|fif|six|seven|eigh|nin|ten|hundred|thousand)ths)(?!\p{L}))/iu;

/** Phrases that announce the answer, which follows the last of them. */
export const FINAL_MARKER =
  /(?:(?<!\p{L})(?:the |my |so the )?final (?:answer|result)(?: is|\s*[:=-])?|(?<!\p{L})(?:the |my )?(?:answer|result)\s*(?:is|[:=])|(?:^|\n)[ \t]*#{2,4}\s(?=\S{1,200}\s{0,5}$)|(?:^|\n)[ \t]*(?:answer|a)[ \t]*[:=]|\n[ \t]*(?:therefore|thus|hence|so)[,:])\s*/giu;

/** Polite sentences, unrelated to the answer. */
export const POLITE =
  /(?:^|(?<=[.!?\n]))\s*(?:please )?(?:let me know|would you like|feel free|is there anything|i hope|hope (?:this|that)|do you want|if you(?:'d| would)? (?:need|have|want|like)|happy to|anything else)(?!\p{L})[^\n]*?(?:[.!?](?=\s|$)|$)/giu;

/** At the beginning: an apology that retracts nothing in the answer. */
export const APOLOGY =
  /^(?:(?:i(?:'m| am) )?(?:very )?sorry|(?:(?:i|my|please accept my) )?apolog(?:ize|ise|ies))(?: for (?:the|any) (?:(?:earlier|previous) )?(?:delay|wait|confusion|inconvenience))?(?: earlier)?[.!,;:]\s*/iu;

/** Words of sentences that report a result, which may stand beside it together with the question's words. Stems. */
export const REPORTING: ReadonlySet<string> = new Set(
  `a an the and as at be by for from has have had in into is it its was were are of on per that their there these this those to
  which who whose whom with within he she they them his her hers our your you i we us me my been being do does did so thus therefore
  hence also then than both all each every any only just exactly namely respectively overall total in's itself themselves here
  answer result final follow list below above found find base databas data queri queried record row tabl tool accord
  number count amount sum valu name call titl entitl id identifi code date item entri field column output respons return provid show
  indic get got give given use retriev obtain look see match belong correspond hold contain includ first second third last
  highest lowest most least largest biggest smallest greatest fewest top maximum minimum max min averag mean
  sure certain certainli ok okay great yes question ask regard about between among against during sinc until after before when where
  what how many much up out over under around through across along back togeth apart one follow refer known label equal come came
  make made summari detail took take taken compar comparison versus vs appli filter mention endpoint check note pleas thank
  chang sourc outsid insid help need inform share ran run went goes go becom becam stand stood remain stay way well now today
  current still alreadi yet again onc while becaus due via both other whole full complet request search result set user order sort
  same differ distinct uniqu correct confirm abov quick short brief simpli directli gave tell told say said put keep kept ask need want
  like try tried work read wrote written add join group rank pull fetch execut perform step function api json sql schema condit
  criteria criterion time often next begin began start end complet exact individu separ combin entir avail exist remaind`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words of sentences that report no results, besides those of the question. Stems. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the and as at be by for from has have had in into is it its was were are of on per that their there these this those to which
  who whose with been do does did so any at all ever such match found find i exist`.split(/\s+/),
);

/** Retracts an earlier statement. */
export const RETRACTION =
  /(?<!\p{L})(?:that|this|it|which|they|these|those)(?:'s| is| was| are| were)? (?:not|n't|no)(?!\p{L})|(?<!\p{L})(?:isn't|wasn't|aren't|weren't|is not|was not) (?:right|correct|true|the case|certain|it|so)(?!\p{L})|(?<!\p{L})not (?:right|correct|true|the case|certain|sure)(?!\p{L})|(?<!\p{L})instead(?!\p{L})|(?<!\p{L})rather(?!\p{L})/iu;

/** Separators between two values of a list. */
export const LIST_GAP =
  /^[\s,;:&"'.)\]|/·•–—→>-]*(?:\((?:\p{Ll}|\s)*\)[\s,;:.]*)?(?:and|as well as|plus|also|followed by|then|&)?[\s,"'([|–—-]*(?:the|then|next|finally|last(?:ly)?)?\s*$/iu;

/** Spellings of a missing value in tables. */
export const MISSING = /^(?:null|none|nan|nil|n\/a|na|<na>|nat|-|–|—|\(null\)|missing|\(none\)|unknown)$/iu;

/** Phrases for a missing value in any column. */
export const NOT_RECORDED =
  /(?<!\p{L})not (?:yet )?(?:recorded|known|given|stated|set|specified|available|applicable|provided)(?!\p{L})/giu;

/** Words that mark a value as shared by several rows. */
export const SHARED = /(?<!\p{L})(?:each|both|(?<!in )all|every|apiece)(?!\p{L})/iu;

export const NOTHING_FOUND =
  /^(?:no(?!\p{L})|none(?!\p{L})|nothing(?!\p{L})|nobody(?!\p{L})|there (?:is|are|was|were) (?:no|none|nothing|nobody|not any)(?!\p{L})|(?:i|the query|it)? ?(?:found|returned|returns) (?:no|none|nothing)(?!\p{L})|\(?(?:0|no) (?:rows|results)\)?|zero(?=\s\p{Ll})|(?:an? )?empty (?:result|list|set|table)(?: set)?|(?:the )?(?:result|list|answer|table)(?: set)? (?:is|was) empty)/iu;

export const YES: ReadonlySet<string> = new Set(['yes', 'true', 'y', 't', 'correct', '✅', '✔', '✔️', '✓']);
export const NO: ReadonlySet<string> = new Set(['no', 'false', 'n', 'f', '❌', '✗', '✘']);

/** Words for each aggregate's result, by its SQL name. */
export const AGGREGATES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    min: 'lowest minimum smallest cheapest least earliest shortest youngest',
    max: 'highest maximum largest biggest dearest most latest longest oldest',
    avg: 'average mean',
    sum: 'total sum altogether',
  }).map(([name, words]) => [name, words.split(' ')]),
);
