import { ApiError } from '@healthd/client';
import { type FormEvent, useState } from 'react';
import { session } from '../../session.js';

export function LoginPage() {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function logIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      await session.begin(String(form.get('email')), String(form.get('password')));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The service does not answer.');
      setBusy(false);
    }
  }

  return (
    <div className="login">
      <form className="card" onSubmit={logIn}>
        <div className="brand">
          <img src="/healthd.svg" alt="" width="28" height="28" />
          <h1>healthd</h1>
        </div>
        <label>
          Email
          <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        {problem && (
          <div className="problem" role="alert">
            {problem}
          </div>
        )}
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Logging in…' : 'Log in'}
        </button>
        <small className="muted">
          The first start printed account and password. Forgotten? <code>healthd admin reset-password</code>
        </small>
      </form>
    </div>
  );
}
