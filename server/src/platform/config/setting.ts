import type { OptionName } from './options.ts'
import type { OptionValue } from './parse-value.ts'

export type Origin = 'default' | 'file' | 'environment' | 'unset'

export interface Setting {
  readonly name: OptionName
  readonly value: OptionValue | undefined
  readonly origin: Origin
}
