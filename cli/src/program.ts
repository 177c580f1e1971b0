import { Command, CommanderError, Option } from 'commander';
import { Cli, type GlobalOptions } from './cli.js';
import { addAccountCommands } from './commands/account.js';
import { addApiCommand } from './commands/api.js';
import { addAppsCommands } from './commands/apps.js';
import { addAuditCommands } from './commands/audit.js';
import type { Bind } from './commands/bind.js';
import { addCompletionCommands } from './commands/completion.js';
import { addConnectLinksCommands } from './commands/connect-links.js';
import { addConnectionsCommands } from './commands/connections.js';
import { addContextCommands } from './commands/context.js';
import { addCoverageCommand } from './commands/coverage.js';
import { addDataCommands } from './commands/data.js';
import { addDevelopersCommands } from './commands/developers.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addHelpCommand } from './commands/help.js';
import { addImportCommand } from './commands/import.js';
import { addInvitationsCommands } from './commands/invitations.js';
import { addKeysCommands } from './commands/keys.js';
import { addLogsCommands } from './commands/logs.js';
import { addMcpCommand } from './commands/mcp.js';
import { addOpenCommand } from './commands/open.js';
import { addPrioritiesCommands } from './commands/priorities.js';
import { addProvidersCommands } from './commands/providers.js';
import { addPushCommand } from './commands/push.js';
import { Reference } from './commands/reference.js';
import { addRunsCommands } from './commands/runs.js';
import { addSettingsCommands } from './commands/settings.js';
import { addStatsCommand } from './commands/stats.js';
import { addSubscribersCommands } from './commands/subscribers.js';
import { addSupportBundleCommand } from './commands/support-bundle.js';
import { addSyncCommands } from './commands/sync.js';
import { addTokensCommands } from './commands/tokens.js';
import { addTroubleCommands } from './commands/trouble.js';
import { addUsersCommands } from './commands/users.js';
import { addVersionCommand } from './commands/version.js';
import { addWhyCommand } from './commands/why.js';
import type { Interrupt } from './interrupt.js';
import { FORMATS } from './output/format.js';
import { VERSION } from './version.js';

/** Names everything that a command line lacks at once. Commander stops at the first missing option. */
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

/** The whole command tree. Modules that do the work are loaded when their command runs. */
export function buildProgram(interrupt: Interrupt): Command {
  const program = new HealthctlCommand('healthctl')
    .description('Works with a healthd service from the command line: users, imports, data.')
    .version(VERSION, '-V, --version', 'print the version of healthctl')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError: () => undefined })
    .addOption(
      new Option('-o, --output <format>', 'form of the data; a table on a terminal, else json').choices(FORMATS),
    )
    .option('--json [fields]', 'short for --output json; with fields like id,email only those')
    .option('--jq <program>', "put the JSON through a jq program, e.g. '.[].id'; texts come out bare")
    .addOption(new Option('--color <when>', 'colours: auto, on or off').choices(['auto', 'on', 'off']).default('auto'))
    .option('--context <name>', 'use this context of the profile')
    .option('--url <address>', 'address of the service, e.g. https://health.example.org')
    .option('--utc', 'times in UTC, instead of on the clock of this machine')
    .option('-q, --quiet', 'say nothing beside the data but warnings and errors')
    .option('--no-input', 'never ask; fail where an answer is needed')
    .option('--debug', 'print every request with its status, time and request id')
    .addHelpText('after', FOOTER);
  const bind: Bind =
    (action) =>
    (...input) =>
      runAction(new Cli(program.opts<GlobalOptions>(), interrupt), action, input);
  addAccountCommands(program, bind);
  addContextCommands(program, bind);
  addUsersCommands(program, bind);
  addConnectionsCommands(program, bind);
  addConnectLinksCommands(program, bind);
  addProvidersCommands(program, bind);
  addPrioritiesCommands(program, bind);
  addSubscribersCommands(program, bind);
  addImportCommand(program, bind);
  addPushCommand(program, bind);
  addSyncCommands(program, bind);
  addRunsCommands(program, bind);
  addLogsCommands(program, bind);
  addDataCommands(program, bind);
  addCoverageCommand(program, bind);
  addAuditCommands(program, bind);
  addKeysCommands(program, bind);
  addAppsCommands(program, bind);
  addTokensCommands(program, bind);
  addDevelopersCommands(program, bind);
  addInvitationsCommands(program, bind);
  addStatsCommand(program, bind);
  addSettingsCommands(program, bind);
  addWhyCommand(program, bind);
  addTroubleCommands(program, bind);
  addDoctorCommand(program, bind);
  addSupportBundleCommand(program, bind);
  addOpenCommand(program, bind);
  addApiCommand(program, bind);
  addMcpCommand(program, bind);
  addCompletionCommands(program, bind);
  addVersionCommand(program, bind);
  addHelpCommand(program);
  return program;
}

/** Calls the action of a command once ids stand where people named things otherwise. */
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

/** Whether commander stopped because it had printed what was requested. */
export function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

const FOOTER = `
Environment:
  HEALTHCTL_URL    address of the service
  HEALTHCTL_TOKEN  API key (sk-…) or access token, instead of the profile
  NO_COLOR         no colours

Begin with:
  healthctl doctor
  healthctl users create --email anna@example.org
  healthctl import export.zip --user anna@example.org
  healthctl data activity --user anna@example.org --from 14d
`;
