// A vitest reporter that counts: the totals go as JSON to the file that HEALTHD_TEST_COUNTS names.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './checkout.mjs';

export default class TestCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      const failedBefore = counts.failed;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') counts.passed++;
        else if (result.state === 'failed') counts.failed++;
        else
          counts.skipped.push({ name: `${relative(root, module.moduleId)} > ${test.fullName}`, reason: result.note });
      }
      // A file that does not load, or a hook that fails, may leave no failed test.
      if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed++;
    }
    writeFileSync(process.env.HEALTHD_TEST_COUNTS, JSON.stringify(counts));
  }
}
