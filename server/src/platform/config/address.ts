import type { Config } from './read-config.ts'

/** The address of a listener; an IPv6 host stands in brackets. */
export function urlOf(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The public address of the API, without a slash at its end. */
export function addressOfApi({ baseUrl, host, port, tlsCertificateFile }: Config): string {
  return withoutSlash(baseUrl ?? urlOf(host, port, tlsCertificateFile === undefined ? 'http' : 'https'))
}

/** The public address for people, without a slash at its end. */
export function addressOfPages(config: Config): string {
  return withoutSlash(config.uiUrl ?? addressOfApi(config))
}

/** The address that a runner is told, as its `--url` takes it. A bare host means TLS everywhere but on loopback. */
export function addressOfRunners(config: Config): string {
  if (config.runnerUrl !== undefined) return withoutSlash(config.runnerUrl)
  return `${new URL(addressOfApi(config)).hostname}:${config.runnerPort}`
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
