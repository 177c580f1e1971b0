import { FlaskConical } from 'lucide-react';
import { Link } from 'react-router';
import { useConfig } from '../hooks/use-config.js';

/** Banner on every page while vendors are simulated, so that no figure is mistaken for real data. */
export function SandboxBanner() {
  const config = useConfig();
  if (!config.data?.sandbox) return null;
  return (
    <aside className="sandbox" aria-label="Sandbox">
      <FlaskConical className="icon" aria-hidden="true" />
      <span>
        <b>Sandbox:</b> vendors and their users are simulated. <Link to="/settings">Details</Link>
      </span>
    </aside>
  );
}
