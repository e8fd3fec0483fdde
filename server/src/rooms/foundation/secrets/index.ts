import type { Queryable } from '#platform/database'
import { prefixesOf } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { listVersions } from './actions/get-secret.ts'
import { createUseMarker } from './actions/mark-used.ts'
import { type CredentialRead, readCredential } from './actions/read-credential.ts'
import { readForRun, type SecretsForRun, type SecretWanted } from './actions/read-for-run.ts'
import { findKeyFault } from './actions/reseal-secrets.ts'
import { secretProblem } from './errors.ts'
import { secretJobs } from './jobs.ts'
import type { Means } from './means.ts'
import { secretRoutes } from './routes.ts'
import { type LiveVersion, searchSecrets } from './store.ts'

export type { CredentialRead } from './actions/read-credential.ts'
export type { SecretsForRun, SecretWanted } from './actions/read-for-run.ts'
export type { AboveSecrets, SecretUsers } from './means.ts'
export type { LiveVersion } from './store.ts'

export interface Secrets {
  /** Why a `credential_ref` cannot be used by something that `forTeamPath` owns; undefined when it can. */
  check(db: Queryable, ref: string, forTeamPath: string): Promise<string | undefined>
  /** The live values of a `credential_ref`, newest first. Does not note the use: see `markUsed`. */
  read(db: Queryable, ref: string, forTeamPath: string): Promise<CredentialRead>
  /** The values that a run's tasks need, by their names in the environment; notes the use. */
  readForRun(
    db: Queryable,
    wanted: readonly SecretWanted[],
    teamPath: string,
    scope: string | undefined,
  ): Promise<SecretsForRun>
  /**
   * Notes the use of what `read` gave, at most once a minute per version and never in the caller's way. `index` is the
   * place of the used value in `values`.
   */
  markUsed(read: CredentialRead, index?: number): void
  /** The live versions of a `credential_ref`, newest first; none for a variable and for a secret that the team may not use. */
  listVersions(db: Queryable, ref: string, forTeamPath: string): Promise<readonly LiveVersion[]>
  /** Whether the configured keys open what is stored: a sentence when they do not. */
  findKeyFault(): Promise<string | undefined>
}

export const secrets = defineRoom<Secrets, Doors<Means>>({
  name: 'foundation/secrets',
  open(kit, needs) {
    const means: Means = { ...kit, ...needs }
    const marker = createUseMarker(means)
    return {
      door: {
        async check(db, ref, forTeamPath) {
          const read = await readCredential(means, db, ref, forTeamPath)
          return 'unusable' in read ? read.unusable : undefined
        },
        read: (db, ref, forTeamPath) => readCredential(means, db, ref, forTeamPath),
        async readForRun(db, wanted, teamPath, scope) {
          const read = await readForRun(means, db, wanted, { teamPath, scope })
          if (!('unusable' in read)) for (const { secretId, version } of read.used) marker.mark(secretId, version)
          return read
        },
        markUsed(read, index = 0) {
          if ('unusable' in read || read.secretId === undefined) return
          const version = read.versions[index]
          if (version !== undefined) marker.mark(read.secretId, version, index > 0)
        },
        listVersions,
        findKeyFault: () => findKeyFault(means),
      },
      routes: secretRoutes(means),
      searches: [
        {
          kind: 'secret',
          find: (caller, wish) =>
            searchSecrets(kit.database.kysely, prefixesOf(caller, 'secret.read', wish.within), wish),
        },
      ],
      problems: [secretProblem],
      jobs: secretJobs(means),
      close: () => marker.settle(),
    }
  },
})
