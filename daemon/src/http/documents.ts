import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { RouteDeclaration } from '@healthd/schemas';
import express, { type Express } from 'express';
import { type DocumentOptions, openApiDocument } from './openapi/document.js';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>healthd API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });
`;

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * Mounts the OpenAPI document at `/openapi.json` and its browser at `/docs`. Serves everything locally and without
 * inline scripts, so it works offline and under the content security policy.
 */
export function mountDocuments(app: Express, routes: readonly RouteDeclaration[], options: DocumentOptions): void {
  // Created on the first request, because it takes a tenth of the startup time.
  let made: { text: string; etag: string } | undefined;
  app.get('/openapi.json', (request, response) => {
    made ??= documentText(routes, options);
    const { text, etag } = made;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' });
    if (request.fresh) response.status(304).end();
    else response.type('json').send(text);
  });
  app.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const assets = express.static(folder, { index: false, redirect: false, maxAge: '1h' });
  app.use('/docs', (request, response, next) =>
    ASSETS.includes(request.path.slice(1)) ? assets(request, response, next) : next(),
  );
}

function documentText(routes: readonly RouteDeclaration[], options: DocumentOptions): { text: string; etag: string } {
  const text = JSON.stringify(openApiDocument(routes, options));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, etag };
}
