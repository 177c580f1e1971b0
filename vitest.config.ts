import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

export default defineConfig({
  ssr: { resolve: { conditions: ['healthd-source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['{cli,console,daemon}/src/**/*.test.{ts,tsx}', 'packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Loading the service anew for each of some 230 files would take a third of the time. What a file leaves behind in a
    // module is met by the next one, as in the service itself.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    // Many of the long tests wait for a service they have started; three at a time keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
