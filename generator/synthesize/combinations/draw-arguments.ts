import {
  FILTER_OPERATORS,
  AGGREGATE_METRICS,
  type PropertyType,
  type QueryArguments,
} from '../../../contracts/query-tool.ts';
import type { Random } from '../../variants/random.ts';
import type { Balance } from './balance.ts';
import type { Combination } from './combination.ts';
import { metricsOfNumber, type Shelf, type ShelvedProperty } from './shelf.ts';
import type { SearchSql } from './tool-sql.ts';
import { isAsked } from './word-families.ts';

/** A call with what stands for its search in plain SQL. */
export interface DrawnCall {
  readonly args: QueryArguments;
  readonly search: SearchSql | null;
}

interface Draw {
  readonly random: Random;
  readonly balance: Balance;
}

/** How often a search has a second word. */
const SECOND_WORD = 0.15;
const TOPS = [1, 3, 5];
/** Shares of rows that a value may have to be worth a filter. */
const RARE = 0.02;
const USUAL = 0.8;

/** Draws a call of a combination; null when the collection's values do not offer it. */
export function drawArguments(shelf: Shelf, combination: Combination, draw: Draw): DrawnCall | null {
  const { random, balance } = draw;
  const { filter: filterType, aggregation: aggregationType } = combination;
  const search = combination.search ? drawSearch(shelf, random) : null;
  // Of a long list only the end is worth asking for.
  const isList = !combination.search && aggregationType === null && !combination.group;
  const filter = filterType && drawFilter(shelf, filterType, isList, draw);
  const aggregation = aggregationType && drawAggregation(shelf, aggregationType, filter ?? null, draw);
  const taken = [filter, aggregation].flatMap((one) => one?.value.property_name ?? []);
  const groups = shelf.groups.filter(({ property }) => !taken.includes(property.name));
  const group = combination.group
    ? balance.pick(groups, ({ property }) => `group by ${property.type}`)
    : null;
  if (search === undefined || filter === undefined || aggregation === undefined || group === undefined)
    return null;
  const args = {
    collection_name: shelf.collection.name,
    ...(search ? { search_query: search.text } : {}),
    ...(filter ? { [filter.name]: filter.value } : {}),
    ...(aggregation ? { [aggregation.name]: aggregation.value } : {}),
    ...(group ? { groupby_property: group.property.name } : {}),
  } as QueryArguments;
  return { args, search: search ? search.sql : null };
}

interface DrawnSearch {
  readonly text: string;
  readonly sql: SearchSql;
}

function drawSearch(shelf: Shelf, random: Random): DrawnSearch | undefined {
  const { about } = shelf.collection;
  return about ? drawFacets(shelf, about.name, random) : drawWords(shelf, random);
}

/** A word for each facet; which of its phrases a text has is open. */
function drawFacets({ facetWords }: Shelf, column: string, random: Random): DrawnSearch | undefined {
  const first = random.pick(facetWords);
  if (!first) return undefined;
  const second = random.chance(SECOND_WORD)
    ? random.pick(facetWords.filter(({ facet }) => facet !== first.facet))
    : undefined;
  const drawn = second ? [first, second] : [first];
  return {
    text: drawn.map(({ forms }) => random.pick(forms.filter(isAsked))).join(' '),
    sql: { columns: [], words: [], about: { column, facets: drawn.map(({ facet }) => facet.phrases) } },
  };
}

/** Words in any of their forms. */
function drawWords({ words, searched }: Shelf, random: Random): DrawnSearch | undefined {
  // A word in several forms shows that a search is more than a pattern.
  const inflected = words.filter(({ forms }) => forms.length > 1);
  const first = random.pick(inflected.length > 0 && random.chance(0.7) ? inflected : words);
  if (!first) return undefined;
  const second = random.chance(SECOND_WORD)
    ? random.pick(words.filter(({ share }) => share >= 0.1))
    : undefined;
  const families = second && second !== first ? [first, second] : [first];
  return {
    text: families.map(({ forms }) => random.pick(forms.filter(isAsked))).join(' '),
    sql: { columns: searched, words: families.map(({ all }) => all) },
  };
}

interface Argument {
  readonly name: string;
  readonly value: { readonly property_name: string };
}

function drawFilter(
  { filters }: Shelf,
  type: PropertyType,
  isList: boolean,
  { random, balance }: Draw,
): Argument | undefined {
  const one = random.pick(filters[type]);
  const operator = balance.pick(FILTER_OPERATORS[type], (each) => `${type} ${each}`);
  if (!one || !operator) return undefined;
  const value = (isList ? endOf(one, operator) : undefined) ?? VALUES[type](one, operator, random);
  const { name } = one.property;
  return value === undefined
    ? undefined
    : {
        name: `${type}_property_filter`,
        value: { property_name: name, operator, value } as Argument['value'],
      };
}

function endOf({ ends }: ShelvedProperty, operator: string): number | undefined {
  return operator.startsWith('<') ? ends?.low : operator.startsWith('>') ? ends?.high : undefined;
}

type DrawValue = (one: ShelvedProperty, operator: string, random: Random) => unknown;

const VALUES: Readonly<Record<PropertyType, DrawValue>> = {
  integer({ profiled: { common, steps } }, operator, random) {
    const usual = common.filter(({ share }) => share >= RARE && share <= USUAL).map(({ value }) => value);
    const value = random.pick(operator === '=' ? usual : steps);
    const number = Number(value);
    if (value === undefined || typeof value === 'string' || Math.abs(number) > Number.MAX_SAFE_INTEGER)
      return undefined;
    // Nobody asks for more digits; where each one counts, the value itself is asked for.
    return operator === '=' || Number.isInteger(number) ? number : Number(number.toPrecision(3));
  },
  text({ profiled: { common, steps, kind } }, operator, random) {
    const values = kind === 'category' ? common.map(({ value }) => value) : steps;
    if (operator === 'LIKE') {
      return random.pick(String(random.pick(values) ?? '').match(/[A-Za-z]{4,}/g) ?? []);
    }
    const usual = common.filter(({ share }) => share >= RARE && share <= USUAL);
    const value = random.pick(usual)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  },
  boolean: (_one, _operator, random) => random.chance(0.5),
};

function drawAggregation(
  shelf: Shelf,
  type: PropertyType,
  filter: Argument | null,
  { random, balance }: Draw,
): Argument | undefined {
  const fixed = filter?.value.property_name;
  const others = shelf.aggregated[type].filter(({ property }) => property.name !== fixed);
  const one = random.pick(others.length > 0 ? others : shelf.aggregated[type]);
  if (!one) return undefined;
  const offered: readonly string[] = type === 'integer' ? metricsOfNumber(one) : AGGREGATE_METRICS[type];
  const metrics = balance.pick(offered, (each) => `${type} ${each}`);
  if (metrics === undefined) return undefined;
  const top = metrics === 'TOP_OCCURRENCES' ? { top_occurrences_limit: random.pick(TOPS) } : {};
  const value = { property_name: one.property.name, metrics, ...top };
  return { name: `${type}_property_aggregation`, value };
}
