import { getDataSummary, listDataSources } from '@healthd/contract';
import { Link } from 'react-router';
import { Commands } from '../../components/commands.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { None } from '../../components/none.js';
import { Problem } from '../../components/problem.js';
import { TableCard } from '../../components/table-card.js';
import { Tile } from '../../components/tile.js';
import { formatCount, humanize, notAfterNow, writerName } from '../../format.js';
import { useDataSources, useDataSummary } from '../../hooks/use-data.js';

const NOTHING = 'No data yet. Connect a provider or import a file.';

export function DataTab({ userId }: { userId: string }) {
  const summary = useDataSummary(userId);
  const sources = useDataSources(userId);
  const error = summary.error ?? sources.error;
  if (error) return <Problem error={error} retry={() => Promise.all([summary.refetch(), sources.refetch()])} />;
  if (!summary.data || !sources.data) return <Loading />;
  const { series_type_counts: counts, last_seen: lastSeen } = summary.data;
  return (
    <>
      <div className="tiles">
        <Tile figure={summary.data.total_data_points} label="samples" />
        <Tile figure={summary.data.total_workouts} label="workouts" />
        <Tile figure={summary.data.total_sleep_events} label="nights and naps" />
        <Tile figure={sources.data.total} label="sources" />
      </div>
      <TableCard
        name="Sources"
        heading
        stacked
        columns={['Source', 'Type', 'Model', 'Written by', 'Software']}
        empty={NOTHING}
      >
        {sources.data.items.map((source) => (
          <tr key={source.id}>
            <td className="name">{source.display_name}</td>
            <td>{source.device_type ? humanize(source.device_type) : <None />}</td>
            <td className="mono">{source.device_model ?? <None />}</td>
            <td className="name">{writerName(source) ?? <None />}</td>
            <td>{source.software_version ?? <None />}</td>
          </tr>
        ))}
      </TableCard>
      {sources.data.items.length > 1 && (
        <p className="message muted">
          If several sources have the same data, <Link to={`/priorities?user=${userId}`}>priorities</Link> decide. You
          can preview a change for this user.
        </p>
      )}
      <TableCard
        name="Samples by series"
        heading
        stacked
        columns={['Series', 'Code', '#Samples', 'Latest']}
        empty={NOTHING}
      >
        {Object.entries(counts).map(([code, count]) => (
          <tr key={code}>
            <td>
              <Link to={`/users/${userId}/series?type=${code}`}>{humanize(code)}</Link>
            </td>
            <td className="mono">{code}</td>
            <td className="number">{formatCount(count)}</td>
            <td>
              <Instant at={lastSeen[code] && notAfterNow(lastSeen[code])} />
            </td>
          </tr>
        ))}
      </TableCard>
      <p className="message muted">
        <Link to={`/audit?user=${userId}`}>Access to this user’s data</Link> is in the audit trail.
      </p>
      <Commands
        healthctl={`healthctl data summary --user ${userId}`}
        route={getDataSummary}
        input={{ params: { user_id: userId }, query: {} }}
      />
      <Commands
        healthctl={`healthctl data sources --user ${userId}`}
        route={listDataSources}
        input={{ params: { user_id: userId } }}
      />
    </>
  );
}
