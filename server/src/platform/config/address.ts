import type { Config } from './read-config.ts'

/** The address of a listener; an IPv6 host stands in brackets. */
export function urlOf(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The public address for people, without a slash at its end. */
export function addressOfPages({ uiUrl, baseUrl, host, port, tlsCertificateFile }: Config): string {
  const address = uiUrl ?? baseUrl ?? urlOf(host, port, tlsCertificateFile === undefined ? 'http' : 'https')
  return address.replace(/\/+$/, '')
}
