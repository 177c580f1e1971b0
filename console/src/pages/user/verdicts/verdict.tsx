import type { ProviderDiagnosis } from '@healthd/schemas';
import { SeverityMark } from '../../../components/severity-mark.js';
import { Remedy } from './remedy.js';
import { Why } from './why.js';

/** Diagnosis of one provider: sentence, remedy and reasons. */
export function Verdict({ userId, verdict }: { userId: string; verdict: ProviderDiagnosis }) {
  const { provider_name: name, sentence, severity } = verdict;
  const rest = sentence.startsWith(`${name}: `) ? sentence.slice(name.length + 2) : sentence;
  return (
    <li className="verdict" data-cause={verdict.cause}>
      <SeverityMark severity={severity} />
      <p>
        <b>{name}:</b> {rest}
      </p>
      <Remedy userId={userId} verdict={verdict} />
      <Why userId={userId} verdict={verdict} />
    </li>
  );
}
