import type { Means } from '../means.ts'
import type { Source } from '../rules/index.ts'

/** How the provider calls the app that a source uses; undefined: it uses none. */
export async function findOwnLogin(
  { gitApps }: Pick<Means, 'gitApps'>,
  { id, credentialRef, checkoutCredentialRef }: Source,
): Promise<string | undefined> {
  const usesApp = credentialRef.startsWith('app:') || checkoutCredentialRef?.startsWith('app:') === true
  return usesApp ? await gitApps.botLoginOf(id) : undefined
}
