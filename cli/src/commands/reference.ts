/** Name of a user or run that is not a whole id. It is resolved to the id before the command's action starts. */
export class Reference {
  constructor(
    readonly kind: 'user' | 'run',
    readonly text: string,
  ) {}
}
