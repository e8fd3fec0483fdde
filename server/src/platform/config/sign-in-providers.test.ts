import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigWrong, describeSettings, readConfig, readSettings } from './index.ts'

const cwd = mkdtempSync(join(tmpdir(), 'signalbox-providers-'))
after(() => rmSync(cwd, { recursive: true }))

const KEYCLOAK = {
  id: 'keycloak',
  name: 'Company account',
  issuer: 'https://sso.example.com/realms/acme',
  client_id: 'signalbox',
  client_secret: 'hush-hush',
}
const read = (providers: unknown, env: Record<string, string> = {}) =>
  readConfig({ env: { SIGN_IN_PROVIDERS: JSON.stringify(providers), ...env }, cwd, isTerminal: false })

describe('providers of OpenID Connect', () => {
  test('are read from JSON and from YAML alike, with their defaults', () => {
    const file = join(cwd, 'signalbox.yaml')
    writeFileSync(file, `sign_in_providers:\n  - ${JSON.stringify(KEYCLOAK)}\n`)
    const fromFile = readConfig({ env: {}, cwd, file, isTerminal: false }).signInProviders
    rmSync(file)
    assert.deepEqual(read([KEYCLOAK]).signInProviders, fromFile)
    assert.deepEqual(fromFile, [
      {
        id: 'keycloak',
        name: 'Company account',
        issuer: 'https://sso.example.com/realms/acme',
        clientId: 'signalbox',
        clientSecret: 'hush-hush',
        scopes: ['openid', 'profile', 'email'],
        groupsClaim: undefined,
        groups: new Map(),
        requiredClaims: new Map(),
        createUsers: false,
        git: undefined,
      },
    ])
  })

  test('take their secret from a file, and may have none', () => {
    writeFileSync(join(cwd, 'secret'), 'from-a-file\n')
    const { client_secret: _, ...open } = KEYCLOAK
    assert.equal(read([{ ...open, client_secret_file: 'secret' }]).signInProviders[0]?.clientSecret, 'from-a-file')
    assert.equal(read([open]).signInProviders[0]?.clientSecret, undefined)
  })

  test('always ask for the scope openid', () => {
    assert.deepEqual(read([{ ...KEYCLOAK, scopes: ['groups'] }]).signInProviders[0]?.scopes, ['openid', 'groups'])
  })

  test('may run on this machine without TLS, and nowhere else', () => {
    assert.equal(read([{ ...KEYCLOAK, issuer: 'http://127.0.0.1:9000' }]).signInProviders.length, 1)
    assert.equal(read([{ ...KEYCLOAK, issuer: 'https://10.1.2.3/sso' }]).signInProviders.length, 1)
    assert.throws(() => read([{ ...KEYCLOAK, issuer: 'http://10.1.2.3/sso' }]), /issuer/)
  })

  test('may be Git providers, whose accounts count in comments', () => {
    const gitlab = { ...KEYCLOAK, issuer: 'https://gitlab.example.com/', git_provider: 'gitlab' }
    const git = { provider: 'gitlab', baseUrl: 'https://gitlab.example.com' }
    assert.deepEqual(read([gitlab]).signInProviders[0]?.git, git)
    const elsewhere = { ...gitlab, git_base_url: 'https://git.example.com/' }
    assert.equal(read([elsewhere]).signInProviders[0]?.git?.baseUrl, 'https://git.example.com')
    assert.throws(() => read([{ ...KEYCLOAK, git_provider: 'github' }]), /git_provider/)
    assert.throws(() => read([{ ...KEYCLOAK, git_base_url: 'https://x.example' }]), /lacks git_provider/)
    assert.throws(() => read([{ ...gitlab, git_base_url: 'ftp://x' }]), /wrong git_base_url/)
  })

  test('are shown without their secrets', () => {
    const settings = readSettings({
      env: { SIGN_IN_PROVIDERS: JSON.stringify([KEYCLOAK, 'x']) },
      cwd,
      isTerminal: false,
    })
    const shown = describeSettings(settings).find(({ name }) => name === 'sign_in_providers')
    assert.deepEqual(shown?.value, [{ ...KEYCLOAK, client_secret: '(hidden)' }, '(hidden)'])
  })

  const { name: _name, ...nameless } = KEYCLOAK
  const wrong: [string, unknown, RegExp][] = [
    ['text that is no JSON', undefined, /^SIGN_IN_PROVIDERS must be a list; in the environment as JSON\.$/],
    ['one provider without a list', KEYCLOAK, /^SIGN_IN_PROVIDERS must be a list/],
    ['an entry that is a text', ['keycloak'], /^sign_in_providers: entry 1 must be a map of keys and values\.$/],
    ['a missing key', [nameless], /^sign_in_providers: entry 1 lacks name\.$/],
    ['an unknown key', [{ ...KEYCLOAK, isuer: 'x' }], /^sign_in_providers: entry 1 has an unknown key "isuer"\.$/],
    [
      'an id that no address can hold',
      [{ ...KEYCLOAK, id: 'Key/cloak' }],
      /entry 1 has a wrong id: it must be at most/,
    ],
    ['a second entry that is wrong', [KEYCLOAK, { ...KEYCLOAK, id: 1 }], /: entry 2 has a wrong id/],
    ['an id twice', [KEYCLOAK, { ...KEYCLOAK, issuer: 'https://x.example' }], /two entries with the id keycloak/],
    ['an issuer twice', [KEYCLOAK, { ...KEYCLOAK, id: 'other' }], /two entries with the issuer https:/],
    ['an issuer with a query', [{ ...KEYCLOAK, issuer: 'https://a.example/?x=1' }], /wrong issuer: .* without query/],
    ['an issuer with a password', [{ ...KEYCLOAK, issuer: 'https://a:b@c.example' }], /wrong issuer/],
    ['an issuer of another scheme', [{ ...KEYCLOAK, issuer: 'file:///etc' }], /wrong issuer/],
    ['two secrets', [{ ...KEYCLOAK, client_secret_file: 'a' }], /both client_secret and client_secret_file/],
    [
      'a secret file that is missing',
      [{ ...nameless, name: 'x', client_secret: undefined, client_secret_file: 'no' }],
      /cannot be read/,
    ],
    ['groups without a claim', [{ ...KEYCLOAK, groups: { dev: 'developers' } }], /has groups, and lacks groups_claim/],
    [
      'a group that cannot exist',
      [{ ...KEYCLOAK, groups_claim: 'g', groups: { dev: 'The Team' } }],
      /names of groups.* \(at dev\)/,
    ],
    ['scopes in one text', [{ ...KEYCLOAK, scopes: 'openid' }], /wrong scopes: it must be a list of scopes/],
    ['a scope with a blank', [{ ...KEYCLOAK, scopes: ['a b'] }], /wrong scopes: .* \(at 0\)/],
    ['required claims without values', [{ ...KEYCLOAK, required_claims: { hd: [] } }], /wrong required_claims/],
    ['a secret that is a number', [{ ...KEYCLOAK, client_secret: 12345678 }], /wrong client_secret/],
  ]
  for (const [what, providers, message] of wrong) {
    test(`${what} stops the start with one line`, () => {
      const env: Record<string, string> = providers === undefined ? { SIGN_IN_PROVIDERS: '[{hush' } : {}
      assert.throws(
        () => read(providers, env),
        (error) =>
          error instanceof ConfigWrong && message.test(error.message) && !/\n|hush|12345678/.test(error.message),
      )
    })
  }

  test('are needed before passwords are switched off', () => {
    assert.equal(read([KEYCLOAK], { PASSWORD_SIGN_IN: 'false' }).passwordSignIn, false)
    assert.throws(() => read([], { PASSWORD_SIGN_IN: 'false' }), /^ConfigWrong: password_sign_in is false and .* empty/)
  })
})
