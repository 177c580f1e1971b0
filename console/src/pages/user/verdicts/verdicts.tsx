import type { Diagnosis } from '@healthd/schemas';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { useDiagnosis } from '../../../hooks/use-diagnosis.js';
import { Verdict } from './verdict.js';

/** Why data of a user do or do not arrive: one sentence a provider, the worst first, each with what mends it. */
export function Verdicts({ userId }: { userId: string }) {
  const diagnosis = useDiagnosis(userId);
  if (diagnosis.error) return <Problem error={diagnosis.error} retry={diagnosis.refetch} />;
  if (!diagnosis.data) return <Loading />;
  return (
    <section className="verdicts" aria-label="Verdicts">
      <ul className="card">
        {diagnosis.data.providers.map((verdict) => (
          <Verdict key={verdict.provider} userId={userId} verdict={verdict} />
        ))}
        {diagnosis.data.providers.length === 0 && (
          <li className="verdict">No provider is set up, and nothing was received of this user.</li>
        )}
      </ul>
      <p className="muted zones">{zones(diagnosis.data)}</p>
    </section>
  );
}

/** On whose clock the sentences are, and how it differs from the reader's. */
function zones({ time_zone: theirs }: Diagnosis): string {
  const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const sentence = `Times in these sentences are on the person’s clock (${theirs})`;
  return mine === theirs ? `${sentence}, which is yours too.` : `${sentence}; everywhere else on yours (${mine}).`;
}
