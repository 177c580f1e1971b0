import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the vendor's server receives it. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Responder = (response: ServerResponse, request: SeenRequest) => void;

/** A local server with one responder per request. The last responder handles all further requests. */
export class VendorServer {
  readonly seen: SeenRequest[] = [];
  private responders: Responder[] = [];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      this.seen.push(seen);
      const responder = this.responders.length > 1 ? this.responders.shift() : this.responders[0];
      responder?.(response, seen);
    });
  });

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answer(...responders: Responder[]): void {
    this.seen.length = 0;
    this.responders = responders;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function html(status: number): Responder {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<html><body>secret words of the vendor</body></html>');
  };
}
