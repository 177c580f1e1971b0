export { fileCursor } from './file-cursor.js';
