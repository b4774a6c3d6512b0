import type { SplitFormat } from '../../contracts/split.ts';

/** A split that its publisher offers for download. */
export interface PublishedSplit {
  readonly title: string;
  /** The publisher's address of the archive. */
  readonly url: string;
  readonly homepage: string;
  readonly format: SplitFormat;
  readonly license: string;
  readonly license_url: string;
  /** The paper to cite. */
  readonly citation: string;
}

export type PublishedName = 'bird-dev' | 'bird-train' | 'spider';

const CC_BY_SA = {
  license: 'CC BY-SA 4.0',
  license_url: 'https://creativecommons.org/licenses/by-sa/4.0/',
} as const;

const BIRD = {
  homepage: 'https://bird-bench.github.io/',
  format: 'bird',
  ...CC_BY_SA,
  citation:
    'Li et al., "Can LLM Already Serve as A Database Interface? A BIg Bench for Large-Scale Database Grounded Text-to-SQLs", NeurIPS 2023',
} as const;

/** The splits that `rookery fetch` knows by name. To add one, add an entry. */
export const publishedSplits: Readonly<Record<PublishedName, PublishedSplit>> = {
  'bird-dev': {
    title: 'BIRD, dev',
    url: 'https://bird-bench.oss-cn-beijing.aliyuncs.com/dev.zip',
    ...BIRD,
  },
  'bird-train': {
    title: 'BIRD, train',
    url: 'https://bird-bench.oss-cn-beijing.aliyuncs.com/train.zip',
    ...BIRD,
  },
  spider: {
    title: 'Spider 1.0',
    url: 'https://drive.google.com/uc?export=download&id=1403EGqzIDoHMdQF4c9Bkyl7dZLZ5Wt6J',
    homepage: 'https://yale-lily.github.io/spider',
    format: 'spider',
    ...CC_BY_SA,
    citation:
      'Yu et al., "Spider: A Large-Scale Human-Labeled Dataset for Complex and Cross-Domain Semantic Parsing and Text-to-SQL Task", EMNLP 2018',
  },
};

/** What users must know about a split before using it: one paragraph, no line breaks. */
export function licenceNotice(what: PublishedName): string {
  const { title, license, license_url, homepage, citation } = publishedSplits[what];
  return `${title} is the work of its authors (${homepage}), licensed ${license} (${license_url}): name them, and share what you make of it alike. Cite: ${citation}.`;
}
