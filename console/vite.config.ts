import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const SERVICE = process.env.HEALTHD_ADDRESS ?? 'http://127.0.0.1:8000';

export default defineConfig({
  // The service sends the compressed files unchanged (`daemon/src/app/console-files.ts`).
  plugins: [react(), compression({ include: /^assets\/.*\.(js|css)$/, algorithms: ['gzip', 'brotliCompress'] })],
  resolve: { conditions: ['healthd-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    // Hides plugin timings, which are noise at the first start of the service.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // Form components load with the first dialog that has a form, or with the login.
            {
              name: 'forms',
              test: /components[\\/]form[\\/]|react-hook-form/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // Code that several pages share is one file, because many small files would each cost a round trip.
            { name: 'shared', test: /console[\\/]src[\\/]|lucide-react/, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // `npm run dev` serves the page from source and forwards API calls to the service.
  server: { proxy: { '/api': SERVICE, '/health': SERVICE } },
});
