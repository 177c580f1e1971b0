import { Link } from 'react-router';
import { usePageTitle } from '../page-title.js';

/** Page for unknown URLs. */
export function NotFoundPage() {
  usePageTitle('Not found');
  return (
    <>
      <h1>Page not found</h1>
      <div className="card empty">
        The URL may be mistyped or from another version. <Link to="/">Go to the home page</Link> or{' '}
        <Link to="/users">find a user</Link>.
      </div>
    </>
  );
}
