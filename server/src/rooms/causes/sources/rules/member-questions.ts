import type { Source } from './source.ts'

/** The facts that decide whether a provider can tell who may write. */
interface AskedForge {
  readonly title: string
  readonly repositories: { readonly findPermission: object | null } | null
}

/**
 * Why the provider of a source cannot be asked who may write to a repository, and what to do, as sentences; undefined: it
 * can. The API answers no stranger, so that it needs a credential.
 */
export function whyMembersUnasked(
  { checkoutCredentialRef }: Source,
  { title, repositories }: AskedForge,
): string | undefined {
  if (!repositories?.findPermission) {
    return `${title} has no API that tells it: name logins in commenters of the trigger.`
  }
  if (checkoutCredentialRef !== null) return undefined
  return `Set checkout_credential_ref of the source to a credential that may ask ${title}, or name logins in commenters of the trigger.`
}
