import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readAbsolutePath } from '@signalbox/contracts/repository'
import { parse } from 'yaml'
import { OPTIONS, type Option, type OptionName, ROLES, type Role } from './options.ts'
import { type OptionValue, parseValue } from './parse-value.ts'

/** The whole configuration, parsed once and frozen; a room gets the slice that it names. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly tlsCertificateFile: string | undefined
  readonly tlsKeyFile: string | undefined
  readonly runnerHost: string
  readonly runnerPort: number
  readonly runnerTlsCert: string | undefined
  readonly runnerTlsKey: string | undefined
  readonly baseUrl: string | undefined
  readonly uiUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** Absolute. */
  readonly dataDir: string
  readonly minFreeDisk: number
  readonly databaseUrl: string | undefined
  readonly databasePoolSize: number
  readonly secretKey: string | undefined
  readonly secretKeyLost: boolean
  readonly bootstrapAdminToken: string | undefined
  readonly eventSigningSecret: string | undefined
  readonly credentialEnvAllowlist: readonly string[]
  readonly metricsRequireAuth: boolean
  readonly webhookBodyLimit: number
  readonly bodyLimit: number
  readonly providerHosts: readonly string[]
  /** Absolute and plainly written, without a slash at the end. */
  readonly localRepositories: readonly string[]
  readonly deliveryRetentionDays: number
  readonly deliveryRecordRetentionDays: number
  readonly logLimitLines: number
  readonly logLimitBytes: number
  readonly logRetentionDays: number
  readonly objectStore: string
  readonly s3Endpoint: string | undefined
  readonly s3Region: string
  readonly s3AccessKeyId: string | undefined
  readonly s3SecretAccessKey: string | undefined
  readonly artifactRetentionDays: number
  readonly artifactQuotaMb: number
  readonly cacheRetentionDays: number
  readonly cacheQuotaMb: number
  readonly leaseSeconds: number
  readonly heartbeatSeconds: number
  readonly cancelGraceSeconds: number
  readonly shutdownGraceSeconds: number
  readonly roles: ReadonlySet<Role>
  readonly logLevel: string
  readonly logPretty: boolean
  readonly servicePlatformId: string
  readonly failPoint: string | undefined
  /** The folders in which programs such as git are looked for: PATH. */
  readonly searchPath: string
  /** Reads a variable that `credential_env_allowlist` names; undefined for any other. */
  readonly readCredentialEnv: (name: string) => string | undefined
}

/** One line that names the key; the start stops with it. */
export class ConfigWrong extends Error {
  override readonly name = 'ConfigWrong'
  readonly code = 'config.wrong'
}

const DELIVERY_RECORD_DAYS = 90

export type Origin = 'default' | 'file' | 'environment' | 'unset'

export interface Setting {
  readonly name: OptionName
  readonly value: OptionValue | undefined
  readonly origin: Origin
}

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
        value: option.type === 'list' ? [] : undefined,
        origin: option.type === 'list' ? 'default' : 'unset',
      }
    }
    return { name, value: parse1(option, option.default, name), origin: 'default' }
  })
}

/** Parses environment and signalbox.yaml into the frozen Config; the environment wins. */
export function readConfig(sources: ConfigSources): Config {
  const byName = new Map(readSettings(sources).map((setting) => [setting.name, setting.value]))
  const text = (name: OptionName): string | undefined => {
    const value = byName.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const number = (name: OptionName): number => Number(byName.get(name))
  const list = (name: OptionName): readonly string[] => {
    const value = byName.get(name)
    return Array.isArray(value) ? value : []
  }
  const host = text('host') ?? '127.0.0.1'
  const allowed = new Set(list('credential_env_allowlist'))
  return Object.freeze({
    host,
    port: number('port'),
    tlsCertificateFile: text('tls_certificate_file'),
    tlsKeyFile: text('tls_key_file'),
    runnerHost: text('runner_host') ?? host,
    runnerPort: number('runner_port'),
    runnerTlsCert: text('runner_tls_cert'),
    runnerTlsKey: text('runner_tls_key'),
    baseUrl: text('base_url'),
    uiUrl: text('ui_url'),
    trustedProxies: readNetworks(list('trusted_proxies')),
    dataDir: resolve(sources.cwd, text('data_dir') ?? '.signalbox'),
    minFreeDisk: number('min_free_disk'),
    databaseUrl: text('database_url'),
    databasePoolSize: number('database_pool_size'),
    secretKey: text('secret_key'),
    secretKeyLost: byName.get('secret_key_lost') === true,
    bootstrapAdminToken: text('bootstrap_admin_token'),
    eventSigningSecret: text('event_signing_secret'),
    credentialEnvAllowlist: list('credential_env_allowlist'),
    metricsRequireAuth: byName.get('metrics_require_auth') === true,
    webhookBodyLimit: number('webhook_body_limit'),
    bodyLimit: number('body_limit'),
    providerHosts: readHosts(list('provider_hosts')),
    localRepositories: readFolders(list('local_repositories')),
    deliveryRetentionDays: number('delivery_retention_days'),
    deliveryRecordRetentionDays: readRecordDays(
      byName.get('delivery_record_retention_days'),
      number('delivery_retention_days'),
    ),
    logLimitLines: number('log_limit_lines'),
    logLimitBytes: number('log_limit_bytes'),
    logRetentionDays: number('log_retention_days'),
    objectStore: text('object_store') ?? 'folder',
    s3Endpoint: text('s3_endpoint'),
    s3Region: text('s3_region') ?? 'us-east-1',
    s3AccessKeyId: text('s3_access_key_id'),
    s3SecretAccessKey: text('s3_secret_access_key'),
    artifactRetentionDays: number('artifact_retention_days'),
    artifactQuotaMb: number('artifact_quota_mb'),
    cacheRetentionDays: number('cache_retention_days'),
    cacheQuotaMb: number('cache_quota_mb'),
    leaseSeconds: number('lease_seconds'),
    heartbeatSeconds: number('heartbeat_seconds'),
    cancelGraceSeconds: number('cancel_grace_seconds'),
    shutdownGraceSeconds: number('shutdown_grace_seconds'),
    roles: readRoles(list('roles')),
    logLevel: text('log_level') ?? 'info',
    logPretty: typeof byName.get('log_pretty') === 'boolean' ? byName.get('log_pretty') === true : sources.isTerminal,
    servicePlatformId: text('service_platform_id') ?? 'signalbox',
    failPoint: text('fail_point'),
    searchPath: sources.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    readCredentialEnv: (name: string) => (allowed.has(name) ? sources.env[name] : undefined),
  })
}

function optionNames(): OptionName[] {
  return Object.keys(OPTIONS).filter((name): name is OptionName => name in OPTIONS)
}

function parse1(option: Option, raw: unknown, shownName: string): OptionValue {
  const parsed = parseValue(option, raw)
  if ('wrong' in parsed)
    throw new ConfigWrong(`${shownName} ${parsed.wrong}${option.secret ? '' : ` (it is "${String(raw)}")`}.`)
  return parsed.value
}

function readRecordDays(days: OptionValue | undefined, payloads: number): number {
  if (typeof days !== 'number') return Math.max(DELIVERY_RECORD_DAYS, payloads)
  if (days >= payloads) return days
  throw new ConfigWrong(
    `delivery_record_retention_days (${days}) must be at least delivery_retention_days (${payloads}): a payload is found by its record.`,
  )
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
