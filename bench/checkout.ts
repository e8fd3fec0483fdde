import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Result } from '@signalbox/contracts/runner'
import { serveRepositories } from '../runner/src/testing/repositories.ts'
import { startRunner, temporaryFolder } from '../runner/src/testing/runner-under-test.ts'
import type { Report } from './report.ts'
import { median } from './stats.ts'

const FOLDERS = 200
const FILES_PER_FOLDER = 100
const BYTES = 10_240
/** Both sides are warm: this many checkouts come before the first that counts. */
const BEFORE = 9
const ROUNDS = 5
const POLL_MS = 50
/** Each kind of checkout is seen to be whole once. */
const COUNT_FILES = `test "$(find . -name 'file-*.txt' | wc -l)" -eq ${FOLDERS * FILES_PER_FOLDER}`
const GONE_TIMEOUT_MS = 120_000

/**
 * Compares a task that only checks out with `git worktree add` of the same commit, from the tenth of each on. The
 * repository has 200 MB and 20,000 files, and is served over HTTP. From the assignment to the end of the task, on the
 * same disk, in rounds that take turns in who begins. The files of one side are removed before the other side is
 * measured.
 */
export async function benchCheckout(): Promise<Report> {
  using folder = temporaryFolder()
  const { bare, commit } = makeRepository(folder.path)
  using server = await serveRepositories(folder.path)
  const workDir = join(folder.path, 'work')
  await using runner = await startRunner({ workDir, capacity: 1 })
  const { gateway } = runner
  let fence = 0n
  const task = async (linked: boolean, script = 'true'): Promise<number> => {
    const checkout = { cloneUrl: `${server.url}/repository.git`, ref: 'refs/heads/main', commitSha: commit }
    const started = performance.now()
    const runId = `run ${++fence}`
    const shared = linked ? {} : { sharedWorkspace: {} }
    gateway.assign({ fence, runId, ...shared, script, checkout })
    const { reason, result } = await gateway.finished(fence)
    if (result !== Result.SUCCESS) throw new Error(`The task did not succeed: ${reason}`)
    const took = performance.now() - started
    gateway.send({ case: 'workspaceOver', value: { runId, step: 's' } })
    await gone(workDir)
    return took
  }
  const worktree = (workers = 1): number => {
    const place = join(folder.path, 'worktree')
    const started = performance.now()
    git(bare, '-c', `checkout.workers=${workers}`, 'worktree', 'add', '--quiet', '--detach', place, commit)
    const took = performance.now() - started
    rmSync(place, { recursive: true })
    git(bare, 'worktree', 'prune')
    return took
  }
  const clone = (): number => {
    const place = join(folder.path, 'clone')
    const started = performance.now()
    git(folder.path, 'clone', '--quiet', '--depth=1', '--no-local', bare, place)
    const took = performance.now() - started
    rmSync(place, { recursive: true })
    return took
  }
  const first = await task(true, COUNT_FILES)
  await task(false, COUNT_FILES)
  for (let at = 1; at < BEFORE; at++) await task(true)
  for (let at = 0; at < BEFORE; at++) worktree()
  const times = {
    linked: [] as number[],
    copied: [] as number[],
    worktree: [] as number[],
    workers: [] as number[],
    clone: [] as number[],
  }
  for (let round = 0; round < ROUNDS; round++) {
    const sides = [
      async () => times.worktree.push(await settled(() => worktree())),
      async () => times.workers.push(await settled(() => worktree(availableParallelism()))),
      async () => times.linked.push(await settled(() => task(true))),
      async () => times.copied.push(await settled(() => task(false))),
    ]
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side()
    if (round < 3) times.clone.push(await settled(clone))
  }
  const ratio = (of: readonly number[], to = times.worktree) => median(of.map((ms, round) => ms / (to[round] ?? ms)))
  return {
    name: 'checkout',
    says: `a repository of ${(FOLDERS * FILES_PER_FOLDER * BYTES) / 1e6} MB and ${FOLDERS * FILES_PER_FOLDER} files; ${ROUNDS} rounds`,
    figures: [
      { what: 'git worktree add, p50', value: median(times.worktree), unit: 'ms' },
      { what: 'the same by all processors, p50', value: median(times.workers), unit: 'ms' },
      { what: 'the tenth task on a runner, p50', value: median(times.linked), unit: 'ms' },
      { what: 'against git worktree add', value: ratio(times.linked), unit: 'x', atMost: 1.5 },
      { what: 'against git worktree add by all processors', value: ratio(times.linked, times.workers), unit: 'x' },
      { what: 'in a shared workspace or a container, packs copied, p50', value: median(times.copied), unit: 'ms' },
      { what: 'against git worktree add', value: ratio(times.copied), unit: 'x' },
      { what: 'the first task on a runner', value: first, unit: 'ms' },
      { what: 'git clone --depth=1 from the same disk, p50', value: median(times.clone), unit: 'ms' },
    ],
  }
}

/** With nothing of the one before still on its way to the disk. */
async function settled(work: () => number | Promise<number>): Promise<number> {
  execFileSync('sync')
  return await work()
}

/** The runner removes a workspace after it has told the end: that may not go on while something else is measured. */
async function gone(workDir: string): Promise<void> {
  const deadline = performance.now() + GONE_TIMEOUT_MS
  while (
    globSync('*/*/{folder-0,*/folder-0}', { cwd: workDir }).length + globSync('*/folder-0', { cwd: workDir }).length >
    0
  ) {
    if (performance.now() > deadline) throw new Error('The runner did not remove the workspace in time')
    await sleep(POLL_MS)
  }
}

/** Each file is a half noise and a half repetition, as compressible as source code with pictures. */
function makeRepository(folder: string): { bare: string; commit: string } {
  const source = join(folder, 'source')
  for (let at = 0; at < FOLDERS; at++) {
    mkdirSync(join(source, `folder-${at}`), { recursive: true })
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      const noise = Array.from({ length: BYTES / 2 / 64 }, (_, part) =>
        createHash('sha256').update(`${at} ${file} ${part}`).digest('hex'),
      ).join('')
      writeFileSync(join(source, `folder-${at}`, `file-${file}.txt`), noise + noise)
    }
  }
  const bare = join(folder, 'repository.git')
  git(folder, 'init', '--quiet', '--initial-branch=main', source)
  git(source, 'config', 'gc.auto', '0')
  git(source, 'add', '--all')
  git(source, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message=all')
  git(source, '-c', 'pack.threads=2', 'repack', '-adq')
  git(folder, 'clone', '--quiet', '--bare', source, bare)
  rmSync(source, { recursive: true })
  return { bare, commit: git(bare, 'rev-parse', 'main') }
}

function git(directory: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', args, { cwd: directory, encoding: 'utf8', env }).trim()
}
