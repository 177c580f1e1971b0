import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
/** Packages that stay outside of the bundle: they have native code, or load files from their own folder. */
const KEPT_APART =
  /^(?:node:|@node-rs\/argon2|@healthd\/embedded-postgres|mongodb|pino$|pino-pretty|pg-native|pg-hstore|umzug)/;

/** Keeps the original location of a module, because it resolves threads and files relative to that location. */
const whereItStood = {
  name: 'where-it-stood',
  transform(code: string, id: string) {
    if (!id.startsWith(ROOT) || id.includes('node_modules') || !code.includes('import.meta.')) return undefined;
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
  },
};

/**
 * Replaces a program's only top-level await, which a CommonJS module cannot have. The program still exits with 13 if
 * the promise never settles.
 */
const withoutTopLevelAwait = {
  name: 'without-top-level-await',
  transform: (code: string) =>
    code.replace(
      /^process\.exitCode = await (.*);$/m,
      'process.exitCode = 13;\n$1.then((code) => {\n  process.exitCode = code;\n});',
    ),
};

export interface GatherOptions {
  /** True to cache V8's compiled code for later starts of programs that start often. */
  keepCompiled?: boolean;
  /**
   * The program's module that sets V8's flags. V8 accepts compiled code only under the flags with which the code was
   * stored.
   */
  flags?: string | undefined;
}

/**
 * Bundles a program and everything it loads into a few files. Otherwise a start spends half of its processor time on
 * loading about 900 files. Packages that stay outside of the bundle are resolved from `folder`. The folder must
 * therefore be inside the `node_modules` of a package that has these packages installed.
 * @param entry the program's first file, built or a TypeScript source
 * @returns the file to start
 */
export async function gather(
  entry: string,
  folder: string,
  { keepCompiled, flags }: GatherOptions = {},
): Promise<string> {
  const { rolldown } = await import('rolldown');
  const fromSources = entry.endsWith('.ts') && {
    resolve: { conditionNames: ['healthd-source', 'node'], extensionAlias: { '.js': ['.ts', '.js'] } },
  };
  const work = await rolldown({
    input: keepCompiled ? { program: entry, ...(flags !== undefined && { flags }) } : entry,
    platform: 'node',
    external: KEPT_APART,
    plugins: keepCompiled ? [whereItStood, withoutTopLevelAwait] : [whereItStood],
    ...fromSources,
  });
  const main = join(folder, 'main.js');
  if (keepCompiled) {
    // Node 20 does not cache compiled ES modules, and a cached script cannot import.
    await work.write({ dir: folder, format: 'cjs', dynamicImportInCjs: false, entryFileNames: '[name].js' });
    copyFileSync(join(import.meta.dirname, 'gathered-main.cjs'), main);
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  } else {
    await work.write({ dir: folder, format: 'esm', entryFileNames: 'main.js' });
  }
  await work.close();
  return main;
}
