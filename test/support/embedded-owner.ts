import { startEmbeddedPostgres } from '@healthd/embedded-postgres';

// A process with an embedded server, for a test to kill. Usage: node --import …/typescript-loader.mjs this-file <data
// directory>
const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', durability: 'none' });
console.log(JSON.stringify({ pid: server.pid, url: server.url }));
setInterval(() => undefined, 60_000);
