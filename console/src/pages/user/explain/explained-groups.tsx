import type { GroupExplanation, SourceMetadata } from '@healthd/schemas';
import { Link } from 'react-router';
import { formatValue } from '../../../components/chart/time-chart.js';
import { AttributionLine } from '../../../components/attribution.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { SourceCell } from '../../../components/source-cell.js';
import { TableCard } from '../../../components/table-card.js';
import { formatMinutes, humanize } from '../../../format.js';
import { type ExplainedSummary, useSummaryExplanation } from '../../../hooks/use-explanation.js';
import { unitName } from '../../../units.js';
import { lossText } from './loss-reasons.js';

const COLUMNS = ['Figures', 'Source', '#Value', 'Result'];

const GROUPS: Readonly<Record<string, string>> = {
  hrv: 'HRV',
  hrv_sdnn: 'HRV (SDNN)',
  hrv_rmssd: 'HRV (RMSSD)',
  bmi: 'BMI',
};

interface ExplainedGroupsProps {
  userId: string;
  summary: ExplainedSummary;
  /** Without a date, explains the current body values. */
  date?: string;
  /** Source of the displayed session. The table marks its rows. */
  current?: SourceMetadata;
}

/** Sources per group of figures, best first, with the reason why the other sources lost. */
export function ExplainedGroups({ userId, summary, date, current }: ExplainedGroupsProps) {
  const explanation = useSummaryExplanation(userId, summary, date);
  if (explanation.error) return <Problem error={explanation.error} retry={explanation.refetch} />;
  if (!explanation.data) return <Loading />;
  return (
    <>
      <GroupsTable
        name={date === undefined ? 'Sources of the figures' : `Sources of the ${summary} of ${date}`}
        groups={explanation.data.groups}
        current={current}
      />
      {explanation.data.may_change && <MayChange />}
      <AttributionLine of={explanation.data.attribution} />
      <SelectionLink userId={userId} />
    </>
  );
}

interface GroupsTableProps {
  name: string;
  groups: readonly GroupExplanation[];
  /** Source of the displayed session. The table marks its rows. */
  current?: SourceMetadata | undefined;
}

/** Table of all sources of all groups, with the values and the reason why each source lost. */
export function GroupsTable({ name, groups, current }: GroupsTableProps) {
  return (
    <TableCard stacked heading name={name} columns={COLUMNS} empty="No source has figures for this day.">
      {groups.flatMap((group) => [...candidateRows(group, current), ...dayRows(group)])}
    </TableCard>
  );
}

/** Note that a day's figures are not final. */
export function MayChange() {
  return (
    <p className="message muted">Sources may still deliver data for this day, which can change the selected source.</p>
  );
}

/** Links to the selection rule and the priorities. */
export function SelectionLink({ userId }: { userId: string }) {
  return (
    <p className="message muted">
      <Link to="/selection">How a source is selected</Link>. <Link to={`/priorities?user=${userId}`}>Priorities</Link>{' '}
      decide between sources of one class. You can preview a change for this user.
    </p>
  );
}

function candidateRows({ group, unit, lead_figure, candidates }: GroupExplanation, current?: SourceMetadata) {
  return candidates.map(({ source_id, source, rank, value, figures, lost_by, minutes_missed }) => (
    <tr key={`${group} ${source_id}`} aria-current={isEqual(source, current) ? 'true' : undefined}>
      <td className="nobreak">{groupName(group)}</td>
      <SourceCell source={source} />
      <td className="number">{valueText(shownValue(figures[lead_figure], value), unit)}</td>
      <td>
        {lost_by === null ? <b>{lossText(lost_by)}</b> : `${rank}. ${lossText(lost_by)}`}
        {(minutes_missed ?? 0) > 0 && `; recorded ${formatMinutes(minutes_missed)} that the selected source lacks`}
        {isEqual(source, current) && ' (this session)'}
      </td>
    </tr>
  ));
}

function isEqual(source: SourceMetadata, other: SourceMetadata | undefined): boolean {
  return JSON.stringify(source) === JSON.stringify(other);
}

/** Returns a row for each date of an average. Each date has its own source. */
function dayRows({ group, unit, days = [] }: GroupExplanation) {
  return days.map(({ date, value, source }) => (
    <tr key={`${group} ${date}`}>
      <td className="nobreak">{groupName(group)}</td>
      {source ? <SourceCell source={source} /> : <td>–</td>}
      <td className="number">{valueText(value, unit)}</td>
      <td>Averaged, of {date}</td>
    </tr>
  ));
}

/** Returns the source's lead figure. If the source lacks this figure, returns the compared value with one decimal. */
function shownValue(figure: number | string | null | undefined, value: number | null): number | null {
  if (typeof figure === 'number') return figure;
  return value === null ? null : Math.round(value * 10) / 10;
}

function groupName(group: string): string {
  return GROUPS[group] ?? humanize(group);
}

function valueText(value: number | null, unit: string): string {
  if (value === null) return '–';
  if (unit === 'minutes') return formatMinutes(value);
  if (unit === 'seconds') return formatMinutes(value / 60);
  return `${formatValue(value)} ${unit === 'count' || unit === 'score' ? '' : unitName(unit)}`.trim();
}
