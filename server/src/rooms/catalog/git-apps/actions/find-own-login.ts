import type { Means } from '../means.ts'
import { findAppOfSource } from '../store/apps.ts'

/** How the provider calls the app whose deliveries come to the source. */
export async function findOwnLogin(
  { database }: Pick<Means, 'database'>,
  sourceId: string,
): Promise<string | undefined> {
  const app = await findAppOfSource(database.kysely, sourceId)
  if (!app) return undefined
  // Of a connection by a token the id is the login of its account.
  if (app.credentialRef !== null) return app.appId
  return app.slug === null ? undefined : `${app.slug}[bot]`
}
