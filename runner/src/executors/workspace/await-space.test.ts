import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, test } from 'node:test'
import { assign, going, leaveFiles, nothing, openWorkspaces, workspaceOf } from './testing.ts'

/** Hears what a task is told. */
const hear = () => {
  const heard: (string | undefined)[] = []
  return {
    heard,
    note: (sentence: string) => void heard.push(`note: ${sentence}`),
    waits: (reason: string | undefined) => void heard.push(reason),
  }
}

/** Workspaces on a disk that is nearly full until the removal of the only workspace is let go. */
const openFullHouse = async () => {
  const gate = Promise.withResolvers<void>()
  let isShort = true
  const remove = async (path: string) => {
    await gate.promise
    rmSync(path, { recursive: true })
    isShort = false
  }
  const house = openWorkspaces(remove, undefined, () => isShort)
  const workspace = workspaceOf(await house.workspaces.open(assign(), nothing, going))
  leaveFiles(workspace)
  return { ...house, workspace, letGo: gate.resolve }
}

const NEARLY_FULL =
  'The disk of this runner is nearly full: the task waits until the files of tasks that have ended are removed.'

describe('a task on a disk that is nearly full', () => {
  test('waits until the files of an ended task are removed, and says so', async () => {
    using house = await openFullHouse()
    const released = house.workspaces.release(house.workspace)
    const teller = hear()
    const waited = house.workspaces.awaitSpace(teller, going)
    assert.deepEqual(teller.heard, [`note: ${NEARLY_FULL}`, NEARLY_FULL])
    house.letGo()
    await waited
    assert.deepEqual(house.list(), [])
    assert.equal(teller.heard.at(-1), undefined)
    await released
  })

  test('begins at once where no removal is under way', async () => {
    using house = await openFullHouse()
    const teller = hear()
    await house.workspaces.awaitSpace(teller, going)
    assert.deepEqual(teller.heard, [undefined])
  })

  test('begins at once where there is room, whatever is being removed', async () => {
    using house = openWorkspaces(() => new Promise(() => {}))
    const workspace = workspaceOf(await house.workspaces.open(assign(), nothing, going))
    leaveFiles(workspace)
    void house.workspaces.release(workspace)
    const teller = hear()
    await house.workspaces.awaitSpace(teller, going)
    assert.deepEqual(teller.heard, [undefined])
  })

  test('waits no longer once it is stopped', async () => {
    using house = await openFullHouse()
    const released = house.workspaces.release(house.workspace)
    const stop = new AbortController()
    const waited = house.workspaces.awaitSpace(hear(), stop.signal)
    stop.abort()
    await waited
    house.letGo()
    await released
  })
})
