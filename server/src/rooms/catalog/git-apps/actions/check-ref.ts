import type { Queryable } from '#platform/database'
import type { CredentialRead } from '#rooms/foundation/secrets'
import type { Means } from '../means.ts'
import { isAppRef, readAppRef } from '../rules/app-ref.ts'
import { findApp } from '../store/apps.ts'
import { mayNameApp } from './find-access.ts'
import { openKeys } from './store-keys.ts'

/** What names a reference: a source, by its team and its provider. */
export interface RefUser {
  readonly teamPath: string
  readonly provider: string
  /** Null: the provider's only address. */
  readonly baseUrl: string | null
}

/** Why a reference cannot be used; undefined when it can. */
export async function checkRef(means: Means, db: Queryable, ref: string, of: RefUser): Promise<string | undefined> {
  if (!isAppRef(ref)) return means.secrets.check(db, ref, of.teamPath)
  const provider = readAppRef(ref)
  const missing = `There is no app ${ref} at the provider of the source that ${of.teamPath} may use: an administrator registers it, and says which teams use its installations.`
  if (provider !== of.provider) return missing
  const app = await findApp(db, provider)
  const address = of.baseUrl ?? means.forges.find(of.provider)?.publicUrl
  if (!app || app.baseUrl !== address || !(await mayNameApp(means, db, app, of.teamPath))) return missing
  return undefined
}

/** The live webhook secrets of an app, newest first; of any other reference what secrets has. */
export async function readProof(means: Means, db: Queryable, ref: string, teamPath: string): Promise<CredentialRead> {
  if (!isAppRef(ref)) return means.secrets.read(db, ref, teamPath)
  const provider = readAppRef(ref)
  const app = provider && (await findApp(db, provider))
  if (!app || !(await mayNameApp(means, db, app, teamPath))) {
    return { unusable: `There is no app ${ref} that ${teamPath} may use.` }
  }
  const secrets = await openKeys(means, db, app.provider, 'webhook_secret')
  if (secrets.length === 0) {
    return {
      unusable: `The app at ${app.provider} has no webhook secret that opens: PUT it to the settings of the app.`,
    }
  }
  return { values: secrets.map(({ value }) => value), secretId: undefined, versions: [] }
}
