import { ApiError, UnreachableError } from '@healthd/client';

/** An error with what may help: who to ask with which id, or what to start. */
export function Problem({ error }: { error: Error }) {
  return (
    <div className="problem" role="alert">
      {error.message}
      {error instanceof ApiError && error.requestId && <p>Request {error.requestId}</p>}
      {error instanceof UnreachableError && <p>Is the service running? This page tries again by itself.</p>}
    </div>
  );
}
