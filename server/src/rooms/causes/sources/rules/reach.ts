/** From where an address is reached, as far as its own text tells. */
type Reach = 'machine' | 'network' | 'everywhere'

const MACHINE = /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0(?:\.\d+){3}|\[::1?\])$/
const NETWORK =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}|\[f[cd][^\]]*\]|\[fe[89ab][^\]]*\]|[^.:[\]]+|.*\.(?:local|internal|lan|home\.arpa))$/
/** Public names that nobody runs in a network of one's own. */
const PUBLIC_PROVIDERS =
  /^(?:github\.com|.*\.ghe\.com|gitlab\.com|bitbucket\.org|dev\.azure\.com|.*\.visualstudio\.com|codeberg\.org|gitea\.com)$/

function reachOf(address: string): Reach {
  const hostname = plain(new URL(address).hostname)
  if (MACHINE.test(hostname)) return 'machine'
  return NETWORK.test(hostname) ? 'network' : 'everywhere'
}

/** An IPv4 address in IPv6 (`[::ffff:7f00:1]`, as URL writes it) as the IPv4 one; no dot at the end of a name. */
function plain(hostname: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (high === undefined || low === undefined) return hostname.replace(/\.$/, '')
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/**
 * Whether the provider may reach the address `own`. Names of a network of one's own cannot be told from others: only what can
 * never be reached is refused.
 */
export function isNear(own: string, provider: string, publicUrl: string | null): boolean {
  const there = reachOf(provider)
  switch (reachOf(own)) {
    case 'everywhere':
      return true
    case 'network':
      return !(provider === publicUrl || PUBLIC_PROVIDERS.test(plain(new URL(provider).hostname)))
    case 'machine':
      return there === 'machine'
  }
}

export function describeReach(own: string): string {
  return reachOf(own) === 'machine' ? 'an address of this machine only' : 'an address of a private network'
}
