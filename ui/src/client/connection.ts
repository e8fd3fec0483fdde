import { useSyncExternalStore } from 'react'
import type { Away } from './away.ts'

/** How the page stands with the control plane. */
export interface Connection {
  /** Since when no request was answered; undefined while all is well. */
  readonly awaySince: Date | undefined
  readonly away: Away | undefined
  /** The session has ended: who goes on must sign in. */
  readonly isSignedOut: boolean
  /** Somebody else has signed in than this page was opened for. */
  readonly isOtherUser: boolean
  /** A stream was refused for now: changes come late, while everything else is answered. */
  readonly isPutOff: boolean
  /** A newer build of the page is served. */
  readonly isOutdated: boolean
}

const WELL: Connection = {
  awaySince: undefined,
  away: undefined,
  isSignedOut: false,
  isOtherUser: false,
  isPutOff: false,
  isOutdated: false,
}

/** Holds the connection's state and tells those who draw it. One for a page. */
export class ConnectionStore {
  #state = WELL
  #signIns = 0
  #isLeaving = false
  readonly #putOff = new Set<string>()
  readonly #listeners = new Set<() => void>()
  readonly #onReturn = new Set<() => void>()

  get state(): Connection {
    return this.#state
  }

  reached(): void {
    if (this.#state.away === undefined) return
    this.#set({ ...this.#state, away: undefined, awaySince: undefined })
    for (const listener of this.#onReturn) listener()
  }

  lost(away: Away): void {
    if (this.#state.away === away) return
    this.#set({ ...this.#state, away, awaySince: this.#state.awaySince ?? new Date() })
  }

  /** How often somebody has signed in. Whoever sends a request notes it first, and gives it to `signedOut`. */
  get signIns(): number {
    return this.#signIns
  }

  /** The answer to a request that was sent before somebody signed in is about the session before. */
  signedOut(signIns: number): void {
    if (signIns !== this.#signIns || this.#state.isSignedOut || this.#isLeaving) return
    this.#set({ ...this.#state, isSignedOut: true })
  }

  signedIn(): void {
    this.#signIns += 1
    if (!this.#state.isSignedOut) return
    this.#set({ ...this.#state, isSignedOut: false })
    for (const listener of this.#onReturn) listener()
  }

  /** The person is signing out: the end of the session is what they want, and nothing needs to be opened any more. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  leaving(isLeaving: boolean): void {
    this.#isLeaving = isLeaving
  }

  otherUser(): void {
    if (!this.#state.isOtherUser) this.#set({ ...this.#state, isOtherUser: true })
  }

  /** A stream, named for `letIn`, was refused because there are too many, or too many requests. */
  putOff(stream: string): void {
    this.#putOff.add(stream)
    this.#settlePutOff()
  }

  letIn(stream: string): void {
    this.#putOff.delete(stream)
    this.#settlePutOff()
  }

  outdated(): void {
    if (!this.#state.isOutdated) this.#set({ ...this.#state, isOutdated: true })
  }

  /** Calls back when the control plane answers again: what was read may be old. Answers how to stop. */
  onReturn(listener: () => void): () => void {
    this.#onReturn.add(listener)
    return () => void this.#onReturn.delete(listener)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #settlePutOff(): void {
    const isPutOff = this.#putOff.size > 0
    if (isPutOff !== this.#state.isPutOff) this.#set({ ...this.#state, isPutOff })
  }

  #set(state: Connection): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

export const connection = new ConnectionStore()

export function useConnection(): Connection {
  return useSyncExternalStore(connection.subscribe, () => connection.state)
}
