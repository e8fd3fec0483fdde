import { expect, test } from 'vitest'
import type { RunRow } from '../run.ts'
import { aRunRow } from './testing.ts'
import { type RunReader, UnsureRuns } from './unsure-runs.ts'

const PAGE = 50

/** Ids go by time. */
const idOf = (number: number): string => String(number).padStart(6, '0')

/** A list of the runs `first` to 1, newest first, of which a filter lets only those through that run. */
class World {
  readonly asked: string[] = []
  readonly runs: Map<string, RunRow>
  readonly reader: RunReader = {
    list: async (part) => {
      this.asked.push(part ? `from ${Number(part.from.run_id)}` : 'beginning')
      const running = [...this.runs.values()].filter(({ status }) => status === 'running')
      return part
        ? running.filter(({ run_id: id }) => id <= part.from.run_id).slice(0, part.limit)
        : running.slice(0, PAGE)
    },
    one: async (id) => {
      this.asked.push(`one`)
      return this.runs.get(id)
    },
  }

  constructor(first: number) {
    const ids = Array.from({ length: first }, (_, at) => idOf(first - at))
    this.runs = new Map(ids.map((id) => [id, aRunRow(id)]))
  }

  end(from: number, to: number): void {
    for (let at = from; at <= to; at += 1) this.runs.set(idOf(at), aRunRow(idOf(at), 'success'))
  }
}

/** What a page shows after one turn. */
async function turn(unsure: UnsureRuns, world: World, shown: readonly RunRow[]): Promise<readonly RunRow[]> {
  const { beginning, further } = await unsure.read(shown, world.reader)
  const read = new Map([...beginning, ...further].map((run) => [run.run_id, run]))
  return shown.map((run) => read.get(run.run_id) ?? run)
}

/** As many turns as something is left over for. */
async function settle(unsure: UnsureRuns, world: World, shown: readonly RunRow[]): Promise<readonly RunRow[]> {
  let rows = await turn(unsure, world, shown)
  for (let turns = 1; unsure.isLeft; turns += 1) {
    expect(turns).toBeLessThan(60)
    rows = await turn(unsure, world, rows)
  }
  return rows
}

test('after a burst every row says how its run is, below the beginning and behind a filter that it left', async () => {
  const world = new World(320)
  const shown = [...world.runs.values()]
  // Some of the first page, some far below it.
  for (const [from, to] of [
    [300, 310],
    [200, 240],
    [3, 5],
  ] as const)
    world.end(from, to)
  const unsure = new UnsureRuns()
  unsure.note('')
  expect(await settle(unsure, world, shown)).toEqual([...world.runs.values()])
})

test('a burst costs a page of ended runs one request', async () => {
  const world = new World(200)
  world.end(1, 150)
  const unsure = new UnsureRuns()
  unsure.note('')
  await settle(unsure, world, [...world.runs.values()])
  expect(world.asked).toEqual(['beginning'])
})

test('one turn reads the beginning, one further part and ten rows at most, and says that more is left', async () => {
  const world = new World(300)
  const shown = [...world.runs.values()]
  world.end(1, 300)
  const unsure = new UnsureRuns()
  unsure.note('')
  await turn(unsure, world, shown)
  expect(world.asked.filter((what) => what !== 'one')).toEqual(['beginning', 'from 300'])
  expect(world.asked.filter((what) => what === 'one')).toHaveLength(10)
  expect(unsure.isLeft).toBe(true)
})

test('under bursts that do not end each row has its turn', async () => {
  const world = new World(900)
  const shown = [...world.runs.values()]
  world.end(1, 2)
  const unsure = new UnsureRuns()
  let rows: readonly RunRow[] = shown
  for (let turns = 0; turns < 6; turns += 1) {
    unsure.note('')
    rows = await turn(unsure, world, rows)
  }
  expect(rows).toEqual([...world.runs.values()])
})

test('more ids than are read in one turn are read in the next ones', async () => {
  const world = new World(100)
  const shown = [...world.runs.values()]
  world.end(1, 30)
  const unsure = new UnsureRuns()
  for (let at = 1; at <= 30; at += 1) unsure.note(idOf(at))
  expect(await settle(unsure, world, shown)).toEqual([...world.runs.values()])
})

test('what a failed read did not learn stays noted, whichever request fails', async () => {
  for (const failing of ['list', 'one'] as const) {
    const world = new World(100)
    const shown = [...world.runs.values()]
    world.end(7, 7)
    const unsure = new UnsureRuns()
    unsure.note(idOf(7))
    const broken = { ...world.reader, [failing]: () => Promise.reject(new Error('away')) }
    await expect(unsure.read(shown, broken)).rejects.toThrow('away')
    expect(unsure.isLeft).toBe(true)
    expect(await settle(unsure, world, shown)).toEqual([...world.runs.values()])
  }
})

test('what is told while a turn reads is read in the next one', async () => {
  const world = new World(100)
  const shown = [...world.runs.values()]
  const unsure = new UnsureRuns()
  unsure.note(idOf(7))
  const told: RunReader = {
    ...world.reader,
    one: async (id) => {
      const before = world.runs.get(id)
      world.end(7, 7)
      unsure.note(id)
      return before
    },
  }
  await unsure.read(shown, told)
  expect(await settle(unsure, world, shown)).toEqual([...world.runs.values()])
})

test('a run that is seen no more is asked for once', async () => {
  const world = new World(100)
  const shown = [...world.runs.values()]
  world.runs.delete(idOf(7))
  const unsure = new UnsureRuns()
  unsure.note(idOf(7))
  await settle(unsure, world, shown)
  expect(unsure.isLeft).toBe(false)
})
