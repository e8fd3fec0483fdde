import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { isUsableIn, isVisibleTo, readSecretPath } from '../rules.ts'
import * as store from '../store.ts'
import { openVersions } from './read-credential.ts'

/** A secret that a pipeline names: its name in the task's environment, and `<team path>/<secret name>`. */
export interface SecretWanted {
  readonly name: string
  readonly path: string
}

/** The team of the run that wants the secrets, and its scope. */
export interface PlaceOfRun {
  readonly teamPath: string
  readonly scope: string | undefined
}

export interface UsedVersion {
  readonly secretId: string
  readonly version: number
}

export type SecretsForRun =
  | { readonly values: Readonly<Record<string, string>>; readonly used: readonly UsedVersion[] }
  /** A sentence, and the name in the environment. */
  | { readonly unusable: string; readonly name: string }

/** The newest value of each secret; `unusable` says why the first refused secret is refused. */
export async function readForRun(
  means: Means,
  db: Queryable,
  wanted: readonly SecretWanted[],
  { teamPath, scope }: PlaceOfRun,
): Promise<SecretsForRun> {
  const values: Record<string, string> = {}
  const used: UsedVersion[] = []
  for (const { name, path } of wanted) {
    const parsed = readSecretPath(path)
    const visible = parsed !== undefined && isVisibleTo(parsed.teamPath, teamPath)
    const stored = visible ? await store.findStored(db, parsed.teamPath, parsed.name) : undefined
    if (!stored) return { name, unusable: `The secret ${path} does not exist, or ${teamPath} may not use it.` }
    if (!isUsableIn({ teamPath: parsed?.teamPath ?? '', environments: stored.environments }, scope)) {
      const where = scope === undefined ? 'without an environment' : `in the scope ${scope}`
      return { name, unusable: `The secret ${path} may not be used ${where}.` }
    }
    const [newest] = openVersions(means, stored) ?? []
    if (newest === undefined)
      return { name, unusable: `The secret ${path} does not open: is secret_key the one it was?` }
    values[name] = newest.value
    used.push({ secretId: stored.id, version: newest.version })
  }
  return { values, used }
}
