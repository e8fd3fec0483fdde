import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { create } from '@bufbuild/protobuf'
import type { Assign } from '@signalbox/contracts/runner'
import { AssignSchema } from '@signalbox/contracts/runner'
import { ManualTime } from '../../testing/manual-time.ts'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Trees } from '../../trees/trees.ts'
import { Folders } from './folders.ts'
import type { Workspace } from './workspaces.ts'
import { Workspaces } from './workspaces.ts'

const idleMs = 1000
const going = new AbortController().signal

const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

const openHouse = () => {
  const root = temporaryFolder()
  const time = new ManualTime()
  const stuck: unknown[] = []
  const trash = { setAside: () => assert.fail('nothing is set aside here') }
  const folders = new Folders({ root: root.path, ahead: 0, kept: 0, monotonic: () => 0, trees, trash })
  const workspaces = new Workspaces({
    folders,
    accounts: undefined,
    time,
    idleMs,
    stuck: (_, error) => stuck.push(error),
  })
  return { root: root.path, time, stuck, workspaces, [Symbol.dispose]: () => root[Symbol.dispose]() }
}

const assign = (init: MessageInitShape<typeof AssignSchema>): Assign => create(AssignSchema, { runId: 'r', ...init })
const at = (commitSha: string) => ({ checkout: { cloneUrl: 'https://git.example.com/a.git', commitSha } })
const nothing = async () => undefined

const workspaceOf = (opened: { workspace: Workspace } | { problem: string }): Workspace => {
  if ('problem' in opened) throw new Error(opened.problem)
  return opened.workspace
}

describe('workspaces', () => {
  test('of one run and commit are one, prepared once, and found as they were left', async () => {
    using house = openHouse()
    const { workspaces } = house
    let preparations = 0
    const prepare = async (directory: string) => {
      preparations++
      writeFileSync(join(directory, 'source'), '')
      return undefined
    }
    const [first, second] = (
      await Promise.all([1, 2].map(() => workspaces.open(assign(at('aa')), prepare, going)))
    ).map(workspaceOf)
    assert.ok(first !== undefined && second !== undefined)
    assert.equal(first.directory, second.directory)
    assert.notEqual(first.outputFile, second.outputFile)
    writeFileSync(join(first.directory, 'built'), '')
    await workspaces.release(first)
    await workspaces.release(second)
    const third = workspaceOf(await workspaces.open(assign(at('aa')), prepare, going))
    assert.deepEqual(readdirSync(third.directory).sort(), ['built', 'source'])
    assert.equal(preparations, 1)
  })

  test('of another commit, of none, of another run, and of an attempt that wants its own are others', async () => {
    using house = openHouse()
    const wanted = [assign(at('aa')), assign(at('bb')), assign({}), assign({ ...at('aa'), runId: 's' })]
    const own = assign({ ...at('aa'), ownWorkspace: true })
    const opened = await Promise.all([...wanted, own].map((each) => house.workspaces.open(each, nothing, going)))
    const workspaces = opened.map(workspaceOf)
    assert.equal(new Set(workspaces.map(({ directory }) => directory)).size, 5)
    const alone = workspaces.at(-1)
    assert.ok(alone !== undefined)
    await house.workspaces.release(alone)
    assert.ok(!existsSync(alone.directory), 'what nobody shares goes with its attempt')
  })

  test('whose preparation failed serve nobody: the next one begins anew', async () => {
    using house = openHouse()
    const { workspaces } = house
    const directories: string[] = []
    const turns = [Promise.withResolvers<string | undefined>(), Promise.withResolvers<string | undefined>()]
    const prepare = (directory: string) => {
      directories.push(directory)
      return turns[directories.length - 1]?.promise ?? Promise.resolve(undefined)
    }
    const first = workspaces.open(assign({}), prepare, going)
    const second = workspaces.open(assign({}), prepare, going)
    turns[0]?.resolve('The fetch failed.')
    assert.deepEqual(await first, { problem: 'The fetch failed.' })
    turns[1]?.resolve(undefined)
    const { directory } = workspaceOf(await second)
    assert.equal(directories.length, 2)
    assert.equal(directory, directories[1])
    assert.ok(!existsSync(directories[0] ?? ''))
  })

  test('an attempt that is stopped while another one prepares does not wait for it', async () => {
    using house = openHouse()
    const { workspaces } = house
    const stop = new AbortController()
    const preparation = Promise.withResolvers<undefined>()
    const first = workspaces.open(assign({}), () => preparation.promise, going)
    const second = workspaces.open(assign({}), nothing, stop.signal)
    stop.abort()
    assert.deepEqual(await second, { problem: 'The task was stopped before its process was started.' })
    preparation.resolve(undefined)
    workspaceOf(await first)
  })

  test('go with their run, with the last that uses them, or when nobody has come for long', async () => {
    using house = openHouse()
    const { workspaces, root, time } = house
    const used = workspaceOf(await workspaces.open(assign({ runId: 'used' }), nothing, going))
    await workspaces.runOver('used')
    assert.ok(existsSync(used.directory), 'somebody is still in it')
    assert.deepEqual(readdirSync(root).filter((name) => workspaces.isInUse(name)).length, 2)
    await workspaces.release(used)
    assert.deepEqual(readdirSync(root), [])

    for (const runId of ['over', 'forgotten']) {
      const workspace = workspaceOf(await workspaces.open(assign({ runId }), nothing, going))
      await workspaces.release(workspace)
      assert.ok(!readdirSync(root).some((name) => workspaces.isInUse(name)))
    }
    assert.equal(readdirSync(root).length, 2)
    assert.deepEqual(workspaces.runs(), ['over', 'forgotten'])
    await workspaces.runOver('over')
    assert.deepEqual(workspaces.runs(), ['forgotten'])
    assert.equal(readdirSync(root).length, 1)
    time.advance(idleMs)
    // Removal takes a few turns of the event loop, and tells nobody: closing waits for it.
    while (readdirSync(root).length > 0) await new Promise(setImmediate)
    assert.deepEqual(house.stuck, [])
  })
})
