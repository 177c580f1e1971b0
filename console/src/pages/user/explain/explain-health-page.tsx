import { explainBodySummary, explainRecoverySummary } from '@healthd/contract';
import { Link, useParams } from 'react-router';
import { Commands } from '../../../components/commands.js';
import { quoted } from '../../../shell-command.js';
import { ExplainedGroups } from './explained-groups.js';

/** Sources of one day's recovery. */
export function ExplainRecoveryPage({ userId }: { userId: string }) {
  const { date = '' } = useParams();
  return (
    <>
      <PageHead userId={userId} title={`Recovery of ${date}`} />
      <ExplainedGroups userId={userId} summary="recovery" date={date} />
      <Commands
        healthctl={`healthctl data explain ${quoted(date)} --user ${userId} --summary recovery`}
        route={explainRecoverySummary}
        input={{ params: { user_id: userId }, query: { date } }}
      />
    </>
  );
}

/** Sources of the body values. */
export function ExplainBodyPage({ userId }: { userId: string }) {
  return (
    <>
      <PageHead userId={userId} title="Body now" />
      <ExplainedGroups userId={userId} summary="body" />
      <Commands
        healthctl={`healthctl data explain today --user ${userId} --summary body`}
        route={explainBodySummary}
        input={{ params: { user_id: userId }, query: {} }}
      />
    </>
  );
}

function PageHead({ userId, title }: { userId: string; title: string }) {
  return (
    <div className="row spread">
      <h2>{title}</h2>
      <Link to={`/users/${userId}/health`}>Recovery, scores and body</Link>
    </div>
  );
}
