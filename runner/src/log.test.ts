import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

test('a line has the fields of those of the control plane, and whole numbers of any size', () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  log.info('connected', { runner_id: 'r', fence: 9_007_199_254_740_993n, in_hand: 2 })
  log.warn('left alone')
  const [first = '', second = ''] = lines
  const { time, ...written } = JSON.parse(first)
  assert.equal(new Date(time).toISOString(), time)
  assert.deepEqual(written, {
    level: 'info',
    component: 'runner',
    runner_id: 'r',
    fence: '9007199254740993',
    in_hand: 2,
    msg: 'connected',
  })
  assert.deepEqual(Object.keys(JSON.parse(second)), ['level', 'time', 'component', 'msg'])
  assert.ok(lines.every((line) => line.endsWith('}\n')))
})
