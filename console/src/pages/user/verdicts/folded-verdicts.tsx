import type { DiagnosisSeverity, ProviderDiagnosis } from '@healthd/schemas';
import type { ReactNode } from 'react';
import { SeverityMark } from '../../../components/severity-mark.js';
import { Verdict } from './verdict.js';

const LIST = new Intl.ListFormat('en-GB');

interface FoldedVerdictsProps {
  userId: string;
  verdicts: readonly ProviderDiagnosis[];
  severity: DiagnosisSeverity;
  /** What is said of all of them, after their names. */
  sentence: string;
  /** What is seen when they are unfolded. */
  hint: string;
  /** What mends all of them, beside the sentence. */
  children?: ReactNode;
}

/** Providers that stand alike in one sentence, folded: what is wrong and the data stay in sight. */
export function FoldedVerdicts({ userId, verdicts, severity, sentence, hint, children }: FoldedVerdictsProps) {
  return (
    <li className="folded">
      <details>
        <summary className="verdict">
          <SeverityMark severity={severity} />
          <p>
            <b>{LIST.format(verdicts.map(({ provider_name: name }) => name))}:</b> {sentence}
          </p>
          <span className="muted unfold">{hint}</span>
        </summary>
        <ul>
          {verdicts.map((verdict) => (
            <Verdict key={verdict.provider} userId={userId} verdict={verdict} />
          ))}
        </ul>
      </details>
      {children}
    </li>
  );
}
