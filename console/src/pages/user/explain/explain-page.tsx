import { explainActivitySummary } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import type { ActivityExplanation } from '@healthd/schemas';
import { Link, useParams, useSearchParams } from 'react-router';
import { formatValue } from '../../../components/chart/time-chart.js';
import { AttributionLine } from '../../../components/attribution.js';
import { Commands } from '../../../components/commands.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { daysAgo, humanize } from '../../../format.js';
import { useExplanation } from '../../../hooks/use-explanation.js';
import { quoted } from '../../../shell-command.js';
import { unitName } from '../../../units.js';
import { CandidatesTable } from './candidates-table.js';
import { DaySources } from './day-sources.js';
import { GroupsTable, MayChange, SelectionLink } from './explained-groups.js';

/** Explains one day's activity: all sources, the counted amounts and the reasons. */
export function ExplainPage({ userId }: { userId: string }) {
  const { date = '' } = useParams();
  const explanation = useExplanation(userId, date);
  return (
    <>
      <div className="row spread">
        <h2>Sources of the activity of {date}</h2>
        <DayLinks userId={userId} date={date} />
      </div>
      {explanation.error && <Problem error={explanation.error} retry={explanation.refetch} />}
      {explanation.isPending && <Loading />}
      {explanation.data && <Explanation userId={userId} date={date} explanation={explanation.data} />}
      <Commands
        healthctl={`healthctl data explain ${quoted(date)} --user ${userId}`}
        route={explainActivitySummary}
        input={{ params: { user_id: userId }, query: { date } }}
      />
    </>
  );
}

function DayLinks({ userId, date }: { userId: string; date: string }) {
  const [search] = useSearchParams();
  const neighborLink = (days: number) => ({
    pathname: `/users/${userId}/activity/${daysAgo(-days, Date.parse(date))}`,
    search: search.toString(),
  });
  if (Number.isNaN(Date.parse(date))) return null;
  return (
    <div className="row">
      <nav className="choice" aria-label="Day">
        <Link to={neighborLink(-1)}>Day before</Link>
        {Date.parse(date) < Date.now() - MS_PER_DAY && <Link to={neighborLink(1)}>Day after</Link>}
      </nav>
      <Link to={`/users/${userId}/activity`}>All days</Link>
    </div>
  );
}

interface ExplanationProps {
  userId: string;
  date: string;
  explanation: ActivityExplanation;
}

function Explanation({ userId, date, explanation }: ExplanationProps) {
  const { metrics, merge, groups, may_change, attribution } = explanation;
  if (groups.every(({ candidates }) => candidates.length === 0)) {
    return <div className="card empty">No activity is stored for {date}.</div>;
  }
  return (
    <>
      <GroupsTable name="Sources of each group" groups={groups} />
      <Metrics userId={userId} date={date} metrics={metrics} merge={merge} />
      <MergedFigures groups={groups} />
      {may_change && <MayChange />}
      <AttributionLine of={attribution} />
      <SelectionLink userId={userId} />
    </>
  );
}

type MetricsProps = Pick<ExplanationProps, 'userId' | 'date'> & Pick<ActivityExplanation, 'metrics' | 'merge'>;

/** Amounts that each source contributed to steps, distance, floors and energy. */
function Metrics({ userId, date, metrics, merge }: MetricsProps) {
  const [search] = useSearchParams();
  const metric = metrics.find(({ type }) => type === search.get('metric')) ?? metrics[0];
  if (!metric) return null;
  return (
    <>
      <nav className="choice metrics" aria-label="Metric">
        {metrics.map(({ type, value, unit }) => (
          <Link key={type} to={{ search: `?metric=${type}` }} aria-current={type === metric.type ? 'true' : undefined}>
            {humanize(type)} <b>{value === null ? '–' : formatValue(value)}</b> {unit === 'count' ? '' : unitName(unit)}
          </Link>
        ))}
      </nav>
      <DaySources userId={userId} date={date} metric={metric} />
      <CandidatesTable metric={metric} merge={merge} />
    </>
  );
}

/** Daily totals that would differ if the sources of one account were merged. */
function MergedFigures({ groups }: Pick<ActivityExplanation, 'groups'>) {
  const other = groups.flatMap(({ figures, merged_figures: merged = {} }) =>
    Object.entries(merged).flatMap(([path, value]) =>
      typeof value === 'number' && value !== figures[path] ? [`${humanize(path)} ${formatValue(value)}`] : [],
    ),
  );
  if (other.length === 0) return null;
  return (
    <p className="message muted">
      Another source of the same account has data at other times of the day. With merged sources the day shows{' '}
      {other.join(', ')}.
    </p>
  );
}
