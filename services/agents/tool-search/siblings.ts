import { Bm25 } from './bm25.ts';
import { type IndexedTool, toolDocument } from './tool-document.ts';

const SIBLING_FIELDS = {
  name: { weight: 1, length: 0.5 },
  summary: { weight: 2, length: 0.5 },
  parameters: { weight: 1, length: 0.5 },
};

/** For each tool, by its place in the list, the others of its domain, the most alike first. */
export function siblingsOf(tools: readonly IndexedTool[]): readonly (readonly number[])[] {
  const domains = new Map<string, number[]>();
  for (const [at, { service }] of tools.entries()) {
    const list = domains.get(service.db);
    if (list) list.push(at);
    else domains.set(service.db, [at]);
  }
  const siblings: (readonly number[])[] = tools.map(() => []);
  for (const members of domains.values()) {
    const documents = members.map((at) => toolDocument(tools[at] as IndexedTool).words);
    const index = new Bm25(documents, SIBLING_FIELDS);
    for (const [i, at] of members.entries()) {
      const words = new Map(
        Object.values(documents[i] ?? {}).flatMap((list) => list.map((word) => [word, 1])),
      );
      const scores = index.scores(words);
      siblings[at] = members
        .map((other, j) => ({ other, score: scores[j] ?? 0 }))
        .filter(({ other }) => other !== at)
        .sort((a, b) => b.score - a.score || a.other - b.other)
        .map(({ other }) => other);
    }
  }
  return siblings;
}
