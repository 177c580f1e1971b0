// A vitest reporter that counts: the counts of each file go as JSON to the file that HEALTHD_TEST_COUNTS names, with what
// failed. test-counts.mjs has the shape.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './checkout.mjs';

export default class TestCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const run = {
      files: modules.map(countsOfFile),
      outside: unhandledErrors.map((error) => failure('outside of a test', error)),
    };
    writeFileSync(process.env.HEALTHD_TEST_COUNTS, JSON.stringify(run));
  }
}

function countsOfFile(module) {
  const counts = { file: relative(root, module.moduleId), passed: 0, failures: [], skipped: [] };
  for (const test of module.children.allTests()) {
    const name = `${counts.file} > ${test.fullName}`;
    const result = test.result();
    if (result.state === 'passed') counts.passed++;
    else if (result.state === 'failed') counts.failures.push(failure(name, ...result.errors));
    else counts.skipped.push({ name, reason: result.note });
  }
  // A file that does not load, or a hook that fails, may leave no failed test.
  if (module.state() === 'failed' && counts.failures.length === 0) {
    counts.failures.push(failure(counts.file, ...module.errors()));
  }
  return counts;
}

/** The first line of the error is enough to find the whole one above. */
function failure(name, error) {
  return { name, reason: error?.message?.split('\n')[0] };
}
