import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SECONDS_PER_DAY } from '@healthd/model';
import express, { type Express } from 'express';
import sirv from 'sirv';

const ONE_YEAR_SECONDS = 365 * SECONDS_PER_DAY;

/** URL paths of the console's pages; the console itself handles paths below `/users/`. */
const PAGES = [
  '/',
  '/users',
  '/users/*page',
  '/connections',
  '/runs',
  '/runs/:run',
  '/trouble',
  '/coverage',
  '/providers',
  '/providers/:provider',
  '/priorities',
  '/api-keys',
  '/applications',
  '/developers',
  '/erasures/:erasure',
  '/audit',
  '/settings',
];

/** Content security policy: the console loads everything from this service, without inline scripts or styles. */
const CONTENT_SECURITY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the folder of the console's build next to this program; undefined if there is no build. */
export function consoleFolder(): string | undefined {
  const folder = resolve(import.meta.dirname, '../../../console/dist');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

/** Serves the console's hashed files with unlimited caching, in the precompressed form of the build. */
export function mountConsoleAssets(app: Express, folder: string): void {
  app.use(
    '/assets',
    sirv(join(folder, 'assets'), { immutable: true, maxAge: ONE_YEAR_SECONDS, brotli: true, gzip: true }),
  );
}

/** Serves the console's page for every URL path of a page. */
export function mountConsole(app: Express, folder: string): void {
  // Serves the icon by name, because a folder mounted at the root would cause a file lookup for every API call.
  app.get('/healthd.svg', express.static(folder, { index: false, redirect: false, maxAge: '1h' }));
  // Programs that use the root as a health check get the JSON response that they expect.
  app.get('/', (request, response, next) => {
    if (request.accepts(['html', 'json']) === 'html') next();
    else response.json({ message: 'Server is running!' });
  });
  app.get(PAGES, (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': CONTENT_SECURITY });
    response.sendFile(join(folder, 'index.html'));
  });
}
