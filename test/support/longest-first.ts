import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Name prefixes of the slowest test files, slowest first. */
const LONG = [
  '/test/faults/google',
  '/test/faults/',
  '/test/e2e/life/',
  '/test/e2e/',
  '/test/browser/',
  '/test/jobs/',
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
