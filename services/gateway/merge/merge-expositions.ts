import { setImmediate } from 'node:timers/promises';

/** The text of one `/metrics` and what tells its samples from those of the others. */
export interface Exposition {
  readonly text: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Many Prometheus texts as one: each metric once with its HELP and TYPE, every sample with the labels of where it
 * comes from. Samples are copied, not added up: that is left to the reader. Yields to other work between two texts.
 */
export async function mergeExpositions(expositions: readonly Exposition[]): Promise<string> {
  const families = new Map<string, Family>();
  for (const { text, labels } of expositions) {
    const added = Object.entries(labels)
      .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
      .join(',');
    readInto(families, text, added);
    await setImmediate();
  }
  const blocks = [...families.values()].map(({ head, samples }) => [...head, ...samples].join('\n'));
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function readInto(families: Map<string, Family>, text: string, labels: string): void {
  let family: Family = { head: [], samples: [] };
  for (const line of text.split('\n')) {
    const [, keyword, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (name === undefined) {
      if (line !== '' && !line.startsWith('#')) family.samples.push(addLabels(line, labels));
      continue;
    }
    family = families.get(name) ?? { head: [], samples: [] };
    families.set(name, family);
    if (!family.head.some((known) => known.startsWith(`# ${keyword} `))) family.head.push(line);
  }
}

/** `name{a="1"} 2` or `name 2`, with more labels in front of those it has. */
function addLabels(sample: string, labels: string): string {
  if (labels === '') return sample;
  const [, name = '', own = '', value = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?( .*)$/.exec(sample) ?? [];
  return name === '' ? sample : `${name}{${labels}${own === '' ? '' : `,${own}`}}${value}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
