import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { writeRecord } from '../output/writer.js';
import type { Bind } from './bind.js';
import { runId, userId } from './values.js';

const PAGES = ['users', 'runs', 'providers', 'docs'] as const;

/** `open …` */
export function addOpenCommand(program: Command, bind: Bind): void {
  const group = program
    .command('open')
    .helpCommand(false)
    .description('Opens a page of the console in the browser and prints its URL.')
    .summary('open a page of the console')
    .option('--print', 'only print the URL')
    .action(bind<[{ print?: boolean }]>(async (cli, options) => open(cli, 'console', undefined, options)));
  for (const page of PAGES) {
    group
      .command(page)
      .description(page === 'docs' ? 'Opens the API reference.' : `Opens the ${page} page.`)
      .summary(page === 'docs' ? 'open the API reference' : `open the ${page} page`)
      .option('--print', 'only print the URL')
      .action(bind<[{ print?: boolean }]>(async (cli, options) => open(cli, page, undefined, options)));
  }
  for (const [page, parse] of [
    ['user', userId],
    ['run', runId],
  ] as const) {
    group
      .command(page)
      .description(`Opens the page of one ${page}.`)
      .summary(`open the page of one ${page}`)
      .argument('<id>', `id of the ${page} or its prefix`, parse)
      .option('--print', 'only print the URL')
      .action(bind<[string, { print?: boolean }]>(async (cli, id, options) => open(cli, page, id, options)));
  }
}

type Page = 'console' | 'user' | 'run' | 'users' | 'runs' | 'providers' | 'docs';

const SHAPE = {
  fields: ['url'] as const,
  pairs: ({ url }: { url: string }) => [['Page', url] as const],
};

/** `healthctl open` */
async function open(cli: Cli, page: Page, id: string | undefined, { print }: { print?: boolean }): Promise<void> {
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

/** Opens a URL in the browser. Ignores failures, because the command also prints the URL. */
function browse(address: string): void {
  const [command, args] = browserCommand(process.platform, address);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** Returns the program and arguments that open a URL in the browser. No shell parses the URL. */
export function browserCommand(platform: NodeJS.Platform, address: string): [command: string, args: string[]] {
  if (platform === 'darwin') return ['open', [address]];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
  return ['xdg-open', [address]];
}
