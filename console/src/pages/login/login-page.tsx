import { ApiError } from '@healthd/client';
import { type FormEvent, useState } from 'react';
import { Problem } from '../../components/problem.js';
import { usePageTitle } from '../../page-title.js';
import { session } from '../../session.js';

export function LoginPage() {
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  usePageTitle('Log in');

  async function logIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      await session.begin(String(form.get('email')), String(form.get('password')));
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
      setBusy(false);
    }
  }

  return (
    <main className="login">
      <form className="card" onSubmit={logIn}>
        <div className="brand">
          <img src="/healthd.svg" alt="" width="28" height="28" />
          <h1>healthd</h1>
        </div>
        {session.endedBy === 'expired' && !problem && (
          <div className="notice" role="status">
            Your session has ended. Log in to continue where you left off.
          </div>
        )}
        <label>
          Email
          {/* biome-ignore lint/a11y/noAutofocus: the page has nothing but this form */}
          <input name="email" type="text" inputMode="email" autoComplete="username" required autoFocus />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        {problem && (isRefusal(problem) ? <Refused text={problem.message} /> : <Problem error={problem} />)}
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Logging in…' : 'Log in'}
        </button>
        <small className="muted">
          The first start printed the account and its password. Forgot it?
          <br />
          <code>healthd admin reset-password &lt;email&gt;</code>
        </small>
      </form>
    </main>
  );
}

/** A wrong password is nothing to search the log for. */
function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}

function Refused({ text }: { text: string }) {
  return (
    <div className="problem" role="alert">
      <b>{text}</b>
    </div>
  );
}
