import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import express, { type Express } from 'express';

/** Where a build of the console lies beside this program; undefined when none was built. */
export function consoleFolder(): string | undefined {
  const folder = resolve(import.meta.dirname, '../../console/dist');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

/** Serves the console: hashed files for ever, its page for every address of a page. */
export function mountConsole(app: Express, folder: string): void {
  const assets = express.static(join(folder, 'assets'), {
    index: false,
    redirect: false,
    immutable: true,
    maxAge: '1y',
  });
  app.use('/assets', assets);
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
