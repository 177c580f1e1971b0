import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Express } from 'express';

/** Returns the path of healthctl's bundle next to this program; undefined if there is no build. */
export function healthctlFile(): string | undefined {
  const file = resolve(import.meta.dirname, '../../../cli/bundle/healthctl.mjs');
  return existsSync(file) ? file : undefined;
}

/** Serves the matching healthctl to every caller. It contains no secret. */
export function mountHealthctl(app: Express, file: string): void {
  app.get('/healthctl.mjs', (_request, response) => {
    response.set('Content-Type', 'text/javascript; charset=utf-8').set('Cache-Control', 'no-cache');
    response.sendFile(file);
  });
}
