import { ApiError, UnreachableError } from '@healthd/client';

/** Error message with the next step and the request id for the server log. */
export function Problem({ error, retry }: { error: Error; retry?: () => unknown }) {
  return (
    <div className="problem" role="alert">
      <b>{error.message}</b>
      <RequestId error={error} />
      {error instanceof UnreachableError && (
        <p>
          {error.isLate ? 'The service may be busy, or the network is slow.' : 'Check that the service is running.'}
        </p>
      )}
      {retry && !isFinal(error) && (
        <button type="button" onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Request id for the server log; empty without a response. */
export function RequestId({ error }: { error: Error }) {
  if (!(error instanceof ApiError) || !error.requestId) return null;
  return (
    <p>
      Request <code>{error.requestId}</code>
    </p>
  );
}

/** True if a retry would fail in the same way. */
function isFinal(error: Error): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}
