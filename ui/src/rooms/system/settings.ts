import type { aboutRoutes } from '@signalbox/contracts/about/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'

export type Setting = ItemOf<typeof aboutRoutes.listSettings>

export const ORIGINS: Readonly<Record<Setting['origin'], string>> = {
  environment: 'environment',
  file: 'signalbox.yaml',
  default: 'default',
  unset: 'not set',
}

/** What the page of the settings shows, as it stands in the address. */
export interface SettingsAddress {
  readonly q?: string | undefined
  readonly given?: boolean | undefined
}

export function readSettingsAddress(search: Readonly<Record<string, unknown>>): SettingsAddress {
  const { q, given } = search
  return { ...(typeof q === 'string' && q !== '' ? { q } : {}), ...(given === true ? { given } : {}) }
}

/** The settings that hold each of the words in name or meaning; with `given` only those that somebody set. */
export function filterSettings(settings: readonly Setting[], words: string, given: boolean): readonly Setting[] {
  const wanted = words.toLowerCase().split(/\s+/)
  return settings
    .filter(({ origin }) => !given || origin === 'environment' || origin === 'file')
    .filter(({ name, text }) => wanted.every((word) => `${name} ${text}`.toLowerCase().includes(word)))
}
