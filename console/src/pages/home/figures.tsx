import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { Tile } from '../../components/tile.js';
import { useFigures } from '../../hooks/use-trouble.js';

/** Number of stored items. */
export function Figures() {
  const figures = useFigures();
  if (figures.error) return <Problem error={figures.error} retry={figures.refetch} />;
  if (!figures.data) return <Loading height={74} />;
  const { total_users: users, active_conn: connections, data_points: samples, event_records: events } = figures.data;
  return (
    <section className="tiles" aria-label="Figures">
      <Tile figure={users.count} label="users" />
      <Tile figure={figures.data.connections_coverage.users_with_active} label="connected users" />
      <Tile figure={connections.count} label="active connections" />
      <Tile figure={samples.count} label="samples" />
      <Tile figure={events.sleep} label="nights and naps" />
      <Tile figure={events.workouts} label="workouts" />
    </section>
  );
}
