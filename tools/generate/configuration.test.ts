import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderConfiguration } from './configuration.ts'

test('an option is a section with its variable, type, default and limits', () => {
  const page = renderConfiguration({
    lease_seconds: { type: 'integer', default: 15, min: 2, max: 3600, text: 'How long a runner may be silent.' },
  })
  assert.match(
    page,
    /## lease_seconds\n\nHow long a runner may be silent\.\n\nVariable `LEASE_SECONDS`; type integer; default `15`; 2 to 3600\.\n/,
  )
})

test('a secret says that it is one, and an option without a default says so', () => {
  const page = renderConfiguration({ secret_key: { type: 'string', secret: true, minLength: 24, text: 'A key.' } })
  assert.match(page, /type string; no default; at least 24 characters; secret: never printed or logged\./)
})
