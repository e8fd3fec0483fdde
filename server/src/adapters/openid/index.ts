import type { Clock } from '#platform/time'
import { type OpenIdSettings, openProvider } from './open-id-provider.ts'
import type { OpenIdProvider } from './port.ts'

export type { OpenIdSettings } from './open-id-provider.ts'
export type {
  Begun,
  Completed,
  OpenIdAccount,
  OpenIdFailed,
  OpenIdFault,
  OpenIdProvider,
  OpenIdTransaction,
} from './port.ts'

/** The configured providers by their ids, in the order of the configuration. No provider is asked before somebody signs in. */
export function openProviders(settings: readonly OpenIdSettings[], clock: Clock): ReadonlyMap<string, OpenIdProvider> {
  return new Map(settings.map((each) => [each.id, openProvider(each, clock)]))
}
