import { ERRORS } from '../contracts/errors.ts';

const KINDS = {
  user: [
    'Commands',
    'Printed as `<file>: CODE message`; the command ends with exit code 2 and changes nothing.',
  ],
  http: ['HTTP', 'Answered as `application/problem+json` with this `code` and status.'],
  query: ['Questions', 'Why a question is not in a farm: in `coverage.json` and `rookery coverage`.'],
} as const;

/** docs/errors.md: the catalogue of errors as a page. */
export function errorsPage(): string {
  const sections = Object.entries(KINDS).map(([kind, [title, meaning]]) => {
    const rows = Object.entries(ERRORS)
      .filter(([, error]) => error.kind === kind)
      .map(
        ([code, error]) => `| \`${code}\` | ${'status' in error ? `${error.status} | ` : ''}${error.title} |`,
      );
    const head =
      kind === 'http'
        ? '| code | status | what it means |\n|---|---|---|'
        : '| code | what it means |\n|---|---|';
    return `## ${title}\n\n${meaning}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return `# Errors\n\nThis page is generated from \`contracts/errors.ts\`.\n\n${sections.join('\n')}`;
}
