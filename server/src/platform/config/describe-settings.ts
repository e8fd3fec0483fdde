import { OPTIONS, type Option } from './options.ts'
import type { Origin, Setting } from './setting.ts'

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
      value: secret && value !== undefined ? HIDDEN : withoutCredentials(withoutSecrets(option, value ?? null)),
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

/** Up to the last @, so that a password with a slash or an @ of its own is hidden whole. */
const USER_OF_ADDRESS = /(:\/\/)\S*@/g

/** The value without the user and password of each address in it. */
function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(USER_OF_ADDRESS, `$1${HIDDEN}@`)
  if (Array.isArray(value)) return value.map(withoutCredentials)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutCredentials(held)]))
}
