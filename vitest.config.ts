import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['healthd-source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['{cli,console,daemon}/src/**/*.test.{ts,tsx}', 'packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Most of the long tests wait for a service they have started; two at a time keep two cores busy.
    maxWorkers: 2,
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
