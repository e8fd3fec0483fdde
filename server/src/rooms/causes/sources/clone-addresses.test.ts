import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Provider } from '@signalbox/contracts/event'
import { FORGES } from '#adapters/forges'
import { createTestDatabase } from '#platform/testing'
import { changed, fixturesOf, type Path, proofOf } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, openCauses, TEAM } from './testing.ts'

/**
 * A sender who holds the secret of a source may say where a repository lies. Invalid addresses start nothing, and the
 * trace says why.
 */

const SECRET = 'user:a secret of some length'
/** The payload of the attacker, and the words of the explanation. */
const ATTACKS: readonly (readonly [string, RegExp])[] = [
  [
    'file:///etc',
    /names a folder that is in none of local_repositories; use https:\/\/ or ssh:\/\/, or let an operator/,
  ],
  ['/etc', /names a folder that is in none of local_repositories/],
  ['ext::sh -c touch% /tmp/x', /holds a space.*; use an address such as https:\/\//],
  ['ext::sh', /names a transport helper \("::"\); use an address such as https:\/\//],
  ['--upload-pack=touch /tmp/x', /begins with "-", which git would take for an option; use an address such as/],
  ['https://git.example.com/\0etc', /holds a space, a control character|holds a character that cannot be stored/],
  [
    `https://git.example.com/${'a'.repeat(5000)}`,
    /is longer than 2000 characters|must not have more than 4096 characters/,
  ],
  ['relative/path', /must be an address such as https:\/\/host\/owner\/name\.git/],
]

/** Where the push of each provider says what to clone. */
const PLACES: Readonly<Record<Provider, Path>> = {
  github: ['repository', 'clone_url'],
  gitea: ['repository', 'clone_url'],
  forgejo: ['repository', 'clone_url'],
  gogs: ['repository', 'clone_url'],
  generic: ['repository', 'clone_url'],
  gitlab: ['project', 'git_http_url'],
  bitbucket: ['repository', 'links', 'html', 'href'],
  bitbucket_datacenter: ['repository', 'links', 'clone', 1, 'href'],
  azure_devops: ['resource', 'repository', 'remoteUrl'],
}

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { PROVIDER_HOSTS: 'git.example.com' })
const db = testDatabase.database.kysely
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'any', value: SECRET })
after(() => causes.close())

describe('a signed delivery that clones from what is no address', () => {
  for (const [number, forge] of FORGES.entries()) {
    test(`starts nothing, and the delivery says why: ${forge.title}`, async () => {
      const { id, url } = await aConnectedSource(
        causes,
        {
          name: forge.id,
          provider: forge.id,
          auth_mode: forge.webhooks.authModes[0],
          credential_ref: `secret:${TEAM}/any`,
          repository_allowlist: ['**'],
        },
        { name: `t${number}`, repositories: ['**'], branches: ['**'], events: ['push'] },
      )
      const push = fixturesOf(forge).find(({ name }) => name === 'push-branch')
      assert.ok(push)
      const send = async (payload: unknown) => {
        const body = Buffer.from(JSON.stringify(payload))
        const headers = { 'content-type': 'application/json', ...plain(push.headers), ...proofOf(forge, body, SECRET) }
        await deliver(causes, url, { headers, body })
        const { body: deliveries } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries?limit=1`)
        const detail = `/v1/git-webhook-sources/${id}/deliveries/${String(deliveries[0]?.['id'])}`
        return (await causes.call('GET', detail)).body
      }
      for (const [address, why] of ATTACKS) {
        const { run_ids: runIds, reason, trace } = await send(changed(push.payload, PLACES[forge.id], address))
        const told = JSON.stringify([reason, trace]).replaceAll('\\"', '"')
        assert.deepEqual(runIds, [], address)
        assert.match(told, /repository\.clone_url /, address)
        assert.match(told, why, address)
      }
      const { run_ids: started } = await send(push.payload)
      assert.equal(Array.isArray(started) && started.length, 1, 'the same push with its own address starts a run')
    })
  }
})

describe('a delivery that names no address to clone from', () => {
  const forge = FORGES.find(({ id }) => id === 'bitbucket_datacenter')
  assert.ok(forge)
  const push = fixturesOf(forge).find(({ name }) => name === 'push-branch')
  assert.ok(push)
  const page = (href: string) => ({ self: [{ href }] })

  const sendTo = async (name: string, baseUrl: string | undefined, links: unknown) => {
    const { id, url } = await aConnectedSource(
      causes,
      {
        name,
        provider: forge.id,
        auth_mode: 'signature',
        credential_ref: `secret:${TEAM}/any`,
        repository_allowlist: ['**'],
        ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      },
      { name, repositories: ['**'], branches: ['**'], events: ['push'] },
    )
    const body = Buffer.from(JSON.stringify(changed(push.payload, ['repository', 'links'], links)))
    const headers = { 'content-type': 'application/json', ...plain(push.headers), ...proofOf(forge, body, SECRET) }
    await deliver(causes, url, { headers, body })
    const { body: deliveries } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries?limit=1`)
    const detail = `/v1/git-webhook-sources/${id}/deliveries/${String(deliveries[0]?.['id'])}`
    const { run_ids: runIds, trace } = (await causes.call('GET', detail)).body
    const ids = Array.isArray(runIds) ? runIds : []
    const cloneUrls = await Promise.all(
      ids.map((run) => db.selectFrom('runs').select('clone_url').where('id', '=', run).executeTakeFirstOrThrow()),
    )
    return { cloneUrls: cloneUrls.map(({ clone_url }) => clone_url), told: JSON.stringify(trace) }
  }

  test('is cloned from where its provider documents it, below the address of the source', async () => {
    const { cloneUrls, told } = await sendTo('derived', 'https://git.example.com/bitbucket', undefined)
    assert.deepEqual(cloneUrls, ['https://git.example.com/bitbucket/scm/acme/widgets.git'], told)
  })

  test('starts nothing where the source names no address, and the delivery says what to set', async () => {
    const { cloneUrls, told } = await sendTo('unknown', undefined, undefined)
    assert.deepEqual(cloneUrls, [])
    assert.match(told, /names no address to clone from, so tasks would start in an empty folder\. Set base_url/)
  })

  test('starts nothing where its page lies on another host than the source names', async () => {
    const elsewhere = page('https://other.example.com/wherever')
    assert.deepEqual((await sendTo('elsewhere', 'https://git.example.com', elsewhere)).cloneUrls, [])
  })
})

describe('a posted event that clones from what is no address', () => {
  test('is refused, and the answer names the field', async () => {
    for (const [address] of ATTACKS) {
      const repository = { full_name: 'acme/widgets', clone_url: address }
      const event = { kind: 'push', provider: 'github', repository, ref: 'refs/heads/main', after: 'a'.repeat(40) }
      const { status, text } = await causes.call('POST', '/v1/git/events', event)
      assert.ok(status === 400 || status === 422, `${address}: ${status} ${text}`)
      assert.match(text, /repository\.clone_url|holds the character U\+0000/, `${address}: ${text}`)
    }
  })
})

function plain(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
