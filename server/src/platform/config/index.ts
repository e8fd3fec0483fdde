export { addressOfApi, addressOfPages, addressOfRunners, urlOf } from './address.ts'
export { ConfigWrong } from './config-wrong.ts'
export { type DescribedSetting, describeSettings } from './describe-settings.ts'
export { OPTIONS, type Option, type OptionName, type Role } from './options.ts'
export { type BaseUrl, readBaseUrl } from './provider-address.ts'
export {
  type Config,
  type ConfigSources,
  readConfig,
  readSettings,
} from './read-config.ts'
export { type Origin, type Setting } from './setting.ts'
export { type SignInProvider } from './sign-in-providers.ts'
