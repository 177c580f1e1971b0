/**
 * Text that names a user or run but is not a complete id. It is resolved to the id before the command's action starts.
 */
export class Reference {
  constructor(
    readonly kind: 'user' | 'run',
    readonly text: string,
  ) {}
}
