import type { Select } from '../../../sql/index.ts';
import type { Fact } from './facts.ts';
import { idlePartners } from './idle-sources.ts';
import { extendsParent, isLinkTable } from './joins.ts';
import type { Saying } from './phrase-of.ts';

/** The tables that are joined only to keep the rows that have some row there: dogs that have treatments. */
export function partnerFacts(select: Select, { speaker }: Pick<Saying, 'speaker'>): readonly Fact[] {
  const read = select.from.map(({ source }) => speaker.origins.tableOf(source.id));
  return idlePartners(select, speaker).flatMap(({ source, edge }): readonly Fact[] => {
    const table = speaker.origins.tableOf(source);
    if (table === null) return [];
    // A link table stands for what it links to.
    const ends = isLinkTable(table)
      ? table.foreign_keys.map((key) => speaker.origins.tableNamed(key.references_table))
      : [];
    const other = ends.find((end) => end !== null && !read.includes(end)) ?? table;
    const same = extendsParent(edge, speaker.origins);
    const of = speaker.noun(other).many;
    return [{ kind: 'member', of, present: true, same, where: '', choices: [] }];
  });
}
