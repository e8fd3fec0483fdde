import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { Type } from 'typebox'
import type { Caller } from '#platform/http'
import { testCaller } from '#platform/testing'
import { defineTool } from '#platform/tools'
import { describeTool, toolsFor } from '../actions/offer-tools.ts'
import { NOT_NARROWED } from '../rules/narrowing.ts'
import { createToolLists, type ToolList } from './tool-lists.ts'

const tool = (name: string, family: string, does: 'read' | 'plan') =>
  defineTool({
    name,
    title: name,
    family,
    does,
    description: name,
    input: Type.Object({}),
    routes: { listRuns: runRoutes.listRuns },
    handle: async () => ({ facts: {} }),
  })

const tools = [tool('list_runs', 'runs', 'read'), tool('plan_run', 'runs', 'plan'), tool('read_log', 'logs', 'read')]
const families = new Set(['runs', 'logs'])
const lists = createToolLists({
  offer: (caller, narrowing) => toolsFor(tools, caller, { families, narrowing }),
  describe: describeTool,
})
/** A caller with rights that are kept for as long as they stay the same. */
const withRights = (path: string, rights: object): Caller => ({ ...testCaller({ [path]: ['run.read'] }), rights })
const shownOf = (list: ToolList) => list.describe().map(({ name, description }) => `${name}: ${description}`)

describe('the list of a caller', () => {
  test('is the same for as long as the rights are, and another at once when they change', () => {
    const before = {}
    const first = lists.of(withRights('acme', before), NOT_NARROWED)
    const second = lists.of(withRights('acme', before), NOT_NARROWED)
    assert.equal(second.describe(), first.describe())
    assert.equal(shownOf(first)[0], 'list_runs: list_runs Here: acme.')
    assert.equal(shownOf(lists.of(withRights('globex', {}), NOT_NARROWED))[0], 'list_runs: list_runs Here: globex.')
    assert.deepEqual(shownOf(lists.of({ ...testCaller({}), rights: {} }, NOT_NARROWED)), [])
  })

  test('is kept for no caller whose rights cannot be told from others', () => {
    const shown = ['acme', 'globex'].map((path) =>
      shownOf(lists.of(testCaller({ [path]: ['run.read'] }), NOT_NARROWED)),
    )
    assert.deepEqual(
      shown.map(([line]) => line),
      ['list_runs: list_runs Here: acme.', 'list_runs: list_runs Here: globex.'],
    )
  })

  test('is narrowed by each request for itself', () => {
    const caller = withRights('acme', {})
    const namesOf = (named: readonly string[] | undefined, isReadOnly: boolean) =>
      [...lists.of(caller, { families: named && new Set(named), isReadOnly }).names].join()
    assert.equal(namesOf(undefined, false), 'list_runs,plan_run,read_log')
    assert.equal(namesOf(undefined, true), 'list_runs,read_log')
    assert.equal(namesOf(['logs'], false), 'read_log')
    assert.equal(namesOf(['runs'], true), 'list_runs')
    assert.equal(namesOf(undefined, false), 'list_runs,plan_run,read_log')
  })
})
