// Builds the npm package of the client for applications: one file without dependencies, types from the OpenAPI
// document.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';

const CLIENT = join(root, 'packages/client');

const load = (folder, name) =>
  import(pathToFileURL(createRequire(join(root, folder, 'package.json')).resolve(name)).href);

/** @returns {Promise<string>} the folder */
export async function bundleClient() {
  const folder = join(CLIENT, 'bundle');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { rolldown } = await load('cli', 'rolldown');
  const work = await rolldown({ input: join(CLIENT, 'dist/published.js'), platform: 'neutral' });
  await work.write({ file: join(folder, 'index.js'), format: 'esm', codeSplitting: false });
  await work.close();
  writeFileSync(join(folder, 'openapi.d.ts'), await typesOfDocument());
  copyFileSync(join(CLIENT, 'package/index.d.ts'), join(folder, 'index.d.ts'));
  return folder;
}

async function typesOfDocument() {
  const { default: loaded } = await load('test', 'openapi-typescript');
  const { default: openapiTS, astToString } = loaded;
  return astToString(await openapiTS(JSON.stringify(await openApi())));
}

/** Returns the OpenAPI document of this version with default settings. */
export async function openApi() {
  const built = (path) => import(pathToFileURL(join(root, path)).href);
  const [{ declaredRoutes }, { openApiDocument }] = await Promise.all([
    built('packages/schemas/dist/index.js'),
    built('daemon/dist/http/openapi/document.js'),
  ]);
  return openApiDocument(declaredRoutes, { title: 'healthd', apiKeyHeader: 'X-Service-API-Key' });
}
