declare module '@michaelhomer/jqjs' {
  export function compile(program: string): (value: unknown) => Iterable<unknown>;
}
