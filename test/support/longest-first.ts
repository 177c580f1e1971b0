import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Beginnings of the names of the files that take longest, the longest first. */
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

/** Begins with what takes longest, so that no worker is left alone with it at the end. */
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
