// A vitest reporter that writes each file's counts and failures as JSON to the file in HEALTHD_TEST_COUNTS.
// test-counts.mjs declares the format.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './checkout.mjs';

const STACK_FRAMES = 8;

export default class TestCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const run = {
      files: modules.map(countsOfFile),
      outside: unhandledErrors.map(outside),
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
  // A file that does not load, or a failing hook, may leave no failed test.
  if (module.state() === 'failed' && counts.failures.length === 0) {
    counts.failures.push(failure(counts.file, ...module.errors()));
  }
  return counts;
}

/** The error does not belong to a test, so its location and the running test are the only clues. */
function outside(error) {
  const { name, reason } = failure('outside of a test', error);
  const during = [error?.VITEST_TEST_PATH && relative(root, error.VITEST_TEST_PATH), error?.VITEST_TEST_NAME];
  const frames = (error?.stack ?? '').split('\n').filter((line) => line.trim().startsWith('at '));
  const known = [...during.filter(Boolean), ...frames.slice(0, STACK_FRAMES).map((line) => line.trim())];
  return { name, reason: [reason, ...known].join('; ').replaceAll(`${root}/`, '') };
}

/** The first line of the error identifies the complete error above. */
function failure(name, error) {
  return { name, reason: error?.message?.split('\n')[0] };
}
