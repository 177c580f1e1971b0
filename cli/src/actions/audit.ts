import { type AuditAction, listAuditEvents } from '@healthd/contract';
import type { AuditEvent } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { type Shape, writeRows } from '../output/writer.js';
import { newestDay, parseBounds } from '../service/dates.js';
import { Pages } from '../service/pages.js';

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
  ],
  columns: [
    { header: 'Time', cell: (event: AuditEvent) => event.at.slice(0, 19).replace('T', ' ') },
    { header: 'Actor', cell: (event: AuditEvent) => event.actor_type },
    { header: 'Actor id', cell: (event: AuditEvent) => event.actor_id, shrinkTo: 9 },
    { header: 'Did', cell: (event: AuditEvent) => `${event.action} ${event.resource}`, shrinkTo: 12 },
    { header: 'User', cell: (event: AuditEvent) => event.user_id, shrinkTo: 9 },
    { header: 'Outcome', cell: outcomeOf },
    { header: 'Address', cell: (event: AuditEvent) => event.address, shrinkTo: 9 },
  ],
} satisfies Shape<AuditEvent>;

/** With their number where one record stands for several requests. */
function outcomeOf({ outcome, occurrences }: AuditEvent): string {
  return occurrences > 1 ? `${outcome} ×${occurrences}` : outcome;
}

export interface ListAuditOptions {
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
export async function listAudit(cli: Cli, options: ListAuditOptions): Promise<void> {
  const client = await cli.client();
  const filter = {
    user_id: options.user,
    actor_type: options.actorType,
    actor_id: options.actor,
    resource: options.resource,
    action: options.action,
    outcome: options.outcome,
    ...range(options),
  };
  const pages = new Pages<AuditEvent>(
    { limit: options.limit, all: options.all ?? false, maxPage: LARGEST_PAGE },
    (limit, cursor) => client.call(listAuditEvents, { query: { ...filter, limit, cursor }, signal: cli.signal }),
  );
  const count = await writeRows(cli.sink, SHAPE, pages.rows());
  if (count === 0) cli.hint('No records.');
  if (pages.nextCursor !== undefined) cli.hint(`The newest ${count}. More: --limit ${count * 5}, or all: --all`);
}

/** Days as the person named them; without `--from`, from the beginning of the trail. */
function range({ from, to }: ListAuditOptions): { from?: string; to?: string } {
  if (from === undefined && to === undefined) return {};
  const { start, end } = parseBounds(from ?? '1970-01-01', to, newestDay(new Date()));
  return { from: start, to: end };
}
