import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { findAddressFault, liesWithin, readAbsolutePath, readRepositoryAddress } from './index.ts'

const kindOf = (text: string): string => {
  const address = readRepositoryAddress(text)
  return 'fault' in address ? 'fault' : address.kind
}

describe('the address of a repository', () => {
  test('is one over https, http or ssh', () => {
    for (const [text, kind] of [
      ['https://host/owner/name.git', 'https'],
      ['https://host:8443/a%20b/_git/c', 'https'],
      ['https://[::1]:3000/x', 'https'],
      ['http://my_git.internal:3000/x', 'http'],
      ['http://127.0.0.1:1', 'http'],
      ['ssh://git@host:22/owner/name.git', 'ssh'],
      ['ssh://host/~owner/name', 'ssh'],
      ['git@host:owner/name.git', 'ssh'],
      ['host.example:/srv/name.git', 'ssh'],
    ]) {
      assert.equal(kindOf(text ?? ''), kind, text)
    }
  })

  test('is never an option, a transport helper, another protocol, a relative path or one with a credential', () => {
    for (const text of [
      '',
      '-uevil',
      '--upload-pack=touch /tmp/x',
      'ext::sh',
      'ext::sh -c touch% /tmp/x',
      'fd::3',
      '::x',
      'git://host/x',
      'ftp://host/x',
      'FILE:///etc',
      'HTTPS://host/x',
      'https://user:password@host/x',
      'https://token@host/x',
      'ssh://user:password@host/x',
      'ssh://-oProxyCommand=x/y',
      'ssh://-oProxyCommand=x@host/y',
      '-oProxyCommand=x:y',
      'git@-oProxyCommand=x:y',
      'git@host:-x',
      'https://-host/x',
      'https:///x',
      'https://a@b@c/x',
      'https://a\\@b/x',
      'https://ex%61mple.com/x',
      'https://host/x?token=1',
      'https://host/\nx',
      'https://host/\u0085x',
      'https://host:port/x',
      'repository',
      './repository',
      '../repository',
      'folder/repository',
      '~/repository',
      'C:/repository',
      'C:\\repository',
      'file:/etc',
      'file:etc',
      'https:owner/name',
    ]) {
      assert.equal(kindOf(text), 'fault', text)
    }
  })

  test('that is refused says why', () => {
    for (const [text, why] of [
      ['--upload-pack=touch', /^begins with "-"/],
      ['ext::sh', /^names a transport helper/],
      ['https://user:password@host/x', /^holds a user or a password/],
      ['https://host/a b', /^holds a space/],
      ['', /^is empty/],
      [`https://host/${'x'.repeat(2_000)}`, /^is longer than/],
    ] as const) {
      const address = readRepositoryAddress(text)
      assert.match('fault' in address ? address.fault : '', why, text)
    }
  })

  test('is a folder where it is an absolute path, plainly written', () => {
    for (const text of ['/srv/git/a.git', '/srv/git/a.git/', 'file:///srv/git/a.git', 'file:///srv/%67it/a.git']) {
      assert.deepEqual(readRepositoryAddress(text), { kind: 'local', path: '/srv/git/a.git' }, text)
    }
    for (const text of [
      '/',
      '//srv/git',
      '/srv/../etc',
      '/srv/./git',
      '/srv//git',
      '/srv/git/..',
      'file://host/srv/git',
      'file://localhost/srv/git',
      'file:///srv/%2e%2e/etc',
      'file:///srv%2f..%2fetc',
      'file:///srv/%00',
      '/srv/*',
      '/srv/*/',
      '/srv/*/git',
      'file:///srv/*',
      'file:///srv/%2a',
      'file:///srv/%0ax',
      'file:///srv/%zz',
      'file:///',
    ]) {
      assert.equal(kindOf(text), 'fault', text)
    }
  })

  test('of a folder needs the leave of the operator', () => {
    const folders = ['/srv/git', '/data']
    for (const text of ['file:///srv/git/a.git', '/srv/git', '/data/x/y.git', 'https://host/x']) {
      assert.equal(findAddressFault(text, folders), undefined, text)
    }
    for (const text of ['file:///srv/gitea/a.git', '/srv', '/srv/git2', '/srv/git/../../etc', '/etc']) {
      assert.notEqual(findAddressFault(text, folders), undefined, text)
    }
    assert.match(findAddressFault('file:///srv/git/a.git', []) ?? '', /local_repositories/)
  })

  test('says the same of every folder that is not allowed, whatever lies there', () => {
    const sentences = ['file:///etc', 'file:///nowhere/at/all', '/root'].map((text) => findAddressFault(text, ['/srv']))
    assert.equal(new Set(sentences).size, 1)
  })
})

const piece = fc.constantFrom(
  'file',
  'https',
  'ssh',
  'ext',
  ':',
  '//',
  '/',
  '::',
  '@',
  '-',
  '..',
  '.',
  '%2e',
  '%2f',
  '%00',
  '\\',
  ' ',
  '\n',
  'host',
  'git',
  'srv',
  'etc',
  '?',
  '#',
  '[',
  ']',
  '~',
  '\u0085',
  '*',
)
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

describe('whatever the text', () => {
  test('what passes is one of the documented forms and nothing that git reads otherwise', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const address = readRepositoryAddress(text)
        if ('fault' in address) return assert.ok(address.fault.length > 0)
        assert.doesNotMatch(text, /^-|[\s\p{Cc}\\]|^[^/]*::/u)
        if (address.kind === 'local') {
          assert.equal(posix.normalize(address.path), address.path)
          assert.ok(address.path.startsWith('/') && address.path !== '/')
        } else {
          assert.equal(address.url, text)
          assert.doesNotMatch(text, /^(?:file:|\/|\.)/i)
          assert.match(text, /^(?:https?:\/\/|ssh:\/\/|(?:\w[\w.-]*@)?[A-Za-z0-9])/)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  test('no folder passes that lies outside of those that are allowed', () => {
    const folders = ['/srv/git', '/etc/host']
    fc.assert(
      fc.property(hostile, (tail) => {
        for (const text of [`/srv/git${tail}`, `file:///srv/git${tail}`, `file://${tail}`, tail]) {
          if (findAddressFault(text, folders) !== undefined) continue
          const address = readRepositoryAddress(text)
          if ('fault' in address || address.kind !== 'local') continue
          assert.ok(liesWithin(posix.resolve('/', address.path), folders), text)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  test('a plain path is read back from its address', () => {
    const part = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => readAbsolutePath(`/${text}`) === `/${text}`)
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const path = `/${parts.join('/')}`
        const { href } = pathToFileURL(path)
        assert.deepEqual(readRepositoryAddress(href), { kind: 'local', path: fileURLToPath(href) })
      }),
    )
  })
})
