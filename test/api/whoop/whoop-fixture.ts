import { startWhoopSimulator, type WhoopSimulator, type WhoopSimulatorOptions } from '@healthd/simulators';
import { openVendorFixture, type VendorFixture, type VendorFixtureOptions } from '../../support/vendor-fixture.js';

export type { ConnectedUser } from '../../support/vendor-fixture.js';

export type WhoopFixtureOptions = VendorFixtureOptions & { simulator?: WhoopSimulatorOptions };

/** Starts the simulated WHOOP and the service. */
export async function openWhoopFixture({
  simulator: simulatorOptions,
  ...options
}: WhoopFixtureOptions = {}): Promise<WhoopFixture> {
  const simulator = await startWhoopSimulator({
    autoConsent: true,
    limits: { perMinute: 10_000 },
    ...simulatorOptions,
  });
  return openVendorFixture('whoop', simulator, options);
}

export type WhoopFixture = VendorFixture<WhoopSimulator>;
