import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** The server cannot listen on the configured address; `message` says what to do about it. */
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
  /** The port that is listened on, also when any was requested. */
  port: number;
  /** Takes no more requests, lets those under way end, and cuts off what is left at the deadline. */
  close(deadlineSeconds: number): Promise<void>;
}

/** Longer than the 60 s of common load balancers, so that none reuses a connection while we close it. */
const KEEP_ALIVE_SECONDS = 75;
const HEADERS_SECONDS = 30;

/** Where to listen, and the setting that a complaint names. Port 0 takes any free one. */
export interface ListenAddress {
  host: string;
  port: number;
  /** PORT by default. */
  setting?: 'PORT' | 'METRICS_PORT';
}

/**
 * Finds out whether a port can be listened on, and leaves it alone.
 * @throws ListenError
 */
export async function requireFreePort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/**
 * Listens.
 * @throws ListenError
 */
export async function startServer(options: ListenAddress & { app: Express }): Promise<RunningServer> {
  const server = createServer(options.app);
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  server.headersTimeout = HEADERS_SECONDS * 1000;
  // No total limit: an upload or a stream of events may last for hours. Silence is limited where a body is read.
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
      return new ListenError('port_in_use', `Port ${port} on ${host} is already in use; set ${setting} to another.`, {
        cause: error,
      });
    case 'EACCES':
      return new ListenError(
        'port_forbidden',
        `Port ${port} may not be opened by this user; set ${setting} above 1023.`,
        {
          cause: error,
        },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError('address_unavailable', `This machine has no address ${host}; set HOST to one it has.`, {
        cause: error,
      });
    default:
      return error;
  }
}

async function close(server: Server, deadlineSeconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that is idle now, and one that becomes idle while others end.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineSeconds * 1000);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
