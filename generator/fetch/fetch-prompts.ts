import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { type FarmFile, printJson, writeFolder } from '../write/write-folder.ts';
import { downloadWhole, type Transfer } from './download.ts';

export type PromptsName = 'live-api-bench-prompts' | 'nfcl-prompts';

interface PublishedPrompts {
  readonly title: string;
  readonly homepage: string;
  readonly license: string;
  /** Files at a fixed commit. */
  readonly files: readonly { readonly url: string; readonly sha256: string }[];
  /** What `--prompts` and `--shots-file` read; the files as they are by default. */
  readonly convert?: (texts: readonly string[]) => FarmFile[];
}

const LIVE_API_BENCH =
  'https://raw.githubusercontent.com/IBM/api-integrated-llm-experiment/823a6907244dd87c705f1a749750c7ab165d4f67/source/prompts';
const NEXUS_RAVEN =
  'https://raw.githubusercontent.com/nexusflowai/NexusRaven-V2/7794bc603a92856d075bb4a6607db550c96131c2';

/** Prompts that authors publish under a licence that allows copies. To add some, add an entry. */
export const publishedPrompts: Readonly<Record<PromptsName, PublishedPrompts>> = {
  'live-api-bench-prompts': {
    title: 'Prompts and worked examples of Live API-Bench',
    homepage: 'https://github.com/IBM/api-integrated-llm-experiment',
    license: 'Apache-2.0',
    files: [
      {
        url: `${LIVE_API_BENCH}/prompts.json`,
        sha256: '7eac89bc913ec95f446e40784ad1346fdb03f7578f24c2181ac8d9a16ccfad4f',
      },
      {
        url: `${LIVE_API_BENCH}/examples/examples_icl_slot_filling.json`,
        sha256: '948d96a46ca442acc0283164d2d0ee38e8f22b7436709987acf6a249adc93a49',
      },
      {
        url: `${LIVE_API_BENCH}/examples/examples_icl_sequencing.json`,
        sha256: '8b151677f99e1fea2d42049bdd487e9ca439a7f5c8f3074d56a5c29af1421749',
      },
    ],
  },
  'nfcl-prompts': {
    title: "NexusRaven's and GPT-4's prompts of the Nexus Function Calling Leaderboard",
    homepage: 'https://github.com/nexusflowai/NexusRaven-V2',
    license: 'Apache-2.0',
    files: [
      {
        url: `${NEXUS_RAVEN}/evaluation_notebook/GPT4_Evaluation/Benchmark_GPT4.ipynb`,
        sha256: 'ea3893fcefb1e3d828d93a596723c2a035664e00b73bbe657bdf84c5e95e9c0c',
      },
    ],
    convert: ([notebook = '']) => nexusPack(notebook),
  },
};

interface FetchPromptsOptions extends Transfer {
  readonly published: PublishedPrompts;
  /** A folder with the files, downloaded by hand. */
  readonly from?: string;
  readonly to: string;
}

/** Makes a folder of published prompts; each file must be the one that was published at the commit. */
export async function fetchPrompts({ published, from, to, ...options }: FetchPromptsOptions): Promise<void> {
  const { title, homepage, license, files, convert } = published;
  await writeFolder(
    to,
    { isOurs: isFetchedPrompts, what: 'a folder of fetched prompts', signal: options.signal },
    async (scratch) => {
      const texts: string[] = [];
      for (const { url, sha256 } of files) {
        const file = from === undefined ? undefined : join(from, basename(url));
        const folder = join(scratch, 'download');
        const arrived = await (file === undefined
          ? downloadWhole({ ...options, url, folder })
          : downloadWhole({ file }).catch((cause: unknown) => {
              const fault = `is missing; it is published at ${url}`;
              throw new UserError('PROMPTS_INVALID', file, fault, { cause });
            }));
        const fault = `is another file than the one of this commit (sha256 ${sha256})`;
        if (arrived.sha256 !== sha256) throw new UserError('PROMPTS_INVALID', file ?? url, fault);
        texts.push(arrived.content.toString('utf8'));
      }
      const made =
        convert?.(texts) ?? texts.map((content, i) => ({ path: basename(files[i]?.url ?? ''), content }));
      const record = { prompts: title, homepage, license, files };
      return { files: [...made, { path: FETCH_RECORD, content: printJson(record) }] };
    },
  );
}

const FETCH_RECORD = 'fetch.json';

function isFetchedPrompts(folder: string): boolean {
  try {
    return z
      .object({ prompts: z.string() })
      .safeParse(JSON.parse(readFileSync(join(folder, FETCH_RECORD), 'utf8'))).success;
  } catch {
    return false;
  }
}

const notebook = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]),
    }),
  ),
});

/** A prompt pack of the two templates in NexusRaven's evaluation notebook. */
function nexusPack(text: string): FarmFile[] {
  const { cells } = notebook.parse(JSON.parse(text));
  const code = cells.flatMap(({ cell_type, source }) => (cell_type === 'code' ? [source] : [])).join('\n');
  const template = (name: string): string => {
    const found = new RegExp(`^${name}\\s*=\\s*\\\\?\\s*"""([^]*?)"""`, 'm').exec(code)?.[1];
    if (found === undefined) throw new UserError('PROMPTS_INVALID', 'the notebook', `has no ${name}`);
    return `=== user\n${found.replaceAll('{tools}', '{PYTHON_FUNCTIONS}').replaceAll('{input}', '{QUERY}')}\n`;
  };
  return [
    { path: 'pack.yaml', content: NEXUS_PACK },
    { path: 'raven.txt', content: template('RAVEN_PROMPT') },
    { path: 'gpt.txt', content: template('OPENAI_PROMPT') },
  ];
}

const NEXUS_PACK = `name: nfcl-prompts
description: The templates of NexusRaven's evaluation notebook.
decoding: { temperature: 0.001, max_tokens: 2048 }
shots: { sequencing: 0, router: 0 }
families:
  raven:
    models: ['raven']
    transport: completions
    roles: { user: ['', ''] }
    stop: ['<bot_end>']
    sequencing: { file: raven.txt, reply: nested }
    router: { file: raven.txt, reply: nested }
  gpt:
    models: ['']
    transport: chat
    sequencing: { file: gpt.txt, reply: nested }
    router: { file: gpt.txt, reply: nested }
`;
