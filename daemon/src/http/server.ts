import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** Thrown if the server cannot listen on the configured address. `message` contains the remedy. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(
    readonly code: 'port_in_use' | 'port_forbidden' | 'address_unavailable',
    message: string,
    options: { cause: unknown },
  ) {
    super(message, options);
  }
}

export interface RunningServer {
  /** Actual port, even if port 0 was requested. */
  port: number;
  /** Stops accepting requests and waits for running requests. Closes all remaining connections at the deadline. */
  close(deadlineSeconds: number): Promise<void>;
}

/**
 * Keep-alive timeout: longer than the 60 s of common load balancers, which could otherwise send a request on a
 * connection that is being closed.
 */
const KEEP_ALIVE_SECONDS = 75;
const HEADERS_SECONDS = 30;

/** Listening address, and the setting that error messages name. Port 0 selects any free port. */
export interface ListenAddress {
  host: string;
  port: number;
  /** Default: PORT. */
  setting?: 'PORT' | 'METRICS_PORT';
}

/**
 * Checks that a port is free, and closes it again.
 * @throws ListenError
 */
export async function requireFreePort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/**
 * Starts listening.
 * @throws ListenError
 */
export async function startServer(options: ListenAddress & { app: Express }): Promise<RunningServer> {
  const server = createServer(options.app);
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  server.headersTimeout = HEADERS_SECONDS * 1000;
  // No limit on the total time, because an upload or an event stream may last for hours. The code that reads a body
  // limits the client's silence.
  server.requestTimeout = 0;
  await listen(server, options);
  return { port: (server.address() as AddressInfo).port, close: (seconds) => close(server, seconds) };
}

function listen(server: Server, { host, port, setting = 'PORT' }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenError(error, { host, port, setting }));
    server.once('error', fail);
    server.listen({ host, port }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function listenError(error: NodeJS.ErrnoException, { host, port, setting }: Required<ListenAddress>): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(
        'port_in_use',
        `Port ${port} on ${host} is already in use. Set ${setting} to another port.`,
        {
          cause: error,
        },
      );
    case 'EACCES':
      return new ListenError(
        'port_forbidden',
        `This user cannot open port ${port}. Set ${setting} to a port above 1023.`,
        {
          cause: error,
        },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(
        'address_unavailable',
        `This machine does not have the IP address ${host}. Set HOST to an address of this machine.`,
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}

async function close(server: Server, deadlineSeconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Repeatedly closes connections that have become idle.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineSeconds * 1000);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
