import { getRecoverySummary, listHealthScores } from '@healthd/contract';
import { Commands } from '../../../components/commands.js';
import { PeriodChooser } from '../../../components/period-chooser.js';
import { periodBounds, usePeriod } from '../../../period.js';
import { BodyCard } from './body-card.js';
import { CyclesCard } from './cycles-card.js';
import { RecoveryCard } from './recovery-card.js';
import { ScoresCard } from './scores-card.js';

/** Recovery, scores, body values and cycles. */
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
      <Commands
        healthctl={`healthctl data recovery --user ${userId} --from ${period}d`}
        route={getRecoverySummary}
        input={{ params: { user_id: userId }, query: { ...periodBounds(period), limit: 100 } }}
      />
      <Commands
        healthctl={`healthctl data scores --user ${userId} --from ${period}d`}
        route={listHealthScores}
        input={{ params: { user_id: userId }, query: { ...periodBounds(period), limit: 1000 } }}
      />
    </>
  );
}
