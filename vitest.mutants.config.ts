import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { LongestFirst } from './test/support/longest-first.js';
import base from './vitest.config.js';

const root = import.meta.dirname;

/**
 * Finds the workspace's packages in this copy of the checkout. Their links in node_modules lead back to the checkout
 * itself, where nothing is mutated.
 */
const workspacePackages: Plugin = {
  name: 'workspace-packages-of-this-copy',
  enforce: 'pre',
  resolveId(id) {
    const [, name, part] = /^@healthd\/([a-z-]+)(\/.+)?$/.exec(id) ?? [];
    if (name === undefined) return undefined;
    const folder = join(root, ['daemon', 'cli', 'console'].includes(name) ? name : `packages/${name}`);
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      exports: Record<string, { 'healthd-source': string } | undefined>;
    };
    const source = exports[`.${part ?? ''}`]?.['healthd-source'] ?? exports['./*']?.['healthd-source'];
    return source && join(folder, source.replace('*', part?.slice(1) ?? ''));
  },
};

/** Starts the fastest files first, because a mutant's run ends at the first failure. */
class ShortestFirst extends LongestFirst {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** For `npm run mutants`: the tests of one area, in one worker. */
export default defineConfig({
  ...base,
  plugins: [workspacePackages],
  test: {
    ...base.test,
    include: (process.env.HEALTHD_MUTANTS_TESTS ?? 'packages/model/src/**/*.test.ts').split(' '),
    maxWorkers: 1,
    sequence: { sequencer: ShortestFirst },
    // Stryker runs the tests in a thread, which takes no options of V8.
    execArgv: [],
  },
});
