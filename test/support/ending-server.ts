import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** ReadyForQuery message outside of a transaction. It completes a server's response. */
const READY = Buffer.from('Z\0\0\0\u0005I', 'latin1');
const FIELDS = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');

/** Returns the ErrorResponse that a server sends on its connections when it shuts down. */
function fatal(): Buffer {
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(FIELDS.length + 4, 1);
  return Buffer.concat([head, FIELDS]);
}

/**
 * Returns the URL of a proxy to a database. When the server reports that it is ready, the proxy appends a fatal error
 * to that packet and closes the connection.
 */
export async function openEndingServer(databaseUrl: string): Promise<{ url: string; close(): void }> {
  const target = new URL(databaseUrl);
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far);
    far.on('data', (packet: Buffer) => {
      if (packet.subarray(-READY.length).equals(READY)) near.end(Buffer.concat([packet, fatal()]));
      else near.write(packet);
    });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, close: () => server.close() };
}
