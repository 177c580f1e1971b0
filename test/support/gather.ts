import { dirname, resolve } from 'node:path';
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

/**
 * Gathers a program and all that it loads into a few files: loading some 900 of them is half of the processor time of a
 * start. Only what is installed for the service may be kept apart, so the folder has to lie in its `node_modules`.
 * @param entry its first file, built or, as the tests themselves do, from the sources
 */
export async function gather(entry: string, folder: string): Promise<void> {
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
  await work.write({ dir: folder, format: 'esm' });
  await work.close();
}
