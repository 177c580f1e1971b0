import { Link } from 'react-router';
import { RequestId } from '../../components/problem.js';

/** For an id that no user has, or that is none. */
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
