import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Ports from the first to the last, inclusive. */
interface PortRange {
  first: number;
  last: number;
}

/** Ports to choose from. Excludes the ports of well-known services. */
const CHOICE: PortRange = { first: 10_000, last: 65_535 };
/** Dynamic ports of RFC 6335, which macOS and Windows use. */
const DYNAMIC_PORTS: PortRange = { first: 49_152, last: 65_535 };
const TRIES = 100;

/** Returns the ports that this machine assigns to outgoing connections. */
export async function ephemeralPorts(): Promise<PortRange> {
  const text = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const [first, last] = text.trim().split(/\s+/).map(Number);
  return first && last ? { first, last } : DYNAMIC_PORTS;
}

/**
 * Returns a free port of the loopback address. Avoids ports for outgoing connections if possible: such a connection,
 * even a client's own attempt to reach the stopped server, would block the port at the next start.
 * @param preferred port to use if it is free and not in the range for outgoing connections
 */
export async function freePort(preferred?: number): Promise<number> {
  const ephemeral = await ephemeralPorts();
  const isEphemeral = (port: number) => port >= ephemeral.first && port <= ephemeral.last;
  if (preferred !== undefined && !isEphemeral(preferred) && (await bind(preferred)) !== undefined) return preferred;
  for (let tries = 0; tries < TRIES; tries++) {
    const port = CHOICE.first + Math.floor(Math.random() * (CHOICE.last - CHOICE.first + 1));
    if (!isEphemeral(port) && (await bind(port)) !== undefined) return port;
  }
  const port = (preferred === undefined ? undefined : await bind(preferred)) ?? (await bind(0));
  if (port === undefined) throw new Error('no free port on the loopback address');
  return port;
}

/** Listens briefly on a port; 0 means any free port. @returns the port; undefined if the port is in use */
async function bind(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
