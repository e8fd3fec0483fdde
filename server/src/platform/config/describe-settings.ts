import { OPTIONS, type Option } from './options.ts'
import type { Origin, Setting } from './read-config.ts'

const HIDDEN = '(hidden)'

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
      value: secret && value !== undefined ? HIDDEN : withoutSecrets(option, value ?? null),
      origin,
      default: option.default ?? null,
      type: option.type,
      secret,
      text: option.text,
    }
  })
}

function withoutSecrets({ secretKeys = [] }: Option, value: unknown): unknown {
  if (secretKeys.length === 0 || !Array.isArray(value)) return value
  return value.map((entry: unknown) => {
    // The fault of an entry that is no object is told at the start; until then it may be a secret.
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return HIDDEN
    return Object.fromEntries(
      Object.entries(entry).map(([key, held]) => [key, secretKeys.includes(key) ? HIDDEN : held]),
    )
  })
}
