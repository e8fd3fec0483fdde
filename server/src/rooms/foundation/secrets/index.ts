import type { Queryable, Tx } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { Teams } from '#rooms/foundation/teams'
import { type CredentialVersion, listVersions } from './actions/list-versions.ts'
import { createUseMarker } from './actions/mark-used.ts'
import { type CredentialRead, readCredential } from './actions/read-credential.ts'
import { readForRun, type SecretsForRun, type SecretWanted } from './actions/read-for-run.ts'
import { findKeyFault } from './actions/reseal-secrets.ts'
import { secretProblem } from './errors.ts'
import { secretJobs } from './jobs.ts'
import { secretRoutes } from './routes.ts'

export type { CredentialVersion } from './actions/list-versions.ts'
export type { CredentialRead } from './actions/read-credential.ts'
export type { SecretsForRun, SecretWanted } from './actions/read-for-run.ts'

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
   * place in `values` of the one that was used.
   */
  markUsed(read: CredentialRead, index?: number): void
  /** The live versions of a `credential_ref`, newest first; none for a variable and for one that is not to be used. */
  listVersions(db: Queryable, ref: string, forTeamPath: string): Promise<readonly CredentialVersion[]>
  /** Whether the configured keys open what is stored: a sentence when they do not. */
  findKeyFault(): Promise<string | undefined>
}

/** Who would fail without what the `credential_ref` names, in words. */
export type SecretUsers = (tx: Tx, credentialRef: string) => Promise<readonly string[]>

/** What rooms above this one do and answer. */
export interface AboveSecrets {
  /** After each commit of this process that changed secrets, before it is answered: what was read of them is old. */
  secretsChanged(): void
  /** A secret that has users is not deleted; asked in the transaction of the deletion. */
  readonly findUsers: SecretUsers
}

export interface SecretNeeds {
  readonly above: AboveSecrets
  readonly audit: Audit
  readonly teams: Teams
}

export const secrets = defineRoom<Secrets, SecretNeeds>({
  name: 'foundation/secrets',
  open(kit, needs) {
    const marker = createUseMarker(kit)
    return {
      door: {
        async check(db, ref, forTeamPath) {
          const read = await readCredential(kit, db, ref, forTeamPath)
          return 'unusable' in read ? read.unusable : undefined
        },
        read: (db, ref, forTeamPath) => readCredential(kit, db, ref, forTeamPath),
        async readForRun(db, wanted, teamPath, scope) {
          const read = await readForRun(kit, db, wanted, teamPath, scope)
          if (!('unusable' in read)) for (const { secretId, version } of read.used) marker.mark(secretId, version)
          return read
        },
        markUsed(read, index = 0) {
          if ('unusable' in read || read.secretId === undefined) return
          const version = read.versions[index]
          if (version !== undefined) marker.mark(read.secretId, version, index > 0)
        },
        listVersions,
        findKeyFault: () => findKeyFault(kit),
      },
      routes: secretRoutes(kit, needs, () => needs.above.secretsChanged()),
      problems: [secretProblem],
      jobs: secretJobs(kit),
      close: () => marker.settle(),
    }
  },
})
