import type { Select } from '../../../sql/index.ts';
import type { Noun } from '../words/lexicon.ts';
import type { Fact } from './facts.ts';
import { idlePartners } from './idle-sources.ts';
import { extendsParent, isLinkTable } from './joins.ts';
import type { Saying } from './phrase-of.ts';

/** A table that is joined only to keep the rows that have some row there. */
export interface Partner {
  readonly noun: Noun;
  /** True when its rows are those that it is joined to, with more columns. */
  readonly same: boolean;
}

/** The tables that are joined only to keep the rows that have some row there: dogs that have treatments. */
export function partnersOf(select: Select, speaker: Saying['speaker']): readonly Partner[] {
  const read = select.from.map(({ source }) => speaker.origins.tableOf(source.id));
  return idlePartners(select, speaker).flatMap(({ source, edge }) => {
    const table = speaker.origins.tableOf(source);
    if (table === null) return [];
    // A link table stands for what it links to.
    const ends = isLinkTable(table)
      ? table.foreign_keys.map((key) => speaker.origins.tableNamed(key.references_table))
      : [];
    const other = ends.find((end) => end !== null && !read.includes(end)) ?? table;
    return [{ noun: speaker.noun(other), same: extendsParent(edge, speaker.origins) }];
  });
}

/** The same as facts. */
export function partnerFacts(select: Select, { speaker }: Pick<Saying, 'speaker'>): readonly Fact[] {
  return partnersOf(select, speaker).map(({ noun, same }) => {
    return { kind: 'member', of: noun.many, present: true, same, where: '', choices: [] };
  });
}
