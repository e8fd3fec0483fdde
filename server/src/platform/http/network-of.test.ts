import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { networkOf } from './network-of.ts'

test('an address of IPv4 stands for itself, one of IPv6 for its /64, in whatever form it is written', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ] as const) {
    assert.equal(networkOf(address), network, address)
  }
})

test('all addresses of a /64 are one sender, and no other address is', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      const isSame = canonical(one).slice(0, 4).join() === canonical(other).slice(0, 4).join()
      const isMapped = [one, other].some((address) => /^\d+\./.test(networkOf(address)))
      return isMapped || (networkOf(one) === networkOf(other)) === isSame
    }),
  )
})

/** The groups, as the parser of addresses in URLs reads them. */
function canonical(address: string): string[] {
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail] = host.split('::').map((half) => half.split(':').filter(Boolean))
  if (tail === undefined) return head
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
