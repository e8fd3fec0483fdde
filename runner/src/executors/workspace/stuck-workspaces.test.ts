import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { accountsOf, assign, going, leaveFiles, nothing, openWorkspaces, sharing, workspaceOf } from './testing.ts'

describe('a workspace that cannot be removed', () => {
  const resisting = () => Promise.reject(new Error('it resists'))

  test('is set aside with its reason, and keeps its account', async () => {
    using house = openWorkspaces(resisting, accountsOf(1))
    const { workspaces } = house
    const workspace = workspaceOf(await workspaces.open(sharing(false), nothing, going))
    leaveFiles(workspace)
    await assert.rejects(workspaces.release(workspace), /it resists/)
    assert.deepEqual(house.setAside, [workspace.folder])
    await assert.rejects(workspaces.over({ runId: 'r', step: 's' }), /it resists/)
    assert.equal(house.setAside.length, 2)
    assert.deepEqual(workspaces.kept(), [])
    assert.match(JSON.stringify(await workspaces.open(assign(), nothing, going)), /No account is free/)
  })

  test('of one task keeps the account of its step, though the folder that the step shares goes', async () => {
    let resists = true
    using house = openWorkspaces(
      async (path) => (resists ? resisting() : rmSync(path, { recursive: true })),
      accountsOf(1),
    )
    const { workspaces } = house
    const workspace = workspaceOf(await workspaces.open(sharing(false), nothing, going))
    leaveFiles(workspace)
    await assert.rejects(workspaces.release(workspace), /it resists/)
    resists = false
    await workspaces.over({ runId: 'r', step: 's' })
    assert.deepEqual([house.setAside, house.list()], [[workspace.folder], [basename(workspace.folder)]])
    assert.match(JSON.stringify(await workspaces.open(assign(), nothing, going)), /No account is free/)
  })

  test('is tried again once the owner of its files has given them back', async () => {
    let resists = true
    using house = openWorkspaces(() => (resists ? resisting() : Promise.resolve()))
    const workspace = workspaceOf(await house.workspaces.open(assign(), nothing, going))
    leaveFiles(workspace)
    workspace.contents.reclaim = async () => {
      resists = false
    }
    await house.workspaces.release(workspace)
    assert.deepEqual(house.setAside, [])
  })

  test('holds the end of the runner up for ten seconds at most', async () => {
    using house = openWorkspaces(() => new Promise(() => {}))
    const { workspaces, time } = house
    const workspace = workspaceOf(await workspaces.open(sharing(false), nothing, going))
    leaveFiles(workspace)
    void workspaces.release(workspace)
    const closed = workspaces[Symbol.asyncDispose]()
    await new Promise(setImmediate)
    time.advance(10_000)
    await closed
  })
})
