import { UserError } from '../../contracts/errors.ts';
import type { Section } from './prompt-pack.ts';

const ROLES = ['system', 'tools', 'user'] as const;

/**
 * The parts of a template file: `=== system`, `=== tools` or `=== user` on a line begins one. What stands between
 * `--- when tools stand in the prompt` and `---` (or the end of the part) is only for prompts that hold the tools.
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
      // Pieces alternate with what stands behind the dashes.
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
