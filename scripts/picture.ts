import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';

const LINE = 19;
const CHARACTER = 7.8;
const MARGIN = 24;

/** A line of the picture, and what it is. */
interface Line {
  readonly kind: 'heading' | 'said' | 'sent' | 'answered';
  readonly text: string;
}

/**
 * `docs/picture.svg`: rookery at work, from a question to a leaderboard, as README.md shows it in words. It is drawn of the
 * README's own examples, which tests run, so that the picture shows nothing that is not so.
 */
export function picture(): string {
  return drawLines(linesOf(readFileSync(join(packageRoot, 'README.md'), 'utf8')));
}

function linesOf(readme: string): Line[] {
  const found = (pattern: RegExp): string => {
    const text = pattern.exec(readme)?.[1];
    if (text === undefined) throw new Error(`README.md has no ${pattern}`);
    return text;
  };
  const calls = found(/^(filter_data[\s\S]*?)\n```/m).split('\n');
  const table = found(/```text\n([\s\S]*?)\n```/).split('\n');
  return [
    { kind: 'heading', text: 'A question with its SQL becomes' },
    { kind: 'said', text: found(/^\*(“.+?”)\*/m) },
    { kind: 'heading', text: 'a live endpoint' },
    { kind: 'sent', text: found(/^(GET \/v1.+)$/m) },
    { kind: 'answered', text: found(/^(\{"data".+)$/m) },
    { kind: 'heading', text: 'and a task for general tools' },
    ...calls.map((text): Line => ({ kind: 'sent', text: text.replace(/ {2,}/g, '  ') })),
    { kind: 'heading', text: 'that agents are scored on' },
    ...table.map((text): Line => ({ kind: 'answered', text })),
  ];
}

function drawLines(lines: readonly Line[]): string {
  const width = Math.ceil(Math.max(...lines.map(({ text }) => text.length)) * CHARACTER) + 2 * MARGIN;
  let y = MARGIN;
  const drawn = lines.map(({ kind, text }) => {
    y += kind === 'heading' ? LINE * 1.6 : LINE;
    return `<text x="${MARGIN}" y="${y.toFixed(1)}" class="${kind}">${escapeXml(text)}</text>`;
  });
  const height = Math.ceil(y + MARGIN);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="From a question to a live endpoint, a task and a leaderboard">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #d7dde3; }
.heading { font-family: system-ui, sans-serif; font-weight: 600; fill: #8fb7ff; }
.said { font-style: italic; }
.sent { fill: #9ad29a; }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#1c2128"/>
${drawn.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
