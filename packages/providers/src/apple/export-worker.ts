import { serveReading } from '../files/index.js';
import { readAppleExport } from './read-apple-export.js';

await serveReading(readAppleExport);
