import type { HealthScore } from '@healthd/schemas';
import { useSearchParams } from 'react-router';
import { AttributionLine } from '../../../components/attribution.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { providerName } from '../../../components/provider-name.js';
import { TableCard } from '../../../components/table-card.js';
import { humanize } from '../../../format.js';
import { useScores } from '../../../hooks/use-health.js';
import type { Period } from '../../../period.js';
import { formatRecorded } from '../../../record-zone.js';

const CATEGORY = 'category';
const COLUMNS = ['Recorded', 'Score', '#Value', 'Category', 'Components', 'Provider'];

/** Provider scores of one type or all types. */
export function ScoresCard({ userId, period }: { userId: string; period: Period }) {
  const scores = useScores(userId, period);
  const [search, setSearch] = useSearchParams();
  if (scores.error) return <Problem error={scores.error} retry={scores.refetch} />;
  if (!scores.data) return <Loading />;
  const categories = [...new Set(scores.data.rows.map(({ category }) => category))].sort();
  const requested = categories.find((one) => one === search.get(CATEGORY));
  const shown = scores.data.rows.filter(({ category }) => !requested || category === requested);
  const choose = (category: string) => {
    setSearch((current) => {
      if (category) current.set(CATEGORY, category);
      else current.delete(CATEGORY);
      return current;
    });
  };
  return (
    <>
      <div className="row spread">
        <h2>Scores</h2>
        {categories.length > 1 && (
          <select aria-label="Score type" value={requested ?? ''} onChange={({ target }) => choose(target.value)}>
            <option value="">All types</option>
            {categories.map((category) => (
              <option key={category} value={category}>
                {humanize(category)}
              </option>
            ))}
          </select>
        )}
      </div>
      <TableCard
        stacked
        name="Scores"
        columns={COLUMNS}
        stale={scores.isPlaceholderData}
        empty={`No provider sent a score in the last ${period} days.`}
      >
        {shown.map((score) => (
          <ScoreRow key={score.id} score={score} />
        ))}
      </TableCard>
      <AttributionLine of={scores.data.attribution} />
    </>
  );
}

function ScoreRow({ score }: { score: HealthScore }) {
  const parts = Object.entries(score.components ?? {}).flatMap(([name, { value, qualifier }]) => {
    const text = value ?? qualifier;
    return text === null ? [] : [`${humanize(name)} ${text}`];
  });
  return (
    <tr>
      <td className="date">{formatRecorded(score.recorded_at, score)}</td>
      <td className="nobreak">{humanize(score.category)}</td>
      <td className="number">
        {score.value ?? '–'}
        {score.max !== null && <span className="muted"> of {score.max}</span>}
      </td>
      <td className="nobreak">{score.qualifier ? humanize(score.qualifier) : '–'}</td>
      <td className="wide">
        <div className="reason" title={parts.join('\n')}>
          {parts.join(' · ') || '–'}
        </div>
      </td>
      <td className="nobreak">{providerName(score.provider)}</td>
    </tr>
  );
}
