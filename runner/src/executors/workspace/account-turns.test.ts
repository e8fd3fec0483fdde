import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Trees } from '../../trees/trees.ts'
import { accountsOf, assign, going, leaveFiles, nothing, openWorkspaces, sharing, workspaceOf } from './testing.ts'

const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

/** Workspaces with so many accounts. A removal of what is `held` waits for `letGo`. */
const openHouse = (accounts: number) => {
  const held = new Set<string>()
  const gate = Promise.withResolvers<void>()
  const remove = async (path: string) => {
    if (held.has(path)) await gate.promise
    await trees.remove(path)
  }
  const house = openWorkspaces(remove, accountsOf(accounts))
  const open = (assigned = assign()) => house.workspaces.open(assigned, nothing, going)
  return { ...house, held, letGo: gate.resolve, open }
}

describe('an attempt that finds every account in use', () => {
  test('waits for the one of a workspace that is being removed', async () => {
    using house = openHouse(1)
    const first = workspaceOf(await house.open())
    leaveFiles(first)
    house.held.add(first.folder)
    const released = house.workspaces.release(first)
    const second = house.open()
    house.letGo()
    assert.equal(workspaceOf(await second).owner, first.owner)
    await released
  })

  test('is told what to do where none is about to be free, and takes none from a shared workspace', async () => {
    using house = openHouse(1)
    const first = workspaceOf(await house.open(sharing(false)))
    await house.workspaces.release(first)
    assert.match(JSON.stringify(await house.open()), /No account is free/)
    await house.workspaces.over({ runId: 'r', step: 's' })
    workspaceOf(await house.open())
  })
})
