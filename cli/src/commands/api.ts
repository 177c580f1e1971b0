import type { Command } from 'commander';
import type { ApiOptions } from '../actions/api.js';
import type { Bind } from './bind.js';

/** `api <method> <path>` */
export function addApiCommand(program: Command, bind: Bind): void {
  program
    .command('api')
    .description('Calls any route of the service and prints the response unchanged. The credential is added.')
    .summary('call any route of the service')
    .argument('<method>', 'get, post, put, patch or delete')
    .argument('<path>', 'path below the address, e.g. /api/v1/users?limit=5; /api/v1 may be left out')
    .option('-d, --data <json>', 'body of the request; @file reads a file, @- reads stdin')
    .option('--developer', 'use the developer login even if an API key is configured')
    .addHelpText('after', EXAMPLES)
    .action(
      bind<[string, string, ApiOptions]>(async (cli, method, path, options) =>
        (await import('../actions/api.js')).api(cli, method, path, options),
      ),
    );
}

const EXAMPLES = `
Examples:
  healthctl api get /users?limit=5
  echo '{"email":"anna@example.org"}' | healthctl api post /users -d @-
`;
