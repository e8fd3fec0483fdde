import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { safeSearchPath } from './search-path.ts'

const isTaskId = (id: number): boolean => id === 60_706

test('PATH keeps the folders in which no task can put a program', { skip: process.getuid?.() !== 0 }, () => {
  using folder = temporaryFolder()
  const make = (name: string, mode = 0o755, uid = 0): string => {
    const path = join(folder.path, name)
    mkdirSync(path)
    chmodSync(path, mode)
    chownSync(path, uid, 0)
    return path
  }
  const own = make('own')
  const shared = make('shared', 0o1777)
  const ofTasks = make('of-tasks', 0o755, 60_706)
  const below = join(ofTasks, 'bin')
  mkdirSync(below)
  const link = join(folder.path, 'link')
  symlinkSync(below, link)
  const absent = join(shared, 'node_modules/.bin')
  const path = [own, shared, ofTasks, below, link, absent, '.', '', 'bin', '/usr/bin'].join(':')
  assert.equal(safeSearchPath(path, isTaskId), `${own}:/usr/bin`)
})
