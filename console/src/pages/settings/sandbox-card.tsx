import { Command } from '../../components/command.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { useConfig } from '../../hooks/use-config.js';

/** Sandbox state, and how to start and leave the sandbox. */
export function SandboxCard() {
  const config = useConfig();
  if (config.error) return <Problem error={config.error} retry={config.refetch} />;
  if (!config.data) return <Loading height={184} />;
  const providers = config.data.sandbox?.providers;
  return (
    <section className="card" aria-label="Sandbox">
      <header>
        <h2>Sandbox</h2>
        <span className={`badge ${providers ? 'warn' : 'plain'}`}>{providers ? 'running' : 'off'}</span>
      </header>
      <div className="body prose">{providers ? <Running providers={providers} /> : <Off />}</div>
    </section>
  );
}

function Running({ providers }: { providers: readonly string[] }) {
  return (
    <>
      <p>
        Simulated: <b>{providers.map(providerName).join(', ')}</b>. No request goes to a real vendor. To try it, connect
        a user and select a person on the consent page. These people and their data are simulated, and new data arrives
        every minute.
      </p>
      <p className="muted">
        To leave the sandbox, start the service without <code>SANDBOX=true</code>. Received data is retained. The
        simulated vendors lose all state when the service stops, so connections then need a new consent.
      </p>
    </>
  );
}

function Off() {
  return (
    <>
      <p>The service uses the real vendors. To try it without a vendor account, start another service next to it:</p>
      <Command line="SANDBOX=true DATA_DIR=/tmp/sandbox PORT=8100 npm start" />
      <p className="muted">
        It simulates all vendors and their users. It does not start on a data directory with connections to real
        vendors.
      </p>
    </>
  );
}
