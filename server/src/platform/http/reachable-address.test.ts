import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './reachable-address.ts'

test('an address of this machine, its link or its site is not public, however it is written', () => {
  const inner = [
    '127.0.0.1',
    '127.255.0.3',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1%eth0',
    'ff02::1',
  ]
  for (const address of inner) assert.equal(isPublicAddress(address), false, address)
})

test('an address of the internet is public', () => {
  for (const address of ['192.0.2.1', '140.82.121.4', '172.32.0.1', '2606:50c0:8000::153', '::ffff:140.82.121.4']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('what is no address is not public', () => {
  for (const text of ['', 'localhost', 'example.com', '127.1', '0x7f.1'])
    assert.equal(isPublicAddress(text), false, text)
})
