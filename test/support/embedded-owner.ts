import { startEmbeddedPostgres } from '@healthd/embedded-postgres';

// A process with an embedded server, for a test to kill: node --import …/typescript-loader.mjs this <data directory>
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', durability: 'none' });
console.log(JSON.stringify({ pid: server.pid, url: server.url }));
setInterval(() => undefined, 60_000);
