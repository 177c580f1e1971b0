import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of the names of the slowest test files, slowest first. Each named file takes more than a minute. */
const LONG = [
  '/test/e2e/hostile-files',
  '/test/e2e/hostile-counts',
  '/test/e2e/hostile-pulls',
  '/test/e2e/cli-demo',
  '/test/browser/verdicts',
  '/test/browser/stale',
  '/test/browser/console',
  '/test/browser/user-data',
  '/test/e2e/cli-reach',
  '/test/e2e/cli.',
  '/test/e2e/cli-journey',
  '/test/browser/vendor-terms',
  '/test/browser/causes',
  '/test/browser/layout-shift',
  '/test/faults/google',
  '/contract.test.ts',
  '/test/api/garmin/versions',
  '/test/e2e/restart',
  '/test/e2e/backup',
  '/test/api/ten-providers',
  '/test/faults/',
  '/test/e2e/life/',
  '/test/e2e/',
  '/test/browser/',
  '/test/jobs/',
  '/test/api/diagnosis',
  '/polar/pull/odd-responses',
  '/daemon/src/ingest/pull/pull-run',
  '/push-reader/push-reader',
  '/daemon/src/store/write/decide-threads',
  '/test/api/import',
  '/test/api/archival',
];

/** Starts the slowest files first, so that no worker runs a slow file alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((folder) => moduleId.includes(folder));
      return found < 0 ? LONG.length : found;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
