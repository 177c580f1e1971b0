import type { ActivityMerge } from '@healthd/schemas';
import { formatValue } from '../../../components/chart/time-chart.js';
import { TableCard } from '../../../components/table-card.js';
import { formatCount, formatMinutes, sourceName } from '../../../format.js';
import { unitName } from '../../../units.js';
import type { ExplainedMetric } from './day-lanes.js';
import { lossText } from './loss-reasons.js';

const MERGES: Record<ActivityMerge, string> = {
  source: 'the selected source alone provides the value',
  interval: 'each instant counts once, from the selected account’s best source at that time',
};

/** Compared sources of a metric, best first, with values and reasons. */
export function CandidatesTable({ metric, merge }: { metric: ExplainedMetric; merge: ActivityMerge }) {
  const { candidates, unit } = metric;
  const inUnit = unit === 'count' ? '' : ` ${unitName(unit)}`;
  const columns = [
    'Source',
    `#Counted${inUnit}`,
    `#Sum of samples${inUnit}`,
    `#Total of the day${inUnit}`,
    '#Covered',
    '#Provider · device priority',
    'Result',
  ];
  return (
    <>
      <TableCard name="Compared sources" heading columns={columns}>
        {candidates.map((candidate, at) => (
          <tr key={candidate.source_id}>
            <td className="source" title={sourceName(candidate.source)}>
              {at + 1}. {sourceName(candidate.source)}
            </td>
            <td className="number">
              <b>{candidate.amount === null ? '–' : formatValue(candidate.amount)}</b>
            </td>
            <td className="number">{candidate.sample_sum === null ? '–' : formatValue(candidate.sample_sum)}</td>
            <td className="number">{candidate.daily_total === null ? '–' : formatValue(candidate.daily_total)}</td>
            <td className="number">{formatMinutes(candidate.covered_minutes)}</td>
            <td className="number">
              {formatCount(candidate.provider_priority)} · {formatCount(candidate.device_type_priority)}
            </td>
            <td className="nobreak">{lossText(candidate.lost_by)}</td>
          </tr>
        ))}
      </TableCard>
      <p className="message muted">
        Each group of figures comes from one source: {MERGES[merge]}. A lower priority number wins.
      </p>
    </>
  );
}
