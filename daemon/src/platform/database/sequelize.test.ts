import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createSequelize } from './sequelize.js';

/** Encodes a message of Postgres' wire protocol: type, length, content. */
function message(type: string, content: string | Buffer): Buffer {
  const body = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test('survives a server that ends a connection as it opens', async () => {
  const shutdown = 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0';
  const server = createServer((socket) => {
    socket.once('data', () => {
      // Sends one packet, so that the client reads all messages before any of its promises continues.
      socket.end(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I'), message('E', shutdown)]));
    });
    socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sequelize = createSequelize({ url: `postgres://someone@127.0.0.1:${port}/database` });
  try {
    await expect(sequelize.query('select 1')).rejects.toThrow();
  } finally {
    await sequelize.close();
    server.close();
  }
});
