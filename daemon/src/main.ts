#!/usr/bin/env node
import './app/v8-flags.js';

import { Command, Option } from 'commander';
import { ROLES, type Role } from './app/role.js';
import { settingsHelp } from './app/settings/settings.js';
import { VERSION } from './app/version.js';

const program = new Command('healthd')
  .description('Stores your users’ health data and serves it through a REST API.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .addOption(new Option('--role <role>', 'part of the service to run').choices(ROLES).default('all'))
  .addHelpText('after', () => `\n${settingsHelp()}`)
  .showHelpAfterError('(run healthd --help for commands and settings)')
  .action(async ({ role }: { role: Role }) => (await import('./app/commands/start.js')).start(role));

program
  .command('backup <file>')
  .description('write all data and keys to a file; works while the service is running')
  .action(async (file: string) => (await import('./app/commands/backup.js')).backup(file));

program
  .command('restore <file>')
  .description('restore a backup into an empty data directory or database')
  .option(
    '--erasures <ledger>',
    'also erase the users that this newer erasure ledger lists (DATA_DIR/ledger/erasures.jsonl)',
  )
  .action(async (file: string, options: { erasures?: string }) =>
    (await import('./app/commands/backup.js')).restore(file, options),
  );

program
  .command('migrate-from <address>')
  .description('copy users, connections, API keys and data from Open Wearables; shows a preview first')
  .addOption(new Option('--dry-run', 'only show the preview (default)').conflicts('yes'))
  .option('--yes', 'copy the data; run it again to update an earlier copy')
  .addHelpText(
    'after',
    `
Pass the URL of its Postgres, postgres://user:password@host:port/database. The migration only reads it. The service
here may be running. For copied data and differences, see docs/from-open-wearables.md`,
  )
  .action(async (address: string, options: { yes?: boolean }) =>
    (await import('./app/commands/migrate-from.js')).migrateFromOpenWearables(address, options),
  );

program
  .command('keys')
  .description('print new keys for an environment file; required with DATABASE_URL')
  .action(async () => void process.stdout.write((await import('./app/keys.js')).newKeysFile()));

const admin = program.command('admin').description('maintenance of accounts and keys');

admin
  .command('reset-password <email>')
  .description('set a new password for a developer and end their sessions')
  .action(async (email: string) => (await import('./app/commands/reset-password.js')).resetPassword(email));

admin
  .command('discard-sealed')
  .description('discard tokens and invitations that were encrypted with a lost ENCRYPTION_KEY')
  .action(async () => (await import('./app/commands/discard-sealed.js')).discard());

program.parseAsync().catch(async (error: unknown) => {
  const { failureLines } = await import('./app/commands/failure-lines.js');
  const { lines, exitCode } = failureLines(error);
  for (const line of lines) console.error(line);
  process.exit(exitCode);
});
