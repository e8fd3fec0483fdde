import { SealBroken } from '#platform/crypto'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { type CredentialRef, isVisibleTo, readCredentialRef, sealContext } from '../rules.ts'
import * as store from '../store.ts'

/**
 * `values` newest first: a version and an older one while a sender is being rotated. Never empty. `versions` are
 * theirs, in the same order; a variable has none.
 */
export type CredentialRead =
  | {
      readonly values: readonly string[]
      readonly secretId: string | undefined
      readonly versions: readonly number[]
    }
  | { readonly unusable: string }

/** Reads `secret:<team path>/<name>` or `env:NAME` for something that `forTeamPath` owns. */
export async function readCredential(
  means: Means,
  db: Queryable,
  ref: string,
  forTeamPath: string,
): Promise<CredentialRead> {
  const parsed = readCredentialRef(ref)
  if (!parsed) {
    return { unusable: 'A credential reference is "secret:<team path>/<name>" or "env:NAME".' }
  }
  return parsed.kind === 'env' ? readEnv(means, parsed) : readStored(means, db, parsed, forTeamPath)
}

function readEnv(means: Means, ref: { readonly name: string }): CredentialRead {
  const value = means.config.readCredentialEnv(ref.name)
  if (value) return { values: [value], secretId: undefined, versions: [] }
  // The sentence does not tell whether the variable is absent or not allowed.
  return { unusable: `The variable ${ref.name} is not in credential_env_allowlist, or it is empty.` }
}

async function readStored(
  means: Means,
  db: Queryable,
  ref: Extract<CredentialRef, { kind: 'secret' }>,
  forTeamPath: string,
): Promise<CredentialRead> {
  const missing = {
    unusable: `There is no secret ${ref.name} of ${ref.teamPath} that ${forTeamPath} may use: a secret is visible to its own team and the teams below it.`,
  }
  if (!isVisibleTo(ref.teamPath, forTeamPath)) return missing
  const stored = await store.findStored(db, ref.teamPath, ref.name)
  if (!stored) return missing
  const opened = openVersions(means, stored)
  if (!opened)
    return { unusable: `The secret ${ref.name} of ${ref.teamPath} does not open: is secret_key the one it was?` }
  return {
    values: opened.map(({ value }) => value),
    secretId: stored.id,
    versions: opened.map(({ version }) => version),
  }
}

export interface OpenedVersion {
  readonly version: number
  readonly value: string
}

/** Undefined when the newest version does not open; an older version that does not open is left out. */
export function openVersions(means: Means, stored: store.StoredSecret): readonly OpenedVersion[] | undefined {
  const values: OpenedVersion[] = []
  for (const { version, sealed } of stored.versions) {
    try {
      values.push({ version, value: means.sealer.open(sealed, sealContext(stored.id, version)) })
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      means.log.error({ err: error, secretId: stored.id, version }, 'a stored secret does not open')
      if (values.length === 0) return undefined
    }
  }
  return values.length === 0 ? undefined : values
}
