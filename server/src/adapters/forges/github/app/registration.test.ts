import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openForgeDouble } from '../../testing.ts'
import { registration } from './registration.ts'
import { aKey } from './testing.ts'

const PEM = aKey()
const CALL = {
  method: 'POST',
  path: '/api/v3/app-manifests/a1b2/conversions',
  headers: { authorization: undefined },
} as const

/** As docs.github.com shows it. */
function conversion(url: string, overrides: Record<string, unknown> = {}) {
  return {
    id: 7,
    slug: 'signalbox-acme',
    node_id: 'MDM6QXBwMQ==',
    client_id: 'Iv1.8a61f9b3a7aba766',
    owner: { login: 'acme', id: 1, type: 'Organization' },
    name: 'Signalbox Acme',
    description: null,
    external_url: 'https://signalbox.example.com',
    html_url: `${url}/github-apps/signalbox-acme`,
    created_at: '2026-11-28T10:00:00Z',
    updated_at: '2026-11-28T10:00:00Z',
    permissions: { metadata: 'read', checks: 'write', __proto__x: 'root', 'Bad Key': 'read' },
    events: ['push', 'Bad Event', 7],
    client_secret: 'client-secret',
    webhook_secret: 'hook-secret',
    pem: PEM,
    ...overrides,
  }
}

describe('the addresses of a registration', () => {
  test('are the organisation’s form, or the person’s own', () => {
    const form = (organization: string) => registration.formUrl('https://github.com', organization, 'a+b/c=')
    assert.equal(form('acme'), 'https://github.com/organizations/acme/settings/apps/new?state=a%2Bb%2Fc%3D')
    assert.equal(form(''), 'https://github.com/settings/apps/new?state=a%2Bb%2Fc%3D')
    assert.equal(
      form('../evil?x='),
      'https://github.com/organizations/..%2Fevil%3Fx%3D/settings/apps/new?state=a%2Bb%2Fc%3D',
    )
  })

  test('are the app’s page of installations, wherever the provider has it', () => {
    assert.equal(
      registration.installUrl('https://ghe.example/github-apps/x', 's&t'),
      'https://ghe.example/github-apps/x/installations/new?state=s%26t',
    )
  })
})

describe('the exchange of a code', () => {
  const exchange = (baseUrl: string, code = 'a1b2') =>
    registration.exchange({ baseUrl, signal: new AbortController().signal }, code)

  test('gives the app with its key and secret', async (t) => {
    const double = await openForgeDouble(t, [{ ...CALL, reply: (url) => ({ status: 201, body: conversion(url) }) }])
    assert.deepEqual(await exchange(double.url), {
      outcome: 'found',
      value: {
        appId: '7',
        slug: 'signalbox-acme',
        name: 'Signalbox Acme',
        clientId: 'Iv1.8a61f9b3a7aba766',
        htmlUrl: `${double.url}/github-apps/signalbox-acme`,
        account: 'acme',
        permissions: { metadata: 'read', checks: 'write' },
        events: ['push'],
        privateKey: PEM,
        webhookSecret: 'hook-secret',
      },
    })
  })

  test('gives no page of somebody else, and no secret where there is none', async (t) => {
    for (const htmlUrl of ['https://evil.example/apps/x', 'javascript:alert(1)', 7]) {
      const body = { html_url: htmlUrl, webhook_secret: null, owner: { slug: 'big-enterprise' } }
      const double = await openForgeDouble(t, [
        { ...CALL, reply: (url) => ({ status: 201, body: conversion(url, body) }) },
      ])
      const found = await exchange(double.url)
      assert.ok(found.outcome === 'found')
      assert.deepEqual(
        [found.value.htmlUrl, found.value.webhookSecret, found.value.account],
        [null, null, 'big-enterprise'],
      )
    }
  })

  test('of a code that is used, unknown or none is not found', async (t) => {
    const double = await openForgeDouble(t, [{ ...CALL, reply: { status: 404, body: { message: 'Not Found' } } }])
    assert.deepEqual(await exchange(double.url), { outcome: 'not_found' })
    for (const code of ['', '../../app', 'a/b', 'a?b', 'a b', 'x'.repeat(201)]) {
      assert.deepEqual(await exchange(double.url, code), { outcome: 'not_found' })
    }
  })

  test('that fails tells neither key nor secret', async (t) => {
    const replies = [
      [{ status: 422, body: { message: 'Validation failed', pem: PEM } }, /says: "Validation failed"/],
      [{ status: 201, body: conversion('', { pem: 'secret' }) }, /cannot be used.*no private key in PEM/],
      [{ status: 201, body: conversion('', { pem: aKey(1024) }) }, /has 1024 bits/],
      [{ status: 201, body: conversion('', { pem: undefined }) }, /does not document/],
      [{ status: 201, body: conversion('', { id: null }) }, /does not document/],
      [{ status: 201, body: [conversion('')] }, /does not document/],
      [{ status: 201, body: `{"pem": "${PEM.slice(0, 99).replaceAll('\n', ' ')}` }, /not JSON/],
      [{ status: 502, body: conversion('') }, /answered 502/],
    ] as const
    for (const [reply, reason] of replies) {
      const double = await openForgeDouble(t, [{ ...CALL, reply }])
      const answer = await exchange(double.url)
      assert.ok(answer.outcome === 'failed')
      assert.match(answer.reason, reason)
      assert.doesNotMatch(answer.reason, /MII|secret|a1b2|127\.0/)
    }
  })

  test('goes over https or to this machine only: the answer holds the key', async () => {
    const answer = await exchange('http://github.example')
    assert.match(answer.outcome === 'failed' ? answer.reason : '', /plain http/)
  })
})
