import type { AppConnection, Forge, ForgeAnswer } from '#adapters/forges'
import type { Queryable, Tx } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { CredentialRead } from '#rooms/foundation/secrets'
import type { Asked } from './means.ts'
import type { CredentialWish } from './rules/wish.ts'

export type { AboveGitApps, AppSource } from './means.ts'
export type { AppUse, CredentialWish } from './rules/wish.ts'

/** A delivery about installations, as the provider named it. */
export interface InstallationDelivery {
  readonly eventType: string
  readonly action: string | null
  readonly payload: unknown
}

/** The login for Git over http. */
export interface ReadLogin {
  readonly username: string
  readonly password: string
}

export interface GitApps {
  /**
   * Why a reference cannot be used by something of this team and provider; undefined when it can. Covers `secret:` and
   * `env:` too.
   */
  check(
    db: Queryable,
    ref: string,
    of: { readonly teamPath: string; readonly provider: string; readonly baseUrl: string | null },
  ): Promise<string | undefined>
  /** The live values that prove deliveries: of `app:<provider>` its webhook secrets, newest first; else as `Secrets.read`. */
  readProof(db: Queryable, ref: string, teamPath: string): Promise<CredentialRead>
  /**
   * Calls a provider with the credential. Of an app: a cached token; a fresh one that is refused is tried again for up
   * to 5 s; a revoked one is dropped and asked for once more. A suspended, removed or foreign installation is `failed`
   * with a sentence. Notes the use of secrets.
   */
  call<T>(
    wish: CredentialWish,
    signal: AbortSignal,
    work: (token: string | undefined) => Promise<ForgeAnswer<T>>,
  ): Promise<ForgeAnswer<T>>
  /** The login for Git over http (manifest reading, checkout); undefined for ref null. */
  readLogin(wish: CredentialWish, signal: AbortSignal): Promise<ReadLogin | { readonly unusable: string } | undefined>
  /** Apps with a source, for recovery. */
  listApps(): Promise<
    readonly { readonly provider: string; readonly baseUrl: string; readonly sourceId: string | null }[]
  >
  /** Calls the provider as the app itself. */
  asApp<T>(
    provider: string,
    signal: AbortSignal,
    work: (connection: AppConnection, forge: Forge) => Promise<ForgeAnswer<T>>,
  ): Promise<ForgeAnswer<T>>
  /** The app's own account at the provider (`slug[bot]`), so that what it does itself starts nothing. */
  botLoginOf(sourceId: string): Promise<string | undefined>
  /**
   * A verified delivery about installations came through the app's source. Restrictive news holds at once; everything
   * else is asked of the provider by a job.
   */
  hearDelivery(tx: Tx, sourceId: string, delivery: InstallationDelivery): Promise<void>
}

export const gitApps = defineRoom<GitApps, Asked>({
  name: 'catalog/git-apps',
  open() {
    const notYet = (): never => {
      throw new Error('git apps are not there yet')
    }
    return {
      door: {
        check: notYet,
        readProof: notYet,
        call: notYet,
        readLogin: notYet,
        listApps: notYet,
        asApp: notYet,
        botLoginOf: notYet,
        hearDelivery: notYet,
      },
    }
  },
})
