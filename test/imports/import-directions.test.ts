import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** A small tree that obeys every rule. Each file has a list of its imports; `type …` is a type import. */
const KEPT: Record<string, string[]> = {
  'daemon/src/main.ts': ['daemon/src/app/commands/start.ts'],
  'daemon/src/misc/index.ts': [],
  'daemon/src/app/commands/start.ts': ['daemon/src/app/compose.ts', 'daemon/src/app/commands/sandbox.ts'],
  'daemon/src/app/commands/sandbox.ts': ['packages/simulators/src/index.ts'],
  'daemon/src/app/compose.ts': [
    'daemon/src/http/index.ts',
    'daemon/src/platform/jobs/index.ts',
    'daemon/src/platform/database/index.ts',
  ],
  'daemon/src/http/index.ts': ['daemon/src/http/routes/users.ts'],
  'daemon/src/http/routes/users.ts': ['daemon/src/users/index.ts', 'daemon/src/query/index.ts'],
  'daemon/src/platform/failures.ts': [],
  'daemon/src/platform/jobs/index.ts': ['daemon/src/platform/database/index.ts'],
  'daemon/src/platform/database/pool.ts': [],
  'daemon/src/users/index.ts': ['daemon/src/platform/database/index.ts', 'daemon/src/platform/failures.ts'],
  'daemon/src/ingest/pull/index.ts': [
    'daemon/src/runs/index.ts',
    'daemon/src/store/write/index.ts',
    'packages/providers/src/index.ts',
  ],
  'daemon/src/ingest/pull/open-runs.ts': [],
  'daemon/src/ingest/webhooks/index.ts': ['daemon/src/ingest/pull/index.ts'],
  'daemon/src/runs/index.ts': ['daemon/src/connections/index.ts'],
  'daemon/src/connections/index.ts': ['daemon/src/store/facts/index.ts'],
  'daemon/src/store/write/index.ts': ['daemon/src/store/write/batch-write.ts'],
  'daemon/src/store/write/batch-write.ts': [
    'daemon/src/store/decide/samples.ts',
    'daemon/src/store/derived/days.ts',
    'daemon/src/store/facts/rows.ts',
  ],
  'daemon/src/store/decide/samples.ts': ['daemon/src/store/facts/rows.ts'],
  'daemon/src/store/derived/days.ts': ['daemon/src/store/facts/rows.ts'],
  'daemon/src/store/archive/minutes.ts': ['daemon/src/store/derived/days.ts'],
  'daemon/src/store/facts/index.ts': ['daemon/src/store/facts/rows.ts'],
  'daemon/src/store/facts/rows.ts': ['packages/model/src/index.ts'],
  'daemon/src/query/index.ts': ['packages/model/src/index.ts', 'daemon/src/store/facts/index.ts'],
  'daemon/src/platform/database/index.ts': ['packages/embedded-postgres/src/index.ts'],
  'packages/model/src/index.ts': ['packages/model/src/units.ts'],
  'packages/model/src/units.ts': [],
  'packages/providers/src/index.ts': ['packages/providers/src/registry.ts'],
  'packages/providers/src/registry.ts': [
    'packages/providers/src/oura/index.ts',
    'packages/providers/src/polar/index.ts',
  ],
  'packages/providers/src/provider.ts': ['packages/model/src/index.ts'],
  'packages/providers/src/oura/index.ts': ['packages/providers/src/provider.ts'],
  'packages/providers/src/polar/index.ts': ['packages/providers/src/provider.ts'],
  'packages/apple-export/src/index.ts': [],
  'packages/embedded-postgres/src/index.ts': ['packages/embedded-postgres/src/server.ts'],
  'packages/embedded-postgres/src/server.ts': [],
  'packages/simulators/src/index.ts': [],
  'packages/client/src/index.ts': ['packages/contract/src/index.ts', 'type packages/schemas/src/index.ts'],
  'packages/contract/src/index.ts': [],
  'packages/schemas/src/index.ts': ['packages/contract/src/index.ts', 'packages/model/src/index.ts'],
  'cli/src/main.ts': ['packages/client/src/index.ts'],
  'console/src/main.tsx': ['packages/client/src/index.ts'],
};

const PLANTED: [rule: string, from: string, to: string][] = [
  ['no-circular', 'packages/model/src/units.ts', 'packages/model/src/index.ts'],
  ['resolvable', 'daemon/src/users/index.ts', 'daemon/src/users/gone.ts'],
  ['model-is-pure', 'packages/model/src/units.ts', 'node:fs'],
  ['packages-model-imports', 'packages/model/src/units.ts', 'packages/contract/src/index.ts'],
  ['packages-contract-imports', 'packages/contract/src/index.ts', 'packages/schemas/src/index.ts'],
  ['packages-client-imports', 'packages/client/src/index.ts', 'packages/schemas/src/index.ts'],
  ['console-imports', 'console/src/main.tsx', 'packages/schemas/src/index.ts'],
  ['cli-imports', 'cli/src/main.ts', 'packages/schemas/src/index.ts'],
  ['packages-providers-imports', 'packages/providers/src/provider.ts', 'daemon/src/platform/database/index.ts'],
  ['daemon-imports', 'daemon/src/ingest/pull/index.ts', 'packages/apple-export/src/index.ts'],
  ['cli-imports', 'cli/src/main.ts', 'daemon/src/users/index.ts'],
  ['console-imports', 'console/src/main.tsx', 'packages/providers/src/index.ts'],
  ['packages-embedded-postgres-imports', 'packages/embedded-postgres/src/server.ts', 'daemon/src/platform/failures.ts'],
  ['package-face', 'daemon/src/platform/database/pool.ts', 'packages/embedded-postgres/src/server.ts'],
  ['package-face', 'daemon/src/query/index.ts', 'packages/model/src/units.ts'],
  ['daemon-face', 'daemon/src/http/routes/users.ts', 'daemon/src/store/write/batch-write.ts'],
  ['daemon-face', 'daemon/src/app/compose.ts', 'daemon/src/store/facts/rows.ts'],
  ['daemon-hall-face', 'daemon/src/ingest/webhooks/index.ts', 'daemon/src/ingest/pull/open-runs.ts'],
  ['daemon-hall-face', 'daemon/src/platform/jobs/index.ts', 'daemon/src/platform/database/pool.ts'],
  ['daemon-entry', 'daemon/src/main.ts', 'daemon/src/users/index.ts'],
  ['daemon-folders', 'daemon/src/app/compose.ts', 'daemon/src/misc/index.ts'],
  ['decide-is-pure', 'daemon/src/store/decide/samples.ts', 'daemon/src/platform/database/index.ts'],
  ['daemon-store-decide', 'daemon/src/store/decide/samples.ts', 'daemon/src/store/write/batch-write.ts'],
  ['daemon-store-facts', 'daemon/src/store/facts/rows.ts', 'daemon/src/store/derived/days.ts'],
  ['daemon-store-derived', 'daemon/src/store/derived/days.ts', 'daemon/src/store/write/batch-write.ts'],
  ['daemon-store-archive', 'daemon/src/store/archive/minutes.ts', 'daemon/src/store/write/batch-write.ts'],
  ['daemon-store-write', 'daemon/src/store/write/batch-write.ts', 'daemon/src/query/index.ts'],
  ['daemon-query', 'daemon/src/query/index.ts', 'daemon/src/store/write/index.ts'],
  ['daemon-query', 'daemon/src/query/index.ts', 'daemon/src/http/index.ts'],
  ['daemon-runs', 'daemon/src/runs/index.ts', 'daemon/src/ingest/pull/index.ts'],
  ['daemon-ingest-pull', 'daemon/src/ingest/pull/index.ts', 'daemon/src/ingest/webhooks/index.ts'],
  ['daemon-connections', 'daemon/src/connections/index.ts', 'daemon/src/runs/index.ts'],
  ['daemon-users', 'daemon/src/users/index.ts', 'daemon/src/http/index.ts'],
  ['daemon-platform', 'daemon/src/platform/jobs/index.ts', 'daemon/src/users/index.ts'],
  ['daemon-database', 'daemon/src/platform/database/index.ts', 'daemon/src/platform/jobs/index.ts'],
  ['daemon-compose', 'daemon/src/http/index.ts', 'daemon/src/app/compose.ts'],
  ['daemon-simulators', 'daemon/src/app/compose.ts', 'packages/simulators/src/index.ts'],
  ['daemon-simulators', 'daemon/src/app/commands/start.ts', 'packages/simulators/src/index.ts'],
  ['vendor-knowledge', 'packages/providers/src/provider.ts', 'packages/providers/src/oura/index.ts'],
  ['vendor-knowledge', 'packages/providers/src/oura/index.ts', 'packages/providers/src/polar/index.ts'],
];

let tree: string;
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'healthd-imports-'));
  for (const [file, imports] of Object.entries(KEPT)) await write(file, imports);
});
afterAll(async () => rm(tree, { recursive: true, force: true }));

async function write(file: string, imports: string[]): Promise<void> {
  const lines = imports.map((to) =>
    to.startsWith('type ')
      ? `import type {} from '${specifier(file, to.slice(5))}';\n`
      : `import '${specifier(file, to)}';\n`,
  );
  const jsx = file.endsWith('.tsx') ? 'export const page = () => <main />;\n' : 'export {};\n';
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), `${lines.join('')}${jsx}`);
}

function specifier(from: string, to: string): string {
  if (to.startsWith('node:')) return to;
  const path = relative(dirname(from), to).replace(/\.tsx?$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Returns each broken rule with its file. Lists a cycle once per file in the cycle. */
async function broken(): Promise<{ rule: string; from: string }[]> {
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const output = await new Promise<string>((done, fail) => {
    execFile(
      process.execPath,
      [CRUISER, '--config', config, '--output-type', 'json', 'cli', 'console', 'daemon', 'packages'],
      { cwd: tree, maxBuffer: 2 ** 26 },
      // The exit code is the number of violations, so only a run without output has failed.
      (error, stdout, stderr) => (stdout === '' ? fail(new Error(stderr, { cause: error })) : done(stdout)),
    );
  });
  const { summary } = JSON.parse(output) as {
    summary: {
      totalCruised: number;
      violations: { rule: { name: string }; from: string; cycle?: { name: string }[] }[];
    };
  };
  expect(summary.totalCruised).toBeGreaterThanOrEqual(Object.keys(KEPT).length);
  return summary.violations.flatMap(({ rule, from, cycle = [] }) =>
    [from, ...cycle.map(({ name }) => name)].map((file) => ({ rule: rule.name, from: file })),
  );
}

describe('the import check', () => {
  it('accepts the allowed directions', async () => {
    expect(await broken()).toEqual([]);
  });

  describe('for a tree that breaks every rule', () => {
    let found: { rule: string; from: string }[];
    beforeAll(async () => {
      for (const [, from] of PLANTED) {
        const planted = PLANTED.filter(([, file]) => file === from).map(([, , to]) => to);
        await write(from, [...(KEPT[from] ?? []), ...planted]);
      }
      found = await broken();
    });

    it.each(PLANTED)('finds %s in %s', (rule, from) => {
      expect(found).toContainEqual({ rule, from });
    });
  });
});
