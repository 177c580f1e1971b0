import type { AuditAction, AuditActorType, AuditOutcome } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { ListAuditOptions } from '../actions/audit.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { activityFrom, toOption } from './period.js';
import { positive, userId } from './values.js';

// The contract's own lists would bring its schemas along, and every command would start later; types keep them equal.
const ACTOR_TYPES: AuditActorType[] = ['developer', 'api_key', 'sdk', 'application', 'service', 'anonymous'];
const ACTIONS: AuditAction[] = ['create', 'read', 'update', 'delete', 'import', 'export', 'login', 'logout', 'refresh'];
const OUTCOMES: AuditOutcome[] = ['success', 'denied', 'failure'];

/** `audit list` */
export function addAuditCommands(program: Command, bind: Bind): void {
  const audit = program
    .command('audit')
    .helpCommand(false)
    .description('Who did what to whose data. Requires a developer login.')
    .summary('see who did what to whose data');
  withExamples(
    audit
      .command('list')
      .description('Lists the audit trail, newest first.')
      .summary('list the audit trail')
      .addOption(new Option('-u, --user <id>', 'only what was done to data of this user').argParser(userId))
      .addOption(new Option('--actor-type <type>', 'only what such an actor did').choices(ACTOR_TYPES))
      .option('--actor <id>', 'only what this developer, key or application did')
      .option('--resource <name>', 'only this resource, e.g. user or workout')
      .addOption(new Option('--action <action>', 'only this action').choices(ACTIONS))
      .addOption(new Option('--outcome <outcome>', 'only what ended so').choices(OUTCOMES))
      .addOption(activityFrom())
      .addOption(toOption())
      .option('--limit <n>', 'maximum number of records', positive, 50)
      .option('--all', 'all records')
      .action(
        bind<[ListAuditOptions]>(async (cli, options) => (await import('../actions/audit.js')).listAudit(cli, options)),
      ),
    'healthctl audit list --user anna@example.org --from 7d',
  );
}
