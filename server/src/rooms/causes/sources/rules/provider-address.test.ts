import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addressOf, credentialFor, originOf, readBaseUrl, readsRepository, whyUnreachable } from './provider-address.ts'

const HOSTS = ['github.com', 'git.example.com', 'gitlab.example.com:8443', '127.0.0.1', '[::1]', 'Upper.Example.com']
const GITHUB = { publicUrl: 'https://github.com' }
const NOWHERE = { publicUrl: null }

describe('base_url', () => {
  const right: [string, string][] = [
    ['https://git.example.com', 'https://git.example.com'],
    ['https://git.example.com/', 'https://git.example.com'],
    ['https://GIT.example.com/gitlab//', 'https://git.example.com/gitlab'],
    ['https://git.example.com:9443', 'https://git.example.com:9443'],
    ['https://gitlab.example.com:8443', 'https://gitlab.example.com:8443'],
    ['https://upper.example.com', 'https://upper.example.com'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/x', 'http://[::1]:3000/x'],
  ]
  for (const [text, url] of right) test(`${text} is ${url}`, () => assert.deepEqual(readBaseUrl(text, HOSTS), { url }))

  const wrong: [string, RegExp][] = [
    ['git.example.com', /must be an address/],
    ['', /must be an address/],
    ['http://git.example.com', /https/],
    ['ssh://git.example.com', /https/],
    ['file:///etc/passwd', /https/],
    ['https://ada@git.example.com', /user/],
    ['https://ada:secret@git.example.com', /user/],
    ['https://git.example.com?', /query/],
    ['https://git.example.com/?a=b', /query/],
    ['https://git.example.com/#', /fragment/],
    ['https://gitlab.example.com', /provider_hosts/],
    ['https://gitlab.example.com:8444', /provider_hosts/],
    ['https://evil.example.com', /evil\.example\.com.*provider_hosts/],
    ['https://git.example.com.evil.com', /provider_hosts/],
    ['https://github.com@evil.com', /user/],
    ['http://127.0.0.1.evil.com', /https/],
  ]
  for (const [text, why] of wrong) {
    test(`${text} is refused`, () => {
      const read = readBaseUrl(text, HOSTS)
      assert.ok('fault' in read)
      assert.match(read.fault, why)
    })
  }

  test('whatever is read is on the list and reads as itself', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] }),
        (text) => {
          const host = new URL(text).hostname
          const read = readBaseUrl(text, [host])
          if ('fault' in read) return
          assert.deepEqual(readBaseUrl(read.url, [host]), read)
          assert.ok('fault' in readBaseUrl(text, ['other.test']))
          assert.ok(!read.url.endsWith('/'))
        },
      ),
    )
  })
})

describe('where a credential may go', () => {
  test('to the address of the source, else to the public one, as long as that is listed', () => {
    assert.equal(addressOf({ baseUrl: null }, GITHUB, HOSTS), 'https://github.com')
    assert.equal(addressOf({ baseUrl: null }, NOWHERE, HOSTS), undefined)
    assert.equal(addressOf({ baseUrl: 'https://git.example.com/a' }, GITHUB, HOSTS), 'https://git.example.com/a')
    assert.equal(addressOf({ baseUrl: 'https://gone.example.com' }, GITHUB, HOSTS), undefined)
    assert.equal(addressOf({ baseUrl: null }, GITHUB, []), undefined)
    assert.equal(originOf({ baseUrl: 'https://git.example.com/a' }, NOWHERE, HOSTS), 'https://git.example.com')
  })

  const source = { checkoutCredentialRef: 'secret:acme/read' }
  const addresses: [string | null, boolean][] = [
    ['https://git.example.com/acme/widgets.git', true],
    ['https://ada@git.example.com/acme/widgets.git', false],
    ['https://git.example.com/acme\\widgets.git', false],
    ['https://git.example.com\\@evil.com/acme/widgets.git', false],
    ['https://git.example.com:443/acme/widgets.git', true],
    ['https://git.example.com:8443/acme/widgets.git', false],
    ['http://git.example.com/acme/widgets.git', false],
    ['https://git.example.com@evil.com/acme/widgets.git', false],
    ['https://evil.com/https://git.example.com/acme/widgets.git', false],
    ['https://git.example.com.evil.com/acme/widgets.git', false],
    ['ssh://git@git.example.com/acme/widgets.git', false],
    ['git@git.example.com:acme/widgets.git', false],
    ['ext::sh -c id', false],
    ['', false],
    [null, false],
  ]
  for (const [cloneUrl, goes] of addresses) {
    test(`${cloneUrl} gets ${goes ? 'it' : 'none'}`, () => {
      const origin = originOf({ baseUrl: 'https://git.example.com/gitlab' }, NOWHERE, HOSTS)
      assert.equal(credentialFor(source, origin, cloneUrl), goes ? source.checkoutCredentialRef : null)
      assert.equal(credentialFor(source, undefined, cloneUrl), null)
    })
  }
})

describe('why a repository is not read', () => {
  const ORIGIN = 'https://git.example.com'
  const cases: [string | undefined, string | null, RegExp | undefined][] = [
    [ORIGIN, 'https://git.example.com/acme/shop.git', undefined],
    [
      ORIGIN,
      'http://git.example.com/acme/shop.git',
      /cloned from http:\/\/git\.example\.com, which is not the base_url/,
    ],
    [ORIGIN, 'ssh://git@git.example.com/acme/shop.git', /cloned from ssh:\/\/git\.example\.com, /],
    [ORIGIN, 'https://other.example.com/x', /^The repository is cloned from https:\/\/other\.example\.com, /],
    [ORIGIN, 'git@git.example.com:acme/shop.git', /names no address/],
    [ORIGIN, null, /names no address/],
    [undefined, 'https://git.example.com/acme/shop.git', /provider_hosts/],
  ]
  for (const [origin, cloneUrl, why] of cases) {
    test(`${origin} and ${cloneUrl}`, () => {
      const said = whyUnreachable(origin, cloneUrl)
      assert.equal(readsRepository({ readRepository: true }, origin, cloneUrl), why === undefined)
      assert.equal(readsRepository({ readRepository: false }, origin, cloneUrl), false)
      if (why === undefined) assert.equal(said, undefined)
      else assert.match(String(said), why)
    })
  }
})
