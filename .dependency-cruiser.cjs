// Allowed imports, as documented in docs/architecture.md. Other folders import a folder only through its index.ts.

// dependency-cruiser makes swc parse every file as TypeScript without JSX, but the console's pages contain JSX.
const swc = require('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (path, options) => {
  const file = parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });
  return CALLERS.test(path) ? { ...file, body: file.body.filter((statement) => !isTypeOfSchemas(statement)) } : file;
};

/** Callers of the service. They may import types of the schemas, which the compiler erases, but never load the schemas. */
const CALLERS = /(^|\/)(packages\/client|cli|console)\/src\//;
const isTypeOfSchemas = ({ type, typeOnly, source }) =>
  /^(Import|ExportNamed)Declaration$/.test(type) &&
  typeOnly &&
  /^@healthd\/schemas$|\/schemas\/src\/index\.js$/.test(source?.value);

/** Workspace packages that each package may import. A package without a line may import none. */
const PACKAGE_MAY_IMPORT = {
  'packages/model': [],
  'packages/contract': [],
  'packages/schemas': ['packages/contract', 'packages/model'],
  'packages/client': ['packages/contract', 'packages/model'],
  'packages/apple-export': ['packages/model'],
  'packages/providers': ['packages/model', 'packages/apple-export'],
  'packages/simulators': ['packages/model'],
  // Starts a database server and does not depend on the stored data.
  'packages/embedded-postgres': [],
  cli: ['packages/contract', 'packages/client', 'packages/model', 'packages/schemas'],
  console: ['packages/contract', 'packages/client', 'packages/model'],
  // Not apple-export: the daemon reads a vendor's file through the vendor's provider.
  daemon: [
    'packages/contract',
    'packages/schemas',
    'packages/embedded-postgres',
    'packages/model',
    'packages/providers',
    'packages/simulators',
  ],
};

/**
 * Folders of the daemon, with the folders that each may import in addition to `platform` and its own files. `app` is not
 * listed: it connects all folders and may import each of them.
 */
const FOLDER_MAY_IMPORT = {
  accounts: ['vault'],
  audit: [],
  vault: [],
  backup: ['feed', 'users'],
  connections: ['feed', 'vault', 'store/facts'],
  diagnosis: ['connections'],
  feed: ['query', 'store/facts', 'vault'],
  http: [
    'accounts',
    'audit',
    'connections',
    'diagnosis',
    'feed',
    'priorities',
    'retention',
    'runs',
    'users',
    'query',
    'ingest/exports',
    'ingest/files',
    'ingest/pull',
    'ingest/push',
    'ingest/webhooks',
    'store/write',
  ],
  'ingest/files': ['connections', 'runs', 'store/facts', 'store/write'],
  'ingest/pull': ['connections', 'runs', 'store/facts', 'store/write'],
  'ingest/push': ['connections', 'runs', 'store/facts', 'store/write'],
  'ingest/exports': ['connections', 'runs', 'ingest/pull'],
  'ingest/webhooks': ['connections', 'runs', 'ingest/exports', 'ingest/pull', 'store/facts', 'store/write'],
  'open-wearables': ['accounts', 'connections', 'priorities', 'store/write', 'users', 'vault'],
  priorities: [],
  query: ['priorities', 'store/archive', 'store/derived', 'store/facts'],
  repairs: ['store/facts', 'store/write'],
  retention: ['audit', 'connections', 'priorities', 'query', 'store/archive', 'store/write'],
  runs: ['connections', 'feed', 'store/facts'],
  'store/archive': ['store/derived', 'store/facts'],
  'store/derived': ['store/facts'],
  'store/decide': ['store/derived', 'store/facts'],
  'store/facts': [],
  'store/write': ['store/archive', 'store/decide', 'store/derived', 'store/facts'],
  users: ['audit', 'connections', 'store/facts', 'store/write'],
};

const folders = Object.entries(FOLDER_MAY_IMPORT).map(([folder, allowed]) => ({
  name: `daemon-${folder.replace('/', '-')}`,
  comment: `daemon/src/${folder} imports ${[...allowed, 'platform'].join(', ')} and nothing else of the daemon`,
  severity: 'error',
  from: { path: `^daemon/src/${folder}/` },
  to: { path: '^daemon/src/', pathNot: [folder, ...allowed, 'platform'].map((folder) => `^daemon/src/${folder}/`) },
}));

/** Folders that contain folders, each with its own index.ts. */
const NESTED = 'ingest|store|platform';

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
      comment: 'every import must be found, because the other rules do not check missing imports',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...packages,
    {
      name: 'cli-checks-pushes',
      comment: 'healthctl loads the schemas only to check a push, because loading them delays the start of a command',
      severity: 'error',
      from: { path: '^cli/src/', pathNot: '^cli/src/service/push-check\\.ts$' },
      to: { path: '^packages/schemas/src/' },
    },
    {
      name: 'decide-is-pure',
      comment: 'decisions about a batch do not use the database',
      severity: 'error',
      from: { path: '^daemon/src/store/decide/', pathNot: '\\.test\\.ts$' },
      to: { path: '^daemon/src/platform/database/|node_modules/pg/|^(node:)?(crypto|fs|timers)' },
    },
    {
      name: 'model-is-pure',
      comment: 'the data model has no dependencies, input or output',
      severity: 'error',
      from: { path: '^packages/model/src/' },
      to: { pathNot: '^packages/model/src/' },
    },
    {
      name: 'package-face',
      comment: 'a package is imported only through its index.ts',
      severity: 'error',
      from: { path: '^(packages/[^/]+|cli|console|daemon)/src/' },
      to: { path: '^(packages/[^/]+|cli|console|daemon)/src/', pathNot: ['^$1/src/', '/index\\.ts$'] },
    },
    ...folders,
    {
      name: 'daemon-folders',
      comment: 'each folder of the daemon has a line in FOLDER_MAY_IMPORT',
      severity: 'error',
      from: {},
      to: {
        path: '^daemon/src/[^/]+/',
        pathNot: ['app', 'platform', ...Object.keys(FOLDER_MAY_IMPORT)].map((folder) => `^daemon/src/${folder}/`),
      },
    },
    {
      name: 'daemon-face',
      comment: 'other folders import a folder of the daemon only through its index.ts',
      severity: 'error',
      from: { path: '^daemon/src/([^/]+)', pathNot: '^daemon/src/main\\.ts$' },
      to: {
        path: '^daemon/src/[^/]+/',
        pathNot: [
          '^daemon/src/$1/',
          `^daemon/src/(?!${NESTED})[^/]+/index\\.ts$`,
          `^daemon/src/(${NESTED})/[^/]+/index\\.ts$`,
          '^daemon/src/platform/[^/]+\\.ts$',
        ],
      },
    },
    {
      name: 'daemon-hall-face',
      comment: 'other folders import a folder of ingest, store or platform only through its index.ts',
      severity: 'error',
      from: { path: '^daemon/src/(ingest|platform)/([^/]+)/' },
      to: {
        path: '^daemon/src/(ingest|platform)/[^/]+/',
        pathNot: ['^daemon/src/$1/$2/', '^daemon/src/(ingest|platform)/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'daemon-entry',
      comment: 'the entry point imports only commands',
      severity: 'error',
      from: { path: '^daemon/src/main\\.ts$' },
      to: { path: '^daemon/src/[^/]+/', pathNot: '^daemon/src/(app|platform)/' },
    },
    {
      name: 'daemon-platform',
      comment: 'the platform does not depend on other folders',
      severity: 'error',
      from: { path: '^daemon/src/platform/' },
      to: { path: '^daemon/src/', pathNot: '^daemon/src/platform/' },
    },
    {
      name: 'daemon-database',
      comment: 'the database folder does not depend on the queue or on other folders',
      severity: 'error',
      from: { path: '^daemon/src/platform/database/' },
      to: { path: '^daemon/src/platform/[^/]+/', pathNot: '^daemon/src/platform/database/' },
    },
    {
      name: 'daemon-compose',
      comment: 'only compose.ts connects the parts, and only the commands of the program import it',
      severity: 'error',
      from: { path: '^daemon/src/', pathNot: '^daemon/src/(main\\.ts$|app/commands/)' },
      to: { path: '^daemon/src/(main|app/compose)\\.ts$' },
    },
    {
      name: 'daemon-simulators',
      comment: 'only the sandbox starts simulated vendors, and no other part imports the sandbox',
      severity: 'error',
      from: { path: '^daemon/src/', pathNot: '^daemon/src/app/commands/sandbox\\.ts$' },
      to: { path: '^packages/simulators/' },
    },
    {
      name: 'vendor-knowledge',
      comment: 'only the registries import the folder of a provider',
      severity: 'error',
      from: {
        path: '^packages/providers/src/([^/]+)',
        pathNot: '^packages/providers/src/(index|registry|push-registry)\\.ts$',
      },
      to: {
        path: '^packages/providers/src/(apple|garmin|google|oura|polar|samsung|strava|suunto|ultrahuman|whoop)/',
        pathNot: '^packages/providers/src/$1/',
      },
    },
    {
      name: 'no-tests',
      comment: 'programs do not import test code',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|^test/' },
      to: { path: '\\.test\\.tsx?$|^test/' },
    },
  ],
  options: {
    parser: 'swc',
    exclude: { path: '/(dist|\\.types)/|^packages/client/(package|bundle)/|\\.test\\.tsx?$' },
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
