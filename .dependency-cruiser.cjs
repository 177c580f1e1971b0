// The allowed directions of docs/architecture.md. A folder's index.ts is its face.

// dependency-cruiser has swc read every file as TypeScript without JSX; the pages of the console need it.
const swc = require('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (path, options) => {
  const file = parseFileSync(path, { ...options, tsx: path.endsWith('.tsx') });
  return CALLERS.test(path) ? { ...file, body: file.body.filter((statement) => !isTypeOfSchemas(statement)) } : file;
};

/** Who calls the service takes types of the schemas, which vanish, and never loads the schemas with their checker. */
const CALLERS = /(^|\/)(packages\/client|cli|console)\/src\//;
const isTypeOfSchemas = ({ type, typeOnly, source }) =>
  type === 'ImportDeclaration' && typeOnly && /^@healthd\/schemas$|\/schemas\/src\/index\.js$/.test(source.value);

/** Workspace packages that a package may import, at run time; what is missing here may import none. */
const PACKAGE_MAY_IMPORT = {
  'packages/model': [],
  'packages/contract': [],
  'packages/schemas': ['packages/contract', 'packages/model'],
  'packages/client': ['packages/contract', 'packages/model'],
  'packages/apple-export': ['packages/model'],
  'packages/providers': ['packages/model', 'packages/apple-export'],
  'packages/simulators': ['packages/model'],
  // Starts a server and knows nothing of what is stored on it.
  'packages/embedded-postgres': [],
  cli: ['packages/contract', 'packages/client', 'packages/model', 'packages/schemas'],
  console: ['packages/contract', 'packages/client', 'packages/model'],
  // Not apple-export: the format of a vendor's file is reached through that vendor's provider.
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
 * The rooms of the daemon with the rooms that each may import, besides `platform` and its own files: doors above, one neck,
 * answers below. `app` puts all of them together.
 */
const ROOM_MAY_IMPORT = {
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

const rooms = Object.entries(ROOM_MAY_IMPORT).map(([room, allowed]) => ({
  name: `daemon-${room.replace('/', '-')}`,
  comment: `daemon/src/${room} imports ${[...allowed, 'platform'].join(', ')} and nothing else of the daemon`,
  severity: 'error',
  from: { path: `^daemon/src/${room}/` },
  to: { path: '^daemon/src/', pathNot: [room, ...allowed, 'platform'].map((folder) => `^daemon/src/${folder}/`) },
}));

/** Rooms that have rooms, each with a face of its own. */
const HALLS = 'ingest|store|platform';

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
      name: 'cli-checks-pushes',
      comment:
        'healthctl loads the schemas with their checker only to check what is pushed; else every command would start later',
      severity: 'error',
      from: { path: '^cli/src/', pathNot: '^cli/src/service/push-check\\.ts$' },
      to: { path: '^packages/schemas/src/' },
    },
    {
      name: 'decide-is-pure',
      comment: 'what becomes of a batch is decided without the database',
      severity: 'error',
      from: { path: '^daemon/src/store/decide/', pathNot: '\\.test\\.ts$' },
      to: { path: '^daemon/src/platform/database/|node_modules/pg/|^(node:)?(crypto|fs|timers)' },
    },
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
    ...rooms,
    {
      name: 'daemon-rooms',
      comment: 'a folder of the daemon has a line in the table of directions',
      severity: 'error',
      from: {},
      to: {
        path: '^daemon/src/[^/]+/',
        pathNot: ['app', 'platform', ...Object.keys(ROOM_MAY_IMPORT)].map((room) => `^daemon/src/${room}/`),
      },
    },
    {
      name: 'daemon-face',
      comment: 'a folder of the daemon is imported from outside through its index.ts only',
      severity: 'error',
      from: { path: '^daemon/src/([^/]+)', pathNot: '^daemon/src/main\\.ts$' },
      to: {
        path: '^daemon/src/[^/]+/',
        pathNot: [
          '^daemon/src/$1/',
          `^daemon/src/(?!${HALLS})[^/]+/index\\.ts$`,
          `^daemon/src/(${HALLS})/[^/]+/index\\.ts$`,
          '^daemon/src/platform/[^/]+\\.ts$',
        ],
      },
    },
    {
      name: 'daemon-hall-face',
      comment: 'a door, and a folder of the platform, is imported by its neighbours through its index.ts only',
      severity: 'error',
      from: { path: '^daemon/src/(ingest|platform)/([^/]+)/' },
      to: {
        path: '^daemon/src/(ingest|platform)/[^/]+/',
        pathNot: ['^daemon/src/$1/$2/', '^daemon/src/(ingest|platform)/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'daemon-entry',
      comment: 'the entry starts commands and nothing else of a folder',
      severity: 'error',
      from: { path: '^daemon/src/main\\.ts$' },
      to: { path: '^daemon/src/[^/]+/', pathNot: '^daemon/src/(app|platform)/' },
    },
    {
      name: 'daemon-platform',
      comment: 'the platform knows nothing of what is built on it',
      severity: 'error',
      from: { path: '^daemon/src/platform/' },
      to: { path: '^daemon/src/', pathNot: '^daemon/src/platform/' },
    },
    {
      name: 'daemon-database',
      comment: 'the database lies beneath the queue and all else',
      severity: 'error',
      from: { path: '^daemon/src/platform/database/' },
      to: { path: '^daemon/src/platform/[^/]+/', pathNot: '^daemon/src/platform/database/' },
    },
    {
      name: 'daemon-compose',
      comment: 'parts meet in compose.ts alone; only the commands of the program import it',
      severity: 'error',
      from: { path: '^daemon/src/', pathNot: '^daemon/src/(main\\.ts$|app/commands/)' },
      to: { path: '^daemon/src/(main|app/compose)\\.ts$' },
    },
    {
      name: 'daemon-simulators',
      comment: 'simulated vendors are started by the sandbox, which no other part knows of',
      severity: 'error',
      from: { path: '^daemon/src/', pathNot: '^daemon/src/app/commands/sandbox\\.ts$' },
      to: { path: '^packages/simulators/' },
    },
    {
      name: 'vendor-knowledge',
      comment: 'a provider is known to its own folder and to the registries',
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
      comment: 'what runs imports nothing of the tests',
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
