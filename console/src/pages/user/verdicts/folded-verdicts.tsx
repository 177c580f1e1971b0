import type { DiagnosisSeverity, ProviderDiagnosis } from '@healthd/schemas';
import type { ReactNode } from 'react';
import { SeverityMark } from '../../../components/severity-mark.js';
import { Verdict } from './verdict.js';

const LIST = new Intl.ListFormat('en-GB');

interface FoldedVerdictsProps {
  userId: string;
  verdicts: readonly ProviderDiagnosis[];
  severity: DiagnosisSeverity;
  /** Sentence about all providers, shown after their names. */
  sentence: string;
  /** Hint for the collapsed content. */
  hint: string;
  /** Remedy for all providers, next to the sentence. */
  children?: ReactNode;
}

/** Providers with equal diagnoses, collapsed into one sentence. */
export function CollapsedVerdicts({ userId, verdicts, severity, sentence, hint, children }: FoldedVerdictsProps) {
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
