import { Command } from '../../../components/command.js';
import { PeriodChooser } from '../../../components/period-chooser.js';
import { curlOf } from '../../../curl.js';
import { periodBounds, usePeriod } from '../../../period.js';
import { BodyCard } from './body-card.js';
import { CyclesCard } from './cycles-card.js';
import { RecoveryCard } from './recovery-card.js';
import { ScoresCard } from './scores-card.js';

/** Recovery by day, scores of providers, the body as it is now, and cycles. */
export function HealthTab({ userId }: { userId: string }) {
  const period = usePeriod();
  return (
    <>
      <div className="row spread">
        <h2>Recovery, scores and body</h2>
        <PeriodChooser />
      </div>
      <BodyCard userId={userId} />
      <RecoveryCard userId={userId} period={period} />
      <ScoresCard userId={userId} period={period} />
      <CyclesCard userId={userId} period={period} />
      <Command line={`healthctl data recovery --user ${userId} --from ${period}d`} />
      <Command line={`healthctl data scores --user ${userId} --from ${period}d`} />
      <Command line={curlOf(`/users/${userId}/summaries/recovery`, { ...periodBounds(period), limit: 100 })} />
    </>
  );
}
