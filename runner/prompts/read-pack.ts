import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { UserError } from '../../contracts/errors.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import { packageRoot } from '../../contracts/package-root.ts';
import { faultIn } from '../../contracts/wording.ts';
import type { ReplyFormat } from '../models/model.ts';
import {
  type PackFile,
  type PromptPack,
  type PromptTemplate,
  packFile,
  type Section,
} from './prompt-pack.ts';

const ROLES = ['system', 'tools', 'user'] as const;

/**
 * The sections of a template file, each started by a line `=== system`, `=== tools` or `=== user`. Text
 * between `--- when tools stand in the prompt` and `---` (or the end of the section) is only used if the
 * prompt contains the tools.
 */
export function readSections(file: string, text: string): Section[] {
  const parts = text.split(/^=== (.*)\n/m);
  if (parts.length < 3 || parts[0]?.trim() !== '') {
    throw invalid(file, 'a template begins with a line such as "=== user"');
  }
  const sections: Section[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    const name = (parts[i] ?? '').trim();
    const role = ROLES.find((each) => each === name);
    if (role === undefined) throw invalid(file, `=== ${name} is none of ${ROLES.join(', ')}`);
    const body = (parts[i + 1] ?? '').replace(/\n$/, '');
    body.split(/^---(.*)(?:\n|$)/m).forEach((piece, at) => {
      // Pieces alternate with the text after the dashes.
      if (at % 2 === 1 || piece === '') return;
      const mark = at === 0 ? '' : (body.split(/^---(.*)(?:\n|$)/m)[at - 1] ?? '').trim();
      if (mark !== '' && mark !== CONDITION) throw invalid(file, `--- ${mark} is not "--- ${CONDITION}"`);
      sections.push({ role, text: piece, onlyWithToolsInPrompt: mark === CONDITION });
    });
  }
  return sections;
}

const CONDITION = 'when tools stand in the prompt';

function invalid(file: string, fault: string): UserError {
  return new UserError('PROMPTS_INVALID', file, fault);
}

/** The only section of a bundled template. */
export function readTemplateText(name: string): string {
  return bundledSections(name)
    .map(({ text }) => text)
    .join('\n\n');
}

const known = new Map<string, PromptTemplate['sections']>();

function bundledSections(name: string): PromptTemplate['sections'] {
  const file = join(PROMPTS_FOLDER, name);
  const sections = known.get(name) ?? readSections(file, readFileSync(file, 'utf8'));
  known.set(name, sections);
  return sections;
}

export const PROMPTS_FOLDER = join(packageRoot, 'prompts');

/** Reads a bundled pack, or a folder with a `pack.yaml`; `family` fixes the family. Throws PROMPTS_INVALID. */
export function readPack(nameOrFolder: string, family?: string): PromptPack {
  const folder = existsSync(join(nameOrFolder, 'pack.yaml'))
    ? nameOrFolder
    : join(PROMPTS_FOLDER, nameOrFolder);
  const file = join(folder, 'pack.yaml');
  if (!existsSync(file)) {
    throw new UserError(
      'PROMPTS_INVALID',
      nameOrFolder,
      'there is no such pack; give a folder with a pack.yaml',
    );
  }
  const text = readFileSync(file, 'utf8');
  const pack = parsePack(file, text);
  const hash = createHash('sha256').update(text);
  const sections = new Map(
    Object.values(pack.families)
      .flatMap(({ sequencing, router }) => [sequencing.file, router.file])
      .map((name) => {
        const path = join(folder, name);
        const body = readTemplate(path);
        hash.update(`\0${name}\0${body}`);
        return [name, readSections(path, body)];
      }),
  );
  const digest = hash.digest('hex');
  if (family !== undefined && !Object.hasOwn(pack.families, family)) {
    const known = Object.keys(pack.families).join(', ');
    throw new UserError('PROMPTS_INVALID', file, `there is no family ${family}; it has ${known}`);
  }
  return {
    name: pack.name,
    hash: digest,
    decoding: pack.decoding,
    shots: (formulation) =>
      pack.shots[FORMULATIONS[formulation].calls === 'single' ? 'router' : 'sequencing'],
    template(formulation, modelId) {
      const name = family ?? familyOf(pack, modelId);
      const chosen = name === undefined ? undefined : pack.families[name];
      if (name === undefined || chosen === undefined) {
        throw new UserError(
          'PROMPTS_INVALID',
          file,
          `no family is for ${modelId}; choose one: ${pack.name}:<family>`,
        );
      }
      const { file: template, reply } =
        chosen[FORMULATIONS[formulation].calls === 'single' ? 'router' : 'sequencing'];
      const { begin, roles, reply_begins: replyBegins, stop, transport } = chosen;
      return {
        family: name,
        sections: sections.get(template) ?? [],
        wrapper: transport === 'completions' ? { begin, roles, replyBegins } : null,
        stop,
        reply,
      };
    },
  };
}

/** The first family with a word that occurs in the model's name, without its provider. */
function familyOf({ families }: PackFile, modelId: string): string | undefined {
  const name = modelId.slice(modelId.indexOf('/') + 1).toLowerCase();
  return Object.keys(families).find((key) => families[key]?.models.some((word) => name.includes(word)));
}

function parsePack(file: string, text: string): PackFile {
  const read = packFile.safeParse(parseYaml(file, text));
  if (read.success) return read.data;
  throw new UserError('PROMPTS_INVALID', file, faultIn(read.error, 'the file'));
}

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new UserError('PROMPTS_INVALID', file, `is not YAML (${(cause as Error).message})`, { cause });
  }
}

function readTemplate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UserError('PROMPTS_INVALID', path, 'is named in pack.yaml, and cannot be read', { cause });
  }
}

/** A bundled template of `prompts/nl2sql`. */
export function nl2sqlTemplate(file: string, reply: ReplyFormat): PromptTemplate {
  const sections = bundledSections(join('nl2sql', file));
  return { family: basename(file, '.txt'), sections, wrapper: null, stop: [], reply };
}
