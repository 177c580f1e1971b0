/** Shown instead of login and page while the session check gets no response. */
export function ServiceUnreachable() {
  return (
    <main className="login">
      <div className="card unreachable" role="status">
        <h1>Service unreachable, retrying…</h1>
        <p className="muted">The page opens when the service responds. You stay logged in.</p>
      </div>
    </main>
  );
}
