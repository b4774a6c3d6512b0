import { expect, it } from 'vitest';
import { releaseChangelog } from './release-changelog.ts';

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
