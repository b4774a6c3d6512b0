import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { farm as farmSchema } from '../contracts/farm.ts';
import { type Service, service as serviceSchema } from '../contracts/service.ts';
import { restTools } from '../services/domain/rest/rest.ts';
import { toolsetFor } from '../services/domain/tools/toolset-for.ts';
import { farmOf, hasSplit, TESTED_FARMS, withSplit } from './support/farms.ts';

describe.each(TESTED_FARMS)('what the tools of %s say', (name) => {
  describe.skipIf(!hasSplit(name))(withSplit(name, 'tells each from all others of its list'), () => {
    let services: Service[];

    beforeAll(async () => {
      const path = await farmOf(name);
      const { domains } = farmSchema.parse(JSON.parse(readFileSync(join(path, 'farm.json'), 'utf8')));
      services = domains.map(({ db }) =>
        serviceSchema.parse(JSON.parse(readFileSync(join(path, 'services', `${db}.json`), 'utf8'))),
      );
    });

    test('no two endpoints have the same summary, or say the same of conditions, parameters and rows', () => {
      for (const { db, endpoints } of services) {
        expect(alike(endpoints.map(({ name, summary }) => [name, summary])), db).toEqual([]);
        const said = endpoints.map(({ name, description, parameters, columns }) => {
          const told = withoutNames(
            description,
            parameters.map((each) => each.name),
          );
          const types = parameters.map(({ type, array, description }) => [type, array, description]);
          return [name, [told, types, columns]] as const;
        });
        expect(alike(said), db).toEqual([]);
      }
    });

    test('no two tools of a REST list are alike but for names', () => {
      for (const service of services) {
        const tools = restTools(service).map(({ name, description, parameters }) => {
          const names = Object.keys(parameters.properties ?? {});
          const schemas = Object.values(parameters.properties ?? {});
          return [name, [withoutNames(description, names), schemas]] as const;
        });
        expect(alike(tools), service.db).toEqual([]);
      }
    });

    test.each(['slot', 'sel'] as const)(
      'no two tools of a %s list are alike but for names',
      (formulation) => {
        for (const service of services) {
          for (const table of service.start_tables) {
            const tools = toolsetFor(service, formulation, [table]);
            const names = tools.map((tool) => tool.name);
            const said = tools.map(
              ({ name, description, parameters }) =>
                [name, [withoutNames(description, names), parameters]] as const,
            );
            expect(alike(said), `${service.db} ${table.handle}`).toEqual([]);
          }
        }
      },
    );
  });
});

/** The names that share what is told of them, group by group. */
function alike(items: readonly (readonly [name: string, told: unknown])[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const [name, told] of items) {
    const key = JSON.stringify(told);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}

/** Prose with names taken out, as an obfuscated list shows it. */
function withoutNames(text: string, names: readonly string[]): string {
  return text.replace(/[A-Za-z0-9_]+/g, (word) => (names.includes(word) ? '_' : word));
}
