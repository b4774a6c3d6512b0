export function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.join(' ').toLowerCase() === b.join(' ').toLowerCase();
}

export function endsWith(words: readonly string[], tail: readonly string[]): boolean {
  return tail.length > 0 && sameWords(words.slice(-tail.length), tail);
}

/** Several names as one, what they share said once: eye hair and skin colour IDs. */
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
  const [first = [], ...others] = lists;
  if (others.length === 0) return [];
  let length = 0;
  while (length < first.length - 1) {
    const word = first.at(-1 - length);
    if (!others.every((words) => words.length > length + 1 && words.at(-1 - length) === word)) break;
    length++;
  }
  return first.slice(first.length - length);
}

/** Words that all lists begin with, each list keeping at least one of its own. */
function commonLead(lists: readonly (readonly string[])[]): readonly string[] {
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
