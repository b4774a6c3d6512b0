import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';

/** `docs/picture.svg`: a question on its way from a split to a verdict, drawn from README.md's examples, which tests run. */
export function picture(): string {
  return draw(stepsOf(readFileSync(join(packageRoot, 'README.md'), 'utf8')));
}

/** A box, and what the arrow from the one before it does. */
interface Step {
  readonly title: string;
  readonly by?: string;
  readonly width: number;
  readonly lines: readonly Line[];
}

interface Line {
  readonly kind: 'label' | 'text' | 'code' | 'right';
  readonly text: string;
}

function stepsOf(readme: string): Step[] {
  const found = (pattern: RegExp): string => {
    const text = pattern.exec(readme)?.[1];
    if (text === undefined) throw new Error(`README.md has no ${pattern}`);
    return text;
  };
  const label = (text: string): Line => ({ kind: 'label', text });
  const code = (text: string): Line => ({ kind: 'code', text });
  const [path = '', query = ''] = found(/^GET \/v1\/bundled\/vet_clinics(\/.+)$/m).split('?');
  const { data } = JSON.parse(found(/^(\{"data".+)$/m)) as { data: Record<string, unknown>[] };
  const tools = [...readme.matchAll(/^(\w+) +\{.+→ /gm)].map(([, name = '']) => name);
  const scores = [...found(/```text\n([\s\S]*?)\n```/).matchAll(/^(\w+) +(\d+\.\d %)/gm)];
  return [
    {
      title: 'Split',
      width: 250,
      lines: [
        label('question'),
        { kind: 'text', text: found(/^\*(“.+?”)\*/m) },
        label('gold SQL'),
        code(found(/`(SELECT .+?)`/)),
      ],
    },
    {
      title: 'Farm',
      by: 'generate',
      width: 270,
      lines: [
        label('REST: an endpoint'),
        code(`GET …${path}`),
        label('SLOT: tools to combine'),
        code([...new Set(tools)].join(', ')),
        label('task'),
        { kind: 'text', text: 'the question, without its gold' },
      ],
    },
    {
      title: 'Agent',
      by: 'serve',
      width: 220,
      lines: [
        label('a call'),
        ...query.split('&').map((each, i) => code(`${i === 0 ? '?' : '&'}${each}`)),
        label('its rows'),
        ...data.map((row) => code(Object.values(row).join(', '))),
      ],
    },
    {
      title: 'Verdict',
      by: 'score',
      width: 226,
      lines: [
        { kind: 'right', text: '✓ the rows of the gold SQL' },
        label('completion'),
        ...scores.map(([, name = '', share = '']) => code(`${name.padEnd(8)} ${share.padStart(6)}`)),
      ],
    },
  ];
}

const MARGIN = 14;
const GAP = 74;
const TOP = 34;
const LINE = 18;
const CHARACTER = 7;

function draw(steps: readonly Step[]): string {
  const boxes = steps.map((step, i) => {
    const before = steps.slice(0, i).reduce((sum, { width }) => sum + width + GAP, 0);
    return { ...step, x: MARGIN + before, rows: step.lines.flatMap((line) => wrap(line, step.width)) };
  });
  const height = Math.max(...boxes.map(({ rows }) => yOf(rows, rows.length - 1))) + LINE;
  const width = boxes.reduce((end, { x, width }) => Math.max(end, x + width), 0) + MARGIN;
  const drawn = boxes.flatMap(({ title, by, x, width, rows }) => [
    ...(by === undefined ? [] : arrow(x, height / 2 + TOP / 2, by)),
    `<text x="${x}" y="24" class="title">${title}</text>`,
    `<rect x="${x}" y="${TOP}" width="${width}" height="${height - TOP}" rx="6" class="box"/>`,
    ...rows.map(
      ({ kind, text }, i) =>
        `<text x="${x + MARGIN}" y="${yOf(rows, i)}" class="${kind}">${escapeXml(text)}</text>`,
    ),
  ]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + MARGIN}" role="img" aria-label="From a question with gold SQL to endpoints, tools and a task, to an agent's calls, to a verdict">
<style>
text { font: 13px system-ui, sans-serif; white-space: pre; fill: #181b1f; }
.title { font-size: 16px; font-weight: 600; }
.label, .by { font-size: 12px; fill: #5a626c; }
.by { text-anchor: middle; }
.text { font-style: italic; }
.code { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.right { font-weight: 600; fill: #17693a; }
.box { fill: #f7f8f9; stroke: #868e98; }
path { stroke: #2456c5; stroke-width: 1.5; fill: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8eaed; }
  .label, .by { fill: #a0a8b2; }
  .right { fill: #74d39a; }
  .box { fill: #1a1d21; stroke: #727b86; }
  path { stroke: #8fb4ff; }
}
</style>
${drawn.join('\n')}
</svg>
`;
}

function arrow(to: number, y: number, by: string): string[] {
  const from = to - GAP + 8;
  return [
    `<path d="M${from} ${y}H${to - 8}m-6 -5l6 5l-6 5"/>`,
    `<text x="${to - GAP / 2}" y="${y - 10}" class="by">${by}</text>`,
  ];
}

/** Where a row of a box stands: labels, and what is right, after a gap. */
function yOf(rows: readonly Line[], at: number): number {
  const gaps = rows.slice(1, at + 1).filter(({ kind }) => kind === 'label').length;
  return TOP + 24 + at * LINE + gaps * 10;
}

/** Lines no wider than a box, broken at blanks and underscores. */
function wrap({ kind, text }: Line, width: number): Line[] {
  const most = Math.floor((width - 2 * MARGIN) / (kind === 'code' ? CHARACTER + 0.3 : CHARACTER));
  const rows: string[] = [];
  for (const word of text.split(/(?<= )|(?<=_)/)) {
    const last = rows.at(-1);
    if (last !== undefined && (last + word).trimEnd().length <= most) rows[rows.length - 1] = last + word;
    else rows.push(word);
  }
  return rows.map((row) => ({ kind, text: row.trimEnd() }));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
