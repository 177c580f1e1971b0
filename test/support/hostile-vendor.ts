import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderId } from '@healthd/model';
import { type RunningVendor, SIMULATED_VENDORS } from '@healthd/simulators';

/** A request to the vendor. */
export interface Asked {
  path: string;
  query: URLSearchParams;
}

/** A simulated vendor. The test can replace its responses to data requests. */
export interface HostileVendor {
  id: ProviderId;
  /** Settings that make the service use this vendor. */
  env: Record<string, string>;
  control: RunningVendor['control'] & {
    /** Sends a webhook. @returns the response status */
    sendEvent?(event: object): Promise<number>;
  };
  /** Returns the body of a response. Undefined lets the simulator respond. */
  answer: (request: Asked) => string | undefined;
  close(): Promise<void>;
}

const REQUESTS_PER_MINUTE = 6_000;

export async function startHostileVendor(id: ProviderId): Promise<HostileVendor> {
  const vendor = SIMULATED_VENDORS.find((one) => one.id === id);
  if (!vendor) throw new Error(`${id} is not simulated`);
  const simulator = await vendor.start({ autoConsent: true, requestsPerMinute: REQUESTS_PER_MINUTE });
  const base = new URL(simulator.urls.api ?? simulator.urls.origin);
  const proxy = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', base);
    const body = hostile.answer({
      path: url.pathname.slice(base.pathname.replace(/\/$/, '').length),
      query: url.searchParams,
    });
    if (body === undefined) pass(incoming, response, base);
    else response.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const api = new URL(base.pathname, `http://127.0.0.1:${port}`).href.replace(/\/$/, '');
  const hostile: HostileVendor = {
    id,
    env: {
      ...settingsOf(vendor.settingsPrefix, { ...simulator.urls, api }, simulator),
      [`${vendor.settingsPrefix}_REQUESTS_PER_MINUTE`]: String(REQUESTS_PER_MINUTE),
    },
    control: simulator.control,
    answer: () => undefined,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await simulator.close();
    },
  };
  return hostile;
}

function settingsOf(
  prefix: string,
  { origin: _, ...urls }: Readonly<Record<string, string>>,
  { client, settings = {} }: RunningVendor,
): Record<string, string> {
  const addresses = Object.entries(urls).map(([name, url]) => [
    `${name.replace(/[A-Z]/g, '_$&').toUpperCase()}_URL`,
    url,
  ]);
  const all: Record<string, string> = {
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.secret,
    ...Object.fromEntries(addresses),
    ...settings,
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`${prefix}_${name}`, value]));
}

function pass(incoming: IncomingMessage, response: ServerResponse, { hostname, port }: URL): void {
  const options = { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers };
  const passed = request(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  incoming.pipe(passed);
}
