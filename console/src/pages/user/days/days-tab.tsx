import { getDataGaps } from '@healthd/contract';
import type { ConnectionResponse } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Commands } from '../../../components/commands.js';
import { loadDialog } from '../../../components/load-dialog.js';
import { Loading } from '../../../components/loading.js';
import { PeriodChooser } from '../../../components/period-chooser.js';
import { Problem } from '../../../components/problem.js';
import { providerName } from '../../../components/provider-name.js';
import { daysAgo } from '../../../format.js';
import { queryKeys } from '../../../hooks/query-keys.js';
import { useConnections } from '../../../hooks/use-connections.js';
import { useFilters } from '../../../hooks/use-filters.js';
import { periodDates, usePeriod } from '../../../period.js';
import { client } from '../../../session.js';
import { NothingInPeriod } from '../nothing-in-period.js';
import type { Days, KindOfData } from './day-states.js';
import { NoBackfillDialog } from './no-backfill-dialog.js';
import { ProviderDays } from './provider-days.js';

/** Days used to detect daily data types. Longer than every displayed period, so that long gaps are visible. */
const CONSIDERED_DAYS = 400;

/** Returns the days with received and with expected data. */
function useDataGaps(userId: string) {
  const start_date = daysAgo(CONSIDERED_DAYS);
  return useQuery({
    queryKey: queryKeys.dataGaps(userId, start_date),
    queryFn: ({ signal }) => client.call(getDataGaps, { params: { user_id: userId }, query: { start_date }, signal }),
  });
}

const BackfillDialog = loadDialog(async () => (await import('../backfill-dialog.js')).BackfillDialog);

const ONLY_MISSING = 'missing';

/** Missing days that offer a backfill. */
interface Hole {
  item: KindOfData;
  days: Days;
}

/** Calendar of received and missing days per data type, with backfills for missing days. */
export function DaysTab({ userId }: { userId: string }) {
  const period = usePeriod();
  const gaps = useDataGaps(userId);
  const connections = useConnections(userId, false);
  const [search, change] = useFilters();
  const [hole, setHole] = useState<Hole>();
  const onlyMissing = search.has(ONLY_MISSING);
  const dates = periodDates(period, undefined);
  const items = (gaps.data?.items ?? []).filter((item) => !onlyMissing || item.days_missing > 0);
  const providers = [...new Set(items.map(({ provider }) => provider))];
  const close = () => setHole(undefined);
  const toggle = () => change({ [ONLY_MISSING]: onlyMissing ? undefined : '1' });
  return (
    <>
      <div className="row spread">
        <h2>Days with data</h2>
        <div className="row">
          <label className="check">
            <input type="checkbox" checked={onlyMissing} onChange={toggle} /> Only with missing days
          </label>
          <PeriodChooser />
        </div>
      </div>
      <Legend archivedBefore={gaps.data?.archived_before ?? null} />
      {gaps.error && <Problem error={gaps.error} retry={gaps.refetch} />}
      {connections.error && <Problem error={connections.error} retry={connections.refetch} />}
      {gaps.isPending && <Loading />}
      {gaps.data && items.length === 0 && onlyMissing && (
        <div className="card empty">No expected days are missing.</div>
      )}
      {gaps.data && items.length === 0 && !onlyMissing && <NothingInPeriod what="data" userId={userId} />}
      {providers.map((provider) => (
        <ProviderDays
          key={provider}
          name={providerName(provider)}
          items={items.filter((item) => item.provider === provider)}
          dates={dates}
          archivedBefore={gaps.data?.archived_before ?? null}
          onHole={(item, days) => setHole({ item, days })}
        />
      ))}
      <Commands
        healthctl={`healthctl data gaps --user ${userId} --from ${CONSIDERED_DAYS}d${onlyMissing ? '' : ' --all'}`}
        route={getDataGaps}
        input={{ params: { user_id: userId }, query: { start_date: daysAgo(CONSIDERED_DAYS) } }}
      />
      {hole && connections.data && <HoleDialog hole={hole} connections={connections.data} onClose={close} />}
    </>
  );
}

interface HoleDialogProps {
  hole: Hole;
  connections: readonly ConnectionResponse[];
  onClose: () => void;
}

function HoleDialog({ hole: { item, days }, connections, onClose }: HoleDialogProps) {
  const connection = connections.find(({ provider }) => provider === item.provider);
  const canRead = connection?.status === 'active' && connection.rest_pull && connection.has_authorization;
  return connection && canRead ? (
    <BackfillDialog connection={connection} from={days.first_date} onClose={onClose} />
  ) : (
    <NoBackfillDialog item={item} days={days} connection={connection} onClose={onClose} />
  );
}

function Legend({ archivedBefore }: { archivedBefore: string | null }) {
  return (
    <ul className="lines keys" aria-label="Legend of the marks">
      <li>
        <i className="key day-received" aria-hidden="true" /> received
      </li>
      <li>
        <i className="key day-missing" aria-hidden="true" /> expected but missing
      </li>
      <li>
        <i className="key day-empty" aria-hidden="true" /> empty
      </li>
      {archivedBefore && (
        <li>
          <i className="key day-archived" aria-hidden="true" /> archived, before {archivedBefore}
        </li>
      )}
    </ul>
  );
}
