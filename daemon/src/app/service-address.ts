import { isIPv6 } from 'node:net';

const THIS_MACHINE = ['localhost', '127.0.0.1', '0.0.0.0', '::'];

/** Returns the local URL of a service that listens on a host and a port. */
export function serviceAddress(host: string, port: number): string {
  const name = THIS_MACHINE.includes(host) ? 'localhost' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
