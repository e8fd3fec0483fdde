import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import type { Owner } from '../../processes/running-process.ts'
import { ManualTime } from '../../testing/manual-time.ts'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { Trees } from '../../trees/trees.ts'
import { Folders } from './folders.ts'
import type { Workspace } from './workspaces.ts'
import { Workspaces } from './workspaces.ts'

const trees = new Trees()
after(() => trees[Symbol.asyncDispose]())

/** Workspaces with so many accounts. A removal of what is `held` waits for `letGo`. */
const openHouse = (accounts: number) => {
  const root = temporaryFolder()
  const held = new Set<string>()
  const gate = Promise.withResolvers<void>()
  const remove = async (path: string) => {
    if (held.has(path)) await gate.promise
    await trees.remove(path)
  }
  const trash = { setAside: () => assert.fail('nothing is set aside here') }
  const folders = new Folders({ root: root.path, ahead: 0, kept: 0, monotonic: () => 0, trees: { remove }, trash })
  // What counts is how many there are: the folders may all belong to whoever runs this test.
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const free: Owner[] = Array.from({ length: accounts }, () => ({ ...self }))
  const workspaces = new Workspaces({
    folders,
    accounts: { take: async () => free.shift(), giveBack: (owner) => void free.push(owner) },
    time: new ManualTime(),
    idleMs: 1000,
    stuck: (_, error) => assert.fail(String(error)),
  })
  const going = new AbortController().signal
  const open = async (runId: string, commitSha = 'aa'): Promise<Workspace> => {
    const assign = create(AssignSchema, { runId, checkout: { cloneUrl: 'https://git.example.com/a.git', commitSha } })
    const opened = await workspaces.open(assign, async () => undefined, going)
    if ('problem' in opened) throw new Error(opened.problem)
    return opened.workspace
  }
  return { workspaces, held, letGo: gate.resolve, open, [Symbol.dispose]: () => root[Symbol.dispose]() }
}

describe('a run that finds every account in use', () => {
  test('waits for the one of a run that is over and whose folders are being removed', async () => {
    using house = openHouse(1)
    const first = await house.open('one')
    house.held.add(first.folder)
    const released = house.workspaces.release(first)
    await house.workspaces.runOver('one')
    const second = house.open('two')
    house.letGo()
    assert.equal((await second).owner, first.owner)
    await released
  })

  test('takes one of a run with nothing under way, and leaves the next such run its workspace', async () => {
    using house = openHouse(2)
    const [first, second] = [await house.open('one'), await house.open('two')]
    house.held.add(first.folder)
    const released = house.workspaces.release(first)
    await house.workspaces.release(second)
    const third = house.open('three')
    // The run has lost its workspace, and has its account until what its task had to itself is gone.
    while (existsSync(first.directory)) await new Promise((resolve) => setImmediate(resolve))
    house.letGo()
    assert.equal((await third).owner, first.owner)
    assert.ok(existsSync(second.directory))
    await released
  })

  test('takes none of a run that has a task under way, and leaves it its other workspaces', async () => {
    using house = openHouse(1)
    const [idle, working] = [await house.open('one', 'aa'), await house.open('one', 'bb')]
    await house.workspaces.release(idle)
    await assert.rejects(house.open('two'), /No account is free/)
    assert.ok(existsSync(idle.directory) && existsSync(working.directory))
  })
})
