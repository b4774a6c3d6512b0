import { vi } from 'vitest';
import { QueryError } from '../../contracts/errors.ts';
import { DEFAULT_REFERENCE_TIME, type Split } from '../../contracts/split.ts';
import { PhraseResolver } from '../../generator/english/realize.ts';
import { lowerRest } from '../../generator/lower/lower-rest.ts';
import { parseQuery } from '../../sql/index.ts';

export interface SharedPhrases {
  /** Endpoints described. */
  readonly endpoints: number;
  /** Phrases that stood for different things until they were rephrased. */
  readonly mended: number;
  /** Phrases that still do, with the things. */
  readonly left: readonly string[];
}

/** Describes every endpoint of a split and finds out whether any phrase of one stands for two different expressions. */
export function sharedPhrases(split: Split): SharedPhrases {
  const left = new Map<PhraseResolver, readonly string[]>();
  let mended = 0;
  const settle = PhraseResolver.prototype.settle;
  const spy = vi.spyOn(PhraseResolver.prototype, 'settle').mockImplementation(function (
    this: PhraseResolver,
  ) {
    const shared = [...this.shared()].map(([text, meanings]) =>
      [text, ...meanings.map((meaning) => meaning.text)].join('\n  '),
    );
    mended += shared.length;
    left.set(this, shared);
    return settle.call(this);
  });
  try {
    let endpoints = 0;
    for (const { db, catalog } of split.domains) {
      const own = split.questions
        .filter(({ db_id }) => db_id === db)
        // What a person wrote is no matter of phrases.
        .map((question) => ({ ...question, endpoint_words: undefined }));
      const queries = own.flatMap((question) => {
        try {
          const query = parseQuery(question.sql, { catalog, referenceTime: DEFAULT_REFERENCE_TIME });
          return [{ question, query }];
        } catch (error) {
          if (error instanceof QueryError) return [];
          throw error;
        }
      });
      endpoints += lowerRest(queries, { split: split.name, db, catalog }).endpoints.length;
    }
    return { endpoints, mended, left: [...left.values()].flat() };
  } finally {
    spy.mockRestore();
  }
}
