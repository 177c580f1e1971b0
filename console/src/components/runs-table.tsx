import type { SyncRunSummary } from '@healthd/schemas';
import type { ChangeEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '../format.js';
import { runKind } from '../run-kind.js';
import { columnHelper, DataTable, type RowSelection } from './data-table.js';
import { Instant } from './instant.js';
import { Progress } from './progress.js';
import { providerName } from './provider-name.js';
import { RetryingRun } from './retrying.js';
import { StatusBadge } from './status-badge.js';

interface RunsTableProps {
  runs: readonly SyncRunSummary[];
  /** True if the list contains runs of several users. */
  withUser: boolean;
  empty: ReactNode;
  stale?: boolean;
  /** Selection of runs to retry. */
  selection?: Omit<RowSelection<SyncRunSummary>, 'canChoose'>;
}

const column = columnHelper<SyncRunSummary>();
const USER = column.accessor('user_id', {
  header: 'User',
  meta: { className: 'mono' },
  cell: ({ getValue }) => (
    <Link to={`/users/${getValue()}/runs`} title={getValue()}>
      {getValue().slice(0, 8)}
    </Link>
  ),
});
const COLUMNS = column.columns([
  column.accessor('run_id', {
    header: 'Run',
    meta: { className: 'mono' },
    cell: ({ row, table }) => (
      <>
        {table.options.enableRowSelection !== false && (
          <Choice
            runId={row.id}
            isPossible={row.getCanSelect()}
            isChosen={row.getIsSelected()}
            onChange={row.getToggleSelectedHandler()}
          />
        )}
        <Link to={`/runs/${row.id}`}>{row.id}</Link>
      </>
    ),
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ row: { original: run } }) => (
      <StatusBadge status={run.status} waiting={run.retrying ? 'retrying' : undefined} />
    ),
  }),
  USER,
  column.accessor('source', {
    header: 'Type',
    meta: { className: 'nobreak' },
    cell: ({ row: { original: run } }) => (
      <>
        {runKind(run.source)} <span className="muted">{providerName(run.provider)}</span>
      </>
    ),
  }),
  column.accessor('items_processed', {
    header: 'Items',
    meta: { className: 'number' },
    cell: ({ getValue }) => formatCount(getValue()),
  }),
  column.accessor('started_at', {
    header: 'Started',
    cell: ({ row: { original: run } }) => <Instant at={run.started_at ?? run.last_update} />,
  }),
  column.accessor('message', {
    header: 'Message',
    meta: { className: 'wide' },
    cell: ({ row }) => <WhatHappened run={row.original} />,
  }),
]);
const COLUMNS_OF_ONE_USER = COLUMNS.filter((one) => one !== USER);

/** Lists runs, newest first. Only failed and partial runs can be selected for a retry. */
export function RunsTable({ runs, withUser, empty, stale = false, selection }: RunsTableProps) {
  const canChoose = ({ status }: SyncRunSummary) => status === 'failed' || status === 'partial';
  return (
    <DataTable
      name="Runs"
      columns={withUser ? COLUMNS : COLUMNS_OF_ONE_USER}
      rows={runs}
      rowId={({ run_id }) => run_id}
      empty={empty}
      stale={stale}
      selection={selection && { ...selection, canChoose }}
    />
  );
}

interface ChoiceProps {
  runId: string;
  isPossible: boolean;
  isChosen: boolean;
  onChange: (event: ChangeEvent) => void;
}

/** Checkbox of a run. Invisible, but keeps its space, if the run cannot be retried. */
function Choice({ runId, isPossible, isChosen, onChange }: ChoiceProps) {
  return (
    <input
      type="checkbox"
      className="choose"
      aria-label={`Select ${runId}`}
      disabled={!isPossible}
      checked={isChosen}
      onChange={onChange}
    />
  );
}

function WhatHappened({ run }: { run: SyncRunSummary }) {
  if (run.retrying) return <RetryingRun run={run} />;
  if (run.status === 'in_progress') {
    return (
      <div className="stage">
        <Progress value={run.progress ?? 0} name={`Progress of ${run.run_id}`} />
        <span className="muted">{run.stage}</span>
      </div>
    );
  }
  const message = run.error ?? run.message;
  return (
    <div className="clamped" title={message ?? undefined}>
      {message}
    </div>
  );
}
