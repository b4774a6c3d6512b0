import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../contracts/package-root.ts';
import { programName } from '../../contracts/sdk.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { printProgram } from '../../runner/gold-program.ts';
import { domainModule } from '../../services/agents/code/sdk.ts';
import { printSdk } from '../../services/agents/code/sdk-routes.ts';
import { loadFarm } from '../../services/index.ts';

/** The formulations that a domain's module has. */
const IN_MODULES: readonly string[] = ['rest', 'slot', 'query', 'records'];

/** Compiles the gold programs of a farm against the modules of its domains, strictly: their number, and what is wrong. */
export async function compilePrograms(farm: string): Promise<{ programs: number; errors: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-programs-'));
  const { samples } = readFarm(farm);
  let programs = 0;
  try {
    for (const { service } of (await loadFarm(farm)).domains) {
      const module = domainModule(service);
      const file = programName(service.db);
      writeFileSync(join(folder, `${file}.ts`), printSdk(module, 'ts'));
      const own = samples.filter(
        ({ dataset_name, formulation }) => dataset_name === service.db && IN_MODULES.includes(formulation),
      );
      const functions = own.map(({ output, ...sample }) => {
        const [start] = module.starts;
        const labels = [sample.initialization_step].flatMap((step) => labelsIn(step));
        const starts = new Map(labels.map((label) => [label, start ?? '']));
        const body = printProgram(output, { ...sample, starts });
        const opened = sample.formulation === 'records' ? 'records' : 'module';
        return `export async function program_${++programs}() {\nconst { ${namesIn(body).join(', ')} } = ${opened};\n${body}\n}`;
      });
      const head = `import * as module from './${file}.js';\nconst { records } = module;`;
      writeFileSync(join(folder, `${file}_programs.ts`), [head, ...functions].join('\n\n'));
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] },
      }),
    );
    const tsc = join(packageRoot, 'node_modules', '.bin', 'tsc');
    const errors = await promisify(execFile)(tsc, ['-p', folder, '--lib', 'es2022,dom,dom.iterable']).then(
      () => '',
      (error: { stdout?: string }) => error.stdout ?? String(error),
    );
    return { programs, errors: errors.slice(0, 4000) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function labelsIn(
  step: { readonly label?: string | undefined; readonly arguments: object } | null,
): string[] {
  if (step === null) return [];
  const more =
    'additional_tables' in step.arguments ? (step.arguments.additional_tables as { label: string }[]) : [];
  return [...(step.label === undefined ? [] : [step.label]), ...more.map(({ label }) => label)];
}

/** The functions that a program calls, besides methods. */
function namesIn(body: string): string[] {
  const outside = body.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...new Set([...outside.matchAll(/(?<![.\w])(\w+)\(/g)].map(([, name = '']) => name))];
}
