import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { GIT_APP_PROVIDERS, type GitAppProvider } from '@signalbox/contracts/git-apps'
import { readAbsolutePath } from '@signalbox/contracts/repository'
import { parse } from 'yaml'
import { ConfigWrong } from './config-wrong.ts'
import { type DescribedSetting, describeSettings } from './describe-settings.ts'
import { isList, type OptionValues, readValues } from './option-values.ts'
import { OPTIONS, type Option, type OptionName, ROLES, type Role } from './options.ts'
import { type OptionValue, parseValue } from './parse-value.ts'
import type { Setting } from './setting.ts'
import { readSignInProviders } from './sign-in-providers.ts'

/** The whole configuration, parsed once and frozen; a room gets the slice that it names. */
export type Config = Readonly<ReturnType<typeof complete>> & {
  /** Each option as it was given, without secrets, for those who ask what is in force. */
  readonly described: readonly DescribedSetting[]
}

const DELIVERY_RECORD_DAYS = 90

export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Path of signalbox.yaml; default: in the working directory, if it is there. */
  readonly file?: string
  readonly isTerminal: boolean
}

/** Every option with its value and where it came from. Throws ConfigWrong on an unknown or malformed key. */
export function readSettings(sources: ConfigSources): Setting[] {
  const file = readFile(sources)
  return optionNames().map((name): Setting => {
    const option: Option = OPTIONS[name]
    const envName = name.toUpperCase()
    const fromEnv = sources.env[envName]
    if (fromEnv !== undefined && fromEnv !== '')
      return { name, value: parse1(option, fromEnv, envName), origin: 'environment' }
    const fromFile = file[name]
    if (fromFile !== undefined && fromFile !== null)
      return { name, value: parse1(option, fromFile, name), origin: 'file' }
    if (option.default === undefined || option.default === '') {
      return {
        name,
        value: isList(option) ? [] : undefined,
        origin: isList(option) ? 'default' : 'unset',
      }
    }
    return { name, value: parse1(option, option.default, name), origin: 'default' }
  })
}

/** Parses environment and signalbox.yaml into the frozen Config; the environment wins. */
export function readConfig(sources: ConfigSources): Config {
  const settings = readSettings(sources)
  return Object.freeze({ ...complete(readValues(settings), sources), described: describeSettings(settings) })
}

/**
 * Applies the rules that the options alone cannot say: defaults that depend on others, and checks of single entries.
 */
function complete(values: OptionValues, { cwd, env, isTerminal }: ConfigSources) {
  const allowed = new Set(values.credentialEnvAllowlist)
  return {
    ...values,
    runnerHost: values.runnerHost ?? values.host,
    trustedProxies: readNetworks(values.trustedProxies),
    /** Absolute. */
    dataDir: resolve(cwd, values.dataDir),
    providerHosts: readHosts(values.providerHosts),
    forgeProvider: readForgeProvider(values.forgeProvider),
    mcpConfirmation: readConfirmation(values.mcpConfirmation),
    /** Absolute and plainly written, without a slash at the end. */
    localRepositories: readFolders(values.localRepositories),
    deliveryRecordRetentionDays: readRecordDays(values.deliveryRecordRetentionDays, values.deliveryRetentionDays),
    ...readSignIn(values, cwd),
    roles: readRoles(values.roles),
    logPretty: values.logPretty ?? isTerminal,
    /** The folders in which programs such as git are looked for: PATH. */
    searchPath: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    /** Reads a variable that `credential_env_allowlist` names; undefined for any other. */
    readCredentialEnv: (name: string): string | undefined => (allowed.has(name) ? env[name] : undefined),
  }
}

function optionNames(): OptionName[] {
  return Object.keys(OPTIONS).filter((name): name is OptionName => name in OPTIONS)
}

function parse1(option: Option, raw: unknown, shownName: string): OptionValue {
  const parsed = parseValue(option, raw)
  if ('wrong' in parsed)
    throw new ConfigWrong(
      `${shownName} ${parsed.wrong}${option.secret || option.secretKeys ? '' : ` (it is "${String(raw)}")`}.`,
    )
  return parsed.value
}

function readRecordDays(days: number | undefined, payloads: number): number {
  if (days === undefined) return Math.max(DELIVERY_RECORD_DAYS, payloads)
  if (days >= payloads) return days
  throw new ConfigWrong(
    `delivery_record_retention_days (${days}) must be at least delivery_retention_days (${payloads}): a payload is found by its record.`,
  )
}

function readSignIn({ signInProviders, passwordSignIn }: OptionValues, cwd: string) {
  const providers = readSignInProviders(signInProviders, cwd)
  if (!passwordSignIn && providers.length === 0) {
    throw new ConfigWrong('password_sign_in is false and sign_in_providers is empty: nobody could sign in.')
  }
  return { signInProviders: providers, passwordSignIn }
}

function readRoles(names: readonly string[]): ReadonlySet<Role> {
  const roles = new Set<Role>()
  for (const name of names) {
    const role = ROLES.find((known) => known === name)
    if (!role) throw new ConfigWrong(`roles names "${name}", which is none of ${ROLES.join(', ')}.`)
    roles.add(role)
  }
  if (roles.size === 0) throw new ConfigWrong(`roles is empty: name at least one of ${ROLES.join(', ')}.`)
  return roles
}

function readNetworks(items: readonly string[]): readonly string[] {
  for (const item of items) {
    const [address = '', bits] = item.split('/')
    const named = ['loopback', 'linklocal', 'uniquelocal'].includes(item)
    const valid = isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= 128))
    if (!named && !valid) throw new ConfigWrong(`trusted_proxies names "${item}", which is no address or network.`)
  }
  return items
}

function readHosts(items: readonly string[]): readonly string[] {
  for (const item of items) {
    const address = `https://${item}`
    if (URL.canParse(address) && new URL(address).host === item.toLowerCase()) continue
    throw new ConfigWrong(
      `provider_hosts names "${item}", which is no host: write git.example.com, or git.example.com:8443 for one port.`,
    )
  }
  return items
}

function readForgeProvider(name: string): GitAppProvider {
  const provider = GIT_APP_PROVIDERS.find((known) => known === name)
  if (provider) return provider
  throw new ConfigWrong(`forge_provider is "${name}", which is none of ${GIT_APP_PROVIDERS.join(', ')}.`)
}

function readConfirmation(who: string): 'agent' | 'person' {
  if (who === 'agent' || who === 'person') return who
  throw new ConfigWrong(`mcp_confirmation is "${who}", which is neither agent nor person.`)
}

function readFolders(items: readonly string[]): readonly string[] {
  return items.map((item) => {
    const folder = readAbsolutePath(item)
    if (folder !== undefined) return folder
    throw new ConfigWrong(
      `local_repositories names "${item}", which is no plain absolute folder: write /srv/git, without ".", ".." and "*".`,
    )
  })
}

function readFile(sources: ConfigSources): Readonly<Record<string, unknown>> {
  const path = sources.file ?? resolve(sources.cwd, 'signalbox.yaml')
  if (!existsSync(path)) {
    if (sources.file) throw new ConfigWrong(`The configuration file ${path} does not exist.`)
    return {}
  }
  let document: unknown
  try {
    document = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigWrong(
      `${path} is not valid YAML: ${error instanceof Error ? error.message.split('\n')[0] : 'unreadable'}`,
    )
  }
  if (document === null || document === undefined) return {}
  if (typeof document !== 'object' || Array.isArray(document))
    throw new ConfigWrong(`${path} must hold keys and values.`)
  const values: Record<string, unknown> = { ...document }
  for (const key of Object.keys(values)) {
    if (!(key in OPTIONS))
      throw new ConfigWrong(
        `${path} has an unknown key "${key}". docs/operations/configuration.md lists the known ones.`,
      )
  }
  return values
}
