/** What a question may want to have computed, as English says it. */
const INTENTS: readonly RegExp[] = [
  /\bhow many\b|\bnumbers? of\b|\bcount\b|\bamount of\b/i,
  /\baverage\b|\bmean\b/i,
  /\bpercent|\bproportion\b|\bratio\b|\brate of\b|\bfraction\b|\bshare\b|%/i,
  /\btotal\b|\bsum\b|\baltogether\b|\boverall\b/i,
  /\b(?:high|larg|big|great|old|young|long|heavi|tall|new|late|rich|fast|strong|low|small|short|light|few|earli|cheap|slow|near|close|weak|poor)est\b|\bmost\b|\bleast\b|\bmaximum\b|\bminimum\b|\bmin\b|\bmax\b|\btop\b|\bbest\b|\bworst\b|\bbottom\b|\brecent\b|\bfirst\b|\blast\b/i,
  /\bdifference\b|\bhow much (?:more|less|higher|lower|faster)\b|\bmore .* than\b|\bgap\b/i,
  /\border(?:ed)?\b|\bsort(?:ed)?\b|\brank/i,
  /\beach\b|\bfor every\b|\bper\b|\bof all\b/i,
];

/** For each kind of computation whether a text speaks of it: a question, or the summary of a tool. */
export function computationsIn(text: string): readonly boolean[] {
  return INTENTS.map((said) => said.test(text));
}
