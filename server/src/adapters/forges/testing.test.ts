import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callForge } from './api-client.ts'
import { type ExpectedCall, openForgeDouble } from './testing.ts'

const BRANCHES: ExpectedCall = { method: 'GET', path: '/branches?page=1', reply: { status: 200, body: [] } }
const STATUS: ExpectedCall = {
  method: 'POST',
  path: '/status',
  headers: { authorization: 'Bearer t', 'private-token': undefined },
  body: { state: 'success' },
  reply: { status: 201 },
}

/** The faults that the double reports at the end of a test with these calls. */
async function faultsOf(expected: readonly ExpectedCall[], made: readonly Parameters<typeof callForge>[1][]) {
  const ends: (() => Promise<void>)[] = []
  const double = await openForgeDouble({ after: (end) => ends.push(end) }, expected)
  for (const call of made) await callForge(double.connection(), call)
  return Promise.all(ends.map((end) => end())).then(
    () => '',
    (error: unknown) => String(error),
  )
}

test('a double is content with exactly the expected calls', async () => {
  const status = { method: 'POST', path: '/status', headers: { authorization: 'Bearer t' } } as const
  const made = [{ path: '/branches?page=1' }, { ...status, body: { state: 'success' } }]
  assert.equal(await faultsOf([BRANCHES, STATUS], made), '')
})

test('a double fails its test for every call that is another, comes too much or never comes', async () => {
  const status = { method: 'POST', path: '/status', headers: { authorization: 'Bearer t' } } as const
  assert.match(await faultsOf([BRANCHES], []), /GET \/branches\?page=1: never came/)
  assert.match(await faultsOf([], [{ path: '/x' }]), /GET \/x: no further call was expected/)
  assert.match(await faultsOf([BRANCHES], [{ path: '/branches?page=2' }]), /expected was GET \/branches\?page=1/)
  assert.match(await faultsOf([BRANCHES], [{ ...status, body: 1 }]), /expected was GET/)
  assert.match(await faultsOf([{ ...STATUS, body: undefined }], [{ ...status, body: { a: 1 } }]), /a body came/)
  assert.match(await faultsOf([STATUS], [{ ...status, body: { state: 'failure' } }]), /another body came/)
  assert.match(await faultsOf([STATUS], [{ ...status, headers: {}, body: { state: 'success' } }]), /authorization/)
  const both = { authorization: 'Bearer t', 'private-token': 't' }
  assert.match(await faultsOf([STATUS], [{ ...status, headers: both, body: { state: 'success' } }]), /private-token/)
})
