export { addressOfPages, urlOf } from './address.ts'
export { describeSettings } from './describe-settings.ts'
export { OPTIONS, type Option, type OptionName, type Role } from './options.ts'
export {
  type Config,
  type ConfigSources,
  ConfigWrong,
  type Origin,
  readConfig,
  readSettings,
  type Setting,
} from './read-config.ts'
