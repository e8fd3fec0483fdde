import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type QueuedRun, type Share, sharesBefore, takeTurns } from './turns.ts'

/** `team id[!priority][@served]`, such as `acme/web 7!100@3`. */
const run = (text: string): QueuedRun => {
  const [, team = '', id = '', priority = '0', served] = /^(\S+) (\d+)(?:!(-?\d+))?(?:@(\d+))?$/.exec(text) ?? []
  const served_at = served === undefined ? null : new Date(Number(served))
  return { id: id.padStart(4, '0'), team_path: team, priority: Number(priority), served_at }
}
const order = (...texts: readonly string[]): readonly number[] => takeTurns(texts.map(run)).map(({ id }) => Number(id))

describe('the order in which queued runs begin', () => {
  test('is that of their age where there is one team', () => {
    assert.deepEqual(order('acme/web 3', 'acme/web 1', 'acme/web 2'), [1, 2, 3])
  })

  test('lets a priority rank among the runs of its own team only', () => {
    assert.deepEqual(order('acme/web 1', 'acme/web 2!100', 'acme/data 3', 'acme/data 4!-100'), [2, 3, 1, 4])
  })

  test('is in turns: many runs of one team keep nobody waiting', () => {
    assert.deepEqual(order('acme/web 1', 'acme/web 2', 'acme/web 3', 'acme/web 4', 'acme/data 5'), [1, 5, 2, 3, 4])
  })

  test('begins with who was not served for longest', () => {
    assert.deepEqual(order('acme/web 1@9', 'acme/data 2@5', 'acme/ops 3'), [3, 2, 1])
  })

  test('gives a topmost team no more turns for having many teams', () => {
    assert.deepEqual(order('acme/a 1', 'acme/b 2', 'acme/c 3', 'beta 4', 'beta 5'), [1, 4, 2, 5, 3])
  })
})

const team = fc.constantFrom('acme', 'acme/web', 'acme/data', 'beta', 'beta/one', 'gamma')
const queues = fc
  .array(fc.record({ team, priority: fc.integer({ min: -2, max: 2 }) }), { minLength: 1, maxLength: 30 })
  .chain((runs) => fc.record({ runs: fc.constant(runs), served: fc.dictionary(team, fc.integer({ min: 1, max: 5 })) }))
  .map(({ runs, served }) =>
    runs.map((each, at): QueuedRun => {
      const at5 = served[each.team]
      const served_at = at5 === undefined ? null : new Date(at5)
      return { id: `${at}`.padStart(4, '0'), team_path: each.team, priority: each.priority, served_at }
    }),
  )

test('each run begins once, and as many before it as are counted', () => {
  fc.assert(
    fc.property(queues, (runs) => {
      const turns = takeTurns(runs)
      assert.deepEqual(
        turns.map(({ id }) => id).toSorted(),
        runs.map(({ id }) => id),
      )
      const teams = Map.groupBy(turns, ({ team_path }) => team_path)
        .entries()
        .map(([team_path, own]) => {
          const { id: head = '', served_at = null } = own[0] ?? {}
          return { team_path, head, served_at }
        })
        .toArray()
      for (const [at, { id, team_path }] of turns.entries()) {
        const ahead = turns.slice(0, at).filter((other) => other.team_path === team_path).length
        const count = (shares: readonly Share[]): number =>
          shares.reduce((sum, { teams: paths, most }) => {
            const held = runs.filter((other) => paths.includes(other.team_path)).length
            return sum + Math.min(held, most)
          }, 0)
        const before = sharesBefore(teams, team_path).reduce((sum, sharesAt) => sum + count(sharesAt(sum)), ahead)
        assert.equal(before, at, `of ${id}`)
      }
    }),
  )
})
