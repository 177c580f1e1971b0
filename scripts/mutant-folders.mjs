// The files that `npm run mutants` mutates, and the tests that must fail.
import { execFileSync } from 'node:child_process';

/**
 * @typedef {object} Area a group of sources, and the tests that must detect their mutants
 * @property {string[]} mutate files whose lines are changed, as globs
 * @property {string[]} tests test files that must fail, as globs
 * @property {number} [seconds] usual seconds of one mutant if its tests need a database or the whole service
 * @property {true} [decides] the code decides numbers, tokens or durability: requires 85 %, other areas 80 %
 */

/** Tests of the writer that run in this process and soon end. */
const WRITER = [
  'daemon/src/store/decide/*.test.ts',
  'daemon/src/store/write/{assembled-sessions,corrections,date-line,days-touched,deletion-ranges,dry-run}.test.ts',
  'daemon/src/store/write/{event-versions,implausible-figures,item-counts,item-limits,naps,order,replacements}.test.ts',
  'daemon/src/store/write/{sample-extremes,sample-identity,samples,session-identity,sessions,splitting}.test.ts',
  'daemon/src/store/write/{tombstones,workout-readings}.test.ts',
];

/** @type {Record<string, Area>} */
export const AREAS = {
  model: { mutate: ['packages/model/src/**/*.ts'], tests: ['packages/model/src/**/*.test.ts'], decides: true },
  push: {
    mutate: ['packages/providers/src/{device-push,payload}/*.ts'],
    tests: [
      'packages/providers/src/{device-push,payload}/*.test.ts',
      'packages/providers/src/*.test.ts',
      'daemon/src/ingest/push/*.test.ts',
      'test/api/sdk-{clients,item-counts,items,limits,sleep,workout,zones}.test.ts',
      'test/api/vectors.test.ts',
    ],
    seconds: 10,
    decides: true,
  },
  export: {
    mutate: ['packages/providers/src/apple/*.ts', 'packages/apple-export/src/*.ts'],
    tests: ['packages/providers/src/apple/*.test.ts', 'packages/apple-export/src/*.test.ts'],
    decides: true,
  },
  fit: {
    mutate: ['packages/providers/src/fit/*.ts'],
    tests: ['packages/providers/src/fit/*.test.ts', 'packages/providers/src/suunto/pull/fit-files.test.ts'],
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
      'daemon/src/store/write/{assembled-sessions,item-limits,naps,order,splitting}.test.ts',
    ],
    seconds: 3,
    decides: true,
  },
  samples: {
    mutate: [
      'daemon/src/store/decide/{batch-rows,comparison,condensed,daily-totals,expired-items,identified}.ts',
      'daemon/src/store/decide/{replaced-windows,sample-days,sample-groups,sample-identity,samples,sources,timeline}.ts',
    ],
    tests: WRITER,
    seconds: 5,
    decides: true,
  },
  sessions: {
    mutate: [
      'daemon/src/store/decide/{batch-records,events,highest-values,plausible-seconds,range-max,records}.ts',
      'daemon/src/store/decide/{replaced-sessions,session-identity,sessions,vendor-events,workout-figures}.ts',
      'daemon/src/store/decide/workout-sources.ts',
    ],
    tests: WRITER,
    seconds: 5,
    decides: true,
  },
  deletions: {
    mutate: [
      'daemon/src/store/decide/{tombstones,workout-readings}.ts',
      'daemon/src/store/write/{deleted-earlier,deletions,find-pushed-items,pushed-deletions,workout-readings}.ts',
      'daemon/src/store/write/{outdated-deletions,provider-deletion,removal,session-deletion}.ts',
      'daemon/src/store/facts/{tombstones,pushed/*}.ts',
    ],
    tests: [...WRITER, 'test/api/{retry-batches,sdk-deletions}.test.ts'],
    seconds: 8,
    decides: true,
  },
  apply: {
    mutate: [
      'daemon/src/store/write/{apply,arriving,assembled-sessions,load-*,plan,plan-sleep,redate-*,replacements}.ts',
      'daemon/src/store/write/{batch-span,batch-write,roll-up-invalidations,store-timeline}.ts',
      'daemon/src/store/facts/{events,offsets,samples,sleep,sources}/*.ts',
    ],
    tests: [...WRITER, 'daemon/src/store/facts/{events,offsets,samples,sleep}/*.test.ts'],
    seconds: 6,
  },
  selection: {
    mutate: ['daemon/src/query/selection/*.ts'],
    tests: [
      'daemon/src/query/selection/*.test.ts',
      'daemon/src/query/{activity,body,events,nights,overview}/*.test.ts',
      'daemon/src/query/withheld.test.ts',
      'test/api/explanations.test.ts',
    ],
    seconds: 10,
    decides: true,
  },
  archive: {
    mutate: ['daemon/src/store/archive/*.ts'],
    tests: [
      'daemon/src/store/archive/*.test.ts',
      'daemon/src/retention/lives.test.ts',
      'daemon/src/store/write/days-touched.test.ts',
      'test/api/archival/{borders,late-data,lives}.test.ts',
    ],
    seconds: 20,
    decides: true,
  },
  retention: {
    mutate: ['daemon/src/retention/*.ts'],
    tests: [
      'daemon/src/retention/*.test.ts',
      'test/api/{archival-settings,data-volume,terms-deletion,vendor-terms}.test.ts',
      'test/api/archival/{interrupted,late-data}.test.ts',
    ],
    seconds: 20,
  },
  // Excludes tests of the command, because they run the built program, which contains no mutants.
  backup: {
    mutate: ['daemon/src/backup/*.ts'],
    tests: ['daemon/src/backup/*.test.ts'],
    seconds: 8,
    decides: true,
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
      'test/api/{erasure-ledger,erasure-receipts,restored-backups}.test.ts',
    ],
    seconds: 15,
    decides: true,
  },
  gate: {
    mutate: ['daemon/src/http/{gate,credentials,assistants}.ts'],
    tests: [
      'test/api/{api-keys,assistants,gate,matrix,oauth,sessions,stream-credentials}.test.ts',
      'test/api/accounts/*.test.ts',
    ],
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
  // Excludes `pull-lives.test.ts`, which takes too long for each mutant. The scores are therefore too low.
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
  tokens: {
    mutate: ['daemon/src/connections/tokens/*.ts'],
    tests: ['test/api/{overtaken-renewal,token-renewal}.test.ts', 'test/api/strava/dead-tokens.test.ts'],
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
