import type { SplitFormat } from '../../../contracts/split.ts';
import { bird } from './bird.ts';
import type { Layout } from './layout.ts';
import { rookery } from './rookery.ts';
import { spider } from './spider.ts';

/** Every layout that can be read, in the order in which they are tried. */
export const layouts: Readonly<Record<SplitFormat, Layout>> = { rookery, bird, spider };
