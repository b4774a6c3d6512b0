import { expect, it } from 'vitest';
import { type Inventory, releaseChangelog, shippedOf } from './release-files.ts';

const CHANGELOG = `# Changelog

## Unreleased

- A thing: \`$&\`.
- Another.

## 0.1.0 (2026-01-02)

- The first.
`;

it('unreleased entries move to the version, leaving an empty section', () => {
  expect(releaseChangelog(CHANGELOG, '0.2.0', '2026-03-04')).toBe(`# Changelog

## Unreleased

## 0.2.0 (2026-03-04)

- A thing: \`$&\`.
- Another.

## 0.1.0 (2026-01-02)

- The first.
`);
});

it('works for a first release', () => {
  const first = '# Changelog\n\n## Unreleased\n\n- All.\n';
  expect(releaseChangelog(first, '0.1.0', '2026-01-02')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-02)\n\n- All.\n',
  );
});

it('refuses a release without entries or of an existing version', () => {
  const empty = CHANGELOG.replace(/- A thing[^\n]*\n- Another\.\n/, '');
  expect(() => releaseChangelog(empty, '0.2.0', '2026-03-04')).toThrow(/nothing below/);
  expect(() => releaseChangelog(CHANGELOG, '0.1.0', '2026-03-04')).toThrow(/0\.1\.0 already/);
});

it('lists packages that are installed or bundled, and what each of them needs', () => {
  const component = (name: string, isForDevelopment: boolean): Inventory['components'][number] => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    version: '1.0.0',
    properties: isForDevelopment ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
  });
  const all: Inventory = {
    metadata: { component: { name: 'checkout' } },
    components: [component('installed', false), component('bundled', true), component('linter', true)],
    dependencies: [
      { ref: 'rookery@1.0.0', dependsOn: ['installed@1.0.0', 'linter@1.0.0'] },
      { ref: 'bundled@1.0.0', dependsOn: ['installed@1.0.0'] },
      { ref: 'linter@1.0.0', dependsOn: ['bundled@1.0.0'] },
    ],
  };
  const shipped = shippedOf(all, 'notices\n\nbundled 1.0.0 (MIT)\n\nlinter 2.0.0 (MIT)\n');
  expect(shipped.metadata.component).toEqual({ name: 'rookery' });
  expect(shipped.components.map(({ name }) => name)).toEqual(['installed', 'bundled']);
  expect(shipped.dependencies).toEqual([
    { ref: 'rookery@1.0.0', dependsOn: ['installed@1.0.0'] },
    { ref: 'bundled@1.0.0', dependsOn: ['installed@1.0.0'] },
  ]);
});
