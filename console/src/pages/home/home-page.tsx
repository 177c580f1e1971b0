import { listTrouble } from '@healthd/contract';
import type { Trouble, TroubleGroup } from '@healthd/schemas';
import { Link } from 'react-router';
import { Commands } from '../../components/commands.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { RunsTable } from '../../components/runs-table.js';
import { SeverityMark } from '../../components/severity-mark.js';
import { Tile } from '../../components/tile.js';
import { formatCount } from '../../format.js';
import { useLatestRuns } from '../../hooks/use-runs.js';
import { useFigures, useTrouble } from '../../hooks/use-trouble.js';
import { useTermQuestions } from '../../hooks/use-vendor-terms.js';
import { usePageTitle } from '../../page-title.js';
import { Activity } from './activity.js';
import { Budgets } from './budgets.js';
import { GroupRow } from './group-row.js';
import { TermQuestions } from './term-questions.js';
import { UnprovenDeliveries } from './unproven-deliveries.js';

const RUNS_HERE = 8;

/** Problems grouped by cause, then stored data and service activity. */
export function HomePage() {
  usePageTitle('Home');
  const trouble = useTrouble();
  return (
    <>
      <h1>Home</h1>
      {trouble.error && <Problem error={trouble.error} retry={trouble.refetch} />}
      {trouble.isPending && <Loading />}
      {trouble.data && <Groups trouble={trouble.data} />}
      <TermQuestions />
      <UnprovenDeliveries />
      <Figures />
      <Activity />
      <Budgets />
      <LatestRuns />
      <Commands healthctl="healthctl trouble list" route={listTrouble} input={{}} />
    </>
  );
}

function Groups({ trouble }: { trouble: Trouble }) {
  // A deliberate disconnect is not a problem.
  const groups = trouble.groups.filter(({ cause }) => cause !== 'disconnected');
  const { data: questions = [] } = useTermQuestions();
  const title = questions.length === 0 ? 'No problems found' : 'Connections';
  const ended = trouble.groups.filter(({ cause }) => cause === 'disconnected');
  return (
    <section className="card" aria-label="Problems">
      <header>
        <h2>{groups.length === 0 ? title : 'Needs attention'}</h2>
        <span className="muted">{summary(trouble.working, ended)}</span>
      </header>
      {groups.length === 0 ? (
        <p className="all-well">
          <SeverityMark severity="ok" />
          {trouble.working === 0
            ? 'No connections yet. Open a user and send a connect link.'
            : 'All connections receive data as expected.'}
        </p>
      ) : (
        <ul className="groups">
          {groups.map((group) => (
            <GroupRow key={`${group.provider} ${group.cause}`} group={group} />
          ))}
        </ul>
      )}
    </section>
  );
}

function summary(working: number, ended: readonly TroubleGroup[]): string {
  const disconnected = ended.reduce((sum, { connections }) => sum + connections, 0);
  const words = `${formatCount(working)} ${working === 1 ? 'connection works' : 'connections work'}`;
  return disconnected === 0 ? words : `${words} · ${formatCount(disconnected)} disconnected on purpose`;
}

function LatestRuns() {
  const runs = useLatestRuns(RUNS_HERE);
  if (runs.isPending) return <Loading height={430} />;
  if (!runs.data) return null;
  return (
    <>
      <div className="row spread">
        <h2>Latest runs</h2>
        <Link to="/runs">All runs</Link>
      </div>
      <RunsTable runs={runs.data} withUser empty="No runs yet. Open a user to connect a provider or import a file." />
    </>
  );
}

/** Number of stored items. */
function Figures() {
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
