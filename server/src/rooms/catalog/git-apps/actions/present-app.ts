import type { GitApp } from '@signalbox/contracts/git-apps'
import { toWireTime } from '#platform/time'
import { webhookUrlOf } from '../rules/manifest.ts'
import type { FoundApp } from './find-app.ts'

/** The settings as they are sent and audited: fingerprints of keys, and no key. */
export function presentApp({ row, keys }: FoundApp): GitApp {
  const { publicUrl, sourceId } = row
  return {
    provider: row.provider,
    app_id: row.appId,
    slug: row.slug,
    name: row.name,
    base_url: row.baseUrl,
    html_url: row.htmlUrl,
    account: row.account,
    team_path: row.teamPath,
    has_private_key: keys.some(({ kind }) => kind === 'private_key'),
    webhook_configured: sourceId !== null && keys.some(({ kind }) => kind === 'webhook_secret'),
    source_id: sourceId,
    webhook_url: sourceId === null || publicUrl === null ? null : webhookUrlOf(publicUrl, sourceId),
    credential_ref: row.credentialRef,
    permissions: { ...row.permissions },
    events: [...row.events],
    keys: keys.map(({ kind, fingerprint, createdAt }) => ({ kind, fingerprint, created_at: toWireTime(createdAt) })),
    updated_at: toWireTime(row.updatedAt),
  }
}
