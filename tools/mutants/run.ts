import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DATA_FOLDER_VARIABLE } from '../../e2e/house/data-folder.ts'
import { makeDataFolder } from '../../server/src/platform/testing/data-folder.ts'
import { startTestServer, TEST_SERVER_VARIABLE } from '../../server/src/platform/testing/test-server.ts'
import { copyProject } from './copy.ts'
import { type Fault, listFaults, quote } from './fault.ts'
import { AREAS } from './faults/index.ts'
import { findObstacles } from './obstacles.ts'
import { type Ground, type Outcome, runTests, tryFault } from './plant.ts'

// npm run mutants plants each fault in a copy of the project and runs the tests that must notice it. The output names
// the faults that no test noticed. A word chooses an area, or faults of files whose name holds it.

const root = resolve(import.meta.dirname, '../..')

/** Of a hundred faults, so many must be noticed. */
const WANTED_PERCENT = 95

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean' },
      jobs: { type: 'string', default: '2' },
      limit: { type: 'string', default: '240' },
      without: { type: 'string', multiple: true, default: [] },
    },
  })
  const obstacles = findObstacles(root)
  for (const obstacle of obstacles) console.error(obstacle)
  if (obstacles.length > 0) return 1
  const known = readNoticed(values.without)
  const faults = choose(positionals).filter((fault) => !known.has(describe(fault)))
  if (values.check) {
    console.info(`${faults.length} faults can be planted.`)
    return 0
  }
  if (faults.length === 0) {
    console.error(
      `No area is called ${positionals.join(' ')}, and no file of a fault. Areas: ${Object.keys(AREAS).join(', ')}`,
    )
    return 1
  }
  const begun = performance.now()
  const survivors = await plantAll(faults, { jobs: Number(values.jobs), limitMs: Number(values.limit) * 1000 })
  const percent = (100 * (faults.length - survivors)) / faults.length
  console.info(`${faults.length - survivors} of ${faults.length} faults were noticed: ${percent.toFixed(1)} %`)
  console.info(`The faults took ${Math.ceil((performance.now() - begun) / 60_000)} minutes.`)
  return percent < WANTED_PERCENT ? 1 : 0
}

function choose(words: readonly string[]): readonly Fault[] {
  const all = Object.entries(AREAS).flatMap(([area, files]) => listFaults(files).map((fault) => ({ area, fault })))
  const isWanted = (area: string, file: string): boolean =>
    words.length === 0 || words.some((word) => word === area || file.includes(word))
  return all.filter(({ area, fault }) => isWanted(area, fault.file)).map(({ fault }) => fault)
}

/** The faults that these outputs of earlier runs say were noticed. */
function readNoticed(paths: readonly string[]): ReadonlySet<string> {
  const lines = paths.flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  return new Set(lines.filter((line) => /^(killed|late) /.test(line)).map((line) => line.replace(/^\w+ +/, '')))
}

/** Whole, so that no other fault is described so. */
function describe({ file, before, after }: Fault): string {
  const [from, to] = [before, after].map((text) => text.replace(/\s+/g, ' ').trim())
  return `${file}: "${from}" -> "${to}"`
}

interface Choices {
  readonly jobs: number
  readonly limitMs: number
}

/** How many survived. All share one database server; each job has a copy of the project. */
async function plantAll(faults: readonly Fault[], { jobs, limitMs }: Choices): Promise<number> {
  const houses = faults.some(({ tests }) => tests.some((test) => test.startsWith('e2e/')))
  const [server, folder] = await Promise.all([startTestServer(), houses ? makeDataFolder() : undefined])
  const env = { ...process.env, ...(folder === undefined ? {} : { [DATA_FOLDER_VARIABLE]: folder }) }
  const waiting = faults.values()
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const sound = new Map<string, Promise<Outcome>>()
  let survivors = 0
  const job = async (): Promise<void> => {
    const copy = await copyProject(root)
    // Tests that are ended leave their temporary files.
    const temporary = await mkdtemp(join(tmpdir(), 'mutants-'))
    // Others may enter, as with the system's own folder: tests start programs as other accounts, which need their files.
    await chmod(temporary, 0o755)
    try {
      for (const fault of waiting) {
        const own = { ...env, NODE_COMPILE_CACHE: join(copy, '.compile-cache'), TMPDIR: temporary }
        // The template of the shared server has the migrations as they are: a fault in one needs a server of its own.
        const shared = fault.file.startsWith('server/migrations/') ? {} : { [TEST_SERVER_VARIABLE]: server.url }
        const ground = { copy, env: { ...own, ...shared }, limitMs, stop: stopping.signal }
        const { verdict, failed } = await judge(ground, fault, sound)
        if (stopping.signal.aborted) throw new Error('It was stopped.')
        if (verdict !== 'killed' && verdict !== 'late') survivors++
        console.info(`${verdict.padEnd(8)}  ${describe(fault)}`)
        if (failed !== undefined) console.info(`          by ${quote(failed)}`)
      }
    } finally {
      for (const path of [copy, temporary]) await rm(path, { recursive: true, force: true })
    }
  }
  try {
    await Promise.all(Array.from({ length: jobs }, job))
  } finally {
    await server.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  return survivors
}

/** Twice, where they fail at first: a machine that stands still for a while makes no test unsound. */
async function runSound(ground: Ground, tests: readonly string[]): Promise<Outcome> {
  const first = await runTests(ground, tests)
  return first.verdict === 'survived' ? first : runTests(ground, tests)
}

/** broken: the tests fail without the fault too, so they say nothing of it. */
type Judgement = Outcome | { readonly verdict: 'broken'; readonly failed: string | undefined }

async function judge(ground: Ground, fault: Fault, sound: Map<string, Promise<Outcome>>): Promise<Judgement> {
  const key = fault.tests.join(' ')
  const before = sound.get(key) ?? runSound(ground, fault.tests)
  sound.set(key, before)
  const { verdict, failed } = await before
  return verdict === 'survived' ? tryFault(ground, fault) : { verdict: 'broken', failed }
}

process.exitCode = await main()
