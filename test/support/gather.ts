import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
/** What has native code, or files that it looks for beside itself. */
const KEPT_APART =
  /^(?:node:|@node-rs\/argon2|@healthd\/embedded-postgres|mongodb|pino$|pino-pretty|pg-native|pg-hstore|umzug)/;

/** Threads and files of a package are looked for where its module stood. */
const whereItStood = {
  name: 'where-it-stood',
  transform(code: string, id: string) {
    if (!id.startsWith(ROOT) || id.includes('node_modules') || !code.includes('import.meta.')) return undefined;
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
  },
};

export interface GatherOptions {
  /** Keeps what V8 made of it for the next start, which pays for what is started often. It may not await at its top. */
  keepCompiled?: boolean;
}

/**
 * Gathers a program and all that it loads into a few files: loading some 900 of them is half of the processor time of a
 * start. Only what is installed for the service may stay outside them, so the folder has to lie in its `node_modules`.
 * @param entry its first file, built or, as the tests themselves do, from the sources
 * @returns the file to start
 */
export async function gather(entry: string, folder: string, { keepCompiled }: GatherOptions = {}): Promise<string> {
  const { rolldown } = await import('rolldown');
  const fromSources = entry.endsWith('.ts') && {
    resolve: { conditionNames: ['healthd-source', 'node'], extensionAlias: { '.js': ['.ts', '.js'] } },
  };
  const work = await rolldown({
    input: entry,
    platform: 'node',
    external: KEPT_APART,
    plugins: [whereItStood],
    ...fromSources,
  });
  const main = join(folder, 'main.js');
  if (keepCompiled) {
    // Node 20 caches no compiled ES module, and a script from its cache cannot import.
    await work.write({ dir: folder, format: 'cjs', dynamicImportInCjs: false, entryFileNames: 'program.js' });
    copyFileSync(join(import.meta.dirname, 'gathered-main.cjs'), main);
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  } else {
    await work.write({ dir: folder, format: 'esm', entryFileNames: 'main.js' });
  }
  await work.close();
  return main;
}
