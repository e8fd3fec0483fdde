import { lookup } from 'node:dns/promises'
import { GIT_APP_PROVIDERS } from '@signalbox/contracts/git-apps'
import type { AppConnection, Forge, ForgeAnswer } from '#adapters/forges'
import { addressOfPages } from '#platform/config'
import type { Queryable, Tx } from '#platform/database'
import { browserAccessOf, createAddressLimiter } from '#platform/http'
import { defineRoom } from '#platform/room'
import type { CredentialRead } from '#rooms/foundation/secrets'
import { callProvider, type ReadLogin, readLogin } from './actions/call-provider.ts'
import { checkRef, readProof } from './actions/check-ref.ts'
import { failedBy } from './actions/connect-app.ts'
import { findOwnLogin } from './actions/find-own-login.ts'
import { hearDelivery, type InstallationDelivery } from './actions/hear-delivery.ts'
import { asApp } from './actions/note-app.ts'
import { gitAppProblem } from './errors.ts'
import { gitAppJobs } from './jobs.ts'
import type { Asked, Means } from './means.ts'
import { createGitAppMetrics } from './metrics.ts'
import { gitAppRoutes } from './routes/index.ts'
import type { CredentialWish } from './rules/wish.ts'
import { listApps } from './store/apps.ts'
import { keepOwnLogins } from './tokens/own-logins.ts'
import { createTokenCache } from './tokens/token-cache.ts'

export type { ReadLogin } from './actions/call-provider.ts'
export type { InstallationDelivery } from './actions/hear-delivery.ts'
export type { AboveGitApps, AppSource } from './means.ts'
export type { AppUse, CredentialWish } from './rules/wish.ts'

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
  /** The connections that call their provider by the token of this reference, in words. */
  findUsers(db: Queryable, credentialRef: string): Promise<readonly string[]>
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

/** Ways back from providers: a person makes few, whoever guesses states makes many. */
const PER_MINUTE = 60

export const gitApps = defineRoom<GitApps, Asked>({
  name: 'catalog/git-apps',
  open(kit, asked) {
    const gitAppMetrics = createGitAppMetrics(kit.metrics)
    const means: Means = {
      resolve: async (hostname) =>
        (await lookup(hostname, { all: true }).catch(() => [])).map(({ address }) => address),
      ...kit,
      ...asked,
      gitAppMetrics,
      tokens: createTokenCache({ ...kit, gitAppMetrics }),
      browsers: browserAccessOf(kit.config),
      pages: addressOfPages(kit.config),
      rate: createAddressLimiter({ perMinute: PER_MINUTE, burst: PER_MINUTE, maxKeys: 10_000, clock: kit.clock }),
    }
    const ownLogins = keepOwnLogins({ notifications: kit.database.notifications, clock: kit.clock }, (sourceId) =>
      findOwnLogin(means, sourceId),
    )
    return {
      door: {
        check: (db, ref, of) => checkRef(means, db, ref, of),
        readProof: (db, ref, teamPath) => readProof(means, db, ref, teamPath),
        call: (wish, signal, work) => callProvider(means, wish, { signal, work }),
        readLogin: (wish, signal) => readLogin(means, wish, signal),
        findUsers: async (db, credentialRef) =>
          (await listApps(db)).flatMap((app) =>
            app.credentialRef === credentialRef ? `the connection to ${app.provider}` : [],
          ),
        async listApps() {
          const rows = await listApps(kit.database.kysely)
          return rows.map(({ provider, baseUrl, sourceId }) => ({ provider, baseUrl, sourceId }))
        },
        async asApp(name, signal, work) {
          const provider = GIT_APP_PROVIDERS.find((known) => known === name)
          if (provider) return asApp(means, provider, { signal, work })
          return failedBy({ unusable: `${name} has no apps.` })
        },
        botLoginOf: (sourceId) => ownLogins.of(sourceId),
        hearDelivery: (tx, sourceId, delivery) => hearDelivery(means, tx, sourceId, delivery),
      },
      routes: gitAppRoutes(means),
      problems: [gitAppProblem],
      jobs: gitAppJobs(means),
      async close() {
        means.tokens.close()
        ownLogins.close()
      },
    }
  },
})
