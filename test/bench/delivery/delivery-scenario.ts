import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '@healthd/daemon/platform/database';
import { type GarminSimulator, startGarminSimulator } from '@healthd/simulators';
import { garminSettings } from '../../support/simulated-vendor.js';
import { type DaemonProcess, startDaemon } from '../daemon-process.js';
import { loadOf, memoryMb } from '../process-load.js';
import type { Scenario, ScenarioResult } from '../scenario.js';
import { deliveryBody } from './delivery-body.js';

const ACTIVITIES = 2;
/** Samples per activity, one per second. A sample has about 380 bytes, so two activities have 100 MB. */
const SECONDS = 130_000;
const PING_EVERY_MS = 5;

interface Figures {
  bodyMb: number;
  answerSeconds: number;
  storedSeconds: number;
  samples: number;
  /** Longest response time of the pings. */
  longestGapMs: number;
  peakMemoryMb: number | undefined;
  memoryBeforeMb: number | undefined;
}

export const deliveryScenario: Scenario = {
  name: 'delivery',
  help: `a delivery of 100 MB with ${ACTIVITIES} activities of ${SECONDS} seconds, and how long everybody else waits meanwhile`,
  async run() {
    const vendor = await startGarminSimulator({ autoConsent: true });
    const daemon = await startDaemon({ env: { ...garminSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' } });
    try {
      return result(await measure(daemon, vendor));
    } finally {
      await daemon.stop();
      await vendor.close();
    }
  },
};

async function measure(daemon: DaemonProcess, vendor: GarminSimulator): Promise<Figures> {
  const account = (await vendor.control.addAccount({ id: 'ada' })).userId;
  await connect(daemon);
  const body = deliveryBody(account, ACTIVITIES, SECONDS);
  const memoryBeforeMb = memoryMb(daemon.pid);
  const pool = createPool({ url: daemon.databaseUrl, max: 1 });
  const pings = ping(daemon);
  try {
    const from = performance.now();
    const answered = await fetch(
      `${daemon.url}/api/v1/providers/garmin/webhooks?token=${vendor.settings.WEBHOOK_TOKEN}`,
      {
        method: 'POST',
        headers: { 'garmin-client-id': vendor.client.id, 'content-type': 'application/json' },
        body,
      },
    );
    if (answered.status !== 200) throw new Error(`the delivery was answered ${answered.status}`);
    const answerSeconds = (performance.now() - from) / 1_000;
    for (;;) {
      const { rows } = await pool.query<{ state: string }>('select state from webhook_delivery');
      if (rows[0]?.state === 'failed') throw new Error('the delivery could not be read');
      if (rows[0]?.state === 'done') break;
      await sleep(100);
    }
    const storedSeconds = (performance.now() - from) / 1_000;
    const longestGapMs = await pings.stop();
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from sample');
    const { peakMemoryMb } = loadOf(daemon.pid);
    return {
      bodyMb: body.length / 1e6,
      answerSeconds,
      storedSeconds,
      samples: rows[0]?.n ?? 0,
      longestGapMs,
      peakMemoryMb,
      memoryBeforeMb,
    };
  } finally {
    await pings.stop();
    await pool.end();
  }
}

/** Creates a user and connects them through the real consent flow. */
async function connect(daemon: DaemonProcess): Promise<void> {
  const { id } = await daemon.post<{ id: string }>('/api/v1/users', {});
  const authorized = await daemon.get<{ authorization_url: string }>(`/api/v1/oauth/garmin/authorize?user_id=${id}`);
  const page = await fetch(authorized.authorization_url, { redirect: 'manual' });
  const { pathname, search } = new URL(page.headers.get('location') ?? '');
  const back = await fetch(`${daemon.url}${pathname}${search}`, { redirect: 'manual' });
  if (back.status !== 303) throw new Error(`the consent was answered ${back.status}`);
}

/** Repeats a request that needs only the main thread. `stop` returns the longest response time in milliseconds. */
function ping({ url }: DaemonProcess): { stop(): Promise<number> } {
  let longestMs = 0;
  let isOn = true;
  const done = (async () => {
    while (isOn) {
      const from = performance.now();
      await (await fetch(`${url}/health/live`)).arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - from);
      await sleep(PING_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await done;
      return longestMs;
    },
  };
}

function result(figures: Figures): ScenarioResult {
  const { bodyMb, answerSeconds, storedSeconds, samples, longestGapMs, peakMemoryMb, memoryBeforeMb } = figures;
  const mb = (value: number | undefined) => (value === undefined ? 'unknown' : `${value.toFixed(0)} MB`);
  return {
    tables: [
      {
        title: `A delivery of ${bodyMb.toFixed(0)} MB, ${samples} samples`,
        rows: [
          ['answered', 'stored', 'longest wait of others', 'memory before', 'most memory'],
          [
            `${answerSeconds.toFixed(1)} s`,
            `${storedSeconds.toFixed(1)} s`,
            `${longestGapMs.toFixed(0)} ms`,
            mb(memoryBeforeMb),
            mb(peakMemoryMb),
          ],
        ],
      },
    ],
    verdicts: [
      { what: 'longest wait of others', figure: longestGapMs, digits: 0, unit: 'ms', bound: 'most', target: 500 },
      { what: 'most memory', figure: peakMemoryMb ?? 0, digits: 0, unit: 'MB', bound: 'most', target: 450 },
    ],
    figures,
  };
}
