import { Link } from 'react-router';
import { RequestId } from '../../components/problem.js';

/** Page for unknown user ids. */
export function NoSuchUser({ userId, error }: { userId: string; error: Error }) {
  return (
    <>
      <h1>User not found</h1>
      <div className="card empty" role="alert">
        <code>{userId}</code>
        <p>
          The user may be deleted, or the id incomplete. <Link to="/users">Find a user</Link>
        </p>
        <RequestId error={error} />
      </div>
    </>
  );
}
