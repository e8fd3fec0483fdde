import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { Type } from 'typebox'
import type { Caller } from '#platform/http'
import { testCaller } from '#platform/testing'
import { defineTool, type Tool } from '#platform/tools'
import { findRefusal, listHidden } from './explain-hidden.ts'

function aTool(name: string, does: Tool['does'], further: Pick<Tool, 'needsElsewhere' | 'onlyFor'> = {}): Tool {
  return defineTool({
    name,
    title: name,
    family: 'runs',
    does,
    description: '',
    input: Type.Object({}),
    routes: does === 'confirm' ? {} : { listRuns: runRoutes.listRuns },
    handle: () => Promise.resolve({ facts: {} }),
    ...further,
  })
}

const ON = new Set(['runs'])
const ROBOT = { kind: 'service_account' } as const
const reader = testCaller({ acme: ['run.read'] })
const nobody = testCaller({})
const limited = (limits: object): Caller => {
  const token = { id: 't', name: 't', limits: { isReadOnly: false, ...limits } }
  return Object.assign(testCaller({ acme: ['run.read'] }), { token })
}
const [list, plan, confirm] = [aTool('list', 'read'), aTool('plan', 'plan'), aTool('confirm', 'confirm')]

test('a tool is refused by what hides it first', () => {
  assert.equal(findRefusal(list, reader, ON), undefined)
  assert.equal(findRefusal(list, reader, new Set()), 'family_off')
  assert.equal(findRefusal(list, limited({ families: ['logs'] }), ON), 'token_families')
  assert.equal(findRefusal(plan, limited({ isReadOnly: true }), ON), 'token_reads_only')
  assert.equal(findRefusal(list, limited({ isReadOnly: true }), ON), undefined)
  assert.equal(findRefusal(list, nobody, ON), 'no_permission')
  const ofRobots = aTool('other', 'read', { onlyFor: 'service_account' })
  assert.equal(findRefusal(ofRobots, reader, ON), 'other_kind')
  assert.equal(findRefusal(ofRobots, nobody, ON), 'other_kind', 'no permission would help')
  assert.equal(findRefusal(ofRobots, Object.assign(testCaller({ acme: ['run.read'] }), ROBOT), ON), undefined)
})

test('permissions that are asked at another team are needed together there', () => {
  const start = aTool('start', 'read', { needsElsewhere: [['environment.read', 'scope.use']] })
  const apart = testCaller({ acme: ['run.read', 'scope.use'], other: ['environment.read'] })
  assert.equal(findRefusal(start, reader, ON), 'no_permission')
  assert.equal(findRefusal(start, apart, ON), 'no_permission')
  const together = testCaller({ acme: ['run.read'], other: ['environment.read', 'scope.use'] })
  assert.equal(findRefusal(start, together, ON), undefined)
  const hidden = listHidden([start], new Set(), { seer: reader, owner: together, families: ON })
  assert.deepEqual(
    hidden.map(({ why }) => why),
    ['token_limits'],
  )
})

test('a limit is the reason only where the owner is known and may', () => {
  const whyOf = (owner: Caller | undefined) => {
    const hidden = listHidden([list, plan, confirm], new Set([plan]), { seer: nobody, owner, families: ON })
    return hidden.map(({ why, tools }) => [why, ...tools])
  }
  assert.deepEqual(whyOf(reader), [
    ['token_limits', 'list'],
    ['no_plans', 'confirm'],
  ])
  assert.deepEqual(whyOf(nobody), [
    ['no_permission', 'list'],
    ['no_plans', 'confirm'],
  ])
  assert.deepEqual(whyOf(undefined), [
    ['no_permission', 'list'],
    ['no_plans', 'confirm'],
  ])
})
