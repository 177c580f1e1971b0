import { Command, CommanderError, Option } from 'commander';
import { Cli, type GlobalOptions } from './cli.js';
import type { Bind } from './commands/bind.js';
import { Reference } from './commands/reference.js';
import type { RESOURCES } from './commands/resources.js';
import type { Interrupt } from './interrupt.js';
import { FORMATS } from './output/format.js';
import { VERSION } from './version.js';

/** Reports all missing arguments and options at once. Commander reports only the first missing argument or option. */
class HealthctlCommand extends Command {
  override createCommand(name?: string): Command {
    return new HealthctlCommand(name);
  }

  missingMandatoryOptionValue(): void {
    const options = this.options.filter(
      (option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined,
    );
    const required = this.registeredArguments.filter(({ required }) => required).slice(this.args.length);
    const missing = [...required.map((one) => `<${one.name()}>`), ...options.map(({ flags }) => `'${flags}'`)];
    this.error(`error: missing ${missing.join(' and ')}`, { code: 'commander.missingMandatoryOptionValue' });
  }
}

interface CommandModule {
  /** Names of the top-level commands that the module adds. */
  names: readonly string[];
  load: () => Promise<(program: Command, bind: Bind) => void>;
}

function resource(name: keyof typeof RESOURCES): CommandModule {
  return { names: [name], load: async () => (await import('./commands/resources.js')).RESOURCES[name].add };
}

/** All command modules, in the order of the help. */
const MODULES: readonly CommandModule[] = [
  {
    names: ['login', 'logout', 'whoami'],
    load: async () => (await import('./commands/account.js')).addAccountCommands,
  },
  { names: ['context', 'config'], load: async () => (await import('./commands/context.js')).addContextCommands },
  { names: ['users'], load: async () => (await import('./commands/users.js')).addUsersCommands },
  { names: ['connections'], load: async () => (await import('./commands/connections.js')).addConnectionsCommands },
  resource('connect-links'),
  { names: ['providers'], load: async () => (await import('./commands/providers.js')).addProvidersCommands },
  { names: ['priorities'], load: async () => (await import('./commands/priorities.js')).addPrioritiesCommands },
  { names: ['subscribers'], load: async () => (await import('./commands/subscribers.js')).addSubscribersCommands },
  { names: ['import'], load: async () => (await import('./commands/import.js')).addImportCommand },
  { names: ['push'], load: async () => (await import('./commands/push.js')).addPushCommand },
  { names: ['sync'], load: async () => (await import('./commands/sync.js')).addSyncCommands },
  { names: ['runs'], load: async () => (await import('./commands/runs.js')).addRunsCommands },
  { names: ['logs'], load: async () => (await import('./commands/logs.js')).addLogsCommands },
  { names: ['data'], load: async () => (await import('./commands/data.js')).addDataCommands },
  { names: ['changes'], load: async () => (await import('./commands/changes.js')).addChangesCommand },
  { names: ['verify'], load: async () => (await import('./commands/verify.js')).addVerifyCommand },
  { names: ['coverage'], load: async () => (await import('./commands/data-overview.js')).addCoverageCommand },
  { names: ['audit'], load: async () => (await import('./commands/audit.js')).addAuditCommands },
  resource('keys'),
  resource('apps'),
  resource('tokens'),
  resource('developers'),
  resource('invitations'),
  { names: ['stats'], load: async () => (await import('./commands/stats.js')).addStatsCommand },
  { names: ['settings'], load: async () => (await import('./commands/settings.js')).addSettingsCommands },
  { names: ['why'], load: async () => (await import('./commands/why.js')).addWhyCommand },
  { names: ['trouble'], load: async () => (await import('./commands/trouble.js')).addTroubleCommands },
  { names: ['doctor'], load: async () => (await import('./commands/doctor.js')).addDoctorCommand },
  {
    names: ['support-bundle'],
    load: async () => (await import('./commands/support-bundle.js')).addSupportBundleCommand,
  },
  { names: ['open'], load: async () => (await import('./commands/open.js')).addOpenCommand },
  { names: ['api'], load: async () => (await import('./commands/api.js')).addApiCommand },
  { names: ['mcp'], load: async () => (await import('./commands/mcp.js')).addMcpCommand },
  { names: ['completion'], load: async () => (await import('./commands/completion.js')).addCompletionCommands },
  { names: ['version'], load: async () => (await import('./commands/version.js')).addVersionCommand },
  { names: ['help'], load: async () => (await import('./commands/help.js')).addHelpCommand },
];

/** Commands that read the whole command tree. */
const NEED_ALL: readonly string[] = ['help', '__complete'];

/**
 * Builds the command tree.
 * @param argv the command line. If a command is named, loads only its module, so that the command starts sooner
 */
export async function buildProgram(interrupt: Interrupt, argv: readonly string[] = []): Promise<Command> {
  const program = new HealthctlCommand('healthctl')
    .description('Command line of a healthd service: users, imports, syncs, data.')
    .version(VERSION, '-V, --version', 'print the version of healthctl')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError: () => undefined })
    .addOption(
      new Option('-o, --output <format>', 'output format (default: table on a terminal, else json)').choices(FORMATS),
    )
    .option('--json [fields]', 'short for --output json; with fields like id,email, only these fields')
    .option('--jq <program>', "filter the JSON with a jq program, e.g. '.[].id'; strings are printed without quotes")
    .addOption(new Option('--color <when>', 'colors: auto, on or off').choices(['auto', 'on', 'off']).default('auto'))
    .option('--context <name>', 'use this context from the profile')
    .option('--url <address>', 'service URL, e.g. https://health.example.org')
    .option('--utc', 'show times in UTC instead of local time')
    .option('-q, --quiet', 'print only data, warnings and errors')
    .option('--no-input', 'never prompt; fail if an answer is required')
    .option('--debug', 'print every request with its status, time and request id')
    .addHelpText('after', FOOTER);
  const bind: Bind =
    (action) =>
    (...input) =>
      runAction(new Cli(program.opts<GlobalOptions>(), interrupt), action, input);
  for (const add of await Promise.all(modulesOf(program, argv).map(({ load }) => load()))) add(program, bind);
  return program;
}

/** Returns the module of the command that `argv` names, or all modules if `argv` names no command. */
function modulesOf(program: Command, argv: readonly string[]): readonly CommandModule[] {
  const [name] = operandsOf(program, argv);
  const named = MODULES.filter(({ names }) => name !== undefined && names.includes(name));
  return named.length > 0 && !NEED_ALL.includes(name ?? '') ? named : MODULES;
}

/**
 * Returns the words of a command line without the global options and their values, up to the first option that is not
 * global. Commander selects the command by these words.
 */
export function operandsOf(program: Command, argv: readonly string[]): string[] {
  const words = argv.slice(2);
  const reader = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  for (const { flags } of program.options) reader.addOption(new Option(flags));
  try {
    return reader.parseOptions(words).operands;
  } catch (error) {
    if (!(error instanceof CommanderError) || words.length === 0) throw error;
    // The last word is an option without its value.
    return operandsOf(program, argv.slice(0, -1));
  }
}

/** Resolves references to ids, then runs a command's action. */
async function runAction<A extends unknown[]>(
  cli: Cli,
  action: (cli: Cli, ...input: A) => Promise<void>,
  input: A,
): Promise<void> {
  await cli.start();
  const named = input
    .flatMap((value) => [value, ...Object.values(value ?? {})])
    .some((one) => one instanceof Reference);
  const resolved = named ? ((await (await import('./service/references.js')).withIds(cli, input)) as A) : input;
  try {
    await action(cli, ...resolved);
  } finally {
    await cli.finish();
  }
}

/** True if commander stopped after printing help or the version. */
export function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

const FOOTER = `
Environment:
  HEALTHCTL_URL    URL of the service
  HEALTHCTL_TOKEN  API key (sk-…) or access token, instead of the profile
  NO_COLOR         disable colors

Start with:
  healthctl doctor
  healthctl users create --email anna@example.org
  healthctl import export.zip --user anna@example.org
  healthctl data activity --user anna@example.org --from 14d
`;
