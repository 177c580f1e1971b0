import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const SERVICE = process.env.HEALTHD_ADDRESS ?? 'http://127.0.0.1:8000';

export default defineConfig({
  // The service sends the compressed forms as they lie there (`daemon/src/console-files.ts`).
  plugins: [react(), compression({ include: /^assets\/.*\.(js|css)$/, algorithms: ['gzip', 'brotliCompress'] })],
  resolve: { conditions: ['healthd-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    // Whoever starts the service for the first time has no use for how long plugins took.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // What forms are made of comes with the first dialog that has one, or with the login.
            {
              name: 'forms',
              test: /components[\\/]form[\\/]|react-hook-form/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // What several pages share is one file beside the shell: many small ones would each cost a round trip.
            { name: 'shared', test: /console[\\/]src[\\/]|lucide-react/, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // `npm run dev` serves the page from source and names the service beside it.
  server: { proxy: { '/api': SERVICE, '/health': SERVICE } },
});
