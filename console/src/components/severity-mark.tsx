import type { DiagnosisSeverity } from '@healthd/schemas';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';

const LOOKS = {
  problem: ['bad', 'Problem', CircleAlert],
  attention: ['warn', 'Attention', TriangleAlert],
  ok: ['good', 'Working', CircleCheck],
} as const;

/** Severity as shape, color and a word for screen readers. */
export function SeverityMark({ severity }: { severity: DiagnosisSeverity }) {
  const [look, word, Icon] = LOOKS[severity];
  return (
    <span className={`severity ${look}`}>
      <Icon className="icon" aria-hidden="true" />
      <span className="unseen">{word}:</span>
    </span>
  );
}
