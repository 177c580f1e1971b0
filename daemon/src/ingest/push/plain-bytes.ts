import { ProviderScan, type ScannedBody } from './provider-scan.js';

/** Bodies up to here are parsed as a whole at the door, which takes less than a millisecond. */
const PARSED_AT_ONCE = 64 * 1024;

/** Looks at the unpacked bytes as they come, and keeps them as long as they are few. */
export class PlainBytes {
  size = 0;
  private readonly scan = new ProviderScan();
  private kept: Buffer[] = [];

  push(chunk: Buffer): void {
    this.size += chunk.length;
    this.scan.push(chunk);
    if (this.size <= PARSED_AT_ONCE) this.kept.push(chunk);
    else this.kept = [];
  }

  end(): ScannedBody {
    const scanned = this.scan.end();
    if (scanned.kind === 'no_object' || this.size > PARSED_AT_ONCE) return scanned;
    try {
      const { provider } = JSON.parse(
        Buffer.concat(this.kept)
          .toString()
          .replace(/^\ufeff/, ''),
      ) as {
        provider?: unknown;
      };
      return { kind: 'object', provider: typeof provider === 'string' ? provider : undefined };
    } catch {
      return { kind: 'no_object' };
    }
  }
}
