/** Stands in place of login and page while the service does not answer whether there is a session. */
export function ServiceUnreachable() {
  return (
    <main className="login">
      <div className="card unreachable" role="status">
        <h1>Service unreachable, retrying…</h1>
        <p className="muted">The page opens as soon as the service answers. Your session is kept.</p>
      </div>
    </main>
  );
}
