import { BlockList, isIP } from 'node:net'

/** Networks that nobody outside this machine, its link or its site can reach, and those that are nobody's. */
const INNER = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  INNER.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  // Unspecified, loopback, and IPv4 in its oldest form within IPv6.
  ['::', 96],
  // IPv4 behind a translator, and in 6to4 and Teredo: the inner address decides who is reached.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  INNER.addSubnet(network, bits, 'ipv6')
}

/**
 * Whether an address of IPv4 or IPv6 may be reached over the internet. `::ffff:127.0.0.1` is judged as IPv4. Any other
 * text is no address, and not reachable.
 */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.replace(/^\[(.*)\]$/, '$1').split('%')
  const version = isIP(plain)
  return version !== 0 && !INNER.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}
