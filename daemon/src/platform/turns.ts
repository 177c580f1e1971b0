export { Turns } from '@healthd/providers';
