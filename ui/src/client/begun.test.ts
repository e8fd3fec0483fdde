import { identityRoutes } from '@signalbox/contracts/access/routes'
import { afterEach, expect, test, vi } from 'vitest'
import { takeBegun } from './begun.ts'
import { exchange } from './call.ts'
import { forgetSignIn, noteSignIn } from './session-hint.ts'

const ask = (signal?: AbortSignal) =>
  exchange(identityRoutes.getMe, { isForAnybody: true, begun: takeBegun(), ...(signal ? { signal } : {}) })

/** What before-scripts.js has asked for, and whoever asks anew. */
function begin(begun: Promise<Response>): void {
  vi.stubGlobal('document', { baseURI: 'http://signalbox.test/' })
  vi.stubGlobal('fetch', async () => Response.json({ login: 'bob' }))
  globalThis.signalboxMe = begun
}

afterEach(() => {
  vi.unstubAllGlobals()
  void takeBegun()
})

test('what was begun is for the first who asks', async () => {
  begin(Promise.resolve(Response.json({ login: 'ann' })))
  expect((await ask()).body).toEqual({ login: 'ann' })
  expect((await ask()).body).toEqual({ login: 'bob' })
})

test.each([
  ['signs in', noteSignIn],
  ['signs out', forgetSignIn],
])('it is for nobody any more once somebody %s', async (_what, change) => {
  begin(Promise.resolve(Response.json({ login: 'ann' })))
  change()
  expect((await ask()).body).toEqual({ login: 'bob' })
})

test('whoever has given up hears nothing of it', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  begin(promise)
  const leaving = new AbortController()
  const asked = expect(ask(leaving.signal)).rejects.toThrow('has left')
  leaving.abort(new Error('has left'))
  resolve(Response.json({ login: 'ann' }))
  await asked
})
