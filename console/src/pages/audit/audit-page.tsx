import {
  AUDIT_ACTIONS,
  AUDIT_ACTOR_TYPES,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditActorType,
  type AuditOutcome,
  listAuditEvents,
} from '@healthd/contract';
import type { AuditEvent } from '@healthd/schemas';
import { Commands } from '../../components/commands.js';
import { CsvButton } from '../../components/csv-button.js';
import { FilterSelect, filterValue } from '../../components/filter-select.js';
import { Loading } from '../../components/loading.js';
import { MoreRows } from '../../components/more-rows.js';
import { UserFilter } from '../../components/user-filter.js';
import { Problem } from '../../components/problem.js';
import { daysAgo, humanize } from '../../format.js';
import { queryKeys } from '../../hooks/query-keys.js';
import { useFilters } from '../../hooks/use-filters.js';
import { usePages } from '../../hooks/use-pages.js';
import { usePageTitle } from '../../page-title.js';
import { readPages } from '../../read-pages.js';
import { RECENT_DAYS } from '../../recent-days.js';
import { client } from '../../session.js';
import { quoted } from '../../shell-command.js';
import { AuditTable } from './audit-table.js';

/** Audit filters. Omitted members do not filter. */
interface AuditFilter {
  user_id?: string | undefined;
  actor_type?: AuditActorType | undefined;
  action?: AuditAction | undefined;
  outcome?: AuditOutcome | undefined;
  /** Number of UTC days to include, counting today. */
  days?: number | undefined;
}

/** Maximum page size of the route. */
const LARGEST_PAGE = 1000;

/** Returns audit records, newest first, in pages. */
function useAudit(filter: AuditFilter) {
  return usePages(queryKeys.audit(filter), (page, signal) =>
    client.call(listAuditEvents, { query: { ...auditQueryOf(filter), ...page }, signal }),
  );
}

/** Reads all records that match a filter, newest first. */
function readAudit(filter: AuditFilter, signal: AbortSignal): AsyncIterable<readonly AuditEvent[]> {
  return readPages((cursor) =>
    client.call(listAuditEvents, { query: { ...auditQueryOf(filter), cursor, limit: LARGEST_PAGE }, signal }),
  );
}

/** Converts a filter to query parameters. */
function auditQueryOf({ days, ...filter }: AuditFilter) {
  return { ...filter, from: days === undefined ? undefined : daysAgo(days - 1) };
}

const inWords = <T extends string>(words: readonly T[]) => words.map((word) => [word, humanize(word)] as const);
const ACTORS = inWords(AUDIT_ACTOR_TYPES);
const ACTIONS = inWords(AUDIT_ACTIONS);
const OUTCOMES = inWords(AUDIT_OUTCOMES);
const CSV_COLUMNS = [
  'at',
  'actor_type',
  'actor_id',
  'action',
  'resource',
  'resource_id',
  'user_id',
  'outcome',
  'status',
  'route',
  'request_id',
  'address',
  'occurrences',
] as const;

/** Audit trail, filtered by the URL. */
export function AuditPage() {
  usePageTitle('Audit trail');
  const [address, change] = useFilters();
  const days = filterValue(RECENT_DAYS, address.get('days'));
  const filter: AuditFilter = {
    user_id: address.get('user') ?? undefined,
    actor_type: filterValue(ACTORS, address.get('actor')),
    action: filterValue(ACTIONS, address.get('action')),
    outcome: filterValue(OUTCOMES, address.get('outcome')),
    days: days === undefined ? undefined : Number(days),
  };
  const trail = useAudit(filter);
  const rows = trail.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <div className="row spread">
        <h1>Audit trail</h1>
        <CsvButton name="audit" columns={CSV_COLUMNS} read={(signal) => readAudit(filter, signal)} />
      </div>
      <search className="row filters">
        <UserFilter value={filter.user_id} onChange={(user) => change({ user })} />
        <FilterSelect
          label="Actor"
          all="Any actor"
          options={ACTORS}
          value={filter.actor_type}
          onChange={(actor) => change({ actor })}
        />
        <FilterSelect
          label="Action"
          all="All actions"
          options={ACTIONS}
          value={filter.action}
          onChange={(action) => change({ action })}
        />
        <FilterSelect
          label="Outcome"
          all="All outcomes"
          options={OUTCOMES}
          value={filter.outcome}
          onChange={(outcome) => change({ outcome })}
        />
        <FilterSelect
          label="Time"
          all="Any time"
          options={RECENT_DAYS}
          value={days}
          onChange={(chosen) => change({ days: chosen })}
        />
      </search>
      {trail.error && !trail.isFetchNextPageError && <Problem error={trail.error} retry={trail.refetch} />}
      {trail.isPending && <Loading />}
      {trail.data && <AuditTable events={rows} stale={trail.isPlaceholderData} />}
      <MoreRows count={rows.length} pages={trail} />
      <Commands
        healthctl={commandOf(filter)}
        route={listAuditEvents}
        input={{ query: { ...auditQueryOf(filter), limit: 100 } }}
      />
    </>
  );
}

function commandOf({ user_id, actor_type: actor, action, outcome, days }: AuditFilter): string {
  return [
    'healthctl audit list',
    user_id && `--user ${quoted(user_id)}`,
    actor && `--actor-type ${actor}`,
    action && `--action ${action}`,
    outcome && `--outcome ${outcome}`,
    days && `--from ${days}d`,
  ]
    .filter(Boolean)
    .join(' ');
}
