import type { AuditEvent } from '@healthd/schemas';
import { Link } from 'react-router';
import { columnHelper, DataTable } from '../../components/data-table.js';
import { Instant } from '../../components/instant.js';
import { None } from '../../components/none.js';
import { humanize } from '../../format.js';
import { useApiKeys } from '../../hooks/use-api-keys.js';
import { useApplications } from '../../hooks/use-applications.js';
import { DeveloperName } from '../access/developer-name.js';
import { hasReceipt } from './has-receipt.js';

const LOOKS = { success: 'good', denied: 'warn', failure: 'bad' } as const;

const column = columnHelper<AuditEvent>();
const COLUMNS = column.columns([
  column.accessor('at', { header: 'Time', cell: ({ getValue }) => <Instant at={getValue()} /> }),
  column.accessor('actor_id', {
    header: 'Actor',
    meta: { className: 'nobreak' },
    cell: ({ row }) => <Actor event={row.original} />,
  }),
  column.accessor('action', {
    header: 'Action',
    meta: { className: 'nobreak' },
    cell: ({ row: { original: event } }) => (
      <span title={event.route}>
        {event.action} <span className="muted">{humanize(event.resource).toLowerCase()}</span>
        {hasReceipt(event) && (
          <>
            {' '}
            <Link to={`/erasures/${event.resource_id}`}>receipt</Link>
          </>
        )}
      </span>
    ),
  }),
  column.accessor('user_id', {
    header: 'Resource',
    meta: { className: 'mono' },
    cell: ({ getValue }) => <UserCell userId={getValue()} />,
  }),
  column.accessor('outcome', {
    header: 'Outcome',
    meta: { className: 'nobreak' },
    cell: ({ row: { original: event } }) => (
      <>
        <span className={`badge ${LOOKS[event.outcome]}`}>{event.outcome}</span>
        {event.occurrences > 1 && <span className="muted"> ×{event.occurrences}</span>}
      </>
    ),
  }),
  column.accessor('address', {
    header: 'IP address',
    meta: { className: 'mono' },
    cell: ({ row: { original: event } }) =>
      event.address === null ? <None /> : <span title={event.request_id ?? undefined}>{event.address}</span>,
  }),
]);

/** Audit records, newest first. */
export function AuditTable({ events, stale }: { events: readonly AuditEvent[]; stale: boolean }) {
  return (
    <DataTable
      name="Audit trail"
      columns={COLUMNS}
      rows={events}
      rowId={({ id }) => String(id)}
      empty="No records match these filters."
      stale={stale}
    />
  );
}

function UserCell({ userId }: { userId: string | null }) {
  if (userId === null) return <None />;
  return (
    <Link to={`/users/${userId}`} title={userId}>
      {userId.slice(0, 8)}
    </Link>
  );
}

/** Shows the actor, by name if known. */
function Actor({ event: { actor_type: type, actor_id: id } }: { event: AuditEvent }) {
  if (id === null) return <>{humanize(type)}</>;
  if (type === 'developer') return <DeveloperName id={id} />;
  return (
    <>
      {type === 'api_key' ? <KeyName id={id} /> : <ApplicationName id={id} />}{' '}
      <span className="muted">{type === 'sdk' ? 'phone' : humanize(type).toLowerCase()}</span>
    </>
  );
}

function KeyName({ id }: { id: string }) {
  const key = useApiKeys().data?.find((one) => one.id === id);
  return <span title={id}>{key?.name ?? id.slice(0, 8)}</span>;
}

function ApplicationName({ id }: { id: string }) {
  const application = useApplications().data?.find((one) => one.id === id || one.app_id === id);
  return <span title={id}>{application?.name ?? id.slice(0, 8)}</span>;
}
