import type { WebhookSource, WebhookSourceDocument, WebhookSourcePatch } from '@signalbox/contracts/sources'
import { type CountedSource, presentSource } from '../actions/find-source.ts'
import type { NewSource, SourceChange } from '../actions/write-source.ts'
import type { Means } from '../means.ts'
import { DEFAULT_RATE_PER_MINUTE, notesOf, payloadUrlOf } from '../rules/index.ts'

/** To wire. Only the configuration knows the address that providers reach: a listener's is often another one. */
export function writeDocument({ config: { baseUrl }, forges }: Means, counted: CountedSource): WebhookSource {
  const { source } = counted
  const payloadUrl = payloadUrlOf(baseUrl, source.id) ?? null
  const forge = forges.find(source.provider)
  const provider = forge && { title: forge.title, pausesAfter: forge.webhooks.pausesAfter }
  return { ...presentSource(counted), payload_url: payloadUrl, notes: notesOf(source, provider) }
}

/** From wire, with defaults for omitted fields. */
export function readDocument(body: WebhookSourceDocument): NewSource {
  return {
    name: body.name,
    provider: body.provider,
    enabled: body.enabled ?? true,
    teamPath: body.team_path,
    visibility: body.visibility ?? 'private',
    authMode: body.auth_mode,
    credentialRef: body.credential_ref,
    baseUrl: body.base_url ?? null,
    checkoutCredentialRef: body.checkout_credential_ref ?? null,
    readRepository: body.read_repository ?? false,
    reportStatus: body.report_status ?? false,
    commentCommands: body.comment_commands ?? false,
    repositoryAllowlist: body.repository_allowlist,
    rateLimitPerMinute: body.rate_limit?.per_minute ?? DEFAULT_RATE_PER_MINUTE,
    acknowledgeUnmapped: body.acknowledge_unmapped ?? false,
  }
}

/** From wire; omitted fields stay as they are. */
export function readPatch(body: WebhookSourcePatch): SourceChange {
  return {
    name: body.name,
    provider: body.provider,
    enabled: body.enabled,
    teamPath: body.team_path,
    visibility: body.visibility,
    authMode: body.auth_mode,
    credentialRef: body.credential_ref,
    baseUrl: body.base_url,
    checkoutCredentialRef: body.checkout_credential_ref,
    readRepository: body.read_repository,
    reportStatus: body.report_status,
    commentCommands: body.comment_commands,
    repositoryAllowlist: body.repository_allowlist,
    rateLimitPerMinute: body.rate_limit?.per_minute,
    acknowledgeUnmapped: body.acknowledge_unmapped,
  }
}
