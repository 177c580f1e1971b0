import { basename } from 'node:path';
import * as contract from '@healthd/contract';
import { expect, test } from 'vitest';
import { readSources, type SourceFile, sourceFile } from './sources.js';

/** Routes that no command calls, with reasons. A new route needs a command or a line here. */
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  receiveProviderWebhook: 'vendors call it',
  verifyProviderWebhook: 'vendors call it',
  startAuthorization: 'the browser of the person opens it',
  completeAuthorization: 'the vendor sends the browser of the person there',
  showConnected: 'a page for the browser of the person',
  showConnectionError: 'a page for the browser of the person',
  showConnectPage: 'a page for the browser of the person',
  beginConnectLink: 'a page for the browser of the person',
  openConsoleSession: 'the console: its refresh token is a cookie of the browser',
  renewConsoleSession: 'the console: its refresh token is a cookie of the browser',
  endConsoleSession: 'the console: its refresh token is a cookie of the browser',
  getPhoneState: 'the app on a phone asks what arrived; SDK tokens open it alone',
  sendDeviceLogs: 'the app on a phone says how its synchronisation went',
  createUploadAddress: 'for apps that hand the upload to somebody else; `import` uploads directly',
  uploadToAddress: 'for apps that hand the upload to somebody else; `import` uploads directly',
  setProviderPriority: '`providers set-priorities` sends all that change at once',
  setDeviceTypePriority: '`providers set-priorities` sends all that change at once',
  getSyncHistory: 'the same run as getSyncRun, under another path',
  getWorkoutRoute: 'GeoJSON for programs that draw maps; `api get` writes it to a file',
  getSingleTimeseries: 'the same samples as getTimeseries, under another path',
};

const NAMES = Object.entries(contract as Record<string, unknown>)
  .filter(([, value]) => typeof value === 'object' && value !== null && 'method' in value && 'path' in value)
  .map(([name]) => name);

/** Returns the contract names that a command or a service module imports and uses. */
function reachedBy(sources: readonly SourceFile[]): Set<string> {
  const isLoaded = ({ path }: SourceFile) =>
    path.startsWith('cli/src/service/') || (path.startsWith('cli/src/commands/') && isImported(path, sources));
  const imports = sources.filter(isLoaded).flatMap(({ code }) =>
    [...code.matchAll(/import \{([^}]*)\} from '@healthd\/contract'/g)].flatMap(([statement, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim().split(/\s+as\s+/))
        .filter(([, local, name = local]) => new RegExp(`\\b${name ?? ''}\\b`).test(code.replace(statement, '')))
        .map(([name = '']) => name),
    ),
  );
  return new Set(imports);
}

function isImported(path: string, sources: readonly SourceFile[]): boolean {
  const name = basename(path, '.ts');
  return sources.some((source) => source.path !== path && source.code.includes(`/${name}.js'`));
}

test('reaches every route by a healthctl command or lists a reason', async () => {
  expect(NAMES.length).toBeGreaterThan(90);
  const reached = reachedBy(await readSources('cli/src'));
  const missing = NAMES.filter((name) => !reached.has(name) && !(name in WITHOUT_COMMAND));
  expect(missing, 'routes without a command: declare one in cli/src/commands').toEqual([]);
  const stale = Object.keys(WITHOUT_COMMAND).filter((name) => reached.has(name) || !NAMES.includes(name));
  expect(stale, 'exceptions that are none').toEqual([]);
});

test('ignores imports that are unused or that no program loads', () => {
  const called = "import { listUsers } from '@healthd/contract';\nclient.call(listUsers, {});\n";
  const command = sourceFile('cli/src/commands/planted.ts', called);
  const program = sourceFile('cli/src/program.ts', "const add = () => import('./commands/planted.js');\n");
  expect([...reachedBy([command, program])]).toEqual(['listUsers']);
  expect([...reachedBy([command])]).toEqual([]);
  const unused = sourceFile('cli/src/commands/planted.ts', called.replace('client.call(listUsers, {});', ''));
  expect([...reachedBy([unused, program])]).toEqual([]);
});
