import type { Command } from 'commander';
import type { Bind } from './bind.js';
import { runId, userId } from './values.js';

const PAGES = ['users', 'runs', 'providers', 'docs'] as const;

/** `open …` */
export function addOpenCommand(program: Command, bind: Bind): void {
  const actions = () => import('../actions/open.js');
  const open = program
    .command('open')
    .helpCommand(false)
    .description('Opens a page of the console in the browser, and prints its address.')
    .summary('open a page of the console')
    .option('--print', 'only print the address')
    .action(
      bind<[{ print?: boolean }]>(async (cli, options) => (await actions()).open(cli, 'console', undefined, options)),
    );
  for (const page of PAGES) {
    open
      .command(page)
      .description(page === 'docs' ? 'Opens the description of the API.' : `Opens the page of ${page}.`)
      .summary(page === 'docs' ? 'the description of the API' : `the page of ${page}`)
      .option('--print', 'only print the address')
      .action(
        bind<[{ print?: boolean }]>(async (cli, options) => (await actions()).open(cli, page, undefined, options)),
      );
  }
  for (const [page, parse] of [
    ['user', userId],
    ['run', runId],
  ] as const) {
    open
      .command(page)
      .description(`Opens the page of one ${page}.`)
      .summary(`the page of one ${page}`)
      .argument('<id>', `id of the ${page} or its beginning`, parse)
      .option('--print', 'only print the address')
      .action(
        bind<[string, { print?: boolean }]>(async (cli, id, options) => (await actions()).open(cli, page, id, options)),
      );
  }
}
