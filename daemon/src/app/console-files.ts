import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SECONDS_PER_DAY } from '@healthd/model';
import express, { type Express } from 'express';
import sirv from 'sirv';

const ONE_YEAR_SECONDS = 365 * SECONDS_PER_DAY;

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
  app.get(['/', '/users', '/users/*page', '/runs', '/runs/:run', '/providers'], (_request, response) => {
    response.set('Cache-Control', 'no-cache').sendFile(join(folder, 'index.html'));
  });
}
