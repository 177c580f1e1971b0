import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Express } from 'express';

/** Where the one file of healthctl is beside this program; undefined when none was built. */
export function healthctlFile(): string | undefined {
  const file = resolve(import.meta.dirname, '../../../cli/bundle/healthctl.mjs');
  return existsSync(file) ? file : undefined;
}

/** Serves the healthctl that fits this service, to every caller: it holds no secret. */
export function mountHealthctl(app: Express, file: string): void {
  app.get('/healthctl.mjs', (_request, response) => {
    response.set('Content-Type', 'text/javascript; charset=utf-8').set('Cache-Control', 'no-cache');
    response.sendFile(file);
  });
}
