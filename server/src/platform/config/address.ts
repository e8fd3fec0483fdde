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

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
