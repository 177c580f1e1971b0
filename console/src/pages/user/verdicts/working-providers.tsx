import type { ProviderDiagnosis } from '@healthd/schemas';
import { SeverityMark } from '../../../components/severity-mark.js';
import { Verdict } from './verdict.js';

const LIST = new Intl.ListFormat('en-GB');

interface WorkingProvidersProps {
  userId: string;
  verdicts: readonly ProviderDiagnosis[];
}

/** Providers of which nothing is wrong in one sentence, folded: what is wrong and the data stay in sight. */
export function WorkingProviders({ userId, verdicts }: WorkingProvidersProps) {
  return (
    <li>
      <details className="working">
        <summary className="verdict">
          <SeverityMark severity="ok" />
          <p>
            <b>{LIST.format(verdicts.map(({ provider_name: name }) => name))}:</b> data arrive as expected.
          </p>
          <span className="muted unfold">Last data of each</span>
        </summary>
        <ul>
          {verdicts.map((verdict) => (
            <Verdict key={verdict.provider} userId={userId} verdict={verdict} />
          ))}
        </ul>
      </details>
    </li>
  );
}
