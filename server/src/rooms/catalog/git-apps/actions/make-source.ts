import type { Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { Means } from '../means.ts'
import type { AppRow } from '../store/apps.ts'

/** Every repository that the installations have: which of them a trigger may use, the teams of installations say. */
const ALL = ['**']

/** Makes the source that takes the deliveries of the app; answers its id. The app has a team, and its secret is stored. */
export async function makeSource(means: Means, tx: Tx, origin: RequestOrigin, app: AppRow): Promise<string> {
  const { provider, teamPath, baseUrl, slug } = app
  const id = app.sourceId ?? means.ids.next()
  const isPublic = means.forges.find(provider)?.publicUrl === baseUrl
  await means.above.createAppSource(tx, origin, {
    id,
    name: slug === null ? `${provider} app` : `${provider} app ${slug}`.slice(0, 100),
    provider,
    baseUrl: isPublic ? null : baseUrl,
    teamPath: teamPath ?? '',
    repositoryAllowlist: ALL,
  })
  return id
}
