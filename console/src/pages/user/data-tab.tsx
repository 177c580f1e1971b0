import { dataSourcesRoute, dataSummaryRoute } from '@healthd/api';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../components/problem.js';
import { formatCount, formatInstant, humanize } from '../../format.js';
import { client } from '../../session.js';

export function DataTab({ userId }: { userId: string }) {
  const params = { user_id: userId };
  const summary = useQuery({
    queryKey: ['data', userId],
    queryFn: ({ signal }) => client.call(dataSummaryRoute, { params, query: {}, signal }),
  });
  const sources = useQuery({
    queryKey: ['sources', userId],
    queryFn: ({ signal }) => client.call(dataSourcesRoute, { params, signal }),
  });
  const error = summary.error ?? sources.error;
  if (error) return <Problem error={error} />;
  if (!summary.data || !sources.data) return null;
  return (
    <>
      <div className="tiles">
        <Tile figure={summary.data.total_data_points} label="samples" />
        <Tile figure={summary.data.total_workouts} label="workouts" />
        <Tile figure={summary.data.total_sleep_events} label="nights and naps" />
        <Tile figure={sources.data.total} label="sources" />
      </div>
      <section className="card scroll">
        <header>
          <h2>Sources</h2>
        </header>
        <table>
          <thead>
            <tr>
              <th>Source</th>
              <th>Kind</th>
              <th>Model</th>
              <th>Written by</th>
              <th>Software</th>
            </tr>
          </thead>
          <tbody>
            {sources.data.items.map((source) => (
              <tr key={source.id}>
                <td>{source.display_name}</td>
                <td>{source.device_type ?? '–'}</td>
                <td className="mono">{source.device_model ?? '–'}</td>
                <td>{source.source ?? source.original_source_name ?? '–'}</td>
                <td>{source.software_version ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {sources.data.items.length === 0 && <div className="empty">Nothing has been received for this user yet.</div>}
      </section>
      <section className="card scroll">
        <header>
          <h2>Samples by series</h2>
        </header>
        <table>
          <thead>
            <tr>
              <th>Series</th>
              <th className="number">Samples</th>
              <th>Latest</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(summary.data.series_type_counts).map(([code, count]) => (
              <tr key={code}>
                <td>
                  {humanize(code)} <span className="mono muted">{code}</span>
                </td>
                <td className="number">{formatCount(count)}</td>
                <td>{formatInstant(summary.data.last_seen[code])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Tile({ figure, label }: { figure: number; label: string }) {
  return (
    <div className="card tile">
      <b>{formatCount(figure)}</b>
      <span className="muted">{label}</span>
    </div>
  );
}
