import type { Diagnosis } from '@healthd/schemas';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { useDiagnosis } from '../../../hooks/use-diagnosis.js';
import { Verdict } from './verdict.js';
import { WorkingProviders } from './working-providers.js';

/** So many providers of which nothing is wrong are folded into one sentence. */
const FOLDED_FROM = 3;

/** Why data of a user do or do not arrive: one sentence a provider, the worst first, each with what mends it. */
export function Verdicts({ userId }: { userId: string }) {
  const diagnosis = useDiagnosis(userId);
  if (diagnosis.error) return <Problem error={diagnosis.error} retry={diagnosis.refetch} />;
  if (!diagnosis.data) return <Loading />;
  const { providers } = diagnosis.data;
  const working = providers.filter(({ severity }) => severity === 'ok');
  const folded = working.length >= FOLDED_FROM ? working : [];
  return (
    <section className="verdicts" aria-label="Verdicts">
      <ul className="card">
        {providers
          .filter((verdict) => !folded.includes(verdict))
          .map((verdict) => (
            <Verdict key={verdict.provider} userId={userId} verdict={verdict} />
          ))}
        {folded.length > 0 && <WorkingProviders userId={userId} verdicts={folded} />}
        {providers.length === 0 && (
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
