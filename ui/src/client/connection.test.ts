import { expect, test } from 'vitest'
import { ConnectionStore } from './connection.ts'

test('a refusal that was on its way while somebody signed in does not end the new session', () => {
  const connection = new ConnectionStore()
  const before = connection.signIns
  connection.signedOut(before)
  expect(connection.state.isSignedOut).toBe(true)
  connection.signedIn()
  connection.signedOut(before)
  expect(connection.state.isSignedOut).toBe(false)
  connection.signedOut(connection.signIns)
  expect(connection.state.isSignedOut).toBe(true)
})

test('whoever signs out is not told that the session has ended, unless they stay', () => {
  const connection = new ConnectionStore()
  connection.leaving(true)
  connection.signedOut(connection.signIns)
  expect(connection.state.isSignedOut).toBe(false)
  connection.leaving(false)
  connection.signedOut(connection.signIns)
  expect(connection.state.isSignedOut).toBe(true)
})
