import { spawn } from 'node:child_process';
import type { Cli } from '../cli.js';
import { writeRecord } from '../output/writer.js';

export type Page = 'console' | 'user' | 'run' | 'users' | 'runs' | 'providers' | 'docs';

const SHAPE = {
  fields: ['url'] as const,
  pairs: ({ url }: { url: string }) => [['Page', url] as const],
};

/** `healthctl open` */
export async function open(
  cli: Cli,
  page: Page,
  id: string | undefined,
  { print }: { print?: boolean },
): Promise<void> {
  cli.willWrite(SHAPE);
  const { url } = await cli.connection();
  const address = `${url}${pathOf(page, id)}`;
  if (!print && cli.terminal.stdoutTty) browse(address);
  await writeRecord(cli.sink, SHAPE, { url: address });
}

function pathOf(page: Page, id: string | undefined): string {
  if (page === 'console') return '/';
  if (page === 'user' || page === 'run') return `/${page}s${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
  return `/${page}`;
}

/** Best effort: the address is printed in any case. */
function browse(address: string): void {
  const [command, args] = browserCommand(process.platform, address);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** The program that opens an address in the browser, and its arguments. No shell reads the address. */
export function browserCommand(platform: NodeJS.Platform, address: string): [command: string, args: string[]] {
  if (platform === 'darwin') return ['open', [address]];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}
