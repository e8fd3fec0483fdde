import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './index.ts'

test('a line has time, level, component, fields in snake_case and the message, and no secret', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', pretty: false, destination: { write: (line) => void lines.push(line) } })
  log.warn({ deliveryId: 'd', runId: 'r', privateKey: 'k', headers: { authorization: 'a' } }, 'run finished')
  log.error({ err: new Error('boom') }, 'job failed')
  log.debug('not written')
  const [first = '', second = '', ...rest] = lines
  const { time, ...written } = JSON.parse(first)
  assert.equal(new Date(time).toISOString(), time)
  assert.deepEqual(written, {
    level: 'warn',
    component: 'server',
    delivery_id: 'd',
    run_id: 'r',
    private_key: '***',
    headers: { authorization: '***' },
    msg: 'run finished',
  })
  const { level, msg, err } = JSON.parse(second)
  assert.deepEqual([level, msg, err.message], ['error', 'job failed', 'boom'])
  assert.deepEqual(rest, [])
})
