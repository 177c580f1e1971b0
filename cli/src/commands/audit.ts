import { type AuditAction, type AuditActorType, type AuditOutcome, listAuditEvents } from '@healthd/contract';
import type { AuditEvent } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { at } from '../output/instant.js';
import { type Shape, writeRows } from '../output/writer.js';
import { optionalBounds } from '../service/dates.js';
import { Pages } from '../service/pages.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { activityFrom, toOption } from './period.js';
import { positive, userId } from './values.js';

// Values of the contract, in the order of the help. The types reject unknown values.
const ACTOR_TYPES: AuditActorType[] = ['developer', 'api_key', 'sdk', 'application', 'service', 'anonymous'];
const ACTIONS: AuditAction[] = ['create', 'read', 'update', 'delete', 'import', 'export', 'login', 'logout', 'refresh'];
const OUTCOMES: AuditOutcome[] = ['success', 'denied', 'failure'];

/** `audit list` */
export function addAuditCommands(program: Command, bind: Bind): void {
  const audit = program
    .command('audit')
    .helpCommand(false)
    .description('The audit trail: which caller accessed or changed which user’s data. Requires a developer login.')
    .summary('list accesses and changes of users’ data');
  withExamples(
    audit
      .command('list')
      .description('Lists the audit trail, newest first.')
      .summary('list the audit trail')
      .addOption(new Option('-u, --user <id>', 'only records about this user').argParser(userId))
      .addOption(new Option('--actor-type <type>', 'only records of this actor type').choices(ACTOR_TYPES))
      .option('--actor <id>', 'only records of this developer, key or application')
      .option('--resource <name>', 'only this resource, e.g. user or workout')
      .addOption(new Option('--action <action>', 'only this action').choices(ACTIONS))
      .addOption(new Option('--outcome <outcome>', 'only records with this outcome').choices(OUTCOMES))
      .addOption(activityFrom())
      .addOption(toOption())
      .option('--limit <n>', 'maximum number of records', positive, 50)
      .option('--all', 'all records')
      .action(bind(listAudit)),
    'healthctl audit list --user anna@example.org --from 7d',
  );
}

const LARGEST_PAGE = 1000;

const SHAPE = {
  fields: [
    'id',
    'at',
    'actor_type',
    'actor_id',
    'user_id',
    'resource',
    'resource_id',
    'action',
    'outcome',
    'status',
    'route',
    'request_id',
    'address',
    'occurrences',
    'detail',
  ],
  columns: [
    { header: 'Time', cell: (event: AuditEvent) => at(event.at) },
    { header: 'Action', cell: actionText, shrinkTo: 12 },
    { header: 'Actor id', cell: (event: AuditEvent) => event.actor_id, keep: true as const },
    { header: 'Actor', cell: (event: AuditEvent) => event.actor_type },
    { header: 'User', cell: (event: AuditEvent) => event.user_id },
    { header: 'IP', cell: (event: AuditEvent) => event.address, shrinkTo: 9 },
  ],
} satisfies Shape<AuditEvent>;

/** Formats `denied: read workout ×3`: the outcome unless it succeeded, and the number of combined requests. */
function actionText({ outcome, action, resource, occurrences }: AuditEvent): string {
  const did = outcome === 'success' ? `${action} ${resource}` : `${outcome}: ${action} ${resource}`;
  return occurrences > 1 ? `${did} ×${occurrences}` : did;
}

interface ListAuditOptions {
  user?: string;
  actorType?: AuditEvent['actor_type'];
  actor?: string;
  resource?: string;
  action?: AuditAction;
  outcome?: AuditEvent['outcome'];
  from?: string;
  to?: string;
  limit: number;
  all?: boolean;
}

/** `healthctl audit list` */
async function listAudit(cli: Cli, options: ListAuditOptions): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const filter = {
    user_id: options.user,
    actor_type: options.actorType,
    actor_id: options.actor,
    resource: options.resource,
    action: options.action,
    outcome: options.outcome,
    ...optionalBounds(options, cli.options),
  };
  const pages = new Pages<AuditEvent>(
    { limit: options.limit, all: options.all ?? false, maxPage: LARGEST_PAGE },
    (limit, cursor) => client.call(listAuditEvents, { query: { ...filter, limit, cursor }, signal: cli.signal }),
  );
  const count = await writeRows(cli.sink, SHAPE, pages.rows());
  if (count === 0) cli.hint('No records.');
  if (pages.nextCursor !== undefined) cli.hint(`Showing the newest ${count}. For more: --limit ${count * 5}, or --all`);
}
