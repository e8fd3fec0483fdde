import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { apps } from './index.ts'
import { aKey } from './testing.ts'

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const PKCS1 = RSA.export({ type: 'pkcs1', format: 'pem' }).toString()
const PKCS8 = RSA.export({ type: 'pkcs8', format: 'pem' }).toString()

describe('a private key', () => {
  const good: readonly (readonly [string, string])[] = [
    ['PKCS#1', PKCS1],
    ['PKCS#8', PKCS8],
    ['CRLF', PKCS1.replaceAll('\n', '\r\n')],
    ['the characters \\n in place of line ends', PKCS1.replaceAll('\n', '\\n')],
    ['the characters \\r\\n', PKCS8.replaceAll('\n', '\\r\\n')],
    ['space around it', `\n\t ${PKCS1} \n`],
    ['no line end at the end', PKCS1.trim()],
  ]
  for (const [form, pem] of good) {
    test(`may be the app's: ${form}`, () => assert.equal(apps.findKeyFault(pem), null))
  }

  const encrypted = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'horse' } as const
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
  const bad: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /no private key in PEM/],
    ['another text', 'ghs_secret', /no private key in PEM/],
    [
      'a public key',
      generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      /no private key in PEM/,
    ],
    ['half of one', PKCS1.slice(0, 700), /copy the whole file/],
    ['one whose lines were cut', PKCS1.replace(/\n[^\n]{10}/, '\n'), /copy the whole file/],
    ['an encrypted PKCS#8', RSA.export({ type: 'pkcs8', ...encrypted }).toString(), /is encrypted/],
    ['an encrypted PKCS#1', RSA.export({ type: 'pkcs1', ...encrypted }).toString(), /is encrypted/],
    ['an EC key', ec.export({ type: 'sec1', format: 'pem' }).toString(), /no RSA key/],
    ['an EC key in PKCS#8', ec.export({ type: 'pkcs8', format: 'pem' }).toString(), /no RSA key/],
    ['an RSA-PSS key', pss.export({ type: 'pkcs8', format: 'pem' }).toString(), /no RSA key/],
    ['a short key', aKey(1024), /has 1024 bits/],
  ]
  for (const [what, text, fault] of bad) {
    test(`is not the app's: ${what}`, () => {
      const told = apps.findKeyFault(text) ?? ''
      assert.match(told, fault)
      assert.match(told, /^[A-Z].*\.$/)
      assert.doesNotMatch(told, /MII|ghs_|[A-Za-z0-9+/]{30}/)
    })
  }
})
