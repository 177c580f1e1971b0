import { ApiError } from '@healthd/client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormField } from '../../components/form/form-field.js';
import { Problem } from '../../components/problem.js';
import { usePageTitle } from '../../page-title.js';
import { session } from '../../session.js';

export function LoginPage() {
  const [problem, setProblem] = useState<Error>();
  const form = useForm({ defaultValues: { email: '', password: '' } });
  const { isSubmitting } = form.formState;
  usePageTitle('Log in');

  const logIn = form.handleSubmit(async ({ email, password }) => {
    setProblem(undefined);
    try {
      await session.begin(email, password);
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  });

  return (
    <main className="login">
      <form className="card" onSubmit={logIn} noValidate>
        <div className="brand">
          <img src="/healthd.svg" alt="" width="28" height="28" />
          <h1>healthd</h1>
        </div>
        {session.endedBy === 'expired' && !problem && (
          <div className="notice" role="status">
            Your session has ended. Log in to continue where you left off.
          </div>
        )}
        <FormField form={form} name="email" label="Email" rules={{ required: 'Enter your email address.' }}>
          {(control) => (
            // biome-ignore lint/a11y/noAutofocus: the page contains only this form
            <input {...control} type="text" inputMode="email" autoComplete="username" autoFocus />
          )}
        </FormField>
        <FormField form={form} name="password" label="Password" rules={{ required: 'Enter your password.' }}>
          {(control) => <input {...control} type="password" autoComplete="current-password" />}
        </FormField>
        {problem && (isRejection(problem) ? <LoginError text={problem.message} /> : <Problem error={problem} />)}
        <button type="submit" className="primary" disabled={isSubmitting}>
          {isSubmitting ? 'Logging in…' : 'Log in'}
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

/** True for a wrong password, whose message needs no request id. */
function isRejection(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}

function LoginError({ text }: { text: string }) {
  return (
    <div className="problem" role="alert">
      <b>{text}</b>
    </div>
  );
}
