import { readFile } from 'node:fs/promises';
import { errorOf, UnreachableError } from '@healthd/client';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { NO_FIELDS } from '../output/fields.js';
import { toYaml } from '../output/yaml.js';
import { readStdin } from '../ui/prompt.js';
import type { Bind } from './bind.js';

/** `api <method> <path>` */
export function addApiCommand(program: Command, bind: Bind): void {
  program
    .command('api')
    .description('Calls any route of the service with your credential and prints the response unchanged.')
    .summary('call any route of the service')
    .argument('<method>', 'get, post, put, patch or delete')
    .argument('<path>', 'path on the service, e.g. /api/v1/users?limit=5; /api/v1 is optional')
    .option('-d, --data <json>', 'request body; @file reads a file, @- reads stdin')
    .option('--developer', 'use the developer login even if an API key is configured')
    .addHelpText('after', EXAMPLES)
    .action(bind(api));
}

const EXAMPLES = `
Examples:
  healthctl api get /users?limit=5
  echo '{"email":"anna@example.org"}' | healthctl api post /users -d @-
`;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const API = '/api/v1';

interface ApiOptions {
  data?: string;
  developer?: boolean;
}

/** `healthctl api` */
async function api(cli: Cli, methodText: string, path: string, options: ApiOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const method = methodText.toUpperCase();
  if (!METHODS.includes(method)) {
    throw new CliError('unknown_method', `Unknown HTTP method ${methodText}.`, {
      hint: `Use one of ${METHODS.join(', ').toLowerCase()}.`,
      exitCode: EXIT.usage,
    });
  }
  const session = await cli.session();
  const url = addressOf(path, session.client.baseUrl);
  const body = options.data === undefined ? undefined : await bodyOf(options.data);
  const headers = await session.headersFor({ auth: options.developer ? 'developer' : 'key' });
  const response = await request(cli, url, {
    method,
    headers: {
      Accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
    signal: cli.signal,
  });
  if (!response.ok) throw await errorOf(response);
  await print(cli, response);
}

/** Resolves a path on the service only, so the credential is never sent elsewhere. */
function addressOf(path: string, baseUrl: string): URL {
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const outside = /^\/(?:api|health|openapi\.json|docs|static|metrics)(?:[/?]|$)/.test(rooted);
  const url = new URL(`${baseUrl}${outside ? '' : API}${rooted}`);
  if (url.origin !== baseUrl) {
    throw new CliError('path_invalid', `${path} is not a path on the service. Pass a path like /users.`, {
      exitCode: EXIT.usage,
    });
  }
  return url;
}

async function bodyOf(data: string): Promise<string> {
  if (!data.startsWith('@')) return data;
  if (data !== '@-') return readFile(data.slice(1), 'utf8');
  return readStdin();
}

async function request(cli: Cli, url: URL, init: RequestInit): Promise<Response> {
  const started = performance.now();
  try {
    const response = await fetch(url, init);
    const took = Math.round(performance.now() - started);
    const requestId = response.headers.get('x-request-id') ?? '';
    cli.debug(`${init.method} ${url.pathname}${url.search} ${response.status} ${took} ms ${requestId}`.trimEnd());
    return response;
  } catch (error) {
    if (cli.signal.aborted) throw error;
    throw new UnreachableError(url.origin, error);
  }
}

/** Indents JSON, and streams everything else unchanged, even if it never ends. */
async function print(cli: Cli, response: Response): Promise<void> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (isJson) {
    const result = (await response.json()) as unknown;
    if (cli.sink.format === 'yaml') return cli.sink.write(toYaml(result));
    return cli.sink.write(`${JSON.stringify(result, null, cli.sink.format === 'ndjson' ? undefined : 2)}\n`);
  }
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? [])
    await cli.sink.write(decoder.decode(chunk as Uint8Array, { stream: true }));
}
