import type { ActivityMerge } from '@healthd/schemas';
import { formatValue } from '../../../components/chart/time-chart.js';
import { TableCard } from '../../../components/table-card.js';
import { formatCount, formatMinutes, humanize, sourceName } from '../../../format.js';
import { unitName } from '../../../units.js';
import type { ExplainedMetric } from './day-lanes.js';

type Candidate = ExplainedMetric['candidates'][number];

const REASONS: Record<Candidate['reason'], string> = {
  only_source: 'The only source',
  provider_priority: 'Priority of the provider',
  device_type_priority: 'Priority of the kind of device',
  coverage: 'More of the day is covered',
  source_id: 'All else is equal: the older source',
  lead_metric: 'Lacks the metric that decides',
};

const MERGES: Record<ActivityMerge, string> = {
  source: 'the best source alone gives the value',
  interval: 'each minute is counted once, from the best source of the best provider that covers it',
};

/** The sources that competed for a metric, best first, with what each gave and why. */
export function CandidatesTable({ metric, merge }: { metric: ExplainedMetric; merge: ActivityMerge }) {
  const { candidates, unit, decided_by: decidedBy, type } = metric;
  const inUnit = unit === 'count' ? '' : ` ${unitName(unit)}`;
  const columns = [
    'Source',
    `#Counted${inUnit}`,
    `#Sum of samples${inUnit}`,
    `#Total of the day${inUnit}`,
    '#Covered',
    '#Priority of provider · device',
    'Decided by',
  ];
  return (
    <>
      <TableCard name="Sources that competed" heading columns={columns}>
        {candidates.map((candidate, at) => (
          <tr key={candidate.source_id}>
            <td className="source" title={sourceName(candidate.source)}>
              {at + 1}. {sourceName(candidate.source)}
            </td>
            <td className="number">
              <b>{formatValue(candidate.amount)}</b>
            </td>
            <td className="number">{candidate.sample_sum === null ? '–' : formatValue(candidate.sample_sum)}</td>
            <td className="number">{candidate.daily_total === null ? '–' : formatValue(candidate.daily_total)}</td>
            <td className="number">{formatMinutes(candidate.covered_minutes)}</td>
            <td className="number">
              {formatCount(candidate.provider_priority)} · {formatCount(candidate.device_type_priority)}
            </td>
            <td className="nobreak">{reasonOf(candidate)}</td>
          </tr>
        ))}
      </TableCard>
      <p className="message muted">
        Of a family of metrics one provider is chosen
        {decidedBy === type ? '' : `, here by ${humanize(decidedBy).toLowerCase()}`}; {MERGES[merge]}. A lower priority
        number wins.
      </p>
    </>
  );
}

function reasonOf({ best, reason }: Candidate): string {
  return best && reason === 'lead_metric' ? 'Has the metric that decides' : REASONS[reason];
}
