import type { Diagnosis, ProviderDiagnosis } from '@healthd/schemas';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { useDiagnosis } from '../../../hooks/use-diagnosis.js';
import { readersZone } from '../../../zone.js';
import { CollapsedVerdicts } from './folded-verdicts.js';
import { SendLink } from './send-link.js';
import { Verdict } from './verdict.js';

/** Minimum number of equal diagnoses that are collapsed into one sentence. */
const FOLDED_FROM = 3;

/**
 * Diagnosis of a user: one sentence per provider, worst first, with remedies. At least {@link FOLDED_FROM} working
 * providers share one sentence. At least {@link FOLDED_FROM} never connected providers share another sentence.
 */
export function Verdicts({ userId }: { userId: string }) {
  const diagnosis = useDiagnosis(userId);
  if (diagnosis.error) return <Problem error={diagnosis.error} retry={diagnosis.refetch} />;
  if (!diagnosis.data) return <Loading height={130} />;
  const { providers } = diagnosis.data;
  const working = foldable(providers.filter(({ severity }) => severity === 'ok'));
  const unconnected = foldable(providers.filter(({ cause }) => cause === 'never_connected'));
  const single = providers.filter((verdict) => !working.includes(verdict) && !unconnected.includes(verdict));
  const verdictOf = (verdict: ProviderDiagnosis) => (
    <Verdict key={verdict.provider} userId={userId} verdict={verdict} />
  );
  return (
    <section className="verdicts" aria-label="Diagnosis">
      <ul className="card">
        {single.filter(({ severity }) => severity !== 'ok').map(verdictOf)}
        {unconnected.length > 0 && (
          <CollapsedVerdicts
            userId={userId}
            verdicts={unconnected}
            severity="attention"
            sentence={unconnected.length === providers.length ? 'never connected.' : 'never connected.'}
            hint="Show each provider"
          >
            {unconnected.some(({ remedy }) => remedy === 'send_connect_link') && <SendLink userId={userId} />}
          </CollapsedVerdicts>
        )}
        {single.filter(({ severity }) => severity === 'ok').map(verdictOf)}
        {working.length > 0 && (
          <CollapsedVerdicts
            userId={userId}
            verdicts={working}
            severity="ok"
            sentence="data arrives as expected."
            hint="Show last data"
          />
        )}
        {providers.length === 0 && <li className="verdict">No provider is set up, and this user has no data.</li>}
      </ul>
      {unconnected.length < providers.length && <p className="muted zones">{zones(diagnosis.data)}</p>}
    </section>
  );
}

/** Returns the diagnoses to collapse; empty if there are few. */
function foldable(alike: readonly ProviderDiagnosis[]): readonly ProviderDiagnosis[] {
  return alike.length >= FOLDED_FROM ? alike : [];
}

/** Explains the time zone of the sentences and the reader's time zone. */
function zones({ time_zone: theirs, is_time_zone_known: isKnown }: Diagnosis): string {
  const mine = readersZone();
  if (!isKnown) {
    return `Times in these sentences are in UTC, because the user has no time zone set. All other times are on your clock (${mine}).`;
  }
  const sentence = `Times in these sentences are on the person’s clock (${theirs})`;
  return mine === theirs
    ? `${sentence}, which is yours too.`
    : `${sentence}. All other times are on your clock (${mine}).`;
}
