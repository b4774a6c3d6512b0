import { beforeAll, describe, expect, it } from 'vitest';
import { type FarmStats, farmStats, statsReport } from '../cli/commands/stats.ts';
import { readFarm, type ScoredFarm } from '../eval/farm/read-farm.ts';
import { farmOf } from './support/farms.ts';

describe('rookery stats', () => {
  let farm: ScoredFarm;
  let stats: FarmStats;
  beforeAll(async () => {
    farm = readFarm(await farmOf('bundled'));
    stats = await farmStats(farm);
  });

  it('counts what farm.json counts', () => {
    for (const { db, endpoints } of farm.farm.domains) {
      const counted = stats.domains.find((domain) => domain.db === db);
      const samples = farm.samples.filter(({ dataset_name }) => dataset_name === db);
      expect(counted).toMatchObject({
        endpoints,
        questions: new Set(samples.map(({ question_id }) => question_id)).size,
        synthesized: new Set(
          samples.filter((one) => one.origin === 'synthesized').map((one) => one.question_id),
        ).size,
      });
      expect(counted?.rows).toBeGreaterThan(500);
    }
    const rest = stats.formulations.find(({ formulation }) => formulation === 'rest');
    expect(rest?.tools).toBe(farm.farm.domains.reduce((sum, { endpoints }) => sum + endpoints, 0));
  });

  it('tells how long sequences are and how many tools are offered', () => {
    const slot = farm.samples.filter(({ formulation }) => formulation === 'slot');
    const counted = stats.formulations.find(({ formulation }) => formulation === 'slot');
    expect(counted?.calls.max).toBe(Math.max(...slot.map(({ output }) => output.length)));
    expect(counted?.calls.mean).toBeCloseTo(
      slot.reduce((sum, { output }) => sum + output.length, 0) / slot.length,
    );
    expect(counted?.tools_offered.max).toBeLessThan(20);
  });

  it('says how questions differ, and which nearly repeat another', () => {
    const { levels, joins, nesting, skeletons, repeats } = stats.variety;
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((all, each) => all + each, 0);
    const questions = new Set(farm.samples.map((each) => `${each.dataset_name} ${each.question_id}`)).size;
    expect(sum(levels)).toBe(farm.samples.length);
    expect([sum(joins), sum(nesting)]).toEqual([questions, questions]);
    expect(Object.values(levels).every((count) => count > 0)).toBe(true);
    expect(skeletons.cover_half).toBeLessThan(skeletons.distinct);
    expect(repeats.same_shape).toBeLessThan(questions / 2);
    expect(repeats.same_words).toBeGreaterThan(0);
    // Twice the same farm: every question repeats another.
    const twice = {
      ...farm,
      samples: farm.samples.flatMap((each) => [each, { ...each, question_id: `again ${each.question_id}` }]),
    };
    return farmStats(twice).then(({ variety }) =>
      expect(variety.repeats).toEqual({ same_shape: 2 * questions, same_words: 2 * questions }),
    );
  });

  it('is printed as tables, with a line for all domains', () => {
    const text = statsReport(stats);
    expect(text).toMatch(/^all 3( +\d+){7}$/m);
    expect(text).toMatch(/^aggregate \d+|, aggregate \d+/m);
    expect(text).not.toContain('published');
    const published = { queries: [['published: slot', 665]], slots: { slot: 3.29 } };
    expect(statsReport(stats, published)).toMatch(/^actions .*\npublished: slot +665/m);
  });

  it('counts slots by several rules, which do not overlap but for the widest', () => {
    for (const { slots, slots_by_rule: rules } of stats.formulations) {
      expect(rules['every argument']).toBe(slots.mean);
      expect(rules['without tables and earlier results']).toBeCloseTo(
        rules['columns, operations and settings'] + rules['values that the question gives'],
      );
    }
    const slot = stats.formulations.find(({ formulation }) => formulation === 'slot');
    const gold = farm.samples
      .filter(({ formulation }) => formulation === 'slot')
      .flatMap(({ output }) => output);
    const tables = gold.filter(({ arguments: args }) => 'data_source' in args).length;
    const { queries = 1, slots_by_rule: rules } = slot ?? {};
    expect(
      (rules?.['every argument'] ?? 0) - (rules?.['without tables and earlier results'] ?? 0),
    ).toBeGreaterThanOrEqual(tables / queries);
    const nearest = { queries: [], slots: { slot: slot?.slots.mean ?? 0 } };
    expect(statsReport(stats, nearest)).toMatch(/^nearest to it +every argument$/m);
  });
});
