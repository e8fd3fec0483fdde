import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Trees } from '../../trees/trees.ts'
import { assign, going, nothing, openWorkspaces, sharing, workspaceOf } from './testing.ts'

const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

const openHouse = () => openWorkspaces((path) => trees.remove(path))

describe('the workspace of an attempt', () => {
  test('is its own, prepared for it alone, also within one run, step and commit', async () => {
    using house = openHouse()
    const { workspaces } = house
    const checkout = { cloneUrl: 'https://git.example.com/a.git', commitSha: 'aa' }
    const prepared: string[] = []
    const prepare = async (directory: string) => {
      prepared.push(directory)
      return undefined
    }
    const opened = [1, 2].map(() => workspaces.open(assign({ checkout }), prepare, going))
    const [first, second] = (await Promise.all(opened)).map(workspaceOf)
    assert.ok(first !== undefined && second !== undefined)
    assert.deepEqual(prepared.sort(), [first.directory, second.directory].sort())
    assert.equal(new Set(prepared).size, 2)
    assert.equal(house.list().filter((name) => workspaces.isInUse(name)).length, 2)
    assert.equal(house.list().filter((name) => workspaces.isInUse(name, first)).length, 1)
    writeFileSync(join(first.directory, 'built'), '')
    await workspaces.release(first)
    assert.ok(!existsSync(first.directory))
    await workspaces.release(second)
    assert.deepEqual([house.list(), workspaces.kept()], [[], []])
  })

  test('goes at once where it could not be prepared', async () => {
    using house = openHouse()
    const opened = await house.workspaces.open(assign(), async () => 'The fetch failed.', going)
    assert.deepEqual(opened, { problem: 'The fetch failed.' })
    assert.deepEqual(house.list(), [])
  })
})

describe('a workspace that the tasks of a step share', () => {
  test('is prepared once, and found as it was left', async () => {
    using house = openHouse()
    const { workspaces } = house
    let preparations = 0
    const prepare = async (directory: string) => {
      preparations++
      writeFileSync(join(directory, 'source'), '')
      return undefined
    }
    const first = workspaceOf(await workspaces.open(sharing(false), prepare, going))
    writeFileSync(join(first.directory, 'built'), '')
    await workspaces.release(first)
    const later = workspaceOf(await workspaces.open(sharing(true), prepare, going))
    assert.deepEqual(readdirSync(later.directory).sort(), ['built', 'source'])
    assert.equal(preparations, 1)
    assert.notEqual(later.outputFile, first.outputFile)
    const other = workspaceOf(await workspaces.open(sharing(false, 'other'), prepare, going))
    assert.notEqual(other.directory, later.directory)
  })

  test('is used by one attempt at a time: the next one waits, unless it is stopped', async () => {
    using house = openHouse()
    const { workspaces } = house
    const first = workspaceOf(await workspaces.open(sharing(false), nothing, going))
    const stop = new AbortController()
    const stopped = workspaces.open(sharing(true), nothing, stop.signal)
    let isIn = false
    const second = workspaces.open(sharing(true), nothing, going).finally(() => {
      isIn = true
    })
    stop.abort()
    assert.deepEqual(await stopped, { problem: 'The task was stopped before its process was started.' })
    assert.ok(!isIn)
    await workspaces.release(first)
    assert.equal(workspaceOf(await second).directory, first.directory)
  })

  test('is missed by a later task, which says so instead of starting in an empty one', async () => {
    using house = openHouse()
    const opened = await house.workspaces.open(sharing(true), nothing, going)
    assert.match('problem' in opened ? opened.problem : '', /step s share is not on this runner any more.*artifacts/)
    assert.deepEqual(house.list(), [])
  })

  test('goes with the attempt that could not prepare it: the next one begins anew', async () => {
    using house = openHouse()
    const { workspaces } = house
    const failed = await workspaces.open(sharing(false), async () => 'The fetch failed.', going)
    assert.deepEqual([failed, workspaces.kept(), house.list()], [{ problem: 'The fetch failed.' }, [], []])
    workspaceOf(await workspaces.open(sharing(false), nothing, going))
  })

  test('goes once the step is over, with the attempt that still uses it', async () => {
    using house = openHouse()
    const { workspaces } = house
    const used = workspaceOf(await workspaces.open(sharing(false), nothing, going))
    assert.deepEqual(workspaces.kept(), [{ runId: 'r', step: 's' }])
    assert.equal(house.list().filter((name) => workspaces.isInUse(name)).length, 2)
    await workspaces.over({ runId: 'r', step: 's' })
    assert.ok(existsSync(used.directory), 'somebody is still in it')
    await workspaces.release(used)
    const unused = workspaceOf(await workspaces.open(sharing(false, 'unused'), nothing, going))
    await workspaces.release(unused)
    assert.equal(house.list().length, 1)
    await workspaces.over({ runId: 'unused', step: 's' })
    assert.deepEqual([house.list(), workspaces.kept()], [[], []])
  })
})
