import { OPTIONS, type Option } from './options.ts'
import type { Origin, Setting } from './read-config.ts'

/** One option for `signalbox config`: everything about it, a secret's value hidden. */
export interface DescribedSetting {
  readonly name: string
  readonly value: unknown
  readonly origin: Origin
  readonly default: unknown
  readonly type: string
  readonly secret: boolean
  readonly text: string
}

export function describeSettings(settings: readonly Setting[]): DescribedSetting[] {
  return settings.map(({ name, value, origin }) => {
    const option: Option = OPTIONS[name]
    const secret = option.secret === true
    return {
      name,
      value: secret && value !== undefined ? '(hidden)' : (value ?? null),
      origin,
      default: option.default ?? null,
      type: option.type,
      secret,
      text: option.text,
    }
  })
}
