export type { EraseUserData } from './erase-user.js';
export type { FarewellHook } from './farewell.js';
export type { UserListQuery } from './list-users.js';
export { Users, type UsersOptions } from './users.js';
