import type { AppUse, CredentialWish } from '#rooms/catalog/git-apps'
import type { Source } from './source.ts'

/** Whether a reference of a source names an app, whose tokens are of one repository each. */
export function namesApp(ref: string | null): boolean {
  return ref?.startsWith('app:') ?? false
}

/** What a call about a repository needs of the credential of its source. */
export function wishOf(
  { checkoutCredentialRef, teamPath }: Pick<Source, 'checkoutCredentialRef' | 'teamPath'>,
  call: { readonly baseUrl: string; readonly repository: string; readonly uses: readonly AppUse[] },
): CredentialWish {
  return { ref: checkoutCredentialRef, teamPath, ...call }
}
