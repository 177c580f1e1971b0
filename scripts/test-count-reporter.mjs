// A vitest reporter that counts: the totals go as JSON to the file that HEALTHD_TEST_COUNTS names, with what failed.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './checkout.mjs';

export default class TestCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = {
      passed: 0,
      failures: unhandledErrors.map((error) => failure('outside of a test', error)),
      skipped: [],
    };
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      const failedBefore = counts.failures.length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') counts.passed++;
        else if (result.state === 'failed')
          counts.failures.push(failure(`${file} > ${test.fullName}`, ...result.errors));
        else counts.skipped.push({ name: `${file} > ${test.fullName}`, reason: result.note });
      }
      // A file that does not load, or a hook that fails, may leave no failed test.
      if (module.state() === 'failed' && counts.failures.length === failedBefore) {
        counts.failures.push(failure(file, ...module.errors()));
      }
    }
    writeFileSync(process.env.HEALTHD_TEST_COUNTS, JSON.stringify(counts));
  }
}

/** The first line of the error is enough to find the whole one above. */
function failure(name, error) {
  return { name, reason: error?.message?.split('\n')[0] };
}
