import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { World } from './cli-world.js';

interface Answer {
  status: number;
  /** JSON */
  text: string;
}

/** Returns the proxy's own response, or forwards the request with `pass`. */
type Answering = (
  request: { method: string; path: string; body: string },
  pass: () => Promise<Answer>,
) => Promise<Answer>;

/** Creates a home folder with the world's profile. healthctl's requests from this home go through a proxy. */
export async function homeBehindProxy(
  world: Pick<World, 'url' | 'home' | 'folder'>,
  answering: Answering,
): Promise<{ home: string; stop(): void }> {
  const proxy = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const pass = async () => {
      const response = await fetch(`${world.url}${path}`, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
        body: body === '' ? undefined : body,
      });
      return { status: response.status, text: await response.text() };
    };
    const answer = await answering({ method, path, body }, pass);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const { port } = proxy.address() as AddressInfo;
  const home = join(world.folder, `home-behind-proxy-${port}`);
  await cp(world.home, home, { recursive: true });
  const profile = join(home, '.config/healthctl/config.json');
  const own = await readFile(profile, 'utf8');
  await writeFile(profile, own.replaceAll(/http:\/\/[^"]+:\d+/g, `http://127.0.0.1:${port}`));
  return {
    home,
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
