/** Locks are taken at once and given back at the end; writes happen together, or never. */
export class Transaction {
  readonly #locks: Map<string, Transaction>
  readonly #writes: (() => void)[] = []

  constructor(locks: Map<string, Transaction>) {
    this.#locks = locks
  }

  /** False when another transaction has it. */
  lock(id: string): boolean {
    const holder = this.#locks.get(id) ?? this
    this.#locks.set(id, holder)
    return holder === this
  }

  write(work: () => void): void {
    this.#writes.push(work)
  }

  commit(): void {
    for (const write of this.#writes) write()
    this.rollback()
  }

  rollback(): void {
    for (const [id, holder] of this.#locks) if (holder === this) this.#locks.delete(id)
    this.#writes.length = 0
  }
}
