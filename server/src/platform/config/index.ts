export { addressOfApi, addressOfPages, addressOfRunners, urlOf } from './address.ts'
export { ConfigWrong } from './config-wrong.ts'
export { describeSettings } from './describe-settings.ts'
export { OPTIONS, type Option, type OptionName, type Role } from './options.ts'
export {
  type Config,
  type ConfigSources,
  type Origin,
  readConfig,
  readSettings,
  type Setting,
} from './read-config.ts'
export { type SignInProvider } from './sign-in-providers.ts'
