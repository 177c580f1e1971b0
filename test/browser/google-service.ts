import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GoogleSimulator } from '@healthd/simulators';
import { type Daemon, newHome, startDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { ampleVendorSettings } from '../support/simulated-vendor.js';

/** Starts a service that connects users to the simulated Google Health and can register its webhook there. */
export async function startWithGoogle(vendor: GoogleSimulator, env: Record<string, string> = {}): Promise<Daemon> {
  const home = newHome();
  const keyFile = join(home.folder, 'service-account.json');
  await writeFile(keyFile, JSON.stringify(await vendor.control.serviceAccountKey()));
  return startDaemon({
    home,
    env: {
      ...ampleVendorSettings(vendor),
      CLOUDHEALTH_PROJECT_ID: vendor.projectNumber,
      CLOUDHEALTH_SERVICE_ACCOUNT_FILE: keyFile,
      ADMIN_PASSWORD: 'correct horse battery',
      // The vendor redirects to this port, so it must be known before the service starts.
      PORT: String(await freePort()),
      ...env,
    },
  });
}
