import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { NO_FIELDS } from '../output/fields.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { DEFAULT_URL, normalizeUrl } from '../profile/connection.js';
import { type Profile, profilePath, readProfile, updateProfile } from '../profile/profile-file.js';
import { findProjectFile } from '../profile/project-file.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `context list|use|add|remove`, `config` */
export function addContextCommands(program: Command, bind: Bind): void {
  const context = program
    .command('context')
    .helpCommand(false)
    .description('Named services in the profile. `healthctl login` also adds one.')
    .summary('list, select, add and remove services');
  withExamples(
    context
      .command('list')
      .description('Lists the contexts in the profile, without secrets.')
      .summary('list contexts')
      .action(bind(listContexts)),
    'healthctl context list',
  );
  context
    .command('use')
    .description('Sets the default context.')
    .summary('set the default context')
    .argument('<name>', 'name of the context')
    .action(bind(useContext));
  withExamples(
    context
      .command('add')
      .description('Adds a context. Run `healthctl login --context <name>` to add a credential.')
      .summary('add a context')
      .argument('<name>', 'name of the context')
      .argument('<address>', 'service URL, e.g. https://health.example.org')
      .action(bind(addContext)),
    'healthctl context add clinic https://clinic.example.org',
  );
  withExamples(
    context
      .command('remove')
      .description('Removes a context and its stored credential.')
      .summary('remove a context')
      .argument('<name>', 'name of the context')
      .action(bind(removeContext)),
    'healthctl context remove clinic',
  );
  program
    .command('config')
    .description(
      'Shows the URL, context and credential that healthctl uses. Order of precedence: flags, environment, .healthctl.json in this folder or the nearest parent folder, profile.',
    )
    .summary('show the URL, context and credential in use')
    .option('--show-origin', 'show where each value comes from')
    .action(bind(showConfig));
}

/** Output for one context, without secrets. */
interface ContextRow {
  name: string;
  url: string;
  current: boolean;
  developer_email: string | null;
  has_api_key: boolean;
  has_login: boolean;
}

const SHAPE = {
  fields: ['name', 'url', 'current', 'developer_email', 'has_api_key', 'has_login'],
  columns: [
    { header: 'Name', cell: (row: ContextRow) => row.name, keep: true as const },
    { header: 'In use', cell: (row: ContextRow) => (row.current ? 'yes' : '') },
    { header: 'Service', cell: (row: ContextRow) => row.url, shrinkTo: 16 },
    { header: 'Developer', cell: (row: ContextRow) => row.developer_email, shrinkTo: 12 },
    { header: 'API key', cell: (row: ContextRow) => (row.has_api_key ? 'stored' : '') },
  ],
} satisfies Shape<ContextRow>;

/** `healthctl context list` */
async function listContexts(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const { current, contexts } = await readProfile(profilePath(cli.env));
  const rows = Object.entries(contexts).map(([name, stored]) => ({
    name,
    url: stored.url,
    current: name === current,
    developer_email: stored.developer_email ?? null,
    has_api_key: stored.api_key !== undefined,
    has_login: stored.refresh_token !== undefined,
  }));
  const count = await writeRows(cli.sink, SHAPE, rows);
  if (count === 0) cli.hint('No contexts. Add one: healthctl context add clinic https://health.example.org');
}

/** `healthctl context use` */
async function useContext(cli: Cli, name: string): Promise<void> {
  cli.willWrite(NO_FIELDS);
  await updateProfile(profilePath(cli.env), (profile) => ({ ...known(profile, name), current: name }));
  cli.say(`${name} is now the default context.`);
}

/** `healthctl context add` */
async function addContext(cli: Cli, name: string, address: string): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const url = normalizeUrl(address);
  await updateProfile(profilePath(cli.env), (profile) => {
    if (profile.contexts[name]) {
      throw new CliError('context_exists', `Context ${name} already exists for ${profile.contexts[name].url}.`, {
        hint: `Remove it first: healthctl context remove ${name}`,
      });
    }
    return { current: profile.current ?? name, contexts: { ...profile.contexts, [name]: { url } } };
  });
  cli.say(`Added ${name} for ${url}.`);
  cli.hint(`Next: healthctl login --context ${name}`);
}

/** `healthctl context remove` */
async function removeContext(cli: Cli, name: string): Promise<void> {
  cli.willWrite(NO_FIELDS);
  await updateProfile(profilePath(cli.env), (profile) => {
    const { [name]: removed, ...contexts } = known(profile, name).contexts;
    return { current: profile.current === name ? undefined : profile.current, contexts };
  });
  cli.say(
    `Removed ${name} and its stored credential. A login expires at the service; an API key stays valid until you revoke it.`,
  );
}

function known(profile: Profile, name: string): Profile {
  if (profile.contexts[name]) return profile;
  const names = Object.keys(profile.contexts);
  throw new CliError('unknown_context', `Context ${name} not found.`, {
    hint: names.length > 0 ? `Known: ${names.join(', ')}.` : 'No contexts are stored.',
    exitCode: EXIT.usage,
  });
}

/** One setting of healthctl and its origin. */
interface Value {
  name: string;
  value: string | null;
  origin: string;
}

/** `healthctl config` */
async function showConfig(cli: Cli, { showOrigin }: { showOrigin?: boolean }): Promise<void> {
  const path = profilePath(cli.env);
  const [profile, project, connection] = await Promise.all([
    readProfile(path),
    findProjectFile(process.cwd()),
    cli.connection(),
  ]);
  const origins: Record<string, string> = {
    flag: cli.options.url ? '--url' : '--context',
    environment: 'HEALTHCTL_URL',
    'project file': project?.path ?? '',
    'user file': path,
    default: DEFAULT_URL,
  };
  const named = cli.options.context
    ? '--context'
    : project?.context
      ? project.path
      : profile.current === connection.contextName
        ? path
        : `${path}, matched by URL`;
  const { stored, token, contextName } = connection;
  const secretFrom = token ? 'HEALTHCTL_TOKEN' : path;
  const key = token?.startsWith('sk-') ? token : token ? undefined : stored?.api_key;
  const values: Value[] = [
    {
      name: 'url',
      value: connection.url,
      origin: connection.urlOrigin === 'default' ? 'default' : (origins[connection.urlOrigin] ?? ''),
    },
    { name: 'context', value: contextName ?? null, origin: contextName ? named : 'no context has this URL' },
    { name: 'api_key', value: key ? `sk-…${key.slice(-4)}` : null, origin: key ? secretFrom : 'none stored' },
    {
      name: 'login',
      value:
        token && !key
          ? 'access token'
          : token
            ? null
            : (stored?.developer_email ?? (stored?.refresh_token ? 'stored' : null)),
      origin: token && !key ? 'HEALTHCTL_TOKEN' : stored?.refresh_token && !token ? path : 'none stored',
    },
  ];
  const columns = [
    { header: 'Name', cell: (value: Value) => value.name },
    { header: 'Value', cell: (value: Value) => value.value },
    { header: 'From', cell: (value: Value) => value.origin, shrinkTo: 16 },
  ];
  if (showOrigin) {
    await writeRows(cli.sink, { fields: ['name', 'value', 'origin'], columns }, values);
    return;
  }
  const record = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  await writeRecord(cli.sink, { fields: Object.keys(record), pairs: (one) => Object.entries(one) }, record);
}
