/** Ownership: the creator of a resource holds it in a scope and disposes it there. `dispose` may be called twice. */
export interface Disposable {
  dispose(): void;
}

/** Disposes its resources in reverse order; resources added after its own end are disposed at once. */
export class DisposableScope implements Disposable {
  #owned: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(resource: T): T {
    if (this.#disposed) resource.dispose();
    else this.#owned.push(resource);
    return resource;
  }

  defer(dispose: () => void): void {
    this.add({ dispose });
  }

  dispose(): void {
    this.#disposed = true;
    const owned = this.#owned;
    this.#owned = [];
    for (const resource of owned.toReversed()) resource.dispose();
  }
}
