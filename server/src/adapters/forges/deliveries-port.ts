import type { ForgeAnswer, ForgeConnection } from './answers.ts'
import type { AppConnection } from './app-port.ts'

/** A delivery as the provider's log has it. */
export interface LoggedDelivery {
  /** The provider's id of this attempt, by which it is sent again. */
  readonly attemptId: string
  /** The id that the delivery itself carries, the same for each attempt. */
  readonly deliveryId: string
  /** RFC 3339; null: the log names no time, as GitLab's where no answer came. */
  readonly deliveredAt: string | null
  readonly eventType: string
  readonly action: string | null
  /** The status that our answer had; null or 0: there was none. */
  readonly status: number | null
  readonly repositoryId: string | null
}

export interface LoggedPage {
  /** Newest first. */
  readonly deliveries: readonly LoggedDelivery[]
  /** Asks for the page behind this one; null: it was the last. */
  readonly next: string | null
}

/** The log of what a provider sent to a webhook, and the way to have it sent again. */
export interface ForgeDeliveries {
  /** Of an app's own webhook; null: it has none. */
  readonly ofApp: {
    list(connection: AppConnection, cursor: string | null): Promise<ForgeAnswer<LoggedPage>>
    sendAgain(connection: AppConnection, attemptId: string): Promise<ForgeAnswer<null>>
  } | null
  /** Of a webhook of a repository. */
  readonly ofHook: {
    list(
      connection: ForgeConnection,
      hook: { readonly repository: string; readonly hookId: string },
      cursor: string | null,
    ): Promise<ForgeAnswer<LoggedPage>>
    sendAgain(
      connection: ForgeConnection,
      hook: { readonly repository: string; readonly hookId: string },
      attemptId: string,
    ): Promise<ForgeAnswer<null>>
  } | null
}
