// Turns TypeScript into JavaScript without checking types: `node scripts/transpile.mjs daemon cli` writes `dist` beside `src`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { root } from './checkout.mjs';
import { filesBelow } from './stamp.mjs';

/** @param {string[]} folders relative to the checkout */
export function transpile(folders) {
  for (const folder of folders) {
    // A file that was deleted or renamed must not live on in `dist`.
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
    filesBelow([join(root, folder, 'src')])
      .filter(isTranspiled)
      .forEach(transpileFile);
  }
}

/** Whether a file below `src` becomes a file of `dist`. */
export const isTranspiled = (file) => /(?<!\.(?:d|test))\.ts$/.test(file);

/** @param {string} file an absolute path below `src` @throws SyntaxError that names the place */
export function transpileFile(file) {
  const written = join(
    root,
    relative(root, file).replace(`${sep}src${sep}`, `${sep}dist${sep}`).replace(/\.ts$/, '.js'),
  );
  const { code, map } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    swcrc: false,
    configFile: false,
    isModule: true,
    sourceMaps: true,
    sourceFileName: relative(dirname(written), file),
    jsc: {
      parser: { syntax: 'typescript' },
      target: 'es2023',
      transform: { verbatimModuleSyntax: true },
    },
    module: { type: 'es6' },
  });
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, `${code}//# sourceMappingURL=${basename(written)}.map\n`);
  writeFileSync(`${written}.map`, map);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) transpile(process.argv.slice(2));
