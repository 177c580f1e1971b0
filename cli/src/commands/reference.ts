/** Something that a person named by less than its id. It becomes the id before the action of the command begins. */
export class Reference {
  constructor(
    readonly kind: 'user' | 'run',
    readonly text: string,
  ) {}
}
