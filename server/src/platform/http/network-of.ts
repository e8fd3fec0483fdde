import { isIP } from 'node:net'

const GROUPS = 8
/** Providers give each customer at least a /64 of IPv6, out of which a sender may take any address. */
const NETWORK_GROUPS = 4

/** What senders are counted by: an address of IPv4, the /64 of one of IPv6; any other text as it is. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const [seventh = 0, eighth = 0] = groups.slice(-2)
  // ::ffff:0:0/96 is IPv4 in the form of IPv6.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [seventh >> 8, seventh & 0xff, eighth >> 8, eighth & 0xff].join('.')
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

function groupsOf(address: string): number[] {
  const [plain = ''] = address.split('%')
  const [head = [], tail] = plain.split('::').map((half) => half.split(':').filter(Boolean).flatMap(readGroup))
  if (tail === undefined) return head
  return [...head, ...Array<number>(GROUPS - head.length - tail.length).fill(0), ...tail]
}

/** One group, or the two of a dotted end. */
function readGroup(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)]
  const [first = 0, second = 0, third = 0, fourth = 0] = text.split('.').map(Number)
  return [(first << 8) | second, (third << 8) | fourth]
}
