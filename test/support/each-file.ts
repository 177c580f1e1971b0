// Vitest runs this file before each test file.
import { watchFileEnd } from './file-end.js';

watchFileEnd();
