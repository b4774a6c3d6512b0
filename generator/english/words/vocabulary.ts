import type { Catalog } from '../../../contracts/catalog.ts';
import type { Question } from '../../../contracts/split.ts';
import { COMMON_WORDS } from './common-words.ts';
import { plural, singular } from './nouns.ts';
import { lowerWords } from './split-words.ts';

/** The words, in lower case, that people use when they speak of a domain. */
export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  /** Those that are not only written in capitals: no acronyms. */
  readonly spoken: ReadonlySet<string>;
  /** Those that people of this domain write, not only those that are common everywhere. */
  readonly own: ReadonlySet<string>;
}

/**
 * The words of a domain's questions and descriptions. A word of an identifier that is not among them is an
 * abbreviation.
 */
export function vocabularyOf(catalog: Catalog, questions: readonly Question[]): Vocabulary {
  const words = new Set(COMMON_WORDS);
  const spoken = new Set(COMMON_WORDS);
  const own = new Set<string>();
  const add = (prose: string | null) => {
    // Tokens with capitals, digits or underscores inside are identifiers quoted in prose.
    for (const [word] of (prose ?? '').matchAll(/(?<![\w'’`])(?:[A-Za-z][a-z]+|[A-Z]{2,})(?![\w`])/g)) {
      const lower = word.toLowerCase();
      for (const form of [lower, ...singular([lower]), ...plural([lower])]) {
        words.add(form);
        own.add(form);
        if (word !== word.toUpperCase()) spoken.add(form);
      }
    }
  };
  for (const { question } of questions) add(question);
  for (const table of catalog.tables) {
    add(table.description);
    addFriendly(table.friendly_name, table.name, add);
    for (const column of table.columns) {
      add(column.description === column.name ? null : column.description);
      add(column.value_description);
      addFriendly(column.friendly_name, column.name, add);
    }
  }
  return { words, spoken, own };
}

/** A friendly name that only spells the name again teaches nothing. */
function addFriendly(friendly: string | null, name: string, add: (prose: string) => void): void {
  if (friendly === null) return;
  if (lowerWords(friendly).join() !== lowerWords(name).join()) add(friendly);
}
