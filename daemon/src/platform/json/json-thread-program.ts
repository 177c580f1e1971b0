import { parentPort } from 'node:worker_threads';
import { readJson } from './read-json.js';

const port = parentPort;
if (port === null) throw new Error('This module runs only in a worker thread.');

port.on('message', (text: Uint8Array) => port.postMessage(readJson(text)));
