// Builds the npm package of the client for applications: modules without dependencies, and types from the OpenAPI document.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runTool, ToolFailure } from './checkout.mjs';

const CLIENT = join(root, 'packages/client');

const load = (folder, name) =>
  import(pathToFileURL(createRequire(join(root, folder, 'package.json')).resolve(name)).href);

/** Entries of the package, and the modules that they come from. */
const ENTRIES = { index: 'published', node: 'node/index', postgres: 'postgres/index' };

/** @returns {Promise<string>} the folder */
export async function bundleClient() {
  const folder = join(CLIENT, 'bundle');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { rolldown } = await load('cli', 'rolldown');
  const input = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, module]) => [name, join(CLIENT, `dist/${module}.js`)]),
  );
  const work = await rolldown({ input, platform: 'neutral', external: /^node:/ });
  await work.write({ dir: folder, format: 'esm', chunkFileNames: '[name].js', entryFileNames: '[name].js' });
  await work.close();
  await writeTypes(join(folder, 'types'));
  return folder;
}

/** Writes the types of the public modules. Types of other packages of the workspace come from the OpenAPI document. */
async function writeTypes(folder) {
  const code = await runTool(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', CLIENT]);
  if (code !== 0) throw new ToolFailure('The types of the client do not compile; the errors are above.');
  for (const module of ['feed', 'node', 'postgres'])
    cpSync(join(CLIENT, '.types', module), join(folder, module), { recursive: true });
  cpSync(join(root, 'packages/model/.types/canonical-row.d.ts'), join(folder, 'canonical-row.d.ts'));
  // Overwrites `feed/wire.d.ts`, because the compiled file imports types of another package of the workspace.
  cpSync(join(CLIENT, 'package'), folder, { recursive: true });
  writeFileSync(join(folder, 'openapi.d.ts'), await typesOfDocument());
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
