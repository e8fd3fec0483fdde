import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeDataDir, startHouse } from '../e2e/house/house.ts'
import { cpuSeconds, residentMegabytes } from './cpu.ts'
import type { Report } from './report.ts'
import { median } from './stats.ts'

const SOURCE = resolve(import.meta.dirname, '../server/src/main.ts')
/** Starts what is built, which `npm run bench` sees to. */
const BUILT = resolve(import.meta.dirname, '../server/bin/signalbox-server.mjs')
/** In turn, so that a slow minute of the machine is nobody's alone. */
const ROUNDS = 8

interface Start {
  readonly ms: number
  readonly cpuSeconds: number
  readonly megabytes: number
}

/** A start of the control plane on a database that is there, until it answers: from its sources, and as it is built. */
export async function benchStart(): Promise<Report> {
  const dataDir = makeDataDir()
  const caches: string[] = []
  const newCache = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-cache-'))
    caches.push(folder)
    return folder
  }
  /** What Node has compiled earlier lies in `cache`. */
  async function start(program: string, cache: string): Promise<Start> {
    const begun = performance.now()
    const house = await startHouse({ dataDir, program, env: { NODE_COMPILE_CACHE: cache } })
    const ms = performance.now() - begun
    const measured = { ms, cpuSeconds: cpuSeconds(house.pid), megabytes: residentMegabytes(house.pid) }
    await house.stop()
    return measured
  }
  try {
    const cache = newCache()
    // The first one makes the database.
    await start(BUILT, cache)
    await start(SOURCE, cache)
    const warm: [source: Start, built: Start][] = []
    for (let round = 0; round < ROUNDS; round++) warm.push([await start(SOURCE, cache), await start(BUILT, cache)])
    const cold: [source: Start, built: Start][] = []
    for (let round = 0; round < ROUNDS / 2; round++) {
      cold.push([await start(SOURCE, newCache()), await start(BUILT, newCache())])
    }
    return {
      name: 'start',
      says: 'a start of the control plane as it is built, beside one from its sources',
      figures: [
        { what: 'time, cold', value: ratioOf(cold, 'ms'), unit: 'of the time from sources' },
        { what: 'time, warm', value: ratioOf(warm, 'ms'), unit: 'of the time from sources', atMost: 0.75 },
        { what: 'CPU, warm', value: ratioOf(warm, 'cpuSeconds'), unit: 'of the CPU from sources', atMost: 0.65 },
        { what: 'memory, warm', value: ratioOf(warm, 'megabytes'), unit: 'of the memory from sources', atMost: 0.8 },
      ],
      tables: [
        {
          title: 'medians',
          columns: ['', 'time', 'CPU', 'resident memory'],
          rows: [
            ['sources, cold', ...cells(cold.map(([source]) => source))],
            ['built, cold', ...cells(cold.map(([, built]) => built))],
            ['sources, warm', ...cells(warm.map(([source]) => source))],
            ['built, warm', ...cells(warm.map(([, built]) => built))],
          ],
        },
      ],
    }
  } finally {
    for (const folder of [dataDir, ...caches]) rmSync(folder, { recursive: true, force: true })
  }
}

function ratioOf(rounds: readonly (readonly [Start, Start])[], what: keyof Start): number {
  const medianOf = (at: 0 | 1): number => median(rounds.map((round) => round[at][what]))
  return medianOf(1) / medianOf(0)
}

function cells(starts: readonly Start[]): string[] {
  const medianOf = (what: keyof Start): number => median(starts.map((start) => start[what]))
  return [
    `${medianOf('ms').toFixed(0)} ms`,
    `${medianOf('cpuSeconds').toFixed(2)} s`,
    `${medianOf('megabytes').toFixed(0)} MB`,
  ]
}
