// The files that `npm run mutants` mutates, and the tests that must fail.
import { execFileSync } from 'node:child_process';

/**
 * @typedef {object} Room a group of sources, and the tests that must detect their mutants
 * @property {string[]} mutate files whose lines are changed, as globs
 * @property {string[]} tests test files that must fail, as globs
 * @property {number} [seconds] usual seconds of one mutant if its tests need a database or the whole service
 * @property {true} [decides] the code decides numbers, tokens or durability: requires 85 %, other rooms 80 %
 */

/** @type {Record<string, Room>} */
export const ROOMS = {
  model: { mutate: ['packages/model/src/**/*.ts'], tests: ['packages/model/src/**/*.test.ts'], decides: true },
  'device-push': {
    mutate: ['packages/providers/src/{device-push/total-energy,payload/instants}.ts'],
    tests: ['packages/providers/src/{device-push,payload}/*.test.ts'],
    decides: true,
  },
  cloud: {
    mutate: ['packages/providers/src/cloud/{backoff,join-ranges,retry-after,request-tokens,token-form}.ts'],
    tests: ['packages/providers/src/cloud/*.test.ts'],
    decides: true,
  },
  sleep: {
    mutate: ['daemon/src/store/decide/{assembly,nap,stage-groups,sleep,stages}.ts'],
    tests: [
      'daemon/src/store/decide/{assembly,assembly-equality,nap}.test.ts',
      'daemon/src/store/write/{item-limits,naps,splitting}.test.ts',
    ],
    decides: true,
  },
  samples: {
    mutate: [
      'daemon/src/store/decide/{batch-rows,condensed,daily-totals,identified,replaced-windows,sample-days}.ts',
      'daemon/src/store/decide/{sample-groups,sample-identity,samples}.ts',
    ],
    tests: [
      'daemon/src/store/decide/samples.test.ts',
      'daemon/src/store/write/{corrections,replacements,sample-identity,samples}.test.ts',
    ],
    seconds: 6,
    decides: true,
  },
  sessions: {
    mutate: [
      'daemon/src/store/decide/{batch-records,events,highest-values,records,replaced-sessions}.ts',
      'daemon/src/store/decide/{session-identity,sessions,vendor-events,workout-sources}.ts',
    ],
    tests: [
      'daemon/src/store/write/{corrections,replacements,session-identity,sessions}.test.ts',
      'daemon/src/store/write/{dry-run,splitting}.test.ts',
    ],
    seconds: 5,
    decides: true,
  },
  deletions: {
    mutate: [
      'daemon/src/store/decide/{tombstones,workout-readings}.ts',
      'daemon/src/store/write/{buried-items,deletions,find-pushed-items,pushed-deletions,workout-readings}.ts',
    ],
    tests: [
      'daemon/src/store/write/{deletion-ranges,tombstones,workout-readings}.test.ts',
      'test/api/sdk-deletions.test.ts',
    ],
    seconds: 10,
    decides: true,
  },
  selection: {
    mutate: ['daemon/src/query/selection/*.ts'],
    tests: ['daemon/src/query/selection/*.test.ts'],
    decides: true,
  },
  archive: {
    mutate: ['daemon/src/store/archive/*.ts'],
    tests: ['daemon/src/store/archive/*.test.ts', 'test/api/archival/*.test.ts'],
    seconds: 20,
    decides: true,
  },
  retention: {
    mutate: ['daemon/src/retention/*.ts'],
    tests: ['daemon/src/retention/*.test.ts', 'test/api/archival-settings.test.ts', 'test/api/archival/*.test.ts'],
    seconds: 20,
  },
  erasure: {
    mutate: [
      'daemon/src/users/erase-user.ts',
      'daemon/src/users/erasures/*.ts',
      'daemon/src/store/write/erase-user-data.ts',
    ],
    tests: [
      'daemon/src/store/write/erase-user-data.test.ts',
      'daemon/src/users/*.test.ts',
      'test/api/{erasure-ledger,erasure-receipts}.test.ts',
    ],
    seconds: 15,
    decides: true,
  },
  gate: {
    mutate: ['daemon/src/http/{gate,credentials,assistants}.ts'],
    tests: ['test/api/gate.test.ts'],
    seconds: 15,
    decides: true,
  },
  'minute-sets': {
    mutate: ['daemon/src/store/{facts/archived/minute-set,derived/merged/merge-intervals}.ts'],
    tests: ['daemon/src/store/{facts/archived,derived/merged}/*.test.ts'],
    decides: true,
  },
  pull: {
    mutate: ['daemon/src/ingest/pull/{notified-ranges,pull-range,vendor-failure}.ts', 'daemon/src/runs/run-states.ts'],
    tests: [
      'daemon/src/ingest/pull/{notified-ranges,pull-range,vendor-failure}.test.ts',
      'daemon/src/runs/run-states.test.ts',
    ],
    decides: true,
  },
  // Separate from the inbox, because its tests need no database.
  reception: {
    mutate: ['daemon/src/ingest/push/{body-memory-budget,provider-scan}.ts', 'daemon/src/platform/json/json-tokens.ts'],
    tests: [
      'daemon/src/ingest/push/{body-memory-budget,provider-scan}.test.ts',
      'daemon/src/platform/json/json-tokens.test.ts',
    ],
    decides: true,
  },
  inbox: {
    mutate: ['daemon/src/ingest/push/{drain-inbox,process-group}.ts'],
    tests: ['daemon/src/ingest/push/drain-inbox.test.ts'],
    decides: true,
  },
  secrets: {
    mutate: ['daemon/src/accounts/{access-tokens,brief-cache,login-name}.ts', 'daemon/src/vault/vault.ts'],
    tests: ['daemon/src/accounts/*.test.ts', 'daemon/src/vault/*.test.ts'],
    decides: true,
  },
  jobs: {
    mutate: ['daemon/src/platform/jobs/{retry,registry}.ts'],
    tests: ['daemon/src/platform/jobs/*.test.ts'],
    decides: true,
  },
  bounds: {
    mutate: ['daemon/src/query/{bounds,page,number-list}.ts', 'daemon/src/priorities/ranking.ts'],
    tests: ['daemon/src/query/{bounds,page,number-list}.test.ts', 'daemon/src/priorities/ranking.test.ts'],
  },
  healthctl: {
    mutate: ['cli/src/service/{dates,export-file}.ts', 'cli/src/profile/*.ts'],
    tests: ['cli/src/service/{dates,export-file}.test.ts', 'cli/src/profile/*.test.ts'],
  },
  'healthctl-output': { mutate: ['cli/src/output/*.ts'], tests: ['cli/src/output/*.test.ts'] },
  // Separate, because each mutant uploads a file or waits.
  'healthctl-upload': { mutate: ['cli/src/service/upload.ts'], tests: ['cli/src/service/upload.test.ts'] },
  'pushed items': {
    mutate: ['daemon/src/ingest/push/{processed-batch,push-outcome}.ts'],
    tests: ['daemon/src/ingest/push/push-outcome.test.ts'],
  },
  ...Object.fromEntries(
    ['garmin', 'google', 'oura', 'polar', 'strava', 'suunto', 'ultrahuman', 'whoop'].map((vendor) => [
      vendor,
      {
        mutate: [`packages/providers/src/${vendor}/**/*.ts`],
        tests: [`packages/providers/src/${vendor}/**/*.test.ts`],
        seconds: 3,
      },
    ]),
  ),
  // A sample of the code that only whole-service tests cover.
  renewal: {
    mutate: ['daemon/src/connections/tokens/token-renewal.ts'],
    tests: ['test/api/token-renewal.test.ts', 'test/api/overtaken-renewal.test.ts'],
    seconds: 20,
    decides: true,
  },
};

/** Expands the braces of a glob. */
export function expanded(glob) {
  const [, before, names, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(glob) ?? [];
  return names === undefined ? [glob] : names.split(',').flatMap((name) => expanded(`${before}${name}${after}`));
}

/** Returns the files of a checkout that match globs. Includes tests only if `ofTests`. */
export function filesOf(globs, root, ofTests = false) {
  const listed = globs.flatMap(expanded).map((glob) => `:(glob)${glob}`);
  const text = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...listed], {
    cwd: root,
    encoding: 'utf8',
  });
  return [...new Set(text.split('\n'))].filter((file) => file.endsWith('.ts') && file.endsWith('.test.ts') === ofTests);
}
