import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DATA_FOLDER_VARIABLE } from '../../e2e/house/data-folder.ts'
import { makeDataFolder } from '../../server/src/platform/testing/data-folder.ts'
import { startTestServer, TEST_SERVER_VARIABLE } from '../../server/src/platform/testing/test-server.ts'
import { readTestArguments } from './arguments.ts'
import { writeEntries } from './lots.ts'
import { runPageTests } from './page.ts'
import { LOTS_PREFIX } from './reporter.ts'
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts'

// npm test starts one embedded PostgreSQL for the whole run, and one data folder for tests that start the whole
// product. Node's own test runner then runs every workspace.

const root = resolve(import.meta.dirname, '../..')
const reporter = join(import.meta.dirname, 'reporter.ts')
/** Tests in a browser look at the page as it is served, and those of the whole product start it as people do. */
const PAGE_BUILDER = join(root, 'ui/build/build-page.ts')
const PROGRAMS_BUILDER = join(root, 'build/build-programs.ts')
const fileLimit = join(import.meta.dirname, 'file-limit.ts')
const inOrder = join(import.meta.dirname, 'in-order.ts')

/** For one test or hook. A file, and a suite, may take longer: file-limit.ts ends files. */
const TEST_MINUTES = 15
/** For all together: CI gives 90 minutes to these and all that comes before them, which takes three. */
const SUITE_MINUTES = 83
/** After which tests that do not heed the end are killed. */
const LAST_WORDS_MS = 30_000

async function main(): Promise<number> {
  const { flags, patterns, page } = readTestArguments(process.argv.slice(2))
  const pageCode = page ? await runPageTests(root, page) : 0
  if (patterns.length === 0) return pageCode
  const files = globSync([...patterns], { cwd: root, exclude: (name) => /(^|\/)node_modules$/.test(String(name)) })
  if (files.length === 0) {
    console.error(`No test file matches ${patterns.join(' ')}`)
    return 1
  }
  const builders = [
    ...(files.some((file) => file.startsWith('e2e/web')) ? [PAGE_BUILDER] : []),
    ...(files.some((file) => /^(?:build|cli|e2e)\//.test(file)) ? [PROGRAMS_BUILDER] : []),
  ]
  for (const builder of builders) {
    if ((await runNode([builder, '--if-stale'], process.env)) !== 0) return 1
  }
  // Compiled once, and again only where a file has changed; per user, because a folder of root's is closed to others.
  const cache = join(tmpdir(), `signalbox-compile-cache-${userInfo().uid}`)
  await mkdir(cache, { recursive: true })

  const temporary = await makeTemporaryFolder()
  process.env['TMPDIR'] = temporary
  const houses = files.some((file) => file.startsWith('e2e'))
  const [server, folder] = await Promise.all([startTestServer(), houses ? makeDataFolder() : undefined])
  const lots = await mkdtemp(join(tmpdir(), LOTS_PREFIX))
  try {
    const env = {
      ...process.env,
      [TEST_SERVER_VARIABLE]: server.url,
      ...(folder === undefined ? {} : { [DATA_FOLDER_VARIABLE]: folder }),
      NODE_COMPILE_CACHE: cache,
    }
    // Two more than there are processors: many files wait for leases, deadlines and processes meanwhile.
    const concurrency = availableParallelism() + 2
    // Endless waits are named: a test's by Node itself, a file's by the module loaded into it.
    const testMs = TEST_MINUTES * 60_000
    const before = pathToFileURL(fileLimit).href
    const patience = [`--test-timeout=${testMs}`, `--import=${before}`]
    const reporting = [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout']
    // A flag may ask for some tests only, or for each change to be watched: both want the files as they are.
    const words =
      flags.length > 0
        ? ['--test', `--test-concurrency=${concurrency}`, ...patience, ...reporting, ...flags, ...files.sort()]
        : [inOrder, String(concurrency), String(testMs), before, ...withMarks(await writeEntries(root, files, lots))]
    const code = await runNode(words, env)
    return code === 0 ? pageCode : code
  } finally {
    await server.stop()
    await removeTemporaryFolder(temporary)
  }
}

/** The stages as the words of one command. */
function withMarks(stages: readonly (readonly string[])[]): string[] {
  return stages.flatMap((files, at) => (at === 0 ? files : ['--then', ...files]))
}

/**
 * Runs the test runner; SIGINT and SIGTERM go on to it, and this process stays to stop the database. When its time is over
 * it is ended, and names what still runs.
 */
function runNode(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals) => child.kill(signal)
    process.on('SIGINT', forward).on('SIGTERM', forward)
    const late = setTimeout(() => {
      console.error(`The tests have not ended within ${SUITE_MINUTES} minutes.`)
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), LAST_WORDS_MS).unref()
    }, SUITE_MINUTES * 60_000)
    child.once('error', fail)
    child.once('close', (code, signal) => {
      clearTimeout(late)
      process.off('SIGINT', forward).off('SIGTERM', forward)
      settle(signal ? 1 : (code ?? 1))
    })
  })
}

process.exitCode = await main()
