import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { routesOf } from '@signalbox/contracts/http/routes'
import { Type } from 'typebox'
import { createIds } from '#platform/ids'
import { createLog } from '#platform/log'
import { platformProblem } from '#platform/problems'
import { createTestClock, testAuthenticator } from '#platform/testing'
import { answer } from './route.ts'
import { serve } from './serve.ts'
import { createHttpServer, type HttpServer } from './server.ts'

describe('what is written to the log', () => {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const clock = createTestClock()
  let http: HttpServer
  before(async () => {
    const shapes = { FailureParams: Type.Object({ how: Type.String() }), Success: Type.Object({}) }
    const stated = routesOf<typeof shapes>()({
      fail: {
        method: 'GET',
        path: '/v1/fails/:how',
        summary: 'Fails',
        tag: 'test',
        class: 'public',
        params: 'FailureParams',
        answers: { 200: 'Success' },
      },
      failAtPath: {
        method: 'GET',
        path: '/v1/paths/:how',
        summary: 'Fails',
        tag: 'test',
        class: 'public',
        params: 'FailureParams',
        answers: { 200: 'Success' },
      },
    })
    const routes = serve(stated, shapes, {
      fail: async ({ params }) => {
        if (params.how === 'inside') throw new Error('inside')
        if (params.how === 'full') throw platformProblem('overloaded', 'Too much.')
        if (params.how === 'away') throw platformProblem('database_unavailable', 'Away.')
        return answer(200, {})
      },
      failAtPath: async () => {
        throw new Error('inside')
      },
    })
    http = await createHttpServer({
      log: createLog({ level: 'info', pretty: false, destination }),
      ids: createIds(Date.now),
      clock,
      bodyLimit: 1000,
      authenticator: testAuthenticator({}),
      routes,
      info: { title: 'test', version: '0', description: '' },
    })
    await http.ready()
  })
  after(() => http.close(100))

  const ask = async (how: string, times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) await http.app.inject({ url: `/v1/fails/${how}` })
  }

  test('each failure of ours, and of what nobody can serve now one a second, with how many it stands for', async () => {
    await ask('inside', 3)
    await ask('full', 500)
    await ask('away', 2)
    await clock.advance(1000)
    await ask('full', 2)
    await ask('nothing', 1)
    const told = lines.map(({ level, code, more }) => [level, code, more])
    assert.deepEqual(told, [
      ['error', 'internal_error', undefined],
      ['error', 'internal_error', undefined],
      ['error', 'internal_error', undefined],
      ['warn', 'overloaded', 0],
      ['warn', 'database_unavailable', 0],
      ['warn', 'overloaded', 499],
    ])
  })

  test('no token that an address holds, however it is written', async () => {
    const token = `sbxe_${'A1'.repeat(18)}`
    lines.length = 0
    for (const told of [token, token.replace('sbx', '%73bx'), `${token}%`]) {
      await http.app.inject({ url: `/v1/fails/inside/${told}` })
      const { body } = await http.app.inject({ url: `/v1/${told}/fails` })
      await http.app.inject({ url: `/v1/paths/${told}` })
      assert.doesNotMatch(body + JSON.stringify(lines), /A1A1/, told)
    }
    assert.deepEqual(
      lines.map(({ path }) => path),
      ['/v1/paths/***', '/v1/paths/***'],
    )
  })
})
