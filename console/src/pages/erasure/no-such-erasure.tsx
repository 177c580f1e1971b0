import type { AuditEvent } from '@healthd/schemas';
import { Link } from 'react-router';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { RequestId } from '../../components/problem.js';
import { useFailedErasure } from '../../hooks/use-erasure.js';

const TRAIL = '/audit?action=delete';

/** Shown without a receipt: the deletion failed, or the id is unknown. */
export function NoSuchErasure({ erasureId, error }: { erasureId: string; error: Error }) {
  const failed = useFailedErasure(erasureId);
  if (failed.isPending) return <Loading />;
  if (failed.data) return <FailedErasure deletion={failed.data} />;
  return (
    <>
      <h1>Erasure not found</h1>
      <div className="card empty" role="alert">
        <code>{erasureId}</code>
        <p>
          The id may be incomplete, or the deletion failed and nothing was erased. The{' '}
          <Link to={TRAIL}>audit trail</Link> lists deletions of users with their outcomes, and links to the receipts.
        </p>
        <RequestId error={error} />
      </div>
    </>
  );
}

function FailedErasure({ deletion: { at, user_id: userId, status, request_id } }: { deletion: AuditEvent }) {
  return (
    <>
      <h1>This erasure failed</h1>
      <div className="card empty" role="alert">
        <p>
          <b>{status === 404 ? 'The user was already deleted.' : 'Nothing was erased.'}</b> The deletion failed on{' '}
          <Instant at={at} /> with status {status}, so there is no receipt.
        </p>
        {request_id !== null && (
          <p>
            Find the cause in the service log under the request <code>{request_id}</code>.
          </p>
        )}
        <p>
          {userId !== null && status !== 404 && <Link to={`/users/${userId}/data`}>Delete the user again</Link>}{' '}
          <Link to={userId === null ? TRAIL : `${TRAIL}&user=${userId}`}>Deletions in the audit trail</Link>
        </p>
      </div>
    </>
  );
}
