import { entriesOf } from '@signalbox/contracts/http/requests'

/** 128 random bits. `crypto.randomUUID` does not exist on plain http. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The keys of writes that nobody answered. Who presses again has the key of the first time, so that the control plane does
 * once what it had taken before its answer was lost.
 */
export class WriteKeys {
  readonly #unanswered = new Map<string, string>()

  /** The key of a write: the same for the same input until an answer came. */
  take(route: string, input: unknown): string {
    const text = textOf(route, input)
    const key = this.#unanswered.get(text) ?? newKey()
    this.#unanswered.set(text, key)
    return key
  }

  /** The write was answered, though it be by a refusal: the next one is another. */
  answered(route: string, input: unknown): void {
    this.#unanswered.delete(textOf(route, input))
  }
}

/** What the write says, in whatever order its parts were given. */
function textOf(route: string, input: unknown): string {
  return `${route} ${JSON.stringify(entriesOf(input).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}
