import { getArchivalSettings } from '@healthd/contract';
import { Commands } from '../../components/commands.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { useArchival } from '../../hooks/use-archival.js';
import { usePageTitle } from '../../page-title.js';
import { ArchivalCard } from './archival-card.js';
import { HealthCard } from './health-card.js';
import { SandboxCard } from './sandbox-card.js';
import { StorageCard } from './storage-card.js';

/** Settings page: health, sandbox, retention and storage. */
export function SettingsPage() {
  usePageTitle('Settings');
  const archival = useArchival();
  return (
    <>
      <h1>Settings</h1>
      <HealthCard />
      <SandboxCard />
      {archival.error && <Problem error={archival.error} retry={archival.refetch} />}
      {archival.isPending && <Loading height={560} />}
      {archival.data && (
        <>
          <ArchivalCard stored={archival.data} />
          <StorageCard storage={archival.data.storage} />
        </>
      )}
      <Commands healthctl="healthctl settings archival show" route={getArchivalSettings} input={{}} />
    </>
  );
}
