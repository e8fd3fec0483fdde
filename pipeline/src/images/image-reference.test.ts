import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findRegistryFault, formatImageReference, parseImageReference } from './index.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const longName = `acme/${'a'.repeat(250)}`

/** The name in full, or the fault. */
const read = (text: string): string => {
  const reading = parseImageReference(text)
  return 'problem' in reading ? reading.problem : formatImageReference(reading)
}

describe('the name of an image', () => {
  for (const [text, full] of [
    ['alpine', 'docker.io/library/alpine:latest'],
    ['acme/web:1', 'docker.io/acme/web:1'],
    ['docker.io/alpine', 'docker.io/library/alpine:latest'],
    ['index.docker.io/library/alpine:3.20', 'docker.io/library/alpine:3.20'],
    ['ghcr.io/acme/deep/er/web', 'ghcr.io/acme/deep/er/web:latest'],
    ['registry:5000/x', 'registry:5000/x:latest'],
    ['localhost/x', 'localhost/x:latest'],
    ['localhost:5000/x', 'localhost:5000/x:latest'],
    ['127.0.0.1:5000/x:v1.2-3_4', '127.0.0.1:5000/x:v1.2-3_4'],
    ['[::1]:5000/x', '[::1]:5000/x:latest'],
    ['localhost', 'docker.io/library/localhost:latest'],
    ['a__b/c.d-e--f_g', 'docker.io/a__b/c.d-e--f_g:latest'],
    [`alpine@${digest}`, `docker.io/library/alpine@${digest}`],
    [`alpine:3@${digest}`, `docker.io/library/alpine@${digest}`],
    [longName, `docker.io/${longName}:latest`],
  ] as const) {
    test(`${text.slice(0, 60)} is one`, () => assert.equal(read(text), full))
  }

  for (const [text, fault] of [
    ['', /it is empty; write one such as node:24-slim/],
    ['http://ghcr.io/acme/web', /leave out http:\/\/; write one such as/],
    ['docker://alpine', /leave out docker:\/\//],
    ['localhost/../../x', /its path cannot hold \.\.: /],
    ['..', /its path cannot hold \.\.: /],
    ['ghcr.io/../x', /its path cannot hold \.\.: /],
    ['acme/./web', /its path cannot hold \.: /],
    ['acme//web', /its path has an empty part/],
    ['/acme/web', /its path has an empty part/],
    ['acme/web/', /its path has an empty part/],
    ['acme/Web', /write Web in lower case/],
    ['GHCR.IO/acme/web', /its registry cannot be GHCR\.IO: write it in lower case/],
    ['Localhost/web', /its registry cannot be Localhost: write it in lower case/],
    ['ghcr.io./acme/web', /its registry cannot be ghcr\.io\.: write a host/],
    ['-ghcr.io/acme/web', /its registry cannot be -ghcr\.io: write a host/],
    ['user@ghcr.io/acme/web', /its digest is not one/],
    ['user:pass@ghcr.io/acme/web', /its digest is not one/],
    ['ghcr.io:0/x', /write a port from 1 to 65535/],
    ['ghcr.io:65536/x', /write a port from 1 to 65535/],
    ['ghcr.io:/x', /its registry cannot be ghcr\.io:: write a host/],
    ['alpine:', /there is no tag behind its colon/],
    ['alpine:-1', /its tag cannot be -1/],
    [`alpine:${'1'.repeat(129)}`, /its tag cannot be 1+: .+ at most 128 characters/],
    ['alpine@', /its digest is not one/],
    ['alpine@sha256:12', /its digest is not one/],
    [`alpine@${digest.toUpperCase()}`, /its digest is not one/],
    [`alpine@${digest}@${digest}`, /its digest is not one/],
    [`${longName}a`, /its name has 256 characters, and at most 255/],
    ['0123456789abcdef'.repeat(4), /the id of an image is not its name/],
    ['alpine\n', /the name holds a space, a control character/],
    ['alp\0ine', /the name holds a space, a control character/],
    ['älpine', /another character that is not ASCII/],
    ['node 24', /the name holds a space/],
    ['alpine?x', /its path cannot hold alpine\?x/],
    ['alp%2e%2e', /its path cannot hold alp%2e%2e/],
  ] as const) {
    test(`${JSON.stringify(text.slice(0, 60))} is none, and the sentence says why`, () => {
      assert.match(read(text), fault)
      assert.match(read(text), /^is no reference of an image: /)
    })
  }
})

test('the host of a registry is written in lower case, without a scheme or a path', () => {
  for (const host of ['ghcr.io', 'registry:5000', 'localhost:5000', '10.0.0.1', '[fe80::1]:443']) {
    assert.equal(findRegistryFault(host), undefined, host)
  }
  for (const host of [
    '',
    'https://ghcr.io',
    'ghcr.io/acme',
    'GHCR.io',
    'ghcr.io:99999',
    'a b',
    '*.io',
    'x'.repeat(256),
  ]) {
    assert.notEqual(findRegistryFault(host), undefined, host)
  }
})

const letters = fc.constantFrom(...'abcxyz019')
const word = fc.string({ unit: letters, minLength: 1, maxLength: 8 })
const component = fc.tuple(word, fc.constantFrom('.', '_', '__', '-', '--'), word).map((parts) => parts.join(''))
const path = fc.array(fc.oneof(word, component), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const host = fc.oneof(
  fc.constantFrom('localhost', 'localhost:5000', 'docker.io', 'index.docker.io', 'ghcr.io'),
  fc.tuple(word, word, fc.integer({ min: 1, max: 65_535 })).map(([a, b, port]) => `${a}.${b}:${port}`),
)
const ending = fc.oneof(
  fc.constantFrom('', `@${digest}`),
  fc.string({ unit: fc.constantFrom(...'aZ0_'), minLength: 1, maxLength: 128 }).map((tag) => `:${tag}`),
)
const reference = fc
  .tuple(fc.option(host), path, ending)
  .map(([at, of, end]) => `${at === null ? '' : `${at}/`}${of}${end}`)

describe('the parser of names', () => {
  test('reads every name that the grammar makes, and its full form as the same image', () => {
    fc.assert(
      fc.property(reference, (text) => {
        const image = parseImageReference(text)
        assert.ok(!('problem' in image), text)
        assert.deepEqual(parseImageReference(formatImageReference(image)), image)
      }),
    )
  })

  test('refuses such a name with any character in it that belongs to none', () => {
    const stranger = fc.constantFrom(...' \n\0\t\\?#%&=+~*<>"\'`$(){}|;,!^é')
    fc.assert(
      fc.property(reference, fc.nat(), stranger, (text, where, character) => {
        const at = where % (text.length + 1)
        assert.ok('problem' in parseImageReference(`${text.slice(0, at)}${character}${text.slice(at)}`))
      }),
    )
  })

  // Written once more, as the one expression of the reference implementation.
  const grammar =
    /^(?=[^@]{1,255}(?:@|$)|[^@]{1,255}:[^@/:]{1,128}(?:@|$))(?:(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[a-f0-9:]+\])(?::[0-9]+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128}))?$/
  test('never throws, and takes no text that the grammar does not make', () => {
    const near = fc.string({ unit: fc.constantFrom(...'a./:@-_A0[]'), maxLength: 30 })
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const image = parseImageReference(text)
        if ('problem' in image) return
        assert.match(text, grammar)
        assert.ok(!formatImageReference(image).split(/[/:@]/).includes('..'), text)
      }),
      { numRuns: 2000 },
    )
  })
})
