// Compiles TypeScript to JavaScript without checking types: `node scripts/transpile.mjs daemon cli` writes `dist` next
// to `src`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, ToolFailure } from './checkout.mjs';
import { filesBelow } from './stamp.mjs';

const { transformSync } = await import(
  pathToFileURL(createRequire(join(root, 'cli/package.json')).resolve('rolldown/utils')).href
);

/** @param {string[]} folders relative to the checkout */
function transpile(folders) {
  for (const folder of folders) {
    // Removes `dist`, so that deleted or renamed files disappear there.
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
    filesBelow([join(root, folder, 'src')])
      .filter(isTranspiled)
      .forEach(transpileFile);
  }
}

/** True if a file below `src` becomes a file of `dist`. */
export const isTranspiled = (file) => /(?<!\.(?:d|test))\.ts$/.test(file);

/** @param {string} file an absolute path below `src` @throws ToolFailure that names the location of a syntax error */
export function transpileFile(file) {
  const written = join(
    root,
    relative(root, file).replace(`${sep}src${sep}`, `${sep}dist${sep}`).replace(/\.ts$/, '.js'),
  );
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), {
    target: 'es2023',
    sourcemap: true,
    typescript: { onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) throw new ToolFailure(errors.map(({ message }) => message).join('\n'));
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, `${code}//# sourceMappingURL=${basename(written)}.map\n`);
  const { sourcesContent, ...positions } = map;
  writeFileSync(`${written}.map`, JSON.stringify({ ...positions, sources: [relative(dirname(written), file)] }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) transpile(process.argv.slice(2));
