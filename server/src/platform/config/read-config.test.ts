import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { addressOfRunners, ConfigWrong, OPTIONS, readConfig, readSettings } from './index.ts'

const cwd = mkdtempSync(join(tmpdir(), 'signalbox-config-'))
after(() => rmSync(cwd, { recursive: true }))
const read = (env: Record<string, string>, file?: string) =>
  readConfig({ env, cwd, isTerminal: false, ...(file ? { file } : {}) })

function fileOf(text: string): string {
  const path = join(mkdtempSync(join(cwd, 'file-')), 'signalbox.yaml')
  writeFileSync(path, text)
  return path
}

describe('the configuration', () => {
  test('has a default for every option that is needed', () => {
    const config = read({})
    assert.deepEqual([config.port, config.runnerPort, config.host], [8080, 8081, '127.0.0.1'])
    assert.equal(config.webhookBodyLimit, 25 * 1024 * 1024)
    assert.equal(config.dataDir, join(cwd, '.signalbox'))
    assert.equal(config.roles.size, 5)
  })

  test('says who confirms plans, and takes no other word', () => {
    assert.equal(read({}).mcpConfirmation, 'agent')
    assert.equal(read({ MCP_CONFIRMATION: 'person' }).mcpConfirmation, 'person')
    assert.throws(() => read({ MCP_CONFIRMATION: 'nobody' }), /neither agent nor person/)
  })

  test('keeps records of deliveries for 90 days, or for as long as their payloads', () => {
    assert.equal(read({}).deliveryRecordRetentionDays, 90)
    assert.equal(read({ DELIVERY_RETENTION_DAYS: '365' }).deliveryRecordRetentionDays, 365)
    assert.equal(read({ DELIVERY_RECORD_RETENTION_DAYS: '14' }).deliveryRecordRetentionDays, 14)
  })

  test('takes hosts with and without a port, and an address with a path', () => {
    const config = read({
      PROVIDER_HOSTS: 'GitHub.com, git.example.com:8443, 127.0.0.1:3000, [::1]:3000',
      BASE_URL: 'https://ci.example.com/signalbox/',
    })
    assert.equal(config.providerHosts.length, 4)
    assert.equal(config.baseUrl, 'https://ci.example.com/signalbox')
  })

  test('tells runners the host of the API and their own port, unless it says where they connect', () => {
    assert.equal(addressOfRunners(read({})), '127.0.0.1:8081')
    const behind = { BASE_URL: 'https://ci.example.com/signalbox', RUNNER_PORT: '9081' }
    assert.equal(addressOfRunners(read(behind)), 'ci.example.com:9081')
    const own = { ...behind, RUNNER_URL: 'https://runners.example.com/' }
    assert.equal(addressOfRunners(read(own)), 'https://runners.example.com')
    assert.equal(addressOfRunners(read({ HOST: '::1' })), '[::1]:8081')
  })

  test('is read from the file, and the environment wins', () => {
    const file = fileOf('port: 9000\nmetrics_require_auth: true\nroles: [api, worker]\n')
    const config = read({ PORT: '9001' }, file)
    assert.deepEqual([config.port, config.metricsRequireAuth, [...config.roles]], [9001, true, ['api', 'worker']])
    const origins = new Map(
      readSettings({ env: { PORT: '9001' }, cwd, file, isTerminal: false }).map((s) => [s.name, s.origin]),
    )
    assert.deepEqual(
      [origins.get('port'), origins.get('roles'), origins.get('host'), origins.get('base_url')],
      ['environment', 'file', 'default', 'unset'],
    )
  })

  const wrong: [string, Record<string, string>, string | undefined, RegExp][] = [
    ['an unknown key', {}, 'prot: 1', /unknown key "prot"/],
    ['a malformed number', { PORT: 'many' }, undefined, /^PORT must be a whole number/],
    ['a number out of range', { PORT: '70000' }, undefined, /at most 65535/],
    ['a malformed size', { WEBHOOK_BODY_LIMIT: '25 elephants' }, undefined, /size such as/],
    ['a malformed boolean', { METRICS_REQUIRE_AUTH: 'perhaps' }, undefined, /true or false/],
    ['a proxy that is no address', { TRUSTED_PROXIES: '10.0.0.0/8,proxy.local' }, undefined, /"proxy.local"/],
    ['a provider host with a scheme', { PROVIDER_HOSTS: 'github.com,https://git.example.com' }, undefined, /"https:/],
    ['a provider host with a path', { PROVIDER_HOSTS: 'git.example.com/' }, undefined, /^provider_hosts names .* host/],
    ['a provider host that is a pattern', { PROVIDER_HOSTS: '*.example.com:8443/*' }, undefined, /provider_hosts/],
    ['a folder that git reads as a pattern', { LOCAL_REPOSITORIES: '/srv/*' }, undefined, /^local_repositories .*"\*"/],
    ['an address with a query', { BASE_URL: 'https://ci.example.com/x/?a=1' }, undefined, /^BASE_URL .* a query/],
    ['an address with a fragment', { UI_URL: 'https://ci.example.com#' }, undefined, /^UI_URL .* fragment/],
    [
      'records that go before their payloads',
      { DELIVERY_RETENTION_DAYS: '30', DELIVERY_RECORD_RETENTION_DAYS: '29' },
      undefined,
      /^delivery_record_retention_days \(29\) must be at least delivery_retention_days \(30\)/,
    ],
    ['an unknown role', { ROLES: 'api,king' }, undefined, /"king"/],
    ['a short bootstrap token', { BOOTSTRAP_ADMIN_TOKEN: 'short' }, undefined, /at least 24/],
    ['a file that is no YAML', {}, 'a: [', /not valid YAML/],
    ['a file that is a list', {}, '- a', /keys and values/],
  ]
  for (const [what, env, text, message] of wrong) {
    test(`stops at ${what} with one line that names it`, () => {
      const file = text === undefined ? undefined : fileOf(text)
      assert.throws(
        () => read(env, file),
        (error) => error instanceof ConfigWrong && message.test(error.message) && !error.message.includes('\n'),
      )
    })
  }

  test('never repeats a secret in an error', () => {
    assert.throws(
      () => read({ BOOTSTRAP_ADMIN_TOKEN: 'tiny-secret' }),
      (error) => error instanceof ConfigWrong && !error.message.includes('tiny-secret'),
    )
  })

  test('gives only allow-listed variables to credential references', () => {
    const config = read({ CREDENTIAL_ENV_ALLOWLIST: 'HOOK_SECRET', HOOK_SECRET: 'yes', OTHER: 'no' })
    assert.deepEqual([config.readCredentialEnv('HOOK_SECRET'), config.readCredentialEnv('OTHER')], ['yes', undefined])
  })

  test('says of every option what it means', () => {
    for (const [name, option] of Object.entries(OPTIONS)) assert.ok(option.text.length > 20, name)
  })
})
