/**
 * The runner's own view of its leases. A lease runs from the moment at which its last heartbeat was *sent*, so it
 * always ends here before it ends for the control plane. All times are monotonic milliseconds.
 */
export class LeaseClock {
  #leaseMs = 15_000
  #sequence = 0
  readonly #sent = new Map<number, { at: number; fences: readonly bigint[] }>()
  readonly #renewedAt = new Map<bigint, number>()

  /** Takes the lease time that the control plane grants. */
  grant(leaseSeconds: number): void {
    this.#leaseMs = leaseSeconds * 1000
  }

  get leaseMs(): number {
    return this.#leaseMs
  }

  /** A lease begins: an assignment, or a welcome that confirms one. */
  begin(fence: bigint, at: number): void {
    this.#renewedAt.set(fence, at)
  }

  end(fence: bigint): void {
    this.#renewedAt.delete(fence)
  }

  /** Notes that a heartbeat for these fences leaves now; returns its sequence number. */
  send(fences: readonly bigint[], at: number): number {
    const sequence = ++this.#sequence
    this.#sent.set(sequence, { at, fences })
    return sequence
  }

  /**
   * The heartbeat was accepted, but for the fences in `lost`; returns when it was sent. An unknown sequence renews
   * nothing.
   */
  accept(sequence: number, lost: readonly bigint[]): number | undefined {
    const heartbeat = this.#sent.get(sequence)
    if (heartbeat === undefined) return undefined
    for (const older of this.#sent.keys()) if (older <= sequence) this.#sent.delete(older)
    for (const fence of heartbeat.fences) {
      if (!lost.includes(fence) && this.#renewedAt.has(fence)) this.#renewedAt.set(fence, heartbeat.at)
    }
    return heartbeat.at
  }

  /** Heartbeats of a stream that has ended are never answered. */
  disconnect(): void {
    this.#sent.clear()
  }

  /** The moment at which the oldest unanswered heartbeat was sent. */
  get unansweredSince(): number | undefined {
    for (const { at } of this.#sent.values()) return at
    return undefined
  }

  /** Fences whose lease, as far as this runner can know, ended at least `graceMs` ago. */
  expired(now: number, graceMs = 0): bigint[] {
    const limit = now - this.#leaseMs - graceMs
    return [...this.#renewedAt].filter(([, at]) => at < limit).map(([fence]) => fence)
  }
}
