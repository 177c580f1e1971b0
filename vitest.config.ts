import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

// Threads, programs and the runner itself load what was built; without it they fail with errors that do not say so.
if (!existsSync(join(import.meta.dirname, 'packages/model/dist/index.js'))) {
  console.error('Nothing is built in this checkout, and tests load what was built: run `npm run build` once.');
  process.exit(1);
}

export default defineConfig({
  ssr: { resolve: { conditions: ['healthd-source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['{cli,console,daemon}/src/**/*.test.{ts,tsx}', 'packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Loading the service anew for each of some 230 files would take a third of the time. What a file leaves behind in a
    // module is met by the next one, as in the service itself.
    isolate: false,
    // Short-lived objects of hundreds of files in one process: a larger young generation takes a sixth off the processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    setupFiles: ['test/support/each-file.ts'],
    // Many of the long tests wait for a service they have started; three at a time keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/postgres-server.ts'],
    // What a file was compiled to is kept on disk, by its content: the next run loads it in a quarter of the time.
    experimental: { fsModuleCache: true },
    // How long a test waits for what must come. That it comes soon is no test's claim: the machine may be busy.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
