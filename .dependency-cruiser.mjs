import { readdirSync, readFileSync } from 'node:fs';

/** Rooms that only tests enter. What they import is nobody's business. */
const TEST_CODE = '[.]test[.]ts$|(^|/)testing/|^tests/';

/** Modules of the generator that open databases which others made, by what they import. A table in memory is our own. */
const OPENERS = readdirSync('generator', { recursive: true })
  .map((name) => `generator/${name}`)
  .filter((file) => file.endsWith('.ts') && !/[.]test[.]ts$|^generator\/init-split[.]ts/.test(file))
  .filter((file) =>
    /^(?!import type ).*'(better-sqlite3|sql[.]js|.*\/better-sqlite3[.]ts)'/m.test(
      readFileSync(file, 'utf8'),
    ),
  );

/** Commands that `cli/supervise.ts` runs in a process of their own. */
const [LISTED] = /SUPERVISED[^=]*= \[[^\]]*\]/.exec(readFileSync('cli/supervise.ts', 'utf8'));
const SUPERVISED = [...LISTED.matchAll(/'(\w+)'/g)].map(([, name]) => name).join('|');

/** Who else opens databases, of our own making: served copies, runs, and tables in memory. */
const OWN_DATABASES = [
  'services/base/(sqlite|scalars)/',
  'services/domain/app[.]ts$',
  'services/agents/runs/sqlite-runs[.]ts$',
  'runner/(agents/oracle|control/completions|files/run-folder)[.]ts$',
];

/** Imports from a room to others that it must not know. */
const layer = (name, from, forbidden, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TEST_CODE },
  to: { path: forbidden },
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    layer(
      'contracts',
      '^contracts/',
      '^(sql|services|generator|eval|cli|client|runner|console)/',
      'Contracts import nothing of ours.',
    ),
    layer(
      'services',
      '^services/',
      '^(generator|eval|cli|client|runner|console)/',
      'Services import contracts and the SQL toolkit.',
    ),
    layer(
      'services-base',
      '^services/base/',
      '^services/(?!base/)',
      'Base knows neither domains nor agents.',
    ),
    layer(
      'services-domain',
      '^services/domain/',
      '^services/(?!base/|domain/)',
      'A domain is served without agents and without a gateway.',
    ),
    layer(
      'services-agents',
      '^services/agents/',
      '^services/(?!base/|domain/|agents/)',
      'What serves agents builds on domains, and reaches those of other processes by base/upstream.',
    ),
    layer(
      'services-gateway',
      '^services/gateway/',
      '^services/(?!base/|gateway/)',
      'The gateway passes requests on; it knows neither domains nor agents.',
    ),
    layer(
      'generator',
      '^generator/',
      '^(eval|cli|client|runner|console)/',
      'The generator imports contracts and services.',
    ),
    layer(
      'deploy',
      '^deploy/',
      '^(sql|eval|adapters|cli|client|runner|console)/',
      'Deployment files are made of a farm and of what services take.',
    ),
    layer(
      'core',
      '^((contracts|sql|generator|eval|client|runner|console)/|services/(?!main[.]ts$))',
      '^(adapters|deploy)/',
      'Foreign formats, protocols and databases can be taken away: what starts a process hands them over.',
    ),
    layer(
      'adapters',
      '^adapters/',
      '^(sql|services/(domain|gateway)|generator|cli|console|deploy)/',
      'A foreign format is made of contracts and of what scoring has read, a protocol of the episodes that services have.',
    ),
    {
      ...layer('adapters-apart', '^adapters/([^/]+)/', '', 'Each adapter can be taken away without another.'),
      to: { path: '^adapters/[^/]+/', pathNot: '^adapters/$1/' },
    },
    layer(
      'sql',
      '^sql/',
      '^(services|generator|eval|cli|client|runner|console)/',
      'The SQL toolkit imports contracts only.',
    ),
    layer(
      'eval',
      '^eval/',
      '^(sql|services|generator|cli|client|runner|console)/',
      'Scoring imports contracts only.',
    ),
    layer(
      'client',
      '^client/',
      '^(sql|services|generator|eval|cli|runner|console)/',
      'The client imports contracts only.',
    ),
    layer(
      'runner',
      '^runner/',
      '^(sql/|services/|generator/|cli/|console/|eval/(?!parse/|metrics/))',
      'The runner sees a farm through the client, as a user does; what figures are it has from where they are made.',
    ),
    layer(
      'console',
      '^console/',
      '^(?!console/|client/|node_modules/|contracts/(answer-rows|vocabulary|words)[.]ts|eval/metrics/|runner/leaderboard/).*/',
      'The console sees a farm through the client; what answers and figures are it has from where they are made.',
    ),
    layer(
      'main',
      '^(contracts|sql|services|generator|eval|client|runner|console)/',
      '^cli/',
      'Nothing imports the command.',
    ),
    {
      name: 'stoppable',
      comment:
        'No statement on a database of others runs where it cannot be stopped: ask a child process (ChildPool), or run the command in one (cli/supervise.ts).',
      severity: 'error',
      from: {
        path: '^cli/(commands/|supervise[.]ts)|^(services|runner|console)/',
        pathNot: `^cli/commands/(${SUPERVISED})[.]ts$|${TEST_CODE}`,
      },
      to: { path: `^(${OPENERS.map((file) => file.replaceAll('.', '[.]')).join('|')})$`, reachable: true },
    },
    {
      name: 'own-databases',
      comment:
        'Databases of others are opened by the generator alone, where `stoppable` sees to it that they can be let go of.',
      severity: 'error',
      from: { pathNot: `^(generator|databases|scripts|bench)/|^(${OWN_DATABASES.join('|')})|${TEST_CODE}` },
      to: {
        path: '(^|/)better-sqlite3([.]ts$|/)|(^|/)sql[.]js(/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sql-parser',
      comment: 'Only sql/ imports the SQL parser; everybody else sees our IR.',
      severity: 'error',
      from: { pathNot: '^sql/' },
      to: { path: '^(node_modules/)?sqlglot-ts' },
    },
    {
      name: 'no-test-code',
      comment: 'What ships does not import what only tests need.',
      severity: 'error',
      from: {
        path: '^(contracts|sql|services|generator|eval|cli|client|runner|console)/',
        pathNot: TEST_CODE,
      },
      to: { path: TEST_CODE },
    },
    {
      name: 'no-cycles-between-folders',
      comment:
        'A folder that needs another which needs it: split one of them, or let it declare what it needs.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(contracts|sql|services|generator|eval|cli|client|runner)' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-in-compiler',
      comment: 'Only the grammar itself nests: its binder and its printer call each other back.',
      severity: 'error',
      from: { path: '^(sql|generator)/', pathNot: `^sql/(bind-|print)|${TEST_CODE}` },
      to: { circular: true },
    },
    {
      name: 'unresolved',
      comment: 'An import that is not found is not checked.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
  ],
  options: {
    // TypeScript 7 has no parser that other programs can call.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: `node_modules|${TEST_CODE}` },
    // Nor has it one that reads TSX: the components of the console are checked by Biome's noRestrictedImports.
    exclude: { path: '^(dist|[.]tmp)/|[.]tsx$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'types', 'default'],
    },
  },
};
