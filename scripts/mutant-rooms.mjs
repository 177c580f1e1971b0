// The files that `npm run mutants` mutates, and the tests that must fail.

/**
 * @typedef {object} Room
 * @property {string[]} mutate files whose lines are changed, as globs
 * @property {string[]} tests test files that must fail, as globs
 * @property {true} [decides] the code decides numbers, tokens or durability: requires 85 %
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
    mutate: ['daemon/src/store/facts/sleep/{assembly,nap}.ts'],
    tests: ['daemon/src/store/facts/sleep/*.test.ts'],
    decides: true,
  },
  'minute-sets': {
    mutate: ['daemon/src/store/{facts/archived/minute-set,derived/merged/merge-intervals}.ts'],
    tests: ['daemon/src/store/{facts/archived,derived/merged}/*.test.ts'],
    decides: true,
  },
  pull: {
    mutate: ['daemon/src/ingest/pull/{pull-range,vendor-failure}.ts', 'daemon/src/runs/run-states.ts'],
    tests: ['daemon/src/ingest/pull/{pull-range,vendor-failure}.test.ts', 'daemon/src/runs/run-states.test.ts'],
    decides: true,
  },
  // Separate from the inbox, because it needs no database.
  reception: {
    mutate: ['daemon/src/ingest/push/{body-memory-budget,provider-scan}.ts', 'daemon/src/platform/json/json-tokens.ts'],
    tests: [
      'daemon/src/ingest/push/{body-memory-budget,provider-scan}.test.ts',
      'daemon/src/platform/json/json-tokens.test.ts',
    ],
    decides: true,
  },
  inbox: {
    mutate: ['daemon/src/ingest/push/{batch-group,drain-inbox,process-group,read-batch}.ts'],
    tests: ['daemon/src/ingest/push/drain-inbox.test.ts'],
    decides: true,
  },
  secrets: {
    mutate: ['daemon/src/accounts/{access-tokens,address-key,brief-cache,login-name}.ts', 'daemon/src/vault/vault.ts'],
    tests: ['daemon/src/accounts/*.test.ts', 'daemon/src/vault/*.test.ts'],
    decides: true,
  },
  jobs: {
    mutate: ['daemon/src/platform/jobs/{retry,registry}.ts'],
    tests: ['daemon/src/platform/jobs/*.test.ts'],
    decides: true,
  },
  bounds: {
    mutate: [
      'daemon/src/query/{bounds,cursor-parts,cursors,page,activity/number-list}.ts',
      'daemon/src/priorities/ranking.ts',
    ],
    tests: ['daemon/src/query/{bounds,cursors,activity/number-list}.test.ts', 'daemon/src/priorities/ranking.test.ts'],
  },
  healthctl: {
    mutate: ['cli/src/service/{dates,export-file}.ts', 'cli/src/profile/*.ts'],
    tests: ['cli/src/service/{dates,export-file}.test.ts', 'cli/src/profile/*.test.ts'],
  },
  'healthctl-output': { mutate: ['cli/src/output/*.ts'], tests: ['cli/src/output/*.test.ts'] },
  // Separate, because each change sends a file or waits.
  'healthctl-upload': { mutate: ['cli/src/service/upload.ts'], tests: ['cli/src/service/upload.test.ts'] },
  'pushed items': {
    mutate: ['daemon/src/ingest/push/{processed-batch,push-outcome}.ts'],
    tests: ['daemon/src/ingest/push/push-outcome.test.ts'],
  },
  // A sample of the code that only tests through the whole service reach.
  renewal: {
    // Only the lines after the lock, because each change starts the whole service.
    mutate: ['daemon/src/connections/tokens/token-renewal.ts:89-157'],
    tests: ['test/api/token-renewal.test.ts', 'test/api/overtaken-renewal.test.ts'],
    decides: true,
  },
};
