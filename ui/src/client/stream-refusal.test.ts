import { expect, test } from 'vitest'
import { ConnectionStore } from './connection.ts'
import { ApiProblem } from './problem.ts'
import { noteRefusal } from './stream-refusal.ts'

function after(status: number, document: unknown): ConnectionStore {
  const connection = new ConnectionStore()
  noteRefusal(connection, 'live', new ApiProblem(status, document), connection.signIns)
  return connection
}

test('a stream that is refused with 429, or as one too many, is put off, and nothing is away', () => {
  for (const refused of [after(429, { code: 'rate_limited' }), after(503, { code: 'overloaded' })]) {
    expect(refused.state).toMatchObject({ isPutOff: true, away: undefined })
  }
})

test('only the 503 that names the database says that it is away', () => {
  expect(after(503, { code: 'database_unavailable' }).state).toMatchObject({ away: 'database', isPutOff: false })
  expect(after(503, { code: 'authorization_unavailable' }).state.away).toBe('rights')
  expect(after(503, '<h1>Service unavailable</h1>').state.away).toBe('server')
})

test('a session that has ended is said', () => {
  expect(after(401, { code: 'unauthenticated' }).state).toMatchObject({ isSignedOut: true, isPutOff: false })
})

test('the page is put off until the last of its streams is let in', () => {
  const connection = new ConnectionStore()
  connection.putOff('live')
  connection.putOff('log')
  connection.letIn('live')
  expect(connection.state.isPutOff).toBe(true)
  connection.letIn('log')
  expect(connection.state.isPutOff).toBe(false)
})
