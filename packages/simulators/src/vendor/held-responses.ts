/** Responses that wait until a test releases them. */
export class HeldResponses {
  private waiting: (() => void)[] = [];

  hold(): Promise<void> {
    return new Promise((release) => this.waiting.push(release));
  }

  release(): void {
    for (const release of this.waiting.splice(0)) release();
  }
}
