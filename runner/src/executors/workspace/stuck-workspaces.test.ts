import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import { ManualTime } from '../../testing/manual-time.ts'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Folders } from './folders.ts'
import type { Workspace } from './workspaces.ts'
import { Workspaces } from './workspaces.ts'

const going = new AbortController().signal
const nothing = async () => undefined

/** Workspaces whose removal goes as `remove` says. */
const openHouse = (remove: (path: string) => Promise<void>) => {
  const root = temporaryFolder()
  const time = new ManualTime()
  const setAside: string[] = []
  const stuck: unknown[] = []
  const trash = { setAside: (path: string) => void setAside.push(path) }
  const options = { root: root.path, ahead: 0, kept: 0, monotonic: () => 0, trees: { remove }, trash }
  const folders = new Folders(options)
  const workspaces = new Workspaces({
    folders,
    accounts: undefined,
    time,
    idleMs: 1000,
    stuck: (_, error) => void stuck.push(error),
  })
  return { time, workspaces, setAside, stuck, [Symbol.dispose]: () => root[Symbol.dispose]() }
}

const openOne = async (workspaces: Workspaces, runId: string) => {
  const opened = await workspaces.open(create(AssignSchema, { runId }), nothing, going)
  if ('problem' in opened) throw new Error(opened.problem)
  leaveFiles(opened.workspace)
  return opened.workspace
}

/** What is empty goes without the removal of trees. */
const leaveFiles = ({ folder, directory }: Workspace): void => {
  for (const each of [folder, directory]) writeFileSync(join(each, 'left'), '')
}

describe('a workspace that cannot be removed', () => {
  const resisting = () => Promise.reject(new Error('it resists'))

  test('is set aside, and its reason is told', async () => {
    using house = openHouse(resisting)
    const workspace = await openOne(house.workspaces, 'r')
    await assert.rejects(house.workspaces.release(workspace), /it resists/)
    assert.deepEqual(house.setAside, [workspace.folder])
    await assert.rejects(house.workspaces.runOver('r'), /it resists/)
    assert.equal(house.setAside.length, 2)
    assert.deepEqual(house.workspaces.runs(), [])
  })

  test('is tried again once whoever made its files has given them back', async () => {
    let resists = true
    using house = openHouse(() => (resists ? resisting() : Promise.resolve()))
    const { workspaces } = house
    const opened = await workspaces.open(create(AssignSchema, { runId: 'r', ownWorkspace: true }), nothing, going)
    assert.ok('workspace' in opened)
    leaveFiles(opened.workspace)
    opened.workspace.contents.reclaim = async () => {
      resists = false
    }
    await workspaces.release(opened.workspace)
    assert.deepEqual(house.setAside, [])
  })

  test('holds the end of the runner up for ten seconds at most', async () => {
    using house = openHouse(() => new Promise(() => {}))
    const { workspaces, time } = house
    const workspace = await openOne(workspaces, 'r')
    void workspaces.release(workspace)
    const closed = workspaces[Symbol.asyncDispose]()
    await new Promise(setImmediate)
    time.advance(10_000)
    await closed
  })
})
