import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bindCredentials, findCredentialFault } from './index.ts'

const acme = { registry: 'ghcr.io', secret: 'acme/ghcr' }
const hub = { registry: 'docker.io', secret: 'acme/hub' }
const unnamed = { registry: null, secret: 'acme/one' }

describe('the credentials of a task', () => {
  test('are those of registries that have one of its images', () => {
    assert.deepEqual(bindCredentials([acme, hub], ['ghcr.io/acme/web', 'ghcr.io/acme/db:1']), [acme])
    assert.deepEqual(bindCredentials([acme, hub], ['alpine', 'ghcr.io/acme/db']), [acme, hub])
    assert.deepEqual(
      bindCredentials([acme], ['ghcr.io:5000/acme/web', 'ghcr.io.evil.example/x', 'evil.example/ghcr.io/x']),
      [],
    )
    assert.deepEqual(bindCredentials([acme, unnamed], ['localhost/web']), [])
    assert.deepEqual(bindCredentials([acme], ['ghcr.io/../x']), [])
  })

  test('without a registry are for the one that has all its images', () => {
    const bound = [{ registry: 'ghcr.io', secret: 'acme/one' }]
    assert.deepEqual(bindCredentials([unnamed], ['ghcr.io/acme/web', 'ghcr.io/acme/db', 'localhost/mail']), bound)
    assert.deepEqual(bindCredentials([unnamed], ['index.docker.io/alpine', 'postgres']), [
      { registry: 'docker.io', secret: 'acme/one' },
    ])
  })

  test('without a registry are refused where there are two, with what to write', () => {
    assert.deepEqual(bindCredentials([unnamed], ['ghcr.io/acme/web', 'postgres:17']), {
      problem:
        'does not say for which registry it is, and the images of the task come from ghcr.io and docker.io: write { ghcr.io: acme/one } or { docker.io: acme/one }',
    })
  })
})

test('a credential is for the host of a registry by its one name', () => {
  for (const host of ['ghcr.io', 'docker.io', 'localhost:5000']) assert.equal(findCredentialFault(host), undefined)
  assert.match(findCredentialFault('https://ghcr.io') ?? '', /names no registry: leave out https:\/\//)
  assert.match(findCredentialFault('localhost') ?? '', /takes no password: leave it out/)
  assert.equal(findCredentialFault('index.docker.io'), 'is named docker.io: write that')
})
