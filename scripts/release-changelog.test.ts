import { expect, it } from 'vitest';
import { releaseChangelog } from './release-changelog.ts';

const CHANGELOG = `# Changelog

## Unreleased

- A thing: \`$&\`.
- Another.

## 0.1.0 (2026-01-02)

- The first.
`;

it('unreleased entries become those of the version, and room is made for the next', () => {
  expect(releaseChangelog(CHANGELOG, '0.2.0', '2026-03-04')).toBe(`# Changelog

## Unreleased

## 0.2.0 (2026-03-04)

- A thing: \`$&\`.
- Another.

## 0.1.0 (2026-01-02)

- The first.
`);
});

it('a first release has no version after it', () => {
  const first = '# Changelog\n\n## Unreleased\n\n- All.\n';
  expect(releaseChangelog(first, '0.1.0', '2026-01-02')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-02)\n\n- All.\n',
  );
});

it('a release without entries, or of a version that was released, is refused', () => {
  const empty = CHANGELOG.replace(/- A thing[^\n]*\n- Another\.\n/, '');
  expect(() => releaseChangelog(empty, '0.2.0', '2026-03-04')).toThrow(/nothing below/);
  expect(() => releaseChangelog(CHANGELOG, '0.1.0', '2026-03-04')).toThrow(/0\.1\.0 already/);
});
