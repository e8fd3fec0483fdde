const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The addresses of the service. */
export interface Site {
  /** Such as https://ci.example.com. */
  readonly origins: readonly string[]
  /** The service listens on loopback only, where any page can reach it by a name that it made resolve there. */
  readonly isLocal: boolean
}

/**
 * Why a request comes from a page that is not ours, in one sentence; undefined where it may go on. Programs send no Origin.
 * On loopback the Host must be one of ours too: else a page elsewhere could name this machine as its own host.
 */
export function findForeignSite(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { origins, isLocal }: Site,
): string | undefined {
  const { origin, host } = headers
  if (origin !== undefined && !isOurOrigin(String(origin), origins, isLocal)) {
    return 'Pages of other sites may not call this endpoint. Programs send no Origin.'
  }
  if (!isLocal || isOurHost(String(host ?? ''), origins)) return undefined
  return 'The Host of the request is not the address of this service: set base_url to the address that you use.'
}

function isOurOrigin(origin: string, origins: readonly string[], isLocal: boolean): boolean {
  if (origins.includes(origin)) return true
  return isLocal && URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname)
}

function isOurHost(host: string, origins: readonly string[]): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return LOOPBACK.test(hostname) || origins.some((origin) => new URL(origin).hostname === hostname)
}
