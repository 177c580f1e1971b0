import { ApiError } from '@healthd/client';
import { listUserChanges } from '@healthd/contract';
import type { Change } from '@healthd/schemas';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { Commands } from '../../components/commands.js';
import { columnHelper, DataTable } from '../../components/data-table.js';
import { FilterSelect, filterValue } from '../../components/filter-select.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { MoreRows } from '../../components/more-rows.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { formatCount, humanize } from '../../format.js';
import { useChanges } from '../../hooks/use-changes.js';
import { useFilters } from '../../hooks/use-filters.js';

const KINDS = (
  ['samples', 'sleep', 'workout', 'menstrual_cycle', 'health_score', 'summary'] satisfies Change['kind'][]
).map((kind) => [kind, humanize(kind)] as const);

/** Feed of a user's changes, newest first. Contains no health values. */
export function ChangesTab({ userId }: { userId: string }) {
  const [address, change] = useFilters();
  const kind = filterValue(KINDS, address.get('kind'));
  const changes = useChanges(userId, kind);
  const rows = changes.data?.pages.flatMap(({ items }) => items) ?? [];
  if (changes.error instanceof ApiError && changes.error.status === 409) return <FeedOff />;
  return (
    <>
      <div className="row spread">
        <h2>Changes of stored data</h2>
        <search className="row filters">
          <FilterSelect
            label="Kind"
            all="All kinds"
            options={KINDS}
            value={kind}
            onChange={(chosen) => change({ kind: chosen })}
          />
        </search>
      </div>
      {changes.error && !changes.isFetchNextPageError && <Problem error={changes.error} retry={changes.refetch} />}
      {changes.isPending && <Loading />}
      {changes.data && (
        <DataTable
          name="Changes of stored data"
          columns={COLUMNS}
          rows={rows}
          rowId={({ position }) => String(position)}
          empty={kind ? 'No changes of this kind.' : 'No changes since the feed was turned on.'}
          stale={changes.isPlaceholderData}
        />
      )}
      <MoreRows count={rows.length} pages={changes} />
      <Commands
        healthctl={`healthctl changes --user ${userId}${kind ? ` --kinds ${kind}` : ''}`}
        route={listUserChanges}
        input={{ params: { user_id: userId }, query: { sort_order: 'desc', kinds: kind, limit: 100 } }}
      />
    </>
  );
}

const LOOKS: Partial<Record<Change['action'], string>> = { created: 'good', deleted: 'bad', expired: 'warn' };

const column = columnHelper<Change>();
const COLUMNS = column.columns([
  column.accessor('at', { header: 'Time', cell: ({ getValue }) => <Instant at={getValue()} /> }),
  column.accessor('action', {
    header: 'Action',
    meta: { className: 'nobreak' },
    cell: ({ getValue }) => <span className={`badge ${LOOKS[getValue()] ?? 'plain'}`}>{getValue()}</span>,
  }),
  column.accessor('kind', {
    header: 'Data',
    meta: { className: 'nobreak' },
    cell: ({ row: { original } }) => <Subject change={original} />,
  }),
  column.accessor('days', { header: 'Days', cell: ({ getValue }) => <Days days={getValue() ?? []} /> }),
  column.accessor('cause', {
    header: 'Cause',
    meta: { className: 'nobreak' },
    cell: ({ row: { original } }) => <Cause change={original} />,
  }),
]);

function Subject({ change: { kind, type, summary, ids = [] } }: { change: Change }) {
  if (type !== undefined) return <>{humanize(type)}</>;
  if (summary !== undefined) return <>{humanize(summary)} summary</>;
  return (
    <>
      {humanize(kind)} {ids.length > 1 && <span className="muted">×{formatCount(ids.length)}</span>}
    </>
  );
}

/** Number of ranges that a cell shows. */
const SHOWN_RANGES = 2;

function Days({ days }: { days: NonNullable<Change['days']> }) {
  if (days.length === 0) return <None />;
  const shown = days.slice(0, SHOWN_RANGES);
  const more = days.length - shown.length;
  const all = days.map(({ from, to }) => (from === to ? from : `${from} – ${to}`)).join(', ');
  return (
    <span title={more > 0 ? all : undefined}>
      {shown.map(({ from, to }, index) => (
        <Fragment key={from}>
          {index > 0 && ', '}
          <DateText date={from} />
          {to !== from && ' – '}
          {to !== from && <DateText date={to} />}
        </Fragment>
      ))}
      {more > 0 && <span className="muted"> and {formatCount(more)} more</span>}
    </span>
  );
}

/** Date that does not wrap at its hyphens in a narrow cell. */
function DateText({ date }: { date: string }) {
  return <span className="nobreak">{date}</span>;
}

const CAUSES: Partial<Record<NonNullable<Change['cause']>, string>> = {
  person: 'Deleted by a person',
  vendor: 'Deleted by the vendor',
  replaced: 'Replaced',
  retention: 'Retention',
  terms: 'Vendor terms',
};

const ORIGINS: Record<NonNullable<Change['origin']>, string> = {
  live: 'New data',
  historical: 'History',
  import: 'Import',
  push: 'Device push',
  correction: 'Correction',
};

/** Shows why data was deleted, otherwise how it arrived, with a link to the run. */
function Cause({ change: { cause, origin, run_id: runId } }: { change: Change }) {
  const words = (cause && CAUSES[cause]) ?? (origin && ORIGINS[origin]);
  if (words === undefined) return <None />;
  return runId === undefined ? words : <Link to={`/runs/${runId}`}>{words}</Link>;
}

function FeedOff() {
  return (
    <div className="card empty">
      The service records no changes. Set <code>FEED=on</code> and restart it.
    </div>
  );
}
