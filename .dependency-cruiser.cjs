// The allowed directions of docs/architecture.md. A folder's index.ts is its face.

// dependency-cruiser has swc read every file as TypeScript without JSX; the pages of the console need it.
const swc = require('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });

/** Workspace packages that a package may import; what is missing here may import none. */
const PACKAGE_MAY_IMPORT = {
  'packages/model': [],
  'packages/api': ['packages/model'],
  'packages/client': ['packages/api', 'packages/model'],
  'packages/apple-export': ['packages/model'],
  'packages/providers': ['packages/model', 'packages/apple-export'],
  'packages/simulators': ['packages/model'],
  cli: ['packages/api', 'packages/client', 'packages/model'],
  console: ['packages/api', 'packages/client', 'packages/model'],
  // Not apple-export: the format of a vendor's file is reached through that vendor's provider.
  daemon: ['packages/api', 'packages/model', 'packages/providers', 'packages/simulators'],
};

/** Folders of the daemon from the outside in: a layer imports those below it, not its neighbours above. */
const SERVICES = 'accounts|archival|audit|users|connections|sync|intake|events|backup|repairs|open-wearables';
/** The queue lies beneath the services: each defines its own jobs, compose.ts hands them to the queue. */
const INNER = 'records|reading|database|jobs';

const packages = Object.entries(PACKAGE_MAY_IMPORT).map(([from, allowed]) => ({
  name: `${from.replace('/', '-')}-imports`,
  comment: `${from} imports ${allowed.length > 0 ? allowed.join(', ') : 'no other package'} of the workspace`,
  severity: 'error',
  from: { path: `^${from}/src/` },
  to: {
    path: '^(packages/[^/]+|cli|console|daemon|test|scripts)/',
    pathNot: [from, ...allowed].map((folder) => `^${folder}/src/`),
  },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'an import that is not found would slip past every other rule',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...packages,
    {
      name: 'model-is-pure',
      comment: 'the data model has no dependencies and does no input or output',
      severity: 'error',
      from: { path: '^packages/model/src/' },
      to: { pathNot: '^packages/model/src/' },
    },
    {
      name: 'package-face',
      comment: 'another package is imported through what it exports: an index.ts',
      severity: 'error',
      from: { path: '^(packages/[^/]+|cli|console|daemon)/src/' },
      to: { path: '^(packages/[^/]+|cli|console|daemon)/src/', pathNot: ['^$1/src/', '/index\\.ts$'] },
    },
    {
      name: 'daemon-face',
      comment: 'a folder of the daemon is imported from outside through its index.ts only',
      severity: 'error',
      from: { path: '^daemon/src/([^/]+)', pathNot: '^daemon/src/main\\.ts$' },
      to: { path: '^daemon/src/[^/]+/', pathNot: ['^daemon/src/$1/', '^daemon/src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'daemon-entry',
      comment: 'the entry starts commands and nothing else of a folder',
      severity: 'error',
      from: { path: '^daemon/src/main\\.ts$' },
      to: { path: '^daemon/src/[^/]+/', pathNot: '^daemon/src/commands/' },
    },
    {
      name: 'daemon-inner',
      comment: 'records, reading, database and the queue know no service and no route',
      severity: 'error',
      from: { path: `^daemon/src/(${INNER})/` },
      to: { path: `^daemon/src/(http|${SERVICES})/` },
    },
    {
      name: 'daemon-database',
      comment: 'the database folder knows nothing of what is stored through it',
      severity: 'error',
      from: { path: '^daemon/src/database/' },
      to: { path: '^daemon/src/', pathNot: '^daemon/src/database/' },
    },
    {
      name: 'daemon-writer',
      comment: 'the writer does not read through what is built for answers',
      severity: 'error',
      from: { path: '^daemon/src/records/' },
      to: { path: '^daemon/src/reading/' },
    },
    {
      name: 'daemon-services',
      comment: 'services know no route; they are given what they need',
      severity: 'error',
      from: { path: `^daemon/src/(${SERVICES})/` },
      to: { path: '^daemon/src/http/' },
    },
    {
      name: 'daemon-compose',
      comment: 'parts meet in compose.ts alone; only the commands of the program import it',
      severity: 'error',
      from: { path: '^daemon/src/', pathNot: '^daemon/src/(main\\.ts$|commands/)' },
      to: { path: '^daemon/src/(main|compose)\\.ts$' },
    },
    {
      name: 'daemon-simulators',
      comment: 'simulated vendors are started by the sandbox, which no other part knows of',
      severity: 'error',
      from: { path: '^daemon/src/', pathNot: '^daemon/src/commands/sandbox\\.ts$' },
      to: { path: '^packages/simulators/' },
    },
    {
      name: 'vendor-knowledge',
      comment: 'a provider is known to its own folder and to the registry',
      severity: 'error',
      from: { path: '^packages/providers/src/([^/]+)', pathNot: '^packages/providers/src/(index|registry)\\.ts$' },
      to: {
        path: '^packages/providers/src/(apple|garmin|google|oura|polar|samsung|strava|suunto|ultrahuman|whoop)/',
        pathNot: '^packages/providers/src/$1/',
      },
    },
    {
      name: 'no-tests',
      comment: 'what runs imports nothing of the tests',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|^test/' },
      to: { path: '\\.test\\.tsx?$|^test/' },
    },
  ],
  options: {
    parser: 'swc',
    exclude: { path: '/dist/|\\.test\\.tsx?$' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      conditionNames: ['healthd-source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js'],
      mainFields: ['main', 'types', 'typings'],
    },
  },
};
