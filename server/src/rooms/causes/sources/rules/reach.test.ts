import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNear } from './reach.ts'

const GITHUB = 'https://github.com'

test('a provider that everybody uses reaches no address of this machine or of a private network', () => {
  for (const host of [
    'localhost:8080',
    'ci.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:10.0.0.1]',
    'ci',
    'ci.internal',
    'ci.local',
  ]) {
    assert.equal(isNear(`http://${host}/`, GITHUB, GITHUB), false, host)
    assert.equal(isNear(`http://${host}/`, 'https://acme.ghe.com', GITHUB), false, host)
  }
})

test('it reaches every other one', () => {
  for (const host of ['ci.example.com', '172.32.0.1', '100.128.0.1', '8.8.8.8', '[2001:db8::1]', 'fd.example.com']) {
    assert.equal(isNear(`https://${host}/`, GITHUB, GITHUB), true, host)
  }
})

test("a provider of one's own may be in the private network, and reaches loopback only from this machine", () => {
  for (const provider of ['https://git.example.com', 'https://10.0.0.7', 'http://localhost:3000']) {
    assert.equal(isNear('http://10.0.0.1', provider, null), true, provider)
    assert.equal(isNear('http://127.0.0.1:8080', provider, null), provider === 'http://localhost:3000', provider)
  }
})
