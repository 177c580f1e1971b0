import { type AuditAction, listAuditEvents } from '@healthd/contract';
import type { AuditEvent } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { at } from '../output/instant.js';
import { type Shape, writeRows } from '../output/writer.js';
import { optionalBounds } from '../service/dates.js';
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
    'detail',
  ],
  columns: [
    { header: 'Time', cell: (event: AuditEvent) => at(event.at) },
    { header: 'Did', cell: didOf, shrinkTo: 12 },
    { header: 'Actor id', cell: (event: AuditEvent) => event.actor_id, keep: true as const },
    { header: 'Actor', cell: (event: AuditEvent) => event.actor_type },
    { header: 'User', cell: (event: AuditEvent) => event.user_id },
    { header: 'Address', cell: (event: AuditEvent) => event.address, shrinkTo: 9 },
  ],
} satisfies Shape<AuditEvent>;

/** `denied: read workout ×3`: what did not succeed says so first; the number where one record stands for several requests. */
function didOf({ outcome, action, resource, occurrences }: AuditEvent): string {
  const did = outcome === 'success' ? `${action} ${resource}` : `${outcome}: ${action} ${resource}`;
  return occurrences > 1 ? `${did} ×${occurrences}` : did;
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
  if (pages.nextCursor !== undefined) cli.hint(`The newest ${count}. More: --limit ${count * 5}, or all: --all`);
}
