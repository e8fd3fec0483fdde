import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, until } from '#platform/testing'

const { database, url } = await createTestDatabase()
await sql`create table noted (fact_id uuid primary key, calls int not null)`.execute(database.kysely)
const program = join(import.meta.dirname, '../testing/facts-program.ts')

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [program, url, ...args], { stdio: 'inherit' })
}

const ended = (child: ChildProcess): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))

describe('a process that is killed around a reaction', () => {
  for (const [point, calls] of [
    ['facts.before_reaction', 1],
    ['facts.after_reaction', 2],
  ] as const) {
    test(`at ${point}: another process does the reaction soon, ${calls === 1 ? 'once' : 'a second time'}`, async () => {
      await sql`truncate noted`.execute(database.kysely)
      assert.equal(await ended(start(point)), 'SIGKILL')
      const second = start()
      const seen = await until(
        'the reaction',
        async () => (await sql<{ calls: number }>`select calls from noted`.execute(database.kysely)).rows,
        (rows) => rows[0]?.calls === calls,
      )
      assert.equal(seen.length, 1)
      // A process that is killed with its job unfinished would leave that job to the next test.
      await until(
        'the job to be marked as done',
        async () => (await sql`select id from graphile_worker.jobs`.execute(database.kysely)).rows.length,
        (left) => left === 0,
      )
      second.kill('SIGKILL')
      await ended(second)
    })
  }
})
