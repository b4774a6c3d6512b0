import { z } from 'zod';
import type { Catalog, DomainDocument } from '../../../contracts/catalog.ts';
import { rulesText } from '../../../contracts/prediction.ts';
import { SEARCH_DOCUMENTS } from '../../../contracts/toolset-options.ts';
import { namesOf } from '../../../contracts/wording.ts';
import { cached } from '../../base/concurrency.ts';
import { problemAnswer } from '../../domain/domain-calls.ts';
import type { ToolSpec } from '../../domain/tools/tool-spec.ts';
import type { BackendAnswer } from '../backend/backend.ts';
import { Bm25, queryStems, stemsOf } from './bm25.ts';
import { invalidArguments, numbersAsNumbers, searchArguments, searchParameters } from './search-specs.ts';

/** The texts about a domain that agents may search: its glossary, its rules and other documents. */
export function documentsOf({ glossary, policies, documents = [] }: Catalog): readonly DomainDocument[] {
  return [
    ...(glossary ? [{ name: 'glossary', text: glossary }] : []),
    ...(policies ? [{ name: POLICIES, text: rulesText(policies.map(({ rule }) => rule)) }] : []),
    ...documents,
  ];
}

const POLICIES = 'policies';

export function documentsTool(documents: readonly DomainDocument[]): ToolSpec {
  const names = namesOf(documents);
  const rules = names.includes(POLICIES) ? ', and which rules hold' : '';
  return {
    name: SEARCH_DOCUMENTS,
    description: `Finds sections of the documents about this data, the best match first: ${names.join(', ')}. They say what words, codes and figures mean here${rules}.`,
    parameters: searchParameters('what to look up, in plain words', 'how many sections to show'),
  };
}

const section = z.object({ document: z.string(), heading: z.string(), text: z.string() });
type Section = z.infer<typeof section>;
export const documentsAnswer = z.object({ sections: z.array(section) });

const FIELDS = { heading: { weight: 2, length: 0.5 }, text: { weight: 1, length: 0.5 } };
const indexOf = cached((catalog: Catalog) => documentIndex(documentsOf(catalog)));

/** The answer to a call of `search_documents`; an invalid call is answered with a problem. */
export function searchDocuments(catalog: Catalog, args: unknown): BackendAnswer {
  const read = searchArguments.safeParse(numbersAsNumbers(args));
  if (!read.success) return problemAnswer(invalidArguments(read.error).toProblem());
  const sections = indexOf(catalog)(read.data.query, read.data.limit);
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ sections }) };
}

/** Finds sections that share a word with a query, best match first; ties in the order of the documents. */
export function documentIndex(documents: readonly DomainDocument[]) {
  const sections = documents.flatMap(sectionsOf);
  const words = new Bm25(
    sections.map(({ heading, text }) => ({ heading: stemsOf(heading), text: stemsOf(text) })),
    FIELDS,
  );
  return (query: string, limit: number): readonly Section[] => {
    const scores = words.scores(queryStems(query));
    return sections
      .map((each, at) => ({ each, score: scores[at] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ each }) => each);
  };
}

/** The characters of a section, roughly: longer ones are split between paragraphs. */
const LONG = 2_000;

function sectionsOf({ name: document, text }: DomainDocument): Section[] {
  return text.split(/^(?=#{1,6} )/m).flatMap((part) => {
    const [, heading = '', body = part] = /^#{1,6} +([^\n]*?)#*[ \t]*(?:\n(.*))?$/s.exec(part) ?? [];
    return piecesOf(body).map((piece) => ({ document, heading: heading.trim(), text: piece }));
  });
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const paragraph of text.split(/\n\s*\n/).map((each) => each.trim())) {
    const last = pieces.at(-1);
    if (paragraph === '') continue;
    if (last !== undefined && last.length + paragraph.length < LONG)
      pieces[pieces.length - 1] = `${last}\n\n${paragraph}`;
    else pieces.push(paragraph);
  }
  return pieces;
}
