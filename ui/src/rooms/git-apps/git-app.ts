import { gitAppRoutes, installationRoutes } from '@signalbox/contracts/git-apps/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'

type Answered = SuccessOf<typeof gitAppRoutes.getGitApp>
/** An app that is registered, or a connection by token: the answer is an empty document where there is none. */
export type App = Answered & Required<Pick<Answered, 'provider' | 'app_id'>>
export type AppKey = NonNullable<Answered['keys']>[number]
export type Diagnosis = SuccessOf<typeof gitAppRoutes.diagnoseGitApp>
export type DoctorStep = Diagnosis['steps'][number]
export type Installation = ItemOf<typeof installationRoutes.listInstallations>
export type ConnectedRepository = ItemOf<typeof installationRoutes.listConnectedRepositories>

/** What a write to an app or an installation makes old. */
export const CHANGES = [gitAppRoutes.getGitApp, installationRoutes.listInstallations]

export function appOf(answered: Answered | undefined): App | undefined {
  const { provider, app_id } = answered ?? {}
  return provider === undefined || app_id === undefined ? undefined : { ...answered, provider, app_id }
}

/** Whom the person sees at the provider. */
export function nameOfInstallation({ account, installation_id }: Installation): string {
  return account ?? installation_id
}
