import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SECONDS_PER_DAY } from '@healthd/model';
import express, { type Express } from 'express';
import sirv from 'sirv';

const ONE_YEAR_SECONDS = 365 * SECONDS_PER_DAY;

/** Addresses of the console's pages; the console itself distinguishes what follows `/users/`. */
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

/** Everything comes from here, and nothing stands in the page itself: neither scripts nor styles. */
const CONTENT_SECURITY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Where a build of the console is beside this program; undefined when none was built. */
export function consoleFolder(): string | undefined {
  const folder = resolve(import.meta.dirname, '../../../console/dist');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

/** Serves the hashed files of the console for ever, in the compressed form that the build has made. */
export function mountConsoleAssets(app: Express, folder: string): void {
  app.use(
    '/assets',
    sirv(join(folder, 'assets'), { immutable: true, maxAge: ONE_YEAR_SECONDS, brotli: true, gzip: true }),
  );
}

/** Serves the page of the console for every address of a page. */
export function mountConsole(app: Express, folder: string): void {
  // By its name: a folder mounted at the root would look for a file at every call of the API.
  app.get('/healthd.svg', express.static(folder, { index: false, redirect: false, maxAge: '1h' }));
  // Programs that ask the root whether the service is up get what they always got.
  app.get('/', (request, response, next) => {
    if (request.accepts(['html', 'json']) === 'html') next();
    else response.json({ message: 'Server is running!' });
  });
  app.get(PAGES, (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': CONTENT_SECURITY });
    response.sendFile(join(folder, 'index.html'));
  });
}
