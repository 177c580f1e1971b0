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
    .description('Services that healthctl knows, by name. `healthctl login` adds one too.')
    .summary('list, choose, add and remove services');
  withExamples(
    context
      .command('list')
      .description('Lists the contexts of the profile, without secrets.')
      .summary('list contexts')
      .action(bind(listContexts)),
    'healthctl context list',
  );
  context
    .command('use')
    .description('Chooses the context that is used where none is named.')
    .summary('choose a context')
    .argument('<name>', 'name of the context')
    .action(bind(useContext));
  withExamples(
    context
      .command('add')
      .description('Adds a context. It has no credential before `healthctl login --context <name>`.')
      .summary('add a context')
      .argument('<name>', 'name of the context')
      .argument('<address>', 'address of the service, e.g. https://health.example.org')
      .action(bind(addContext)),
    'healthctl context add clinic https://clinic.example.org',
  );
  withExamples(
    context
      .command('remove')
      .description('Removes a context and what is stored for it.')
      .summary('remove a context')
      .argument('<name>', 'name of the context')
      .action(bind(removeContext)),
    'healthctl context remove clinic',
  );
  program
    .command('config')
    .description(
      'Shows what healthctl works with: the address, the context and the credential. A flag takes precedence over the environment, the environment over .healthctl.json of the folder or one above it, and that file over the profile.',
    )
    .summary('show what healthctl works with')
    .option('--show-origin', 'where each value was found')
    .action(bind(showConfig));
}

/** One context as it is shown: what is stored, and never a secret. */
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
  cli.say(`${name} is used from now on.`);
}

/** `healthctl context add` */
async function addContext(cli: Cli, name: string, address: string): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const url = normalizeUrl(address);
  await updateProfile(profilePath(cli.env), (profile) => {
    if (profile.contexts[name]) {
      throw new CliError('context_exists', `There is a context ${name} already, for ${profile.contexts[name].url}.`, {
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
  cli.say(`Removed ${name} and what was stored for it. A login at the service ends by itself, an API key does not.`);
}

function known(profile: Profile, name: string): Profile {
  if (profile.contexts[name]) return profile;
  const names = Object.keys(profile.contexts);
  throw new CliError('unknown_context', `There is no context ${name}.`, {
    hint: names.length > 0 ? `Known: ${names.join(', ')}.` : 'None is stored.',
    exitCode: EXIT.usage,
  });
}

/** One value that healthctl works with, and where it was found. */
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
        : `${path}, by the address`;
  const { stored, token, contextName } = connection;
  const secretFrom = token ? 'HEALTHCTL_TOKEN' : path;
  const key = token?.startsWith('sk-') ? token : token ? undefined : stored?.api_key;
  const values: Value[] = [
    {
      name: 'url',
      value: connection.url,
      origin: connection.urlOrigin === 'default' ? 'default' : (origins[connection.urlOrigin] ?? ''),
    },
    { name: 'context', value: contextName ?? null, origin: contextName ? named : 'none fits the address' },
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
