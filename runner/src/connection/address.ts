import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { ChannelCredentials, ChannelOptions } from '@grpc/grpc-js'
import { credentials } from '@grpc/grpc-js'
import { isLoopback } from '../checkout/rules.ts'
import { describeError, RunnerError } from '../errors.ts'

export interface GatewayAddress {
  target: string
  secure: boolean
  loopback: boolean
}

const DEFAULT_PORT = '8081'

/** Reads `host:port`, `http://host:port` or `https://host:port`. TLS everywhere but on this very machine. */
export function readGatewayUrl(url: string): GatewayAddress {
  const bare = !url.includes('://')
  const refuse = (message: string) => new RunnerError('runner.url_invalid', message)
  if (!URL.canParse(bare ? `http://${url}` : url)) {
    throw refuse(`--url ${url} is not understood; write host:port or https://host:port.`)
  }
  const { protocol, hostname, port, username, password } = new URL(bare ? `http://${url}` : url)
  if (protocol !== 'http:' && protocol !== 'https:') throw refuse(`--url ${url} must begin with http:// or https://.`)
  if (username !== '' || password !== '') throw refuse('--url must not contain a user name or password.')
  const loopback = isLoopback(hostname)
  const secure = protocol === 'https:' || (bare && !loopback)
  if (!secure && !loopback)
    throw refuse(`--url ${url} is not on this machine: use https://, the runner insists on TLS.`)
  // `new URL` drops the port that is the protocol's default.
  const written = /:(\d+)\/?$/.exec(url)?.[1] ?? port
  return { target: `${hostname}:${written === '' ? DEFAULT_PORT : written}`, secure, loopback }
}

/** TLS with the system's authorities or those in `caFile`; plain text on loopback. */
export function channelCredentials(address: GatewayAddress, caFile: string | undefined): ChannelCredentials {
  if (!address.secure) return credentials.createInsecure()
  if (caFile === undefined) return credentials.createSsl()
  return credentials.createSsl(Buffer.from(readAuthorities(caFile)))
}

/**
 * Lets this whole process trust the authorities of `--ca-file` beside the system's. Files go to `base_url` over HTTPS, and
 * its certificate may be of the same authority as the gateway's.
 */
export function trustAuthorities(caFile: string | undefined): void {
  if (caFile === undefined) return
  const authorities = readAuthorities(caFile)
  try {
    setDefaultCACertificates([...getCACertificates('default'), authorities])
  } catch (error) {
    throw new RunnerError('runner.ca_file_unreadable', `--ca-file holds no certificate: ${describeError(error)}.`)
  }
}

function readAuthorities(caFile: string): string {
  try {
    return readFileSync(caFile, 'utf8')
  } catch (error) {
    throw new RunnerError('runner.ca_file_unreadable', `--ca-file cannot be read: ${describeError(error)}.`)
  }
}

/** Options of a channel that lives as long as one stream: reconnection and its pace are ours. */
export function channelOptions(address: GatewayAddress): ChannelOptions {
  return {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.max_receive_message_length': 64 * 1024 * 1024,
    'grpc.max_send_message_length': 64 * 1024 * 1024,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 5_000,
    ...(address.loopback ? { 'grpc.enable_http_proxy': 0 } : {}),
  }
}
