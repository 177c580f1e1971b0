// Lets a test's child process run TypeScript from the sources. Usage: node --import this-file
// --conditions=healthd-source file.ts
import { readFile } from 'node:fs/promises';
import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

if (!import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`);

const { transformSync } = await import(
  pathToFileURL(createRequire(new URL('../package.json', import.meta.url)).resolve('rolldown/utils')).href
);

export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    return next(`${specifier.slice(0, -3)}.ts`, context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transformSync(path, await readFile(path, 'utf8'), { target: 'es2023' });
  return { format: 'module', source: code, shortCircuit: true };
}
